"""Tools read as operations, with those beside them on the same path; views take what is read from everybody's."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from weakref import WeakValueDictionary

import numpy as np

from app.domain.filling.forms import OperationForm, read_form
from app.domain.nodes.models import Tool, ToolId
from app.domain.packed.sequences import NewPlaces
from app.domain.planning.indexed.columns import PathKeys
from app.domain.planning.indexed.facts import PlanFacts, facts_of, said_values
from app.domain.planning.indexed.shared import SharedReads
from app.domain.planning.operations import Operation, read_operation, with_body_of
from app.domain.planning.traits import Traits, traits_of
from app.domain.ranking.formulas import Positions

_KEPT = 4096
"""Operations whose inputs stay read: 3,373 of six large documents take 60 MB."""


class KeptReads:
    """What stays read, of an index, of its views and of later ones together."""

    def __init__(self) -> None:
        self.operations = SharedReads[Operation](_KEPT)
        self.whole = SharedReads[Operation](_KEPT)
        self.traits = SharedReads[Traits](_KEPT)
        self.forms = SharedReads[OperationForm](_KEPT)
        self._held = WeakValueDictionary[ToolId, Operation]()
        self._traits_of = lru_cache(maxsize=_KEPT)(lambda same: traits_of(same.operation))
        self._form_of = lru_cache(maxsize=_KEPT)(_form_of)

    def operation_of(self, tool: Tool) -> Operation:
        """`read_operation` of the tool: what was made of it before, where it is kept and the tool is the same still."""
        found = self._held.get(tool.id)
        if found is None or found.tool != tool:
            found = self._held[tool.id] = read_operation(tool)
        return found

    def traits_of(self, operation: Operation) -> Traits:
        """`traits_of` the operation."""
        return self._traits_of(_Same(operation))

    def form_of(self, operation: Operation, contexts: frozenset[str], *, in_cents: bool) -> OperationForm:
        """`read_form` of the operation.

        Args:
            operation: With its inputs.
            contexts: Names of them that most calls of its server require.
            in_cents: As for `read_form`.
        """
        return self._form_of(_Same(operation), contexts, in_cents)


class _Same:
    """An operation that is equal to itself alone: values of it are found without a look at what it holds."""

    __slots__ = ("operation",)

    def __init__(self, operation: Operation) -> None:
        self.operation = operation

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.operation is self.operation

    def __hash__(self) -> int:
        return id(self.operation)


def _form_of(same: _Same, contexts: frozenset[str], in_cents: bool) -> OperationForm:
    return read_form(same.operation, is_context=contexts.__contains__, in_cents=in_cents)


class ReadOperations:
    """Tools read as operations.

    Nothing here holds the value itself: what does is never freed once the collector leaves it alone.

    Args:
        tools: They.
        kept: What stays read.
        read: A tool by its position, read alone.
        on_path_of: The tools of a tool's server and path, it included; of one without a path it alone.
    """

    def __init__(
        self,
        tools: Sequence[Tool],
        kept: KeptReads,
        read: Callable[[int], Operation],
        on_path_of: Callable[[int], Sequence[int]],
    ) -> None:
        self.tools = tools
        self.kept = kept
        self.read = read
        self.on_path_of = on_path_of

    @classmethod
    def of_all(
        cls, tools: Sequence[Tool], paths: PathKeys, kept: KeptReads | None = None
    ) -> "ReadOperations":
        """Of tools whose `PlanColumns.paths` are these.

        Args:
            tools: They.
            paths: Of each.
            kept: What stays read of an index before; nothing unless given.
        """
        kept = kept or KeptReads()
        operation_of = kept.operation_of
        read = kept.operations.of(lambda at: operation_of(tools[at]))
        return cls(tools, kept, read, lru_cache(maxsize=_KEPT)(_path_reader(tools, paths)))

    def seen(
        self, tools: Sequence[Tool], at: Positions, now: NewPlaces, as_seen: Callable[[Tool], Tool]
    ) -> "ReadOperations":
        """Of some of the tools.

        Args:
            tools: They, as they are seen.
            at: Where each stands among all, rising.
            now: Where each of all stands among them, -1 for one that is not seen.
            as_seen: A tool without what of it is hidden; itself where nothing is.
        """
        read_all, on_path_of_all = self.read, self.on_path_of
        altered = self.kept.operations.of(lambda one: read_operation(tools[one]))

        def read(one: int) -> Operation:
            found = read_all(int(at[one]))
            return found if as_seen(found.tool) is found.tool else altered(one)

        def on_path_of(one: int) -> Sequence[int]:
            found = on_path_of_all(int(at[one]))
            if len(found) == 1:
                return (one,)
            return tuple(place for place in now[[*found]].tolist() if place >= 0)

        return ReadOperations(tools, self.kept, read, on_path_of)

    def whole(self, at: int) -> Operation:
        """A tool, with the body of the PUT on its path where it is a PATCH that says nothing of its own."""
        operation = self.read(at)
        if operation.tool.method != "PATCH":
            return operation
        puts = [other for other in self.on_path_of(at) if self.tools[other].method == "PUT"]
        return with_body_of(operation, self.read(puts[-1])) if puts else operation

    def facts(self, at: int) -> PlanFacts:
        """The terms of a tool."""
        operation = self.read(at)
        values = said_values(map(self.read, self.on_path_of(at))) if operation.tool.path else ()
        return facts_of(operation, whole=self.whole(at), values=values)


def _path_reader(tools: Sequence[Tool], paths: PathKeys) -> Callable[[int], tuple[int, ...]]:
    order = np.argsort(paths, kind="stable")
    ordered = paths[order]

    def on_path(at: int) -> tuple[int, ...]:
        own = paths[at]
        if not own:
            return (at,)
        begin, end = ordered.searchsorted(own), ordered.searchsorted(own, "right")
        found = order[begin:end].tolist()
        if len(found) == 1:
            return (at,)
        here = (tools[at].server, tools[at].path)
        return tuple(one for one in found if (tools[one].server, tools[one].path) == here)

    return on_path
