"""A goal while it is planned: its reading, what is known, and what of it each call would take."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, cached_property
from itertools import pairwise

from pydantic import JsonValue

from app.domain.filling.assigned import Assignment
from app.domain.filling.assignment import ENOUGH, assign
from app.domain.filling.bounds import is_bound, number_bound
from app.domain.filling.filters import fill_filter, fill_order
from app.domain.filling.fit import BECOMING, OF_PEOPLE, is_colour, is_set_on, is_title, own_noun, value_fit
from app.domain.filling.forms import OperationForm, stems
from app.domain.filling.leftovers import fill_types
from app.domain.filling.said import PLACES, SaidValue, counts_things, said_values
from app.domain.filling.states.remarks import set_explained, set_needed, set_reasons
from app.domain.filling.states.setting import (
    is_state,
    keep_states,
    set_examples,
    set_ranges,
    set_states,
    switching_verbs,
    unset_states,
    use_states,
)
from app.domain.language.goal_words import all_verbs, mailing_verbs, only_persons
from app.domain.language.identifiers import is_plural, pieces, singular, words
from app.domain.language.idioms import stopped
from app.domain.language.negation import denials
from app.domain.language.operation_words import LISTING_KINDS, READING_KINDS, OperationKind
from app.domain.language.same_things import as_called
from app.domain.language.text import stem
from app.domain.planning.meant import UNKNOWN, TaskMeaning
from app.domain.planning.values import KnownValues, stated_ordinal
from app.domain.reading.clauses.orders import asked_kind
from app.domain.reading.clauses.words import names_only
from app.domain.reading.foreign_goals import goal_in_english
from app.domain.reading.models import (
    THING_NAMES,
    AskedTask,
    Exclusion,
    GoalTask,
    Quantity,
    Reading,
    StatedValue,
    ValueKind,
)
from app.domain.reading.tasks import read_goal
from app.domain.reading.tokens import value_words
from app.domain.schemas.tool_schemas import ITEM, Input
from app.domain.tasks.asked import asked_tasks
from app.domain.tasks.openings.objects import behind_verbs, objects_alone
from app.domain.tasks.rewritten import rewritten
from app.domain.tasks.task_words import TaskWords, object_phrase, task_words
from app.domain.tasks.values import goal_values
from app.domain.tasks.which import quantifier_pattern, which_phrase
from app.lexicon.lists import table

MAX_VALUES = 100
"""Values of a goal, from the first on, that are placed; no goal of `bench/goals` states more than 12."""
_ONE = "one"
_CHANNEL, _USER = stem("channel"), stem("user")
_CONVERTING = stem("convert")
"""The verb that makes one thing into another."""
_WHOSE = ("of", "from", "by")
_WHERE = ("in", "of", "on", "from", "for", "at")
_WHEN = ("", "of", "from", "before", "after", "since", "in", "on", "than")
_NAMED = (*THING_NAMES, ValueKind.NUMBER)
"""Kinds of values that tell one thing of a kind from the others."""
_STAYING = PLACES - {"from", "for"}
"""Before what a thing is in, and stays in when something is done to it."""
_COUNTED = (ValueKind.NUMBER, ValueKind.AMOUNT, ValueKind.MEASURE)
_TIMES = (ValueKind.DATE, ValueKind.MEASURE, ValueKind.DURATION)
_DESCRIBING = re.compile(
    rf"\b(?:that|which|who|whose|where|[a-z]{{2,20}}ed|{'|'.join(table('reading')['irregular_participles'])})\b",
    re.IGNORECASE,
)
"""How what follows a noun begins that says which of many are meant."""
_KNOWN_WITHIN = 60
"""Characters before a value in which the noun of a thing stands, and what it is known by."""
_KNOWN_BY = re.compile(
    r"\b([a-z]{2,30}) (?:(?:with|whose|having|that has|which has|who has) (?:the |an? )?[a-z]{2,20}(?: [a-z]{2,20})?(?: is)?|tagged)[ :=]+[\"'\u201c\u201e]?\Z",
    re.IGNORECASE,
)
"""What leads from a thing to what it is known by: `the contact with the e-mail address`, `the release tagged`."""
_CLAUSE_ENDS = re.compile(r"[,;]|\bbut\b", re.IGNORECASE)
_ID = "id"
_NEW = stem("new")
_VALUE = "|"
"""Stands in a clause where a value stood."""
_MANNER = "ly"
"""How adverbs of manner end."""
_PHRASE_OVER = re.compile(rf"\s*+(?:\Z|[,;.!?]|(?:and|then|{'|'.join(value_words().prepositions)})\b)")
"""What may follow a number behind a verb that is all of its object."""
_RELATIVE = frozenset(("that", "which", "who", "whose"))
_IT = ("it", "this", "that", "these", "those")
_SUBJECTS = {OperationKind.CREATE: (*_IT, "they", "he", "she"), OperationKind.ACTION: _IT}
"""How what is said of a thing begins, where a call makes it or does something with it."""
_DEEPEST = 2
"""Members of a JSON pointer to an id in a body that the thing is which a pronoun stands for."""


@dataclass
class GoalContext:
    """What the planner knows about a goal."""

    goal: str
    """The text that was read: the goal's own, or the tasks of the caller one after the other."""
    reading: Reading
    values: Sequence[StatedValue]
    known: Mapping[str, JsonValue]
    is_asked: bool = False
    """Whether the caller has cut the tasks."""
    asked: str = ""
    """The goal as it was asked."""
    implied: Callable[[str], frozenset[str]] = lambda _: frozenset()
    """What values of a form identify in the catalogue."""
    joined: Callable[[str], bool] = lambda _: False
    """Whether the catalogue writes a word, or two together, by the stem of it or of both."""
    is_thing: Callable[[str], bool] = lambda _: False
    """Whether calls are about what a stem names."""
    written: Callable[[str], str] = lambda noun: noun
    """How calls write what a stem names."""
    meant: Sequence[TaskMeaning] = ()
    """Of each task, where it is known."""
    is_condition: bool = False
    """Whether it is no goal, but a condition that is looked up as one."""
    _left: Mapping[int, AbstractSet[int]] = field(default_factory=dict)
    """Number of a task -> where the values begin that are handed over to it."""
    _left_tasks: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """Number of a task -> the tasks whose words are handed over to it."""
    _assigned: dict[tuple[int, int], Assignment] = field(default_factory=dict)
    _said: dict[int, list[SaidValue]] = field(default_factory=dict)
    _stems: dict[int, frozenset[str]] = field(default_factory=dict)
    _added: dict[tuple[int, int, int], Assignment] = field(default_factory=dict)
    _clauses: dict[int, Sequence[str]] = field(default_factory=dict)
    _manner: dict[int, Sequence[str]] = field(default_factory=dict)
    _going_on: dict[int, int] = field(default_factory=dict)
    """Number of a task -> the call of another that may do what it says, too."""

    @cached_property
    def said(self) -> tuple[SaidValue, ...]:
        """The values of the goal that are placed, with the words around them."""
        objects = {
            value.start: phrase
            for task in self.tasks
            if (phrase := object_phrase([*map(self.called, pieces(task.words or task.do))]))
            for value in task.values
            if value.preposition == "to"
            and not value.nouns
            and value.kind is not ValueKind.SLUG
            and _gives_what_to(task, value, phrase)
        }
        found = said_values(
            self.goal, self.values[:MAX_VALUES], implied=self.implied, objects=objects, called=self.called
        )
        verbs, alone = behind_verbs(self.tasks), objects_alone(self.tasks)
        going_on = self._numbers_alone(found, verbs)
        return tuple(
            replace(one, nouns=going_on[one.at])
            if one.at in going_on
            else self._placed(one, is_behind_verb=one.value.start in verbs, is_alone=one.value.start in alone)
            for one in found
        )

    def _numbers_alone(
        self, said: Sequence[SaidValue], verbs: AbstractSet[int]
    ) -> Mapping[int, tuple[str, ...]]:
        """Positions of numbers behind a verb alone -> the noun of the only number of the task before: `pause invoice 5 and resume 6`."""
        found: dict[int, tuple[str, ...]] = {}
        for before, task in pairwise(self.tasks):
            starts = {value.start for value in before.values}
            nouns = [
                own_noun(one)
                for one in said
                if one.value.start in starts and one.value.kind is ValueKind.NUMBER
            ]
            numbers = [one for one in said if one.value in task.values and one.value.kind is ValueKind.NUMBER]
            if len(nouns) == 1 and nouns[0] and numbers and numbers[0].value.start in verbs:
                behind = self.goal[numbers[0].value.start + len(numbers[0].value.text) :]
                # `order 200 more` counts.
                if _PHRASE_OVER.match(behind):
                    found[numbers[0].at] = (nouns[0],)
        return found

    def _placed(self, one: SaidValue, *, is_behind_verb: bool, is_alone: bool) -> SaidValue:
        """A value with what its place in a task says of it: behind the verb, before its noun, or alone."""
        if (is_behind_verb or not own_noun(one)) and self._is_channel(one):
            return replace(one, nouns=(_CHANNEL,), is_object=is_alone)
        behind = self._noun_behind(one)
        # `mail our "Order confirmation" template`; a word without quotation marks may be a part of the noun.
        if behind and not one.is_put_as and (not is_behind_verb or one.value.kind is ValueKind.QUOTED):
            return replace(one, nouns=behind, is_before_noun=True)
        if is_behind_verb:
            # But for what it is put there as: `put "Thanks" as the memo`.
            return one if one.is_put_as else replace(one, nouns=(), is_object=is_alone)
        if is_alone and not own_noun(one):
            return replace(one, is_object=True)
        return replace(one, strange=self._is_strange(one))

    def _is_channel(self, one: SaidValue) -> bool:
        """Whether a sign says that a value is a channel, where the catalogue speaks of such."""
        is_sign = one.value.kind is ValueKind.CHANNEL and not is_colour(one.value.text)
        return is_sign and self.joined(_CHANNEL)

    def _noun_behind(self, one: SaidValue) -> tuple[str, ...]:
        """The noun behind what a thing is called, which a determiner leads to: (firewall) in `the public-web firewall`."""
        noun = one.value.noun_after
        if not noun or one.value.kind not in THING_NAMES or is_plural(noun):
            return ()
        # `the paused "Homepage" monitor`: an adjective may stand between.
        before = self.goal[: one.value.start].rstrip("\"'“„").rsplit(maxsplit=2)[-2:]
        if value_words().determiners.isdisjoint(map(str.lower, before)):
            return ()
        found = stem(self.called(noun))
        return (found,) if self.is_thing(found) else ()

    def _is_strange(self, one: SaidValue) -> bool:
        """Whether an id stands behind a noun, and no name, that no call is about."""
        noun = own_noun(one)
        if not noun or one.value.kind not in (ValueKind.ID, ValueKind.NUMBER):
            return False
        return one.value.nouns[-1:] == tuple(
            self.goal[: one.value.start].rsplit(maxsplit=1)[-1:]
        ) and not self.is_thing(noun)

    @cached_property
    def formed(self) -> Mapping[str, str]:
        """Ids that stand where a noun would -> stem of the only thing that their form says that they are of."""
        alone = (one for one in self.said if not own_noun(one) and not one.value.preposition)
        return {one.value.text: thing for one in alone if (thing := self._only_thing(one.implied))}

    @cached_property
    def called_by_form(self) -> Mapping[str, str]:
        """Values without a noun -> what they are by their form, in words: `remove U7 from #sales` is said of a user and a channel."""
        found = {one.value.text: self._thing_of_form(one) for one in self.said}
        return {text: self.written(noun) for text, noun in found.items() if noun}

    def _thing_of_form(self, one: SaidValue) -> str:
        """Stem of what a value is by its form alone; empty where a noun stands beside it, or nothing tells."""
        if own_noun(one):
            is_told = self._is_channel(one) and _CHANNEL not in one.value.nouns[-1:]
            return _CHANNEL if is_told else ""
        is_somebody = one.value.kind is ValueKind.EMAIL and not one.value.preposition
        return self._only_thing(one.implied) or (self._somebody if is_somebody else "")

    @cached_property
    def _somebody(self) -> str:
        """What somebody is of whom nothing but an address is said: a user, where there are any, else the only kind of person there is."""
        if self.is_thing(_USER):
            return _USER
        return self._only_thing(frozenset(filter(self.is_thing, only_persons())))

    def _only_thing(self, implied: AbstractSet[str]) -> str:
        """The only one of some stems that names a thing; empty where several do, or none."""
        things = implied if len(implied) == 1 else {*filter(self.is_thing, implied)}
        return "".join(things) if len(things) == 1 else ""

    def _people_named(self, task: GoalTask) -> frozenset[str]:
        """Stems of what somebody may be of whom a task speaks by `him` or `her`, and who is named by an address."""
        speaks = not {*pieces(task.do)}.isdisjoint(table("reading")["somebody"])
        is_named = any(value.kind is ValueKind.EMAIL for value in self.values)
        return frozenset(filter(self.is_thing, only_persons())) if speaks and is_named else frozenset()

    def called(self, noun: str) -> str:
        """A noun as the catalogue calls such things."""
        return as_called(noun, is_thing=self.is_thing, is_used=self.joined)

    def meaning(self, number: int) -> TaskMeaning:
        """How close tools are to a task in meaning."""
        return self.meant[number] if number < len(self.meant) else UNKNOWN

    @cached_property
    def known_values(self) -> KnownValues:
        """What the caller knows, by the words of its name."""
        return KnownValues(self.known)

    @cached_property
    def tasks(self) -> tuple[GoalTask, ...]:
        """The tasks of the reading."""
        return self.reading.tasks

    @cached_property
    def words(self) -> tuple[TaskWords, ...]:
        """The words of each task."""
        # A noun that is said need not be implied.
        implied = {one.value.start: one.implied for one in self.said if not own_noun(one)}
        found = _with_antecedents(
            task_words(
                task,
                self.joined,
                self._people_named(task).union(
                    *(implied.get(value.start, frozenset()) for value in task.values)
                ),
                formed=self.formed,
                is_thing=self.is_thing,
            )
            for task in self.tasks
        )
        going_on: list[TaskWords] = []
        for number, task in enumerate(found):
            if number and task.kind is None and names_only(pieces(self.tasks[number].do)):
                # `make a coupon and a code`: without a verb of its own a task goes on with the one before.
                before = going_on[-1]
                task = replace(
                    task,
                    kind=before.kind,
                    verb=before.verb,
                    ends=before.ends,
                    makes=before.makes,
                    creates=before.creates,
                    is_definite=False,
                )
            going_on.append(task)
        return tuple(going_on)

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """Stems of all tasks that may name a tool."""
        return tuple(term for words in self.words for term in words.terms)

    @cached_property
    def all_stems(self) -> frozenset[str]:
        """All stems of the goal's tasks, those of numbers and names included."""
        return frozenset(stem(singular(piece)) for piece in pieces(self.goal)) | frozenset(
            stem(piece) for piece in pieces(self.goal)
        )

    def stems_for(self, number: int) -> frozenset[str]:
        """All stems of the goal but for verbs of other tasks: who asks to link an issue later creates no link now."""
        if number not in self._stems:
            own = self.words[number]
            others = {one.verb for at, one in enumerate(self.words) if at != number}
            spoken = frozenset((own.verb, *own.stems)).union(*(one.nouns for one in self.words))
            # Two words that the catalogue writes together are said, too: `ip alias` is `ipalias`.
            said = self.all_stems.union(*(one.stems for one in self.words))
            self._stems[number] = said - (others - spoken) - self._of_other_things(number)
        return self._stems[number]

    def _of_other_things(self, number: int) -> frozenset[str]:
        """Stems of what other tasks are about, for a task that says `it`: `delete it. List the racks of site 14`.

        Those of later ones, and where nothing else tells what `it` is, of those before the one that looks for it or makes it.
        """
        if not self.words[number].has_pronoun:
            return frozenset()
        first = self.antecedent(number)
        others = [*self.words[:first], *(task for task in self.words[number + 1 :] if task.kind is not None)]
        said = frozenset().union(*(one.stems for one in self.words[first : number + 1]))
        return frozenset().union(*(task.nouns for task in others)) - said

    def antecedent(self, number: int) -> int:
        """The task that looks for or makes what a task calls nothing but `it`, or of which it means the first; 0 without one."""
        words = self.words[number]
        is_item = self.tasks[number].quantity in (Quantity.FIRST, Quantity.LAST)
        # `add contact 8821 to it`
        named = map(own_noun, self._values_of(number))
        if not (is_item or (words.has_pronoun and frozenset(named).issuperset(words.nouns))):
            return 0
        before = range(number - 1, -1, -1)
        first = next((at for at in before if self.words[at].object and not self.words[at].has_pronoun), 0)
        if not self._values_of(first):
            # `show the ticket and close it` after `list the messages of ticket 5`.
            return 0
        kind = self.words[first].kind
        return first if kind in READING_KINDS or kind is OperationKind.CREATE else 0

    @cached_property
    def _withheld(self) -> tuple[tuple[frozenset[str], bool], ...]:
        """Stems of each exclusion that names what is not to be done, and whether it names what something comes without."""
        return tuple(
            (
                frozenset(stem(singular(piece)) for piece in pieces(exclusion.words)),
                "without" in pieces(exclusion.text)[:2],
            )
            for exclusion in self.reading.exclusions
            if not exclusion.keeps and not exclusion.values
        )

    def left_out(self, number: int) -> frozenset[str]:
        """Stems of what tells things that a task on many leaves alone: (urgent) of `all but the urgent ones`, (assigne) of `without an assignee`."""
        if not self.tasks[number].quantity.is_of_many:
            return frozenset()
        found: set[str] = set()
        for exclusion in self.reading.exclusions:
            said = [piece for piece in pieces(exclusion.words) if piece not in _saying_nothing()]
            first = next(iter(pieces(exclusion.words)), "")
            # `without deleting it` forbids an act.
            is_act = first.endswith("ing") or (stem(first) in all_verbs() and not first.endswith("ed"))
            is_without = "without" in pieces(exclusion.text)[:2]
            if not is_act and (exclusion.keeps or is_without) and not _has_own_value(exclusion):
                found.update(stem(singular(piece)) for piece in said)
        return frozenset(found) - {self.words[number].object, self.words[number].many}

    def is_known_by_value(self, number: int, used: AbstractSet[int]) -> bool:
        """Whether a value that a list takes ends a clause or a participle that says which are meant: `assigned to Ann`, `that mention "refund"`.

        Args:
            number: Of the task.
            used: Positions of the values that the list takes.
        """
        many = quantifier_pattern().search(self.goal)
        begun = _DESCRIBING.search(self.goal, many.end()) if many else None
        return begun is not None and any(
            one.local and one.at in used and one.value.start >= begun.end() for one in self.said_for(number)
        )

    def speaks_of_several(self, number: int, resource: Sequence[str]) -> bool:
        """Whether a task speaks of things in the plural and names none of them: `delete tickets older than a year`."""
        of = {stem(singular(word)) for word in resource[-1:]}
        several = any(self._says_several(number, thing) for thing in of)
        return several and not any(own_noun(one) in of for one in self.said_for(number) if one.local)

    @cached_property
    def spared(self) -> frozenset[int]:
        """Positions of values that belong to exclusions and conditions."""
        exclusions = self.reading.exclusions
        starts = {value.start for one in exclusions for value in (*one.values, *one.denied)} | {
            value.start for task in self.tasks if task.condition for value in task.condition.values
        }
        # What a condition names and the task deals with is the task's: `if deploy 12 is running cancel it`.
        starts -= {value.start for task in self.tasks for value in task.values}
        return frozenset(at for at, value in enumerate(self.values) if value.start in starts)

    def hand_over(self, called: AbstractSet[int], *, whole: int | None = None) -> None:
        """Give the values of parts that get no call and ask for no change to the task beside them: `commit rate 500000`.

        They go to the last task before them that gets a call, without one to the first behind; so do the words of those
        that ask for nothing, for the states that they set. A change that no call does keeps what it says.

        Args:
            called: Numbers of the tasks that get calls.
            whole: That of a task whose call all of the goal led to, if there is one: it gets whatever no other call does.
        """
        if not called:
            return
        taken = {value.start for number in called for value in self.tasks[number].values}
        left: defaultdict[int, set[int]] = defaultdict(set)
        left_tasks: defaultdict[int, list[int]] = defaultdict(list)
        for number, task in enumerate(self.tasks):
            kind = self.words[number].kind
            if number in called or not (kind is None or kind in READING_KINDS):
                continue
            near = _nearest(called, number)
            left[near].update(value.start for value in task.values if value.start not in taken)
            if kind is None:
                left_tasks[near].append(number)
        if whole is not None:
            left[whole].update(one.value.start for one in self.said if one.value.start not in taken)
            left_tasks[whole] = [number for number in range(len(self.tasks)) if number not in called]
        self._left, self._left_tasks = dict(left), dict(left_tasks)
        # What was found for a task before it was given more is found again.
        self._said = {number: said for number, said in self._said.items() if number not in left}
        self._assigned = {key: found for key, found in self._assigned.items() if key[0] not in left}
        self._added = {key: found for key, found in self._added.items() if key[0] not in left}

    def heard_by(self, number: int) -> int | None:
        """The task that has got the words of another, which gets no call of its own; None without one."""
        return next((near for near, given in self._left_tasks.items() if number in given), None)

    def go_on(self, number: int, at: int | None) -> None:
        """Let the call of another task take all that this one says, or none: `overwrite what is there` says how to restore.

        Args:
            number: Of the task.
            at: Position of the call; None where no other call does what the task says.
        """
        if at is None:
            self._going_on.pop(number, None)
        else:
            self._going_on[number] = at
        self._assigned = {key: found for key, found in self._assigned.items() if key[0] != number}

    def look_up_again(self, number: int) -> None:
        """Forget what a task gives to the calls that are added for it: a call of its own has taken more."""
        self._added = {key: found for key, found in self._added.items() if key[0] != number}

    def said_for(self, number: int) -> list[SaidValue]:
        """The values of the goal as a task sees them: its own are local."""
        if number not in self._said:
            handed = self._left.get(number, frozenset())
            own = {value.start for value in self.tasks[number].values} | handed
            texts = {one.value.text for one in self.said if one.value.start in own}
            condition = self.tasks[number].condition
            conditions = {value.start for value in condition.values} if condition else set()
            many = self.tasks[number].quantity.is_of_many
            spoken_of = self._spoken_of(number)
            # What `it` is has been named before.
            named_later = {
                value.start
                for task in self.tasks[number + 1 :]
                for value in task.values
                # `..., workspace 7` at the end says where all of it is.
                if self.words[number].has_pronoun and not _only_places(task)
            }
            of_others = named_later | self._of_another(number)
            do = self.tasks[number].do
            found = [
                replace(
                    one,
                    local=one.value.start in own or one.value.start in spoken_of,
                    handed_over=one.value.start in handed or one.at in self.spared,
                    beside=one.value.start in handed
                    or (one.value.start in own and not (self.is_asked or one.value.text in do)),
                    verb=self.words[number].verb,
                    object=self.words[number].object,
                )
                for one in self.said
                if (one.at not in self.spared or one.value.start in conditions)
                and not (one.is_denied and self._leaves_out(number))
                and (one.value.start in own or one.value.start not in of_others)
                and (one.value.start in own or one.value.text not in texts)
                # Each of all is not the one that another task names.
                and not (many and one.value.start not in own and own_noun(one) == self.words[number].object)
            ]
            self._said[number] = sorted(found, key=lambda one: (one.beside, self._distance(number, one)))
        return self._said[number]

    def _distance(self, number: int, one: SaidValue) -> int:
        """How many tasks before a task the last one is that states a value: what was named last is meant first; 0 for its own."""
        if one.local:
            return 0
        said_by = [
            at
            for at, task in enumerate(self.tasks)
            if any(value.start == one.value.start for value in task.values)
        ]
        return min((number - at for at in said_by if at < number), default=len(self.tasks))

    def _of_another(self, number: int) -> frozenset[int]:
        """Where values of earlier tasks begin that are of another thing of the kind that a task means.

        `rename list 7 and delete the list named "Old"` names its own; `ban user 7, find the user with the email a@b.c and add her
        to group 5` is about the one that was found last.
        """
        own = later = self._things_named(number)
        found: set[int] = set()
        for earlier in range(number - 1, -1, -1):
            found |= {one.value.start for one in self._values_of(earlier) if own_noun(one) in later}
            later |= self._things_named(earlier)
        for behind in range(number + 1, len(self.tasks)):
            found |= {one.value.start for one in self._values_of(behind) if own_noun(one) in own}
        return frozenset(found)

    def _things_named(self, number: int) -> frozenset[str]:
        """Stems of the things that a task tells from others of their kind: by their nouns, and what it looks for or makes."""
        words, own = self.words[number], self._values_of(number)
        named = {own_noun(one) for one in own if one.value.kind in _NAMED}
        if (
            any(not one.value.weak for one in own)
            and not words.has_pronoun
            and (words.kind in READING_KINDS or words.kind is OperationKind.CREATE)
        ):
            named.add(words.object)
        return frozenset(named) - {""}

    def _values_of(self, number: int) -> list[SaidValue]:
        starts = {value.start for value in self.tasks[number].values}
        return [one for one in self.said if one.value.start in starts]

    def _leaves_out(self, number: int) -> bool:
        """Whether what a task denies says which of many it does not mean: `list the tickets not assigned to Ann`.

        A condition that something is not there is looked up as if it were.
        """
        many = self.tasks[number].quantity.is_of_many
        return many or (self.words[number].kind in LISTING_KINDS and not self.is_condition)

    def _spoken_of(self, number: int) -> frozenset[int]:
        """Where the value begins that tells which thing a task means that says `the corpus` or `it`: 7, after `read corpus 7`."""
        words, own = self.words[number], {value.start for value in self.tasks[number].values}
        thing = words.object
        if words.has_pronoun and not (words.nouns or words.is_of_somebody):
            thing = next((one.object for one in reversed(self.words[:number]) if one.object), "")
        elif not words.is_definite:
            return frozenset()
        if not thing or self._says_several(number, thing):
            # `the unpaid documents of partner 7` are not the one that was named.
            return frozenset()
        # What is called by its name is looked up for the earlier task.
        kinds = (ValueKind.ID, ValueKind.NUMBER, ValueKind.SLUG)
        named = {one.value.start for one in self.said if own_noun(one) == thing and one.value.kind in kinds}
        before = {value.start for task in self.tasks[:number] for value in task.values}
        if len(named) != 1 or named & own or not named & before:
            return frozenset()
        return frozenset(named | self._places_behind(*named))

    def _places_behind(self, start: int) -> set[int]:
        """Where the values begin that say where a thing is, right behind it: C12, for `message 7 in channel C12`."""
        found: set[int] = set()
        at = next(one.at for one in self.said if one.value.start == start)
        for before, one in pairwise(self.said[at:]):
            between = pieces(self.goal[before.value.end : one.value.start])
            if (
                one.value.preposition not in _STAYING
                or between[:1] != (one.value.preposition,)
                or one.value.weak
            ):
                break
            found.add(one.value.start)
        return found

    def assigned(self, number: int, at: int, form: OperationForm) -> Assignment:
        """What task `number` gives to the call at a position of the index; found once."""
        key = (number, at)
        if key not in self._assigned:
            words = self.words[number]
            # `text me before` has a reminder sent by text, and `create a course, intermediate` says of which level.
            goes_on = number == 0 or self.words[number - 1].kind is OperationKind.CREATE
            says_how = form.operation.kind is OperationKind.CREATE and (
                words.verb in mailing_verbs()
                or (words.kind is None and (goes_on or words.verb in all_verbs()))
            )
            changes = form.operation.kind in (OperationKind.UPDATE, OperationKind.ACTION)
            said_here = self.said_for(number)
            # Where the last value stands that something is set to.
            set_at = max(
                (one.at for one in said_here if one.local and one.value.preposition in BECOMING), default=-1
            )
            said = [
                one
                for one in said_here
                if not (
                    changes
                    and (
                        self._tells_which(number, one)
                        or self._is_known_by(number, one, form)
                        or _is_owner(one, form, set_at)
                        or self.tells_where(number, one, form)
                    )
                )
                and not is_state(form, one)
                and not self._is_of_other_order(number, one, form)
            ]
            found = assign(form, said, given=self.given(form))
            self._drop_earlier_thing(number, form, found)
            # `off sick 2026-03-02` calls no date so.
            nouns = {
                own_noun(one)
                for one in said
                if one.local and not (one.value.weak or one.value.kind is ValueKind.DATE)
            }
            named = self._only_named(number)
            # What the status is to be is not the status of a payment.
            taken = frozenset().union(
                *(
                    stems(one.value.text)
                    for one in said
                    if one.local and one.at in found.used and own_noun(one)
                )
            )
            for task in (words, *(self.words[left] for left in self._left_tasks.get(number, ()))):
                set_states(
                    form,
                    found,
                    # Which of many are meant is no state that a change sets.
                    task_stems=[
                        word
                        for word in (*task.stems, stem(singular(task.kind_of_object)))
                        if not (
                            form.operation.mutating
                            and (
                                word in task.narrowing | task.denied | named | taken
                                # `a new subject` says what is new.
                                or (word == _NEW and task.new)
                            )
                        )
                    ],
                    # What follows behind a comma has no verb: `open a port, incoming`.
                    verb=task.verb if not says_how and (task is words or task.kind is not None) else "",
                    making=task.kind is OperationKind.CREATE,
                    naming=nouns - stopped(task.stems),
                    not_so=task.becomes_not if form.operation.mutating else task.denied,
                )
            if words.verb in switching_verbs() and any(words.object in of for of in found.states.values()):
                # `turn on user registration` turns that on, and not the realm.
                keep_states(found, {pointer for pointer, of in found.states.items() if of != {words.verb}})
            if form.reasons:
                said_why = frozenset(words.stems) - {words.verb, words.object, *words.denied} - nouns
                set_reasons(form, found, background=self.tasks[number].background, task_stems=said_why)
            for value in said:
                if value.value.by_name and value.at in found.used:
                    # `{"private": true}` says a state as `private` does, and so does `{"state": "closed"}`.
                    pointer = found.used[value.at]
                    if isinstance(value.value.value, bool):
                        found.states.setdefault(pointer, frozenset(value.nouns))
                    elif form.forms[form.by_pointer[pointer]].item.enum:
                        found.states.setdefault(pointer, stems(value.value.text))
            task_words = pieces(self.tasks[number].do)
            if not self.reading.exclusions:
                set_ranges(form, found, task_words)
            set_examples(form, found, task_words)
            if form.needed_members and (words.kind is not None or words.verb in all_verbs()):
                set_needed(
                    form,
                    found,
                    said={*map(stem, pieces(_unnamed(self.tasks[number])))}
                    - nouns
                    - taken
                    - words.denied
                    - words.becomes_not,
                    units={one.value.unit for one in said if one.local} - {""},
                )
            if form.operation.mutating:
                for statement in self._statements(number, at, form):
                    set_explained(form, found, statement)
                for adverb in self._adverbs(number):
                    set_explained(form, found, adverb, is_manner=True)
            fill_order(form, self.tasks[number].do, found)
            use_states(found, self.said_for(number))
            for excluded, is_without in self._withheld:
                unset_states(form, found, excluded=excluded, is_without=is_without)
            for one in form.counted:
                ordinal = stated_ordinal(one.item, self.goal)
                if ordinal is not None:
                    found.known.setdefault(one.item.pointer, ordinal)
            fill_types(form, self.said, found)
            self._assigned[key] = found
        return self._assigned[key]

    def _statements(self, number: int, at: int, form: OperationForm) -> Sequence[str]:
        """What a task says of how a change is made, or of what it makes, beside what is to be done.

        Its further clauses without a value, all of a task that goes on with the call of another, and what is said by a pronoun:
        `they come in as guests` of what is made, `it is a duplicate` of what is done with it.
        """
        first, *further = self._clauses_without_values(number)
        goes_on = self._going_on.get(number) == at
        subjects = _SUBJECTS.get(form.operation.kind, ())
        background = [told for told in self.tasks[number].background if {*pieces(told)[:1]} & {*subjects}]
        said = [*([first] if goes_on else ()), *further, *background]
        return [statement for statement in said if _VALUE not in statement]

    def _adverbs(self, number: int) -> Sequence[str]:
        """The adverbs of manner of a task's first clause: `permanently`, but not `a weekly report` or `not immediately`."""
        if number not in self._manner:
            clause = self._clauses_without_values(number)[0]
            said = pieces(clause)
            if denials(clause) or not _RELATIVE.isdisjoint(said):
                said = ()
            self._manner[number] = [
                word
                for before, word in zip(("", *said), said, strict=False)
                if word.endswith(_MANNER)
                and before not in value_words().determiners
                and stem(word) not in all_verbs()
                and not self.is_thing(stem(word))
            ]
        return self._manner[number]

    def _clauses_without_values(self, number: int) -> Sequence[str]:
        """The clauses of a task, with a mark where values stand."""
        if number not in self._clauses:
            task = self.tasks[number]
            text = task.do
            for value in task.values:
                if not value.weak:
                    text = text.replace(value.text, _VALUE)
            self._clauses[number] = _CLAUSE_ENDS.split(text)
        return self._clauses[number]

    def _only_named(self, number: int) -> frozenset[str]:
        """Stems that a task says in what something is called, and nowhere else: (public) of `a board named public roadmap`."""
        task, naming = self.tasks[number], value_words().naming
        called = [value.text for value in task.values if value.preposition in naming]
        return stems(*called) - stems(_unnamed(task)) if called else frozenset()

    def _tells_which(self, number: int, one: SaidValue) -> bool:
        """Whether a value tells which thing is meant: `disable the user with the username jdoe`.

        Behind a verb that only changes it is what the thing gets (`update the user with the email a@b.c`), as it is
        where the thing has an id of its own.
        """
        words = self.words[number]
        leads = one.value.preposition in ("with", "named", "called")
        if not (one.local and leads and words.is_definite and words.object):
            return False
        if words.kind not in (OperationKind.ACTION, OperationKind.DELETE, None):
            return False
        own = [other for other in self.said_for(number) if other.local]
        return not any(own_noun(other) == words.object for other in own) and one.at == min(
            other.at for other in own
        )

    def _is_known_by(self, number: int, one: SaidValue, form: OperationForm) -> bool:
        """Whether a value tells which thing is changed, and what follows how: `set the phone of the contact with email a@b.c to 555`.

        What nothing follows is what the thing gets: `update the contact with email a@b.c`.
        """
        known = _KNOWN_BY.search(self.goal, max(0, one.value.start - _KNOWN_WITHIN), one.value.start)
        if known is None or not one.local or one.value.kind not in (*_NAMED, *OF_PEOPLE, ValueKind.QUOTED):
            return False
        if stem(singular(self.called(known[1].lower()))) not in form.resource or form.last_place is None:
            return False
        if any(other.item.location == "path" and value_fit(other, one) >= ENOUGH for other in form.forms):
            # It is what the path goes by: `/users/{username}`.
            return False
        if any(
            one.value.text.casefold() == str(member.value).casefold()
            for shape in form.forms
            for member in shape.members
        ):
            return False
        goes_on = any(
            other.local and other.at > one.at and not other.value.weak for other in self.said_for(number)
        )
        behind = self.tasks[number].do.rpartition(one.value.text)[2]
        return goes_on or len(pieces(behind)) > 1

    def tells_where(self, number: int, one: SaidValue, form: OperationForm) -> bool:
        """Whether a value says where the things are of which one is meant, or all: `the newest incident on service 3`."""
        if self.tasks[number].quantity in (Quantity.UNSAID, Quantity.ONE) or not one.local:
            return False
        if self.tasks[number].quantity is Quantity.SEVERAL and one.counted:
            # `the two newest charges`
            return True
        if number_bound(one) > 0 and one.value.preposition not in BECOMING:
            # `refund the latest charge over 100 eur`: no refund is over it, but it may be at most 20.
            return True
        if one.value.kind in _TIMES and one.value.preposition in _WHEN and self.narrows(number, one):
            # `solve all tickets of last week` moves none of them there.
            return True
        through = [other for other in form.forms if other.item.location == "path"]
        # Of a path with further places, it may be one of these: `delete all labels of acme/web`.
        many = self.words[number].many
        # `call off everything that's booked with her`: who she is was said before.
        is_of_everything = not many and bool(self.words[number].described_by)
        # A path that ends with the id of what is dealt with may call it otherwise: `/job-openings/{requisition}`.
        is_of_many = len(through) == 1 and (
            many in through[0].names
            or (many in form.resource and through[0].item.name == form.operation.ends_with_parameter)
        )
        narrows = (is_of_many and self.narrows(number, one)) or (
            len(through) == 1 and is_of_everything and (bool(one.implied) or self.narrows(number, one))
        )
        leads = one.value.preposition in _WHERE and own_noun(one) not in ("", self.words[number].object)
        # `the newest ticket from a@b.c`.
        leads |= one.value.kind in OF_PEOPLE and one.value.preposition in _WHOSE
        if not (narrows or leads):
            return False
        named = (own_noun(one), one.joined)
        return not any(
            not other.names.isdisjoint(named)
            for other in form.forms
            # What the caller calls by the name of an input that the call must have is meant for it.
            if other.item.location == "path" or (one.value.by_name and other.item.required)
        )

    def narrows(self, number: int, one: SaidValue) -> bool:
        """Whether a value stands in the phrase that says which of many are meant: `close all tickets assigned to Ann`."""
        begin, end = self._narrowing_phrases[number]
        return begin <= one.value.start < end

    @cached_property
    def _narrowing_phrases(self) -> Sequence[tuple[int, int]]:
        """Where in the goal that phrase of each task stands: first character, end."""
        found = []
        for task in self.tasks:
            place = self.goal.find(task.do)
            begin, end = which_phrase(task.do) if place >= 0 else (0, 0)
            found.append((place + begin, place + end))
        return found

    def share(
        self,
        number: int,
        at: int,
        form: OperationForm,
        earlier: Sequence[tuple[int, OperationForm, Assignment]],
    ) -> None:
        """Fill what stands open in a path from an earlier call on the same thing: `export zone a and drop the zone`.

        Only where the task names no such thing itself, and means no other of many.

        Args:
            number: Of the task.
            at: Position of its call.
            form: Of that.
            earlier: Tasks before it, each with its call and what that is given.
        """
        task, words = self.tasks[number], self.words[number]
        # `open an incident for it` speaks of one that is new, and of a thing that is there.
        makes = words.makes or form.operation.kind is OperationKind.CREATE
        makes_one = task.quantity is Quantity.ONE and makes
        if task.quantity is not Quantity.UNSAID and not makes_one:
            return
        found = self.assigned(number, at, form)
        own = self.named_for(number, found)
        if not makes_one:
            # `the order` is the one of the task before, by whatever number that was named.
            besides = own
            for before, other, given in reversed(earlier):
                besides = besides.union(*map(self._things_named, range(before + 1, number)))
                self.fill_places(
                    form,
                    found,
                    [(other, given)],
                    # `and add urgent` says of nothing else to what.
                    sure=bool({*words.nouns} - {words.verb}),
                    spoken=frozenset(words.nouns) if words.is_definite else frozenset(),
                    besides=besides,
                )
        is_same = words.is_definite and bool(earlier) and words.object in earlier[-1][1].noun_stems
        if words.has_pronoun or is_same:
            # `delete the message` needs the channel, too, in which it was unpinned.
            calls = [(other, given) for _, other, given in earlier]
            _fill_spoken_of(form, found, calls, only_needed=not words.has_pronoun, besides=own)
        fill_types(form, self.said, found)

    @staticmethod
    def fill_places(
        form: OperationForm,
        found: Assignment,
        earlier: Sequence[tuple[OperationForm, Assignment]],
        *,
        sure: bool = False,
        spoken: AbstractSet[str] = frozenset(),
        besides: AbstractSet[str] = frozenset(),
    ) -> None:
        """Fill open parameters of a path with what other calls have at the same place, but for things that are named otherwise (`besides`).

        If `sure`, with no guess but for `spoken` things.
        """
        for one in form.forms:
            place = place_in_path(form, one.item)
            if not place or found.has(one.item.pointer) or not one.names.isdisjoint(besides):
                continue
            for other, given in reversed(earlier):
                guesses = given.guessed if sure and one.names.isdisjoint(spoken) else ()
                guessed = {given.used[at] for at in guesses if at in given.used}
                same = next(
                    (item for item in other.operation.inputs if place_in_path(other, item) == place), None
                )
                if same is not None and same.pointer in given.known and same.pointer not in guessed:
                    found.known[one.item.pointer] = given.known[same.pointer]
                    break

    def assigned_to_added(
        self, number: int, consumer: int, at: int, form: OperationForm, consumer_form: OperationForm
    ) -> Assignment:
        """What a task gives to a call that is added for another: what that one takes is only context for it."""
        key = (number, consumer, at)
        if key not in self._added:
            used = self.assigned(number, consumer, consumer_form).used
            resource = frozenset(stem(word) for word in form.operation.resource)
            said = [
                replace(one, local=one.local and one.at not in used)
                for one in self.said_for(number)
                # What a thing is set to is not what it is found by.
                if not (
                    is_set_on(one, resource)
                    or one.is_sentence
                    or _says_else(one, used, form, consumer_form)
                    or self._goes_into(number, one, resource)
                )
            ]
            found = assign(form, said, given=self.given(form), for_another=True)
            _drop_changes(form, found, consumer_form, used)
            self._drop_of_others(number, form, found, resource)
            searched = [one for one in said if not one.is_letter]
            if any(one.implied for one in said if one.at in found.used):
                # What is found by its number is not searched for by a name as well.
                names = {one.at for one in said if _is_name_of_other(one, form)}
                searched = [one for one in searched if one.at not in names]
                for at in names & found.used.keys():
                    found.known.pop(found.used.pop(at), None)
            fill_filter(form, consumer_form, searched, found)
            # What the task does to a thing is no filter for finding it: who cancels an order looks for none that is
            # cancelled.
            words = self.words[number]
            others = [word for word in words.stems if word != words.verb]
            before = resource | ({words.object} if resource & consumer_form.resource else set())
            # `delete all invoice drafts`, `mute every warning`: the noun itself says which.
            kind = stem(singular(words.kind_of_object))
            narrowing = words.narrowing | ({words.object, words.many, kind} - resource - {""})
            set_states(
                form,
                found,
                task_stems=[*others, *filter(None, (kind,))],
                verb="",
                beside=before,
                narrowing=narrowing,
                not_so=words.denied,
            )
            fill_types(form, self.said, found)
            self._added[key] = found
        return self._added[key]

    def _of_object(self, number: int) -> frozenset[int]:
        """Where the values begin that say which one thing a task is about."""
        return frozenset(
            one.value.start
            for one in self._values_of(number)
            if self.deals_with_one(number, {own_noun(one)} - {""})
        )

    def _is_of_other_order(self, number: int, one: SaidValue, form: OperationForm) -> bool:
        """Whether a value is of what another task deals with, and a task names its own: `email invoice 8100, then cancel document 5512`."""
        words, last = self.words[number], form.last_place
        if one.local or last is None or own_noun(one) not in last.names or not words.object:
            return False
        if form.operation.kind is OperationKind.CREATE:
            # What is made stands in what its path leads to: `create an event "A" and an event "B" in calendar 5`.
            return False
        # `show customer 5 and email invoice 8 to him`
        first = number + 1 if words.has_pronoun else 0
        is_of_order = any(
            said.kind is not None and any(value.start == one.value.start for value in task.values)
            for at, (task, said) in enumerate(zip(self.tasks, self.words, strict=True))
            if first <= at != number
        )
        return is_of_order and any(own_noun(other) == words.object for other in self._naming(number))

    def _drop_earlier_thing(self, number: int, form: OperationForm, found: Assignment) -> None:
        """Take out of the last place what is no `it`: `list the racks of site 14, find the device with serial F19 and delete it`."""
        first, last = self.antecedent(number), form.last_place
        before = {value.start for task in self.tasks[:first] for value in task.values}
        if not before or last is None:
            return
        for at in [at for at, pointer in found.used.items() if pointer == last.item.pointer]:
            if self.values[at].start in before:
                found.known.pop(found.used.pop(at), None)

    def _drop_of_others(
        self, number: int, form: OperationForm, found: Assignment, resource: AbstractSet[str]
    ) -> None:
        """Take out of a list's filters what another task says of other things: `list the machines in cluster 4, then delete device "a"`."""
        if self.words[number].has_pronoun:
            return
        filters = {
            one.item.pointer for one in form.forms if one.item.location == "query" and not one.item.required
        }
        of_others = {
            value.start
            for earlier, (task, words) in enumerate(zip(self.tasks, self.words, strict=True))
            if words.kind is not None and words.object and words.object not in resource
            for value in task.values
            if not (earlier < number and value.start in self._of_object(earlier))
        }
        local = {one.at for one in self.said_for(number) if one.local}
        for at in [at for at, pointer in found.used.items() if pointer in filters and at not in local]:
            if self.values[at].start in of_others:
                found.known.pop(found.used.pop(at), None)

    def _goes_into(self, number: int, one: SaidValue, resource: AbstractSet[str]) -> bool:
        """Whether a value is what a task puts into a thing of which a list is: no collection is called as what goes into it."""
        words = self.words[number]
        return one.is_object and not one.value.preposition and words.into in resource - {words.object}

    def speaks_again(self, number: int, earlier: int) -> bool:
        """Whether a task is about what an earlier one is about: `print it`, or `print the ticket` that is named before."""
        again, before = self.words[number], self.words[earlier]
        if self.tasks[number].quantity is not Quantity.UNSAID:
            return False
        names = any(
            one.local and not one.value.weak and own_noun(one) == again.object
            for one in self.said_for(number)
        )
        return again.has_pronoun or (
            again.is_definite and bool(again.object) and again.object == before.object and not names
        )

    def named_for(self, number: int, found: Assignment) -> frozenset[str]:
        """Stems of the things that a task names by values of its own which its call does not take: (list) of `the list named "Old"`."""
        return frozenset(own_noun(one) for one in self._naming(number) if one.at not in found.used) - {""}

    def named_in(self, number: int, names: AbstractSet[str]) -> list[SaidValue]:
        """The values of its own by which a task names things with these stems."""
        return [one for one in self._naming(number) if own_noun(one) in names]

    def _naming(self, number: int) -> list[SaidValue]:
        # What an earlier task names, too, is no other thing.
        before = {value.text.casefold() for task in self.tasks[:number] for value in task.values}
        return [
            one
            for one in self._values_of(number)
            if not one.value.weak and one.value.kind in _NAMED and one.value.text.casefold() not in before
        ]

    def deals_with_one(self, number: int, names: AbstractSet[str]) -> bool:
        """Whether a task is about one thing with these stems, which later ones may be about, too: `find the company Acme, list the deals`."""
        thing = self.words[number].object
        return thing in names and not self._says_several(number, thing)

    def _says_several(self, number: int, thing: str) -> bool:
        """Whether a task has a noun, by its stem, in the plural."""
        said = pieces(self.tasks[number].words)
        return any(is_plural(word) and stem(singular(word)) == thing for word in said)

    def speaks_of(self, number: int, names: AbstractSet[str]) -> bool:
        """Whether a task has a pronoun, or says what an input with these stems identifies without telling which one."""
        words = self.words[number]
        is_said = bool(names) and names <= {*words.stems}
        return words.has_pronoun or (is_said and names.isdisjoint(map(own_noun, self._values_of(number))))

    def is_given(self, number: int, at: int, form: OperationForm, parameter: str) -> bool:
        """Whether task `number` gives a call the value of an input."""
        found = self.assigned(number, at, form)
        return any(one.item.parameter == parameter and found.has(one.item.pointer) for one in form.forms)

    def given(self, form: OperationForm) -> dict[tuple[str, ...], JsonValue]:
        """What the caller knows of a call's inputs, by pointer; credentials too, where they are given by name."""
        if not self.known:
            return {}
        found = {}
        for item in form.operation.inputs:
            binding = self.known_values.binding(form.operation, item)
            if binding is not None:
                found[item.pointer] = binding.known
        return found


