"""GET /.well-known/oauth-protected-resource: where clients of OAuth get tokens for /mcp. Open, as nobody has one yet."""

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from starlette.responses import Response

from app.domain.access.resource import ProtectedResource


def metadata_router(resource: ProtectedResource) -> APIRouter:
    """The document at each of its addresses."""
    document = dict(resource.metadata())

    async def metadata() -> Response:
        return JSONResponse(document)

    router = APIRouter(include_in_schema=False)
    for path in sorted(resource.metadata_paths):
        router.add_api_route(path, metadata)
    return router
