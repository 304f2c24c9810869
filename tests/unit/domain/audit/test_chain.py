"""Any change to an earlier line is found."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.audit.chain import FILE, START, ChainCheck, check_chain, digest_of_line, line_of, read_end

LINES = 12


def chain(files: int = 3) -> list[list[bytes]]:
    """Files of a chain, the oldest first; as they are while none had to go."""
    found: list[list[bytes]] = []
    before = START
    for older in range(files):
        lines: list[bytes] = []
        for at in range(LINES // files):
            facts = (
                {"event": FILE, "older": older} if at == 0 else {"event": "ended", "tool": f"{older}/{at}"}
            )
            lines.append(line_of(facts, chain="c", before=before))
            before = digest_of_line(lines[-1])
        found.append(lines)
    return found


def checked(files: Sequence[Sequence[bytes]], *heads: str) -> ChainCheck:
    return check_chain([(f"a.{at}", lines) for at, lines in enumerate(files)], heads=heads)


CHAIN = chain()
WHOLE = [line for lines in CHAIN for line in lines]
HEAD = digest_of_line(WHOLE[-1])


def cut(lines: Sequence[bytes]) -> list[Sequence[bytes]]:
    """Lines in files as they were."""
    return [lines[at : at + LINES // 3] for at in range(0, LINES, LINES // 3)]


def test_a_chain_that_nobody_touched_is_whole() -> None:
    """Up to its head, which is covered where it was kept."""
    alone, held = checked(CHAIN), checked(CHAIN, HEAD)

    assert (alone.problems, alone.lines, alone.covered) == ((), LINES, 0)
    assert (held.problems, held.covered) == ((), LINES)
    assert held.end == read_end(WHOLE[-1])


@given(st.integers(0, LINES - 1), st.data())
def test_a_changed_byte_is_found(at: int, data: st.DataObject) -> None:
    """In whichever line, also in the last one where its head was kept."""
    line = bytearray(WHOLE[at])
    line[data.draw(st.integers(0, len(line) - 1))] ^= data.draw(st.integers(1, 255))
    lines = [*WHOLE[:at], bytes(line), *WHOLE[at + 1 :]]

    assert checked(cut(lines), HEAD).problems
    if at < LINES - 1:
        assert checked(cut(lines)).problems


@given(st.integers(0, LINES - 2))
def test_a_removed_line_is_found(at: int) -> None:
    """Also the first one of a file, and the first of all."""
    files = [[line for line in lines if line != WHOLE[at]] for lines in CHAIN]

    assert checked(files).problems


@given(st.integers(0, LINES - 1), st.integers(0, LINES - 1))
def test_swapped_lines_are_found(first: int, second: int) -> None:
    """Within a file, and of two."""
    lines = [*WHOLE]
    lines[first], lines[second] = lines[second], lines[first]

    assert bool(checked(cut(lines)).problems) is (first != second)


@given(st.integers(0, LINES - 1), st.integers(0, LINES - 1))
def test_a_repeated_or_added_line_is_found(source: int, at: int) -> None:
    """Wherever it was put."""
    lines = [*WHOLE[: at + 1], WHOLE[source], *WHOLE[at + 1 :]]

    assert check_chain([("a", lines[:4]), ("a.1", lines[4:])]).problems


@given(st.integers(1, LINES - 1))
def test_a_cut_tail_is_found_where_its_head_was_kept(kept: int) -> None:
    """Without a head it is not: that is why heads are kept elsewhere."""
    lines = WHOLE[:kept]
    files = [part for part in cut([*lines, *[b""] * (LINES - kept)]) if part]
    files = [[line for line in part if line] for part in files]
    files = [part for part in files if part]

    assert checked(files).problems == ()
    assert [one for one in checked(files, HEAD).problems if HEAD in one]


def test_a_chain_that_was_written_again_is_found_by_its_head() -> None:
    """With every hash made to fit, as whoever may write the file can do."""
    before, lines = START, []
    for line in WHOLE:
        facts = {"event": FILE, "older": 0} if not lines else {"event": "ended", "tool": "forged"}
        lines.append(line_of(facts, chain="c", before=before))
        before = digest_of_line(lines[-1])
        assert line != lines[-1] or not lines[1:]

    assert checked([lines]).problems == ()
    assert checked([lines], HEAD).problems


def test_files_that_are_gone_are_missed() -> None:
    """The newest one says how many stood behind it."""
    assert checked(CHAIN[1:]).problems == ("files are gone that the newest one had behind it: 1",)
    assert checked([CHAIN[0], CHAIN[2]]).problems


@pytest.mark.parametrize("line", [b"", b"nonsense", b"[]", b'{"event": "ended"}', b"\xff", b"[" * 100_000])
def test_what_is_no_line_of_the_chain_is_found(line: bytes) -> None:
    """In the middle of it."""
    assert check_chain([("a", [*WHOLE[:4], line, *WHOLE[4:]])]).problems


def test_nothing_is_no_chain() -> None:
    """Nor are lines that hold nothing."""
    assert check_chain([]).end is None
    loose = check_chain([("a", [b'{"event": "ended"}'])])
    assert (loose.before_chain, loose.end, loose.problems) == (1, None, ())
