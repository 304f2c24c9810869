"""Characters that hide, move or rewrite text: found, shown as what they are, or taken out.

Texts of servers, documents and other users reach terminals and models. A character in them may steer a terminal,
reverse the order in which a line reads, or carry words that nobody sees.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from app.errors import InvalidInputError

HIDDEN: Final = (
    (0x00, 0x08, "C0 controls (ECMA-48, 5.2); U+0009 and U+000A are writing"),
    (0x0B, 0x1F, "C0 controls, ESC and CR among them"),
    (0x7F, 0x7F, "DEL (ISO 646)"),
    (0x80, 0x9F, "C1 controls (ECMA-48, 5.3): U+009B begins a control sequence as ESC [ does"),
    (0x061C, 0x061C, "Arabic letter mark (UAX #9, 2.6)"),
    (0x200B, 0x200B, "zero width space (Unicode 23.2)"),
    (0x200E, 0x200F, "directional marks (UAX #9, 2.6)"),
    (0x2028, 0x2029, "line and paragraph separator (UAX #14, class BK)"),
    (0x202A, 0x202E, "directional embeddings and overrides (UAX #9, 2.1 and 2.2; CVE-2021-42574)"),
    (0x2060, 0x2065, "word joiner and invisible operators (Unicode 22.6 and 23.2); U+2065 is ignorable"),
    (0x2066, 0x2069, "directional isolates (UAX #9, 2.4)"),
    (0x206A, 0x206F, "deprecated format characters (Unicode 23.3)"),
    (0xD800, 0xDFFF, "halves of surrogate pairs (Unicode 3.8): no text in UTF-8 has them"),
    (0xFEFF, 0xFEFF, "byte order mark (Unicode 23.8)"),
    (0xFFF9, 0xFFFB, "interlinear annotations (Unicode 23.8)"),
    (
        0xE0000,
        0xE0FFF,
        "tags and variation selectors 17 to 256, which spell out words unseen; ignorable as a block"
        " (Default_Ignorable_Code_Point, UCD)",
    ),
)
"""First and last code point, and what says what they do.

Not in it, because they are writing: spaces of all widths, the joiners U+200C and U+200D, U+FE0F behind an emoji.
"""

_CLASS = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last, _ in HIDDEN)
_FOUND = re.compile(f"[{_CLASS}]")
_CRLF_OR_HIDDEN = re.compile(f"\\r\\n|[{_CLASS}]")
# JSON has no raw C0 control inside of its strings, and those outside are white space.
_IN_JSON = re.compile(f"(?![\\x00-\\x1f])[{_CLASS}]")
_LINE_ENDS = frozenset("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")
"""What `str.splitlines` takes for the end of a line: taken out, it would join two words."""
_NAMED = 5
"""Characters that a message names: one is enough to act on, more show a pattern."""


def visible(text: str) -> str:
    r"""The text with every hidden character as `\u{1b}`; CR LF is a line end. Twice is once."""
    return _CRLF_OR_HIDDEN.sub(_shown, text)


def visible_json(document: str) -> str:
    r"""The JSON text with every hidden character as `\u009b`: the same values, nothing raw for a terminal."""
    return _IN_JSON.sub(_escaped, document)


def without_hidden(text: str) -> str:
    """The text without hidden characters; one that ends a line becomes a line feed, and so does CR LF."""
    return _CRLF_OR_HIDDEN.sub(lambda found: "\n" if found[0][0] in _LINE_ENDS else "", text)


def has_hidden(text: str) -> bool:
    """Whether there is a hidden character in it; a CR counts before an LF, too."""
    # Most texts are one line of ASCII, of which both are known at once.
    return not (text.isascii() and text.isprintable()) and _FOUND.search(text) is not None


def hidden_in(text: str) -> tuple[str, ...]:
    """The hidden characters of a text as `U+001B`, each once, at most five; CR LF is a line end."""
    found = dict.fromkeys(each for each in _CRLF_OR_HIDDEN.findall(text) if each != "\r\n")
    return tuple(f"U+{ord(each):04X}" for each in list(found)[:_NAMED])


def excerpt(text: str, *, length: int = 80) -> str:
    """A stranger's text for a field of its own: one line, visible, at most `length` characters."""
    # No more is looked at than can be shown: a character shown as `\\u{e0041}` takes nine.
    line = " ".join(visible(text[: 4 * length]).split())
    return line if len(line) <= length and len(text) <= 4 * length else f"{line[: length - 3]}..."


def refuse_hidden(value: object, *, field: str) -> None:
    """Refuse a name or a constant, or a JSON value that holds one, keys included.

    Raises:
        InvalidInputError: a text of it holds a hidden character; the message names its place and the character.
    """
    for place, text in _texts(value, field):
        if found := hidden_in(text):
            raise InvalidInputError(
                f"{place}: '{excerpt(text)}' holds {', '.join(found)}; accepted: text without control and"
                " invisible characters"
            )


def _texts(value: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, child in value.items():
            yield place, str(key)
            yield from _texts(child, f"{place}/{key}")
    elif isinstance(value, list | tuple):
        for index, child in enumerate(value):
            yield from _texts(child, f"{place}/{index}")


def _shown(found: re.Match[str]) -> str:
    return "\n" if found[0] == "\r\n" else f"\\u{{{ord(found[0]):x}}}"


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


QUOTED = r"\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)|“([^“”]+)”"
"""What stands in quotation marks. None opens within its own: what is never closed is not read to the end again."""
_QUOTED_OR_WHITE = re.compile(rf"{QUOTED}|(?P<white>\s++)")
_LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
"""What `str.splitlines` parts lines at."""


def squeezed(text: str) -> str:
    """`text` with each run of white space as one space, or as one line break where it holds one; none at its ends.

    What stands in quotation marks stays as it is: it may be a value.
    """
    return _QUOTED_OR_WHITE.sub(_shortest, text).strip()


def _shortest(found: re.Match[str]) -> str:
    white = found["white"]
    if white is None:
        return found[0]
    return " " if _LINE_BREAKS.isdisjoint(white) else "\n"
