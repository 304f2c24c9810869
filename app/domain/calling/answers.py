"""What servers answered, as MCP has it and without secrets."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.domain.calling.calls import CallAnswer, CallLimits
from app.domain.calling.http_requests import HttpAnswer
from app.domain.calling.mcp_endpoints import McpEndpoint
from app.domain.calling.secret_words import cleared, redacted
from app.errors import CallFailedError

_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+-]{1,80}")
"""RFC 6838, section 4.2, in lower case; the longest registered one has 73 characters behind the slash."""


def answer_of(answer: HttpAnswer, secrets: Sequence[str]) -> CallAnswer:
    """What a server answered, as MCP has it: status and body, as text and structured.

    Secrets that the server repeats are struck out. Bytes that are no text are counted, not passed on.
    """
    text, body = _read(answer, secrets)
    structured = {"status": answer.status, "body": body if text else None}
    shown = text if answer.status < 300 and text else f"HTTP status {answer.status}\n{text}".strip()
    return CallAnswer(
        content=({"type": "text", "text": shown},),
        structured=structured,
        is_error=answer.status >= 300,
        status=answer.status,
    )


def mcp_answer(
    result: Mapping[str, object], endpoint: McpEndpoint, limits: CallLimits, hidden: Sequence[str]
) -> CallAnswer:
    """What an MCP server answered, with the secrets that it repeats struck out.

    Raises:
        CallFailedError: it nests too deeply, is too large or no JSON, or asks back.
    """
    try:
        size = len(json.dumps(result, ensure_ascii=False).encode("utf-8", "replace"))
        found = cleared(result, hidden)
        is_sendable = _sendable(found)
    except RecursionError as error:
        raise CallFailedError(f"{endpoint.label} gave an answer that nests too deeply") from error
    if not is_sendable:
        raise CallFailedError(f"{endpoint.label} gave an answer that is not JSON")
    if found.get("resultType", "complete") != "complete":
        raise CallFailedError(f"{endpoint.label} asks back before it answers, which cannot be passed on")
    if size > limits.max_answer_bytes:
        raise CallFailedError(f"{endpoint.label} answered with more than {limits.max_answer_bytes:,} bytes")
    content, structured = found.get("content"), found.get("structuredContent")
    return CallAnswer(
        content=tuple(block for block in content if isinstance(block, dict))
        if isinstance(content, list)
        else (),
        structured=structured if isinstance(structured, dict) else None,
        is_error=found.get("isError") is True,
    )


def _sendable(value: Any) -> bool:
    """Whether a value can be written as JSON that others read: no NaN, no half of a character.

    Raises:
        RecursionError: it nests too deeply.
    """
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return True


def _read(answer: HttpAnswer, secrets: Sequence[str]) -> tuple[str, Any]:
    """The body as text and as data, without the secrets; what is no sound JSON is text as data, too."""
    text = _text(answer)
    if "json" in answer.media_type and text:
        try:
            found = json.loads(text)
            body = cleared(found, secrets)
            if _sendable(body):
                # As text it may hold secrets in other words: `\u0061`.
                return (text if body == found else json.dumps(body, ensure_ascii=False)), body
        except (ValueError, RecursionError):
            pass
    text = redacted(text, secrets)
    return text, text


def _text(answer: HttpAnswer) -> str:
    if not answer.body:
        return ""
    kind = answer.media_type
    if (
        kind.startswith("text/")
        or not kind
        or any(word in kind for word in ("json", "xml", "yaml", "form", "script"))
    ):
        try:
            return answer.body.decode(answer.charset or "utf-8", errors="replace")
        except LookupError:
            return answer.body.decode("utf-8", errors="replace")
    # A type is a stranger's text, too.
    named = kind if _MEDIA_TYPE.fullmatch(kind) else "a type that is no media type"
    return f"({len(answer.body):,} bytes of {named}, which are not passed on)"
