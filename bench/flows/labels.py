"""How well labels are inferred: against labels that a person gave before anything inferred them."""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.domain.flows.labels import counting, labels_of
from app.domain.nodes.models import Label, Tool
from bench.flows.runs import described_tool

_HAND = Path(__file__).with_name("hand_labels.jsonl")
_SEED = 16
_SETS = {
    "livemcpbench": Path("bench/livemcpbench/tools.jsonl"),
    "mcp_manifests": Path("catalogues/mcp_manifests/tools.jsonl"),
}
"""Set -> where its tools lie in the folder of public sets."""


@dataclass(frozen=True, slots=True)
class LabelScore:
    """One label on one half."""

    half: str
    """`first`: thresholds and words were chosen on it; `second`: they were not."""
    label: Label
    right: int
    wrong: int
    missed: int

    @property
    def f1(self) -> float:
        """2 right / (2 right + wrong + missed); 0 where there is nothing."""
        total = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / total if total else 0.0


def label_scores(data: Path | None, agentdojo: Mapping[str, Tool]) -> list[LabelScore]:
    """F1 of each label on two seeded halves of the tools that there are.

    Args:
        data: Folder with the public sets; None leaves theirs out.
        agentdojo: Tools by `suite/name`.
    """
    tools = {("agentdojo", name): tool for name, tool in agentdojo.items()}
    for name, path in _SETS.items() if data is not None else ():
        for line in (data / path).read_text(encoding="utf-8").splitlines() if data is not None else ():
            row = json.loads(line)
            tools[name, row["id"]] = described_tool(row["server"], {**row, "inputSchema": row["parameters"]})
    rows = sorted(_rows(), key=lambda row: (row["set"], row["tool"]))
    random.Random(_SEED).shuffle(rows)  # noqa: S311  # halves, no secret
    half = len(rows) // 2
    return [
        _score(name, label, part, tools)
        for name, part in (("first", rows[:half]), ("second", rows[half:]))
        for label in Label
    ]


def _rows() -> Iterator[dict[str, Any]]:
    return map(json.loads, _HAND.read_text(encoding="utf-8").splitlines())


def _score(
    half: str, label: Label, rows: list[dict[str, Any]], tools: Mapping[tuple[str, str], Tool]
) -> LabelScore:
    right = wrong = missed = 0
    for row in rows:
        tool = tools.get((row["set"], row["tool"]))
        if tool is None:
            continue
        has, should = label in counting(labels_of(tool)), label in row["labels"]
        right += has and should
        wrong += has and not should
        missed += should and not has
    return LabelScore(half, label, right, wrong, missed)
