"""What reaches a terminal: nothing that it acts on, but the styles of our own."""

import ast
import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from app.commands.terminal import (
    VisibleArguments,
    open_console,
    print_whole,
    write_json,
    write_text,
    write_traceback,
)
from app.domain.language.visible_text import HIDDEN

ROOT = Path(__file__).resolve().parents[3]
SET = {chr(code) for first, last, _ in HIDDEN for code in range(first, last + 1)}
HOSTILE = "".join(
    chr(code)
    for first, last, _ in HIDDEN
    for code in (range(first, last + 1) if last < 0xD800 else (last, first))
)
"""Every hidden character below the surrogates, and both ends of the larger ranges."""

ALONE: dict[str, str] = {
    "app/commands/terminal.py": "the one way to a terminal",
    "app/logs.py": "its handler gets events whose texts are visible already",
    "app/adapters/graph/statements.py": "prints our own statements, which hold nothing of strangers",
    "ingest/commands/confirm.py": "asks with a number of its own; what it is about is shown before, by the one way",
    "ingest/commands/review.py": "as confirm.py",
    "ingest/commands/enrich.py": "as confirm.py",
    "app/adapters/engine/sidecar.py": "a process of its own, whose output goes to a log file",
    "bench/peer/plan_script.py": "run by an interpreter that has nothing of ours; its stdout is a pipe to us",
    "bench/peer/rank_script.py": "as peer_script.py",
    "bench/flows/truths_script.py": "as peer_script.py; what the truths print goes to its stderr, which nobody reads",
}
"""Files that write by themselves, and why they may."""
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}
WRITERS = {
    "print",
    "echo",
    "secho",
    "prompt",
    "confirm",
    "get_console",
    "Console",
    "StreamHandler",
    "ArgumentParser",
}
LIVE = {"Progress", "Live", "Status", "track"}
"""Of rich: they open a console of their own unless they are given one."""


def test_texts_are_shown_as_they_are() -> None:
    """`:man:` between two colons is the name of an emoji, and also how an id of a source may go on."""
    console = open_console()
    console.file = StringIO()

    console.print("manifest:man: tool")

    assert console.file.getvalue() == "manifest:man: tool\n"


def test_whatever_is_printed_is_visible() -> None:
    """Texts, markup, cells of tables in tables, styles given from outside, and what a progress bar says."""
    console = open_console()
    console.file = out = StringIO()
    inner, outer = Table("inner"), Table("outer", title=f"title {HOSTILE}", caption=HOSTILE)
    inner.add_row(Text(f"styled {HOSTILE}", style="red"))
    outer.add_row(inner)
    outer.add_row(f"[bold]{HOSTILE}[/bold]")

    console.print(outer, style="cyan")
    console.print(f"plain {HOSTILE}", HOSTILE, Text(HOSTILE))
    console.print(HOSTILE, markup=False, highlight=False, soft_wrap=True)
    console.log(HOSTILE)
    console.rule(HOSTILE)
    console.out(HOSTILE)
    with Progress(console=console) as progress:
        progress.update(progress.add_task(f"task {HOSTILE}", total=1), completed=1)
        progress.console.print(f"line {HOSTILE}")

    assert SET.isdisjoint(out.getvalue())
    assert {"\\u{1b}", "\\u{9b}", "\\u{202e}", "\\u{e0000}"} <= set(_escapes(out.getvalue()))


def test_our_own_styles_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are the only thing that a terminal acts on; a style that a text brings is text."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    console = open_console()
    console.file = out = StringIO()

    console.print(Text("\x1b[8mhidden\x1b[0m", style="bold"), f"[red]{HOSTILE}[/red]")

    assert "\x1b[1m\\u{1b}[8mhidden\\u{1b}[0m\x1b[0m" in out.getvalue()
    assert SET.isdisjoint(re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()))


def test_a_cell_is_as_wide_as_what_is_shown_of_it() -> None:
    console = open_console()
    console.file = out = StringIO()
    table = Table("what", "next")
    table.add_row("a\x1b\x9bb", "here")
    table.add_row("longer than the other one", "there")

    console.print(table)

    lines = out.getvalue().splitlines()
    assert "a\\u{1b}\\u{9b}b" in out.getvalue()
    assert len({line.rindex("│") for line in lines if "│" in line}) == 1


