"""What each caller's requests may use: the service's components, of which those that read give only what is visible."""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from app.domain.access.callers import Caller, CallerScope, is_operator
from app.domain.access.rules import Rule, RuleBook, Selectable, name_of_view
from app.domain.calling.calls import CallTarget
from app.errors import NotFoundError, NotReadyError, OutfitterError
from app.ports.servers import CallTargets
from app.ports.watching import FollowedSources
from app.service.components import Calls, Components
from app.usecases.index.snapshots import Snapshot
from app.usecases.plans.reach import CallReach
from app.usecases.seen.explorer import SeenExplorer
from app.usecases.seen.labelled import LabelledTools
from app.usecases.seen.provenance import Provenance, ProvenanceReader, read_provenance
from app.usecases.seen.sight import Sight, selectable, sight_of
from app.usecases.seen.snapshots import SeenSnapshots
from app.usecases.seen.workflows import SeenWorkflows

_log = logging.getLogger(__name__)
_MEGABYTE = 1_000_000
_BYTES_A_TOOL, _BYTES_A_SEEN_TOOL = 14, 50
"""Of a view, after queries and plans: for each tool of the catalogue its new places, how many hold its terms, and texts that
say something else; for each that is seen numbers and marks. Measured on 20,000 tools of which .3 are seen."""
_BYTES_A_VIEW = 40_000
_Key = tuple[tuple[Rule, ...] | None, bool, bool]
"""Their rules, and whether they have the scope of administrators, and that of calls."""


@dataclass(frozen=True, slots=True)
class World:
    """What one caller's requests use."""

    find: Components
    plan: Components
    """For plans: of what may be planned with."""


@dataclass(frozen=True, eq=False)
class _State:
    """One generation with who provides what in it, and the rules of now."""

    snapshot: Snapshot
    provenance: Provenance
    selectable: Selectable
    labelled: LabelledTools
    rules: RuleBook | None


class SeenTargets:
    """Tools as they are called, without hidden ones.

    Args:
        targets: All.
        sight: What is visible.
    """

    def __init__(self, targets: CallTargets, sight: Sight) -> None:
        self._targets = targets
        self._sight = sight

    def call_target(self, tool_id: str) -> CallTarget:
        """The visible tool with what a call of it needs.

        Raises:
            NotFoundError: no tool has the id, or it is hidden.
        """
        if not self._sight.sees_tool(tool_id):
            raise NotFoundError(f"no tool {tool_id!r}")
        return self._targets.call_target(tool_id)


