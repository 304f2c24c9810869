"""Calls that do the reverse of what a task says, or something else where it takes a thing away."""

from functools import cache

from app.domain.choosing.candidate import Candidate
from app.domain.filling.forms import stems
from app.domain.filling.states.words import contrary, opposed, share_beginning
from app.domain.language.goal_words import persons, verb_classes
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.lexicon.lists import table

_PREFIXES = ("un", "dis", "de")
"""Before a verb, they make the one that takes back what it does (Quirk et al., I.22)."""
_UNDER = "under"
_AGAIN = "re"
"""Before a verb, it does so again (Quirk et al., I.25)."""
_ROOT = 3
"""Letters of the shortest verb behind a prefix: `unpin`."""
_CLEARING = stem("clear")
"""The verb that also says that something is settled: `clear the alert`, by `/resolve`."""
_LONG_ROOT = 4
"""Letters from which on stems may be cut off differently: `unarchive`, `archive`."""


def does_the_reverse(one: Candidate) -> bool:
    """Whether a call does what a task takes back: to unarchive a project is not to archive it, nor to undo a merge to merge.

    One that sets a state may (`muted: false`), and one that deletes: `unpin it`, by `DELETE /pins/{id}`.
    """
    traits, words = one.traits, one.words
    if not traits.mutating or one.is_spoken or one.found.states:
        return False
    if _ends_what_is_made(one):
        return True
    undoes = undone(words.verb)
    if traits.kind is OperationKind.DELETE:
        # To unban a user is to delete a ban, and no member; to undo a cancellation deletes at most that.
        is_whole = bool(undoes) and traits.head in (words.object, *persons())
        return is_whole or (words.verb in _listed("undoing_acts") and not _is_act(words.object, traits.head))
    acts = last_words(one)
    if any(_are_reverse(words.verb, act) for act in acts) or _negates(words.verb, traits.head):
        return True
    if undoes or words.verb in _listed("undoing_acts"):
        known = acts | traits.path_words | traits.spoken
        is_undone = any((undone(act) and act not in _ending()) or _is_act(undoes, act) for act in known)
        # To unarchive a broadcast is not to start it.
        if not (is_undone or acts & _listed("undone_by", "taking_back") or _is_of_class(one)):
            return True
    takes_back = (
        words.takes_back or words.kind is OperationKind.DELETE or words.verb in _listed("taking_back")
    )
    done = {act for act in acts if _is_act(words.object, act)}
    ends = acts & (_ending() | _listed("taking_back")) - done
    return takes_back and traits.kind is not OperationKind.UPDATE and bool(done) and not ends


def keeps_what_is_deleted(one: Candidate) -> bool:
    """Whether a task takes something away, and a call with a verb of its own does not: a volume that goes is not resized."""
    traits, words = one.traits, one.words
    if words.kind is not OperationKind.DELETE or traits.kind is not OperationKind.ACTION or traits.safe:
        return False
    if one.is_spoken or one.found.states or not traits.action or words.verb == _CLEARING:
        return False
    return last_words(one).isdisjoint(_ending() | _listed("taking_back"))


def _ends_what_is_made(one: Candidate) -> bool:
    """Whether a task makes something, and a call ends it and leaves a value of the task: to schedule a transfer is not to cancel it."""
    traits, words = one.traits, one.words
    is_made = words.kind is OperationKind.CREATE and traits.kind is OperationKind.ACTION
    acts = last_words(one)
    is_ended = bool(acts) and acts <= _ending() | _listed("taking_back")
    return is_made and is_ended and any(not value.value.weak for value in one.left)


def last_words(one: Candidate) -> frozenset[str]:
    """Stems of the words by which a path says what a call does: (stop, share) of `/files/stopSharing`; none where an id stands last."""
    operation = one.form.operation
    if operation.ends_with_parameter or not operation.segments:
        return frozenset()
    return stems(operation.segments[-1].text)


def _is_of_class(one: Candidate) -> bool:
    """Whether a call has a verb that means the same as the one of a task."""
    return not verb_classes().get(one.words.verb, frozenset()).isdisjoint(one.traits.verb_classes)


def undone(verb: str) -> str:
    """Stem of what stands behind `un`, which a verb takes back: (archiv); empty for a verb that does not begin so."""
    root = verb.removeprefix(_PREFIXES[0])
    return root if root != verb and len(root) >= _ROOT and not verb.startswith(_UNDER) else ""


def _are_reverse(verb: str, act: str) -> bool:
    """Whether two verbs, by their stems, take back what the other does."""
    plain = verb.removeprefix(_AGAIN) if verb.startswith(_AGAIN) else verb
    if any(act in opposed(one) or act in contrary("reverses").get(one, ()) for one in (verb, plain)):
        return True
    return any(_negates(one, other) for one, other in ((verb, act), (act, plain)))


def _negates(verb: str, other: str) -> bool:
    """Whether a verb is another one behind a prefix: (unarch) and (archiv)."""
    return any(
        root == other or (min(len(root), len(other)) >= _LONG_ROOT and share_beginning(root, other))
        for prefix in _PREFIXES
        if verb.startswith(prefix) and len(root := verb.removeprefix(prefix)) >= _ROOT
    )


def _is_act(noun: str, act: str) -> bool:
    """Whether a noun, by its stem, is that of an act: (invit) of `invitation`."""
    return bool(noun) and (
        noun == act or (min(len(noun), len(act)) >= _LONG_ROOT and share_beginning(noun, act))
    )


@cache
def _listed(*names: str) -> frozenset[str]:
    """Stems of the words of some lists of `reading.toml`."""
    return frozenset(stem(word) for name in names for word in table("reading")[name])


def _ending() -> frozenset[str]:
    """Stems of the verbs after which a thing is gone, or as good as gone."""
    return _listed("ending", "as_good_as_ending")
