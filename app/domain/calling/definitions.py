"""What of a tool's definition decides where its calls go and how harmless they look, and who has agreed to it."""

from collections.abc import Iterator, Mapping

from app.domain.nodes.models import Property, SourceId, Value

_PROMISES = (
    ("read_only", True, "only reads"),
    ("destructive", False, "destroys nothing"),
    ("idempotent", True, "may be repeated"),
    ("open_world", False, "stays within its own world"),
)
"""What a tool may promise: hint, the value that is the promise, and in words."""
_SHOWN_CHARS = 300
"""A host name has up to 253 characters (RFC 1035, 2.3.4), and its scheme comes before it."""


class Definition(Value):
    """Where and how calls of a tool are sent, and what it promises of them."""

    method: str = ""
    path: str = ""
    base_url: str = ""
    """The server that an operation's document names."""
    security: tuple[str, ...] = ()
    """Each way to be let in, as ingest wrote it."""
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


class KnownDefinition(Value):
    """A tool's definition as the graph has it."""

    id: str
    declared: bool
    """No source describes the tool."""
    now: Definition
    confirmed: Definition | None
    """The one that was trusted last; None where it is this one."""

    @property
    def trusted(self) -> Definition | None:
        """The definition that was trusted last, which may be this one; None for a tool that no source has described yet."""
        return self.confirmed or (None if self.declared else self.now)


class WaitingTool(Value):
    """A tool whose calls are refused until somebody confirms its definition."""

    id: str
    source: SourceId
    """Which describes it."""
    changes: tuple[str, ...]
    """What is not confirmed."""


def definition_of(properties: Mapping[str, Property]) -> Definition:
    """The definition among the properties of a tool."""
    found = {name: properties.get(name) for name in Definition.model_fields}
    return Definition.model_validate({name: value for name, value in found.items() if value is not None})


def read_confirmed(text: str) -> Definition | None:
    """A definition as the graph keeps it; None for an empty text."""
    return Definition.model_validate_json(text) if text else None


def unsafe_changes(before: Definition, after: Definition) -> list[str]:
    """What may send calls elsewhere, do something else, or make a tool look more harmless than before.

    Another HTTP method or path; another server, where one is named; another way to be let in, or none; a promise
    that it did not make before. A promise that is taken back makes nothing look more harmless.
    """
    return list(_unsafe(before, after))


def _unsafe(before: Definition, after: Definition) -> Iterator[str]:
    if (before.method, before.path) != (after.method, after.path):
        yield moved_call(before.method, before.path, after.method, after.path)
    if after.base_url and before.base_url != after.base_url:
        yield f"was sent to {_shown(before.base_url) or 'no server'}, is sent to {_shown(after.base_url)} now"
    if not set(after.security) <= set(before.security) or (before.security and not after.security):
        was, now = (_shown(", ".join(one.security)) or "nothing" for one in (before, after))
        yield f"asked for {was}, asks for {now} now"
    for name, promise, words in _PROMISES:
        if getattr(after, name) is promise and getattr(before, name) is not promise:
            yield f"says now that it {words}"


def moved_call(method_before: str, path_before: str, method: str, path: str) -> str:
    """That an operation has another method or path."""
    return f"was {method_before} {_shown(path_before)}, is {method} {_shown(path)} now"


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}..."
