"""ToolBench's Track B: 451 tools and 1,132 cases, of which 400 and 350 are made by rule."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import ToolId
from bench.commands.table_data import TableData
from bench.generated.design_cases import (
    MADE,
    ORIGINAL,
    PARAPHRASE,
    Case,
    overlap,
    paraphrases,
    synthetic_cases,
)
from bench.generated.design_tools import Design, bridges, make_design, shuffled_shells
from bench.literature import published
from bench.literature.track_a import TIERS
from bench.literature.track_tables import COLUMNS, TESTED, Scores, figure, with_published
from bench.methods.registry import AUTO, RANDOM, SHELLS, with_tokens
from bench.methods.words import Tokens
from bench.sets.datasets import Dataset, lines, require
from bench.sets.sets import toolbench

SEEDS = (1, 2, 3)
SHUFFLED = f"{SHELLS}, shuffled"
"""The row of KG-Hybrid on the set whose shells lead to other tools."""
_METHODS = (RANDOM, "keyword", "bm25", "tfidf", "kg_hybrid", SHELLS)
_PARTS = (ORIGINAL, PARAPHRASE, MADE)


def methods(tokens: Tokens) -> list[str]:
    """Names of all rankings that the tables of these tokens need."""
    return [with_tokens(name, tokens) for name in _METHODS] + [AUTO]


def control_method(tokens: Tokens) -> str:
    """The ranking that is also run on the set with shuffled shells."""
    return with_tokens(SHELLS, tokens)


def track_b(data: Path, *, seed: int) -> Dataset:
    """The set of one seed."""
    return assemble(toolbench(data), seed=seed)


def assemble(base: Dataset, *, seed: int) -> Dataset:
    """ToolBench with the synthetic tools beside its own, and with the synthetic cases and paraphrases."""
    design = make_design(seed)
    originals = [replace(question, part=ORIGINAL) for question in base.questions]
    again = paraphrases(base.questions, seed=seed)
    made = [case.question for case in synthetic_cases(design.made_of, seed=seed)]
    return Dataset(
        f"track_b:{seed}",
        _joined(base.catalogue, design),
        (*originals, *again, *made),
        list_gold=base.list_gold,
        manifest=base.manifest,
        links=base.links,
    )


def with_shuffled_shells(dataset: Dataset, *, seed: int) -> Dataset:
    """The control: the same words lead to the same shells, and the shells to other tools."""
    catalogue = dataset.catalogue
    tools = [tool.id for tool in catalogue.tools]
    templates = shuffled_shells(catalogue.templates, tools, seed=seed)
    return replace(
        dataset, name=f"{dataset.name}:shuffled", catalogue=replace(catalogue, templates=tuple(templates))
    )


def synthetic_overlap(design: Design, cases: Sequence[Case]) -> float:
    """Mean share of words that a synthetic query has in common with name and description of its methods."""
    first: dict[ToolId, str] = {}
    for method in design.methods:
        first.setdefault(method.implements[0], f"{method.name} {method.description}")
    return overlap((case.question.text, first[tool.id]) for case in cases for tool in case.tools)


def real_overlap(data: Path) -> float:
    """The same for ToolBench's own cases; reads which methods they were made for, which no ranking sees."""
    texts = {method.id: f"{method.name} {method.description}" for method in toolbench(data).catalogue.methods}
    cases = lines(require(data, "pinepaper", "cases.jsonl"))
    return overlap(
        (case["query"], texts[method]) for case in cases for method in case["methods"] if method in texts
    )


def tables(
    datasets: Sequence[Dataset], scores: Sequence[Scores], *, tokens: Tokens, notes: tuple[str, ...] = ()
) -> list[TableData]:
    """Tables 7 to 9, means over the seeds with the range behind them.

    Args:
        datasets: One per seed.
        scores: Those of `methods(tokens)` for each set, and `SHUFFLED`.
        tokens: Published values stand beside those of `paper` only.
        notes: Below table 7.
    """
    paper = tokens is Tokens.PAPER
    title = f"tokens={tokens.value}, {len(datasets)} seeds"
    names = [*methods(tokens)[:-1], SHUFFLED, AUTO]

    def by_group(
        groups: Sequence[str], attribute: str, there: published.PublishedRows, name: str
    ) -> TableData:
        masks = [
            {group: np.array([getattr(q, attribute) == group for q in one.questions]) for group in groups}
            for one in datasets
        ]
        rows = []
        for method in names:
            values = [
                [
                    float(np.mean(np.asarray(of[method][TESTED])[mask[group]]))
                    for of, mask in zip(scores, masks, strict=True)
                ]
                for group in groups
            ]
            rows.append((method, tuple(map(_mean_and_range, values))))
        sizes = [int(masks[0][group].sum()) for group in groups]
        columns = (f"{group} ({size})" for group, size in zip(groups, sizes, strict=True))
        return TableData(
            f"{name}: {title}", ("ranking", *columns), tuple(with_published(rows, there if paper else None))
        )

    rows = [
        (
            method,
            tuple(
                _mean_and_range([float(np.mean(of[method][column])) for of in scores]) for column in COLUMNS
            ),
        )
        for method in names
    ]
    return [
        TableData(
            f"Table 7, Track B: {title}",
            ("ranking", *COLUMNS),
            tuple(with_published(rows, published.TABLE_7 if paper else None)),
            notes,
        ),
        by_group(TIERS, "group", published.TABLE_8, "Table 8, R@5 by tier"),
        by_group(_PARTS, "part", published.TABLE_9, "Table 9, R@5 by kind of case"),
    ]


def _mean_and_range(values: Sequence[float]) -> str:
    """The mean; behind it the lowest and highest where they differ."""
    low, high = figure(min(values)), figure(max(values))
    middle = figure(float(np.mean(values)))
    return middle if low == high else f"{middle} ({low}-{high})"


def _joined(catalogue: Catalogue, design: Design) -> Catalogue:
    methods = (*catalogue.methods, *bridges(design.methods, catalogue.methods))
    return replace(
        catalogue,
        tools=tuple(sorted((*catalogue.tools, *design.tools), key=lambda node: node.id)),
        methods=tuple(sorted(methods, key=lambda node: node.id)),
        generators=tuple(sorted((*catalogue.generators, *design.generators), key=lambda node: node.id)),
        templates=tuple(sorted((*catalogue.templates, *design.templates), key=lambda node: node.id)),
        categories=tuple(sorted((*catalogue.categories, *design.categories), key=lambda node: node.id)),
    )


def facts(datasets: Sequence[Dataset], *, data: Path | None = None) -> tuple[str, ...]:
    """What a reader of the tables must know of the sets."""
    found = []
    for seed, dataset in zip(SEEDS, datasets, strict=False):
        design = make_design(seed)
        share = synthetic_overlap(design, synthetic_cases(design.made_of, seed=seed))
        found.append(
            f"Seed {seed}: {len(dataset.catalogue.tools)} tools, {len(dataset.catalogue.methods)} methods, "
            f"{len(dataset.questions)} cases, words shared with the labelled method {figure(share)}, "
            f"SHA-256 {dataset.fingerprint[:16]}."
        )
    if data is not None:
        found.append(f"The original cases share {figure(real_overlap(data))}; published: .070 and .244.")
    return tuple(found)
