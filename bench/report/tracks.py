"""The chapters of a report on the literature's sets: both tracks of ToolBench, the ScaleMCP set, HGMF."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from app.errors import InvalidInputError
from bench.commands.table_data import TableData
from bench.literature import hgmf, published, scalemcp, track_a, track_b
from bench.literature.track_tables import Scores
from bench.measure.cells import Cell
from bench.methods.registry import AUTO, PRUNED, method_named
from bench.methods.words import Tokens
from bench.report import plots
from bench.report.cells import Task
from bench.report.section import Section
from bench.sets.datasets import Dataset

Cells = Mapping[tuple[str, str], Cell]
_BARS = ("kg_hybrid", "bm25", "tfidf", "keyword", "kg_toolrank")
_SHOWN = ("Table 2", "Table 3", "Table 4,")
"""Tables that the page shows at once."""
_TRACK_A = (
    "PinePaper-ToolBench: 582 cases on the 51 tools that its taxonomy names. T1 names one tool outright, T2 implies "
    "one, T3 needs two in sequence, T4 three or more, T5 a generator, T6 is vague and crosses domains. Each table "
    "stands here with the tokens of the publication (paper) and with those of the service (reference); published values "
    "stand below their rankings where the tokens are the publication's."
)
_TRACK_B = (
    "The 51 tools and 582 cases beside 400 tools, 200 paraphrases and 350 cases that are made by rule, from three "
    "seeds: means, with the range behind them. In the row of shuffled shells, the same words lead to the same shells, "
    "and the shells to other tools: what remains is chance."
)
_SCALEMCP = (
    "5,000 financial tools, five for each of 1,000 invented companies, with 0, 5 or 10 synthetic questions a tool in "
    "their texts."
)
_HGMF = (
    "Servers are left out by groups of their vectors, then tools of those that remain, and what is left is ranked: by "
    "mixtures of Gaussians (hgmf), by other groups, or not at all (mcp_zero ranks the tools of the five nearest servers). "
    "hgmf+auto is what auto finds of what hgmf leaves."
)


@dataclass(frozen=True)
class Tracks:
    """The sets of the literature that a report measures."""

    toolbench: Dataset | None
    seeds: tuple[Dataset, ...] = ()
    controls: tuple[Dataset, ...] = ()
    finance: tuple[Dataset, ...] = ()
    live: Dataset | None = None
    """LiveMCPBench, which is among the sets of every ranking as well."""
    toucan: tuple[Dataset, ...] = ()
    missing: tuple[str, ...] = ()
    """A line for each that cannot be measured."""

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        """Those that are not among the sets of every ranking."""
        return (*self.seeds, *self.controls, *self.finance, *self.toucan)

    def tasks(self) -> Iterator[Task]:
        """The cells that the tables need."""
        for tokens in Tokens:
            if self.toolbench:
                yield from _tasks(self.toolbench, track_a.methods(tokens))
            for dataset in self.seeds:
                yield from _tasks(dataset, track_b.methods(tokens))
            for dataset in self.controls:
                yield from _tasks(dataset, [track_b.control_method(tokens)])
        for dataset in self.finance:
            yield from _tasks(dataset, scalemcp.METHODS)
        for dataset in self._pruned:
            yield from _tasks(dataset, hgmf.METHODS)

    def sections(self, cells: Cells, data: Path) -> list[Section]:
        """A chapter for each set that is there."""
        found = []
        if self.toolbench:
            found.append(_track_a_section(self.toolbench, cells))
        if self.seeds:
            found.append(self._track_b_section(cells, data))
        if self.finance:
            scores = [_scores(dataset, cells, scalemcp.METHODS) for dataset in self.finance]
            tables = scalemcp.tables(self.finance, scores, notes=scalemcp.facts(self.finance))
            found.append(Section("ScaleMCP set", (_SCALEMCP,), tables=tuple(tables)))
        if self._pruned:
            scores = [_scores(dataset, cells, hgmf.METHODS) for dataset in self._pruned]
            tables = hgmf.tables(self._pruned, scores)
            found.append(Section("HGMF", (_HGMF,), tables=tuple(tables)))
        return found

    @property
    def _pruned(self) -> tuple[Dataset, ...]:
        return (*((self.live,) if self.live else ()), *self.toucan)

    def _track_b_section(self, cells: Cells, data: Path) -> Section:
        tables = []
        notes = track_b.facts(self.seeds, data=data)
        for tokens in Tokens:
            control = track_b.control_method(tokens)
            scores = [
                {
                    **_scores(dataset, cells, track_b.methods(tokens)),
                    track_b.SHUFFLED: cells[shuffled.name, control].scores,
                }
                for dataset, shuffled in zip(self.seeds, self.controls, strict=True)
            ]
            tables += track_b.tables(self.seeds, scores, tokens=tokens, notes=notes)
        return Section("ToolBench, Track B", (_TRACK_B,), tables=tuple(tables))


def read_tracks(data: Path, toolbench: Dataset | None, *, quick: bool) -> Tracks:
    """The sets; a quick look has Track A alone."""
    if quick:
        return Tracks(toolbench)
    live, toucan, missing = _pruned_sets(data)
    tracks = Tracks(toolbench, finance=tuple(scalemcp.datasets()), live=live, toucan=toucan, missing=missing)
    try:
        seeds = tuple(track_b.track_b(data, seed=seed) for seed in track_b.SEEDS)
    except InvalidInputError:
        return tracks  # the line on ToolBench says what is missing
    controls = tuple(
        track_b.with_shuffled_shells(dataset, seed=seed)
        for dataset, seed in zip(seeds, track_b.SEEDS, strict=True)
    )
    return replace(tracks, seeds=seeds, controls=controls)


def _pruned_sets(data: Path) -> tuple[Dataset | None, tuple[Dataset, ...], tuple[str, ...]]:
    """LiveMCPBench, the sets of Toucan, and what is missing."""
    try:
        method_named(PRUNED[0])
        return hgmf.live_set(data), tuple(hgmf.toucan_sets(data)), ()
    except InvalidInputError as error:
        return None, (), (f"HGMF: {error}",)


def _tasks(dataset: Dataset, names: Sequence[str]) -> Iterator[Task]:
    yield from (Task(dataset, method_named(name)) for name in names)


def _scores(dataset: Dataset, cells: Cells, names: Sequence[str]) -> Scores:
    return {name: cells[dataset.name, name].scores for name in names}


def _track_a_section(dataset: Dataset, cells: Cells) -> Section:
    tables: list[TableData] = []
    by_tokens: dict[Tokens, Scores] = {}
    for tokens in Tokens:
        names = track_a.methods(tokens)
        by_tokens[tokens] = scores = _scores(dataset, cells, names)
        ms = {name: float(np.median(cells[dataset.name, name].times.ms)) for name in names}
        tables += track_a.tables(dataset, scores, tokens=tokens, ms=ms)
    return Section(
        "ToolBench, Track A",
        (_TRACK_A,),
        tables=tuple(table for table in tables if table.title.startswith(_SHOWN)),
        folded=tuple(table for table in tables if not table.title.startswith(_SHOWN)),
        plots=(_tiers(dataset, cells), *_sweeps(by_tokens)),
    )


def _tiers(dataset: Dataset, cells: Cells) -> str:
    shown = [AUTO, *(name for name in _BARS if (dataset.name, name) in cells)]
    tiers = [tier for tier in track_a.TIERS if any(one.group == tier for one in dataset.questions)]
    series: dict[str, list[float | None]] = {}
    for name in shown:
        scores = cells[dataset.name, name].scores["R@5"]
        by_tier = [
            [score for score, one in zip(scores, dataset.questions, strict=True) if one.group == tier]
            for tier in tiers
        ]
        series[name] = [float(np.mean(values)) for values in by_tier]
    return plots.bars("R@5 by tier, reference tokens", tiers, series)


def _sweeps(by_tokens: Mapping[Tokens, Scores]) -> list[str]:
    """R@5 as alpha and lambda of KG-Hybrid change, with each kind of tokens; alpha as published, too."""
    alphas = {
        f"tokens={tokens.value}": [
            (point.value, point.recall) for point in track_a.alpha_points(scores, tokens)
        ]
        for tokens, scores in by_tokens.items()
    }
    alphas["published"] = [(float(alpha), values[0]) for alpha, values in published.TABLE_6.items()]
    lambdas = {
        f"tokens={tokens.value}": [
            (point.value, point.recall) for point in track_a.lambda_points(scores, tokens)
        ]
        for tokens, scores in by_tokens.items()
    }
    return [
        plots.lines("KG-Hybrid, R@5 by the share of BM25", alphas, x_title="alpha"),
        plots.lines("KG-Hybrid, R@5 by the weight of neighbours", lambdas, x_title="lambda"),
    ]
