"""The calls that have to come before the targets, so that their inputs can be filled."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.domain.language.identifiers import words
from app.domain.language.operation_words import OperationKind
from app.domain.nodes.dependencies import Evidence, Requirement
from app.domain.nodes.models import ToolId
from app.domain.planning.assignment import Said
from app.domain.planning.context import GoalContext
from app.domain.planning.forms import Form
from app.domain.planning.index import PlanIndex, Scores
from app.domain.planning.targets import NAMING, PlanTarget
from app.domain.ranking.formulas import by_maximum
from app.domain.reading.models import Quantity
from app.domain.reading.tasks import is_text
from app.domain.schemas.tool_schemas import ITEM

Needs = Mapping[ToolId, Sequence[Requirement]]
"""Consumer -> its requirements."""

MAX_DEPTH = 3
MAX_ADDED = 4
_MADE_DEPTH = 3
_SHORT_NAME = 3
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
TAKES_VALUE = 0.5
"""How well a look-up has to take a value to be added for it."""


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


def close(
    index: PlanIndex,
    context: GoalContext,
    targets: Sequence[PlanTarget],
    needs: Needs,
    *,
    fit: Scores,
    is_banned: Callable[[int], bool],
) -> Closure:
    """Fill the required inputs of the targets from steps of the plan, else from safe calls that are added.

    Args:
        index: The catalogue.
        context: The goal.
        targets: What the goal asks for, in its order.
        needs: Edges of the targets and of what they may need, at least `LIKELY`.
        fit: Per tool how well it fits the goal, any scale.
        is_banned: Whether the goal forbids a call.

    Nothing is added for an input that most calls of its server share, nor deeper than 3 calls, nor more than 4 in
    all; nothing that changes anything is added.
    """
    closure = Closure([target.at for target in targets])
    closure.tasks = {target.at: target.number for target in targets}
    choice = _Choice(index, context, by_maximum(fit), closure)
    place = {target.at: number for number, target in enumerate(targets)}

    def is_given(at: int, parameter: str) -> bool:
        return context.is_given(closure.tasks[at], at, index.form(at), parameter)

    def open_inputs(at: int, *, required: bool = True) -> Iterable[tuple[str, list[tuple[int, Requirement]]]]:
        for parameter, edges in _by_parameter(needs.get(index.traits[at].tool.id, ()), required=required):
            known = [
                (index.position[edge.producer], edge)
                for edge in edges
                if edge.producer in index.position and not is_banned(index.position[edge.producer])
            ]
            unfilled = known and (at, parameter) not in closure.filled
            if unfilled and not index.is_context(at, _joined(parameter)) and not is_given(at, parameter):
                yield parameter, known

    # Clause order first: a value that an earlier clause gives is not looked for elsewhere.
    for target in targets:
        for parameter, known in open_inputs(target.at):
            earlier = [pair for pair in known if place.get(pair[0], len(place)) < place[target.at]]
            closure.fill(target.at, parameter, earlier, least=LEAST)
        _fill_made(
            index, context, closure, target, [one for one in targets if place[one.at] < place[target.at]]
        )
    waiting = deque((target.at, 0) for target in targets)
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
                closure.add(at, parameter, best)
                waiting.append((best[0], depth + 1))
    for target in targets:
        _fill_each(index, context, closure, target, list(open_inputs(target.at, required=False)))
    for at in closure.members:
        _fill_optional(index, context, closure, choice, at, list(open_inputs(at, required=False)))
    return closure


def _fill_made(
    index: PlanIndex,
    context: GoalContext,
    closure: Closure,
    target: PlanTarget,
    earlier: Sequence[PlanTarget],
) -> None:
    """What an earlier task makes fills the input that is called after it: the price of a line, the channel of a message.

    Documents whose answers say little have no edge for it. Of answers without such an id a short name will do: `ts`
    for `timestamp`.
    """
    form = index.form(target.at)
    assigned = context.assigned(target.number, target.at, form)
    for one in form.forms:
        item = one.item
        taken = item.pointer in assigned.known or item.pointer in assigned.asked
        if (
            taken
            or item.is_container
            or item.type == "boolean"
            or (target.at, item.parameter) in closure.filled
        ):
            continue
        if item.location not in ("path", "query", "body") or item.enum:
            continue
        for made in reversed(earlier):
            if index.traits[made.at].kind is not OperationKind.CREATE:
                continue
            field = _made_field(index, made.at, one)
            if field:
                edge = Requirement(
                    consumer=index.traits[target.at].tool.id,
                    producer=index.traits[made.at].tool.id,
                    parameter=item.parameter,
                    required=item.required,
                    field=field,
                    confidence=LEAST,
                    evidence=Evidence.NAME,
                    rank=1,
                )
                closure.filled[target.at, item.parameter] = (made.at, edge)
                break


def _made_field(index: PlanIndex, made: int, form: Form) -> str:
    """JSON pointer to what an answer calls the thing that was made; empty where the input is of something else."""
    fields = index.operation(made).answer.fields
    top = {output.name: output.pointer for output in reversed(fields) if len(output.pointer) == 1}
    name = form.item.name.lower()
    if form.names and form.names <= index.traits[made].resource and len(form.item.pointer) <= _MADE_DEPTH:
        for key in ("id", "key", "number", "name"):
            if key in top:
                return "/" + key
    short = next((key for key in top if len(key) <= _SHORT_NAME < len(name) and _abbreviates(key, name)), "")
    return "/" + short if short else ""


def _abbreviates(short: str, name: str) -> bool:
    """Whether the letters of one name stand in another in their order, the first first: `ts` in `timestamp`."""
    letters = iter(name)
    return (
        len(short) > 1 and short[0].lower() == name[0] and all(letter in letters for letter in short.lower())
    )


def _fill_each(
    index: PlanIndex,
    context: GoalContext,
    closure: Closure,
    target: PlanTarget,
    inputs: Sequence[tuple[str, list[tuple[int, Requirement]]]],
) -> None:
    """To take away all members of a list is to take away each: the list is read first.

    Documents leave the input optional that says which member; without it such a call does nothing, or too much.
    """
    traits = index.traits[target.at]
    quantity = context.tasks[target.number].quantity
    if quantity not in (Quantity.EACH, Quantity.ALL_BUT) or traits.kind is not OperationKind.DELETE:
        return
    for parameter, known in inputs:
        for producer, edge in known:
            if index.traits[producer].safe and index.traits[producer].tool.path == traits.tool.path:
                if producer in closure.members:
                    closure.filled[target.at, parameter] = (producer, edge)
                else:
                    closure.add(target.at, parameter, (producer, edge))
                return


def _fill_optional(
    index: PlanIndex,
    context: GoalContext,
    closure: Closure,
    choice: "_Choice",
    at: int,
    inputs: Sequence[tuple[str, list[tuple[int, Requirement]]]],
) -> None:
    """Look up what a value of the task names, for an optional input: the account behind an e-mail address."""
    left = choice.left_for(at)
    if not left or len(closure.added) >= MAX_ADDED:
        return
    found = []
    for parameter, known in inputs:
        for producer, edge in known:
            traits = index.traits[producer]
            if not traits.safe or edge.confidence < LIKELY or producer in closure.members:
                continue
            taken = choice.takes(producer, closure.tasks[at], at)
            if taken >= TAKES_VALUE:
                found.append((taken + edge.confidence, -edge.rank, parameter, producer, edge))
    if not found:
        found = _looked_up(index, context, closure, choice, at)
    if found:
        _, _, parameter, producer, edge = max(found, key=lambda one: one[:2])
        if producer not in closure.members and not closure.depends_on(producer, at):
            closure.add(at, parameter, (producer, edge))


def _looked_up(
    index: PlanIndex, context: GoalContext, closure: Closure, choice: "_Choice", at: int
) -> list[tuple[float, int, str, int, Requirement]]:
    """Lists that take a value of the task, for an input that is called after their items: `customer`.

    The inference of edges leaves out inputs that neither have to be there nor are called an id.
    """
    form = index.form(at)
    found = []
    known = context.assigned(closure.tasks[at], at, form).known
    for one in form.forms:
        item = one.item
        if (
            len(item.pointer) > 1
            or item.pointer in known
            or (at, item.parameter) in closure.filled
            or not one.names
        ):
            continue
        if item.type not in ("string", "") or item.enum:
            continue
        for producer in index.lists_of(index.traits[at].tool.server, one.names):
            if producer == at or choice.takes(producer, closure.tasks[at], at) < TAKES_VALUE:
                continue
            field = _item_id(index, producer)
            if field:
                edge = Requirement(
                    consumer=index.traits[at].tool.id,
                    producer=index.traits[producer].tool.id,
                    parameter=item.parameter,
                    required=item.required,
                    field=field,
                    confidence=LIKELY,
                    evidence=Evidence.NAME,
                    rank=1,
                )
                found.append((LIKELY + float(choice.fit[producer]), 0, item.parameter, producer, edge))
    return found


def _item_id(index: PlanIndex, producer: int) -> str:
    """JSON pointer to the id of the items of a list; empty without one."""
    for output in index.operation(producer).answer.fields:
        if (
            output.name == "id"
            and ITEM in output.pointer
            and output.pointer.index(ITEM) == len(output.pointer) - 2
        ):
            return "/" + "/".join(output.pointer)
    return ""


def _joined(parameter: str) -> str:
    return " ".join(words(parameter.rsplit("/", 1)[-1]))


def _by_parameter(
    edges: Iterable[Requirement], *, required: bool = True
) -> Iterable[tuple[str, list[Requirement]]]:
    """Required (or optional) inputs with their producers by rank; an edge without input stands under its producer."""
    found: defaultdict[str, list[Requirement]] = defaultdict(list)
    for edge in edges:
        if edge.required == required:
            found[edge.parameter or f"({edge.producer})"].append(edge)
    return [(name, sorted(group, key=lambda edge: edge.rank)) for name, group in found.items()]


class _Choice:
    """Chooses the producer of one input."""

    def __init__(self, index: PlanIndex, context: GoalContext, fit: Scores, closure: Closure) -> None:
        self._index = index
        self._context = context
        self.fit = fit
        self._closure = closure
        self._said = frozenset(context.terms)
        self._by_name = any(is_text(value) and not value.weak for value in context.values)

    def best(self, at: int, known: Sequence[tuple[int, Requirement]]) -> tuple[int, Requirement] | None:
        """The safe producer that fits the goal best, of those that are sure enough; None without one."""
        traits = self._index.traits
        safe = [(producer, edge) for producer, edge in known if traits[producer].safe]
        sure = [(producer, edge) for producer, edge in known if edge.confidence >= SURE]
        if not sure and safe and safe[0][1].confidence >= LIKELY:
            others = [edge.confidence for _, edge in safe[1:]]
            sure = safe[:1] if not others or safe[0][1].confidence - max(others) > CLEAR_LEAD else []
        sure = [pair for pair in sure if traits[pair[0]].safe]
        if self.left_for(at):
            # A value that only a look-up takes makes a likely producer sure.
            task = self._closure.tasks[at]
            sure += [
                pair
                for pair in safe
                if pair not in sure
                and pair[1].confidence >= LIKELY
                and self.takes(pair[0], task, at) >= TAKES_VALUE
            ]
        return max(sure, key=lambda pair: (round(self._worth(at, *pair), 6), -pair[1].rank), default=None)

    def left_for(self, at: int) -> list[Said]:
        """Values of the step's task that the step itself does not take."""
        number = self._closure.tasks[at]
        found = self._context.assigned(number, at, self._index.form(at))
        return [
            one
            for one in self._context.said_for(number)
            if one.local and not one.value.weak and one.at not in found.used and one.value.kind in NAMING
        ]

    def takes(self, producer: int, task: int, consumer: int) -> float:
        """How well a producer takes the best of the values that its consumer leaves, 0 to about 1."""
        left = {one.at for one in self.left_for(consumer)}
        form = self._index.form(producer)
        found = self._context.assigned_to_added(task, consumer, producer, form, self._index.form(consumer))
        return max((1.0 for at in found.used if at in left), default=0.0)

    def _worth(self, at: int, producer: int, edge: Requirement) -> float:
        traits = self._index.traits[producer]
        worth = 1.6 * edge.confidence + _FITS_GOAL * float(self.fit[producer])
        if self._by_name and traits.kind is OperationKind.SEARCH:
            worth += _SEARCH_BY_NAME
        own = self._index.traits[at].resource
        if traits.resource & self._said and not traits.resource & own:
            worth += _OTHER_RESOURCE
        if self.left_for(at):
            worth += _TAKES_LEFT * self.takes(producer, self._closure.tasks[at], at)
        return worth - _UNSAID_QUALIFIER * len(traits.qualifiers - self._said)