class Worlds:
    """Makes a world per distinct set of rules, and keeps those that were asked for lately.

    A thread reads who provides what after each generation; until it has, answers come from the generation before.

    Args:
        components: Of the service: everything.
        graph: Is asked who provides what.
        rules: The rules of now; None where there is no file of them.
        refresh_s: Seconds between two looks.
        views_mb: Megabytes of all views together; the one that was asked last stays in any case.
    """

    def __init__(
        self,
        components: Components,
        graph: ProvenanceReader,
        rules: Callable[[], RuleBook | None],
        *,
        refresh_s: float,
        views_mb: int = 64,
    ) -> None:
        self._components = components
        self._graph = graph
        self._rules = rules
        self._most_bytes = views_mb * _MEGABYTE
        self._refresh_s = refresh_s
        self._everything = World(components, components)
        self._state: _State | None = None
        self._kept: OrderedDict[_Key, tuple[_State, World]] = OrderedDict()
        self._lock = threading.Lock()
        self._making: dict[_Key, threading.Lock] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="worlds", daemon=True)

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> bool:
        """End the thread. Safe to call twice."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def wait(self, timeout_s: float) -> bool:
        """Wait until it is known who provides what; False when the time is over."""
        end = time.monotonic() + timeout_s
        while self._state is None and time.monotonic() < end:
            time.sleep(0.01)
        return self._state is not None

    @property
    def is_known(self) -> bool:
        """Whether it is known who provides what, so that callers can be answered."""
        return self._state is not None

    def at_hand(self, caller: Caller) -> World | None:
        """The caller's world if it is made already; never waits."""
        if is_operator(caller):
            return self._everything
        state = self._current()
        if state is None:
            return None
        key = self._key(caller, state)
        with self._lock:
            found = self._kept.get(key)
            if found is None or found[0] is not state:
                return None
            self._kept.move_to_end(key)
            return found[1]

    def version(self, caller: Caller) -> object:
        """Something else as soon as the caller may see something else; makes no view."""
        if is_operator(caller):
            return self._components.keeper.generation
        state = self._current()
        return None if state is None else (state.provenance.generation, self._key(caller, state))

    @property
    def everything(self) -> Components:
        """What the operator's requests use."""
        return self._components

    def selecting(self, caller: Caller) -> tuple[tuple[Rule, ...], Selectable] | None:
        """The rules about a caller and what they select from; None where there are no rules."""
        state = self._current()
        return None if state is None or state.rules is None else (state.rules.of(caller), state.selectable)

    def of(self, caller: Caller) -> World:
        """The caller's world; takes as long as a view takes to be made: call it in a worker's thread.

        Raises:
            NotReadyError: nothing is loaded yet.
        """
        found = self.at_hand(caller)
        if found is not None:
            return found
        state = self._current()
        if state is None:
            raise NotReadyError(
                "no tools are loaded yet: who provides what is being read; ask again in a moment"
            )
        key = self._key(caller, state)
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        # Of those who wait for the same view one makes it.
        with making:
            found = self.at_hand(caller)
            if found is not None:
                return found
            world = self._made(state, key)
        with self._lock:
            self._making.pop(key, None)
            self._kept[key] = (state, world)
            self._kept.move_to_end(key)
            self._forget(state)
        return world

    def look(self) -> bool:
        """Take in what is new; whether answers are of the service's generation now.

        Raises:
            OutfitterError: the graph does not answer.
        """
        snapshot, rules = self._components.keeper.current, self._rules()
        state = self._state
        if snapshot is None:
            return False
        generation = snapshot.index.generation
        if state is None or state.snapshot is not snapshot:
            # Here, so that nobody who asks waits for it.
            snapshot.index.prepare_views()
        if state is None or state.provenance.generation != generation:
            provenance = read_provenance(self._graph, state.provenance if state else None)
            snapshot = self._components.keeper.current or snapshot
            if provenance is None or provenance.generation != snapshot.index.generation:
                return False
            index = snapshot.index
            labelled = LabelledTools(
                index.catalogue.tools,
                index.positions,
                state.labelled if state else None,
                provenance.changed,
            )
            _infer(labelled, rules)
            world = selectable(index, provenance, labelled)
            self._state = _State(snapshot, provenance, world, labelled, rules)
        elif state.snapshot is not snapshot:
            world = replace(state.selectable, categories=snapshot.index.categories)
            self._state = replace(state, snapshot=snapshot, selectable=world, rules=rules)
        elif state.rules is not rules:
            _infer(state.labelled, rules)
            self._state = replace(state, rules=rules)
        return True

    def _current(self) -> _State | None:
        """What answers come from; rules are those of now, whenever the thread looks."""
        state, rules = self._state, self._rules()
        if state is not None and state.rules is not rules:
            state = self._state = replace(state, rules=rules)
        return state

    def _key(self, caller: Caller, state: _State) -> _Key:
        rules = state.rules.of(caller) if state.rules is not None else None
        return rules, CallerScope.ADMIN in caller.scopes, CallerScope.CALL in caller.scopes

    def _forget(self, state: _State) -> None:
        for key in [key for key, (of, _) in self._kept.items() if of is not state]:
            del self._kept[key]
        total = 0
        every = state.snapshot.index
        for key, (_, world) in reversed(list(self._kept.items())):
            of_both = {id(one): one for one in (world.find.keeper.index, world.plan.keeper.index)}
            total += sum(
                _bytes_of(len(every.positions), len(index.positions))
                for index in of_both.values()
                if index is not every
            )
            if total > self._most_bytes and len(self._kept) > 1:
                del self._kept[key]

    def _made(self, state: _State, key: _Key) -> World:
        rules, is_admin, has_calls = key
        sight = sight_of(state.snapshot.index, state.provenance, state.selectable, rules, is_admin=is_admin)
        if is_admin and not sight.is_ruled:
            return self._everything
        if sight.is_ruled and not has_calls:
            sight = replace(sight, callable_ids=frozenset())
        return seen_world(self._components, sight, state.snapshot, is_closed=has_calls)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self.look()
            except OutfitterError as error:
                _log.debug("views wait", extra={"problem": str(error)})
            except Exception:  # noqa: BLE001 - a thread that ends unseen would keep old views for ever
                _log.exception("views are not brought up to date: a defect")
            self._stopping.wait(self._refresh_s)


