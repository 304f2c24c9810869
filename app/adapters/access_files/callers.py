"""`callers.yaml`: who may ask. Digests of tokens, never tokens; written without losing its comments."""

import io
import os
import re
import tempfile
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict

from app.adapters.access_files.fields import item_of, list_of, read_bytes, read_object
from app.domain.access.callers import USUAL_SCOPES, CallerEntry, CallerList, CallerScope
from app.domain.language.accepted_text import shown
from app.errors import InvalidInputError, NotFoundError

MAX_CALLERS: Final = 100_000
MAX_BLOCKED: Final = 100_000
_MAX_BLOCKED_CHARS: Final = 2_000
"""Of an issuer, which is an address, and a subject of at most 255 characters."""
_NAME = re.compile(r"[A-Za-z0-9_.@-]{1,80}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_EMPTY = "# Who may ask. No secret is in here: `outfitter token new NAME` prints a token once, and keeps its SHA-256.\ncallers: []\n"


def check_name(value: object) -> str:
    """The name of a caller or group.

    Raises:
        ValueError: it is not accepted.
    """
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ValueError(f"{shown(value)}; accepted: 1 to 80 letters, digits, _ . @ and -")
    return value


def check_scope(value: object) -> CallerScope:
    """A scope.

    Raises:
        ValueError: there is no such scope.
    """
    if not isinstance(value, str) or value not in set(CallerScope):
        raise ValueError(f"{shown(value)} is no scope; accepted: {', '.join(CallerScope)}")
    return CallerScope(value)


def end_of(value: object) -> float | None:
    """When a credential ends: with the day that is named, in UTC, or at the moment that is.

    Raises:
        ValueError: it is neither.
    """
    if value is None or value == "":
        return None
    refused = ValueError(
        f"{shown(value)}; accepted: a day or a time in ISO 8601, such as 2027-02-20 or 2027-02-20T09:00:00Z"
    )
    if not isinstance(value, str):
        raise refused
    try:
        if len(value) == len("2027-02-20"):
            day = datetime.combine(date.fromisoformat(value), datetime.min.time(), UTC) + timedelta(days=1)
            return day.timestamp()
        moment = datetime.fromisoformat(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise refused from None


def _digest(value: object) -> str:
    # Not shown: it may be the token itself, written where its digest belongs.
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        raise ValueError(
            "this is no SHA-256; accepted: 64 digits and letters a to f, as `outfitter token new NAME --print` gives"
        )
    return value


def _expires(value: object) -> str:
    end_of(value)
    return str(value or "")


Name = Annotated[str, BeforeValidator(check_name)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    name: Name
    sha256: Annotated[str, BeforeValidator(_digest)]
    groups: tuple[Name, ...] = ()
    expires: Annotated[str, BeforeValidator(_expires)] = ""
    scopes: tuple[Annotated[CallerScope, BeforeValidator(check_scope)], ...] | None = None


def parse_callers(data: bytes, *, path: Path) -> CallerList:
    """What the bytes of a file say.

    Raises:
        InvalidInputError: it is not what is accepted; nothing of it counts then.
    """
    value = read_object(data, path=path, accepted=("callers", "blocked"))
    items = list_of(value.get("callers"), place="callers", path=path)
    if len(items) > MAX_CALLERS:
        raise InvalidInputError(f"{path}: {len(items):,} callers; accepted: up to {MAX_CALLERS:,}")
    entries: dict[str, CallerEntry] = {}
    digests: dict[str, str] = {}
    for at, item in enumerate(items):
        place = f"callers[{at}]"
        one = item_of(_Entry, item, place=place, path=path)
        if one.name in entries:
            raise InvalidInputError(
                f"{path}: {place}: there is a caller {one.name!r} already; accepted: each once"
            )
        if one.sha256 in digests:
            raise InvalidInputError(
                f"{path}: {place}: caller {one.name!r} has the token of {digests[one.sha256]!r}; accepted: one each"
            )
        digests[one.sha256] = one.name
        entries[one.name] = CallerEntry(
            name=one.name,
            sha256=one.sha256,
            groups=frozenset(one.groups),
            scopes=USUAL_SCOPES if one.scopes is None else frozenset(one.scopes),
            expires_at=end_of(one.expires),
            expires=one.expires,
        )
    return CallerList.of(entries.values(), _blocked(value.get("blocked"), path))


def _blocked(value: object, path: Path) -> list[str]:
    items = list_of(value, place="blocked", path=path)
    if len(items) > MAX_BLOCKED:
        raise InvalidInputError(f"{path}: {len(items):,} blocked; accepted: up to {MAX_BLOCKED:,}")
    for at, item in enumerate(items):
        issuer, bar, subject = item.partition("|") if isinstance(item, str) else ("", "", "")
        # One that is written wrong would block nobody, and nobody would notice.
        if not (bar and subject and "://" in issuer and len(issuer + subject) < _MAX_BLOCKED_CHARS):
            raise InvalidInputError(
                f"{path}: blocked[{at}] is {shown(item)}; accepted: an issuer and a subject, such as"
                " 'https://idp.example|7f3a2b'"
            )
    return [str(one) for one in items]


def read_callers(path: Path) -> CallerList:
    """The callers of a file.

    Raises:
        InvalidInputError: it cannot be read, or is not what is accepted.
    """
    data = read_bytes(path)
    if not data.strip():
        # As it is for a moment while somebody writes it.
        raise InvalidInputError(f"{path}: is empty; accepted: `callers: [{{name: ..., sha256: ...}}]`")
    return parse_callers(data, path=path)


def entry_document(entry: CallerEntry) -> dict[str, Any]:
    """An entry as the file has it."""
    found: dict[str, Any] = {"name": entry.name, "sha256": entry.sha256}
    if entry.groups:
        found["groups"] = sorted(entry.groups)
    if entry.expires:
        found["expires"] = entry.expires
    if entry.scopes != USUAL_SCOPES:
        found["scopes"] = sorted(map(str, entry.scopes))
    return found


def add_caller(path: Path, entry: CallerEntry) -> None:
    """Write an entry behind the others, or a new file.

    Raises:
        InvalidInputError: the file is broken, cannot be written, or has a caller of that name.
    """

    def change(callers: list[Any]) -> None:
        if any(one["name"] == entry.name for one in callers):
            raise InvalidInputError(
                f"{path}: there is a caller {entry.name!r} already; accepted: another name, or `outfitter token"
                " revoke` first"
            )
        callers.append(_flow(entry_document(entry)))

    _changed(path, change)


def remove_caller(path: Path, name: str) -> None:
    """Take an entry out.

    Raises:
        NotFoundError: no entry has that name.
        InvalidInputError: the file is broken, or cannot be written.
    """

    def change(callers: list[Any]) -> None:
        at = next((at for at, one in enumerate(callers) if one["name"] == name), None)
        if at is None:
            names = ", ".join(str(one["name"]) for one in callers[:20]) or "none"
            raise NotFoundError(f"{path}: no caller {name!r}; there are: {names}")
        del callers[at]

    _changed(path, change)


def _flow(document: dict[str, Any]) -> Any:
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    found = CommentedMap(
        {key: CommentedSeq(value) if isinstance(value, list) else value for key, value in document.items()}
    )
    found.fa.set_flow_style()
    return found


def _changed(path: Path, change: Callable[[list[Any]], None]) -> None:
    """Read, change, check and replace the file as a whole, so that a reader sees the one or the other."""
    from ruamel.yaml import YAML
    from ruamel.yaml.comments import CommentedSeq

    data = read_bytes(path) if path.exists() else _EMPTY.encode()
    parse_callers(data, path=path)
    yaml = YAML(typ="rt")
    yaml.width = 200
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.preserve_quotes = True
    document = yaml.load(data.decode("utf-8-sig"))
    if document is None:
        document = yaml.load(_EMPTY)
    callers = document.get("callers")
    if callers is None or not callers:
        # An empty list is written in brackets; entries stand one on a line.
        callers = document["callers"] = CommentedSeq()
    change(callers)
    text = io.StringIO()
    yaml.dump(document, text)
    written = text.getvalue().encode()
    parse_callers(written, path=path)
    try:
        _replaced(path, written)
    except OSError as error:
        raise InvalidInputError(
            f"{path}: cannot be written: {error.strerror}; accepted: a folder of yours, or `token new --print`"
        ) from error


def _replaced(path: Path, data: bytes) -> None:
    place = path.resolve()
    mode = place.stat().st_mode & 0o777 if place.exists() else 0o600
    handle, aside = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(aside).chmod(mode)
        Path(aside).replace(place)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise
