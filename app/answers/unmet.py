"""Requests that nothing met, as JSON."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, TypeAdapter

from app.answers.standing import Remedy
from app.domain.unmet.entries import UnmetEntry, UnmetMode


@dataclass(frozen=True, slots=True)
class UnmetGroupAnswer:
    """Requests that share a rare word; of numbers alone, those near one tool."""

    word: Annotated[str, Field(description="What they share; empty for one request alone, and for numbers.")]
    count: Annotated[int, Field(description="How often nothing was found.")]
    first_at: Annotated[str, Field(description="UTC, ISO 8601.")]
    last_at: str
    near: Annotated[
        tuple[str, ...], Field(description="Ids of tools that may have been meant, the nearest first.")
    ]
    requests: Annotated[
        tuple[UnmetEntry, ...],
        Field(
            description="The most frequent first, at most 20. `text` is empty where only numbers are kept, and `first_at`"
            " and `last_at` are of one day."
        ),
    ]
    requests_total: int
    remedies: Annotated[
        tuple[Remedy, ...],
        Field(
            description="What would help: if the nearest tool was meant, or else a method of its own; nothing where only"
            " numbers are kept."
        ),
    ]


@dataclass(frozen=True, slots=True)
class UnmetAnswer:
    """A page of groups, the most frequent first."""

    mode: Annotated[
        UnmetMode,
        Field(description="What is kept now (OUTFITTER_UNMET); what was kept before stays until it is old."),
    ]
    groups: tuple[UnmetGroupAnswer, ...]
    groups_total: int
    count: Annotated[int, Field(description="How often nothing was found, over all pages.")]
    next_cursor: Annotated[str | None, Field(description="`cursor` of the next page; null on the last one.")]


_answer = TypeAdapter(UnmetAnswer)


def unmet_json(answer: UnmetAnswer) -> bytes:
    """An answer as it is sent."""
    return _answer.serializer.to_json(answer)
