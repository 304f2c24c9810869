"""Texts of strangers on a page: escaped, apart from the direction of what surrounds them, nothing in them unseen."""

import re
import unicodedata

from markupsafe import Markup, escape

from app.domain.language.visible_text import HIDDEN, excerpt

_CLASS = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last, _ in HIDDEN)
_HIDDEN = re.compile(f"([{_CLASS}])")


def bdi(text: str, length: int | None = None) -> Markup:
    """The text in `<bdi>`; each hidden character is its name, such as RIGHT-TO-LEFT OVERRIDE.

    Args:
        text: As it came.
        length: Shortened to this many characters, in one line; None: whole.
    """
    if length is not None and len(text) > length:
        text = excerpt(text, length=length)
    if _HIDDEN.search(text) is None:
        # Nearly every text, and a page has hundreds.
        return Markup(f"<bdi>{escape(text)}</bdi>")  # noqa: S704 - escaped here
    parts = _HIDDEN.split(text.replace("\r\n", "\n"))
    shown = (escape(part) if at % 2 == 0 else _named(part) for at, part in enumerate(parts))
    return Markup("<bdi>{}</bdi>").format(Markup("").join(shown))


def carried(text: str) -> Markup:
    """JSON as the content of a `<textarea>`: escaped where it would end it, half as long as in an attribute."""
    return Markup(text.replace("&", "&amp;").replace("<", "&lt;"))  # noqa: S704 - escaped here


def _named(character: str) -> Markup:
    name = unicodedata.name(character, f"U+{ord(character):04X}")
    return Markup('<span class="unseen">{}</span>').format(name)
