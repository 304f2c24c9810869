"""Kept snapshots as files: what is read back is what was kept, or nothing."""

import logging
import multiprocessing
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.adapters.snapshot_files.file_format import MAGIC
from app.adapters.snapshot_files.folder import SnapshotFolder
from app.ports.snapshots import KeptState
from tests.service import wait_until

Arrays = Mapping[str, npt.NDArray[Any]]
FIRST, SECOND, THIRD = (KeptState(number, f"stamp-{number}") for number in (1, 2, 3))
ARRAYS: Arrays = {
    "words": np.arange(1_000, dtype=np.int32).reshape(10, 100),
    "none": np.empty((0, 3), np.float64),
    "flags": np.array([True, False, True]),
    "text": np.frombuffer("Übung".encode(), np.uint8),
    "numbers": np.array([2**63, 7], np.uint64),
}
BIG: Arrays = {"big": np.arange(4_000_000, dtype=np.int64)}


def folder(path: Path, release: str = "1.0") -> SnapshotFolder:
    return SnapshotFolder(path / "kept", release=release)


def are_equal(found: Arrays | None, expected: Arrays = ARRAYS) -> bool:
    return (
        found is not None
        and found.keys() == expected.keys()
        and all(
            found[name].dtype == array.dtype
            and found[name].shape == array.shape
            and np.array_equal(found[name], array)
            for name, array in expected.items()
        )
    )


def test_what_is_kept_is_read_back_by_its_owner_alone(tmp_path: Path) -> None:
    kept = folder(tmp_path)
    assert kept.states() == []
    assert kept.load(FIRST) is None
    assert kept.keep(FIRST, ARRAYS)

    assert folder(tmp_path).states() == [FIRST]
    found = folder(tmp_path).load(FIRST)
    assert are_equal(found)
    assert found is not None
    assert not any(array.flags.writeable for array in found.values() if array.size)
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "kept").iterdir()} == {0o600}


def test_the_last_two_stay_and_what_is_mapped_goes_on(tmp_path: Path) -> None:
    kept = folder(tmp_path)
    assert kept.keep(FIRST, ARRAYS)
    first = kept.load(FIRST)
    for state in (SECOND, THIRD):
        time.sleep(0.01)
        assert kept.keep(state, ARRAYS)

    assert kept.states() == [THIRD, SECOND]
    assert kept.load(FIRST) is None
    assert are_equal(first)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damaged_bytes_are_a_build(tmp_path: Path, data: st.DataObject) -> None:
    """Wherever they are: the arrays are read whole, or not at all."""
    kept = folder(tmp_path)
    assert kept.keep(FIRST, ARRAYS)
    (path,) = (tmp_path / "kept").glob("*.snapshot")
    content = bytearray(path.read_bytes())
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    else:
        for _ in range(data.draw(st.integers(1, 3))):
            content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)

    found = kept.load(FIRST)
    assert found is None or are_equal(found)
    assert kept.states() in ([], [FIRST])


def test_another_release_and_another_format_are_not_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert folder(tmp_path).keep(FIRST, ARRAYS)
    with caplog.at_level(logging.WARNING):
        assert folder(tmp_path, "1.1").states() == []
        assert folder(tmp_path, "1.1").load(FIRST) is None
    assert "release" in str([vars(one) for one in caplog.records])

    (path,) = (tmp_path / "kept").glob("*.snapshot")
    path.write_bytes(path.read_bytes().replace(MAGIC, b"outfitter-snap 0", 1))
    assert folder(tmp_path).states() == []
    assert folder(tmp_path).load(FIRST) is None


def test_nothing_is_read_that_others_may_have_written(tmp_path: Path) -> None:
    assert folder(tmp_path).keep(FIRST, ARRAYS)
    (path,) = (tmp_path / "kept").glob("*.snapshot")
    path.chmod(0o666)
    assert folder(tmp_path).load(FIRST) is None
    path.chmod(0o600)
    (tmp_path / "kept").chmod(0o777)
    assert folder(tmp_path).load(FIRST) is None
    (tmp_path / "kept").chmod(0o700)
    target = path.rename(tmp_path / "elsewhere")
    path.symlink_to(target)
    assert folder(tmp_path).load(FIRST) is None