def _unnamed(task: GoalTask) -> str:
    """The words of a task without what it states, but for words in lower case that nothing is called by."""
    text, naming = task.do, value_words().naming
    for value in task.values:
        is_word = value.kind is ValueKind.NAME and value.text.islower() and value.preposition not in naming
        if not is_word:
            text = (
                f" {text} ".replace(f" {value.text} ", "  ")
                if value.text.isalnum()
                else text.replace(value.text, " ")
            )
    return text


def _only_places(task: GoalTask) -> bool:
    """Whether a part of a goal is a noun with the id of such a thing, and asks for nothing: `workspace 131950284`."""
    said = pieces(task.words or task.do)
    return len(said) == len(task.values) == 1 and task.values[0].kind in (ValueKind.ID, ValueKind.NUMBER)


def _is_owner(one: SaidValue, form: OperationForm, set_at: int) -> bool:
    """Whether a value says whose the thing is that is set to another: `change the phone of ann@acme.com to +49301`.

    What the path takes says so itself. `set_at`: the position of the last value that something is set to. What a thing is
    numbered with says so without a preposition, too: `rename BX-2210 to "Small box"`.
    """
    leads = ("of", "") if one.implied else ("of",)
    is_said_so = one.local and one.value.preposition in leads and not own_noun(one) and one.at < set_at
    return (
        is_said_so
        and (one.implied or one.value.kind in (*OF_PEOPLE, ValueKind.NAME, ValueKind.QUOTED))
        and not any(
            # A call without a place in its path says in its body which thing is meant.
            (
                other.item.location == "path"
                or (form.last_place is None and other.identifies and not other.item.is_list)
            )
            and value_fit(other, one) >= ENOUGH
            for other in form.forms
        )
    )


