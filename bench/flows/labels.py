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
from bench.sets.datasets import plain_tool, schema_text

_HAND = Path(__file__).with_name("hand_labels.jsonl")
_OTHERS = {
    "development": Path(__file__).with_name("development_labels.jsonl"),
    "fresh": Path(__file__).with_name("fresh_labels.jsonl"),
}
"""Tools of servers that the halves do not have; those of `fresh` are of servers that development has not, either."""
_OPERATIONS = "openapi_operations"
_SEED = 16
_SETS = {
    "livemcpbench": Path("bench/livemcpbench/tools.jsonl"),
    "mcp_manifests": Path("catalogues/mcp_manifests/tools.jsonl"),
    "toucan": Path("catalogues/toucan/tools.jsonl"),
    _OPERATIONS: Path("catalogues/openapi_operations/operations.jsonl"),
}
"""Set -> where its tools lie in the folder of public sets."""


@dataclass(frozen=True, slots=True)
class LabelScore:
    """One label on one half."""

    half: str
    """`first` and `development`: words and rules were chosen on them; `second` and `fresh`: they were not; `both`: the halves."""
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
    """F1 of each label on two seeded halves of the tools that there are, on both, and on those of other servers.

    Args:
        data: Folder with the public sets; None leaves theirs out.
        agentdojo: Tools by `suite/name`.
    """
    tools = {("agentdojo", name): tool for name, tool in agentdojo.items()}
    for name, path in _SETS.items() if data is not None else ():
        for line in (data / path).read_text(encoding="utf-8").splitlines() if data is not None else ():
            row = json.loads(line)
            tools[name, row["id"]] = (
                _operation(row)
                if name == _OPERATIONS
                else described_tool(row["server"], {**row, "inputSchema": row["parameters"]})
            )
    rows = sorted(_rows(_HAND), key=lambda row: (row["set"], row["tool"]))
    random.Random(_SEED).shuffle(rows)  # noqa: S311  # halves, no secret
    half = len(rows) // 2
    parts = {"first": rows[:half], "second": rows[half:], "both": rows}
    if data is not None:
        parts |= {name: list(_rows(file)) for name, file in _OTHERS.items()}
    return [_score(name, label, part, tools) for name, part in parts.items() for label in Label]


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, file.read_text(encoding="utf-8").splitlines())


def _operation(row: Mapping[str, Any]) -> Tool:
    """An operation of which the names of its parameters are known, and not their types."""
    names = dict.fromkeys(row["parameters"] or ())
    return plain_tool(
        id=row["id"],
        server=row["server"],
        name=row["name"],
        title=row["summary"] or "",
        description=row["description"] or "",
        input_schema=schema_text(
            {"type": "object", "properties": {name: {"type": "string"} for name in names}}
        )
        if names
        else "",
        method=row["method"],
        path=row["path"],
    )


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
