"""Answers as tables for people."""

import re
from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from app.answers.search import FoundTool, LexiconWord, QueryAnswer, ReasonKind, Role, Why
from app.commands.terminal import plain_text

_REASONS = 6
"""How many reasons of a tool are shown; the smaller ones are summed up."""
_DESCRIPTION = 120
_DECLARED = "(declared by a taxonomy; no server has brought it yet)"
_TAG = re.compile(
    r"</?(?:(br|div|h[1-6]|li|ol|p|pre|table|td|th|tr|ul)|a|b|code|em|i|small|span|strong|u)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
"""HTML, of which descriptions of OpenAPI documents may consist; `<id>` and the like are not HTML."""


def print_answer(answer: QueryAnswer, *, console: Console) -> None:
    """Tools with scores, reasons where there are any, and what the answer saves."""
    if not answer.tools:
        console.print("No tool fits.", style="bold")
        for near in answer.nearest:
            console.print(plain_text(f"  {near.id}: {near.reason.replace('_', ' ')}"))
        return
    if answer.abstained:
        console.print("No tool fits well; these are the nearest.", style="bold")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("score", justify="right")
    table.add_column("tool", style="bold", overflow="fold")
    table.add_column("what it does, and why it was found" if answer.tools[0].why else "what it does")
    for tool in answer.tools:
        needed = tool.role is Role.PREREQUISITE
        table.add_row("needed" if needed else f"{tool.score:.3f}", plain_text(tool.id), _cell(tool))
    console.print(table)
    if answer.lexicon:
        console.print(plain_text(f"Read with the lexicon: {'; '.join(map(_word_read, answer.lexicon))}."))
    for note in answer.notes or ():
        console.print(plain_text(f"{note[:1].upper()}{note[1:]}."))
    tokens = answer.tokens
    if tokens.catalogue:
        console.print(
            Padding(
                f"About {tokens.returned:,} tokens of tool definitions instead of {tokens.catalogue:,}"
                f" (generation {answer.generation}).",
                (0, 0, 1, 0),
            ),
            style="dim",
        )


def reason_line(reason: Why) -> str:
    """A reason in words, without its number."""
    if reason.kind is ReasonKind.WORD:
        return f"{reason.word!r} in {', '.join(reason.fields or ()).replace('_', ' ')}"
    if reason.path:
        first, *rest = reason.path
        line = f"{reason.kind.value} {first.name or first.id!r}"
        for step in rest:
            line += f" -> {step.name or step.id!r}"
        return f"{line} ({reason.path[-1].edge})"
    if reason.kind in (ReasonKind.PLACE, ReasonKind.RERANKER):
        return reason.detail or ""
    words = {
        ReasonKind.NAME: "its name",
        ReasonKind.INTENT: "what the request wants done",
        ReasonKind.OBJECT: "what the request is about",
        ReasonKind.RESOURCE: "what its path names",
        ReasonKind.MEANING: "close in meaning",
        ReasonKind.NEED: "close to a part of the request",
        ReasonKind.SERVER: "its server fits as a whole",
        ReasonKind.FEEDBACK: "words of the best tools",
        ReasonKind.UNREVIEWED: "nobody has reviewed it",
    }
    return words.get(reason.kind, reason.kind.value)


def signed_line(reason: Why) -> str:
    """A reason in words, behind its number; one that adds nothing to the score has none."""
    said = reason_line(reason)
    is_aside = reason.kind in (ReasonKind.UNREVIEWED, ReasonKind.PLACE)
    return said if is_aside else f"{reason.contribution:+.3f} {said}"


def _word_read(word: LexiconWord) -> str:
    origin = f"{word.list}, yours" if word.yours else word.list
    return f"{word.word!r} as {word.reads!r} ({origin})" if word.reads else f"{word.word!r} ({origin})"


def _cell(tool: FoundTool) -> Text:
    description = " ".join(_TAG.sub(_gap, tool.description).split())
    short = description if len(description) <= _DESCRIPTION else f"{description[: _DESCRIPTION - 3]}..."
    cell = plain_text(short or (_DECLARED if tool.declared else "(no description)"))
    if tool.needed_by:
        what = f"gives {tool.parameter} to" if tool.parameter else "comes before"
        cell.append_text(plain_text(f"\n{what} {tool.needed_by}", style="cyan"))
    for line in _reason_lines(tool):
        cell.append_text(plain_text(f"\n{line}", style="cyan"))
    return cell


def _gap(tag: re.Match[str]) -> str:
    """A tag that begins or ends a block parts words."""
    return " " if tag[1] else ""


def _reason_lines(tool: FoundTool) -> Iterator[str]:
    why = tool.why or ()
    for reason in why[:_REASONS]:
        yield signed_line(reason)
    rest = why[_REASONS:]
    if rest:
        yield f"{sum(reason.contribution for reason in rest):+.3f} {len(rest)} smaller ones"
