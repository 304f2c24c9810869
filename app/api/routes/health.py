"""GET /healthz, /readyz, /v1/status, /metrics."""

from collections.abc import Callable
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, Field

from app.answers.status import AccessStatus, StatusAnswer
from app.api.dependencies import ComponentsDep
from app.api.problems import documented
from app.domain.access.callers import Caller, CallerScope
from app.domain.access.times import AccessTimes
from app.domain.moments import utc_text
from app.errors import StoreUnavailableError
from app.service.components import Components
from app.service.waiting import ask_graph
from app.service.worlds import Worlds
from app.usecases.browse.status import service_status

router = APIRouter(tags=["operation"])


class Alive(BaseModel):
    """The process answers."""

    status: Literal["ok"] = "ok"


class Readiness(BaseModel):
    """Whether requests can be answered."""

    status: Annotated[
        Literal["ready", "degraded", "starting"],
        Field(
            description="`degraded`: the graph database is away; queries are answered from memory, with the last "
            "generation. `starting`: no snapshot yet, or, with policies, not known yet who provides what."
        ),
    ]
    generation: int | None
    tools: int | None
    graph: Literal["reachable", "unreachable"]
    ingest: Literal["none", "writing"]
    problem: Annotated[str, Field(description="What is wrong; empty when all is well.")]


@router.get("/healthz", summary="Does the process answer?")
async def healthz() -> Alive:
    """Always 200 while the process runs; asks nothing of the graph database."""
    return Alive()


@router.get(
    "/readyz",
    summary="Can requests be answered?",
    response_model=Readiness,
    responses={
        503: {"model": Readiness, "description": "No snapshot yet, or policies cannot be applied yet."}
    },
)
async def readyz(components: ComponentsDep, request: Request) -> Response:
    """200 as soon as there is a snapshot to answer from, also while the graph database is away (`degraded`).

    A load balancer that took every replica out because the database is away would take away answers
    that all of them can give.
    """
    keeper = components.keeper
    current, health = keeper.current, keeper.health
    status: Literal["ready", "degraded", "starting"] = "starting"
    worlds: Worlds | None = getattr(request.state, "worlds", None)
    answers = current is not None and (worlds is None or worlds.is_known)
    if answers:
        status = "ready" if health.reachable else "degraded"
    # Nobody is known here: where callers see different things, the status is all that is said.
    shown = current if worlds is None else None
    readiness = Readiness(
        status=status,
        generation=shown.index.generation if shown else None,
        tools=len(shown.index.catalogue.tools) if shown else None,
        graph="reachable" if health.reachable else "unreachable",
        ingest="writing" if health.writing else "none",
        # Addresses and folders are for the log; this endpoint is open.
        problem="" if status == "ready" else "see the service's log",
    )
    code = HTTPStatus.OK if answers else HTTPStatus.SERVICE_UNAVAILABLE
    return JSONResponse(readiness.model_dump(), code)


@router.get("/v1/status", summary="How the service and the graph are", responses=documented(401))
async def read_status(components: ComponentsDep, request: Request) -> StatusAnswer:
    """Which generation answers, since when, who writes, and when each watched source is looked at next. Always 200.

    A caller's view takes away who holds the lease, what is wrong, and sources of which it sees no tool.
    """
    try:
        graph = await ask_graph(components, lambda explorer: explorer.status())
    except StoreUnavailableError:
        graph = None
    answer = service_status(components.keeper, graph, components.watched, now=datetime.now(UTC))
    return answer.model_copy(update={"access": await _access(components, request)})


async def _access(components: Components, request: Request) -> AccessStatus | None:
    """For those who run it: how old files and keys are, and what waits."""
    read_at: Callable[[], AccessTimes] | None = getattr(request.state, "read_at", None)
    caller: Caller | None = getattr(request.state, "caller", None)
    if read_at is None or caller is None or CallerScope.ADMIN not in caller.scopes:
        return None
    try:
        reviews = await ask_graph(components, lambda explorer: explorer.reviews())
    except StoreUnavailableError:
        waiting = None
    else:
        waiting = sum(one.waits for one in reviews)
    times = read_at()
    return AccessStatus(
        callers_read_at=_moment(times.callers),
        policies_read_at=_moment(times.policies),
        keys_read_at=_moment(times.keys),
        reviews_waiting=waiting,
    )


def _moment(seconds: float | None) -> str | None:
    return None if seconds is None else utc_text(datetime.fromtimestamp(seconds, UTC))


@router.get("/metrics", summary="Counters for Prometheus", response_class=Response, responses=documented(401))
async def metrics(components: ComponentsDep) -> Response:
    """Requests, queries, the snapshot and the graph, in Prometheus's text format."""
    text = generate_latest(components.metrics.registry)
    return Response(text, media_type=None, headers={"Content-Type": CONTENT_TYPE_LATEST})
