"""The literature's tables on a small set: which rows there are, and what they say."""

from pathlib import Path

import pytest

from bench.generated.finance import QUESTIONS
from bench.literature import hgmf, scalemcp, track_a, track_b
from bench.literature.track_tables import differences_table, figure, group_differences_table, p_value, signed
from bench.literature.tracks import measure_track_a
from bench.methods.words import Tokens
from bench.sets.datasets import Dataset, Question
from bench.sets.sets import toolbench
from tests.unit.bench.data import write_toolbench
from tests.unit.catalogues import catalogue, tool

METRICS = ("R@1", "R@3", "R@5", "NDCG@5", "MRR", "all@5")


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return toolbench(write_toolbench(tmp_path))


def constant(value: float, dataset: Dataset) -> dict[str, list[float]]:
    return dict.fromkeys(METRICS, [value] * len(dataset.questions))


def test_numbers_are_written_as_the_literature_writes_them() -> None:
    assert [figure(value) for value in (0.8541, 1.0, 0.0)] == [".854", "1.000", ".000"]
    assert [signed(value) for value in (0.054, -0.054)] == ["+.054", "-.054"]
    assert [p_value(value) for value in (0.0001, 0.045)] == ["<.001", ".045"]


def test_every_table_has_every_method_and_published_values_with_paper_tokens_only(dataset: Dataset) -> None:
    for tokens in Tokens:
        names = track_a.methods(tokens)
        scores = {name: constant(0.5, dataset) for name in names}
        tables = track_a.tables(dataset, scores, tokens=tokens)
        said = [row[0] for table in tables for row in table.rows]
        assert ("  published" in said) == (tokens is Tokens.PAPER)
        assert len(tables) == 9
        assert {row[0] for row in tables[0].rows if row[0] != "  published"} <= set(names)


def test_a_sweep_has_a_point_for_each_setting(dataset: Dataset) -> None:
    scores = {name: constant(0.25, dataset) for name in track_a.methods(Tokens.REFERENCE)}

    alphas = track_a.alpha_points(scores, Tokens.REFERENCE)

    assert [point.value for point in alphas] == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert {(point.recall, point.ndcg) for point in alphas} == {(0.25, 0.25)}
    assert len(track_a.lambda_points(scores, Tokens.REFERENCE)) == 7


def test_the_whole_of_track_a_runs_on_a_small_set(tmp_path: Path) -> None:
    tables = measure_track_a(write_toolbench(tmp_path), [Tokens.PAPER])

    (auto,) = [row for row in tables[0].rows if row[0] == "auto"]
    assert float(auto[3]) > 0.8


def ahead(cases: int, better: int) -> tuple[Dataset, dict[str, dict[str, list[float]]]]:
    """`one` solves all cases, `two` all but the first `better`."""
    questions = tuple(Question(str(n), "q", ("a",), {}, "T1" if n % 2 else "T2") for n in range(cases))
    dataset = Dataset("set", catalogue([tool("a")]), questions)
    one = [1.0] * cases
    two = [0.0] * better + [1.0] * (cases - better)
    return dataset, {"one": dict.fromkeys(METRICS, one), "two": dict.fromkeys(METRICS, two)}


def test_a_difference_is_marked_and_says_which_is_ahead() -> None:
    _, scores = ahead(cases=100, better=40)

    (forward,) = differences_table("t", scores, "one", ["two"]).rows
    (back,) = differences_table("t", scores, "two", ["one"]).rows

    assert (forward[0], forward[2], forward[10]) == ("two", "+.400***", "40:0")
    assert (back[0], back[2], back[10]) == ("one", "-.400-***", "0:40")


def test_each_tier_is_a_family_of_its_own_and_one_case_is_not_tested() -> None:
    dataset, scores = ahead(cases=101, better=40)

    table = group_differences_table("t", dataset, scores, "one", ["two"], groups=("T1", "T2", "T3"))

    assert table.columns == ("one minus", "T1", "T2")
    assert table.rows == (("two", "+.400***", "+.392***"),)


def test_over_seeds_the_range_stands_behind_the_mean(dataset: Dataset) -> None:
    sets = [track_b.assemble(dataset, seed=seed) for seed in (1, 2)]
    scores = [
        {name: constant(value, one) for name in (*track_b.methods(Tokens.PAPER), track_b.SHUFFLED)}
        for value, one in zip((0.25, 0.75), sets, strict=True)
    ]

    tables = track_b.tables(sets, scores, tokens=Tokens.PAPER)

    assert [table.title.split(",")[0] for table in tables] == ["Table 7", "Table 8", "Table 9"]
    assert tables[0].rows[0] == ("random", *[".500 (.250-.750)"] * 5)
    assert tables[2].rows[1] == ("  published", ".009", ".010", ".014")


def test_scalemcp_prints_published_recall_beside_the_headline_stratum_only() -> None:
    questions = [Question(str(n), "q", ("a",), {}, "1", part=("headline", "long")[n % 2]) for n in range(8)]
    one = Dataset("s", catalogue([tool("a")], methods=[]), ())
    of_parts = [Dataset("s", one.catalogue, tuple(questions)) for _ in QUESTIONS]
    metrics = [f"{kind}@{k}" for kind in ("R", "NDCG", "MAP") for k in (1, 5, 10)] + ["all@5"]
    scores = [
        {name: {metric: [0.5] * 8 for metric in metrics} for name in scalemcp.METHODS} for _ in QUESTIONS
    ]

    tables = {table.title: table for table in scalemcp.tables(of_parts, scores, notes=())}

    headline = tables["ScaleMCP set, headline, 4 queries, k = 5"]
    assert headline.rows[0] == ("bm25", *[".500"] * 9)
    assert ("published: BM25", "", "", "", ".570", ".640", ".660", "", "", "") in headline.rows
    assert not any(
        row[0].startswith("published") for row in tables["ScaleMCP set, long, 4 queries, k = 5"].rows
    )


def test_hgmf_prints_published_figures_beside_their_rankings() -> None:
    questions = tuple(Question(str(n), "q", ("a",), {}, "") for n in range(4))
    dataset = Dataset("s", catalogue([tool("a")], methods=[]), questions)
    metrics = (*hgmf.COLUMNS, "all@5")
    scores = {name: {metric: [0.5] * 4 for metric in metrics} for name in hgmf.METHODS}

    figures, differences = hgmf.tables([dataset], [scores])

    assert figures.title == "HGMF: s, 1 tools, 4 requests"
    assert ("auto", *[".500"] * 4, "") in figures.rows
    assert ("hgmf", *[".500"] * 4, ".823") in figures.rows
    assert len(differences.rows) == len(hgmf.METHODS) - 1
