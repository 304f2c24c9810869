"""Who may ask and what they may see, as the files of the settings and the issuer that they name say."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.adapters.access_files.callers import read_callers
from app.adapters.access_files.followed import FollowedFile
from app.adapters.access_files.policies import read_policies
from app.adapters.audit_file import AuditFile
from app.domain.access.callers import Caller, CallerList, CallerScope, CameBy, operator
from app.domain.access.rules import RuleBook
from app.errors import InvalidInputError, NotReadyError, ServeRefusedError
from app.roots.audit import audit_file, write_down
from app.roots.issuer import OpenIdIssuer, read_issuer
from app.settings import Settings

if TYPE_CHECKING:
    from app.adapters.graph.store import GraphStore
    from app.domain.access.rules import Selectable
    from app.usecases.index.search_index import SearchIndex
    from app.usecases.plans.reach import CallReach
    from app.usecases.rankings.consistent import ConsistentGraph
    from app.usecases.seen.provenance import Provenance
    from app.usecases.seen.sight import Sight


@dataclass(frozen=True, slots=True)
class AccessFiles:
    """The files, read; None where a setting names none."""

    callers: FollowedFile[CallerList] | None
    policies: FollowedFile[RuleBook] | None
    issuer: OpenIdIssuer | None = None
    """Whose tokens are accepted over HTTP."""
    audit: AuditFile | None = None
    """Where it is written down what becomes of them; None where neither is set and no calls are passed on."""

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Read them again when they change."""
        if self.audit is not None:
            write_down(self.audit, callers=self.callers, policies=self.policies)
        files = [one for one in (self.callers, self.policies) if one is not None]
        for one in files:
            one.start()
        try:
            yield
        finally:
            for one in files:
                one.stop()

    @contextmanager
    def opened(self) -> Iterator[None]:
        """For a service over HTTP: follow the files, and the keys of the issuer."""
        with self.followed():
            if self.issuer is not None:
                self.issuer.keys.start()
            try:
                yield
            finally:
                if self.issuer is not None:
                    self.issuer.keys.stop()


NO_FILES: Final = AccessFiles(None, None)


def read_access_files(settings: Settings) -> AccessFiles:
    """The files of the settings, and the issuer.

    Raises:
        ServeRefusedError: one of them is broken, or there are policies and nobody whom they are about.
    """
    issuer = read_issuer(settings)
    if settings.policies is not None and settings.callers is None and issuer is None:
        raise ServeRefusedError(
            "OUTFITTER_POLICIES is set and OUTFITTER_CALLERS is not: policies are about callers; set it to a file of"
            " them (`outfitter token new NAME` writes one), or OUTFITTER_OIDC_ISSUER to an issuer of tokens"
        )
    try:
        callers = FollowedFile(settings.callers, read_callers) if settings.callers else None
        policies = FollowedFile(settings.policies, read_policies) if settings.policies else None
    except InvalidInputError as error:
        raise ServeRefusedError(str(error)) from error
    identified = callers is not None or issuer is not None
    audit = audit_file(settings) if settings.proxy or identified else None
    return AccessFiles(callers, policies, issuer=issuer, audit=audit)


def stdio_caller(settings: Settings, files: AccessFiles) -> Caller:
    """Who asks over stdin: MCP takes the identity from the environment there.

    Raises:
        ServeRefusedError: the setting names nobody.
    """
    name = settings.stdio_caller
    if not name:
        return operator(CameBy.STDIO)
    if files.callers is None:
        raise ServeRefusedError(
            "OUTFITTER_STDIO_CALLER is set and OUTFITTER_CALLERS is not: set it to the file of callers"
        )
    entry = files.callers.current().named(name)
    if entry is None:
        raise ServeRefusedError(
            f"OUTFITTER_STDIO_CALLER: no caller {name!r} in {settings.callers}; accepted: a name of that file"
        )
    return entry.caller(CameBy.STDIO)


def read_world(graph: "GraphStore", index: "SearchIndex") -> "tuple[Provenance, Selectable]":
    """Who provides what in the graph, and what rules select from.

    Raises:
        NotReadyError: an ingest was at work meanwhile.
    """
    from app.usecases.seen.provenance import read_provenance
    from app.usecases.seen.sight import selectable

    provenance = read_provenance(graph, None)
    if provenance is None or provenance.generation != index.generation:
        raise NotReadyError("the graph was written meanwhile; ask again")
    return provenance, selectable(index, provenance)


def graph_as(
    settings: Settings, graph: "GraphStore", index: "SearchIndex", name: str | None
) -> "ConsistentGraph":
    """What answers come from, for a caller of the file; everything where none is named.

    Raises:
        InvalidInputError: a file is broken, or names no such caller.
        NotReadyError: an ingest was at work meanwhile.
    """
    from app.usecases.rankings.consistent import ConsistentGraph

    if name is None:
        return ConsistentGraph(index, graph)
    return ConsistentGraph(_sight_of(settings, graph, index, _listed(settings, name)).index)


def plan_as(
    settings: Settings, graph: "GraphStore", index: "SearchIndex", name: str | None
) -> "tuple[ConsistentGraph, CallReach]":
    """What plans come from, and what of it can be called, for a caller of the file; everything where none is named.

    Raises:
        InvalidInputError: a file is broken, or names no such caller.
        NotReadyError: an ingest was at work meanwhile.
    """
    from app.usecases.plans.reach import CallReach, Outages
    from app.usecases.rankings.consistent import ConsistentGraph

    down = Outages(graph).down
    if name is None:
        return ConsistentGraph(index, graph), CallReach(down=down)
    caller = _listed(settings, name)
    sight = _sight_of(settings, graph, index, caller)
    may_call = CallerScope.CALL in caller.scopes
    reach = CallReach(
        callable_ids=sight.callable_ids if may_call or not sight.is_ruled else frozenset(),
        down=down,
        is_ruled=sight.is_ruled,
        is_closed=sight.is_ruled and may_call and settings.proxy,
    )
    return ConsistentGraph(sight.planning), reach


def _listed(settings: Settings, name: str) -> Caller:
    if settings.callers is None:
        raise InvalidInputError("--as: there is no file of callers; accepted: with OUTFITTER_CALLERS")
    entry = read_callers(settings.callers).named(name)
    if entry is None:
        raise InvalidInputError(
            f"--as: no caller {name!r} in {settings.callers}; `outfitter token list` lists them"
        )
    return entry.caller()


def _sight_of(settings: Settings, graph: "GraphStore", index: "SearchIndex", caller: Caller) -> "Sight":
    from app.usecases.seen.sight import sight_of

    rules = read_policies(settings.policies).of(caller) if settings.policies else None
    provenance, world = read_world(graph, index)
    return sight_of(index, provenance, world, rules, is_admin=False)
