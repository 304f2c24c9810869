"""The values that a description lists, where a document has no enum: "Either `auto` or `away`"."""

import re
from collections.abc import Iterator
from functools import lru_cache

_WITHIN = 300
"""Characters of a description in which such a list begins: about four lines."""
_FURTHER = 1_200
"""Characters in which it ends, where each value is explained."""
_LED = re.compile(
    r"\b(?:(?:allowed|accepted|possible|valid|supported)?\s?values?(?: can be| are| is| must be)?:?|(?:must|can|should) be (?:one of|either):?"
    r"|(?:accept|allow)(?:s|ed)? the following (?:[a-z]{2,20} ){1,5}?(?:[a-z]{2,20})?:)"
    r"\s((?:[`'\"]?[\w-]{2,30}[`'\"]?(?:,? (?:or|and) |, ?|(?=[.;\n]|$))){2,12})",
    re.IGNORECASE,
)
"""Values behind what says that they are: `Values can be public or private`."""
_CODES = re.compile(r"\(([A-Z][A-Z0-9_]{1,29}(?:,? (?:or |and )?[A-Z][A-Z0-9_]{1,29}){1,11})\)")
"""Codes in brackets: `log type (DEFAULT, INFO, WARN, ERROR)`."""
_SLASHED = re.compile(r"\s*+([A-Za-z][\w-]{1,30}+(?:\s?[/|]\s?[A-Za-z][\w-]{1,30}+){1,20}+)[\s.]*+")
"""All of a description: `bank/creditCard/loan`."""
_VALUE = re.compile(r"[\w-]++")
_JOINING = re.compile(r"\b(?:or|and)\b")
_MARKED = re.compile(r"(?:`|\*\*|[\"'\u201c])([\w-]{2,30}+)(?:`|\*\*|[\"'\u201d])")
"""A value that is marked as one."""
_BULLET = re.compile(r"(?:^|\s)[*\u2022-] [`*\"']{0,2}([\w-]{2,30}+)[`*\"']{0,2}\s?:")
"""A value that heads an item of a list, with what it means."""
_LEADS = re.compile(
    r"(?:(?:\b(?:one of|values?|options?|(?:can|may|must|should) be)|(?:^|[.;:] |\b(?:be|is|to|as|of) )either)\b"
    r"[^.`*\"'\u201c]{0,20}+|^\W{0,3})\Z",
    re.IGNORECASE,
)
"""What stands before the first of several marked values."""
_BETWEEN = re.compile(r"\s*+(?:\([^()]{0,120}+\)\s*+)?(?:,|;|\||/|\bor\b|\band\b|<br ?/?>|\n|- |\s)*+")
"""What stands between two of them, with what the first means in brackets."""
_LED_WITHIN = 60
_FEWEST = 2


@lru_cache(1 << 12)
def listed_values(description: str) -> tuple[str, ...]:
    """The values that a description of a text lists, in their order; at least two, or none."""
    said = description[:_WITHIN]
    if slashed := _SLASHED.fullmatch(said):
        return tuple(_VALUE.findall(slashed[1]))
    if found := _LED.search(said) or _CODES.search(said):
        return tuple(_VALUE.findall(_JOINING.sub(" ", found[1])))
    marked = tuple(dict.fromkeys(_marked(description[:_FURTHER])))
    return marked if len(marked) >= _FEWEST else ()


def _marked(described: str) -> Iterator[str]:
    """The first values in a row that are marked, or head the items of a list, behind what says that they are values."""
    end = -1
    for one in _MARKED.finditer(described):
        if end < 0:
            is_first = one.start() < _WITHIN and _leads(described, one.start())
        elif not _BETWEEN.fullmatch(described, end, one.start()):
            break
        if end >= 0 or is_first:
            yield one[1]
            end = one.end()
    if end >= 0:
        return
    bullets = list(_BULLET.finditer(described))
    if bullets and bullets[0].start() < _WITHIN and _leads(described, bullets[0].start()):
        yield from (one[1] for one in bullets)


def _leads(described: str, at: int) -> bool:
    """Whether what stands before a place says that values follow."""
    begin = max(0, at - _LED_WITHIN)
    found = _LEADS.search(described[begin:at].rstrip(" :"))
    return found is not None and (found.start() > 0 or begin == 0 or found[0].strip() != "")
