"""How another planner is measured: in an interpreter of its own, with a time limit."""

import json
import subprocess
import sys
from pathlib import Path

from bench.peer.plans import _Document, _measure
from bench.peer.process import ask_peer
from tests.calls import call
from tests.processes import processes
from tests.service import wait_until

TOOLS = [
    call("GET /pets", "listPets", "List pets"),
    call("DELETE /pets/{petId}", "deletePet", "Delete a pet"),
]
GOALS = [("delete a pet", ["shop/listPets", "shop/deletePet"]), ("list pets", ["shop/listPets"])]
ANSWER = {
    "failed": "",
    "edges": [["DELETE /pets/{petId}", "GET /pets"]],
    "plans": [[["GET /pets", "DELETE /pets/{petId}"], 0.001], [["DELETE /pets/{petId}"], 0.001]],
}


def interpreter(folder: Path, *lines: str) -> Path:
    """A program that stands for the other interpreter."""
    script = folder / "python"
    script.write_text("\n".join((f"#!{sys.executable}", "import sys, time", "sys.stdin.read()", *lines)))
    script.chmod(0o755)
    return script


def test_its_plans_are_scored_by_method_and_path(tmp_path: Path) -> None:
    document = _Document(tmp_path / "pets.json", TOOLS, GOALS)
    line = json.dumps(ANSWER | {"path": str(document.path)})
    python = interpreter(tmp_path, f"print({line!r})")
    found = _measure("pets", [document], [("shop/listPets", "shop/deletePet")], python, 30)
    assert found.values == (0.5, 0.5, 0.5, 0.5, 1.0, 1.5)
    assert (found.pairs_found, found.edges, found.failed, found.finished) == (1.0, 1, 0, True)


def test_what_is_not_done_in_time_counts_as_nothing(tmp_path: Path) -> None:
    """Half a line is no answer."""
    python = interpreter(
        tmp_path, "print('{\"done\": 1}\\n{\"done\": 2', end='', flush=True)", "time.sleep(60)"
    )
    answer = ask_peer(python, tmp_path / "script.py", {}, seconds=1.0)
    assert (answer.rows, answer.finished, answer.note) == ([{"done": 1}], False, "did not finish in 1 s")


def test_a_process_that_fails_is_told_of(tmp_path: Path) -> None:
    """What it did before is kept, with its last words."""
    python = interpreter(tmp_path, "print('{}', flush=True)", "raise MemoryError('no room')")
    answer = ask_peer(python, tmp_path / "script.py", {}, seconds=30)
    assert (answer.rows, answer.finished) == ([{}], False)
    assert answer.note == "failed with status 1: MemoryError: no room"


def test_it_ends_with_the_process_that_asked(tmp_path: Path) -> None:
    """A killed run leaves nothing behind that would go on to its time limit."""
    script = tmp_path / "slow.py"
    script.write_text(f"import time\nopen({str(tmp_path / 'begun')!r}, 'w').close()\ntime.sleep(60)\n")
    ask = (
        "import sys; from pathlib import Path; from bench.peer.process import ask_peer; "
        f"ask_peer(Path(sys.executable), Path({str(script)!r}), {{}}, seconds=60)"
    )
    asking = subprocess.Popen([sys.executable, "-c", ask])
    wait_until((tmp_path / "begun").exists)
    assert len(processes(str(script))) == 2

    asking.kill()
    asking.wait()

    wait_until(lambda: not processes(str(script)))
