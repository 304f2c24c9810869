"""What a set may reveal about itself while it is being scored: everything else in it may hold the answers."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.errors import InvalidInputError

META_FIELDS = frozenset({"split", "vendor", "gold_alternatives"})
"""Of a query: `gold_alternatives` is for scoring, the others choose samples."""
CASE_FIELDS = frozenset({"id", "tier", "query", "gold"})
"""Of a case of ToolBench: `acceptable` and `methods` name answers."""
GIVEN_EDGES = frozenset({"requires", "may_require"})
"""Edges that came with the tools. `precedes` and `provides_input_to` were made from the answers."""


def safe_meta(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Of a query's `meta` what is no label."""
    return {name: value for name, value in meta.items() if name in META_FIELDS}


def safe_case(case: Mapping[str, Any]) -> dict[str, Any]:
    """Of a case of ToolBench what is no hint."""
    return {name: value for name, value in case.items() if name in CASE_FIELDS}


def given_edges(rows: Iterable[Mapping[str, Any]], *, name: str) -> Iterator[Mapping[str, Any]]:
    """The edges, as long as each came with the tools.

    Raises:
        InvalidInputError: one was made from the answers.
    """
    for row in rows:
        if row["type"] not in GIVEN_EDGES:
            accepted = ", ".join(sorted(GIVEN_EDGES))
            raise InvalidInputError(
                f"{name}: an edge of type {row['type']!r} is a label; accepted as input: {accepted}"
            )
        yield row
