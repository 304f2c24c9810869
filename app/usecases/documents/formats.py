"""Answers to one query or several as JSON, with the tools in the form that the asker's model takes."""

import time
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from typing import Annotated, Any

from pydantic import BaseModel, Field

from app.domain.ranking.documents import estimate_tokens
from app.domain.schemas.provider_schemas import renamed_arguments
from app.domain.schemas.tool_formats import (
    ToolFormat,
    anthropic_definition,
    has_names,
    tool_document,
)
from app.usecases.documents.search import (
    FoundTool,
    NearbyTool,
    TokenSaving,
    Why,
    answer_json,
    found_tool,
    nearby_tools,
    reasons,
    token_saving,
)
from app.usecases.index.search_index import SearchIndex
from app.usecases.search_values import Match, Role, SearchAnswer


class MatchEntry(BaseModel):
    """Why a tool is in the answer; the tool itself is in `tools`."""

    id: str
    score: Annotated[float, Field(description="Compares within one query only.")]
    role: Role
    needed_by: str | None = None
    parameter: str | None = None
    why: list[Why] | None = None


class PartAnswer(BaseModel):
    """What one of several queries found."""

    query: str
    matches: Annotated[list[MatchEntry], Field(description="Best first.")]
    abstained: bool
    nearest: list[NearbyTool]


class FormattedAnswer(BaseModel):
    """The tools that fit, best first, in the form that was asked for."""

    tools: Annotated[
        list[Any],
        Field(
            description="In the form asked for. Of several queries: each tool once; the best of each query first."
        ),
    ]
    names: Annotated[
        dict[str, str] | None,
        Field(description="Tool id by the name that a provider's form gives it; absent in the other forms."),
    ] = None
    arguments: Annotated[
        dict[str, dict[str, str]] | None,
        Field(
            description="By a tool's name in a provider's form: the tool's own name of each argument that has another"
            " one there. Absent where none has."
        ),
    ] = None
    definitions: Annotated[
        list[dict[str, Any]] | None,
        Field(
            description="With `anthropic_tool_reference`: what the references name, for `tools` of the next request."
        ),
    ] = None
    matches: Annotated[
        list[MatchEntry] | None, Field(description="Scores and reasons, where `tools` cannot hold them.")
    ] = None
    answers: Annotated[
        list[PartAnswer] | None, Field(description="Of several queries: what each found, in their order.")
    ] = None
    abstained: Annotated[bool, Field(description="Nothing that the filters allow scores above 0.")]
    nearest: Annotated[list[NearbyTool], Field(description="Empty unless `abstained`.")]
    tokens: TokenSaving
    generation: Annotated[int, Field(description="The generation of the graph that this answer comes from.")]
    took_ms: float


def formatted_json(answer: SearchAnswer, form: ToolFormat, *, index: SearchIndex, begin: float) -> bytes:
    """The answer to one query. `begin` is when the request came, by `time.perf_counter`.

    Args:
        answer: Its matches have their schemas where the form is `outfitter` and they were asked for.
        form: Of the tools.
        index: The one that the answer comes from.
        begin: See above.
    """
    if form is ToolFormat.OUTFITTER:
        return answer_json(answer, begin)
    document = FormattedAnswer.model_construct(
        **_formed(answer.tools, form, index),
        matches=[_entry(match) for match in answer.tools],
        abstained=answer.abstained,
        nearest=nearby_tools(answer),
        tokens=token_saving(answer.tokens),
        generation=answer.generation,
        took_ms=_since(begin),
    )
    return document.__pydantic_serializer__.to_json(document, exclude_none=True)


def answers_json(
    asked: Sequence[tuple[str, SearchAnswer]], form: ToolFormat, *, index: SearchIndex, begin: float
) -> bytes:
    """The answers to several queries as one, from one generation; arguments as for `formatted_json`."""
    union = list(_each_once([answer.tools for _, answer in asked]))
    sizes = index.definition_bytes[[index.positions[match.id] for match in union]].tolist()
    returned = estimate_tokens(sizes)
    document = FormattedAnswer.model_construct(
        **_formed(union, form, index),
        answers=[
            PartAnswer.model_construct(
                query=query,
                matches=[_entry(match) for match in answer.tools],
                abstained=answer.abstained,
                nearest=nearby_tools(answer),
            )
            for query, answer in asked
        ],
        abstained=all(answer.abstained for _, answer in asked),
        nearest=[],
        tokens=TokenSaving.model_construct(
            catalogue=index.catalogue_tokens, returned=returned, saved=index.catalogue_tokens - returned
        ),
        generation=index.generation,
        took_ms=_since(begin),
    )
    return document.__pydantic_serializer__.to_json(document, exclude_none=True)


def _formed(matches: Sequence[Match], form: ToolFormat, index: SearchIndex) -> dict[str, Any]:
    """`tools`, `names`, `arguments` and `definitions` of an answer."""
    if form is ToolFormat.OUTFITTER:
        return {"tools": [_without_why(found_tool(match)) for match in matches]}
    tools = [index.catalogue.tool_by_id[match.id] for match in matches]
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


def _each_once(found: Sequence[Sequence[Match]]) -> Iterator[Match]:
    """The first of each, the second of each, and so on; a tool that came before is left out."""
    seen: set[str] = set()
    for match in chain.from_iterable(zip_longest(*found)):
        if match is not None and match.id not in seen:
            seen.add(match.id)
            yield match


def _without_why(tool: FoundTool) -> FoundTool:
    """Reasons belong to a query; of several, they stand with its matches."""
    return tool.model_copy(update={"why": None})


def _entry(match: Match) -> MatchEntry:
    return MatchEntry.model_construct(
        id=match.id,
        score=match.score,
        role=match.role,
        needed_by=match.needed_by or None,
        parameter=match.parameter or None,
        why=None if match.why is None else reasons(match.why),
    )


def _since(begin: float) -> float:
    return round(1000 * (time.perf_counter() - begin), 3)