def test_objects_are_not_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What would have to be executed to be read."""
    with caplog.at_level(logging.WARNING):
        assert not folder(tmp_path).keep(FIRST, {"objects": np.array([print], dtype=object)})
    assert "objects" in str([vars(one) for one in caplog.records])
    assert folder(tmp_path).states() == []


def test_a_full_disk_is_a_warning_and_leaves_what_was_there(tmp_path: Path) -> None:
    """A limit on the size of files stands for it: a write ends in the middle, with an error."""
    assert folder(tmp_path).keep(FIRST, ARRAYS)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(_keep_within, (tmp_path, 1_000_000)) is False

    assert folder(tmp_path).states() == [FIRST]
    assert are_equal(folder(tmp_path).load(FIRST))
    assert list((tmp_path / "kept").glob("*.part")) == []


def _keep_within(path: Path, size: int) -> bool:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return folder(path).keep(SECOND, BIG)


def test_a_folder_that_cannot_be_written_keeps_nothing_and_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file in place of the folder stands for one that is read-only, which means nothing to root."""
    (tmp_path / "kept").write_text("")
    assert not folder(tmp_path).keep(FIRST, ARRAYS)
    assert folder(tmp_path).states() == []
    (tmp_path / "kept").unlink()
    assert folder(tmp_path).keep(FIRST, ARRAYS)

    def refused(*_: object, **__: object) -> int:
        raise PermissionError("read-only file system")

    monkeypatch.setattr(os, "open", refused)
    assert not folder(tmp_path).keep(SECOND, ARRAYS)
    monkeypatch.undo()
    assert folder(tmp_path).states() == [FIRST]


WRITER = """
import sys, numpy as np
from pathlib import Path
from app.adapters.snapshot_files.folder import SnapshotFolder
from app.ports.snapshots import KeptState
from tests.service import wait_until
kept = SnapshotFolder(Path(sys.argv[1]) / "kept", release="1.0")
arrays = {"big": np.arange(4_000_000, dtype=np.int64)}
print("begins", flush=True)
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    kept.keep(KeptState(number, "stamp"), arrays)
"""


def writer(path: Path, begin: int, end: int) -> "subprocess.Popen[bytes]":
    found = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(begin), str(end)], stdout=subprocess.PIPE
    )
    assert found.stdout is not None
    assert found.stdout.readline() == b"begins\n"
    return found


def test_a_writer_that_is_killed_leaves_whole_snapshots_alone(tmp_path: Path) -> None:
    """At moments across a write, over and over; the next writer removes what was left."""
    for attempt in range(12):
        process = writer(tmp_path, 1_000 * attempt, 1_000 * attempt + 900)
        time.sleep(0.02 * attempt)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.communicate()
        kept = folder(tmp_path)
        assert all(are_equal(kept.load(state), BIG) for state in kept.states())
        assert kept.keep(KeptState(1_000 * attempt + 950, "stamp"), BIG)
        assert list((tmp_path / "kept").glob("*.part")) == []


def test_two_that_write_do_not_meet(tmp_path: Path) -> None:
    processes = [writer(tmp_path, begin, begin + 8) for begin in (100, 200)]
    while any(process.poll() is None for process in processes):
        kept = folder(tmp_path)
        for state in kept.states():
            found = kept.load(state)
            assert found is None or are_equal(found, BIG)
    for process in processes:
        assert process.communicate() == (b"", None)
        assert process.returncode == 0
    assert 1 <= len(folder(tmp_path).states()) <= 2


HALVES = """
import os
import time

from app.roots.snapshots import in_fork


def half():
    print(os.getpid(), flush=True)
    return bytes(1_000_000)


in_fork(half)
time.sleep(60)
"""


@pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) == 1, reason="no work on another core"
)
def test_half_a_snapshot_ends_with_the_process_that_waits_for_it() -> None:
    """It has more to tell than a pipe holds: it would wait for ever for somebody to read it."""
    process = subprocess.Popen([sys.executable, "-c", HALVES], stdout=subprocess.PIPE)
    assert process.stdout is not None
    half = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    wait_until(lambda: not is_alive(half), timeout_s=20)


def is_alive(process: int) -> bool:
    """Whether a process runs; one that has ended, and that nobody has asked about, does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
