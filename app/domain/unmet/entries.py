"""What is kept of requests that nothing met."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.domain.calling.secret_words import REDACTED, redacted, text_secrets
from app.domain.language.visible_text import squeezed, without_hidden
from app.domain.nodes.models import Value

KEPT_UNMET = 10_000
"""Entries that are kept; the ones that were asked for longest ago give way."""
KEPT_DAYS = 90
"""How long an entry is kept after it was asked for last."""
TEXT_CHARS = 300
"""Of a request; what is needed to recognise it."""
NEAR = 3
"""Tools that are named beside a request."""


class UnmetMode(StrEnum):
    """What is kept of requests that nothing met."""

    OFF = "off"
    COUNTS = "counts"
    """How many in a day, by the tool whose name is nearest; no text."""
    TEXTS = "texts"
    """The texts too, without what looks secret."""


class UnmetKind(StrEnum):
    """What was not met."""

    REQUEST = "request"
    """A query whose answer has no tool."""
    TASK = "task"
    """A part of a goal for which there is no call."""


@dataclass(frozen=True, slots=True)
class UnmetNote:
    """One request that nothing met, just now."""

    kind: UnmetKind
    text: str
    at: str
    """UTC, ISO 8601, whole seconds."""
    near: tuple[str, ...]
    """Ids of tools that may have been meant, the nearest first."""


class UnmetEntry(Value):
    """One text that nothing met, or what was not met in one day near one tool, and how often."""

    id: str
    """32 hexadecimal digits."""
    kind: UnmetKind
    text: str
    """Empty where only numbers are kept."""
    near: tuple[str, ...]
    """Ids of tools that may have been meant, the nearest first; of numbers one at most."""
    count: int
    first_at: str
    """UTC, ISO 8601, whole seconds."""
    last_at: str


def kept_of(note: UnmetNote, mode: UnmetMode) -> UnmetEntry:
    """What is kept of one request."""
    if mode is UnmetMode.TEXTS:
        text = kept_text(note.text)
        key, near = text.casefold(), note.near[:NEAR]
    else:
        near = note.near[:1]
        text, key = "", "\0".join((note.at[:10], *near))
    digest = hashlib.sha256("\0".join((note.kind, text and "text", key)).encode()).hexdigest()
    return UnmetEntry(
        id=digest[:32], kind=note.kind, text=text, near=near, count=1, first_at=note.at, last_at=note.at
    )


def kept_text(text: str) -> str:
    """A request without hidden characters and without what looks secret, cut to `TEXT_CHARS`."""
    clean = squeezed(without_hidden(text))
    return redacted(clean, text_secrets(clean), mark=REDACTED)[:TEXT_CHARS]


def added_up(entries: Iterable[UnmetEntry]) -> list[UnmetEntry]:
    """Each entry once, by id, with the number of all; `near` is that of the last."""
    found: dict[str, UnmetEntry] = {}
    for one in entries:
        before = found.get(one.id)
        found[one.id] = one if before is None else _sum(before, one)
    return [found[key] for key in sorted(found)]


def _sum(before: UnmetEntry, after: UnmetEntry) -> UnmetEntry:
    return after.model_copy(
        update={
            "count": before.count + after.count,
            "first_at": min(before.first_at, after.first_at),
            "last_at": max(before.last_at, after.last_at),
        }
    )


def total(entries: Sequence[UnmetEntry]) -> int:
    """How often nothing was found."""
    return sum(one.count for one in entries)
