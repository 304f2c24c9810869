"""How sure it is that a tool that was found does what is asked for."""

import math
from dataclasses import dataclass

from app.domain.ranking.recipe import RECIPE, RankingRecipe

_FEWEST = 22
"""Tools of the smallest document that the weights were fitted on; fewer count as these."""


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """What an answer knows of its tools and its request."""

    said: float
    """Share of the request, by the rarity of its words, that the best tools say, one for each clause."""
    suggested: float
    """The most that a common method suggests one of the tools, where the method that fits best has 1."""
    alike: float | None
    """Cosine of the request and the tool that is closest to it; None where no vectors are compared."""
    tools: int
    """Among how many was looked: the more there are, the closer the closest is by accident."""


def features(evidence: AnswerEvidence) -> tuple[float, ...]:
    """What is weighed: 1, what is said, what is suggested, ln(tools), and how alike, where that is known."""
    alike = () if evidence.alike is None else (evidence.alike,)
    return (1.0, evidence.said, evidence.suggested, math.log(max(_FEWEST, evidence.tools)), *alike)


def confidence(evidence: AnswerEvidence, *, recipe: RankingRecipe = RECIPE) -> float:
    """The probability that one of the tools does what is asked for, where half of the requests have such a tool: logistic.

    1 / (1 + exp(-sum of weights and features))
    """
    found = features(evidence)
    weights = recipe.confidence_by_words if evidence.alike is None else recipe.confidence_by_meaning
    return 1 / (1 + math.exp(-sum(map(float.__mul__, weights, found))))
