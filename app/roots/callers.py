"""Who may ask and what they may see, as the files of the settings and the issuer that they name say."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import SecretStr

from app.adapters.access_files.callers import read_callers
from app.adapters.access_files.followed import FollowedFile
from app.adapters.access_files.local_token import FILE_NAME, local_token
from app.adapters.access_files.policies import read_policies
from app.adapters.audit_file import AuditFile
from app.domain.access.asked_for import caller_asked_for
from app.domain.access.callers import Caller, CallerList, CallerScope, CameBy, operator
from app.domain.access.rules import RuleBook
from app.domain.access.times import AccessTimes
from app.domain.calling.addresses import is_loopback_name
from app.errors import InvalidInputError, NotReadyError, ServeRefusedError
from app.roots.audit import audit_file, used, write_down
from app.roots.issuer import OpenIdIssuer, read_issuer
from app.service.token_uses import TokenUses
from app.settings import Settings

if TYPE_CHECKING:
    from app.adapters.graph.store import GraphStore
    from app.domain.access.rules import Selectable
    from app.usecases.index.search_index import SearchIndex
    from app.usecases.plans.reach import CallReach
    from app.usecases.rankings.consistent import ConsistentGraph
    from app.usecases.seen.provenance import Provenance
    from app.usecases.seen.sight import Sight
    from app.usecases.standing.withheld import Withholding


@dataclass(frozen=True, slots=True)
class AccessFiles:
    """The files, read; None where a setting names none."""

    callers: FollowedFile[CallerList] | None
    policies: FollowedFile[RuleBook] | None
    issuer: OpenIdIssuer | None = None
    """Whose tokens are accepted over HTTP."""
    audit: AuditFile | None = None
    """Where it is written down what becomes of them; None where neither is set and no calls are passed on."""

    uses: TokenUses | None = None
    """Notes there when tokens of the file were used last."""

    def read_at(self) -> AccessTimes:
        """When they were read, and the keys of the issuer."""
        return AccessTimes(
            callers=self.callers.read_at if self.callers else None,
            policies=self.policies.read_at if self.policies else None,
            keys=self.issuer.keys.read_at if self.issuer else None,
        )

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
            if self.uses is not None:
                self.uses.close()

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
    uses = TokenUses(partial(used, audit)) if callers is not None and audit is not None else None
    return AccessFiles(callers, policies, issuer=issuer, audit=audit, uses=uses)


def with_local_token(settings: Settings) -> Settings:
    """The settings of a service over HTTP, with the token of its file where they ask for that and nothing else says who may ask.

    Raises:
        ServeRefusedError: others may read the file, or it cannot be made.
    """
    given = settings.api_token.get_secret_value() if settings.api_token else ""
    is_said = given or settings.callers is not None or settings.oidc_issuer
    if not settings.local_token or is_said or not is_loopback_name(settings.host):
        return settings
    try:
        token = local_token(local_token_path(settings))
    except InvalidInputError as error:
        raise ServeRefusedError(f"OUTFITTER_LOCAL_TOKEN: {error}") from error
    return settings.model_copy(update={"api_token": SecretStr(token)})


def local_token_path(settings: Settings) -> Path:
    """Where the token of loopback lies."""
    return settings.data_dir / FILE_NAME


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
    caller = _listed(settings, name, takes=CallerScope.FIND)
    return ConsistentGraph(_sight_of(settings, graph, index, caller).index)


def withholding_as(
    settings: Settings, graph: "GraphStore", index: "SearchIndex", name: str | None, tool_id: str
) -> "Withholding":
    """What may keep a tool from a caller of the file; from anybody where none is named.

    Raises:
        InvalidInputError: a file is broken, or names no such caller.
        NotReadyError: an ingest was at work meanwhile.
    """
    from app.usecases.plans.reach import Outages
    from app.usecases.standing.withheld import Withholding

    reviews, down = graph.found_reviews([tool_id]), Outages(graph).down()
    if name is None:
        return Withholding(index, reviews=reviews, down=down)
    sight = _sight_of(settings, graph, index, _listed(settings, name, takes=CallerScope.FIND))
    return Withholding(sight.index, sight.rules, sight.world, reviews, down)


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
    caller = _listed(settings, name, takes=CallerScope.PLAN)
    sight = _sight_of(settings, graph, index, caller)
    may_call = CallerScope.CALL in caller.scopes
    reach = CallReach(
        callable_ids=sight.callable_ids if may_call or not sight.is_ruled else frozenset(),
        down=down,
        is_ruled=sight.is_ruled,
        is_closed=sight.is_ruled and may_call and settings.proxy,
        refuses_high_flows=sight.refuses_high_flows,
    )
    return ConsistentGraph(sight.planning), reach


def _listed(settings: Settings, name: str, *, takes: CallerScope) -> Caller:
    listed = read_callers(settings.callers) if settings.callers else None
    book = read_policies(settings.policies) if settings.policies else None
    try:
        return caller_asked_for(name, listed, book, takes=takes)
    except InvalidInputError as error:
        raise InvalidInputError(f"--as: {error}") from error


def _sight_of(settings: Settings, graph: "GraphStore", index: "SearchIndex", caller: Caller) -> "Sight":
    from app.usecases.seen.sight import sight_of

    rules = read_policies(settings.policies).of(caller) if settings.policies else None
    provenance, world = read_world(graph, index)
    return sight_of(index, provenance, world, rules, is_admin=False)
