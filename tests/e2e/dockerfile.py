"""Carries a Dockerfile's steps out on this machine, under a folder of its own in place of each stage's root.

Paths of the image that a step writes are moved under the stage's folder. What changes the machine itself
(making a user) is left out, and so is `--no-cache-dir`, which only keeps an image small.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

_MOVED = ("/wheels", "/src", "/opt/build", "/opt/locks", "/opt/outfitter", "/var/lib/outfitter")
_MACHINE = ("useradd",)
_STEP_S = 600
"""For one step: an installation fetches about 150 MB."""


@dataclass(slots=True)
class Stage:
    """One stage of the build, as far as it got."""

    root: Path
    workdir: str = "/"
    env: dict[str, str] = field(default_factory=dict)
    single: dict[str, str] = field(default_factory=dict)
    """The last USER, ENTRYPOINT, CMD, HEALTHCHECK and the like, as written."""

    def moved(self, text: str) -> str:
        """The text with this stage's paths in place of the image's."""
        return re.sub(rf"(?<![\w.])({'|'.join(_MOVED)})(?![\w-])", rf"{self.root}\1", text)

    def path(self, name: str) -> Path:
        """A path of the image, here."""
        return self.root / Path(self.workdir, name).relative_to("/")

    def environment(self) -> dict[str, str]:
        """What a process of the image sees, moved; nothing of Outfitter's or Python's from outside."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("OUTFITTER_", "NEO4J_", "PYTHON", "VIRTUAL_ENV"))
        }
        own = {name: self.moved(value).replace("$PATH", kept["PATH"]) for name, value in self.env.items()}
        return {**kept, **own}


def instructions(text: str) -> list[tuple[str, str]]:
    """(INSTRUCTION, arguments) of every line, continued lines joined."""
    joined = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^\s*#.*\n", "", text))
    return [
        (word, rest.strip()) for word, _, rest in (ln.partition(" ") for ln in joined.splitlines()) if word
    ]


def build(dockerfile: Path, folder: Path) -> Stage:
    """Carry out every stage; the last one.

    Raises:
        AssertionError: a step fails, or an instruction is not known here.
    """
    context, stages = dockerfile.parent, dict[str, Stage]()
    stage = Stage(folder)
    for word, rest in instructions(dockerfile.read_text(encoding="utf-8")):
        if word == "FROM":
            name = rest.partition(" AS ")[2] or "last"
            stage = stages[name] = Stage(folder / name)
            stage.root.mkdir(parents=True)
        elif word == "WORKDIR":
            stage.workdir = rest
        elif word == "ENV":
            stage.env |= dict(pair.split("=", 1) for pair in shlex.split(rest))
        elif word == "COPY":
            _copy(stage, stages, context, rest)
        elif word == "RUN":
            _run(stage, rest)
        elif word in {"USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"}:
            stage.single[word] = rest
        else:
            raise AssertionError(f"{dockerfile}: {word} is not known to this test")
    return stage


def _copy(stage: Stage, stages: dict[str, Stage], context: Path, rest: str) -> None:
    *sources, target = rest.split()
    origin = context
    if sources[0].startswith("--from="):
        origin = stages[sources.pop(0).removeprefix("--from=")].root
    for source in sources:
        found, to = origin / source.lstrip("/"), stage.path(target)
        if found.is_dir():
            shutil.copytree(found, to, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            to.mkdir(parents=True, exist_ok=True)
            shutil.copy(found, to)


def _run(stage: Stage, command: str) -> None:
    if command.startswith(_MACHINE):
        return
    command = re.sub(r"^python ", f"{shlex.quote(sys.executable)} ", command).replace(" --no-cache-dir", "")
    here = stage.path(".")
    here.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["/bin/sh", "-ec", stage.moved(command)],
        cwd=here,
        env=stage.environment(),
        capture_output=True,
        text=True,
        timeout=_STEP_S,
        check=False,
    )
    assert done.returncode == 0, f"RUN {command}\n{done.stdout}{done.stderr}"
