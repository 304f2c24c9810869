"""Two reports side by side, and a person's own requests over a graph."""

import copy
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from app.errors import InvalidInputError
from app.usecases.questions import SearchMethod
from bench.commands.cli import app
from bench.commands.compare_tables import worst_table
from bench.report.compare import compare_reports
from bench.sets.query_cases import CasesReport, measure_cases, read_cases
from tests.unit.bench.samples import bakery


def figures(**scores: list[float]) -> dict[str, Any]:
    """The figures of a report with one metric that matters."""
    return {
        "sets": {
            name: {
                "fingerprint": name,
                "questions": len(values),
                "methods": {"auto": {}},
                "cases": {"auto": dict.fromkeys(("R@1", "R@5", "R@10", "NDCG@5", "MRR"), values)},
            }
            for name, values in scores.items()
        }
    }


GOOD = figures(bakery=[1.0, 0.9, 1.0, 0.8, 1.0, 0.9, 1.0, 1.0], mill=[0.5, 0.4, 0.6, 0.5])
WORSE = figures(bakery=[0.2, 0.1, 0.3, 0.1, 0.2, 0.0, 0.1, 0.2], mill=[0.5, 0.4, 0.6, 0.5])


def saved(folder: Path, name: str, of: dict[str, Any]) -> str:
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"format": 1, "figures": of, "times": {}}))
    return str(path)


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        pytest.param(GOOD, WORSE, 1, id="worse"),
        pytest.param(WORSE, GOOD, 0, id="better"),
        pytest.param(GOOD, GOOD, 0, id="the same"),
    ],
)
def test_the_exit_status_says_whether_the_second_is_worse(
    tmp_path: Path, first: dict[str, Any], second: dict[str, Any], status: int
) -> None:
    """Only what is no chance counts, and better is no failure."""
    command = ["compare", saved(tmp_path, "first", first), saved(tmp_path, "second", second), "--json"]

    result = CliRunner().invoke(app, command)

    assert result.exit_code == status
    worse = [row["set"] for row in json.loads(result.stdout)["changes"] if row["worse"]]
    assert worse == (["bakery", "bakery"] if status else [])


def judged(**cases: list[float | None]) -> dict[str, Any]:
    """The figures of a report that has judged plans, beside a ranking that did not change."""
    return {**GOOD, "judged": {"goals": {"fingerprint": "g", "cases": cases}}}


def test_plans_are_compared_goal_by_goal() -> None:
    """Fewer signable plans are worse, whatever the rankings do; goals without a score in both are left out."""
    first = judged(signable=[1.0] * 8 + [0.0] * 4, precision=[1.0, None, 1.0, 0.5, 1.0])
    second = judged(signable=[0.0] * 12, precision=[1.0, 1.0, None, 0.5, 1.0])

    found = compare_reports(first, second, method="auto")

    assert found.worse
    assert [(row.metric, row.questions, row.worse) for row in found.changes if row.set == "goals"] == [
        ("signable", 12, True),
        ("precision", 3, False),
    ]


def test_plans_of_other_goals_are_not_compared() -> None:
    """Another set of goals, or a report that has none, is named."""
    other = judged(signable=[1.0, 0.0])
    other["judged"]["goals"]["fingerprint"] = "h"

    assert compare_reports(judged(signable=[1.0, 0.0]), other, method="auto").left_out == (
        "goals: another set in each: tools, requests or their number differ",
    )
    assert compare_reports(GOOD, other, method="auto").left_out == ("goals: only in the second report",)


def test_chance_is_not_worse() -> None:
    """A loss on one request of eight is within what chance does."""
    second = copy.deepcopy(GOOD)
    for values in second["sets"]["bakery"]["cases"]["auto"].values():
        values[0] = 0.7

    found = compare_reports(GOOD, second, method="auto")

    assert [row.difference < 0 for row in found.changes if row.set == "bakery"] == [True, True]
    assert not any(row.worse for row in found.changes)


def test_p_is_corrected_over_all_sets_and_metrics() -> None:
    """Holm over four tests, of which two have p = 1: the small ones are multiplied by 4 and by 3."""
    found = compare_reports(GOOD, WORSE, method="auto")

    first, second = (row for row in found.changes if row.set == "bakery")
    assert first.p == second.p
    assert first.p_holm == pytest.approx(4 * first.p)
    assert second.p_holm == pytest.approx(4 * first.p)  # never below the one before


def test_other_sets_are_named_and_left_out() -> None:
    """Figures of other requests are no comparison."""
    second = copy.deepcopy(GOOD)
    second["sets"]["bakery"]["fingerprint"] = "another"
    second["sets"]["forge"] = second["sets"].pop("mill")

    with pytest.raises(InvalidInputError, match="bakery: another set in each"):
        compare_reports(GOOD, second, method="auto")
    second["sets"]["mill"] = GOOD["sets"]["mill"]
    found = compare_reports(GOOD, second, method="auto")
    assert {row.set for row in found.changes} == {"mill"}
    assert [line.split(":")[0] for line in found.left_out] == ["bakery", "forge"]


def test_a_ranking_that_no_longer_finishes_is_worse(tmp_path: Path) -> None:
    """It has no figures that could be compared."""
    second = copy.deepcopy(GOOD)
    del second["sets"]["bakery"]["cases"]["auto"]

    found = compare_reports(GOOD, second, method="auto")

    assert (found.lost, found.worse) == (("bakery",), True)
    assert found.left_out == ("bakery: auto finished in the first report, did not finish in the second",)
    assert not compare_reports(second, GOOD, method="auto").worse
    command = ["compare", saved(tmp_path, "first", GOOD), saved(tmp_path, "second", second)]
    assert CliRunner().invoke(app, command).exit_code == 1


