"""`outfitter plan`."""

from enum import StrEnum
from pathlib import Path
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
)
from app.commands.plan_words import read_known, read_request, read_tasks
from app.commands.terminal import open_console, write_json, write_text
from app.errors import InvalidInputError
from app.usecases.bounds import MAX_STEPS, STEPS, STEPS_ARE

if TYPE_CHECKING:
    from app.adapters.graph.store import GraphStore
    from app.domain.nodes.models import Tool
    from app.domain.workflows.plans import Plan
    from app.settings import Settings
    from app.usecases.workflows import WorkflowStore


class ShownPlan(StrEnum):
    """How a plan is shown."""

    TABLE = "table"
    JSON = "json"
    ARAZZO = "arazzo"
    MERMAID = "mermaid"


class FlowSeverity(StrEnum):
    """How bad a flow is, the worst first."""

    HIGH = "high"
    MEDIUM = "medium"
    NOTE = "note"


_BY_ENDING = {".mmd": ShownPlan.MERMAID, ".mermaid": ShownPlan.MERMAID, ".json": ShownPlan.JSON}


def plan(
    text: Annotated[str, typer.Argument(help="The goal, in your words.")],
    *,
    known: Annotated[
        list[str] | None,
        typer.Option(help="NAME=VALUE that needs no call; the value is JSON or a text; may be given again."),
    ] = None,
    secret: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A --known whose value is not shown, but asked for; may be given again."
        ),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            help="One thing of the goal, in its order: a text, or JSON with its values, its condition and the tasks before"
            ' it: {"do": "close the issue", "values": {"issue number": 12}, "if": "CI is green", "after": [1]}; may be'
            " given again."
        ),
    ] = None,
    tasks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A JSON list of such tasks, before those of --task.")
    ] = None,
    now: Annotated[
        str | None,
        typer.Option(
            help="What `tomorrow` counts from, ISO 8601, in --timezone where it names no offset.",
            show_default="the time of the command",
        ),
    ] = None,
    timezone: Annotated[
        str, typer.Option(help="Of the dates in the goal, an IANA name such as Europe/Berlin.")
    ] = "UTC",
    max_steps: Annotated[int, typer.Option(min=1, max=MAX_STEPS, help=STEPS_ARE)] = STEPS,
    only_callable: Annotated[
        bool | None,
        typer.Option(
            "--only-callable/--no-only-callable",
            help="No step that may not be called or whose source is down; an equivalent stands in where each value is known"
            " to be the same.",
            show_default="only for --as with policies, where calls are passed on",
        ),
    ] = None,
    server: Servers = None,
    category: Categories = None,
    read_only: ReadOnly = False,
    reviewed: Reviewed = False,
    format: Annotated[  # noqa: A002 - the option's name
        ShownPlan | None, typer.Option(help="How the plan is shown, or saved.", show_default="table")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Write it to this file: JSON, or as --format or .mmd says.")
    ] = None,
    store: Annotated[
        str | None, typer.Option(help="Keep it in the graph as a workflow of this name.")
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Print what the language model of the settings would be sent; send and plan nothing.",
        ),
    ] = False,
    fail_on: Annotated[
        FlowSeverity | None,
        typer.Option(
            help="End with 1 where data of the plan flow in a way that is at least as severe; the plan is still shown,"
            " and not kept.",
            show_default="never",
        ),
    ] = None,
    no_model: Annotated[
        bool, typer.Option("--no-model", help="Plan without the language model of the settings.")
    ] = False,
    as_caller: AsCaller = None,
    data_dir: DataDir = None,
) -> None:
    """Which calls does this goal take, in which order, with which inputs?

    Example: outfitter plan "cancel my order and refund the payment" --known order_id=o-17
    """
    import time

    from app.commands.plan_reading import print_question, read_goal
    from app.roots.callers import plan_as
    from app.roots.graph import open_index, read_settings
    from app.usecases.plan import make_plan
    from app.usecases.plans.export import slug
    from app.usecases.rankings.consistent import ConsistentGraph

    begin = time.perf_counter()
    settings = read_settings(data_dir=data_dir)
    check_text(text, settings)
    if dry_run and no_model:
        raise typer.BadParameter("both; accepted: one of the two", param_hint="--dry-run, --no-model")
    filters = filters_of(server, category, read_only=read_only, reviewed=reviewed)
    request = read_request(
        text,
        filters=filters,
        max_steps=max_steps,
        known=read_known(known or ()),
        secret=secret or (),
        tasks=read_tasks(tasks, task or ()),
        now=now,
        timezone=timezone,
        only_callable=only_callable,
    )
    with open_index(settings) as (graph, index):
        seen, reach = plan_as(settings, graph, index, as_caller)
        if dry_run:
            print_question(request, settings, seen)
            return
        read = read_goal(request, settings, seen, no_model=no_model)
        # For a question of its own, so that each says whether it came from the graph.
        answer = read.said_in(
            make_plan(read.request, ConsistentGraph(seen.index, None if as_caller else graph), reach)
        )
        refused = fail_on is not None and _is_toxic(answer.plan, fail_on)
        if store is not None and not refused:
            workflow_store(graph, settings).create(store, answer.plan)
        shown = format or ShownPlan.TABLE
        if shown is ShownPlan.JSON:
            from app.answers.plan import plan_json

            write_json(plan_json(answer, begin))
        else:
            show_plan(graph, answer.plan, shown, name=store or slug(text))
        if save is not None and not refused:
            saved_as = format if format not in (None, ShownPlan.TABLE) else None
            as_format = saved_as or _BY_ENDING.get(save.suffix.lower(), ShownPlan.JSON)
            _write(save, _text_of(graph, answer.plan, as_format, name=store or slug(text)))
    if shown is ShownPlan.TABLE:
        for one in answer.workflows:
            write_text(f"stored for a similar goal: {one.id} ({one.goal})")
    if not index.catalogue.tools:
        write_text("The graph has no tools yet: outfitter ingest --help", stderr=True)
    if refused:
        raise typer.Exit(1)


