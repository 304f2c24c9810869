"""Locks between processes."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.adapters.engine.folder import FileLock

ROOT = Path(__file__).parents[3]
HOLDER = """
import sys
from pathlib import Path
from app.adapters.engine.folder import FileLock
lock = FileLock(Path(sys.argv[1]))
print(lock.try_exclusive() if sys.argv[2] == "exclusive" else lock.try_shared(), flush=True)
sys.stdin.read()
"""


def holder(path: Path, kind: str) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path), kind],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "True"
    return process


@pytest.mark.parametrize(
    ("held", "wanted", "given"),
    [
        ("shared", "shared", True),
        ("shared", "exclusive", False),
        ("exclusive", "shared", False),
        ("exclusive", "exclusive", False),
    ],
)
def test_sharers_keep_the_exclusive_out_and_the_other_way_round(
    tmp_path: Path, held: str, wanted: str, *, given: bool
) -> None:
    """The table of who may hold a lock together, within one process."""
    with FileLock(tmp_path / "x.lock") as first, FileLock(tmp_path / "x.lock") as second:
        assert first.try_shared() if held == "shared" else first.try_exclusive()
        assert (second.try_shared() if wanted == "shared" else second.try_exclusive()) is given
        assert second.held is given


def test_a_released_lock_is_free(tmp_path: Path) -> None:
    with FileLock(tmp_path / "x.lock") as first, FileLock(tmp_path / "x.lock") as second:
        assert first.try_exclusive()
        first.release()
        first.release()
        assert second.try_exclusive()


def test_a_lock_is_not_taken_twice_by_one_object(tmp_path: Path) -> None:
    with FileLock(tmp_path / "x.lock") as lock:
        lock.try_shared()
        with pytest.raises(ValueError, match=r"x\.lock"):
            lock.try_exclusive()


@pytest.mark.parametrize("kind", ["shared", "exclusive"])
def test_a_killed_holder_leaves_the_lock_free(tmp_path: Path, kind: str) -> None:
    """The kernel frees it, so nobody has to guess whether a holder lives."""
    process = holder(tmp_path / "x.lock", kind)
    with FileLock(tmp_path / "x.lock") as lock:
        assert not lock.try_exclusive()
        process.kill()
        process.communicate()
        assert lock.try_exclusive()


def test_a_started_program_does_not_inherit_a_lock(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "x.lock")
    assert lock.try_exclusive()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    try:
        lock.release()
        with FileLock(tmp_path / "x.lock") as other:
            assert other.try_exclusive()
    finally:
        child.communicate(b"\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_released_lock_is_free_while_a_child_has_a_copy_of_the_descriptor(tmp_path: Path) -> None:
    """Between fork and exec every program that is being started has one, whatever the descriptor's flags."""
    script = """
import os, pathlib, sys
from app.adapters.engine.folder import FileLock
path = pathlib.Path(sys.argv[1])
lock = FileLock(path)
lock.try_exclusive()
ours, theirs = os.pipe()
if os.fork() == 0:
    os.close(theirs)
    os.read(ours, 1)
    os._exit(0)
lock.release()
print(FileLock(path).try_exclusive())
os.close(theirs)
os.wait()
"""
    answer = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "x.lock")], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "True\n"
