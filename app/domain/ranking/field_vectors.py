"""A tool's vector as the weighted average of its fields' vectors, instead of one of a text that has them all.

Source:
    Tool Document Weighted Average: ScaleMCP (Lumer et al., 2025, arXiv 2505.06416), section 3.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from app.domain.language.text import split_words
from app.domain.nodes.models import Tool
from app.domain.ranking.meaning import Vectors, encoded_texts
from app.domain.schemas.walk import parameters
from app.errors import InvalidInputError

FIELDS = 3
"""Texts that are one field each: the first of `field_texts`; what follows are requests."""
_TEXT = 600
"""Characters of a field that are encoded, as many as of a description without weights."""


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """What each field counts for; those that a tool lacks leave their share to the others.

    Raises:
        InvalidInputError: one is below 0, or all are 0.
    """

    name: float
    """Server and name, in words."""
    description: float
    parameters: float
    """Names of the input schema's, in words."""
    requests: float
    """Those that were written for the tool: the mean of their vectors."""

    def __post_init__(self) -> None:
        """Refuse what no average can be made of."""
        if min(astuple(self)) < 0 or not np.isfinite(sum(astuple(self))) or not any(astuple(self)):
            raise InvalidInputError(
                f"weights of fields {list(astuple(self))}: accepted are four numbers of 0 or more, of name,"
                " description, parameters and requests, not all 0"
            )

    @property
    def label(self) -> str:
        """Tells vectors that were made by other weights apart."""
        return "fields:" + ",".join(f"{weight:g}" for weight in astuple(self))


def field_texts(tool: Tool) -> tuple[str, ...]:
    """Name, description, parameters, each empty where the tool lacks it, and then the requests that were written for it."""
    _, *requests = encoded_texts(tool)
    inputs = (parameter.name for parameter in parameters(tool.input_schema, nested=1))
    return (
        " ".join(split_words(f"{tool.server} {tool.name}")) or tool.id,
        (tool.description or tool.title)[:_TEXT],
        ", ".join(" ".join(split_words(name)) for name in inputs)[:_TEXT],
        *requests,
    )


def weighted_average(fields: Sequence[Vectors], weights: FieldWeights) -> Vectors:
    """The average of the fields that are there, (dimensions,), of length 1.

    Args:
        fields: In the order of `FieldWeights`, each (texts, dimensions) with rows of length 1; of several texts their mean
            counts. One of them has a text.
        weights: Where all that are there count 0, they count the same.
    """
    means = [
        (_normed(rows.mean(axis=0)), weight)
        for rows, weight in zip(fields, astuple(weights), strict=True)
        if len(rows)
    ]
    total = sum(weight for _, weight in means)
    shares = [weight / total if total else 1 / len(means) for _, weight in means]
    return _normed(np.sum([share * mean for (mean, _), share in zip(means, shares, strict=True)], axis=0))


def _normed(row: Vectors) -> Vectors:
    length = max(float(np.linalg.norm(row)), float(np.finfo(np.float32).tiny))
    return np.asarray(row / length, np.float32)
