"""The service over HTTP: its routes, who may ask, and what they answer from."""

import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from functools import partial
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from starlette.responses import Response

from app.api import bodies, docs, problems
from app.api.access import Access, Policy, host_name
from app.api.admission import CHECKING
from app.api.routes import (
    browse,
    explain,
    health,
    neighbours,
    plan,
    plan_edits,
    query,
    reviews,
    sources,
    tools,
    unmet,
    workflows,
)
from app.api.routes.mcp import mcp_route
from app.api.routes.resource_metadata import metadata_router
from app.domain.access.buckets import CallerBounds, CallerUse
from app.domain.calling.addresses import is_loopback_name
from app.errors import ServeRefusedError
from app.roots.audit import denied
from app.roots.callers import NO_FILES, AccessFiles, read_access_files, with_local_token
from app.roots.calls import check_proxy
from app.roots.lexicon import use_lexicon
from app.roots.mcp import opened_endpoint
from app.roots.service import service_components
from app.roots.telemetry.opened import opened_telemetry
from app.service.components import Components
from app.service.metrics import Metrics
from app.service.workers import Workers
from app.service.worlds import Worlds
from app.settings import Settings
from app.usecases.plans.editing import ChoicesRequest, EditRequest
from app.usecases.questions import ExplainRequest, PlanRequest, SearchRequest
from app.web.assembly import to_pages, web_router
from app.web.parts.browser_link import neo4j_link
from app.web.public import public_address
from app.web.routes import defect_page
from app.web.session import SignedIn
from app.web.visits import Face

MIN_TOKEN_CHARS = 20
"""80 bits where each is one of 16; a token of fewer can be guessed by asking."""
_LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})

DESCRIPTION = """
Which tools fit a request, and why: **POST /v1/query**. Which calls a goal takes, in which order, with which inputs:
**POST /v1/plan**.

Errors are problem documents (RFC 9457). An answer names the `generation` of the graph that it comes from;
each ingest that changes something makes the next one. `X-Request-ID` is accepted, echoed and logged.
"""


def create_app(
    open_components: Callable[[Metrics], AbstractContextManager[Components]],
    *,
    policy: Policy,
    max_body_bytes: int,
    metrics: Metrics | None = None,
    face: Face | None = None,
) -> FastAPI:
    """Build the service.

    Args:
        open_components: entered at start-up and left at shutdown; tests pass one that yields fakes.
        policy: who may ask.
        max_body_bytes: larger bodies are refused.
        metrics: counters to use; new ones unless given.
        face: what the pages need; None: there are no pages.
    """
    metrics = metrics or Metrics()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, Any]]:
        with (
            open_components(metrics) as components,
            opened_worlds(components, policy) as worlds,
            opened_token_workers(policy) as token_workers,
        ):
            async with opened_endpoint(
                components, max_body_bytes=max_body_bytes, token=not policy.is_open, worlds=worlds
            ) as opened:
                app.state.end_streams = opened.end_streams
                state = {"components": components, "mcp": opened.endpoint, "token_workers": token_workers}
                seen = {
                    "worlds": worlds,
                    "callers": policy.callers,
                    "rules": policy.rules,
                    "read_at": policy.read_at,
                }
                yield state if worlds is None else {**state, **seen}

    app = FastAPI(
        title="Outfitter",
        version=version("outfitter"),
        description=DESCRIPTION,
        lifespan=lifespan,
        # Spans and times go through `sent_spans`, whatever the framework's own variable says: its logs hold exceptions, and
        # its spans of operations are more than ours.
        telemetry={"auto_configure": False, "logs": False, "operation_spans": False},
        # `docs` has a page that loads nothing from elsewhere.
        docs_url=None,
        redoc_url=None,
    )
    app.state.end_streams = lambda: None
    app.state.face = face
    problems.install(app)
    for resource in (
        query,
        explain,
        plan,
        plan_edits,
        workflows,
        tools,
        browse,
        neighbours,
        sources,
        reviews,
        unmet,
        health,
        docs,
    ):
        app.include_router(resource.router)
    if face is not None:
        app.include_router(web_router())
        app.add_api_route("/", to_pages, include_in_schema=False)
        app.add_exception_handler(Exception, _of_a_defect)
    app.router.routes.append(mcp_route)
    if policy.issuer is not None:
        app.include_router(metadata_router(policy.issuer.resource))
    app.add_middleware(Access, policy=policy, max_body_bytes=max_body_bytes, metrics=metrics)
    bodies.complete(
        app,
        SearchRequest,
        ExplainRequest,
        PlanRequest,
        EditRequest,
        ChoicesRequest,
        plan_edits.PlanBody,
        workflows.NewWorkflow,
        workflows.WorkflowRequest,
        reviews.DecisionRequest,
        token=not policy.is_open,
    )
    return app


async def _of_a_defect(request: Request, error: Exception) -> Response:
    return defect_page(request, await problems.of_a_defect(request, error))


@contextmanager
def opened_worlds(components: Components, policy: Policy) -> Iterator[Worlds | None]:
    """What each caller sees, kept up to date; None where nobody but the operator asks."""
    if not policy.has_callers or components.provenance is None:
        yield None
        return
    worlds = Worlds(
        components,
        components.provenance,
        policy.rules or (lambda: None),
        refresh_s=components.limits.refresh_s,
        views_mb=components.limits.views_mb,
    )
    worlds.start()
    try:
        yield worlds
    finally:
        worlds.stop()