def _is_name_of_other(one: SaidValue, form: OperationForm) -> bool:
    """Whether a value is a name, and not behind the noun of what a list is of."""
    return one.value.kind is ValueKind.NAME and own_noun(one) not in form.resource


def _nearest(called: AbstractSet[int], number: int) -> int:
    """The last task up to a number that gets a call, without one the first."""
    return max((one for one in called if one <= number), default=min(called))


def _drop_changes(
    form: OperationForm, found: Assignment, consumer: OperationForm, used: Mapping[int, tuple[str, ...]]
) -> None:
    """Take out of a list's filters what its consumer sets: who moves a device into rack 41 does not look for it there."""
    if consumer.operation.kind not in (OperationKind.UPDATE, OperationKind.CREATE):
        return
    filters = {one.item.pointer for one in form.forms if one.item.location == "query"}
    body = {one.item.pointer for one in consumer.forms if one.item.location == "body"}
    for at in [at for at, pointer in found.used.items() if pointer in filters and used.get(at) in body]:
        found.known.pop(found.used.pop(at), None)


def _gives_what_to(task: GoalTask, value: StatedValue, phrase: Sequence[str]) -> bool:
    """Whether a value behind `to` is what the object of a task is set to: by a change, as one end of a period, or as the only value, a number."""
    kind = asked_kind(task.words or task.do)
    if kind is OperationKind.UPDATE or (value.kind is ValueKind.DATE and is_bound(phrase[-1])):
        return True
    counts = value.kind in _COUNTED and not value.noun_after
    return counts and kind in (None, OperationKind.ACTION) and len(task.values) == len(phrase) == 1


