"""What a user's file changes in word lists: `[FILE.LIST]` with `add` and `remove`."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from app.errors import InvalidInputError

ENTRIES = frozenset(
    {
        *("en.aliases", "en.joined_particles", "en.verbs", "ko.actions", "ko.things"),
        *(
            "names.irregular",
            "names.families",
            *(f"{language}.words" for language in ("de", "es", "fr", "ja", "ko", "zh")),
            "values.numbers",
            "values.multiples",
            "values.currencies.signs",
        ),
    }
)
"""Tables of words with what each stands for; other tables hold lists of words."""
_NAMED = 12
"""How many accepted words a message names."""


@dataclass(frozen=True)
class ListChange:
    """What becomes of one list."""

    keys: tuple[str, ...]
    """The names that lead to the list within its file."""
    add: Mapping[str, Any]
    """Word -> what it stands for; in a list of words, itself."""
    remove: frozenset[str]


def read_changes(
    document: Mapping[str, Any], lexicon: Mapping[str, Mapping[str, Any]], *, origin: str
) -> dict[str, tuple[ListChange, ...]]:
    """What a user's document changes, by file of the lexicon.

    Raises:
        InvalidInputError: names the document, the key, and what is accepted there.
    """
    return {
        name: tuple(_Reader(origin).changes((name,), lists, lexicon.get(name), known=lexicon))
        for name, lists in document.items()
    }


def changed(lists: Mapping[str, Any], changes: Collection[ListChange]) -> Mapping[str, Any]:
    """Lists with changes; those given stay as they are."""
    for change in changes:
        lists = _with(lists, change.keys, change)
    return lists


def _with(value: Any, keys: tuple[str, ...], change: ListChange) -> Any:
    if keys:
        return {**value, keys[0]: _with(value[keys[0]], keys[1:], change)}
    if isinstance(value, Mapping):
        return {word: said for word, said in value.items() if word not in change.remove} | dict(change.add)
    kept = [word for word in _members(value) if word not in change.remove]
    words = list(dict.fromkeys([*kept, *change.add]))
    return " ".join(words) if isinstance(value, str) else words


def _members(words: Any) -> list[str]:
    return words.split() if isinstance(words, str) else list(words)


class _Reader:
    def __init__(self, origin: str) -> None:
        self._origin = origin

    def changes(
        self, keys: tuple[str, ...], given: Any, lists: Any, *, known: Collection[str]
    ) -> Iterator[ListChange]:
        """The changes of one table of the document, and of those within.

        Args:
            keys: Where the table stands.
            given: The table.
            lists: What the lexicon has there.
            known: What it has beside it.
        """
        if lists is None:
            raise self._refused(keys, "is not in the lexicon", sorted(known))
        if not isinstance(given, Mapping):
            raise self._refused(keys, f"= {given!r}", ["a table"])
        if ".".join(keys) in ENTRIES or _is_list(lists):
            yield self._change(keys, given, lists)
        elif not isinstance(lists, Mapping):
            raise self._refused(keys, "is not a list of words", [])
        else:
            for key, value in given.items():
                yield from self.changes((*keys, key), value, lists.get(key), known=lists)

    def _change(self, keys: tuple[str, ...], given: Mapping[str, Any], words: Any) -> ListChange:
        for key in given:
            if key not in ("add", "remove"):
                raise self._refused((*keys, key), "is not known", ["add", "remove"])
        if isinstance(words, Mapping):
            add = self._entries((*keys, "add"), given.get("add", {}), words)
        else:
            add = {word: word for word in self._words((*keys, "add"), given.get("add", []), words)}
        remove = self._words((*keys, "remove"), given.get("remove", []), words)
        known = _members(words)
        for word in remove:
            if word not in known:
                raise self._refused((*keys, "remove"), f"has {word!r}, which the list has not", known)
        return ListChange(keys[1:], add, frozenset(remove))

    def _words(self, keys: tuple[str, ...], given: Any, words: Any) -> list[str]:
        if not isinstance(given, list) or not all(isinstance(word, str) for word in given):
            raise self._refused(keys, f"= {given!r}", ["a list of words in quotes"])
        for word in given:
            self._check_word(keys, word, words)
        return given

    def _entries(self, keys: tuple[str, ...], given: Any, words: Mapping[str, Any]) -> dict[str, Any]:
        sample = next(iter(words.items()))
        if not isinstance(given, Mapping):
            raise self._refused(
                keys, f"= {given!r}", [f"a table such as {{ {sample[0]} = {_shown(sample[1])} }}"]
            )
        for word, entry in given.items():
            self._check_word(keys, word, words)
            if type(entry) is not type(sample[1]) or not entry:
                raise self._refused((*keys, word), f"= {entry!r}", [f"such as {_shown(sample[1])}"])
            for field, said in entry.items() if isinstance(entry, Mapping) else ():
                fields = _fields(words)
                if field not in fields:
                    raise self._refused((*keys, word, field), "is not known", sorted(fields))
                if not isinstance(said, str) or not fields[field].issuperset(said.split()):
                    raise self._refused((*keys, word, field), f"= {said!r}", sorted(fields[field]))
        return dict(given)

    def _check_word(self, keys: tuple[str, ...], word: str, words: Any) -> None:
        """Refuse what could never be found, so that nobody wonders why a word has no effect."""
        if not word.strip() or word != " ".join(word.split()):
            raise self._refused(keys, f"has {word!r}", ["words with one space between them"])
        if word != word.lower() and all(known == known.lower() for known in _members(words)):
            raise self._refused(keys, f"has {word!r}", ["words in lower case"])
        if " " in word and all(" " not in known for known in _members(words)):
            raise self._refused(keys, f"has {word!r}", ["single words"])

    def _refused(self, keys: tuple[str, ...], what: str, accepted: Collection[str]) -> InvalidInputError:
        named = list(accepted)
        rest = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
        shown = ", ".join(named[:_NAMED]) or "the lists around it"
        return InvalidInputError(f"lexicon {self._origin}: {'.'.join(keys)} {what}; accepted: {shown}{rest}")


def _is_list(value: Any) -> bool:
    return isinstance(value, (str, list)) and all(isinstance(word, str) for word in value)


def _fields(words: Mapping[str, Mapping[str, str]]) -> dict[str, set[str]]:
    """What the entries of a table say, by field."""
    found: dict[str, set[str]] = {}
    for entry in words.values():
        for field, said in entry.items():
            found.setdefault(field, set()).update(said.split())
    return found


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f'{name} = "{said}"' for name, said in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)
