"""`outfitter review`: what sources say that nobody has agreed to yet, and agreeing to it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.commands.options import DataDir
from app.commands.terminal import VisibleErrors, open_console, plain_text, write_json
from app.errors import InvalidInputError
from ingest.commands.runs import AsJson, opened_graph

if TYPE_CHECKING:
    from app.adapters.graph.store import GraphStore
    from app.answers.reviews import ReviewAnswer, ReviewEntry, ReviewsAnswer
    from app.domain.review.records import Review, Verdict

_LISTED = 10_000
"""As many as a sources file may name; more are not decided on at once."""
_SHOWN_CHARS = 2_000
"""Of one side of a difference; `--json` has all of it."""


class _ListedUnlessSaid(VisibleErrors):
    """`outfitter review` without a command of its own lists."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words of the command line, with the command that is meant."""
        asks_for_help = any(word in ctx.help_option_names for word in args)
        is_said = any(word in self.commands for word in args[:1])
        return super().parse_args(ctx, args if asks_for_help or is_said else ["list", *args])


review_app = typer.Typer(
    name="review",
    help="Definitions of tools that wait until somebody agrees to them, and agreeing to them.",
    cls=_ListedUnlessSaid,
    pretty_exceptions_enable=False,
)
Tools = Annotated[list[str] | None, typer.Argument(metavar="[TOOL-ID]...", help="As the list names them.")]
OfSource = Annotated[str | None, typer.Option("--source", metavar="ID", help="All that wait of this source.")]
Why = Annotated[str, typer.Option("--reason", help="Kept with the decision.", show_default=False)]
Hash = Annotated[
    str | None,
    typer.Option("--hash", help="Of the one definition, as `review show` gave it; another one is refused."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@review_app.command("list")
def list_(
    *,
    source: Annotated[str, typer.Option(metavar="ID", help="Only of this source.")] = "",
    state: Annotated[
        str, typer.Option(help="pending, changed, approved, blocked or all; what waits unless given.")
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many at most.")] = 100,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """List what waits, what looks worst first.

    Example: outfitter review list --source mcp:github
    """
    from app.usecases.review import list_reviews, states_of

    states = states_of(state)
    with opened_graph(data_dir) as (graph, _):
        answer = list_reviews(graph, states=states, source=source, limit=limit)
    if as_json:
        write_json(answer.model_dump_json())
    else:
        _print_list(answer)


@review_app.command("show")
def show(
    tool_id: Annotated[str, typer.Argument(metavar="TOOL-ID", help="As the list names it.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show one definition: what of it is new, field by field, and what uses the tool."""
    with opened_graph(data_dir) as (graph, _):
        answer = _shown(graph, tool_id)
    if as_json:
        write_json(answer.model_dump_json())
    else:
        _print_one(answer)


@review_app.command("approve")
def approve(
    tools: Tools = None,
    *,
    reason: Why,
    source: OfSource = None,
    all_without_findings: Annotated[
        bool,
        typer.Option("--all-without-findings", help="All that wait and of which nothing catches the eye."),
    ] = False,
    only: Hash = None,
    yes: Yes = False,
    data_dir: DataDir = None,
) -> None:
    """Agree to definitions, as they are listed: they are served from now on.

    One that is another by the time it is written down is refused, and nothing is decided then.
    """
    from app.domain.review.records import Verdict

    _decide(
        Verdict.APPROVE,
        tools or (),
        source=source,
        without_findings=all_without_findings,
        only=only,
        reason=reason,
        yes=yes,
        data_dir=data_dir,
    )


@review_app.command("block")
def block(
    tools: Tools = None,
    *,
    reason: Why,
    source: OfSource = None,
    only: Hash = None,
    yes: Yes = False,
    data_dir: DataDir = None,
) -> None:
    """Refuse tools: nothing of them is served, whatever their source says later."""
    from app.domain.review.records import Verdict

    _decide(
        Verdict.BLOCK,
        tools or (),
        source=source,
        without_findings=False,
        only=only,
        reason=reason,
        yes=yes,
        data_dir=data_dir,
    )


def _decide(
    verdict: "Verdict",
    tools: Sequence[str],
    *,
    source: str | None,
    without_findings: bool,
    only: str | None,
    reason: str,
    yes: bool,
    data_dir: DataDir,
) -> None:
    from app.answers.reviews import ReviewsAnswer, review_entry
    from app.domain.review.records import Decision, Verdict
    from app.roots.audit import audit_file
    from ingest.wiring import Desk

    if not reason.strip():
        raise InvalidInputError("--reason is empty; accepted: a reason, which is kept with the decision")
    if not tools and source is None and not without_findings:
        raise InvalidInputError(
            "nothing is named; accepted: ids of tools, --source or --all-without-findings"
        )
    if only is not None and len(tools) != 1:
        raise InvalidInputError(
            f"--hash is of one definition, not of {len(tools)}; accepted: one id with --hash"
        )
    with opened_graph(data_dir) as (graph, settings):
        chosen = _chosen(graph, tools, source=source, without_findings=without_findings)
        _print_list(ReviewsAnswer(reviews=[review_entry(one) for one in chosen], total=len(chosen)))
        if not chosen:
            return
        if not yes:
            typer.confirm(f"{verdict.value.capitalize()} {len(chosen)} of them?", abort=True)
        decisions = [
            Decision(id=one.id, hash=only or one.hash, verdict=verdict, reason=reason.strip(), by="operator")
            for one in chosen
        ]
        Desk(graph, settings, audit_file(settings)).decide(decisions)
    done = "Approved" if verdict is Verdict.APPROVE else "Blocked"
    open_console().print(plain_text(f"{done} {len(decisions)}."))


def _chosen(
    graph: "GraphStore", tools: Sequence[str], *, source: str | None, without_findings: bool
) -> "list[Review]":
    """What is named, or waits; as it is listed now.

    Raises:
        InvalidInputError: a tool that is named has no definition that is reviewed.
    """
    from app.usecases.review import waiting_reviews

    if tools:
        found = graph.found_reviews(tools)
        there = {one.id for one in found}
        if others := [tool for tool in tools if tool not in there]:
            raise InvalidInputError(
                f"{', '.join(map(repr, others[:3]))}: no definition is reviewed; accepted: ids that `outfitter review"
                " --state all` lists"
            )
        chosen = [one for one in found if source in (None, one.source)]
    else:
        chosen = waiting_reviews(graph, source=source or "")
    return [one for one in chosen if not (without_findings and one.findings)][:_LISTED]


def _shown(graph: "GraphStore", tool_id: str) -> "ReviewAnswer":
    from app.usecases.review import show_review

    calling = [one.id for one in graph.workflows() if any(step.tool_id == tool_id for step in one.steps)]
    return show_review(graph, tool_id, workflows=calling)


def _print_list(answer: "ReviewsAnswer") -> None:
    console = open_console()
    if not answer.reviews:
        console.print("Nothing waits.")
    for one in answer.reviews:
        console.print(plain_text(f"{one.id}: {_state(one)}, of {one.source}", style="bold"))
        console.print(plain_text(f"  hash {one.hash}"))
        _print_findings(one)
    if answer.total > len(answer.reviews):
        console.print(f"{answer.total - len(answer.reviews)} more: --limit")


def _print_one(answer: "ReviewAnswer") -> None:
    console = open_console()
    console.print(plain_text(f"{answer.id}: {_state(answer)}, of {answer.source}", style="bold"))
    console.print(plain_text(f"hash {answer.hash}, first seen {answer.seen_at}"))
    if answer.by:
        why = f": {answer.reason}" if answer.reason else ""
        console.print(plain_text(f"decided last by {answer.by}, {answer.at}{why}"))
    _print_findings(answer)
    if answer.workflows:
        console.print(plain_text(f"workflows that call it: {', '.join(answer.workflows)}"))
    for one in answer.differences:
        console.print(plain_text(f"{one.field} ({one.severity.value})", style="bold"))
        for mark, text in (("-", one.before), ("+", one.after)):
            if text:
                console.print(plain_text(f"  {mark} {_cut(text)}"))
    if not answer.differences:
        console.print("It says what was agreed to.")


def _print_findings(one: "ReviewEntry") -> None:
    console = open_console()
    for finding in one.findings:
        console.print(
            plain_text(
                f"  {finding.tier.value}: {finding.meaning} in {finding.field}: {finding.said}",
                style="yellow",
            )
        )


def _state(one: "ReviewEntry") -> str:
    changed = f" ({one.severity})" if one.severity else ""
    return f"{one.state.value}{changed}, {'served as agreed' if one.served else 'not served'}"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]} ... ({len(text):,} characters)"