def _with_antecedents(tasks: Iterable[TaskWords]) -> tuple[TaskWords, ...]:
    """The words of tasks, where `one` is the thing that the task before is about: `delete the template and create one`.

    What was turned into something else is that from then on: `turn QU-7 into an invoice and approve it`.
    """
    found: list[TaskWords] = []
    for task in tasks:
        before = found[-1].object if found else ""
        became = (found[-1].into or before) if found and found[-1].verb == _CONVERTING else ""
        if task.object == _ONE and before:
            found.append(_about(task, before))
        elif became and task.has_pronoun and not task.nouns:
            found.append(_about(task, became))
        else:
            found.append(task)
    return tuple(found)


def _about(task: TaskWords, noun: str) -> TaskWords:
    """The words of a task with a noun where it says `one`."""
    terms = tuple(dict.fromkeys((*(term for term in task.terms if term != _ONE), noun)))
    nouns = tuple(dict.fromkeys((noun, *(other for other in task.nouns if other != _ONE))))
    return replace(task, object=noun, terms=terms, nouns=nouns, stems=(*task.stems, noun))


def _says_else(
    one: SaidValue, used: Mapping[int, tuple[str, ...]], form: OperationForm, consumer: OperationForm
) -> bool:
    """Whether a value is no word about what a call looks for: what somebody is to hear, or the name of another thing.

    The playlist "Evening" is no track, where a call takes ids of both.
    """
    if one.value.kind not in (ValueKind.QUOTED, ValueKind.SAID, ValueKind.NAME):
        return False
    pointer = used.get(one.at)
    taken = consumer.forms[consumer.by_pointer[pointer]] if pointer in consumer.by_pointer else None
    if taken is not None and one.value.kind is not ValueKind.NAME:
        return taken.is_free_text and not (taken.identifies or is_title(taken))
    noun = own_noun(one)
    needed = (other.names for other in consumer.forms if other.identifies)
    return noun not in form.resource and noun not in form.by_stem and any(noun in names for names in needed)


