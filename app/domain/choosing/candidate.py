"""A call that may do what a task asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from app.domain.filling.assigned import Assignment
from app.domain.filling.fit import OF_PEOPLE
from app.domain.filling.forms import Form, OperationForm
from app.domain.filling.said import SaidValue
from app.domain.filling.states.setting import negating_verbs
from app.domain.language.goal_words import KIND_FIT
from app.domain.language.intent_words import ARTICLES
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.planning.meant import NOT_COMPARED
from app.domain.planning.traits import Traits
from app.domain.ranking.runs import Reached
from app.domain.reading.models import ValueKind
from app.domain.tasks.task_words import TaskWords
from app.lexicon.lists import table

NAMING = frozenset(
    (ValueKind.EMAIL, ValueKind.NAME, ValueKind.QUOTED, ValueKind.ID, ValueKind.MENTION, ValueKind.CHANNEL)
)
"""Kinds of values by which things are looked up."""
_PLACING = (OperationKind.CREATE, OperationKind.UPDATE, OperationKind.ACTION)
"""Kinds of what may put one thing into another."""
_SEVERAL = 2
_HALF = 0.5
_PLACES = frozenset(
    stem(word) for word in ("there", "here", *ARTICLES, *table("values")["determiners"].split())
)


@dataclass(frozen=True)
class Candidate:
    """A call beside a task, with what it would take of the goal."""

    index: PlanIndex
    context: GoalContext
    number: int
    """Of the task, from 0."""
    at: int
    """Position of the call in the index."""
    close: Reached = NOT_COMPARED
    """The tools that may be called and were compared with the task in meaning, each with its cosine."""

    @cached_property
    def words(self) -> TaskWords:
        """The words of the task."""
        return self.context.words[self.number]

    @cached_property
    def traits(self) -> Traits:
        """The call."""
        return self.index.traits[self.at]

    @cached_property
    def form(self) -> OperationForm:
        """Its inputs."""
        return self.index.form(self.at)

    @cached_property
    def found(self) -> Assignment:
        """What fills them."""
        return self.context.assigned(self.number, self.at, self.form)

    @cached_property
    def own(self) -> Sequence[SaidValue]:
        """The values of the task that are surely values."""
        return [one for one in self.context.said_for(self.number) if one.local and not one.value.weak]

    @cached_property
    def left(self) -> Sequence[SaidValue]:
        """Of these, the ones that it does not take."""
        return [one for one in self.own if one.at not in self.found.used]

    @cached_property
    def taking(self) -> Sequence[Form]:
        """The inputs that take a value of the goal."""
        return [self.form.forms[self.form.by_pointer[pointer]] for pointer in self.found.used.values()]

    @cached_property
    def pending(self) -> Sequence[Form]:
        """Required inputs that identify something and are not filled: a call before this one finds them."""
        return [one for one in self.form.needed_ids if one.item.pointer not in self.found.known]

    @property
    def takes_surely(self) -> bool:
        """Whether a word or a form leads a value of the task to one of its inputs."""
        unsure = self.found.by_rank | self.found.guessed
        return any(one.at in self.found.used and one.at not in unsure for one in self.own)

    @property
    def spoken_of(self) -> Sequence[SaidValue]:
        """Values of other tasks that its path has."""
        path = {form.item.pointer for form in self.form.forms if form.item.location == "path"}
        others = (one for one in self.context.said_for(self.number) if not one.local)
        return [one for one in others if self.found.used.get(one.at) in path]

    @property
    def makes_the_place(self) -> bool:
        """Whether it makes the thing that something else is made in: a service, for an incident on service 3."""
        words, head = self.words, self.traits.head
        return (
            self.traits.kind is OperationKind.CREATE
            and words.object not in (head, "")
            and any(value.nouns[-1:] == (head,) and value.value.preposition for value in self.own)
        )

    @property
    def _makes_of_the_object(self) -> bool:
        """Whether it makes something else than the object of a task, which is made by itself: an issue link is no issue."""
        words, traits = self.words, self.traits
        return (
            words.creates
            and words.object not in (traits.head, "")
            and self.index.is_resource(traits.tool.server, words.object)
        )

    @property
    def takes_all(self) -> bool:
        """Whether it is a change that takes several values of the task and leaves none: for sure, or by what it is about."""
        if not self.traits.mutating or len(self.own) < _SEVERAL or self.left or not self.takes_surely:
            return False
        if self.makes_the_place or self._makes_of_the_object:
            return False
        unsure = {one.at for one in self.own} & (self.found.by_rank | self.found.guessed)
        return not unsure or self.is_spoken or self.traits.head in self.words.nouns

    @property
    def is_given(self) -> bool:
        """Whether a task gives something to somebody, and a change of it takes who has it: `give deal 7 to ann@acme.com`, by `ownerId`."""
        if not self.words.gives or self.traits.kind not in (OperationKind.UPDATE, OperationKind.ACTION):
            return False
        somebody = any(
            one.value.preposition == "to"
            and (one.value.kind in OF_PEOPLE or (one.value.kind is ValueKind.NAME and " " in one.value.text))
            and one.at not in self.found.used
            for one in self.own
        )
        return somebody and any(
            form.is_of_person and form.item.location == "body" and not self.found.has(form.item.pointer)
            for form in self.form.forms
        )

    @property
    def finds_all(self) -> bool:
        """Whether it puts one thing into another, as a task asks, and looks up whatever of both it does not take."""
        named = all(value.value.kind in NAMING for value in self.left)
        place = self.words.towards
        return (
            named
            and self.is_of_kind
            and place != self.traits.head
            and place in self.traits.path_words
            and 0 < len(self.left) <= len(self.pending)
        )

    @property
    def is_compared(self) -> bool:
        """Whether it is known how close it is to the task in meaning."""
        return self.close.reaches(self.at)

    @property
    def cosine(self) -> float:
        """How close it is to the task in meaning; 0 where that is not known."""
        return self.close.score(self.at)

    @property
    def is_of_kind(self) -> bool:
        """Whether it is of a kind that serves the verb of the task, as far as that says one."""
        kind = self.words.kind
        if self.words.places and self.traits.kind in _PLACING:
            return True
        if self.traits.kind is OperationKind.DELETE and kind is OperationKind.ACTION and self.words.ends:
            # To revoke a grant, or to cancel a subscription, may be to delete it.
            return self.words.verb not in negating_verbs()
        return kind is None or KIND_FIT[kind].get(self.traits.kind, 0.0) >= _HALF

    @property
    def suggested(self) -> float:
        """How much common methods that the task's words find suggest it, 0 to 1."""
        return self.context.meaning(self.number).suggested.score(self.at)

    @property
    def is_spoken(self) -> bool:
        """Whether its name, its title or its path has the verb of the task."""
        return self.words.verb in self.traits.spoken

    @property
    def joins_as_asked(self) -> bool:
        """Whether it puts one thing into another, as a task asks: to add a user to a group."""
        words = self.words
        return (
            self.form.operation.joins
            and words.kind is OperationKind.CREATE
            and words.towards == self.traits.head
        )

    @cached_property
    def strangers(self) -> Sequence[str]:
        """Stems of the nouns of the task, without places and articles."""
        return [noun for noun in self.words.nouns if noun not in _PLACES]

    @cached_property
    def knows_of_strangers(self) -> float:
        """Share of these that its texts have, each weighed by its rarity."""
        return self.index.coverage(self.at, self.strangers)
