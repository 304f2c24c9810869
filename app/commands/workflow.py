"""`outfitter workflow`: look at stored plans and change them."""

import json as json_module
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import DataDir
from app.commands.plan import ShownPlan, show_plan, workflow_store
from app.commands.plan_words import SELECT_HELP, read_document, read_select, read_value
from app.commands.terminal import open_console, write_json, write_text
from app.errors import InvalidInputError

if TYPE_CHECKING:
    from app.adapters.graph.store import GraphStore
    from app.domain.workflows.commands import PlanEdit
    from app.domain.workflows.plans import Binding, Plan
    from app.usecases.workflows import CheckedWorkflow, WorkflowStore

app = typer.Typer(
    name="workflow",
    help="Look at stored workflows and change them; each change is checked before it is kept.",
    no_args_is_help=True,
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="Id of the workflow.")]
StepNumber = Annotated[int, typer.Argument(metavar="STEP", min=1, help="Number of a step, from 1.")]


@app.command("list")
def list_(
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    data_dir: DataDir = None,
) -> None:
    """List stored workflows."""
    with _store(data_dir) as (_, workflows):
        found = workflows.list()
    if json:
        listed = [
            {**one.model_dump(mode="json", exclude={"plan"}), "goal": one.goal, "steps": len(one.plan.steps)}
            for one in found
        ]
        write_json(json_module.dumps(listed, indent=2, ensure_ascii=False))
        return
    from app.commands.plan_tables import print_workflows

    print_workflows(found, console=open_console())


@app.command()
def show(
    name: Name,
    format: Annotated[ShownPlan, typer.Option(help="How it is shown.")] = ShownPlan.TABLE,  # noqa: A002
    data_dir: DataDir = None,
) -> None:
    """Show a workflow, and what is wrong in it now."""
    with _store(data_dir) as (graph, workflows):
        _print(graph, workflows.load(name), format)


