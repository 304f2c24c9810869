"""What a change of a tool means for those who call it."""

from collections.abc import Iterator, Sequence

from app.domain.calling.definitions import moved_call
from app.domain.nodes.models import Tool
from app.domain.nodes.syncs import REASONS, Change, Severity, ToolChange
from app.domain.schemas.changes import broken_answers, broken_inputs, same_but_for_texts

_PROMISES = (("read_only", True), ("destructive", False), ("idempotent", True), ("open_world", False))
"""What a tool may promise about itself; callers ask for consent where it does not."""


def created(tool_id: str) -> ToolChange:
    """A tool that is new."""
    return ToolChange(id=tool_id, change=Change.CREATED, severity=Severity.COMPATIBLE)


def removed(tool_id: str) -> ToolChange:
    """A tool that is gone."""
    return ToolChange(id=tool_id, change=Change.REMOVED, severity=Severity.BREAKING, reasons=("is gone",))


def changed(before: Tool, after: Tool, *, unsafe: Sequence[str] = ()) -> ToolChange:
    """A tool that differs from before, even if only in its id.

    Breaking: it has another id; a call that was right may be wrong now; an answer may lack what it had
    (`schema_changes`); it no longer promises to change nothing, to destroy nothing, to be repeatable or to stay
    within its world; another HTTP method or path; what makes its calls `unsafe`. Else compatible, or `description`
    where only texts differ.

    Args:
        before: as it was.
        after: as it is.
        unsafe: `unsafe_changes` of its definition.
    """
    reasons = list(dict.fromkeys([*_breaks(before, after), *unsafe]))
    if reasons:
        severity = Severity.BREAKING
    elif _same_but_for_texts(before, after):
        severity = Severity.DESCRIPTION
    else:
        severity = Severity.COMPATIBLE
    is_renamed = before.id != after.id
    return ToolChange(
        id=after.id,
        change=Change.RENAMED if is_renamed else Change.UPDATED,
        severity=severity,
        reasons=tuple(reason[:300] for reason in reasons[:REASONS]),
        former_id=before.id if is_renamed else "",
    )


def _breaks(before: Tool, after: Tool) -> Iterator[str]:
    if before.id != after.id:
        yield f"was called {before.id}"
    if (before.method, before.path) != (after.method, after.path):
        yield moved_call(before.method, before.path, after.method, after.path)
    for name, promised in _PROMISES:
        if getattr(before, name) is promised and getattr(after, name) is not promised:
            yield f"no longer says that it is{'' if promised else ' not'} {name.replace('_', ' ')}"
    yield from (f"input {reason}" for reason in broken_inputs(before.input_schema, after.input_schema))
    yield from (f"answer {reason}" for reason in broken_answers(before.output_schema, after.output_schema))


def _same_but_for_texts(before: Tool, after: Tool) -> bool:
    texts = {"title": "", "description": "", "content_hash": "", "input_schema": "", "output_schema": ""}
    said: dict[str, object] = {**texts, "unconfirmed": (), "trust": None, "reviewed": None}
    return (
        before.model_copy(update=said) == after.model_copy(update=said)
        and same_but_for_texts(before.input_schema, after.input_schema)
        and same_but_for_texts(before.output_schema, after.output_schema)
    )
