"""Another project's library in a process of its own: same hash seed each time, a time limit, what it did kept."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_GUARD = Path(__file__).with_name("guard_script.py")


@dataclass(frozen=True, slots=True)
class PeerAnswer:
    """What the process wrote before it ended or its time ran out."""

    rows: list[dict[str, Any]]
    finished: bool
    """False when its time ran out or it failed."""
    note: str
    """Why it did not finish; else empty."""


def peer_python(given: Path | None) -> Path | None:
    """The interpreter to run graph-tool-call in: the given one, else this one if it has it, else none."""
    if given is not None:
        return given
    return Path(sys.executable) if find_spec("graph_tool_call") else None


def peer_version(python: Path) -> str:
    """Version of the interpreter's graph-tool-call; empty where it has none."""
    code = "from importlib.metadata import version; print(version('graph-tool-call'))"
    run = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=False)  # noqa: S603  # the caller's
    return run.stdout.strip()


def ask_peer(python: Path, script: Path, job: Mapping[str, Any], *, seconds: float) -> PeerAnswer:
    """Run a script with `job` as JSON on stdin; it answers with a line of JSON for each thing done.

    It ends with this process, even when this one is killed.
    """
    finished, note = True, ""
    try:
        run = subprocess.run(  # noqa: S603  # the interpreter is the caller's
            [str(python), "-P", str(_GUARD), str(script)],
            input=json.dumps(job),
            capture_output=True,
            text=True,
            timeout=seconds,
            check=True,
            env={"PYTHONHASHSEED": "0"},
        )
        text = run.stdout
    except subprocess.TimeoutExpired as stopped:
        finished, note = False, f"did not finish in {seconds:.3g} s"
        text = stopped.stdout.decode() if isinstance(stopped.stdout, bytes) else stopped.stdout or ""
    except subprocess.CalledProcessError as failed:
        last = (failed.stderr.strip().splitlines() or [""])[-1][:200]
        finished, note, text = False, f"failed with status {failed.returncode}: {last}", failed.stdout
    rows = [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]
    return PeerAnswer(rows, finished, note)
