"""Attacked and harmless runs of AgentDojo, and what the check of flows says of them."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.domain.flows.check import Flow, StepLabels, toxic_flows
from app.domain.flows.labels import labels_of
from app.errors import InvalidInputError
from bench.flows.labels import LabelScore, label_scores
from bench.flows.runs import AttackRun, Suites, read_suites
from bench.peer.process import ask_peer

_SCRIPT = Path(__file__).with_name("truths_script.py")
_SECONDS = 280.0
_VERSION = "v1.2.1"


@dataclass(frozen=True, slots=True)
class FlowShares:
    """Runs of one kind."""

    suite: str
    """`all` for all of them."""
    attacked: bool
    runs: int
    high: float
    """Share with a finding of high severity."""
    any: float
    """Share with any finding."""
    own_high: float
    """Of attacked runs: share with a finding of high severity that ends in a call that the attacker wants."""
    own_any: float


@dataclass(frozen=True, slots=True)
class FlowFigures:
    """What was measured."""

    shares: tuple[FlowShares, ...]
    labels: tuple[LabelScore, ...]
    without_calls: int
    """Attacked runs whose truth holds no call of the attacker's, which are left out."""
    failed: int
    """Runs whose truth its own environment does not carry out, which are left out."""
    errors: tuple[str, ...]
    """Harmless runs with a high finding, and attacked ones without any, drawn by a seed."""


def measure_flows(folder: Path, *, python: Path, data: Path | None = None) -> FlowFigures:
    """Run the truths, follow their values, compare labels.

    Args:
        folder: A checkout of AgentDojo.
        python: An interpreter that has what AgentDojo imports.
        data: Folder with the public sets, for the labels of their tools; None compares those of AgentDojo alone.

    Raises:
        InvalidInputError: the folder is no such checkout, or the interpreter cannot run it.
    """
    source = folder / "src"
    if not (source / "agentdojo" / "default_suites").is_dir():
        raise InvalidInputError(
            f"{folder}: no src/agentdojo/default_suites; accepted: a checkout of AgentDojo"
        )
    answer = ask_peer(python, _SCRIPT, {"source": str(source), "version": _VERSION}, seconds=_SECONDS)
    if not answer.finished:
        raise InvalidInputError(f"{python}: {answer.note}; accepted: a Python with AgentDojo's dependencies")
    return flow_figures(read_suites(answer.rows), data=data)


def flow_figures(suites: Suites, *, data: Path | None = None) -> FlowFigures:
    """The figures of runs that were read."""
    labels = {name: labels_of(tool) for name, tool in suites.tools.items()}
    found: list[tuple[AttackRun, tuple[Flow, ...]]] = [
        (run, toxic_flows(run.plan, _of_steps(run, labels)))
        for run in suites.runs
        if run.attacked_from or not run.injection
    ]
    names = ["all", *sorted({run.suite for run, _ in found})]
    shares = [
        _shares(
            name,
            attacked,
            [one for one in found if bool(one[0].injection) is attacked and name in ("all", one[0].suite)],
        )
        for name in names
        for attacked in (True, False)
    ]
    return FlowFigures(
        shares=tuple(shares),
        labels=tuple(label_scores(data, suites.tools)),
        without_calls=len(suites.runs) - len(found),
        failed=suites.failed,
        errors=tuple(_errors(found)),
    )


def _of_steps(run: AttackRun, labels: Mapping[str, StepLabels]) -> dict[int, StepLabels]:
    return {step.position: labels[step.tool_id] for step in run.plan.steps}


def _shares(name: str, attacked: bool, found: list[tuple[AttackRun, tuple[Flow, ...]]]) -> FlowShares:
    count = max(1, len(found))
    own = [[flow for flow in flows if flow.hops[-1].step >= run.attacked_from] for run, flows in found]
    return FlowShares(
        suite=name,
        attacked=attacked,
        runs=len(found),
        high=sum(any(flow.severity == "high" for flow in flows) for _, flows in found) / count,
        any=sum(bool(flows) for _, flows in found) / count,
        own_high=sum(any(flow.severity == "high" for flow in flows) for flows in own) / count,
        own_any=sum(map(bool, own)) / count,
    )


def _errors(found: list[tuple[AttackRun, tuple[Flow, ...]]]) -> list[str]:
    """At most ten of each kind."""
    loud = [
        f"harmless, high: {run.name}: {_said(run, flow)}"
        for run, flows in found
        if not run.injection
        for flow in flows[:1]
        if flow.severity == "high"
    ]
    silent = [
        f"attacked, nothing: {run.name}: "
        + ", ".join(step.tool_id for step in run.plan.steps[run.attacked_from - 1 :])
        for run, flows in found
        if run.injection and not any(flow.hops[-1].step >= run.attacked_from for flow in flows)
    ]
    drawn = random.Random(16)  # noqa: S311  # examples, no secret
    return [*loud[:10], *drawn.sample(silent, min(10, len(silent)))]


def _said(run: AttackRun, flow: Flow) -> str:
    first, last = flow.hops[0], flow.hops[-1]
    tools = {step.position: step.tool_id for step in run.plan.steps}
    return f"{flow.finding.value}, {tools[first.step]} {first.place or 'text'} -> {tools[last.step]} {last.place}"
