"""The audit of calls: whole lines, bounded, for its owner's eyes, or an error."""

import json
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from app.adapters.audit_file import AuditFile, read_audit
from app.domain.audit.chain import FILE, ChainCheck, check_chain
from app.domain.audit.events import AccessEvent, AccessStep
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


HELD = {"chain", "before"}


def lines(path: Path) -> list[dict[str, object]]:
    """The events, without what begins a file."""
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return [line for line in found if line["event"] != FILE]


def audit_at(path: Path, *, max_bytes: int = 100_000, files: int = 3) -> AuditFile:
    return AuditFile(path, max_bytes=max_bytes, files=files)


def checked(path: Path, *heads: str) -> ChainCheck:
    return check_chain(read_audit(path), heads=heads)


def test_an_event_is_one_line_of_json(tmp_path: Path) -> None:
    """With its time; what is not known is left out."""
    path = tmp_path / "folder" / "calls.jsonl"
    audit = audit_at(path)

    audit.record(EVENT)
    audit.record(replace(EVENT, event="started", outcome=None, status=None, ms=None))

    ended, started = lines(path)
    assert str(ended.pop("at")).endswith("+00:00")
    assert {len(str(ended.pop(name))) for name in HELD} == {16, 64}
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
    assert set(started) == {"at", "call", "event", "who", "tool", "source", "arguments", "generation", *HELD}


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes")
def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    """It says who calls what."""
    path = tmp_path / "folder" / "a"
    audit_at(path).record(EVENT)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_it_keeps_a_number_of_files(tmp_path: Path) -> None:
    """The oldest lines go; no line is cut."""
    path = tmp_path / "a"
    audit = audit_at(path, max_bytes=4_000)

    for number in range(100):
        audit.record(replace(EVENT, generation=number))

    assert {file.name for file in tmp_path.iterdir()} == {"a", "a.1", "a.2", "a.lock"}
    assert max(file.stat().st_size for file in tmp_path.iterdir()) <= 4_000
    kept = [line["generation"] for number in (".2", ".1", "") for line in lines(tmp_path / f"a{number}")]
    assert kept == list(range(100 - len(kept), 100))
    assert len(kept) >= 16
    assert checked(path).problems == ()


def test_many_writers_leave_whole_lines(tmp_path: Path) -> None:
    """Threads, and objects as of other processes."""
    audits = [audit_at(tmp_path / "a", max_bytes=10_000_000) for _ in range(2)]

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda n: audits[n % 2].record(replace(EVENT, generation=n)), range(100)))

    assert checked(tmp_path / "a").problems == ()
    assert sorted(int(str(line["generation"])) for line in lines(tmp_path / "a")) == list(range(100))


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """Which names the file and its setting."""
    (tmp_path / "a").mkdir()

    with pytest.raises(AuditError, match="OUTFITTER_AUDIT_FILE"):
        audit_at(tmp_path / "a").record(EVENT)


def test_what_becomes_of_access_is_a_line_too(tmp_path: Path) -> None:
    """In the same chain."""
    path = tmp_path / "a"
    audit = audit_at(path)

    audit.record(EVENT)
    audit.record(
        AccessEvent(AccessStep.DENIED, who="caller:ada", groups=("support",), what="POST /v1/workflows")
    )

    denied = lines(path)[1]
    assert {key: denied[key] for key in ("event", "who", "groups", "what")} == {
        "event": "denied",
        "who": "caller:ada",
        "groups": ["support"],
        "what": "POST /v1/workflows",
    }
    found = checked(path)
    assert (found.lines, found.problems, found.end) == (3, (), audit.end)


def test_another_process_goes_on_with_the_chain(tmp_path: Path) -> None:
    """And with a file that was taken away the next one begins behind the one before, which a head shows."""
    path = tmp_path / "a"
    for number in range(40):
        audit = audit_at(path, max_bytes=4_000, files=9)
        audit.record(replace(EVENT, generation=number))
    assert audit.end is not None
    head = audit.end.head
    before = checked(path, head)

    path.unlink()
    audit_at(path, max_bytes=4_000, files=9).record(EVENT)

    assert (before.problems, before.covered) == ((), before.lines)
    assert [one for one in checked(path, head).problems if head in one]


def test_lines_of_an_earlier_outfitter_stand_before_the_chain(tmp_path: Path) -> None:
    """The last of them is held by it."""
    path = tmp_path / "a"
    path.write_text('{"event":"ended"}\n{"event":"refused"}\n')
    audit_at(path).record(EVENT)
    found = checked(path)

    changed = path.read_text().replace("refused", "started")
    path.write_text(changed)

    assert (found.lines, found.before_chain, found.problems) == (4, 2, ())
    assert len(checked(path).problems) == 1


@pytest.mark.parametrize("max_bytes", [100_000, 100])
def test_a_line_that_was_torn_is_no_change(tmp_path: Path, max_bytes: int) -> None:
    """Its writer was killed: the next one ends it and says so, in the same file or the next; a change of it is found."""
    path = tmp_path / "a"
    audit_at(path).record(EVENT)
    with path.open("a") as file:
        file.write('{"at":"2026')
    torn = checked(path)

    audit_at(path, max_bytes=max_bytes).record(EVENT)
    found = checked(path)
    place = path if max_bytes > 100 else tmp_path / "a.1"
    place.write_text(place.read_text().replace('{"at":"2026\n', '{"at":"2027\n'))
    if max_bytes == 100:
        place.write_text(place.read_text().removesuffix("6") + "7")

    assert torn.problems == ()
    assert found.problems == ()
    assert checked(path).problems


def test_files_that_are_gone_are_missed(tmp_path: Path) -> None:
    """Those that made room long ago are not."""
    path = tmp_path / "a"
    audit = audit_at(path, max_bytes=4_000, files=4)
    for number in range(100):
        audit.record(replace(EVENT, generation=number))
    whole = checked(path)

    (tmp_path / "a.3").unlink()

    assert whole.problems == ()
    assert ["files are gone" in one for one in checked(path).problems] == [True]
