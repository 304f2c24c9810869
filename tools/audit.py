"""`python -m tools.audit LOCK...`: are advisories known against what the lock installs?

Exit status 0: none that is not excepted, or the service is away (a warning). 1: a finding. 2: a mistake of ours, in
the lock, in the exceptions or in the question.
"""

import argparse
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from tools.lock import LockError, read_lock
from tools.osv import Advisory, Osv, RefusedError

_TIMEOUT_S = 20.0
_FIELDS = {"id": str, "reason": str, "until": date}


class ExceptionsError(ValueError):
    """The file of exceptions is not as it should be."""


@dataclass(frozen=True, slots=True)
class Excepted:
    """An advisory that does not concern us, for a while."""

    id: str
    reason: str
    until: date
    """The last day; from the next one on it is a finding again."""


def read_exceptions(path: Path) -> list[Excepted]:
    """The `[[excepted]]` tables of a file: `id`, `reason` and `until`, all of them needed.

    Raises:
        ExceptionsError: it has something else.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ExceptionsError(f"{path}: {error}") from error
    tables = document.pop("excepted", [])
    if document or not isinstance(tables, list) or not all(map(_is_whole, tables)):
        raise ExceptionsError(
            f"{path}; accepted: [[excepted]] tables with id, reason and until, a date, and nothing else"
        )
    return [Excepted(**table) for table in tables]


def _is_whole(table: object) -> bool:
    return (
        isinstance(table, dict)
        and set(table) == set(_FIELDS)
        and all(isinstance(table[name], kind) and table[name] for name, kind in _FIELDS.items())
    )


def audit(
    locks: Sequence[Path], exceptions: Sequence[Excepted], osv: Osv, today: date
) -> tuple[int, list[str]]:
    """The exit status, and what to say."""
    try:
        packages = {one.purl: one for path in locks for one in read_lock(path)}
        found, outage = osv.advisories(list(packages.values()))
    except (LockError, RefusedError) as error:
        return 2, [f"error: {error}"]
    said = [f"warning: advisories are not known, or not all of them: {outage}"] if outage else []
    findings = 0
    for advisory in found:
        excepted = next((one for one in exceptions if one.id in advisory.names), None)
        if excepted is not None and excepted.until >= today:
            said.append(f"excepted until {excepted.until}: {_line(advisory)} ({excepted.reason})")
            continue
        findings += 1
        ended = f"; its exception ended on {excepted.until}" if excepted else ""
        said.append(f"finding: {_line(advisory)}{ended}")
    known = frozenset().union(*(advisory.names for advisory in found))
    if not outage:
        unused = [one.id for one in exceptions if one.id not in known]
        said += [f"warning: the exception of {one} is not needed any more" for one in unused]
        said.append(f"{len(packages)} packages, {findings} findings")
    return int(findings > 0), said


def _line(advisory: Advisory) -> str:
    also = f" ({', '.join(advisory.aliases)})" if advisory.aliases else ""
    return (
        f"{advisory.package.name} {advisory.package.version}: {advisory.id}{also} {advisory.summary}".rstrip()
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.audit", description=__doc__)
    parser.add_argument("locks", type=Path, nargs="+")
    parser.add_argument("--url", default="https://api.osv.dev", help="address of the OSV service")
    parser.add_argument("--timeout", type=float, default=_TIMEOUT_S, help="seconds for each request")
    parser.add_argument("--exceptions", type=Path, default=Path(__file__).with_name("advisories.toml"))
    given = parser.parse_args(arguments)
    try:
        exceptions = read_exceptions(given.exceptions)
    except ExceptionsError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    status, said = audit(given.locks, exceptions, Osv(given.url, given.timeout), datetime.now(UTC).date())
    for line in said:
        print(line, file=sys.stdout if status == 0 and not line.startswith("warning") else sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
