"""The calls that have to come before the targets, so that their inputs can be filled."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from app.domain.choosing.candidate import NAMING
from app.domain.filling.assigned import Assignment
from app.domain.filling.fit import own_noun
from app.domain.filling.said import SaidValue
from app.domain.language.identifiers import pieces, singular, words
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.nodes.dependencies import Requirement
from app.domain.nodes.models import ToolId
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.ranking.runs import Reached
from app.domain.reading.tasks import is_text
from app.domain.schemas.tool_schemas import ITEM

Needs = Mapping[ToolId, Sequence[Requirement]]
"""Consumer -> its requirements."""

MAX_DEPTH = 3
MAX_ADDED = 4
SURE = 0.56
"""Confidence from which a producer is added."""
LEAST = 0.40
"""Confidence from which a step that the goal itself asks for fills an input of a later one."""
LIKELY = 0.50
"""Confidence from which a producer is added when it is the only safe one, or leads by `CLEAR_LEAD`."""
CLEAR_LEAD = 0.094
_FITS_GOAL = 0.25
_SEARCH_BY_NAME = 0.25
_UNSAID_QUALIFIER = 0.12
_OTHER_RESOURCE = 0.15
_TAKES_LEFT = 0.4
_OWN_LIST = 0.5
"""What a list of the very things that an input identifies is worth: more than that a call takes a value that is left."""
_SAID_LIST = 0.1
"""And a list of some of them by what the task says of them: `/movie/popular`, for the most popular movie. A round weight: more than a
search among all has, by its confidence."""


@dataclass(slots=True)
class Closure:
    """Targets, what was added before them, and which step fills which input. Filled step by step."""

    targets: list[int]
    added: list[int] = field(default_factory=list)
    filled: dict[tuple[int, str], tuple[int, Requirement]] = field(default_factory=dict)
    """(consumer, parameter) -> producer in the plan and the edge that says so."""
    cyclic: list[Requirement] = field(default_factory=list)
    """Edges that would have closed a circle; their inputs stay open."""
    tasks: dict[int, int] = field(default_factory=dict)
    """Step -> number of the task that it is there for, from 0."""
    added_for: dict[int, int] = field(default_factory=dict)
    """Added step -> the step that it was added for."""
    like: dict[tuple[int, str], int] = field(default_factory=dict)
    """(consumer, parameter) -> the step that takes the same item of the same list."""

    @property
    def members(self) -> list[int]:
        """Targets, then what was added."""
        return [*self.targets, *self.added]

    def add(self, consumer: int, parameter: str, found: tuple[int, Requirement]) -> None:
        """Add a producer for an input of a step."""
        self.added.append(found[0])
        self.filled[consumer, parameter] = found
        self.tasks[found[0]] = self.tasks[consumer]
        self.added_for[found[0]] = consumer

    def depends_on(self, consumer: int, producer: int) -> bool:
        """Whether `consumer` needs `producer`, directly or through others."""
        waiting, seen = [consumer], {consumer}
        while waiting:
            at = waiting.pop()
            for (other, _), (filler, _) in self.filled.items():
                if other == at and filler not in seen:
                    seen.add(filler)
                    waiting.append(filler)
        return producer in seen

    def fill(
        self, at: int, parameter: str, known: Iterable[tuple[int, Requirement]], *, least: float = LIKELY
    ) -> bool:
        """Fill an input from the first of these steps that does not itself need the consumer."""
        for producer, edge in known:
            if producer == at or edge.confidence < least:
                continue
            if self.depends_on(producer, at):
                self.cyclic.append(edge)
                continue
            self.filled[at, parameter] = (producer, edge)
            return True
        return False


def given_to(index: PlanIndex, context: GoalContext, number: int, at: int, consumer: int) -> Assignment:
    """What a task gives to a step, or to one that is added for it (`consumer`)."""
    form = index.form(at)
    if at == consumer:
        return context.assigned(number, at, form)
    return context.assigned_to_added(number, consumer, at, form, index.form(consumer))


class Choice:
    """Chooses the producer of one input."""

    def __init__(self, index: PlanIndex, context: GoalContext, fit: Reached, closure: Closure) -> None:
        self._index = index
        self._context = context
        self.fit = fit
        self._closure = closure
        self._said = frozenset(context.terms)
        self._by_name = any(is_text(value) and not value.weak for value in context.values)

    def best(self, at: int, known: Sequence[tuple[int, Requirement]]) -> tuple[int, Requirement] | None:
        """The safe producer that fits the goal best, of those that are sure enough; None without one."""
        traits = self._index.traits
        safe = [
            (producer, edge)
            for producer, edge in known
            if traits[producer].safe and edge.confidence >= LIKELY
        ]
        sure = [
            (producer, edge)
            for producer, edge in known
            if edge.confidence >= SURE
            or (edge.confidence >= LIKELY and self._is_own_list(at, producer, edge))
        ]
        if not sure and safe:
            others = [edge.confidence for _, edge in safe[1:]]
            sure = safe[:1] if not others or safe[0][1].confidence - max(others) > CLEAR_LEAD else []
        sure = [pair for pair in sure if traits[pair[0]].safe]
        if self.left_for(at):
            # A value that only a look-up takes makes a likely producer sure.
            task = self._closure.tasks[at]
            sure += [pair for pair in safe if pair not in sure and self.takes(pair[0], task, at)]
        return max(sure, key=lambda pair: (round(self._worth(at, *pair), 6), -pair[1].rank), default=None)

    def left_for(self, at: int) -> list[SaidValue]:
        """Values of the step's task that the step itself does not take."""
        number = self._closure.tasks[at]
        found = self._context.assigned(number, at, self._index.form(at))
        return [
            one
            for one in self._context.said_for(number)
            if one.local and not one.value.weak and one.at not in found.used and one.value.kind in NAMING
        ]

    def takes(self, producer: int, task: int, consumer: int) -> bool:
        """Whether a producer takes one of the values that its consumer leaves."""
        return self._takes_any(producer, task, consumer, {one.at for one in self.left_for(consumer)})

    def of_what_is_named(
        self, at: int, inside: Sequence[tuple[int, Requirement]], known: Sequence[tuple[int, Requirement]]
    ) -> Sequence[tuple[int, Requirement]]:
        """Producers in the plan that an input may be filled from, of all that are known.

        Where a value that no step takes is what another producer lists the very things of the input by, or stands
        beside their noun, those that give something else go: a volume that is named is looked up among volumes, and
        not among those that a server has.
        """
        named = self.left_for(at) if inside else []
        left = {one.at for one in named}
        task, closure = self._closure.tasks[at], self._closure
        for other in closure.added if left else ():
            consumer = closure.added_for.get(other, other)
            left -= given_to(self._index, self._context, task, other, consumer).used.keys()
        if not left or not any(
            producer not in closure.members
            and self._is_of_things(at, producer, edge)
            and self._index.traits[producer].safe
            and (
                self._takes_any(producer, task, at, left)
                # Lists without such a filter are looked through.
                or any(one.at in left and own_noun(one) in self.heads_of(at, edge.parameter) for one in named)
            )
            for producer, edge in known
        ):
            return inside
        return [pair for pair in inside if self._is_of_things(at, *pair)]

    def _takes_any(self, producer: int, task: int, consumer: int, left: AbstractSet[int]) -> bool:
        return not left.isdisjoint(given_to(self._index, self._context, task, producer, consumer).used)

    def _is_of_things(self, at: int, producer: int, edge: Requirement) -> bool:
        """Whether a call gives things that an input is called after: servers, for `/targets/{serverId}`."""
        resource = self._index.traits[producer].resource
        return edge.field.count(f"/{ITEM}") <= 1 and not resource.isdisjoint(
            self.heads_of(at, edge.parameter)
        )

    def heads_of(self, at: int, parameter: str) -> frozenset[str]:
        """What an input of a call is called after."""
        forms = self._index.form(at).forms
        return frozenset().union(*(one.heads for one in forms if one.item.parameter == parameter))

    def _is_own_list(self, at: int, producer: int, edge: Requirement) -> bool:
        """Whether a call lists the very things that an input identifies: `/configs` for `configId`, and not `/webhooks`."""
        names = frozenset().union(
            *(one.names for one in self._index.form(at).forms if one.item.parameter == edge.parameter)
        )
        # Names of inputs say short forms in full, which plurals in paths are not known by: `configId` under `/configs`.
        listed = [
            stem(word) for noun in self._index.operation(producer).resource for word in words(singular(noun))
        ]
        is_of_these = bool(listed) and listed[-1] in names and names.issubset(listed)
        return is_of_these and edge.field.count(f"/{ITEM}") == 1

    def _is_said_list(self, at: int, producer: int, edge: Requirement) -> bool:
        """Whether a call lists those of the things that an input identifies which a task speaks of, by the end of its path.

        What the task does, or what its words set, says nothing of them: who closes a ticket does not look for closed ones.
        """
        segments = self._index.operation(producer).segments[-2:]
        is_list = len(segments) > 1 and not any(one.is_parameter for one in segments)
        if not is_list or edge.field.count(f"/{ITEM}") != 1:
            return False
        things, narrowing = ([stem(word) for word in pieces(singular(one.text))] for one in segments)
        number = self._closure.tasks[at]
        states = self._context.assigned(number, at, self._index.form(at)).states.values()
        said = self._context.stems_for(number).difference({self._context.words[number].verb}, *states)
        told = {*narrowing} - PHRASE_ENDS
        return bool(told) and told <= said and not self.heads_of(at, edge.parameter).isdisjoint(things[-1:])

    def _worth(self, at: int, producer: int, edge: Requirement) -> float:
        traits = self._index.traits[producer]
        worth = 1.6 * edge.confidence + _FITS_GOAL * self.fit.score(producer)
        worth += _OWN_LIST * self._is_own_list(at, producer, edge)
        if self._is_said_list(at, producer, edge):
            worth += _OWN_LIST + _SAID_LIST
        if self._by_name and traits.kind is OperationKind.SEARCH:
            worth += _SEARCH_BY_NAME
        own = self._index.traits[at].resource
        if traits.resource & self._said and not traits.resource & own:
            worth += _OTHER_RESOURCE
        if self.left_for(at):
            worth += _TAKES_LEFT * self.takes(producer, self._closure.tasks[at], at)
        return worth - _UNSAID_QUALIFIER * len(traits.qualifiers - self._said)
