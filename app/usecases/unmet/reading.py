"""Requests that nothing met, in groups, with what would help."""

from collections.abc import Sequence

from app.answers.standing import Remedy
from app.answers.unmet import UnmetAnswer, UnmetGroupAnswer
from app.domain.unmet.entries import NEAR, UnmetEntry, UnmetMode, total
from app.domain.unmet.groups import UnmetGroup, grouped
from app.errors import InvalidInputError
from app.usecases.browse.cursors import decoded, encoded
from app.usecases.index.search_index import SearchIndex
from app.usecases.standing.remedies import remedies_for, remedy_without_tool

_LISTED = 20
"""Requests of a group that are named."""


def list_unmet(
    entries: Sequence[UnmetEntry],
    *,
    mode: UnmetMode,
    cursor: str | None,
    limit: int,
    index: SearchIndex,
) -> UnmetAnswer:
    """The groups behind the page whose `next_cursor` is given, the most frequent first.

    Raises:
        InvalidInputError: the cursor is not one of a page.
    """
    groups = grouped(entries)
    begin = 0
    if cursor:
        behind = _place(cursor)
        begin = next((at for at, one in enumerate(groups) if (-one.count, one.key) > behind), len(groups))
    page = groups[begin : begin + limit]
    more = begin + limit < len(groups)
    return UnmetAnswer(
        mode=mode,
        groups=tuple(_group(one, index) for one in page),
        groups_total=len(groups),
        count=total(entries),
        next_cursor=encoded(f"{page[-1].count} {page[-1].key}") if more else None,
    )


def _place(cursor: str) -> tuple[int, str]:
    count, _, key = decoded(cursor).partition(" ")
    if not (count.isascii() and count.isdecimal() and len(count) < 19):
        raise InvalidInputError(f"cursor {cursor!r} is not valid; pass the `next_cursor` of a page")
    return -int(count), key


def _group(group: UnmetGroup, index: SearchIndex) -> UnmetGroupAnswer:
    near = tuple(dict.fromkeys(tool for one in group.entries for tool in one.near if tool in index.positions))
    return UnmetGroupAnswer(
        word=group.word,
        count=group.count,
        first_at=min(one.first_at for one in group.entries),
        last_at=max(one.last_at for one in group.entries),
        near=near[:NEAR],
        requests=tuple(group.entries[:_LISTED]),
        requests_total=len(group.entries),
        remedies=_remedies(group.entries[0].text, near, index),
    )


def _remedies(text: str, near: Sequence[str], index: SearchIndex) -> tuple[Remedy, ...]:
    if not text:
        return ()
    if not near:
        return (remedy_without_tool(text, index),)
    return remedies_for(index.positions[near[0]], text, index)