def _is_toxic(plan: "Plan", least: FlowSeverity) -> bool:
    """Whether a flow of a plan is at least as severe."""
    counting = list(FlowSeverity)[: list(FlowSeverity).index(least) + 1]
    return any(warning.severity in counting for warning in plan.warnings)


def show_plan(graph: "GraphStore", plan: "Plan", shown: ShownPlan, *, name: str) -> None:
    """Print a plan on stdout."""
    if shown is not ShownPlan.TABLE:
        write_text(_text_of(graph, plan, shown, name=name), end="")
        return
    from app.commands.plan_tables import print_plan

    print_plan(plan, console=open_console())


def _text_of(graph: "GraphStore", plan: "Plan", shown: ShownPlan, *, name: str) -> str:
    from app.domain.nodes.models import uris_of_servers
    from app.usecases.plans.export import PlanFormat, plan_text

    tools, uris = tools_of_plan(plan, graph), uris_of_servers(graph.sources())
    return plan_text(plan, PlanFormat(shown.value), name=name, tools=tools, uris=uris)


def tools_of_plan(plan: "Plan", graph: "GraphStore") -> dict[str, "Tool"]:
    """The tools that a plan calls, by id."""
    ids = sorted({str(step.tool_id) for step in plan.steps if step.tool_id})
    return {str(tool.id): tool for tool in graph.found_tools(ids)}


def workflow_store(graph: "GraphStore", settings: "Settings") -> "WorkflowStore":
    """The stored workflows of a graph, changed as this process."""
    from app.adapters.graph.lease import lease_owner
    from app.usecases.workflows import WorkflowStore

    return WorkflowStore(graph, owner=lease_owner, lease_wait_s=settings.lease_wait_s)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInputError(f"--save {path}: cannot be written: {error.strerror}") from error
