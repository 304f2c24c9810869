"""The language model of the settings, as `outfitter plan` asks it."""

import json
from typing import TYPE_CHECKING

import typer

from app.commands.terminal import write_json, write_text
from app.errors import InvalidInputError, ReaderUnavailableError

if TYPE_CHECKING:
    from app.settings import Settings
    from app.usecases.questions import PlanRequest
    from app.usecases.rankings.consistent import ConsistentGraph
    from app.usecases.reading import ModelReading


def read_goal(
    request: "PlanRequest", settings: "Settings", graph: "ConsistentGraph", *, no_model: bool
) -> "ModelReading":
    """The request as the model reads it; as it is where none is set or wanted."""
    from app.roots.reading import opened_reader
    from app.usecases.reading import ModelReading, candidate_operations, read_by_model

    if no_model:
        return ModelReading(request)
    with opened_reader(settings) as reader:
        if reader is None:
            return ModelReading(request)
        return read_by_model(request, candidate_operations(request, graph), reader)


def print_question(request: "PlanRequest", settings: "Settings", graph: "ConsistentGraph") -> None:
    """Print what the model would be sent, and about how much that is; nothing is sent.

    Raises:
        InvalidInputError: the budget has no room for the goal.
    """
    from app.domain.language.visible_text import squeezed, without_hidden
    from app.roots.reading import opened_reader
    from app.usecases.reading import candidate_operations

    with opened_reader(settings) as reader:
        if reader is None:
            raise typer.BadParameter(
                "no language model is set; accepted: with OUTFITTER_LLM_URL and OUTFITTER_LLM_MODEL",
                param_hint="--dry-run",
            )
        try:
            asked = reader.prepared(
                squeezed(without_hidden(request.goal)), candidate_operations(request, graph)
            )
        except ReaderUnavailableError as error:
            raise InvalidInputError(str(error)) from error
    write_json(json.dumps(asked.body, ensure_ascii=False, indent=2))
    write_text(
        f"{len(asked.candidates)} operations, about {asked.tokens:,} tokens of at most {reader.max_tokens:,}"
        f" (OUTFITTER_LLM_MAX_TOKENS); POST {reader.address}; nothing was sent",
        stderr=True,
    )
