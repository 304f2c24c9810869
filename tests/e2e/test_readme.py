"""The commands of README and docs/, carried out from top to bottom: they work, and what is shown is what comes."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.documents import NOT_RUN, README, ROOT, WRITTEN, blocks, commands
from tests.service import Service, environment, serving

RUN = [path for path in WRITTEN if set(commands(path.read_text(encoding="utf-8"))) - set(NOT_RUN)]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("document", RUN, ids=lambda path: path.name)
def test_every_command_works_and_every_answer_is_real(document: Path, tmp_path: Path) -> None:
    """In a folder with examples/ and the files that the document shows; each JSON block is the answer above it.

    An answer may be shown in part: what is shown has to be in it. Only the time that it took is not compared.
    """
    text = document.read_text(encoding="utf-8")
    shell = Shell(tmp_path)
    for name, content in _files(text):
        (shell.folder / name).write_text(content, encoding="utf-8")

    with ExitStack() as opened:
        for block, shown in _with_answers(text):
            answers = shell.run(commands(f"```sh\n{block}```"), opened)
            if shown and answers:
                assert _is_part(json.loads(shown), answers[-1]), f"{shown}\n is not in\n{answers[-1]}"


def test_the_answer_in_the_readme_is_all_of_it() -> None:
    """Nothing is left out of the answer to a query: a reader takes it for the format."""
    shown = [json.loads(block) for block in blocks(README.read_text(encoding="utf-8"), "json")]
    (answer,) = [block for block in shown if "tools" in block]

    assert list(answer) == ["tools", "abstained", "nearest", "tokens", "generation", "took_ms"]
    assert {"id", "server", "name", "title", "description", "score", "role"} <= set(answer["tools"][0])
    assert {"needed_by", "parameter"} <= set(answer["tools"][-1])


@dataclass
class Shell:
    """What runs the lines of a document: one graph, one folder, at most one service."""

    tmp_path: Path
    variables: dict[str, str] = field(default_factory=dict)
    service: Service | None = None

    def __post_init__(self) -> None:
        self.folder.mkdir()
        (self.folder / "examples").symlink_to(ROOT / "examples")

    @property
    def folder(self) -> Path:
        """Where commands run."""
        return self.tmp_path / "here"

    @property
    def data_dir(self) -> Path:
        """Where the graph lies."""
        return self.tmp_path / "data"

    def run(self, lines: list[str], opened: ExitStack) -> list[Any]:
        """Run lines that are not on the list; what those that answer in JSON answered."""
        answers: list[Any] = []
        waiting: list[str] = []
        for line in [*(line for line in lines if line not in NOT_RUN), ""]:
            if line.startswith("outfitter ") and line != "outfitter serve":
                waiting.append(line)
                continue
            answers += self._commands(waiting)
            waiting = []
            if line.endswith("outfitter serve"):
                self._serve(line, opened)
            elif line.startswith("curl "):
                answers.append(self._ask(shlex.split(line)))
            elif line.startswith("export "):
                name, _, value = line.removeprefix("export ").partition("=")
                self.variables[name] = value
            elif line:
                assert line.startswith("echo "), f"{line}: nothing here runs it; see tests/documents.py"
                subprocess.run(line, shell=True, cwd=self.folder, check=True, timeout=10)
        return answers

    def _commands(self, lines: list[str]) -> list[Any]:
        if not lines:
            return []
        # The engine stays for the next command.
        env = environment(
            self.data_dir, OUTFITTER_ENGINE_LINGER_S="5", PYTHONPATH=str(ROOT), **self.variables
        )
        done = subprocess.run(
            [sys.executable, "-m", "tests.several_commands"],
            input=json.dumps([shlex.split(line)[1:] for line in lines]),
            env=env,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        answers = []
        results = [json.loads(result) for result in done.stdout.splitlines()]
        for line, (status, out, err) in zip(lines, results, strict=False):
            assert status == 0, f"{line}\n{out}{err}"
            if "--format json" in line or "--json" in line:
                answers.append(json.loads(out))
        assert len(results) == len(lines), f"{lines[len(results)]}\n{done.stderr}"
        return answers

    def _serve(self, line: str, opened: ExitStack) -> None:
        """`VARIABLE=VALUE ... outfitter serve`, on a free port, in place of the one before."""
        given = dict(word.split("=", 1) for word in shlex.split(line)[:-2])
        # Paths are relative to the folder where the command would run.
        given = {
            name: str(self.folder / value) if name.endswith("SOURCES") else value
            for name, value in given.items()
        }
        opened.close()
        self.service = opened.enter_context(serving(self.data_dir, **self.variables, **given))

    def _ask(self, words: list[str]) -> Any:
        """`curl` with a body, at the service wherever it really is."""
        assert self.service, f"{words}: no `outfitter serve` stands before it"
        (url,) = [word for word in words if word.startswith("http://127.0.0.1:8000/")]
        body = json.loads(words[words.index("-d") + 1])
        status, answer = self.service.post(url.removeprefix("http://127.0.0.1:8000"), body)
        assert status == 200, answer
        return answer


def _files(text: str) -> Iterator[tuple[str, str]]:
    """YAML blocks whose first line is the name of a file."""
    for block in blocks(text, "yaml"):
        named = re.match(r"# (\S+\.yaml)\n", block)
        if named:
            yield named[1], block


def _with_answers(text: str) -> Iterator[tuple[str, str]]:
    """Each `sh` block with the JSON block that follows it directly, if one does."""
    found = re.findall(r"(?ms)^```sh\n(.*?)^```\n(?:\n```json\n(.*?)^```)?", text)
    assert len(found) == len(blocks(text, "sh"))
    yield from found


def _is_part(shown: Any, given: Any) -> bool:
    """Whether all that is shown is in an answer; of an answer with tools, what is shown may be of its first one.

    Scores to five digits: engines sum in different orders. A list has the length that is shown.
    """
    if isinstance(given, dict) and "tools" in given and "tools" not in shown and "why" in shown:
        given = given["tools"][0]
    if isinstance(shown, dict):
        return isinstance(given, dict) and all(
            key == "took_ms" or (key in given and _is_part(value, given[key])) for key, value in shown.items()
        )
    if isinstance(shown, list):
        return isinstance(given, list) and len(shown) == len(given) and all(map(_is_part, shown, given))
    if isinstance(shown, float) and isinstance(given, float | int):
        return round(shown, 5) == round(given, 5)
    return bool(shown == given)
