"""A visit: a request for a page, by somebody who may see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeVar, cast

from fastapi import Depends, Request
from starlette.responses import Response

from app.domain.access.callers import Caller, CallerScope, CameBy, operator
from app.domain.calling.addresses import is_loopback_name
from app.domain.workflows.owners import ANYBODY, Changer, changer_of
from app.errors import NotPermittedError, OutfitterError
from app.service.components import Components
from app.service.worlds import world_of
from app.web.addresses import State, fields_of
from app.web.drawing import drawn
from app.web.forged import is_forged
from app.web.frame import Frame, ServiceState
from app.web.parts.browser_link import Neo4jLink
from app.web.public import PublicAddress
from app.web.session import COOKIE, SignedIn
from app.web.twins import Twin

S = TypeVar("S", bound=State)
_READS = frozenset({"GET", "HEAD"})
_PLANNING = frozenset({"plan", "plans"})
"""Pages of which the answers come from what may be planned with."""
_ANYBODY = operator(CameBy.LOCAL)


class SignInNeededError(OutfitterError):
    """Whoever asks is not signed in."""


class ForgedRequestError(OutfitterError):
    """A change that no page of ours asked for."""


@dataclass(frozen=True, slots=True)
class Face:
    """What the pages need beside what the service answers from."""

    signed_in: SignedIn | None = None
    """None: everybody who reaches the address may look."""
    public: PublicAddress | None = None
    neo4j: Neo4jLink | None = None
    """Where the graph can be looked at with Neo4j Browser; None: nowhere."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Who looks, and at what."""

    request: Request
    components: Components
    face: Face
    caller: str
    """Id; empty on the pages that need no signing in."""
    groups: tuple[str, ...] = ()
    changer: Changer = ANYBODY
    """Who changes workflows, on pages that need signing in."""

    @property
    def base(self) -> str:
        """Where the pages begin: `/ui`, behind the prefix of a proxy."""
        return f"{self._prefix}/ui"

    @property
    def _prefix(self) -> str:
        if self.face.public is not None:
            return self.face.public.prefix
        return str(self.request.scope.get("root_path", "")).rstrip("/")

    @property
    def service(self) -> str:
        """The address of the service, as a caller would write it."""
        if self.face.public is not None:
            return self.face.public.origin + self.face.public.prefix
        url = self.request.url
        return f"{url.scheme}://{url.netloc}{self._prefix}"

    @property
    def secure(self) -> bool:
        """Whether the browser reaches us by TLS."""
        public = self.face.public
        return public.secure if public is not None else self.request.url.scheme == "https"

    @property
    def as_json(self) -> bool:
        """The page's document is asked for, not the page."""
        return str(getattr(self.request.scope.get("route"), "path", "")).endswith(".json")

    @property
    def fragment(self) -> bool:
        """Only the main part of the page is asked for, by our own script."""
        return self.request.headers.get("x-fragment") == "1"

    def state(self, model: type[S]) -> S:
        """What the address says.

        Raises:
            InvalidInputError: a value is not what is accepted.
        """
        return model.of(self.request.url.query)

    async def form(self) -> Mapping[str, str]:
        """The fields of the form that was sent, the last one of a name.

        Raises:
            InvalidInputError: there are more than any page has.
        """
        body = (await self.request.body()).decode("utf-8", "replace")
        return {name: values[-1] for name, values in fields_of(body).items()}

    def page(
        self,
        template: str,
        *,
        title: str,
        here: str = "",
        twins: Sequence[Twin] = (),
        live: str = "",
        retry_s: int = 0,
        status: int = 200,
        **document: object,
    ) -> Response:
        """The page, or its main part where that is asked for. Takes milliseconds: call it in a worker's thread.

        Args:
            template: Its file.
            title: Its name in the browser.
            here: Its name in the navigation.
            twins: The REST calls that give the same, the one that `.json` gives first.
            live: What to say to those who do not see the page change.
            retry_s: When to ask again by itself; 0: never.
            status: A fragment is always 200: browsers write every other one to the console.
            document: What the template draws.
        """
        token = self.face.signed_in is not None
        frame = Frame(
            base=self.base,
            here=here,
            title=title,
            fragment=self.fragment,
            state=self._state(),
            can_leave=token and bool(self.caller),
            in_clear=not self.secure and not is_loopback_name(self.request.url.hostname or ""),
            json_address=self._json_address() if twins else "",
            curls=[twin.curl(self.service, token=token) for twin in twins],
            live=live,
            retry_s=retry_s,
        )
        gzipped = "gzip" in self.request.headers.get("accept-encoding", "")
        return drawn(template, frame, gzipped=gzipped, status=200 if self.fragment else status, **document)

    def _state(self) -> ServiceState:
        """How the service is; who is not known learns nothing of it where callers see different things."""
        state = self.request.state
        if getattr(state, "worlds", None) is not None and getattr(state, "world", None) is None:
            return ServiceState(generation=None, tools=0, graph_away=False, writing=False)
        return ServiceState.of(self.components)

    def document(self, content: bytes | str) -> Response:
        """The page's document, as its twin gives it."""
        return Response(content, media_type="application/json")

    def leads_to(self, *address: str) -> Response:
        """An answer that leads to another page, after a form was sent."""
        return Response(status_code=303, headers={"Location": "/".join([self.base, *address])})

    def _json_address(self) -> str:
        # As it came, escaped slashes and all.
        raw = self.request.scope.get("raw_path") or self.request.scope["path"].encode()
        _, _, below = raw.decode("latin-1").partition("/ui/")
        query = self.request.url.query
        address = f"{self.base}/{below or 'overview'}.json"
        return f"{address}?{query}" if query else address


