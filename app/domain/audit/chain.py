"""Lines that hold each other: each has the SHA-256 of the one before, so that an old one cannot be changed unseen.

The first line of a file says from which line of the file before it goes on, and how many files are kept behind it. A
head, the SHA-256 of the last line, that is kept elsewhere makes all lines up to it certain; what stands behind the last
such head can be cut off, or written again, by whoever may write the file.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

START: Final = "0" * 64
"""Stands for the line before the first one."""
FILE: Final = "file"
"""Event of the line that begins a file."""


@dataclass(frozen=True, slots=True)
class ChainEnd:
    """Where a chain stands."""

    chain: str
    """Names it: one for each file of a replica, from its beginning on."""
    head: str
    """SHA-256 of its last line."""


@dataclass(frozen=True, slots=True)
class AuditHead:
    """Where a chain stood, as it is kept elsewhere."""

    chain: str
    head: str
    at: str
    """UTC, ISO 8601, whole seconds."""


@dataclass(frozen=True, slots=True)
class ChainCheck:
    """What the files of an audit show."""

    files: int
    lines: int
    before_chain: int
    """Lines of an earlier Outfitter, of which only the last is held by the chain."""
    end: ChainEnd | None
    """None where there is no chain."""
    covered: int
    """Lines up to the last head that was given and found."""
    problems: tuple[str, ...]
    """What was removed, changed or swapped, or may have been."""


def line_of(facts: Mapping[str, object], *, chain: str, before: str, torn: str = "") -> bytes:
    """A line without its end; `torn` is the SHA-256 of a beginning of a line that stands before it."""
    held = {**facts, **({"torn": torn} if torn else {}), "chain": chain, "before": before}
    return json.dumps(held, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def digest_of_line(line: bytes) -> str:
    """SHA-256 of a line without its end, in hex."""
    return hashlib.sha256(line).hexdigest()


def read_end(line: bytes) -> ChainEnd | None:
    """Where the chain stands behind its last line; None where the line is of no chain."""
    found = _facts(line)
    if "chain" not in found or "before" not in found:
        return None
    return ChainEnd(str(found["chain"]), digest_of_line(line))


def check_chain(files: Sequence[tuple[str, Iterable[bytes]]], *, heads: Collection[str] = ()) -> ChainCheck:
    """Look at every line, the oldest file first.

    Args:
        files: Name and lines, without their ends.
        heads: What was kept elsewhere; each has to be the SHA-256 of a line.
    """
    walk = _Walk(heads)
    for place, (name, lines) in enumerate(files):
        walk.begin(name, behind=place)
        for line in lines:
            walk.take(line)
    return walk.result(len(files))


class _Walk:
    """Goes from line to line."""

    def __init__(self, heads: Collection[str]) -> None:
        self._wanted = set(heads)
        self._lines = self._before_chain = self._covered = 0
        self._end: ChainEnd | None = None
        self._last = START
        """SHA-256 of the line before."""
        self._torn: bytes | None = None
        self._older: int | None = None
        """How many files were kept behind the newest one when it began."""
        self._problems: list[str] = []
        self._place = ("", 0)
        self._behind = 0

    def begin(self, name: str, *, behind: int) -> None:
        """The next file, and how many stand behind it."""
        self._place = (name, 0)
        self._behind = behind

    def take(self, line: bytes) -> None:
        """The next line of the file."""
        name, number = self._place
        self._place = (name, number + 1)
        self._lines += 1
        facts = _facts(line)
        if "before" not in facts:
            self._take_loose(line)
            return
        is_first = self._end is None
        said = str(facts["before"])
        if self._torn is not None and facts.get("torn") != digest_of_line(self._torn):
            self._say("a line before it is no JSON, and this one does not say why")
        self._torn = None
        if facts.get("event") == FILE:
            self._older = facts["older"] if isinstance(facts.get("older"), int) else None
        elif is_first or not number:
            self._say("is not the line that begins a file: lines before it are gone")
        begins_late = is_first and not self._behind and not self._before_chain
        if said != self._last and not begins_late:
            self._say("does not go on from the line before it: a line was removed, changed, swapped or added")
        self._last = digest_of_line(line)
        self._end = ChainEnd(str(facts.get("chain", "")), self._last)
        if self._last in self._wanted:
            self._wanted.remove(self._last)
            self._covered = self._lines

    def result(self, files: int) -> ChainCheck:
        """What was seen."""
        if self._older is not None and files - 1 < self._older:
            self._problems.append(
                f"files are gone that the newest one had behind it: {self._older - files + 1}"
            )
        self._problems += [
            f"no line has the SHA-256 {head}, which was kept elsewhere: lines were removed or written again"
            for head in sorted(self._wanted)
        ]
        return ChainCheck(
            files=files,
            lines=self._lines,
            before_chain=self._before_chain,
            end=self._end,
            covered=self._covered,
            problems=tuple(self._problems),
        )

    def _take_loose(self, line: bytes) -> None:
        """A line that holds no other: of an earlier Outfitter, or the beginning of one whose writer was killed."""
        if self._end is None:
            self._before_chain += 1
            self._last = digest_of_line(line)
        elif self._torn is None and not _facts(line):
            self._torn = line
        else:
            self._say("is of no chain, behind lines of one")

    def _say(self, problem: str) -> None:
        name, number = self._place
        self._problems.append(f"{name}:{number}: {problem}")


def _facts(line: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
