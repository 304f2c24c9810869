"""Which scopes a request takes."""

from typing import Any, Final

from app.domain.access.callers import OF_MCP_TOOLS, CallerScope

_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_OPERATORS: Final = ("/v1/unmet", "/v1/reviews")
"""What whoever runs the service asks."""
_NONE: Final = frozenset[CallerScope]()


def scopes_of(method: str, path: str) -> frozenset[CallerScope]:
    """What a request of REST takes; one at an unknown address as much as one that looks at tools."""
    if path == "/metrics" or path in _OPERATORS or path.startswith(tuple(f"{one}/" for one in _OPERATORS)):
        return frozenset({CallerScope.ADMIN})
    if is_planning(path):
        return frozenset({CallerScope.PLAN})
    if path == "/v1/workflows" or path.startswith("/v1/workflows/"):
        if method == "POST" and path.endswith("/validate"):
            return frozenset({CallerScope.PLAN})
        return frozenset({CallerScope.FIND if method in _READS else CallerScope.WORKFLOWS})
    return frozenset({CallerScope.FIND})


def is_planning(path: str) -> bool:
    """Whether a request is answered from what may be planned with."""
    return path == "/v1/plan" or path.startswith("/v1/plan/")


def scopes_of_message(message: object) -> frozenset[CallerScope]:
    """What a message to the MCP server takes; every one of a batch counts."""
    if isinstance(message, list):
        return frozenset().union(*map(scopes_of_message, message))
    if not isinstance(message, dict) or message.get("method") != "tools/call":
        return _NONE
    params: Any = message.get("params")
    name = params.get("name") if isinstance(params, dict) else None
    return OF_MCP_TOOLS.get(name, _NONE) if isinstance(name, str) else _NONE
