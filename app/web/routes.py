"""How a page is answered: its headers, and what is shown where there is nothing to show."""

import re
from collections.abc import Callable, Coroutine
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from app.api.problems import RETRY_AFTER_S, STATUS
from app.errors import (
    NotFoundError,
    NotReadyError,
    OutfitterError,
    StoreUnavailableError,
    TooManyRequestsError,
)
from app.web.visits import ForgedRequestError, SignInNeededError, Visit, caller_of, open_visit

HEADERS: Final = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types outfitter",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    # With `no-referrer` Chromium sends `Origin: null` with forms, which is refused.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Of every answer below /ui; static files say themselves how long they are kept."""
_STATE: Final = "X-State"
"""Header by which our script knows which state a fragment shows."""
_FORBIDDEN: Final = 403
_QUOTED: Final = re.compile(r"'([^']{1,1000})'")


class PageRoute(APIRoute):
    """Answers with a page whatever happens, and with the headers that pages have."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The route's handler, with errors drawn; those of a `.json` stay problem documents."""
        answered = super().get_route_handler()

        async def page(request: Request) -> Response:
            try:
                answer = await answered(request)
            except SignInNeededError:
                answer = _sign_in(request)
            except OutfitterError as error:
                if self.path.endswith(".json") and not isinstance(error, ForgedRequestError):
                    raise
                answer = _refused(request, error)
            for name, value in HEADERS.items():
                answer.headers.setdefault(name, value)
            return answer

        return page


def defect_page(request: Request, said: Response) -> Response:
    """A page in place of the problem document of a defect, where it was a page that somebody asked for.

    Args:
        request: what was asked for.
        said: the document; its headers name the request, by which the log has the details.
    """
    visit = Visit(request, request.state.components, request.app.state.face, "")
    is_page = request.url.path.startswith("/ui") and not request.url.path.endswith(".json")
    if not is_page or visit.fragment:
        return said
    request_id = said.headers.get("X-Request-ID", "")
    message = f"A defect of the service; its log has the details under the request id {request_id}."
    answer = visit.page("states/defect.html", title="A defect", status=said.status_code, message=message)
    for name, value in (*HEADERS.items(), *said.headers.items()):
        if not name.lower().startswith("content-") or name in HEADERS:
            answer.headers.setdefault(name, value)
    return answer


def page_router() -> APIRouter:
    """A router whose routes are pages; not part of the OpenAPI document."""
    return APIRouter(prefix="/ui", route_class=PageRoute, include_in_schema=False)


def _sign_in(request: Request) -> Response:
    """The way to the login, and from there back to the same address."""
    visit = open_visit(request)
    raw = request.scope.get("raw_path") or request.scope["path"].encode()
    below = raw.decode("latin-1").partition("/ui/")[2]
    query = f"?{request.url.query}" if request.url.query else ""
    address = f"login?next={quote(below + query, safe='')}"
    if visit.fragment or visit.as_json:
        # A script would follow a redirect and take the login for its answer.
        status = 200 if visit.fragment else 401
        return Response(
            status_code=status, headers={_STATE: "sign-in", "Location": f"{visit.base}/{address}"}
        )
    return visit.leads_to(address)


def _refused(request: Request, error: OutfitterError) -> Response:
    """The state that the pages are in, as a page."""
    if isinstance(error, ForgedRequestError):
        # Without the cookie's caller: it was not a person of ours who asked.
        visit = Visit(request, request.state.components, request.app.state.face, "")
        return visit.page("states/refused.html", title="Refused", status=_FORBIDDEN, message=str(error))
    visit = open_visit(request)
    caller = caller_of(visit)
    visit = Visit(request, visit.components, visit.face, caller.id if caller else "")
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), None)
    if status is None:
        raise error
    name = _name(error, visit)
    answer = visit.page(
        f"states/{name}.html",
        title=_TITLES[name],
        status=status,
        retry_s=RETRY_AFTER_S if name == "starting" else 0,
        message=str(error),
        near=_near(error, visit),
    )
    answer.headers[_STATE] = name
    if status == STATUS[NotReadyError]:
        answer.headers["Retry-After"] = str(RETRY_AFTER_S)
    if isinstance(error, TooManyRequestsError):
        answer.headers["Retry-After"] = str(error.retry_after_s)
    return answer


_TITLES: Final = {
    "starting": "Starting",
    "away": "The graph is away",
    "busy": "Busy",
    "gone": "Not found",
    "refused": "Not accepted",
}


def _near(error: OutfitterError, visit: Visit) -> list[str]:
    """The tools that a message about an unknown id names."""
    current = visit.components.keeper.current
    if not isinstance(error, NotFoundError) or current is None:
        return []
    return [near for near in _QUOTED.findall(str(error)) if near in current.index.positions]


def _name(error: OutfitterError, visit: Visit) -> str:
    if isinstance(error, NotFoundError):
        return "gone"
    if isinstance(error, StoreUnavailableError):
        return "away"
    if isinstance(error, TooManyRequestsError):
        return "busy"
    if STATUS[NotReadyError] == next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 0):
        return "starting" if visit.components.keeper.current is None else "busy"
    return "refused"
