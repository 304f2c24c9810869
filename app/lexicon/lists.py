"""The word lists of the lexicon: those that come with the service, and what a user's file changes in them.

A process lays its user's file over them once, where it starts; from the first look at a list on they stay as they
are, so that everything in the process was read with the same words.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from app.errors import InvalidInputError
from app.lexicon.changes import ListChange, changed, read_changes

_changes: dict[str, tuple[ListChange, ...]] = {}
"""File -> what the user's file changes in it."""
_origin: list[str] = []
"""The user's file; at most one."""


@cache
def table(name: str) -> Mapping[str, Any]:
    """The lists of one file, by the file's name without `.toml`, with the user's changes."""
    return changed(_shipped(name), _changes.get(name, ()))


def words(name: str, *keys: str) -> tuple[str, ...]:
    """One list of a file, by the names that lead to it."""
    found: Any = table(name)
    for key in keys:
        found = found[key]
    return tuple(found.split() if isinstance(found, str) else found)


def lay_over(document: Mapping[str, Any], *, origin: str) -> None:
    """Take words of a user's file into the lists, and others away.

    Args:
        document: File -> list -> `add` and `remove`.
        origin: What messages call the file.

    Raises:
        InvalidInputError: the document names a list that is not there, or changes one in a way that it does not
            accept; or lists of the process are in use already, with other words.
    """
    found = read_changes(document, {name: _shipped(name) for name in names()}, origin=origin)
    if (found, [origin]) == (_changes, _origin):
        return
    if table.cache_info().currsize:
        raise InvalidInputError(
            f"lexicon {origin}: this process reads with other words already; accepted: a process that is started with"
            " the file, such as `outfitter serve` with OUTFITTER_LEXICON"
        )
    _changes.update(found)
    _origin[:] = [origin]


def is_added(name: str, keys: tuple[str, ...], word: str) -> bool:
    """Whether a word of a list comes from the user's file."""
    return any(change.keys == keys and word in change.add for change in _changes.get(name, ()))


def names() -> list[str]:
    """The files of the lexicon, without `.toml`."""
    return sorted(
        path.name.removesuffix(".toml")
        for path in files("app.lexicon").iterdir()
        if path.name.endswith(".toml")
    )


@cache
def _shipped(name: str) -> Mapping[str, Any]:
    text = files("app.lexicon").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
