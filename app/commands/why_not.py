"""`outfitter why-not`: why a tool is not found."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import (
    AsCaller,
    Categories,
    DataDir,
    ReadOnly,
    Reviewed,
    Servers,
    check_text,
    filters_of,
    word_of,
)
from app.commands.terminal import open_console, plain_text, write_json
from app.usecases.bounds import MAX_TOP_K, TOP_K, TOP_K_IS

if TYPE_CHECKING:
    from rich.console import Console

    from app.answers.standing import ExplainAnswer, ToolStanding
    from app.usecases.index.search_index import SearchIndex

_LONGEST_ID = 600


def why_not(
    tool: Annotated[str, typer.Argument(help="Id of the tool that was expected.")],
    *,
    request: Annotated[
        str | None,
        typer.Option(help="What was asked for. Without it: what keeps any request from finding it."),
    ] = None,
    top_k: Annotated[int, typer.Option(min=1, max=MAX_TOP_K, help=TOP_K_IS)] = TOP_K,
    method: Annotated[str, typer.Option(help="auto, kg_hybrid or bm25.")] = "auto",
    server: Servers = None,
    category: Categories = None,
    read_only: ReadOnly = False,
    reviewed: Reviewed = False,
    json: Annotated[bool, typer.Option("--json", help="The answer as the service gives it.")] = False,
    as_caller: AsCaller = None,
    data_dir: DataDir = None,
) -> None:
    """Why is this tool not found, and what would help?

    Example: outfitter why-not orders/cancel_order --request "the customer wants to be reimbursed"
    """
    import time

    from app.answers.standing import explain_json
    from app.roots.callers import graph_as, withholding_as
    from app.roots.graph import open_index, read_settings
    from app.usecases.questions import ExplainRequest, SearchMethod
    from app.usecases.standing.why_not import why_not as explain

    begin = time.perf_counter()
    settings = read_settings(data_dir=data_dir)
    if not 1 <= len(tool) <= _LONGEST_ID:
        raise typer.BadParameter(f"{len(tool)} characters; accepted: 1 to {_LONGEST_ID}", param_hint="TOOL")
    if request is not None:
        check_text(request, settings, hint="--request")
    elif json:
        raise typer.BadParameter("accepted: with --request", param_hint="--json")
    asked = ExplainRequest(
        # Words that no tool has: what is left is what holds for every request.
        query=request or " ",
        tools=(tool,),
        top_k=top_k,
        method=word_of(SearchMethod, method, option="--method"),
        filters=filters_of(server, category, read_only=read_only, reviewed=reviewed),
    )
    with open_index(settings) as (graph, every):
        seen = graph_as(settings, graph, every, as_caller)
        withholding = withholding_as(settings, graph, every, as_caller, tool)
        index, answer = seen.index, withholding.added_to(explain(asked, seen))
    if json:
        write_json(explain_json(answer, begin))
    else:
        _print(answer, index, console=open_console(), asked=request is not None)


def _print(answer: "ExplainAnswer", index: "SearchIndex", *, console: "Console", asked: bool) -> None:
    from app.answers.standing import StandingCase
    from app.commands.answer_tables import reason_line, signed_line

    (one,) = answer.tools
    console.print(plain_text(one.id, style="bold"))
    console.print(plain_text(_case_line(one, answer, asked=asked)))
    if one.withheld is not None:
        console.print(plain_text(f"Withheld: {one.withheld.text}."))
    if one.case is StandingCase.UNKNOWN:
        return
    if asked:
        for why in one.why:
            console.print(plain_text(f"  has    {signed_line(why)}"))
        for lack in one.lacks:
            console.print(
                plain_text(f"  lacks  {-lack.gap:+.3f} {reason_line(lack.why)}, as {lack.tool} has")
            )
        if one.missing_words:
            console.print(plain_text(f"In none of its texts: {', '.join(one.missing_words)}."))
        for remedy in one.remedies:
            console.print(plain_text(f"Would help: {remedy.text}"))
            if remedy.taxonomy:
                console.print(plain_text(remedy.taxonomy, style="cyan"))
        return
    position = index.positions[one.id]
    methods = index.of_methods.indptr[position + 1] - index.of_methods.indptr[position]
    console.print(
        f"Requests find it by its own texts and those of {methods} {'method' if methods == 1 else 'methods'};"
        " --request says where it stands for one."
    )


def _case_line(one: "ToolStanding", answer: "ExplainAnswer", *, asked: bool) -> str:
    from app.answers.standing import StandingCase

    if one.case is StandingCase.UNKNOWN:
        near = f"; near ones are {', '.join(one.near)}" if one.near else ""
        return f"Not in the catalogue{near}."
    if one.case is StandingCase.OUTSIDE_FILTERS:
        return f"Outside the filters: {', '.join(one.filters or ())}."
    if one.case is StandingCase.DECLARED and not asked:
        return "Declared only: a taxonomy names it, no source describes it."
    if not asked:
        return "In the catalogue."
    place = f"place {one.place} of {answer.allowed}, score {one.score:.3f}" if one.place else "no score"
    cut = f"; the last one shown has {answer.cut:.3f}" if answer.cut is not None else "; nothing fits"
    said = {
        StandingCase.FOUND: "Found",
        StandingCase.DECLARED: "Declared only: a taxonomy names it, no source describes it",
        StandingCase.NOT_REACHED: "No word of the request and no path leads to it",
        StandingCase.BELOW_CUT: "Others fit better",
    }[one.case]
    return f"{said}: {place}{cut}."
