"""KG-Hybrid with its numbers as parameters: the published variants, and the two sweeps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from app.domain.catalogue import Catalogue
from app.domain.ranking.formulas import Array, best, by_maximum, window
from app.domain.ranking.recipe import RECIPE
from bench.methods.base import Ranker
from bench.methods.bm25s import Bm25sIndex
from bench.methods.lexical import bm25_ranker, ranked, sparse
from bench.methods.words import Corpus, Tokens
from bench.sets.datasets import Dataset

NEIGHBOUR_SHARE = 0.4


@dataclass(frozen=True)
class Variant:
    """The two numbers that are varied."""

    alpha: float = 0.6
    """Share of BM25 in the fusion."""
    lambda_: float = 0.3
    """How much a method's neighbours count."""


FULL = Variant()
VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        "full": FULL,
        "NoPPR": Variant(lambda_=0.0),
        "TextOnly": Variant(alpha=1.0),
        "HighAlpha": Variant(alpha=0.8),
        "LowAlpha": Variant(alpha=0.4),
        "EqualWeight": Variant(alpha=0.5),
    }
)
"""Of the published table 5."""
ALPHAS = tuple(step / 10 for step in range(11))
LAMBDAS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)


def kg_hybrid_ranker(
    dataset: Dataset, tokens: Tokens, variant: Variant = FULL, *, templates: bool = False
) -> Ranker:
    """The 30 best tools by BM25, fused with what methods (and templates) give to their tools.

        graph(tool)  = 0.6 * score of each of its methods among the 10 best by BM25
                     + 0.4 * lambda * weight * score of each of these that has a `similar` or `enhances` edge to
                       a method of the tool
                     (+ 0.6 * score of each of the 3 best templates that uses it)
        fused        = alpha * bm25 / max(bm25) + (1 - alpha) * graph / max(graph)

    Without methods it is BM25, without a window.

    Source:
        PinePaper-ToolBench (2026), section 3; the number of methods, and templates, are ours.
    """
    if not dataset.catalogue.methods:
        return bm25_ranker(dataset, tokens)
    corpus = Corpus(dataset.catalogue, tokens)
    graph = _Graph(dataset.catalogue)
    tools, methods = Bm25sIndex(corpus.documents), Bm25sIndex(corpus.methods)
    shells = Bm25sIndex(corpus.templates if templates else [])

    def rank(_: str, query: str) -> Sequence[str]:
        words = corpus.terms(query)
        seeds = _kept(methods.scores(words), RECIPE.method_seeds)
        reached = graph.of_methods @ (
            RECIPE.seed_weight * seeds + NEIGHBOUR_SHARE * variant.lambda_ * (graph.neighbours @ seeds)
        )
        if templates:
            reached = reached + RECIPE.seed_weight * (
                graph.of_templates @ _kept(shells.scores(words), RECIPE.template_seeds)
            )
        text = window(tools.scores(words))
        return ranked(
            corpus.tools, variant.alpha * by_maximum(text) + (1 - variant.alpha) * by_maximum(reached)
        )

    return rank


class _Graph:
    """Edges as matrices."""

    def __init__(self, catalogue: Catalogue) -> None:
        tools: dict[str, int] = {tool.id: row for row, tool in enumerate(catalogue.tools)}
        methods: dict[str, int] = {method.id: column for column, method in enumerate(catalogue.methods)}
        self.of_methods = sparse(
            [
                (tools[tool], methods[method.id], 1.0)
                for method in catalogue.methods
                for tool in method.implements
                if tool in tools
            ],
            (len(tools), len(methods)),
        )
        """(tools, methods), 1 where the method is implemented by the tool."""
        self.neighbours = sparse(
            [
                (methods[link.target], methods[method.id], link.weight)
                for method in catalogue.methods
                for link in method.related
                if link.target in methods
            ],
            (len(methods), len(methods)),
        )
        """(neighbours, methods), the weights of edges from method to neighbour."""
        self.of_templates = sparse(
            [
                (tools[tool], column, 1.0)
                for column, template in enumerate(catalogue.templates)
                for tool in template.uses
                if tool in tools
            ],
            (len(tools), len(catalogue.templates)),
        )
        """(tools, templates), 1 where the template uses the tool."""


def _kept(scores: Array, count: int) -> Array:
    """`scores` of the best, 0 for the others."""
    kept = np.zeros_like(scores)
    positions = best(scores, count)
    kept[positions] = scores[positions]
    return kept
