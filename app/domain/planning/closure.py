"""The calls that have to come before the targets, so that their inputs can be filled."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.domain.language.identifiers import words
from app.domain.language.operation_words import OperationKind
from app.domain.nodes.dependencies import Requirement
from app.domain.nodes.models import ToolId
from app.domain.planning.clauses import goal_terms
from app.domain.planning.index import PlanIndex, Scores
from app.domain.planning.values import names_something
from app.domain.ranking.formulas import by_maximum

Needs = Mapping[ToolId, Sequence[Requirement]]
"""Consumer -> its requirements."""

MAX_DEPTH = 3
MAX_ADDED = 4
SURE = 0.56
"""Confidence from which a producer is added."""
LIKELY = 0.50
"""Confidence from which a producer is added when it is the only safe one, or leads by `CLEAR_LEAD`."""
CLEAR_LEAD = 0.094
_FITS_GOAL = 0.25
_SEARCH_BY_NAME = 0.25
_UNSAID_QUALIFIER = 0.12
_OTHER_RESOURCE = 0.15


@dataclass(slots=True)
class Closure:
    """Targets, what was added before them, and which step fills which input. Filled step by step."""

    targets: list[int]
    added: list[int] = field(default_factory=list)
    filled: dict[tuple[int, str], tuple[int, Requirement]] = field(default_factory=dict)
    """(consumer, parameter) -> producer in the plan and the edge that says so."""
    cyclic: list[Requirement] = field(default_factory=list)
    """Edges that would have closed a circle; their inputs stay open."""

    @property
    def members(self) -> list[int]:
        """Targets, then what was added."""
        return [*self.targets, *self.added]

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

    def fill(self, at: int, parameter: str, known: Iterable[tuple[int, Requirement]]) -> bool:
        """Fill an input from the first of these steps that does not itself need the consumer."""
        for producer, edge in known:
            if producer == at or edge.confidence < LIKELY:
                continue
            if self.depends_on(producer, at):
                self.cyclic.append(edge)
                continue
            self.filled[at, parameter] = (producer, edge)
            return True
        return False


def close(
    index: PlanIndex,
    targets: Sequence[int],
    needs: Needs,
    *,
    goal: str,
    fit: Scores,
    is_given: Callable[[int, str], bool],
) -> Closure:
    """Fill the required inputs of the targets from steps of the plan, else from safe calls that are added.

    Args:
        index: The catalogue.
        targets: Positions of what the goal asks for, in clause order.
        needs: Edges of the targets and of what they may need, at least `LIKELY`.
        goal: The text.
        fit: Per tool how well it fits the goal, any scale.
        is_given: Whether the value of (position, parameter) is known without a call.

    Nothing is added for an input that most calls of its server share, nor deeper than 3 calls, nor more than 4 in
    all; nothing that changes anything is added.
    """
    closure = Closure(list(targets))
    choice = _Choice(index, goal, by_maximum(fit))
    place = {at: number for number, at in enumerate(targets)}

    def open_inputs(at: int) -> Iterable[tuple[str, list[tuple[int, Requirement]]]]:
        for parameter, edges in _by_parameter(needs.get(index.traits[at].tool.id, ())):
            known = [
                (index.position[edge.producer], edge) for edge in edges if edge.producer in index.position
            ]
            unfilled = known and (at, parameter) not in closure.filled
            if unfilled and not index.is_context(at, _joined(parameter)) and not is_given(at, parameter):
                yield parameter, known

    # Clause order first: a value that an earlier clause gives is not looked for elsewhere.
    for at in targets:
        for parameter, known in open_inputs(at):
            earlier = [pair for pair in known if place.get(pair[0], len(place)) < place[at]]
            closure.fill(at, parameter, earlier)
    waiting = deque((at, 0) for at in targets)
    while waiting:
        at, depth = waiting.popleft()
        for parameter, known in open_inputs(at):
            members = set(closure.members)
            if closure.fill(at, parameter, [pair for pair in known if pair[0] in members]):
                continue
            if depth >= MAX_DEPTH or len(closure.added) >= MAX_ADDED:
                continue
            best = choice.best(at, [pair for pair in known if pair[0] not in members])
            if best is not None:
                closure.added.append(best[0])
                closure.filled[at, parameter] = best
                waiting.append((best[0], depth + 1))
    return closure


def _joined(parameter: str) -> str:
    return " ".join(words(parameter.rsplit("/", 1)[-1]))


def _by_parameter(edges: Iterable[Requirement]) -> Iterable[tuple[str, list[Requirement]]]:
    """Required inputs with their producers by rank; an edge that names no input stands alone, under its producer."""
    found: defaultdict[str, list[Requirement]] = defaultdict(list)
    for edge in edges:
        if edge.required:
            found[edge.parameter or f"({edge.producer})"].append(edge)
    return [(name, sorted(group, key=lambda edge: edge.rank)) for name, group in found.items()]


class _Choice:
    """Chooses the producer of one input."""

    def __init__(self, index: PlanIndex, goal: str, fit: Scores) -> None:
        self._index = index
        self._fit = fit
        self._said = frozenset(goal_terms(goal))
        self._by_name = names_something(goal)

    def best(self, at: int, known: Sequence[tuple[int, Requirement]]) -> tuple[int, Requirement] | None:
        """The safe producer that fits the goal best, of those that are sure enough; None without one."""
        traits = self._index.traits
        safe = [(producer, edge) for producer, edge in known if traits[producer].safe]
        sure = [(producer, edge) for producer, edge in known if edge.confidence >= SURE]
        if not sure and safe and safe[0][1].confidence >= LIKELY:
            others = [edge.confidence for _, edge in safe[1:]]
            sure = safe[:1] if not others or safe[0][1].confidence - max(others) > CLEAR_LEAD else []
        sure = [pair for pair in sure if traits[pair[0]].safe]
        return max(sure, key=lambda pair: (round(self._worth(at, *pair), 6), -pair[1].rank), default=None)

    def _worth(self, at: int, producer: int, edge: Requirement) -> float:
        traits = self._index.traits[producer]
        worth = 1.6 * edge.confidence + _FITS_GOAL * float(self._fit[producer])
        if self._by_name and traits.kind is OperationKind.SEARCH:
            worth += _SEARCH_BY_NAME
        own = self._index.traits[at].resource
        if traits.resource & self._said and not traits.resource & own:
            worth += _OTHER_RESOURCE
        return worth - _UNSAID_QUALIFIER * len(traits.qualifiers - self._said)
