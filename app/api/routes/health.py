"""GET /healthz, /readyz, /v1/status, /metrics."""

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, Field

from app.answers.status import StatusAnswer
from app.api.dependencies import ComponentsDep
from app.api.problems import documented
from app.errors import StoreUnavailableError
from app.service.waiting import ask_graph
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
            "generation. `starting`: no snapshot yet."
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
    responses={503: {"model": Readiness, "description": "No snapshot yet."}},
)
async def readyz(components: ComponentsDep, request: Request) -> Response:
    """200 as soon as there is a snapshot to answer from, also while the graph database is away (`degraded`).

    A load balancer that took every replica out because the database is away would take away answers
    that all of them can give.
    """
    keeper = components.keeper
    current, health = keeper.current, keeper.health
    status: Literal["ready", "degraded", "starting"] = "starting"
    if current is not None:
        status = "ready" if health.reachable else "degraded"
    # Nobody is known here: where callers see different things, the status is all that is said.
    shown = current if getattr(request.state, "worlds", None) is None else None
    readiness = Readiness(
        status=status,
        generation=shown.index.generation if shown else None,
        tools=len(shown.index.catalogue.tools) if shown else None,
        graph="reachable" if health.reachable else "unreachable",
        ingest="writing" if health.writing else "none",
        # Addresses and folders are for the log; this endpoint is open.
        problem="" if status == "ready" else "see the service's log",
    )
    code = HTTPStatus.OK if current else HTTPStatus.SERVICE_UNAVAILABLE
    return JSONResponse(readiness.model_dump(), code)


@router.get("/v1/status", summary="How the service and the graph are", responses=documented(401))
async def read_status(components: ComponentsDep) -> StatusAnswer:
    """Which generation answers, since when, who writes, and when each watched source is looked at next. Always 200.

    A caller's view takes away who holds the lease, what is wrong, and sources of which it sees no tool.
    """
    try:
        graph = await ask_graph(components, lambda explorer: explorer.status())
    except StoreUnavailableError:
        graph = None
    return service_status(components.keeper, graph, components.watched, now=datetime.now(UTC))


@router.get("/metrics", summary="Counters for Prometheus", response_class=Response, responses=documented(401))
async def metrics(components: ComponentsDep) -> Response:
    """Requests, queries, the snapshot and the graph, in Prometheus's text format."""
    text = generate_latest(components.metrics.registry)
    return Response(text, media_type=None, headers={"Content-Type": CONTENT_TYPE_LATEST})
