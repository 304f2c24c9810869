"""/ui/login and /ui/logout. No REST twin: callers of REST send their token with each request."""

import re
from typing import Annotated

from pydantic import Field
from starlette.responses import Response

from app.web.addresses import State
from app.web.routes import page_router
from app.web.session import COOKIE, HOURS
from app.web.visits import OpenVisitDep, Visit, caller_of

router = page_router()
_BELOW = re.compile(r"[A-Za-z0-9][A-Za-z0-9_~%?&=+:@!$'()*,;./-]*|")
"""An address below /ui: relative, so that it leads to no other host."""


class LoginState(State):
    """Where to go afterwards."""

    next: Annotated[str, Field(max_length=8_000)] = ""


@router.get("/login")
async def login_page(visit: OpenVisitDep) -> Response:
    """The one field; whoever is signed in already goes on."""
    state = visit.state(LoginState)
    if caller_of(visit) is not None:
        return visit.leads_to(_safe(state.next))
    return visit.page("login.html", title="Sign in", refused=False, next=_safe(state.next))


@router.post("/login")
async def sign_in(visit: OpenVisitDep) -> Response:
    """Exchange the token for the cookie."""
    form = await visit.form()
    next_address = _safe(form.get("next", ""))
    signed_in = visit.face.signed_in
    if signed_in is None:
        return visit.leads_to(next_address)
    caller = signed_in.lets_in(form.get("token", ""))
    if caller is None:
        return visit.page("login.html", title="Sign in", status=403, refused=True, next=next_address)
    answer = visit.leads_to(next_address)
    _set_cookie(answer, visit, signed_in.cookie(caller), HOURS * 3600)
    return answer


@router.post("/logout")
async def sign_out(visit: OpenVisitDep) -> Response:
    """Take the cookie away; a copy of it is good until its end."""
    answer = visit.leads_to("login")
    _set_cookie(answer, visit, "", 0)
    return answer


def _set_cookie(answer: Response, visit: Visit, value: str, seconds: int) -> None:
    answer.set_cookie(
        COOKIE,
        value,
        max_age=seconds,
        path=visit.base,
        secure=visit.secure,
        httponly=True,
        # `strict` would ask for the token again whoever follows a link from a chat.
        samesite="lax",
    )


def _safe(address: str) -> str:
    good = _BELOW.fullmatch(address) and ".." not in address.partition("?")[0] and "//" not in address
    return address if good and not address.startswith(("login", "logout")) else ""
