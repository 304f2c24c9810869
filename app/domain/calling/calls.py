"""Calls that are passed on to the servers that own the tools: who is called, what may be called, what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from app.domain.calling.credentials import GivenCredential
from app.domain.calling.definitions import Definition, unsafe_changes
from app.domain.calling.mcp_endpoints import McpEndpoint
from app.domain.nodes.graph_views import ToolSource
from app.domain.nodes.models import SourceId, Tool, Value
from app.domain.schemas.walk import parsed_schema

SAFE_METHODS = ("GET", "HEAD")
"""HTTP methods that by their definition change nothing (RFC 9110, 9.2.1)."""
MAX_ARGUMENT_NAMES = 50


class CallTarget(Value):
    """A tool with what a call of it needs, as the graph has it now."""

    tool: Tool
    base_url: str
    """The server that an operation's document names; empty for other tools, and where it names none."""
    security: tuple[str, ...]
    """Each way to be let in, as ingest wrote it; see `call_credentials`."""
    sources: tuple[ToolSource, ...]
    confirmed: Definition | None = None
    """The definition that was trusted last; None where it is this one."""

    @cached_property
    def input_schema(self) -> Mapping[str, Any]:
        """The tool's input schema, read once for a call."""
        return parsed_schema(self.tool.input_schema)

    @property
    def definition(self) -> Definition:
        """Where and how a call is sent now, and what the tool promises."""
        tool = self.tool
        return Definition(
            method=tool.method,
            path=tool.path,
            base_url=self.base_url,
            security=self.security,
            read_only=tool.read_only,
            destructive=tool.destructive,
            idempotent=tool.idempotent,
            open_world=tool.open_world,
        )


@dataclass(frozen=True, slots=True)
class CallRules:
    """What the operator says of calls to one source."""

    allow: tuple[str, ...] = ()
    """Ids of tools, or patterns in which `*` stands for any text, that may be called though they change something."""
    deny: tuple[str, ...] = ()
    """Ids or patterns of what is never called; goes before `allow`."""
    trust_annotations: bool = False
    """Believe the server where it says that a tool only reads."""
    guards_flows: bool = False
    """Refuse what sends out or destroys to a caller that was lately given what others wrote."""
    timeout_s: float | None = None
    base_url: str = ""
    """Called instead of the server that the document names."""
    servers: tuple[str, ...] = ()
    """Addresses that the document may name and that get credentials."""


@dataclass(frozen=True, slots=True)
class Connection:
    """How the tools of a source are reached."""

    source: SourceId
    rules: CallRules
    endpoint: McpEndpoint | None = None
    """For MCP servers; the others are called over HTTP."""
    credentials: Mapping[str, GivenCredential] = field(default_factory=dict)
    """By the name of the security scheme."""


@dataclass(frozen=True, slots=True)
class CallLimits:
    """What one call may take."""

    timeout_s: float = 30.0
    max_answer_bytes: int = 1_000_000
    max_argument_bytes: int = 1_000_000


class Outcome(StrEnum):
    """What became of a call."""

    OK = "ok"
    TOOL_ERROR = "tool_error"
    """The server answered, and says that it did not work."""
    REFUSED = "refused"
    """Not sent: unknown, not allowed, arguments that do not fit."""
    FAILED = "failed"
    """Sent or tried, and no usable answer: not reachable, too late, too large."""


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """What a call gave, as MCP has it."""

    content: tuple[Mapping[str, object], ...]
    """Blocks of content in MCP's wire form."""
    structured: Mapping[str, object] | None
    is_error: bool
    status: int | None = None
    """The HTTP status of an operation."""


@dataclass(frozen=True, slots=True)
class CallEvent:
    """A line of the audit: who called what, and what became of it. Never a value of an argument."""

    call: str
    """The same for all events of a call."""
    event: str
    """`refused`, by policies `denied`; or `started`, then `ended`."""
    who: str
    """The caller's id, or how the caller came in where there are no callers."""
    tool: str
    source: str
    arguments: tuple[str, ...]
    """Names that the tool's schema has, at most `MAX_ARGUMENT_NAMES`."""
    generation: int
    outcome: Outcome | None = None
    status: int | None = None
    ms: float | None = None
    reason: str = ""
    """Which kind of refusal or failure; no text from outside."""
    groups: tuple[str, ...] = ()
    """Of the caller, where there are callers."""
    rule: str = ""
    """Id of the rule that let the call pass, or refused it, where there are policies."""
    view: str = ""
    """Which rules the caller has: equal for equal ones."""


def not_allowed(target: CallTarget, rules: CallRules) -> str:
    """Why the operator's rules do not let a tool be called; empty when they do.

    What only reads needs no permission: an operation with a safe method, since the method is ours to send,
    or a tool that says so where its source's word is trusted.
    """
    tool = target.tool
    if matches(tool.id, rules.deny):
        return "it is in 'call.deny' of its source"
    if matches(tool.id, rules.allow):
        return ""
    if tool.method in SAFE_METHODS:
        return ""
    if not tool.method and tool.read_only and rules.trust_annotations:
        return ""
    if not tool.method and tool.read_only:
        return (
            "its server says that it only reads, which is not trusted; accepted: its id in 'call.allow' of its source,"
            " or 'call.trust_annotations: true'"
        )
    return "it may change something; accepted: its id, or a pattern of it, in 'call.allow' of its source"


def not_confirmed(target: CallTarget, rules: CallRules) -> str:
    """Which changes of a tool's definition nobody has confirmed; empty when there is nothing to confirm.

    Where the operator names the server himself, the one that the document names is called by nobody.
    """
    if target.confirmed is None:
        return ""
    now = target.definition
    if rules.base_url:
        now = now.model_copy(update={"base_url": target.confirmed.base_url})
    return "; ".join(unsafe_changes(target.confirmed, now))


def matches(tool_id: str, patterns: Sequence[str]) -> bool:
    """Whether an id is one of these, or fits a pattern in which `*` stands for any text."""
    return any(_fits(tool_id, pattern) for pattern in patterns)


def _fits(text: str, pattern: str) -> bool:
    # Not `fnmatch`: brackets and question marks stand in ids, and stand for themselves. Each part is taken where
    # it first stands: if the parts fit at all, they fit so, and nothing is tried twice.
    first, *rest = pattern.split("*")
    if not rest:
        return text == pattern
    *middle, last = rest
    if len(text) < len(first) + len(last) or not (text.startswith(first) and text.endswith(last)):
        return False
    at, end = len(first), len(text) - len(last)
    for part in middle:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


def owner(target: CallTarget) -> SourceId | None:
    """The source that describes the tool and so owns it; None for one that is only named."""
    return next((found.source for found in target.sources if not found.declares), None)
