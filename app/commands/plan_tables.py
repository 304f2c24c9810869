"""Plans and workflows as tables for people."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.commands.terminal import plain_text
from app.domain.workflows.plans import (
    NOT_CALLABLE,
    SOURCE_DOWN,
    UNUSED_VALUE,
    Binding,
    ComposedBinding,
    InputBinding,
    KnownBinding,
    Plan,
    PlanStep,
    StepBinding,
)
from app.domain.workflows.stored import Workflow, WorkflowProblem
from app.domain.workflows.wording import reach_words, select_words, value_words, when_words


def print_plan(plan: Plan, *, console: Console) -> None:
    """What of the goal is not used, steps with where their inputs come from, what is open or has no call, warnings."""
    for unused in plan.unused:
        _line(console, f"not used: {value_words(unused.value)}", unused.reason, style="yellow")
    if not plan.steps:
        console.print("No tool fits this goal.", style="bold")
    else:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("", justify="right", overflow="fold")
        table.add_column("call", style="bold", overflow="fold")
        table.add_column("what for, and with which inputs", overflow="fold")
        for step in plan.steps:
            table.add_row(str(step.position), plain_text(step.workflow_id or step.tool_id), _cell(step))
        console.print(table)
    for unmet in plan.unmet:
        _line(console, f"no call for: {unmet.task}", unmet.reason, style="yellow")
    for item in plan.inputs:
        kind = f" ({item.type})" if item.type else ""
        needed = "may need" if item.suggested else "needs"
        _line(console, f"{needed} {item.name}{kind}", " ".join(item.description.split()))
    for warning in plan.warnings:
        # Said above.
        if warning.code == UNUSED_VALUE and plan.unused:
            continue
        place = f"step {warning.step}: " if warning.step else ""
        _line(console, warning.code, f"{place}{warning.message}", style="yellow")
        if warning.instead and warning.code in (SOURCE_DOWN, NOT_CALLABLE) and not plan.unmet:
            _line(console, "instead", warning.instead)


def _line(console: Console, said: str, more: str, *, style: str = "") -> None:
    console.print(plain_text(f"{said}: {more}" if more else said, style=style), overflow="fold")


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
            return value_words(binding.known)
        case InputBinding():
            return f"the input {binding.input}{binding.path}"
        case StepBinding():
            place = f"header {binding.header}" if binding.header else binding.path or "the whole answer"
            return f"step {binding.step}: {place}{select_words(binding.select)}"
        case ComposedBinding():
            parts = "; ".join(f"{name}: {binding_words(part)}" for name, part in binding.parts.items())
            return f"{value_words(binding.compose)} with {parts}"


def _cell(step: PlanStep) -> Text:
    cell = plain_text(step.purpose)
    if step.mutating:
        cell.append_text(plain_text(" (changes something)", style="yellow"))
    for said in reach_words(step):
        cell.append_text(plain_text(f"\n{said}", style="yellow"))
    for when in step.when:
        cell.append_text(plain_text(f"\nonly where {when_words(when)}", style="magenta"))
    for parameter, binding in step.bindings.items():
        cell.append_text(plain_text(f"\n{parameter} = {binding_words(binding)}", style="cyan"))
    if step.alternatives:
        cell.append_text(plain_text(f"\nor: {', '.join(step.alternatives)}", style="dim"))
    return cell
