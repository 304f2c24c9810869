"""Hidden characters of documents: taken out of texts for people, refused in what programs go by.

What they are is said in `app.domain.language.visible_text`. A text that lost some reads as it looked; a name or a value that
lost some would be another one, so the item is rejected.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from app.domain.language.visible_text import has_hidden, hidden_in, refuse_hidden, without_hidden
from app.domain.schemas.walk import NAMED
from ingest.cards import canonical_json

_MOST: Final = 100
"""Items that a document's warnings name; more are counted. A report prints 20, its JSON has all that are kept."""
_FIELDS: Final = 5
_PLACE: Final = 120
"""Characters of a place in a schema: enough for the levels that people read."""

_ESCAPED: Final = ("\\u", "\\r", "\\b", "\\f")
"""How canonical JSON writes C0 controls; a backslash of a text before such a letter looks the same and is looked at."""
_EXACT: Final = frozenset(
    {
        *("enum", "const", "default", "pattern", "format", "type", "required", "dependentRequired"),
        *("$ref", "$dynamicRef", "$id", "$anchor", "$dynamicAnchor", "$schema"),
        *("contentEncoding", "contentMediaType"),
        # What the reader of OpenAPI keeps for calls.
        *("x-name", "x-in", "x-body", "x-media-type", "x-content-type", "x-style", "x-collectionFormat"),
    }
)
"""What programs compare, match or send. Any other text of a schema is read by people and models."""
_DATA: Final = frozenset({"example", "examples"})
"""Values, whose members are no schemas; texts of them are cleaned: real ones hold stray controls."""


class Cleaner:
    """Takes hidden characters out of the texts of one item, and remembers from which fields."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[str, ...]] = {}
        """Field -> the characters that were taken out; CR LF becomes LF and is not among them."""

    @property
    def hidden(self) -> dict[str, str]:
        """Field -> these characters themselves."""
        return {
            field: "".join(chr(int(one.removeprefix("U+"), 16)) for one in found)
            for field, found in self.found.items()
        }

    def text(self, value: Any, field: str) -> Any:
        """The text without them; what is no text is returned as it is."""
        if not isinstance(value, str) or not has_hidden(value):
            return value
        if found := hidden_in(value):
            self.found[field[:_PLACE]] = found
        return without_hidden(value)

    def schema(self, text: str, field: str) -> str:
        """A JSON schema, as canonical JSON.

        Raises:
            InvalidInputError: a name or a value in it holds a hidden character.
        """
        escaped = "\\" in text and any(escape in text for escape in _ESCAPED)
        if not escaped and not has_hidden(text):
            return text
        return canonical_json(self._schema(json.loads(text), field))

    def _schema(self, value: Any, place: str) -> Any:
        if isinstance(value, list):
            return [self._schema(child, f"{place}/{index}") for index, child in enumerate(value)]
        if not isinstance(value, dict):
            return self.text(value, place)
        return {key: self._member(key, child, place) for key, child in value.items()}

    def _member(self, key: str, child: Any, parent: str) -> Any:
        refuse_hidden(key, field=parent)
        place = f"{parent}/{key}"
        if key in _EXACT:
            refuse_hidden(child, field=place)
            return child
        if key in NAMED and isinstance(child, dict):
            return {name: self._named(name, schema, place) for name, schema in child.items()}
        return self._data(child, place) if key in _DATA else self._schema(child, place)

    def _named(self, name: str, schema: Any, parent: str) -> Any:
        refuse_hidden(name, field=parent)
        return self._schema(schema, f"{parent}/{name}")

    def _data(self, value: Any, place: str) -> Any:
        if isinstance(value, list):
            return [self._data(child, f"{place}/{index}") for index, child in enumerate(value)]
        if isinstance(value, Mapping):
            for key in value:
                refuse_hidden(key, field=place)
            return {key: self._data(child, f"{place}/{key}") for key, child in value.items()}
        return self.text(value, place)


class Removals:
    """What was taken out of the items of one document: a line each, up to a bound."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._more = 0

    def add(self, item: str, cleaner: Cleaner) -> None:
        """Note an item, if anything was taken out of it; `item` is what messages call it."""
        if not cleaner.found:
            return
        if len(self._lines) >= _MOST:
            self._more += 1
            return
        fields = list(cleaner.found)
        rest = f" and {len(fields) - _FIELDS} more" if len(fields) > _FIELDS else ""
        characters = dict.fromkeys(each for found in cleaner.found.values() for each in found)
        self._lines.append(
            f"{item}: {', '.join(fields[:_FIELDS])}{rest}: {', '.join(list(characters)[:_FIELDS])} taken out:"
            " control or invisible characters"
        )

    def lines(self) -> tuple[str, ...]:
        """Warnings of the document."""
        more = (
            (f"control or invisible characters taken out of {self._more:,} more items",) if self._more else ()
        )
        return (*self._lines, *more)
