"""Errors as RFC 9457 problem documents. The only place that pairs an error with a status."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from app.api.answer_headers import with_safe_headers
from app.domain.field_errors import MAX_ERRORS, FieldError, refused_fields
from app.errors import (
    ChangedMeanwhileError,
    InvalidInputError,
    LeaseHeldError,
    LeaseLostError,
    NotFoundError,
    NotPermittedError,
    NotReadyError,
    OutfitterError,
    SchemaVersionError,
    StoreUnavailableError,
    TooManyRequestsError,
)

MEDIA_TYPE = "application/problem+json"
KINDS: Mapping[int, tuple[str, str]] = {
    400: ("bad-request", "Bad request"),
    401: ("token-needed", "A token is needed"),
    403: ("other-origin", "Asked by a page of another origin"),
    404: ("not-found", "Not found"),
    405: ("method-not-allowed", "Method not allowed"),
    408: ("too-slow", "The request did not come in time"),
    412: ("changed-meanwhile", "Changed since it was read"),
    413: ("body-too-large", "The body is too large"),
    414: ("address-too-long", "The address is too long"),
    415: ("not-json", "Not JSON"),
    421: ("other-host", "Meant for another host"),
    422: ("invalid-input", "Not what is accepted"),
    429: ("too-many", "Too many at once"),
    431: ("headers-too-large", "The headers are too large"),
    500: ("defect", "A defect of the service"),
    503: ("not-available", "Not available now"),
}
"""Status: name and title of the problem."""
NOT_PERMITTED = ("insufficient-scope", "The caller may not do this")
"""The other reason for status 403."""
RETRY_AFTER_S = 1
STATUS: Mapping[type[OutfitterError], int] = {
    ChangedMeanwhileError: 412,
    InvalidInputError: 422,
    LeaseHeldError: 503,
    LeaseLostError: 503,
    NotFoundError: 404,
    NotPermittedError: 403,
    NotReadyError: 503,
    SchemaVersionError: 503,
    StoreUnavailableError: 503,
    TooManyRequestsError: 429,
}


class Problem(BaseModel):
    """Why a request was not answered (RFC 9457)."""

    type: Annotated[str, Field(examples=["urn:outfitter:problem:not-found"])]
    title: Annotated[str, Field(examples=["Not found"])]
    status: Annotated[int, Field(examples=[404])]
    detail: Annotated[str, Field(examples=["no tool 'shop/refnud'"])]
    request_id: Annotated[str, Field(description="Also in the header X-Request-ID and in the log.")]
    errors: Annotated[list[FieldError] | None, Field(description="With status 422.")] = None


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What FastAPI's `responses=` needs for these statuses."""
    return {
        status: {"description": _description(status), "content": {MEDIA_TYPE: {}}, "model": Problem}
        for status in statuses
    }


def _description(status: int) -> str:
    """Of the two reasons for status 403 both."""
    title = KINDS[status][1]
    return f"{title}, or the caller may not do this" if status == HTTPStatus.FORBIDDEN else title


def problem(
    status: int,
    detail: str,
    *,
    request_id: str,
    headers: Mapping[str, str] | None = None,
    errors: Sequence[FieldError] | None = None,
    kind: tuple[str, str] | None = None,
) -> Response:
    """The problem document as an answer; `kind` is its name and title where the status has several."""
    name, title = kind or KINDS.get(status, (str(status), HTTPStatus(status).phrase))
    document = Problem(
        type=f"urn:outfitter:problem:{name}",
        title=title,
        status=status,
        detail=detail,
        request_id=request_id,
        errors=list(errors) if errors else None,
    )
    all_headers = dict(headers or {})
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        all_headers.setdefault("Retry-After", str(RETRY_AFTER_S))
    # ASCII, because a refused value may hold text that has no UTF-8.
    body = json.dumps(document.model_dump(exclude_none=True))
    return Response(body, status, headers=all_headers, media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Answer every error with a problem document; what is not in `STATUS` is a defect: 500, no internals."""
    app.add_exception_handler(OutfitterError, _of_our_own)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(RequestValidationError, _of_validation)
    app.add_exception_handler(ClientDisconnect, _of_a_client_that_left)
    app.add_exception_handler(Exception, of_a_defect)


async def _of_our_own(request: Request, error: Exception) -> Response:
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), None)
    if status is None:
        raise error
    kind = NOT_PERMITTED if isinstance(error, NotPermittedError) else None
    headers = {"Retry-After": str(error.retry_after_s)} if isinstance(error, TooManyRequestsError) else None
    return problem(status, str(error), request_id=_request_id(request), kind=kind, headers=headers)


async def _of_http(request: Request, found: Exception) -> Response:
    error = cast("HTTPException", found)
    headers = dict(error.headers or {})
    detail = error.detail
    if error.status_code == HTTPStatus.NOT_FOUND:
        detail = f"nothing at {request.url.path}; /docs lists what there is"
    elif error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = _methods(request, of_one_route=headers.pop("Allow", ""))
        detail = f"{request.method} at {request.url.path}; accepted: {headers['Allow']}"
    return problem(error.status_code, detail, request_id=_request_id(request), headers=headers)


def _methods(request: Request, *, of_one_route: str) -> str:
    """The methods of all routes at the path; the router names those of the first one alone."""
    path = getattr(request.scope.get("route"), "path_format", "")
    found = request.app.openapi()["paths"].get(path)
    return ", ".join(method.upper() for method in found) if found else of_one_route


async def _of_validation(request: Request, found: Exception) -> Response:
    error = cast("RequestValidationError", found)
    errors = [_field_error(each) for each in error.errors()[:MAX_ERRORS]]
    detail = "; ".join(map(str, errors))
    return problem(422, detail, request_id=_request_id(request), errors=errors)


async def _of_a_client_that_left(request: Request, _: Exception) -> Response:
    # Nobody gets this; the log has the status instead of a traceback.
    return problem(408, "the client left before its body was there", request_id=_request_id(request))


async def of_a_defect(request: Request, _: Exception) -> Response:
    """The answer to what nobody expected: 500, no internals."""
    # The server logs the traceback with the same request id.
    request_id = _request_id(request)
    detail = "a defect of the service; its log has the details under this request id"
    answer = problem(500, detail, request_id=request_id, headers={"X-Request-ID": request_id})
    # This one does not pass through `Access`, which gives all others their headers.
    answer.raw_headers = with_safe_headers(answer.raw_headers)
    return answer


def _field_error(found: Mapping[str, Any]) -> FieldError:
    if found["type"] == "json_invalid":
        reason = found.get("ctx", {}).get("error", "not JSON")
        return FieldError(
            field="body", value=f"at character {found['loc'][-1]}", message=f"not JSON: {reason}"
        )
    return refused_fields([found], unknown="there is no such field; /docs lists those that there are")[0]


def _request_id(request: Request) -> str:
    return str(getattr(request.state, "request_id", ""))
