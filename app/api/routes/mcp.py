"""POST /mcp: the way to the MCP server, behind the same checks as everything else."""

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from app.domain.access.resource import MCP_PATH


class McpRoute:
    """Passes requests on to what the application's lifespan opened as `mcp`."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        scope["route"] = mcp_route
        await scope["state"]["mcp"](scope, receive, send)


mcp_route = Route(MCP_PATH, McpRoute(), methods=["POST"], include_in_schema=False)
"""There are no sessions, so there is nothing to GET or DELETE."""