def open_visit(request: Request) -> Visit:
    """A visit of a page that needs no signing in.

    Raises:
        ForgedRequestError: a change that was not asked for by one of our pages.
    """
    components = cast("Components", request.state.components)
    visit = Visit(request, components, cast("Face", request.app.state.face), "")
    if request.method not in _READS:
        public = visit.face.public
        origin = public.origin if public is not None else None
        if is_forged(request.headers, host=request.headers.get("host", ""), origin=origin):
            raise ForgedRequestError(
                "this was not sent by a page of this service; accepted: forms of the pages themselves"
            )
    return visit


def caller_of(visit: Visit) -> Caller | None:
    """Who is signed in; None for nobody. Looked at again with each request."""
    signed_in = visit.face.signed_in
    return _ANYBODY if signed_in is None else signed_in.caller(visit.request.cookies.get(COOKIE, ""))


def scopes_of_page(method: str, path: str) -> frozenset[CallerScope]:
    """What a page takes, by its address below /ui; a change of a workflow as much as over REST."""
    first = path.partition("/ui/")[2].partition("/")[0].removesuffix(".json")
    if first in ("unmet", "reviews"):
        return frozenset({CallerScope.ADMIN})
    if first == "workflows" and method not in _READS:
        return frozenset({CallerScope.WORKFLOWS})
    return frozenset({CallerScope.PLAN if first in _PLANNING else CallerScope.FIND})


# `async`, though they await nothing: FastAPI would give a `def` to a thread.
async def _open_visit(request: Request) -> Visit:
    return open_visit(request)


async def _visit(request: Request) -> Visit:
    visit = open_visit(request)
    caller = caller_of(visit)
    if caller is None:
        raise SignInNeededError("sign in first")
    enter_page = getattr(request.state, "enter_page", None)
    if enter_page is not None:
        enter_page(caller)
    components = visit.components
    worlds = getattr(request.state, "worlds", None)
    if worlds is not None:
        world = request.state.world = await world_of(worlds, caller, components)
        needed = scopes_of_page(request.method, request.url.path)
        # Also for the page that says why another one is not given.
        components = request.state.components = world.plan if CallerScope.PLAN in needed else world.find
        if caller.lacks(needed):
            listed = ", ".join(sorted(needed))
            raise NotPermittedError(f"{caller.name} lacks a scope; this page takes {listed}")
    groups = tuple(sorted(caller.groups))
    return Visit(visit.request, components, visit.face, caller.id, groups, changer_of(caller))


OpenVisitDep = Annotated[Visit, Depends(_open_visit)]
VisitDep = Annotated[Visit, Depends(_visit)]
"""Of whoever is signed in."""
