"""What runs of tasks come to, and what they will cost."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Final

from app.domain.reading.model_prompt import estimated_tokens
from bench.agent.conversation import RULES, TaskRun
from bench.agent.tasks import AgentTask

_MILLION: Final = 1_000_000
_FOUND_TOKENS: Final = 1_500
"""Of five found tools with their schemas, as functions and as an answer. Source: the mean of the example catalogue and of
GitHub's, times two."""
_ANSWER_TOKENS: Final = 120


@dataclass(frozen=True, slots=True)
class AgentFigures:
    """Means over tasks, and sums."""

    tasks: int
    correctness: float
    """Share of the expected tools that were called as they have to be."""
    completion: float
    """Share of tasks of which nothing is lacking."""
    found: float
    """Share of the expected tools that searches of the model brought."""
    needless: float
    """Called tools that nobody expected, for a task."""
    turns: float
    searches: float
    tokens_sent: int
    tokens_answered: int
    cost: float | None
    failed: int
    """Tasks that ended without an answer."""


def figures_of(runs: Sequence[TaskRun], *, price: tuple[float, float] | None) -> AgentFigures:
    """The figures of at least one run; `price` is of a million tokens, sent and answered."""
    sent, answered = sum(run.sent for run in runs), sum(run.answered for run in runs)
    with_tools = [run for run in runs if run.task.tools]
    return AgentFigures(
        tasks=len(runs),
        correctness=fmean(run.correct for run in with_tools) if with_tools else 1.0,
        completion=fmean(run.is_complete for run in runs),
        found=fmean(len(run.found & set(run.task.tools)) / len(run.task.tools) for run in with_tools)
        if with_tools
        else 1.0,
        needless=fmean(len(run.called - set(run.task.tools)) for run in runs),
        turns=fmean(run.turns for run in runs),
        searches=fmean(run.searches for run in runs),
        tokens_sent=sent,
        tokens_answered=answered,
        cost=cost_of(sent, answered, price),
        failed=sum(bool(run.problem) for run in runs),
    )


def cost_of(sent: int, answered: int, price: tuple[float, float] | None) -> float | None:
    """What tokens cost; None without a price."""
    return None if price is None else (sent * price[0] + answered * price[1]) / _MILLION


def estimate(tasks: Sequence[AgentTask], functions: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """About how many tokens are sent and answered: for each task a search and a call for each expected tool, and an end."""
    sent = answered = 0
    always = estimated_tokens(RULES, json.dumps(list(functions), ensure_ascii=False))
    for task in tasks:
        steps = max(len(task.tools), 1)
        turns = 2 * steps + 1
        begin = always + estimated_tokens(task.task)
        # Each search stays in the conversation until its end.
        sent += turns * begin + sum(_FOUND_TOKENS * (turn // 2 + turn % 2) for turn in range(turns))
        answered += turns * _ANSWER_TOKENS
    return sent, answered


def run_document(run: TaskRun) -> dict[str, Any]:
    """A run as JSON."""
    return {
        "id": run.task.id,
        "complete": run.is_complete,
        "correctness": run.correct,
        "found": sorted(run.found & set(run.task.tools)),
        "missed": sorted(set(run.task.tools) - run.called),
        "needless": sorted(run.called - set(run.task.tools)),
        "turns": run.turns,
        "searches": run.searches,
        "tokens_sent": run.sent,
        "tokens_answered": run.answered,
        "answer": run.text,
        "problem": run.problem,
    }


def figures_document(figures: AgentFigures, runs: Sequence[TaskRun], *, model: str) -> str:
    """All of it as JSON text."""
    return json.dumps(
        {"model": model, **asdict(figures), "runs": [run_document(run) for run in runs]},
        indent=2,
        ensure_ascii=False,
    )
