"""The audit of calls: whole lines, bounded, for its owner's eyes, or an error."""

import json
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from app.adapters.audit_file import AuditFile
from app.domain.calling.calls import CallEvent, Outcome
from app.errors import AuditError

EVENT = CallEvent(
    call="0a",
    event="ended",
    who="stdio",
    tool="shop/cancel",
    source="openapi:shop",
    arguments=("order",),
    generation=3,
    outcome=Outcome.OK,
    status=200,
    ms=1.5,
)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_an_event_is_one_line_of_json(tmp_path: Path) -> None:
    """With its time; what is not known is left out."""
    path = tmp_path / "folder" / "calls.jsonl"
    audit = AuditFile(path, max_bytes=100_000)

    audit.record(EVENT)
    audit.record(replace(EVENT, event="started", outcome=None, status=None, ms=None))

    ended, started = lines(path)
    assert str(ended.pop("at")).endswith("+00:00")
    assert ended == {
        "call": "0a",
        "event": "ended",
        "who": "stdio",
        "tool": "shop/cancel",
        "source": "openapi:shop",
        "arguments": ["order"],
        "generation": 3,
        "outcome": "ok",
        "status": 200,
        "ms": 1.5,
    }
    assert set(started) == {"at", "call", "event", "who", "tool", "source", "arguments", "generation"}


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes")
def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    """It says who calls what."""
    path = tmp_path / "folder" / "a"
    AuditFile(path, max_bytes=100_000).record(EVENT)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_it_keeps_at_most_two_files(tmp_path: Path) -> None:
    """The oldest lines go; no line is cut."""
    path = tmp_path / "a"
    audit = AuditFile(path, max_bytes=2_000)

    for number in range(100):
        audit.record(replace(EVENT, generation=number))

    assert {file.name for file in tmp_path.iterdir()} == {"a", "a.1", "a.lock"}
    assert path.stat().st_size <= 2_000
    kept = [line["generation"] for line in (*lines(tmp_path / "a.1"), *lines(path))]
    assert kept == list(range(100 - len(kept), 100))
    assert len(kept) >= 8


def test_many_writers_leave_whole_lines(tmp_path: Path) -> None:
    """Threads, and objects as of other processes."""
    audits = [AuditFile(tmp_path / "a", max_bytes=10_000_000) for _ in range(2)]

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda n: audits[n % 2].record(replace(EVENT, generation=n)), range(100)))

    assert sorted(int(str(line["generation"])) for line in lines(tmp_path / "a")) == list(range(100))


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """Which names the file and its setting."""
    (tmp_path / "a").mkdir()

    with pytest.raises(AuditError, match="OUTFITTER_AUDIT_FILE"):
        AuditFile(tmp_path / "a", max_bytes=10_000).record(EVENT)
