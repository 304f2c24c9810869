"""Tasks that only say more of the call of the task before: `deliver by sms`, `and send her the invite`."""

from collections.abc import Collection, Mapping, Sequence

from app.domain.choosing.candidate import Candidate
from app.domain.filling.fit import own_noun
from app.domain.filling.forms import Form
from app.domain.filling.states.remarks import light_words
from app.domain.language.goal_words import all_verbs
from app.domain.language.identifiers import pieces, singular
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.ranking.runs import Reached
from app.domain.reading.models import Quantity
from app.lexicon.lists import table

_LOCATIONS = ("body", "query")
_JOINTS = frozenset(("and", "with", "the", "a", "an"))


def says_more(one: Candidate, earlier: Sequence[int]) -> bool:
    """Whether a call takes all that a task says, at inputs that an earlier task has left open.

    It does where every value and every noun of the task is for such an input: of a task that names anything else, the
    call does only a part.

    Args:
        one: The call of the earlier task, beside the later one.
        earlier: Numbers of the tasks that the call does already.
    """
    forms = _filled_further(one, earlier)
    said = frozenset().union(
        *(form.own | form.names | form.described for form in forms), *one.found.states.values(), _kinds(one)
    )
    known = said.union(light_words(), map(stem, table("reading")["pronouns"]))
    # Where all its words are said, it does not matter what things they are read as.
    spoken = {stem(word) for word in pieces(one.context.tasks[one.number].do)} - one.form.noun_stems
    return bool(forms) and (known.issuperset(one.strangers) or known >= spoken) and not one.words.is_question


def _filled_further(one: Candidate, earlier: Sequence[int]) -> Sequence[Form]:
    """The inputs by which a call takes all values and states of a task; none where an earlier one has filled one otherwise."""
    found = one.found
    if one.left or not (found.states or (one.own and one.takes_surely)):
        return ()
    taken = {found.used[value.at] for value in one.own} | found.states.keys()
    forms = [form for form in one.form.forms if form.item.pointer in taken]
    for number in earlier:
        before = one.context.assigned(number, one.at, one.form)
        kept = {
            before.used[value.at] for value in one.own if before.used.get(value.at) == found.used[value.at]
        }
        left = [form for form in forms if form.item.pointer not in kept]
        if any(form.item.location not in _LOCATIONS or before.has(form.item.pointer) for form in left):
            return ()
    return forms


def _done_by(at: int, by_task: Mapping[int, int]) -> Sequence[int]:
    """Numbers of the tasks that a call does."""
    return [number for number, other in by_task.items() if other == at]


def said_where_made(
    index: PlanIndex, context: GoalContext, number: int, top: int, earlier: Mapping[int, int], close: Reached
) -> int | None:
    """The call of the task before that makes a thing, where another would only change it: `set up a course, taught in German`.

    Args:
        index: The catalogue.
        context: The goal.
        number: Of the task, from 0.
        top: The call that fits the task best; the task has no verb.
        earlier: Number of a task -> the position of its call.
        close: How close tools are to the task in meaning.
    """
    at = earlier.get(number - 1)
    words = context.words[number]
    if at is None or context.is_asked or context.tasks[number].condition is not None:
        return None
    if words.kind is not None or words.verb in all_verbs():
        return None
    made, change = index.traits[at], index.traits[top]
    if (made.kind, change.kind) != (OperationKind.CREATE, OperationKind.UPDATE):
        return None
    if (made.resource, made.tool.server) != (change.resource, change.tool.server):
        return None
    further = _filled_further(Candidate(index, context, number, at, close), _done_by(at, earlier))
    return at if further else None


def gone_on_with(
    index: PlanIndex, context: GoalContext, number: int, earlier: Mapping[int, int], close: Reached
) -> int | None:
    """The call of the task before that takes all of what a task says more; None where that one is not of it.

    Args:
        index: The catalogue.
        context: The goal.
        number: Of the task, from 0.
        earlier: Number of a task -> the position of its call.
        close: How close tools are to the task in meaning.
    """
    at = earlier.get(number - 1)
    task = context.tasks[number]
    if at is None or context.is_asked or index.traits[at].safe:
        return None
    if task.condition is not None or task.quantity not in (Quantity.UNSAID, Quantity.ONE):
        return None
    done = _done_by(at, earlier)
    if says_more(Candidate(index, context, number, at, close), done):
        return at
    # `restore it, overwrite what is there`: all words of the task may say how the call before is made.
    context.go_on(number, at)
    if says_more(Candidate(index, context, number, at, close), done):
        return at
    context.go_on(number, None)
    return None


