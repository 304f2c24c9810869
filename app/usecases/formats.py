"""Answers to one query or several as JSON, with the tools in the form that the asker's model takes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any

from app.answers.search import (
    FormattedAnswer,
    FoundTool,
    MatchEntry,
    PartAnswer,
    QueryAnswer,
    TokenSaving,
    answer_json,
    own_document,
)
from app.domain.ranking.documents import estimate_tokens
from app.domain.schemas.provider_schemas import renamed_arguments
from app.domain.schemas.tool_formats import (
    ToolFormat,
    anthropic_definition,
    has_names,
    tool_document,
)
from app.usecases.index.search_index import SearchIndex


def formatted_json(answer: QueryAnswer, form: ToolFormat, *, index: SearchIndex, begin: float) -> bytes:
    """The answer to one query. `begin` is when the request came, by `time.perf_counter`.

    Args:
        answer: Its matches have their schemas where the form is `outfitter` and they were asked for.
        form: Of the tools.
        index: The one that the answer comes from.
        begin: See above.
    """
    if form is ToolFormat.OUTFITTER:
        return answer_json(answer, begin)
    formatted = FormattedAnswer(
        **_formed(answer.tools, form, index),
        matches=tuple(map(_entry, answer.tools)),
        confidence=answer.confidence,
        lexicon=answer.lexicon,
        notes=answer.notes,
        abstained=answer.abstained,
        nearest=answer.nearest,
        tokens=answer.tokens,
        generation=answer.generation,
        took_ms=0.0,
    )
    return answer_json(formatted, begin)


def answers_json(
    asked: Sequence[tuple[str, QueryAnswer]], form: ToolFormat, *, index: SearchIndex, begin: float
) -> bytes:
    """The answers to several queries as one, from one generation; arguments as for `formatted_json`."""
    union = list(_each_once([answer.tools for _, answer in asked]))
    sizes = index.whole.definition_bytes[[index.positions[match.id] for match in union]].tolist()
    returned = estimate_tokens(sizes)
    whole = asked[0][1].tokens.catalogue
    formatted = FormattedAnswer(
        **_formed(union, form, index),
        answers=tuple(
            PartAnswer(
                query,
                tuple(map(_entry, answer.tools)),
                answer.abstained,
                answer.nearest,
                answer.confidence,
                answer.lexicon,
                answer.notes,
            )
            for query, answer in asked
        ),
        abstained=all(answer.abstained for _, answer in asked),
        nearest=(),
        tokens=TokenSaving(whole, returned, whole - returned),
        generation=index.generation,
        took_ms=0.0,
    )
    return answer_json(formatted, begin)


def _formed(matches: Sequence[FoundTool], form: ToolFormat, index: SearchIndex) -> dict[str, Any]:
    """`tools`, `names`, `arguments` and `definitions` of an answer."""
    if form is ToolFormat.OUTFITTER:
        # Reasons belong to a query; of several, they stand with its matches.
        return {"tools": [own_document(replace(match, why=None)) for match in matches]}
    tools = [index.catalogue.tools[index.positions[match.id]] for match in matches]
    names = index.provider_names if has_names(form) else {}
    formed: dict[str, Any] = {
        "tools": [tool_document(tool, form, name=names.get(tool.id, "")) for tool in tools]
    }
    if has_names(form):
        formed["names"] = {names[tool.id]: tool.id for tool in tools}
        renamed = {names[tool.id]: renamed_arguments(tool.input_schema) for tool in tools}
        formed["arguments"] = {name: found for name, found in renamed.items() if found} or None
    if form is ToolFormat.ANTHROPIC_TOOL_REFERENCE:
        formed["definitions"] = [
            anthropic_definition(tool, name=names[tool.id], deferred=True) for tool in tools
        ]
    return formed


def _each_once(found: Sequence[Sequence[FoundTool]]) -> Iterator[FoundTool]:
    """The first of each, the second of each, and so on; a tool that came before is left out."""
    seen: set[str] = set()
    for match in chain.from_iterable(zip_longest(*found)):
        if match is not None and match.id not in seen:
            seen.add(match.id)
            yield match


def _entry(match: FoundTool) -> MatchEntry:
    return MatchEntry(match.id, match.score, match.role, match.needed_by, match.parameter, match.why)
