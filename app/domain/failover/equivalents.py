"""Which tools do the same, as sources state it."""

from collections.abc import Iterable, Sequence

from app.domain.nodes.models import Method, ToolId


def equivalents_of(tool: str, methods: Sequence[Method]) -> dict[ToolId, str]:
    """The tools that do what a tool does, by id, each with what says so.

    Two tools are equivalent when a stated method is implemented by both, or a stated ALTERNATIVE joins a method of the
    one with a method of the other, whichever of both states it. What is only suggested joins nothing.
    """
    own = {method.id: method for method in methods if tool in method.implements}
    if not own:
        return {}
    found: dict[ToolId, str] = {}
    for method in own.values():
        _add(found, method.implements, f"both implement the method {method.id!r}", tool)
    for other in methods:
        named = sorted({*other.alternatives} & own.keys()) or sorted(
            one.id for one in own.values() if other.id in one.alternatives
        )
        if named and other.id not in own:
            said = f"the method {other.id!r} is stated to be an alternative to {named[0]!r}"
            _add(found, other.implements, said, tool)
    return dict(sorted(found.items()))


def _add(found: dict[ToolId, str], tools: Iterable[ToolId], said: str, tool: str) -> None:
    for one in tools:
        if one != tool:
            found.setdefault(one, said)