def test_a_text_is_written_without_hidden_characters(capsys: pytest.CaptureFixture[str]) -> None:
    write_text(f"a\nb{HOSTILE}\n")
    write_text(HOSTILE, stderr=True, end="")

    out, err = capsys.readouterr()
    assert SET.isdisjoint(out + err)
    assert out.startswith("a\nb")


@pytest.mark.parametrize("ascii_only", [True, False])
def test_json_is_written_with_the_same_values(capsys: pytest.CaptureFixture[str], ascii_only: bool) -> None:
    document = json.dumps({HOSTILE: [HOSTILE]}, ensure_ascii=ascii_only)

    write_json(document.encode("utf-8", "surrogatepass"))

    out = capsys.readouterr().out
    assert SET.isdisjoint(out)
    assert json.loads(out) == json.loads(document)


def test_a_traceback_is_visible(capsys: pytest.CaptureFixture[str]) -> None:
    error = ValueError(HOSTILE)

    write_traceback(type(error), error, None)

    assert SET.isdisjoint(capsys.readouterr().err)


def test_the_usage_errors_of_scripts_are_visible(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        VisibleArguments().parse_args([f"a{HOSTILE}"])

    assert SET.isdisjoint(capsys.readouterr().err)


def test_a_table_of_figures_loses_none_where_the_terminal_is_narrow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever pipes a table, or has little room, gets all of it."""
    monkeypatch.setenv("COLUMNS", "30")
    figures = [f"0.{number:03}" for number in range(20)]
    table = Table()
    for number in range(20):
        table.add_column(f"column {number}", no_wrap=True)
    table.add_row(*figures)

    print_whole(table)

    printed = capsys.readouterr().out
    assert [one for one in figures if one not in printed] == []
    assert "column 19" in printed


def test_nobody_else_writes_to_a_terminal() -> None:
    """One way holds for all that is printed, because there is no other."""
    found = {
        str(file.relative_to(ROOT)): ways
        for folder in ("app", "ingest", "bench")
        for file in sorted((ROOT / folder).rglob("*.py"))
        if (ways := sorted(_ways_out(ast.parse(file.read_text(encoding="utf-8")))))
    }

    assert {path: ways for path, ways in found.items() if path not in ALONE} == {}
    assert set(found) == set(ALONE), "a file that writes no more has no place in the list"


@pytest.mark.parametrize(
    "line",
    [
        *("print(1)", "typer.echo(1)", "sys.stdout.write('')", "out = sys.stderr", "from sys import stdout"),
        *("Console()", "rich.get_console()", "logging.StreamHandler()"),
        "from rich.progress import Progress as Bars\nBars()",
    ],
)
def test_a_way_around_is_found(line: str) -> None:
    assert list(_ways_out(ast.parse(line)))


def test_asking_whether_there_is_a_terminal_is_no_way_out() -> None:
    allowed = "sys.stdout.isatty()\nfrom rich.progress import Progress\nProgress(console=console)"

    assert list(_ways_out(ast.parse(allowed))) == []


def _ways_out(tree: ast.AST) -> Iterator[str]:
    nodes = list(ast.walk(tree))
    live = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rich")
        for alias in node.names
        if alias.name in LIVE
    }
    asked = {id(node.value) for node in nodes if isinstance(node, ast.Attribute) and node.attr == "isatty"}
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in STREAMS and id(node) not in asked:
            if isinstance(node.value, ast.Name) and node.value.id == "sys":
                yield ast.unparse(node)
        elif isinstance(node, ast.ImportFrom) and node.module == "sys":
            yield from (alias.name for alias in node.names if alias.name in STREAMS)
        elif isinstance(node, ast.Call):
            function = node.func
            name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            printed_by_another = name == "print" and isinstance(function, ast.Attribute)
            given = any(keyword.arg == "console" for keyword in node.keywords)
            if (name in WRITERS and not printed_by_another) or (name in live and not given):
                yield ast.unparse(function)


def _escapes(text: str) -> Iterator[str]:
    for part in text.split("\\u{")[1:]:
        yield f"\\u{{{part.partition('}')[0]}}}"