def on_the_same(
    candidates: Mapping[int, Candidate], earlier: Mapping[int, int], number: int
) -> Mapping[int, Candidate]:
    """Of the calls for a task that says no more than `start it`, or `move it to group 7`, those on what is spoken of.

    What the goal names is, where a call takes all that the task states; else what the task before made, where a call has
    the verb.

    Args:
        candidates: By position.
        earlier: Number of a task -> the position of its call.
        number: Of the task, from 0.
    """
    before = earlier.get(number - 1)
    one = next(iter(candidates.values()), None)
    if before is None or one is None or not one.words.has_pronoun:
        return candidates
    # `give it to server 7`: what only names a value says nothing of what `it` is.
    if not _naming(one).issuperset(one.words.nouns):
        return candidates
    first = one.context.antecedent(number)
    found = earlier.get(first) if first else None
    if found is not None and one.index.traits[found].safe and not one.own:
        # `delete contact 12, find the deal "Acme" and delete it`
        head = one.index.traits[found].head
        candidates = {at: it for at, it in candidates.items() if _of_last_place(it) == head} or candidates
    made = one.index.traits[before]
    if made.kind is not OperationKind.CREATE:
        spoken_of = {
            at: one
            for at, one in candidates.items()
            if one.spoken_of and not one.left and (one.is_of_kind or one.is_spoken)
        }
        # What is moved to a site is `it`, and not the site.
        of_object = {
            at: one
            for at, one in spoken_of.items()
            if any(not value.value.preposition for value in one.spoken_of)
            and (one.takes_surely or not one.words.nouns)
        }
        # `add her to group 7`: where only a place is named, she is still to be found.
        return of_object or (not one.words.nouns and spoken_of) or candidates
    if one.own:
        if not one.words.places:
            return candidates
        # `put a "Kickoff" in it`: by a call whose path leads through what is new.
        new = {*_made(one.index, earlier).values()}
        inside = {
            at: one
            for at, one in candidates.items()
            if not (one.left or one.traits.path_words.isdisjoint(new))
        }
        return inside or candidates
    same = {
        at: one for at, one in candidates.items() if one.is_spoken and one.traits.resource == made.resource
    }
    return same or candidates


def without_parts_of_new(
    candidates: Mapping[int, Candidate], earlier: Mapping[int, int], number: int
) -> Mapping[int, Candidate]:
    """Of the calls for a task those that need no part of what an earlier task makes: a new channel has no thread yet.

    Args:
        candidates: By position.
        earlier: Number of a task -> the position of its call.
        number: Of the task, from 0.
    """
    one = next(iter(candidates.values()), None)
    if one is None:
        return candidates
    words, named, made = one.words, _naming(one), _made(one.index, earlier)
    new = {
        noun
        for before, noun in made.items()
        # `the thread in channel 9` is in another one.
        if noun not in named
        and (noun in (words.object, words.towards) or (words.has_pronoun and before == number - 1))
    }
    if not new:
        return candidates
    return {at: one for at, one in candidates.items() if not _needs_part(one, new, made.values())}


def _made(index: PlanIndex, earlier: Mapping[int, int]) -> Mapping[int, str]:
    """Number of a task that makes something -> stem of what it makes."""
    made = {number: index.traits[at] for number, at in earlier.items()}
    return {number: one.head for number, one in made.items() if one.kind is OperationKind.CREATE}


def _of_last_place(one: Candidate) -> str:
    """Stem of the noun before the last parameter of a call's path: (devic) of `/devices/{id}/commands/reboot`; empty without one."""
    segments = one.form.operation.segments
    last = next((at for at in range(len(segments) - 1, 0, -1) if segments[at].is_parameter), 0)
    return stem(singular(segments[last - 1].text)) if last and segments[last - 1].is_noun else ""


def _naming(one: Candidate) -> frozenset[str]:
    """Stems of the nouns before the values of a task."""
    return frozenset(map(own_noun, one.own))


def _needs_part(one: Candidate, new: Collection[str], made: Collection[str]) -> bool:
    """Whether a call leads to a part of a new thing that would have to be found in it; what PUT names may be put there."""
    operation = one.form.operation
    if one.traits.tool.method == "PUT":
        return False
    # The role "Editor" is looked up among all roles.
    named = _naming(one)
    wanted = {
        form.item.name
        for form in one.pending
        if form.item.location == "path"
        and form.names.isdisjoint({*made, *named})
        and form.heads.isdisjoint(named)
    }
    nouns = [stem(singular(segment.text)) if segment.is_noun else "" for segment in operation.segments]
    begin = next((at for at, noun in enumerate(nouns) if noun in new), len(nouns))
    return any(segment.text in wanted for segment in operation.segments[begin + 2 :] if segment.is_parameter)


def only_names_values(context: GoalContext, number: int) -> bool:
    """Whether a task is nothing but values and their nouns, and asks for nothing by itself: `port 161`."""
    task = context.tasks[number]
    nouns = {noun for value in task.values for noun in value.nouns}
    return bool(nouns) and nouns.issuperset({*pieces(task.words)} - _JOINTS)


def _kinds(one: Candidate) -> frozenset[str]:
    """Stems of what values of the kinds that a task has are called, though it be the verb: `mail ann@a.com`."""
    kinds = table("values")["kinds"]
    return frozenset(
        stem(kinds[value.value.kind.value]) for value in one.own if value.value.kind.value in kinds
    )