def test_a_ranking_that_was_never_measured_is_told_apart() -> None:
    """A peer that a machine does not have did not fail there."""
    second = copy.deepcopy(GOOD)
    second["sets"]["bakery"] |= {"methods": {}, "cases": {}}

    found = compare_reports(GOOD, second, method="auto")

    assert found.left_out == ("bakery: auto finished in the first report, was not measured in the second",)
    assert not found.worse


def test_sets_of_other_rankings_are_none_of_its_business() -> None:
    """What neither report measured is not said to be left out."""
    both = [copy.deepcopy(GOOD), copy.deepcopy(GOOD)]
    for report in both:
        report["sets"]["control"] = {**report["sets"]["mill"], "methods": {"bm25": {}}, "cases": {}}

    assert compare_reports(*both, method="auto").left_out == ()


def test_a_ranking_that_is_in_neither_report_is_named() -> None:
    """With those that there are."""
    with pytest.raises(InvalidInputError, match=r"no ranking 'nonsense'; accepted: auto,"):
        compare_reports(GOOD, GOOD, method="nonsense")


@pytest.mark.parametrize("text", ["no JSON", "[]", '{"format": 99}'], ids=["text", "list", "format"])
def test_what_is_no_report_is_named(tmp_path: Path, text: str) -> None:
    """The message has the file."""
    path = tmp_path / "odd.json"
    path.write_text(text)

    result = CliRunner().invoke(app, ["compare", str(path), str(path)])

    assert isinstance(result.exception, InvalidInputError)
    assert str(path) in str(result.exception)


def asked(lines: list[dict[str, Any]], folder: Path, **options: Any) -> CasesReport:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    catalogue = bakery().catalogue
    return measure_cases(
        read_cases(path, max_bytes=10_000, max_query_chars=200),
        catalogue=catalogue,
        graph=None,
        method=SearchMethod.AUTO,
        **{"worst": 10, **options},
    )


def test_own_requests_are_scored_and_the_worst_come_first(tmp_path: Path) -> None:
    """What is answered is no bad case; what finds nothing is the worst."""
    found = asked(
        [
            {"query": "bake bread", "gold": ["shop/bake_bread"]},
            {"query": "zzz", "gold": ["shop/clean_oven"], "id": "hopeless"},
            {"query": "knead dough", "gold": ["shop/knead_dough", "shop/count_till"], "id": "half"},
        ],
        tmp_path,
    )

    assert found.means["R@5"] == pytest.approx((1 + 0 + 0.5) / 3)
    assert found.means["MRR"] == pytest.approx(2 / 3)
    assert [case.id for case in found.worst] == ["hopeless", "half"]
    assert found.worst[0].found == ()


def test_ids_that_the_graph_does_not_have_are_named(tmp_path: Path) -> None:
    """With the request that names them."""
    with pytest.raises(InvalidInputError, match=r"1 tools.*'shop/bake' \(line 2\).*6 tools"):
        asked(
            [
                {"query": "bake", "gold": ["shop/bake_bread"]},
                {"query": "bake", "gold": ["shop/bake"]},
            ],
            tmp_path,
        )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "Invalid JSON"),
        ('{"query": "bake"}', "gold: Field required"),
        ('{"query": "", "gold": ["a"]}', "query: String should have at least 1 character"),
        ('{"query": "bake", "gold": []}', "gold: List should have at least 1 item"),
        ('{"query": "bake", "gold": "a"}', "gold: Input should be a valid"),
        ('{"query": "bake", "gold": ["a"], "top": 3}', "top: Extra inputs"),
        (json.dumps({"query": "x" * 201, "gold": ["a"]}), "201 characters; accepted: 200"),
    ],
)
def test_a_line_that_is_not_accepted_is_named(tmp_path: Path, line: str, said: str) -> None:
    """File, line, field, and what would be accepted."""
    path = tmp_path / "cases.jsonl"
    path.write_text('{"query": "bake", "gold": ["a"]}\n' + line)

    with pytest.raises(InvalidInputError) as refused:
        read_cases(path, max_bytes=10_000, max_query_chars=200)

    assert "cases.jsonl:2" in str(refused.value)
    assert said in str(refused.value)


def test_files_that_cannot_be_cases_are_refused(tmp_path: Path) -> None:
    """Missing, empty, too large, no text."""
    path = tmp_path / "cases.jsonl"
    for content, said in (
        (None, "is not a file"),
        (b"\n", "0 requests"),
        (b"x" * 99, "99 bytes"),
        (b"\xff", "UTF-8"),
    ):
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(InvalidInputError, match=said):
            read_cases(path, max_bytes=50, max_query_chars=200)


def test_requests_are_printed_as_they_are(tmp_path: Path) -> None:
    """A request that looks like the terminal's markup is shown, not obeyed."""
    found = asked([{"query": "[red]zzz[/red]", "gold": ["shop/clean_oven"]}], tmp_path)
    console = Console(file=StringIO(), width=200)
    console.print(worst_table(found))

    assert isinstance(console.file, StringIO)
    assert "[/red]" in console.file.getvalue()