@app.command()
def save(
    name: Name,
    file: Annotated[
        Path, typer.Argument(help="A plan, as `outfitter plan --save` writes it, or an Arazzo document.")
    ],
    replace: Annotated[bool, typer.Option("--replace", help="Replace the workflow that there is.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Keep a plan from a file as a workflow."""
    with _store(data_dir) as (graph, workflows):
        plan = _read_plan(file, graph)
        saved = workflows.replace(name, plan) if replace else workflows.create(name, plan)
        _print(graph, saved, ShownPlan.TABLE)


@app.command()
def move(
    name: Name,
    step: StepNumber,
    to: Annotated[int, typer.Argument(metavar="TO", min=1, help="The place that it gets.")],
    data_dir: DataDir = None,
) -> None:
    """Move a step to another place."""
    from app.domain.workflows.commands import MoveStep

    _edit(name, data_dir, MoveStep(step=step, to=to))


@app.command()
def add(
    name: Name,
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="Id of a tool, or of a workflow.")],
    at: Annotated[
        int | None, typer.Option(min=1, help="The place that it gets.", show_default="the end")
    ] = None,
    purpose: Annotated[str, typer.Option(help="What it is for.")] = "",
    data_dir: DataDir = None,
) -> None:
    """Add a step; its required inputs become inputs of the workflow until they are bound."""
    from app.domain.workflows.commands import AddStep

    _edit(name, data_dir, AddStep(calls=tool, at=at, purpose=purpose))


@app.command()
def remove(name: Name, step: StepNumber, data_dir: DataDir = None) -> None:
    """Remove a step; what took a value from it becomes an input of the workflow."""
    from app.domain.workflows.commands import RemoveStep

    _edit(name, data_dir, RemoveStep(step=step))


@app.command()
def bind(
    name: Name,
    step: StepNumber,
    parameter: Annotated[str, typer.Argument(metavar="PARAMETER", help="Name of the input.")],
    *,
    known: Annotated[str | None, typer.Option(help="The value: JSON, or a text.")] = None,
    input: Annotated[str | None, typer.Option(help="An input of the workflow.")] = None,  # noqa: A002
    source: Annotated[int | None, typer.Option("--from", min=1, help="An earlier step, with --path.")] = None,
    path: Annotated[
        str, typer.Option(help="JSON pointer into that step's answer; * is an item of a list.")
    ] = "",
    select: Annotated[str | None, typer.Option(help=SELECT_HELP, show_default="first")] = None,
    unbind: Annotated[bool, typer.Option("--unbind", help="Bind it to nothing.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Bind an input of a step: to a value, an input of the workflow, or an earlier step's answer."""
    from app.domain.workflows.commands import BindInput

    binding = _binding(known, input, source, path, select, unbind=unbind)
    _edit(name, data_dir, BindInput(step=step, parameter=parameter, binding=binding))


@app.command()
def delete(name: Name, data_dir: DataDir = None) -> None:
    """Delete a workflow."""
    with _store(data_dir) as (_, workflows):
        generation = workflows.delete(name)
    write_text(f"Deleted {name}. Generation {generation}.")


@contextmanager
def _store(data_dir: Path | None) -> "Iterator[tuple[GraphStore, WorkflowStore]]":
    from app.roots.graph import open_graph, read_settings

    settings = read_settings(data_dir=data_dir)
    with open_graph(settings) as graph:
        yield graph, workflow_store(graph, settings)


def _edit(name: str, data_dir: Path | None, edit: "PlanEdit") -> None:
    with _store(data_dir) as (graph, workflows):
        _print(graph, workflows.edit(name, edit), ShownPlan.TABLE)


def _print(graph: "GraphStore", found: "CheckedWorkflow", shown: ShownPlan) -> None:
    from app.commands.plan_tables import print_problems

    show_plan(graph, found.plan, shown, name=found.workflow.id)
    print_problems(found.problems, console=open_console(stderr=shown is not ShownPlan.TABLE))


def _binding(
    known: str | None, given: str | None, source: int | None, path: str, select: str | None, *, unbind: bool
) -> "Binding | None":
    from app.domain.workflows.plans import InputBinding, KnownBinding, StepBinding

    chosen = [known is not None, given is not None, source is not None, unbind]
    if sum(chosen) != 1:
        raise typer.BadParameter("accepted: one of --known, --input, --from and --unbind")
    if known is not None:
        return KnownBinding(known=read_value(known))
    if given is not None:
        return InputBinding(input=given)
    if source is not None:
        if path and not path.startswith("/"):
            raise typer.BadParameter(
                f"{path!r}; accepted: a JSON pointer such as /items/*/id", param_hint="--path"
            )
        return StepBinding(step=source, path=path, select=read_select(path, select))
    return None


def _read_plan(path: Path, graph: "GraphStore") -> "Plan":
    from pydantic import ValidationError

    from app.domain.workflows.plans import Plan

    document = read_document(path)
    if isinstance(document, dict) and "arazzo" in document:
        return _arazzo_plan(document, path, graph)
    try:
        return Plan.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "/".join(str(part) for part in first["loc"])
        raise InvalidInputError(
            f"{path}: {place}: {first['msg']}; accepted: a plan as `outfitter plan --save` writes it, or Arazzo"
        ) from error


def _arazzo_plan(document: dict[str, object], path: Path, graph: "GraphStore") -> "Plan":
    from app.roots.graph import read_settings
    from ingest.run.reading import known_operations
    from ingest.sources.arazzo.reader import read_workflows
    from ingest.wiring import bounds_of

    bounds = bounds_of(read_settings())
    sources = known_operations(graph, graph.sources(), root=path.resolve().parent, bounds=bounds)
    found, rejected, _ = read_workflows(document, name=path.stem, uri=str(path), sources=sources)
    if len(found) != 1 or rejected:
        why = f"; {rejected[0].item}: {rejected[0].reason}" if rejected else ""
        raise InvalidInputError(
            f"{path}: {len(found)} workflows that can be read; accepted: one (`outfitter ingest arazzo` takes many){why}"
        )
    return found[0].plan