@contextmanager
def opened_token_workers(policy: Policy) -> Iterator[Workers | None]:
    """The threads that check tokens of an issuer; None where there is no issuer."""
    if policy.issuer is None:
        yield None
        return
    workers = Workers(CHECKING, name="tokens")
    try:
        yield workers
    finally:
        workers.close()


def production() -> FastAPI:
    """Build the service from the environment: `uvicorn --factory app.roots.http:production`.

    Limits of headers, times and connections are those of the server: `outfitter serve` brings its own, and others
    have to be given theirs.

    Raises:
        InvalidInputError: OUTFITTER_LEXICON names a file; here words are in use already.
    """
    use_lexicon()
    settings = with_local_token(Settings())
    files = read_access_files(settings)

    @contextmanager
    def opened(metrics: Metrics) -> Iterator[Components]:
        with (
            opened_telemetry(settings),
            service_components(settings, metrics, files.audit) as components,
            files.opened(),
        ):
            yield components

    return create_app(
        opened,
        policy=policy_of(settings, files),
        max_body_bytes=settings.max_body_bytes,
        face=face_of(settings, files),
    )


def policy_of(settings: Settings, files: AccessFiles = NO_FILES) -> Policy:
    """Who may ask at the address of the settings.

    Args:
        settings: Of the service.
        files: Of callers and policies.

    Raises:
        ServeRefusedError: others can reach the address, or calls are passed on, and there is no token; or it is
            one that can be guessed or never matches.
    """
    token = _token(settings)
    if settings.proxy:
        check_proxy(settings, stdio=False)
    loopback = is_loopback_name(settings.host)
    if not loopback and not token and files.callers is None and files.issuer is None:
        raise ServeRefusedError(
            f"host {settings.host!r} can be reached by others: set OUTFITTER_API_TOKEN to the bearer token that they"
            " need, OUTFITTER_CALLERS to a file of callers, or OUTFITTER_OIDC_ISSUER to an issuer of tokens, or serve on"
            " 127.0.0.1"
        )
    extra = frozenset(host.lower() for host in settings.allowed_hosts)
    public = {public_address(settings.public_url).host} if settings.public_url is not None else set()
    if files.issuer is not None:
        public.add(host_name(urlsplit(files.issuer.trusted.resource.url).netloc))
    # Behind a name of its own a page of the web cannot send the token; on loopback there may be none.
    hosts = _LOOPBACK_HOSTS | extra | public if loopback else (extra | public if extra else None)
    return Policy(
        token=token,
        hosts=hosts,
        pages=settings.ui,
        callers=files.callers.current if files.callers else None,
        rules=files.policies.current if files.policies else None,
        issuer=files.issuer.trusted if files.issuer else None,
        denied=partial(denied, files.audit) if files.audit else None,
        read_at=files.read_at if files.callers or files.issuer else None,
        used=files.uses.used if files.uses else None,
        use=CallerUse(bounds_of(settings), now=time.monotonic) if files.callers or files.issuer else None,
    )


def bounds_of(settings: Settings) -> CallerBounds:
    """What each caller may ask for."""
    return CallerBounds(
        requests_s=settings.caller_requests_s,
        burst=settings.caller_burst,
        calls_s=settings.caller_calls_s,
        at_once=settings.caller_at_once,
    )


def face_of(settings: Settings, files: AccessFiles = NO_FILES) -> Face | None:
    """What the pages need; None where they are switched off.

    Raises:
        ServeRefusedError: OUTFITTER_PUBLIC_URL is no address, or a token or key can be guessed.
    """
    if not settings.ui:
        return None
    token = _token(settings)
    public = public_address(settings.public_url) if settings.public_url is not None else None
    neo4j = neo4j_link(settings.neo4j_uri, settings.neo4j_database, settings.neo4j_browser_url)
    if token is None and files.callers is None and files.issuer is None:
        return Face(public=public, neo4j=neo4j)
    # Without either, cookies are good for as long as the process runs.
    key = settings.ui_key.get_secret_value().strip() if settings.ui_key else token or secrets.token_hex(32)
    if len(key) < MIN_TOKEN_CHARS:
        raise ServeRefusedError(
            f"OUTFITTER_UI_KEY has {len(key)} characters; accepted: {MIN_TOKEN_CHARS} or more, for example of:"
            " openssl rand -hex 32"
        )
    callers = files.callers.current if files.callers else None
    used = files.uses.used if files.uses else None
    return Face(
        signed_in=SignedIn(token=token, key=key, callers=callers, used=used), public=public, neo4j=neo4j
    )


def _token(settings: Settings) -> str | None:
    given = settings.api_token.get_secret_value() if settings.api_token else ""
    if not given:
        return None
    # Read from a file it ends with a line end, which no header has.
    token = given.strip()
    if len(token) < MIN_TOKEN_CHARS or not (token.isascii() and token.isprintable()):
        raise ServeRefusedError(
            f"OUTFITTER_API_TOKEN has {len(token)} characters, white space around it left out; accepted:"
            f" {MIN_TOKEN_CHARS} or more printable ASCII characters, for example of: openssl rand -hex 32"
        )
    return token
