"""A report: complete, self-contained, the same twice, and not begun anew when it broke off."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bench.measure.cells import Cell, CellStore, cell_key, measure_cell
from bench.methods.registry import method_named
from bench.report.cells import Task, measure_cells
from bench.report.report import Written, write_report
from bench.report.sets import ReportScope, spread
from bench.report.tracks import Tracks
from tests.unit.bench.samples import NASTY, bakery, peer, sample_scope

_VOID = {"meta", "link", "br", "img", "hr", "input"}


class _Page(HTMLParser):
    """Complains about tags that are not closed, and collects what a page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in _VOID:
            self.open.append(tag)
        self.loads += [f"{tag} {name}" for name, value in attrs if name in {"src", "srcset", "data"}]
        self.loads += [
            str(value) for name, value in attrs if name == "href" and not str(value).startswith("#")
        ]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _write(out: Path, scope: ReportScope) -> Written:
    return write_report(
        scope, out, out, command="outfitter bench report", progress=lambda *_: None, say=lambda _: None
    )


@pytest.fixture
def scope(tmp_path: Path) -> ReportScope:
    folder = tmp_path / "peer"
    folder.mkdir()
    return sample_scope(peer(folder))


def test_the_page_is_whole_and_loads_nothing(tmp_path: Path, scope: ReportScope) -> None:
    """Every tag is closed, no script, nothing from elsewhere, not even in the styles."""
    text = _write(tmp_path / "out", scope).page.read_text()

    page = _Page()
    page.feed(text)

    assert page.open == []
    assert page.loads == []
    assert {"svg", "table"} <= page.tags
    assert "script" not in page.tags
    assert not re.search(r"url\(|@import|https?://", text)


def test_texts_of_sets_are_shown_as_they_are(tmp_path: Path) -> None:
    """The name of a set is nothing that a browser or a Markdown table would act on."""
    written = _write(tmp_path, sample_scope(sets=(bakery(NASTY),)))

    assert "<script" not in written.page.read_text()
    assert "&lt;script&gt;alert(1)" in written.page.read_text()
    rows = [
        line for line in written.text.read_text().splitlines() if "alert" in line and line.startswith("|")
    ]
    assert rows
    assert all("\\<script\\>" in row and " \\| " in row for row in rows)


def test_figures_of_two_runs_are_the_same(tmp_path: Path, scope: ReportScope) -> None:
    """Only what is below `times` differs."""
    first, second = (json.loads(_write(tmp_path / name, scope).values.read_text()) for name in ("one", "two"))

    assert first["figures"] == second["figures"]
    assert first["figures"]["sets"]["bakery"]["cases"]["auto"]["R@5"]
    assert set(first) == {"format", "figures", "times"}


def test_every_ranking_has_its_figures(tmp_path: Path, scope: ReportScope) -> None:
    """The peer's order of the tools is its answer to everything."""
    figures = json.loads(_write(tmp_path, scope).values.read_text())["figures"]

    methods = figures["sets"]["bakery"]["methods"]
    assert set(methods) == set(scope.methods)
    order = sorted(f"shop/{name}" for name in ("bake_bread", "clean_oven", "count_till"))
    assert [tool.id for tool in scope.sets[0].catalogue.tools][:3] == order
    assert methods["gtc-default"]["means"]["hit@1"] == pytest.approx(3 / 6)


def test_what_did_not_finish_has_no_figures(tmp_path: Path) -> None:
    """It is named, with how far it came, and no mean counts it."""
    slow = peer(
        tmp_path, "print(json.dumps({'ingest_s': 0.1, 'calls': {}}), flush=True)", "time.sleep(60)", seconds=1
    )
    written = _write(tmp_path / "out", sample_scope(slow))
    values = json.loads(written.values.read_text())

    assert values["figures"]["sets"]["bakery"]["methods"]["gtc-default"]["finished"] is False
    assert "gtc-default" not in values["figures"]["sets"]["bakery"]["cases"]
    note = "did not finish in 1 s; 0 of 6 questions answered"
    assert values["times"]["sets"]["bakery"]["gtc-default"]["note"] == note
    assert note in written.page.read_text()


def test_a_run_that_broke_off_goes_on(tmp_path: Path, scope: ReportScope) -> None:
    """What was measured is taken as it is; only the rest is measured."""
    seen: list[str] = []

    def break_off(task: Task, cell: Cell, known: bool) -> None:
        seen.append(task.label)
        if len(seen) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_report(scope, tmp_path, tmp_path, command="", progress=break_off, say=lambda _: None)
    assert not (tmp_path / "report.html").exists()

    written = _write(tmp_path, scope)

    assert written.kept >= 5
    assert written.kept + written.measured == sum(1 for _ in scope.tasks())
    assert _write(tmp_path, scope).measured == 0


def test_a_cell_is_measured_anew_when_anything_changed(tmp_path: Path) -> None:
    """Another request in the set, another version of the method, other code: another cell."""
    store, method = CellStore(tmp_path), method_named("bm25")
    dataset = bakery()
    key = cell_key(dataset, method, code="1")
    store.write(key, measure_cell(dataset, method))

    assert store.read(key) == measure_cell_like(store.read(key))
    assert store.read(cell_key(spread(dataset, 5), method, code="1")) is None
    assert store.read(cell_key(dataset, method, code="2")) is None
    assert store.read(cell_key(dataset, method_named("tfidf"), code="1")) is None


def measure_cell_like(cell: Cell | None) -> Cell:
    """What was read, which must be something."""
    assert cell is not None
    assert len(cell.scores["R@5"]) == len(cell.times.ms) == 6
    return cell


def test_a_peer_that_had_less_time_is_asked_again(tmp_path: Path) -> None:
    """A longer limit is another chance; the same limit is not."""
    folder = tmp_path / "peer"
    folder.mkdir()
    slow, dataset = peer(folder, "time.sleep(60)", seconds=1), bakery()
    store = CellStore(tmp_path / "cells")

    def run(seconds: float) -> list[bool]:
        known: list[bool] = []
        method = type(slow)(slow.engine, slow.python, slow.version, seconds, slow.data)
        measure_cells([Task(dataset, method)], store, done=lambda *found: known.append(found[2]))
        return known

    assert run(1) == [False]
    assert run(1) == [True]
    assert run(2) == [False]


def test_the_tables_of_the_literature_are_in_it(tmp_path: Path) -> None:
    """Track A with both kinds of tokens, and its sweeps; times are no figures."""
    toolbench = bakery("toolbench")
    scope = replace(sample_scope(sets=(toolbench,)), tracks=Tracks(toolbench))

    written = _write(tmp_path, scope)

    figures = json.loads(written.values.read_text())["figures"]
    titles = [table["title"] for table in figures["tables"]]
    for number in range(2, 7):
        assert sum(title.startswith(f"Table {number}") for title in titles) >= 2
    assert not any("p50 ms" in table["columns"] for table in figures["tables"])
    assert "p50 ms" in written.page.read_text()
    assert {"kg_hybrid:paper", "kg_hybrid/alpha=0.3"} <= set(figures["sets"]["toolbench"]["methods"])
    assert "KG-Hybrid, R@5 by the share of BM25" in written.page.read_text()


def test_a_sample_has_every_tier() -> None:
    """Questions are taken evenly, not the first ones."""
    assert [question.group for question in spread(bakery(), 3).questions] == ["T1", "T2", "T3"]
    assert spread(bakery(), 100) == bakery()
