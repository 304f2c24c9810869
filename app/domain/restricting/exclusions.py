"""What must not be called."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from app.domain.choosing.acts import leaving_verbs
from app.domain.language.goal_words import STOP_WORDS, action_stems, verb_classes, verb_kinds
from app.domain.language.identifiers import pieces, words
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.reading.models import Exclusion
from app.lexicon.lists import table

_JOINING = ("or", "and", "nor")


def is_excluded(index: PlanIndex, context: GoalContext, at: int) -> bool:
    """Whether a goal forbids a call: an action that it names, or one that would take away what has to stay.

    Whatever stays as it is may not be deleted, nor may what holds it; where the goal itself asks to delete, only
    the things that stay are spared.
    """
    return any(_excludes(index, context, exclusion, at) for exclusion in context.reading.exclusions)


def _excludes(index: PlanIndex, context: GoalContext, exclusion: Exclusion, at: int) -> bool:
    traits = index.traits[at]
    if traits.safe:
        return False
    said = [stem(piece) for piece in pieces(exclusion.words)]
    asked_to_delete = any(found.kind is OperationKind.DELETE for found in context.words)
    nouns = _nouns(said)
    about = bool(nouns & (traits.resource | traits.path_words))
    if exclusion.keeps:
        if exclusion.values:
            return False
        if traits.kind is OperationKind.DELETE:
            if _ends_below(index, at, nouns):
                return False
            return not asked_to_delete or (traits.head in nouns and nouns <= traits.resource)
        return bool(nouns) and bool(nouns & _object_words(index, at)) and not _asked_about(context, nouns)
    verbs = _verbs(said)
    if traits.kind in (OperationKind.UPDATE, OperationKind.DELETE):
        # To close a merge request merges nothing.
        verbs = [verb for verb in verbs if verb == traits.action or verb not in traits.path_words]
    classes = verb_classes()
    banned = frozenset().union(*(classes.get(word, frozenset()) for word in verbs))
    same_action = (
        bool(banned & traits.verb_classes)
        or not traits.spoken.isdisjoint(verbs)
        or (
            traits.kind is OperationKind.DELETE
            and any(verb_kinds().get(word) is OperationKind.DELETE for word in verbs)
        )
    )
    return same_action and (not nouns or about) and not _only_detaches(index, context, at)


def _verbs(said: Sequence[str]) -> Sequence[str]:
    """Of the stems of what must not be done those of its verbs: (close) of `close issue 12`, (delet, archiv) of `delete or archive it`."""
    found: list[str] = []
    for at, word in enumerate(said):
        begins = at == 0 or said[at - 1] in _JOINING or (at == 1 and not found)
        if begins and (word in verb_kinds() or word in action_stems() or word in verb_classes()):
            found.append(word)
    return found


def _only_detaches(index: PlanIndex, context: GoalContext, at: int) -> bool:
    """Whether a deletion takes a thing out of another one, as the goal asks, and one of the thing itself is another call.

    `take runner 31 off project 512, don't delete the runner`.
    """
    own, last = index.traits[at], index.form(at).last_place
    if own.kind is not OperationKind.DELETE or last is None:
        return False
    # `/lists/{id}/items/{contactId}` takes contacts out of a list.
    taken = {
        words.object
        for words in context.words
        if words.verb in leaving_verbs() and words.object in (own.head, *last.names)
    }
    depth = len(index.operation(at).segments)
    return any(
        index.traits[other].kind is OperationKind.DELETE
        and index.traits[other].head in taken
        and len(index.operation(other).segments) < depth
        for other in index.of_server(own.tool.server)
    )


def _ends_below(index: PlanIndex, at: int, kept: AbstractSet[str]) -> bool:
    """Whether a deletion ends something that the thing which stays only has: its connection, and not the device."""
    operation = index.operation(at)
    places = {
        stem(noun)
        for segment in operation.segments
        if segment.is_parameter and segment.text != operation.ends_with_parameter
        for noun in operation.places[segment.text].noun
    }
    return bool(kept & places) and kept.isdisjoint(index.traits[at].resource)


def _nouns(stems: Sequence[str]) -> frozenset[str]:
    pronouns = {stem(word) for word in table("reading")["pronouns"]}
    fillers = {stem(word) for word in table("reading")["fillers"]}
    return frozenset(
        word
        for word in stems
        if word not in pronouns | fillers and word not in STOP_WORDS and word not in verb_kinds()
    )


def _object_words(index: PlanIndex, at: int) -> frozenset[str]:
    traits = index.traits[at]
    return traits.resource | traits.qualifiers | frozenset(stem(word) for word in words(traits.tool.name))


def _asked_about(context: GoalContext, nouns: AbstractSet[str]) -> bool:
    return any(nouns & set(found.stems) for found in context.words)
