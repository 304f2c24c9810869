"""ToolBench's Track A: tables 2 to 6 of the publication, with its tokens and with the service's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.commands.table_data import TableData
from bench.literature import published
from bench.literature.track_tables import (
    Scores,
    differences_table,
    figure,
    figures_table,
    group_differences_table,
    groups_table,
    mean,
    with_published,
)
from bench.methods.kg_hybrid import ALPHAS, LAMBDAS, VARIANTS
from bench.methods.registry import AUTO, RANDOM, SHELLS, with_tokens
from bench.methods.words import Tokens
from bench.sets.datasets import Dataset

TIERS = ("T1", "T2", "T3", "T4", "T5", "T6")
COMPARED = (RANDOM, "keyword", "tfidf", "bm25", "kg_text_only", "kg_toolrank")
"""Against KG-Hybrid, in the publication's order."""
REFERENCE = "kg_hybrid"
_TEXTS_NOTE = (
    "The taxonomy's texts were written for this project, so levels are not comparable with the published ones; "
    "differences between rankings are."
)
_TEXT_ONLY_NOTE = (
    "kg_text_only has the scores of keyword: the label is the graph's method with all structure off."
)
_TOOLRANK_NOTE = (
    "kg_toolrank reads the raw manifest, which lacks 38 of the 51 tools: of those it sees the name only."
)
_SHELLS_NOTE = f"{SHELLS} also lets templates give to their tools, as the service's kg_hybrid does."


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One setting of a sweep."""

    value: float
    recall: float
    """R@5."""
    ndcg: float
    """NDCG@5."""


def methods(tokens: Tokens) -> list[str]:
    """Names of all rankings that the tables of these tokens need."""
    names = [*COMPARED, REFERENCE, SHELLS, AUTO, *_variants(), *_alphas().values(), *_lambdas().values()]
    return list(dict.fromkeys(with_tokens(name, tokens) for name in names))


def tables(
    dataset: Dataset, scores: Scores, *, tokens: Tokens, ms: Mapping[str, float] | None = None
) -> list[TableData]:
    """Tables 2 to 6.

    Args:
        dataset: ToolBench, or the first of its cases.
        scores: Those of `methods(tokens)`; metrics R@1, R@3, R@5, NDCG@5, MRR, all@5.
        tokens: Published values stand beside those of `paper` only.
        ms: Median time of a query by method.
    """
    paper = tokens is Tokens.PAPER
    names = [with_tokens(name, tokens) for name in (*COMPARED, REFERENCE, SHELLS)] + [AUTO]
    others = [with_tokens(name, tokens) for name in COMPARED]
    reference = with_tokens(REFERENCE, tokens)
    title = f"tokens={tokens.value}, {len(dataset.questions)} cases"
    return [
        figures_table(
            f"Table 2: {title}",
            scores,
            names,
            published=published.TABLE_2 if paper else None,
            ms=ms,
            notes=(_TEXTS_NOTE, _TEXT_ONLY_NOTE, _TOOLRANK_NOTE, _SHELLS_NOTE),
        ),
        groups_table(
            f"Table 3, R@5 by tier: {title}",
            dataset,
            scores,
            names,
            published=published.TABLE_3 if paper else None,
            groups=TIERS,
        ),
        differences_table(
            f"Table 4, differences: {title}",
            scores,
            reference,
            others,
            published=published.TABLE_4 if paper else None,
            notes=("A case is solved when every distinct gold tool is among the first 5.",),
        ),
        differences_table(f"Table 4 for auto: {title}", scores, AUTO, [*others, reference]),
        group_differences_table(
            f"Differences by tier, R@5: {title}", dataset, scores, reference, others, groups=TIERS
        ),
        group_differences_table(
            f"Differences by tier for auto, R@5: {title}",
            dataset,
            scores,
            AUTO,
            [*others, reference],
            groups=TIERS,
        ),
        _ablations(f"Table 5, variants of KG-Hybrid: {title}", scores, tokens),
        _alpha_table(f"Table 6, share of BM25 (alpha): {title}", scores, tokens),
        _lambda_table(f"Weight of neighbours (lambda), R@5: {title}", scores, tokens),
    ]


def alpha_points(scores: Scores, tokens: Tokens) -> list[SweepPoint]:
    """The sweep over alpha."""
    return _points(scores, _alphas(), tokens)


def lambda_points(scores: Scores, tokens: Tokens) -> list[SweepPoint]:
    """The sweep over lambda."""
    return _points(scores, _lambdas(), tokens)


def _points(scores: Scores, names: Mapping[float, str], tokens: Tokens) -> list[SweepPoint]:
    found = {value: scores[with_tokens(name, tokens)] for value, name in names.items()}
    return [SweepPoint(value, mean(of["R@5"]), mean(of["NDCG@5"])) for value, of in found.items()]


def _ablations(title: str, scores: Scores, tokens: Tokens) -> TableData:
    columns = ("R@1", "R@5", "NDCG@5", "MRR")
    rows = []
    for name in VARIANTS:
        found = scores[with_tokens(f"kg_hybrid/{name}", tokens)]
        rows.append((name, tuple(figure(mean(found[column])) for column in columns)))
    there = published.TABLE_5 if tokens is Tokens.PAPER else None
    return TableData(title, ("variant", *columns), tuple(with_published(rows, there)))


def _alpha_table(title: str, scores: Scores, tokens: Tokens) -> TableData:
    rows = [
        (str(point.value), (figure(point.recall), figure(point.ndcg)))
        for point in alpha_points(scores, tokens)
    ]
    there = published.TABLE_6 if tokens is Tokens.PAPER else None
    return TableData(title, ("alpha", "R@5", "NDCG@5"), tuple(with_published(rows, there)))


def _lambda_table(title: str, scores: Scores, tokens: Tokens) -> TableData:
    points = lambda_points(scores, tokens)
    low, high = (figure(value) for value in published.LAMBDA_RANGE)
    notes = (f"Published: {low} to {high}.",) if tokens is Tokens.PAPER else ()
    row = (REFERENCE, *(figure(point.recall) for point in points))
    return TableData(title, ("ranking", *(str(point.value) for point in points)), (row,), notes)


def _variants() -> Sequence[str]:
    return [f"kg_hybrid/{name}" for name in VARIANTS]


def _alphas() -> dict[float, str]:
    return {alpha: f"kg_hybrid/alpha={alpha}" for alpha in ALPHAS}


def _lambdas() -> dict[float, str]:
    return {lambda_: f"kg_hybrid/lambda={lambda_}" for lambda_ in LAMBDAS}
