"""All pages under one router."""

from http import HTTPStatus
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.errors import NotFoundError
from app.web.pages import (
    ask,
    changes,
    compare,
    find,
    graph,
    login,
    overview,
    plans,
    reviews,
    sources,
    tools,
    unmet,
    workflows,
)
from app.web.routes import page_router
from app.web.static_files import static_files, static_version
from app.web.visits import VisitDep

PAGES: Final = (
    login,
    overview,
    ask,
    compare,
    find,
    tools,
    graph,
    plans,
    workflows,
    sources,
    reviews,
    changes,
    unmet,
)
"""The modules of pages; each has a `router`."""
_FOR_EVER: Final = "public, max-age=31536000, immutable"


def web_router() -> APIRouter:
    """Everything below /ui."""
    rest = page_router()
    rest.add_api_route("/static/{version}/{name}", _static_file)
    # The last of all routes: what no page is at.
    rest.add_api_route("/{rest:path}", _nothing_there)
    every = APIRouter()
    for router in (*(page.router for page in PAGES), rest):
        every.include_router(router)
    return every


async def to_pages() -> Response:
    """`/` leads to the pages; relative, so that a prefix stays."""
    return Response(status_code=HTTPStatus.TEMPORARY_REDIRECT, headers={"Location": "ui/"})


async def _static_file(version: str, name: str, request: Request) -> Response:
    file = static_files().get(name)
    if file is None:
        raise NotFoundError(f"no file {name!r}")
    headers = {"Vary": "Accept-Encoding"}
    # Of another version, as while replicas are renewed: ours is sent, and not kept under that name.
    headers["Cache-Control"] = _FOR_EVER if version == static_version() else "no-store"
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.content, headers=headers, media_type=file.media_type)
    headers["Content-Encoding"] = "gzip"
    return Response(file.gzipped, headers=headers, media_type=file.media_type)


async def _nothing_there(visit: VisitDep) -> Response:
    raise NotFoundError(f"no page {visit.request.path_params['rest']!r}")
