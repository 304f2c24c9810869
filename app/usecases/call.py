"""Pass a call on to the server that owns the tool: found, permitted, checked, sent, written down."""

import json
import logging
import secrets
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from app.domain.calling.answers import answer_of, mcp_answer
from app.domain.calling.calls import (
    MAX_ARGUMENT_NAMES,
    CallAnswer,
    CallEvent,
    CallLimits,
    CallTarget,
    Connection,
    Outcome,
    not_allowed,
    not_confirmed,
    owner,
)
from app.domain.calling.credentials import credentials_for
from app.domain.calling.http_calls import http_call
from app.domain.calling.http_requests import (
    HttpRequest,
    request_to,
    server_of,
)
from app.domain.calling.mcp_endpoints import McpEndpoint
from app.domain.calling.secret_words import redacted, secret_forms
from app.domain.nodes.models import SourceId, Tool
from app.domain.schemas.walk import as_object
from app.errors import (
    AuditError,
    CallFailedError,
    CallRefusedError,
    InvalidInputError,
    McpServerError,
    NotFoundError,
)
from app.ports.servers import Audit, CallTargets, Connections, HttpCaller, McpCaller
from app.ports.spans import note, traced
from app.usecases.call_memory import CallMemory

_MAX_ID = 300
_MAX_CHANGES = 1_500
"""Characters of what changed; each of a few changes has up to 400 of a server's own."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ToolCaller:
    """Calls tools by their ids; safe to share between threads.

    Everything that is asked for leaves a trace in the audit: a call that is refused one event, a call that is
    made one before it is sent and one after. What cannot be written down is not sent.
    """

    targets: CallTargets
    connections: Connections
    http: HttpCaller
    mcp: McpCaller
    audit: Audit
    limits: CallLimits
    generation: Callable[[], int]
    """Of the catalogue that answers come from now."""
    memory: CallMemory = field(default_factory=CallMemory)
    """What callers were given."""
    may_call: Callable[[str], bool] = lambda _: True
    """Whether policies let whoever asks call a tool."""
    rule_of: Callable[[str], str] = lambda _: ""
    """Id of the rule that decides on that; for the audit."""
    guards: Callable[[str], bool] = lambda _: False
    """Whether policies refuse calls of a tool after what others wrote, whatever its source says."""
    view: str = ""
    """Names the rules of whoever asks; for the audit."""

    @traced("outfitter.call")
    def call(
        self,
        tool_id: str,
        arguments: Mapping[str, Any],
        *,
        who: str,
        groups: tuple[str, ...] = (),
        run: str = "",
    ) -> CallAnswer:
        """What the tool's server answers. Errors that the tool itself reports are answers, too.

        Args:
            tool_id: `server/name`.
            arguments: by name, as the tool's input schema has them.
            who: the caller's id, or how the caller came in where there are no callers; for the audit, and for what it was given.
            groups: of the caller; for the audit.
            run: what the caller calls its piece of work; what was given in another one does not count. Empty: all does.

        Raises:
            CallRefusedError: the call is not sent: no such tool, no connection to its source, not allowed,
                arguments that do not fit, credentials that are missing.
            CallFailedError: the server did not answer, not in time, or with too much.
            AuditError: the call cannot be written down; it is not sent.
            StoreUnavailableError: the graph does not answer.
        """
        event = CallEvent(
            call=secrets.token_hex(8),
            event="refused",
            who=who,
            tool=_printable(tool_id),
            source="",
            arguments=(),
            generation=self.generation(),
            groups=groups,
            view=self.view,
        )
        target = self._target(tool_id, event)
        event = replace(
            event,
            tool=target.tool.id,
            arguments=_names(target, arguments),
            rule=self.rule_of(target.tool.id),
        )
        if not self.may_call(target.tool.id):
            self._refuse(
                replace(event, event="denied"),
                "policy",
                f"tool {target.tool.id!r} may not be called by you: no policy grants it",
            )
        # Not before: of a tool that the caller may not call nothing is noted, not that it is there neither.
        note(tool=target.tool.id)
        connection = self._connection(target, event, run)
        event = replace(event, source=connection.source)
        to = self._checked(target, connection, arguments, event)
        return self._sent(to, target, connection, arguments, event, run)

    def _target(self, tool_id: str, event: CallEvent) -> CallTarget:
        try:
            target = self.targets.call_target(tool_id)
        except NotFoundError as error:
            self._refuse(
                event,
                "unknown",
                f"no tool {_printable(tool_id)!r}; accepted: an id that search_tools gives",
                error,
            )
        if target.tool.declared or owner(target) is None:
            self._refuse(
                event,
                "declared",
                f"tool {target.tool.id!r} is only named by a taxonomy: no server is known that has it",
            )
        return target

    def _connection(self, target: CallTarget, event: CallEvent, run: str) -> Connection:
        source = owner(target) or SourceId("")
        try:
            connection = self.connections.connection(source)
        except InvalidInputError as error:
            self._refuse(event, "connection", f"tool {target.tool.id!r} cannot be called: {error}", error)
        if connection is None:
            self._refuse(
                event,
                "connection",
                f"tool {target.tool.id!r} comes from source {source!r}, which has no connection for calls; accepted: a"
                " source with a 'call' section in the sources file (OUTFITTER_SOURCES)",
            )
        reason = not_allowed(target, connection.rules)
        if reason:
            self._refuse(
                replace(event, source=source),
                "not_allowed",
                f"tool {target.tool.id!r} may not be called: {reason}",
            )
        changes = not_confirmed(target, connection.rules)
        if changes:
            self._refuse(
                replace(event, source=source),
                "unconfirmed",
                f"tool {target.tool.id!r} may not be called: its definition changed, and nobody has confirmed it:"
                f" {_printable(changes, _MAX_CHANGES)}; accepted: `outfitter confirm {_printable(target.tool.id)}` by"
                " the operator",
            )
        is_guarded = connection.rules.guards_flows or self.guards(target.tool.id)
        objection = self.memory.objection(event.who, target.tool, run) if is_guarded else ""
        if objection:
            self._refuse(
                replace(event, source=source),
                "after_untrusted",
                f"tool {target.tool.id!r} may not be called now: {objection}; the operator wants it so"
                " (call.after_untrusted)",
            )
        return connection

    def _checked(
        self, target: CallTarget, connection: Connection, arguments: Mapping[str, Any], event: CallEvent
    ) -> HttpRequest | McpEndpoint:
        """The request of an operation, or the server of a tool whose arguments go there as they are."""
        tool = target.tool
        try:
            _check(tool, arguments, self.limits)
        except InvalidInputError as error:
            self._refuse(event, "arguments", f"tool {tool.id!r}: {error}", error)
        if connection.endpoint is not None:
            return connection.endpoint
        try:
            return _request(target, connection, arguments)
        except InvalidInputError as error:
            self._refuse(event, "request", f"tool {tool.id!r} cannot be called: {error}", error)

    def _sent(
        self,
        to: HttpRequest | McpEndpoint,
        target: CallTarget,
        connection: Connection,
        arguments: Mapping[str, Any],
        event: CallEvent,
        run: str,
    ) -> CallAnswer:
        self.audit.record(replace(event, event="started"))
        begin = time.perf_counter()
        hidden = _secrets(connection)
        limits = self._limits(connection)
        outcome, status, reason = Outcome.FAILED, None, "defect"
        try:
            if isinstance(to, HttpRequest):
                answer = answer_of(self.http.send(to, limits), hidden)
            else:
                result = self.mcp.call(to, target.tool.name, arguments, timeout_s=limits.timeout_s)
                answer = mcp_answer(result, to, limits, hidden)
            outcome = Outcome.TOOL_ERROR if answer.is_error else Outcome.OK
            status, reason = answer.status, ""
            self.memory.answered(event.who, target.tool, run)
        except (CallFailedError, McpServerError) as error:
            reason = "server"
            text = redacted(str(error), hidden)
            _log.warning("a tool's server gave no answer", extra={"call": event.call, "problem": text})
            # Where it is, few of those who call may know.
            where = to.server.origin if isinstance(to, HttpRequest) else to.label
            raise CallFailedError(
                f"tool {target.tool.id!r}: {text.replace(where, 'its server')}",
                said=redacted(error.said, hidden),
            ) from error
        else:
            return answer
        finally:
            ms = round(1000 * (time.perf_counter() - begin), 2)
            self._ended(replace(event, event="ended", outcome=outcome, status=status, ms=ms, reason=reason))

    def _limits(self, connection: Connection) -> CallLimits:
        timeout = connection.rules.timeout_s
        return self.limits if timeout is None else replace(self.limits, timeout_s=timeout)

    def _refuse(
        self, event: CallEvent, reason: str, message: str, cause: BaseException | None = None
    ) -> NoReturn:
        self.audit.record(replace(event, outcome=Outcome.REFUSED, reason=reason))
        raise CallRefusedError(message) from cause

    def _ended(self, event: CallEvent) -> None:
        try:
            self.audit.record(event)
        except AuditError as error:
            # The call is made; not to give its answer would invite a second one.
            _log.error(
                "the end of a call is not in the audit", extra={"call": event.call, "problem": str(error)}
            )


def _check(tool: Tool, arguments: Mapping[str, Any], limits: CallLimits) -> None:
    """Raises InvalidInputError where the arguments are too long, no JSON, or not what the tool takes."""
    try:
        size = len(json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode())
    except (ValueError, RecursionError) as error:
        raise InvalidInputError("the arguments are not JSON") from error
    if size > limits.max_argument_bytes:
        raise InvalidInputError(
            f"the arguments take {size:,} bytes; accepted: up to {limits.max_argument_bytes:,}"
        )
    # Here: the library brings grammars of formats with it, a second of every start, and few services pass calls on.
    from app.domain.calling.arguments import problems_of

    if problems := problems_of(tool.input_schema, arguments):
        raise InvalidInputError("; ".join(problems))


def _request(target: CallTarget, connection: Connection, arguments: Mapping[str, Any]) -> HttpRequest:
    tool = target.tool
    if not tool.method:
        raise InvalidInputError("it is not an operation of an API, and its source has no MCP server")
    server = server_of(target.base_url, connection.rules)
    credentials = credentials_for(target.security, connection.credentials)
    call = http_call(method=tool.method, path=tool.path, schema=target.input_schema, arguments=arguments)
    return request_to(server, call, credentials)


def _names(target: CallTarget, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Names that the schema has: others come from the caller and could hold anything."""
    known = as_object(target.input_schema.get("properties"))
    return tuple(_printable(name) for name in arguments if name in known)[:MAX_ARGUMENT_NAMES]


def _secrets(connection: Connection) -> tuple[str, ...]:
    """What an answer must not repeat. A user name is no secret: APIs put it into every answer."""
    found = list(connection.endpoint.secrets()) if connection.endpoint else []
    for given in connection.credentials.values():
        secret = given.secret.get_secret_value()
        found.append(secret)
        if given.username is not None:
            pair = f"{given.username.get_secret_value()}:{secret}"
            found += [pair, b64encode(pair.encode()).decode()]
    return secret_forms(found)


def _printable(text: str, most: int = _MAX_ID) -> str:
    return "".join(character if character.isprintable() else "?" for character in text[:most])