def _fill_spoken_of(
    form: OperationForm,
    found: Assignment,
    earlier: Sequence[tuple[OperationForm, Assignment]],
    *,
    only_needed: bool = False,
    besides: AbstractSet[str] = frozenset(),
) -> None:
    """Fill an input with the thing that the call before has in one of its name: `post in #a and set its topic`.

    Not where a thing of the kind is named otherwise (`besides`). Ids may stand deeper in a body, or in a list: `tag it`, by `serialNumbers`. A `channel` is what another call calls `channel_id`.
    """
    if not earlier:
        return
    (before, given), texts = earlier[-1], table("inputs")["texts"]
    named = {
        _name_elsewhere(before, pointer[0]): given.known[pointer]
        for pointer in given.used.values()
        if len(pointer) == 1 and pointer in given.known
    }
    for name in [name for name in named if name.endswith(_ID)]:
        named.setdefault(name.removesuffix(_ID), named[name])
    for one in form.forms:
        item = one.item
        depth = len(item.pointer) - (item.pointer[0] == form.whole)
        if found.has(item.pointer) or item.is_container or ITEM in item.pointer or depth > _DEEPEST:
            continue
        if not one.names.isdisjoint(besides):
            continue
        if only_needed and not (item.required and one.may_identify):
            continue
        name = _singular_name(item.name)
        value = named.get(name, named.get(name.removesuffix(_ID)) if one.may_identify else None)
        is_same = item.name == item.pointer[0] or one.may_identify
        if value is None or not is_same or not one.names or one.joined_name in texts:
            continue
        if one.is_number == isinstance(value, int | float):
            found.known[item.pointer] = [value] if item.is_list else value


