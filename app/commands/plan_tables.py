"""Plans and workflows as tables for people."""

import json
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.commands.terminal import plain_text
from app.domain.workflows.plans import (
    Binding,
    ComposedBinding,
    InputBinding,
    KnownBinding,
    Plan,
    PlanStep,
    Select,
    StepBinding,
)
from app.domain.workflows.stored import Workflow, WorkflowProblem


def print_plan(plan: Plan, *, console: Console) -> None:
    """Steps with where their inputs come from, then what is open, then warnings."""
    if not plan.steps:
        console.print("No tool fits this goal.", style="bold")
    else:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("", justify="right")
        table.add_column("call", style="bold", overflow="fold")
        table.add_column("what for, and with which inputs")
        for step in plan.steps:
            table.add_row(str(step.position), plain_text(step.workflow_id or step.tool_id), _cell(step))
        console.print(table)
    for item in plan.inputs:
        kind = f" ({item.type})" if item.type else ""
        console.print(
            plain_text(f"needs {item.name}{kind}: {' '.join(item.description.split())}".rstrip(": "))
        )
    for warning in plan.warnings:
        place = f"step {warning.step}: " if warning.step else ""
        console.print(plain_text(f"{warning.code}: {place}{warning.message}", style="yellow"))


def print_workflows(workflows: Sequence[Workflow], *, console: Console) -> None:
    """One line for each."""
    if not workflows:
        console.print("No workflows. `outfitter plan TEXT --store NAME` keeps a plan as one.")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("workflow", "steps", "goal", "from", ""):
        table.add_column(column, overflow="fold")
    for one in workflows:
        broken = plain_text(f"broken: {one.reason}", style="red") if one.broken else plain_text("")
        table.add_row(
            plain_text(one.id),
            str(len(one.plan.steps)),
            plain_text(one.goal),
            plain_text(one.source or "saved"),
            broken,
        )
    console.print(table)


def print_problems(problems: Sequence[WorkflowProblem], *, console: Console) -> None:
    """What is wrong, one line for each."""
    for problem in problems:
        place = f"step {problem.step}: " if problem.step else ""
        console.print(plain_text(f"wrong: {place}{problem.message}", style="red"))


def binding_words(binding: Binding) -> str:
    """A binding in words."""
    match binding:
        case KnownBinding():
            return json.dumps(binding.known, ensure_ascii=False)
        case InputBinding():
            return f"the input {binding.input}{binding.path}"
        case StepBinding():
            place = f"header {binding.header}" if binding.header else binding.path or "the whole answer"
            return f"step {binding.step}: {place}{_select_words(binding.select)}"
        case ComposedBinding():
            parts = "; ".join(f"{name}: {binding_words(part)}" for name, part in binding.parts.items())
            return f"{json.dumps(binding.compose, ensure_ascii=False)} with {parts}"


def _select_words(select: Select | None) -> str:
    if select is None:
        return ""
    if select.by == "match":
        return f" of the item whose {select.field} is {json.dumps(select.value, ensure_ascii=False)}"
    return " of the first item" if select.by == "first" else " of the item that you choose"


def _cell(step: PlanStep) -> Text:
    cell = plain_text(step.purpose)
    if step.mutating:
        cell.append_text(plain_text(" (changes something)", style="yellow"))
    for parameter, binding in step.bindings.items():
        cell.append_text(plain_text(f"\n{parameter} = {binding_words(binding)}", style="cyan"))
    if step.alternatives:
        cell.append_text(plain_text(f"\nor: {', '.join(step.alternatives)}", style="dim"))
    return cell
