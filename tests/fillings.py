"""What a goal gives to the inputs of one call, for tests of what fills them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from pydantic import JsonValue

from app.domain.filling.assigned import Assignment
from app.domain.nodes.models import Tool
from app.domain.planning.draft import context_over
from app.domain.planning.index import PlanIndex

SUNDAY = datetime(2026, 11, 22, 15, 0, tzinfo=UTC)


def assigned(goal: str, tool: Tool, *, beside: Sequence[Tool] = ()) -> Assignment:
    """What the first task of a goal gives to `tool`, in a catalogue that has other tools beside it."""
    index = PlanIndex([tool, *beside])
    context = context_over(index, goal, servers=index.servers, known={}, now=SUNDAY)
    return context.assigned(0, 0, index.form(0))


def filled(goal: str, tool: Tool, *, beside: Sequence[Tool] = ()) -> Mapping[str, JsonValue]:
    """By the pointer of each input, its parts with a slash between them."""
    known = assigned(goal, tool, beside=beside).known
    return {"/".join(pointer): value for pointer, value in known.items()}
