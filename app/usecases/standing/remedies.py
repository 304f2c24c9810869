"""What would help a tool to be found by a request: an example for a method, or an entry of a taxonomy."""

import json
import re
from collections.abc import Collection, Iterable

from app.answers.standing import Remedy, RemedyKind
from app.domain.nodes.models import Method, Tool
from app.usecases.index.search_index import SearchIndex

_ID_CHARS = 40
"""Of the id of a method that is named after a request."""
_METHODS = 3
"""Methods that are named; a tool may have hundreds."""


def remedies_for(
    position: int, query: str, index: SearchIndex, *, found_by: Iterable[str] = ()
) -> tuple[Remedy, ...]:
    """What would help, the surest first.

    Args:
        position: Of the tool in the catalogue.
        query: The request, without hidden characters.
        index: What the answer came from.
        found_by: Methods that brought the tools above and that this one does not implement, the best first.
    """
    tool = index.catalogue.tools[position]
    own = methods_of(position, index)
    by_id = index.catalogue.method_by_id
    others = [by_id[one] for one in list(found_by)[:_METHODS] if one in by_id]
    found = [_example(method, query) for method in own[:_METHODS]]
    found += [_implements(method, tool) for method in others]
    if not own:
        found.append(_new_method(tool, query, known=by_id))
    if tool.declared:
        found.insert(0, _described(tool))
    return tuple(found)


def remedy_without_tool(query: str, index: SearchIndex) -> Remedy:
    """A method for a request that no tool is near to: which tools do it, whoever knows has to say."""
    wanted = re.sub(r"\W+", "_", query.casefold()).strip("_")[:_ID_CHARS].strip("_")
    method = _free(wanted or "unmet", index.catalogue.method_by_id)
    return Remedy(
        RemedyKind.METHOD,
        "a method with the request as an example, and the tools that do it in `implements`",
        method=method,
        taxonomy=_entry(method, implements=[], examples=[query]),
    )


def methods_of(position: int, index: SearchIndex) -> list[Method]:
    """The methods that a tool implements, by id."""
    methods, rows = index.catalogue.methods, index.of_methods
    numbers = rows.indices[rows.indptr[position] : rows.indptr[position + 1]].tolist()
    tool = index.catalogue.tools[position].id
    # A row may hold methods of which the tool has the texts alone: those of its generators stand behind.
    return [methods[one] for one in sorted(numbers) if one < len(methods) and tool in methods[one].implements]


def _example(method: Method, query: str) -> Remedy:
    return Remedy(
        RemedyKind.EXAMPLE,
        f"the request as an example of the method {method.id!r}, which the tool implements",
        method=method.id,
        taxonomy=_entry(method.id, examples=[query]),
    )


def _implements(method: Method, tool: Tool) -> Remedy:
    return Remedy(
        RemedyKind.IMPLEMENTS,
        f"the tool in `implements` of the method {method.id!r}, if it does the same",
        method=method.id,
        taxonomy=_entry(method.id, implements=[tool.id]),
    )


def _new_method(tool: Tool, query: str, *, known: Collection[str]) -> Remedy:
    method = _free(f"{tool.server}.{tool.name}" if tool.server else tool.name, known)
    return Remedy(
        RemedyKind.METHOD,
        "a method of its own, with the request as an example",
        method=method,
        taxonomy=_entry(method, name=tool.title or tool.name, implements=[tool.id], examples=[query]),
    )


def _free(wanted: str, known: Collection[str]) -> str:
    """The id, or the first of its kind that no method has."""
    ids = (wanted, *(f"{wanted}-{number}" for number in range(2, len(known) + 3)))
    return next(one for one in ids if one not in known)


def _described(tool: Tool) -> Remedy:
    return Remedy(
        RemedyKind.SOURCE,
        f"the source that describes {tool.id!r}: `outfitter ingest manifest`, `openapi` or `mcp`",
    )


def _entry(method: str, *, name: str = "", **lists: list[str]) -> str:
    """A method of a taxonomy as YAML; every text is quoted, so that none of it can be read as anything else."""
    lines = ["methods:", f"  - id: {_quoted(method)}"]
    if name:
        lines.append(f"    name: {_quoted(name)}")
    for field, texts in lists.items():
        lines.append(f"    {field}:" if texts else f"    {field}: []")
        lines += [f"      - {_quoted(text)}" for text in texts]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A text as JSON, which YAML reads as the same text."""
    return json.dumps(text, ensure_ascii=False)
