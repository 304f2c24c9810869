"""What there is, in numbers."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from app.answers.search import Generation


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value that tools can be filtered by."""

    id: Annotated[str, Field(description="As filters take it.")]
    name: str
    tools: Annotated[int, Field(description="How many have it.")]


_LARGEST = "The largest first; at most `limit`."


@dataclass(frozen=True, slots=True)
class FacetsAnswer:
    """How many tools there are, and of what."""

    tools: int
    servers: Annotated[tuple[FacetValue, ...], Field(description=_LARGEST)]
    servers_total: int
    categories: Annotated[
        tuple[FacetValue, ...],
        Field(description=f"With tools in them, or that implement a method in them. {_LARGEST}"),
    ]
    categories_total: int
    read_only: Annotated[int, Field(description="Tools that say that they change nothing.")]
    declared: Annotated[int, Field(description="Tools that a taxonomy names and no source describes.")]
    deprecated: int
    generation: Generation
