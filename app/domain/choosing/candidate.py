"""A call that may do what a task asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from app.domain.filling.assignment import Assignment
from app.domain.filling.forms import Form, OperationForm
from app.domain.filling.said import SaidValue
from app.domain.language.intent_words import ARTICLES
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.planning.task_words import TaskWords
from app.domain.planning.traits import Traits
from app.domain.reading.models import ValueKind

NAMING = frozenset(
    (ValueKind.EMAIL, ValueKind.NAME, ValueKind.QUOTED, ValueKind.ID, ValueKind.MENTION, ValueKind.CHANNEL)
)
"""Kinds of values by which things are looked up."""
READING = (OperationKind.GET, OperationKind.LIST, OperationKind.SEARCH)
_PLACES = frozenset(stem(word) for word in ("there", "here", *ARTICLES))


@dataclass(frozen=True)
class Candidate:
    """A call beside a task, with what it would take of the goal."""

    index: PlanIndex
    context: GoalContext
    number: int
    """Of the task, from 0."""
    at: int
    """Position of the call in the index."""

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
    def pending(self) -> Sequence[Form]:
        """Required inputs that identify something and are not filled: a call before this one finds them."""
        return [
            one
            for one in self.form.forms
            if one.item.required and one.identifies and one.item.pointer not in self.found.known
        ]

    @property
    def takes_surely(self) -> bool:
        """Whether a word or a form leads a value of the task to one of its inputs."""
        unsure = self.found.by_rank | self.found.guessed
        return any(one.at in self.found.used and one.at not in unsure for one in self.own)

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
