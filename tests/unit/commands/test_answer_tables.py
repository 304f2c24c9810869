"""Answers as people read them in a terminal."""

from io import StringIO

from rich.console import Console

from app.commands.answer_tables import print_answer
from app.usecases.search_values import Match, SearchAnswer, TokenEstimate


def printed(description: str, *, declared: bool = False) -> str:
    """The table of one tool."""
    tool = Match(
        id="shop/refund",
        server="shop",
        name="refund",
        title="",
        description=description,
        score=1.0,
        declared=declared,
    )
    answer = SearchAnswer(
        tools=(tool,),
        abstained=False,
        nearest=(),
        tokens=TokenEstimate(0, 0, 0),
        generation=1,
        graph_generation=1,
        from_graph=True,
    )
    out = StringIO()
    print_answer(answer, console=Console(file=out, width=120))
    return " ".join(out.getvalue().split())


def test_html_of_a_description_is_left_out() -> None:
    """Descriptions of OpenAPI documents may consist of it; a table has room for words only."""
    assert "Create a refund. See docs now" in printed(
        '<p>Create a <strong>refund</strong>.</p>\n<p>See <a href="/docs">docs</a><br/>now</p>'
    )


def test_placeholders_are_no_html() -> None:
    assert "Name it <server>/<name>, at most <a-z> letters; 1 < 2 > 0" in printed(
        "Name it <server>/<name>, at most <a-z> letters; 1 < 2 > 0"
    )


def test_a_tool_without_a_description_is_told_from_one_that_nobody_has_brought() -> None:
    """A server may describe its tool with nothing at all; a taxonomy may name one that no server has."""
    declared = "(declared by a taxonomy; no server has brought it yet)"

    assert "(no description)" in printed("")
    assert "(no description)" in printed("<p> </p>")
    assert declared in printed("", declared=True)
    assert declared not in printed("")
