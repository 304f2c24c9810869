"""What requests for tools would cost, and what became of them, for people and as JSON."""

from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape

from ingest.requests.run import RequestPlan, RequestReport

_MOST = 20
"""Rows of a list; `--json` has all."""
_MILLION = 1_000_000
Price = tuple[float, float] | None
"""Of a million tokens: sent, answered."""


def plan_json(plan: RequestPlan, *, model: str, price: Price) -> dict[str, Any]:
    """What a run would ask, and what that would take."""
    return {
        "dry_run": True,
        "model": model,
        "languages": list(plan.wish.languages),
        "number": plan.wish.number,
        "ask": [tool.id for tool in plan.ask],
        "cached": [tool.id for tool in plan.cached],
        "current": plan.current,
        "declared": plan.declared,
        "prompt_tokens": plan.prompt_tokens,
        "answer_tokens": plan.answer_tokens,
        "cost": _cost(plan, price),
    }


def print_plan(console: Console, plan: RequestPlan, *, model: str, price: Price) -> None:
    """How many tools are asked about, and about what that takes."""
    languages = ", ".join(plan.wish.languages)
    console.print(
        f"{_counted(len(plan.ask), 'tool')} to ask {escape(model)} about, {plan.wish.number} requests each in {languages};"
        f" {plan.current} have theirs"
        + (f", {len(plan.cached)} were answered before" if plan.cached else "")
        + (f", {plan.declared} are only named" if plan.declared else "")
        + "."
    )
    if not plan.ask:
        return
    cost = _cost(plan, price)
    console.print(
        f"About {plan.prompt_tokens:,} tokens sent and {plan.answer_tokens:,} answered"
        + (
            f": {cost:,.2f} at that price"
            if cost is not None
            else "; --price IN OUT, for a million of each, shows the sum"
        )
        + ". The tools' names, descriptions and inputs are sent."
    )


def report_values(report: RequestReport, *, dry_run: bool) -> dict[str, Any]:
    """A report as JSON has it."""
    return {"dry_run": dry_run, **asdict(report)}


def print_requests(console: Console, report: RequestReport, *, dry_run: bool) -> None:
    """What was not kept, and how much was."""
    for one in report.rejected[:_MOST]:
        console.print(f"[red]rejected[/red] {escape(one.item)}: {escape(one.reason)}")
    if len(report.rejected) > _MOST:
        console.print(f"... and {len(report.rejected) - _MOST} more (--json lists all)")
    took = f", {report.tokens:,} tokens" if report.tokens else ""
    done = "Would keep" if dry_run else "Kept"
    console.print(
        f"{done} {_counted(report.requests, 'request')} for {_counted(report.tools, 'tool')}{took}. Generation {report.generation}."
    )
    if report.stopped:
        console.print(
            f"[yellow]stopped[/yellow]: {escape(report.stopped)}; what was answered is kept, and another run goes on"
            " from there"
        )


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _cost(plan: RequestPlan, price: Price) -> float | None:
    if price is None:
        return None
    return round((plan.prompt_tokens * price[0] + plan.answer_tokens * price[1]) / _MILLION, 4)
