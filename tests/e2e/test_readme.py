"""The README's commands, carried out: what it shows is what comes."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.service import command, serving

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_answers_in_the_readme_are_real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the README's own ingest, each body that curl sends is answered as printed, but for the time."""
    monkeypatch.chdir(ROOT)
    section = README.partition("## Ingest your own tools")[2].partition("\n## ")[0]
    for line in re.findall(r"(?ms)^```sh\n(.*?)^```", section)[0].splitlines():
        done = command(*shlex.split(line)[1:], data_dir=tmp_path / "data")
        assert done.returncode == 0, f"{line}\n{done.stderr}"
    plain, explain = (json.loads(body) for body in re.findall(r"-d '(\{\"query\".*?\})'", README))
    blocks = [json.loads(block) for block in re.findall(r"(?ms)^```json\n(.*?)^```", README)]
    answer, explained = (block for block in blocks if {"tools", "why"} & set(block))

    with serving(tmp_path / "data") as service:
        _, given = service.post("/v1/query", plain)
        (first,) = service.post("/v1/query", explain)[1]["tools"]

    assert _rounded({**given, "took_ms": 0}) == _rounded({**answer, "took_ms": 0})
    assert _rounded({key: first[key] for key in explained}) == _rounded(explained)


def test_the_plan_in_the_readme_is_real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of its chapters work as they stand; the plan has what the printed part of it says."""
    monkeypatch.chdir(ROOT)
    chapters = [
        README.partition(f"\n{name}\n")[2] for name in ("### OpenAPI and Arazzo", "## Plan", "## Workflows")
    ]
    for chapter in chapters:
        block = re.findall(r"(?ms)^```sh\n(.*?)^```", chapter)[0]
        for line in block.splitlines():
            done = command(*shlex.split(line)[1:], data_dir=tmp_path / "data")
            assert done.returncode == 0, f"{line}\n{done.stderr}"
    printed = json.loads(re.findall(r"(?ms)^```json\n(.*?)^```", chapters[1])[0])
    done = command("plan", printed["goal"], "--format", "json", data_dir=tmp_path / "data")

    given = json.loads(done.stdout)

    steps = [
        {key: step[key] for key in said} for said, step in zip(printed["steps"], given["steps"], strict=True)
    ]
    assert (given["goal"], steps) == (printed["goal"], printed["steps"])


def _rounded(value: Any) -> Any:
    """Scores to five digits: engines sum in different orders."""
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list) else value