def _name_elsewhere(form: OperationForm, name: str) -> str:
    """What other calls call an input of a call: `dealid` for the `id` with which `/deals/{id}` ends."""
    of = form.operation.resource[-1:] if name == form.operation.ends_with_parameter == "id" else ()
    return _singular_name("_".join((*of, name)))


def _singular_name(name: str) -> str:
    """The name of an input in the lower case, of one: `serialnumber` for `serialNumbers`."""
    return "".join(map(singular, words(name)))


def place_in_path(form: OperationForm, item: Input) -> str:
    """Where in a path a parameter stands, by the literals before it in the singular; empty outside of paths."""
    if item.location != "path":
        return ""
    before: list[str] = []
    for segment in form.operation.segments:
        if segment.is_parameter and segment.text == item.name:
            return "/".join(before)
        before.append("{}" if segment.is_parameter else singular(segment.text))
    return ""


def read_context(
    goal: str,
    *,
    known: Mapping[str, JsonValue],
    tasks: Sequence[AskedTask],
    now: datetime | None,
    timezone: str,
    is_catalogue_verb: Callable[[str], bool],
    is_word: Callable[[str], bool],
    implied: Callable[[str], frozenset[str]],
    joined: Callable[[str], bool],
    is_separate: Callable[[str, str], bool],
    is_thing: Callable[[str], bool],
    is_taken: Callable[[str, str], bool],
    is_state: Callable[[str], bool],
    written: Callable[[str], str],
    written_out: Callable[[str], str] = lambda text: text,
) -> GoalContext:
    """Read a goal, or take the tasks that the caller has cut; `written_out` replaces links by what they name."""
    moment = now or datetime.now(UTC)

    def read(text: str) -> str:
        english = goal_in_english(
            written_out(text), is_known=lambda word: is_thing(word) or is_catalogue_verb(word)
        )
        return rewritten(english, is_thing=is_thing, is_used=joined, is_verb=is_catalogue_verb)

    text = read(goal)
    if tasks:
        cut = [task.model_copy(update={"do": read(task.do)}) for task in tasks]
        said = asked_tasks(text, cut, now=moment, timezone=timezone, is_word=is_word, joined=joined)
        found = GoalContext(said.text, said.reading, said.values, known, is_asked=True)
    else:
        values = goal_values(
            text, now=moment, timezone=timezone, is_word=is_word, joined=joined, is_thing=is_thing
        )
        reading = read_goal(
            text,
            values,
            is_catalogue_verb=is_catalogue_verb,
            is_separate=is_separate,
            is_thing=is_thing,
            is_taken=is_taken,
            is_state=is_state,
        )
        # A topic is led to by `for`.
        led = {value.start: value for task in reading.tasks for value in task.values}
        values = [led.get(value.start, value) for value in values]
        found = GoalContext(text, reading, values, known)
    return replace(found, asked=goal, implied=implied, joined=joined, is_thing=is_thing, written=written)


def _has_own_value(exclusion: Exclusion) -> bool:
    """Whether an exclusion names what it leaves out by an id or a number: `except 77`, but not `except the 5 newest`."""
    return any(
        value.kind not in (ValueKind.NAME, ValueKind.QUOTED) and not counts_things(value)
        for value in exclusion.values
    )


@cache
def _saying_nothing() -> frozenset[str]:
    """Words of an exclusion that do not say what it leaves out: `the urgent ones`."""
    return value_words().determiners | value_words().function | {"one", "ones"}