async def world_of(worlds: Worlds, caller: Caller, components: Components) -> World:
    """The caller's world; one that has to be made is made in a thread.

    Raises:
        NotReadyError: nothing is loaded yet.
    """
    found = worlds.at_hand(caller)
    if found is not None:
        return found
    return await components.memory_workers.run(lambda: worlds.of(caller))


def _infer(labelled: LabelledTools, rules: RuleBook | None) -> None:
    """Here, so that nobody who asks waits for it; nothing where no rule names a label."""
    if rules is not None and rules.names_labels:
        labelled()


def _bytes_of(tools: int, seen: int) -> int:
    return _BYTES_A_VIEW + _BYTES_A_TOOL * tools + _BYTES_A_SEEN_TOOL * seen


def seen_world(components: Components, sight: Sight, snapshot: Snapshot, *, is_closed: bool = True) -> World:
    """The components through which one sees only what a sight has.

    Args:
        components: Of everything.
        sight: What is visible.
        snapshot: The generation that it is of.
        is_closed: Whether plans are closed over what can be called, where calls are passed on.
    """
    reach = CallReach(
        callable_ids=sight.callable_ids,
        down=components.reach.down,
        is_ruled=sight.is_ruled,
        is_closed=sight.is_ruled and is_closed and components.calls is not None,
        refuses_high_flows=sight.refuses_high_flows,
    )
    components = replace(components, reach=reach)
    find = _seen(components, sight, snapshot)
    if sight.planning is sight.index:
        return World(find, find)
    return World(find, _seen(components, replace(sight, index=sight.planning), snapshot))


def _seen(components: Components, sight: Sight, snapshot: Snapshot) -> Components:
    watched = components.watched
    return replace(
        components,
        keeper=SeenSnapshots(components.keeper, sight.index, snapshot, is_admin=sight.is_admin),
        # Its statements go over all tools of a seed; the index of what is visible gives the same sums.
        graph=None if sight.is_ruled else components.graph,
        explorer=SeenExplorer(components.explorer, sight),
        workflows=components.workflows.seen_through(SeenWorkflows(components.workflows.graph, sight)),
        calls=_calls(components.calls, sight),
        watched=None if watched is None else _watched(watched, sight),
    )


def _calls(calls: Calls | None, sight: Sight) -> Calls | None:
    if calls is None:
        return None
    ids = sight.callable_ids
    may_call = (lambda _: True) if ids is None else ids.__contains__
    caller = replace(
        calls.caller,
        targets=SeenTargets(calls.caller.targets, sight),
        may_call=may_call,
        rule_of=sight.rule_of_call,
        guards=sight.guards_call,
        view=name_of_view(sight.rules) if sight.is_ruled else "",
    )
    return replace(calls, caller=caller)


def _watched(watched: FollowedSources, sight: Sight) -> FollowedSources:
    return lambda: tuple(one for one in watched() if sight.sees_source(one.source))


_: type[CallTargets] = SeenTargets
