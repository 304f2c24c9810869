"""Selections and conditions of a plan in words, the same in tables and charts."""

import json
from collections.abc import Iterator

from pydantic import JsonValue

from app.domain.workflows.plans import SOURCE_DOWN, Comparison, PlanStep, Select, When, Where

_SAID: dict[Comparison, str] = {
    "eq": "is",
    "ne": "is not",
    "lt": "is below",
    "gt": "is above",
    "contains": "contains",
}


def select_words(select: Select | None) -> str:
    """Which item is meant, as it stands behind the path that crosses the list; empty without a selection."""
    if select is None:
        return ""
    wanted = [*_matched(select), *(_where_words(where) for where in select.where)]
    among = f" whose {' and '.join(wanted)}" if wanted else ""
    match select.by:
        case "match":
            said = f" of the item{among}"
        case "ask":
            said = f" of the item that you choose{', of those' if among else ''}{among}"
        case "each":
            said = f" of each item{among}"
        case "first" | "last":
            said = f" of the {select.by} item{among}"
    if select.except_:
        said += f", never {', '.join(map(value_words, select.except_))}"
    if select.sort:
        order = "highest" if select.sort.descending else "lowest"
        said += f", sorted by {select.sort.field or 'its value'}, {order} first"
    return said


def when_words(when: When) -> str:
    """What has to hold, as it stands behind `only where`."""
    place = when.path or "the whole answer"
    if when.op == "ne" and "*" in when.path.split("/"):
        return f"{place} of step {when.step} is {value_words(when.value)} for no item"
    return f"{place} of step {when.step} {_SAID[when.op]} {value_words(when.value)}"


def value_words(value: JsonValue) -> str:
    """A value as JSON."""
    return json.dumps(value, ensure_ascii=False)


def _matched(select: Select) -> list[str]:
    """What `field` and `value` say, where they say anything."""
    if select.by != "match" or (not select.field and select.where):
        return []
    return [f"{select.field} is {value_words(select.value)}"]


def _where_words(where: Where) -> str:
    return f"{where.field or 'value'} {_SAID[where.op]} {value_words(where.value)}"


def reach_words(step: PlanStep) -> Iterator[str]:
    """What keeps a step from being called, what it calls instead of what, and whether a person has to agree."""
    found = step.instead_of
    if found is not None:
        said = "cannot be reached now" if found.reason == SOURCE_DOWN else "may not be called by you"
        parts = [f"{part.name} is its {part.was}" for part in (*found.inputs, *found.outputs)]
        yield f"instead of {found.tool_id}, which {said}" + (f": {', '.join(parts)}" if parts else "")
    if step.ask:
        yield "a person has to agree first"
    if step.may_call is False:
        yield "may not be called by you"
    if step.is_up is False:
        yield "its source cannot be reached now"
