"""Answers as people read them in a terminal."""

from io import StringIO

from rich.console import Console

from app.answers.search import FoundTool, QueryAnswer, ReasonKind, Role, TokenSaving, Why
from app.commands.answer_tables import print_answer


def printed(description: str, *, declared: bool = False, why: tuple[Why, ...] | None = None) -> str:
    """The table of one tool."""
    tool = FoundTool(
        id="shop/refund",
        server="shop",
        name="refund",
        title="",
        description=description,
        score=1.0,
        role=Role.MATCH,
        declared=declared,
        why=why,
    )
    answer = QueryAnswer(
        tools=(tool,),
        abstained=False,
        nearest=(),
        tokens=TokenSaving(0, 0, 0),
        generation=1,
        took_ms=0.0,
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


def test_that_nobody_has_reviewed_a_tool_stands_first_and_without_a_number() -> None:
    said = printed("Refunds.", why=(Why(ReasonKind.UNREVIEWED, 0.0), Why(ReasonKind.NAME, 0.5)))

    assert "Refunds. " in said
    assert said.index("nobody has reviewed it") < said.index("+0.500 its name")
    assert "+0.000" not in said
