"""What is new about somebody or something, as what is to be changed: `Osman Textiles has a new phone number, +90212...`."""

import re
from collections.abc import Callable, Mapping

from app.domain.language.identifiers import pieces, singular
from app.domain.language.text import stem
from app.domain.reading.tokens import value_words
from app.domain.tasks.postal import address_begins

_BEGINS = r"(?:^|(?<=[.;!]\s))"
_WHO = (
    r"(?P<who>(?:(?:[Tt]he|[Oo]ur|[Mm]y)\s++)?+(?:(?P<noun>[a-z]{2,20})\s++)?"
    r"(?:[A-Z][\w&-]{0,40}+(?:\s[A-Z][\w&-]{0,40}+){0,3}|[\w.+-]{1,60}+@[\w.-]{1,80}\w|(?=[\w-]{0,60}[\d_])[\w-]{1,80}+|#[\w-]{1,80}+"
    r"|(?P<small>[a-z]{2,20}\s[a-z]{2,20})))"
)
"""Who or what there is news of: a name, an address, an id or a channel, which a noun may stand before; or two words that may be a
name in the lower case."""
_VALUE = r"(?=\+?\d|[\w.+-]{1,60}+@|[A-Z\ue000-\uf8ff]|[\w-]{0,60}\d)"
"""How a value begins: with a digit, a capital or a quoted text, or as an address of mail or an id."""
_NOW = r"(?:now|from\s++(?:now\s++on|today))"
_NEW = re.compile(
    rf"{_BEGINS}{_WHO}\s++(?:has\s++got|has|got)\s++a\s++new\s++(?P<what>[a-z][a-z-]{{1,30}}+(?:\s++(?!is\b)[a-z][a-z-]{{0,30}}+){{0,3}}?)"
    rf"(?:\s*+[,:]\s*+|\s++is\s++)(?:it's\s++|it\s++is\s++)?{_VALUE}"
)
_NEW_FOR = re.compile(
    rf"{_BEGINS}(?:(?:set|give|add|enter)\s++)?(?:an?\s++|the\s++)?[Nn]ew\s++(?P<what>[a-z][a-z-]{{1,30}}+(?:\s(?!for\b|of\b)[a-z-]{{1,30}}+)?)"
    rf"\s++(?:for|of)\s++{_WHO}\s*+:\s*+(?=[\ue000-\uf8ff]|[^\s,;]{{1,80}}+\s*+(?:$|[.;!,]))"
)
"""What is new about a thing, and a text in quotation marks or one word: `new subject for ticket 5: "Printer"`."""
_MOVED = re.compile(
    rf"{_BEGINS}{_WHO}\s++(?:has\s++|have\s++)?moved[,;:]?\s++(?:and\s++)?(?:to\s++|(?:(?:he|she|it|they)\s++)?(?:{_NOW}\s++)?(?:lives?|is|are|sits?)\s++(?:{_NOW}\s++)?(?:at|in)\s++)"
)
_IS_NOW = re.compile(
    rf"{_BEGINS}{_WHO}(?:'s|\u2019s)\s++(?P<what>[a-z][a-z-]{{1,30}}+(?:\s++(?!is\b)[a-z-]{{1,30}}+){{0,3}}?)\s++is\s++{_NOW}\s++{_VALUE}"
)
_IS_SO_NOW = re.compile(
    rf"{_BEGINS}{_WHO}(?:'s|\u2019s)\s++(?P<what>[a-z][a-z-]{{1,30}}+(?:\s++(?!is\b)[a-z-]{{1,30}}+){{0,3}}?)\s++is\s++{_VALUE}"
    rf"(?=(?:[^,.;:!?\s]{{1,60}}+\s++){{1,4}}?{_NOW}\s*+(?:$|[,.;!]))"
)
_HAPPENED = re.compile(
    rf"{_BEGINS}{_WHO}\s++(?:has|have|got|was|is|just|[a-z]{{2,20}}ed)\b[^,.;:!?\n]{{0,60}}+[,.;:]\s++(?:so\s++)?+(?:his|her|their|its)\s++"
    rf"(?P<what>[a-z][a-z-]{{1,30}}+(?:\s++(?!is\b)[a-z-]{{1,30}}+){{0,3}}?)\s++is\s++"
    rf"(?:{_NOW}\s++{_VALUE}|{_VALUE}(?=(?:[^,.;:!?\s]{{1,60}}+\s++){{1,4}}?{_NOW}(?:\s*+(?:$|[,.;!])|\s++and\b)))"
)
"""What happened to somebody, and what is so since: `Lena got promoted, her title is now Head of Sales`."""
_NAME = r"[A-Z][\w&-]{0,40}+(?:\s[A-Z][\w&-]{0,40}+){0,3}"
"""Up to four capitalised words."""
_CALLED_NOW = re.compile(
    rf"{_BEGINS}(?P<who>(?:[Tt]he|[Oo]ur)\s++(?:[\ue000-\uf8ff]|{_NAME})\s++[a-z]{{2,20}}+)\s++is\s++"
    rf"(?:now\s++called\s++(?P<name>[\ue000-\uf8ff]|{_NAME})"
    rf"|called\s++(?P<later>[\ue000-\uf8ff]|{_NAME})\s++{_NOW})(?=\s*+(?:$|[,.;!]))"
)
_IS_DONE = re.compile(
    r"^(?P<who>(?:(?:the\s++)?+[a-z]{2,20}\s++)?+(?=[\w-]{0,60}\d)[\w-]{1,80}+)\s++is\s++(?P<how>done|finished|completed?)(?=\s*+(?:$|[.!]\s*+$|-\s))"
)
"""Of what has an id, and where nothing is asked for: it is to be marked so."""
_DONE_SO = re.compile(
    r"(?<=\S),?\s++(?:please\s++|pls\s++|so\s++|and\s++)*+(?:update|change|correct|adjust|enter|note|record)(?:\s++(?:it|that|this))?+(?:\s++accordingly)?+(?=\s*+(?:[.;!]|$))",
    re.IGNORECASE,
)
"""That it is to be entered says no more than the news."""

_ANY_MORE = r"(?:any\s?+more|any\s++longer)"
_ID = r"(?:[\ue000-\uf8ff]|(?=[\w-]{0,60}[\d_])[\w-]{1,80}+)"
_NOT_THERE = re.compile(
    rf"^{_WHO}\s++should(?:n['\u2019]t\s++be(?P<more>)|\s++no\s++longer\s++be)\s++(?:in|on|part\s++of|a\s++member\s++of)\s++"
    rf"(?P<where>(?:the\s++)?+(?:(?P<place>[a-z]{{2,20}})\s++)?+{_ID})(?(more)\s++{_ANY_MORE})(?=\s*+[,;!]|\s*+\.?$|\.\s|\s++(?:and|but)\s)"
)
"""Only of what has a name or an id, in what has one, and was there before: a list without something is no order to take it away."""
_CALLED = re.compile(
    rf"^(?:(?P<place>[a-z]{{2,20}}\s++{_ID}):\s++)?+{_WHO}\s++should\s++(?:now\s++)?+be\s++(?:called|named)\s++(?P<name>[\ue000-\uf8ff]|(?=[\w-]{{0,60}}[\d_-])[A-Za-z][\w-]{{0,80}}+)"
    rf"(?:\s++(?:instead|{_NOW}))?+(?=\s*+[,;!]|\s*+\.?$|\.\s)"
)
"""Only of things, by what is surely a name: people are called on Monday."""
_SHORT = r"(?:[^,.;:!?\s]|\.(?=\S)){1,80}+(?:\s++(?!should)(?:[^,.;:!?\s]|\.(?=\S)){1,80}+){0,7}?"
"""Some words of one clause; a full stop may stand within one."""
_MISTAKEN = re.compile(
    rf"^(?:\w{{1,10}}[,!]\s++)?(?:(?:[Ii]|[Ww]e)\s++(?:have\s++)?(?:mistyped|misspelled|misspelt)\s++(?P<what>{_SHORT})"
    rf"|(?:[Tt]here(?:\s++is|'s|\u2019s)\s++)?(?:[Aa]n?\s++)?(?:[Tt]ypo|[Mm]istake)\s++in\s++(?P<where>{_SHORT}))(?P<more>\s*+\([^()]{{1,200}}+\))?+"
    rf"\s*+[.,;:!-]++\s++(?:[Ii]t\s++)?should\s++(?:be|read|say)\s++(?={_VALUE})(?![^.;,]{{0,40}}\b(?:higher|lower|more|less|earlier|later|fewer)\b)"
)


def news_as_changes(text: str, *, is_thing: Callable[[str], bool]) -> str:
    """A goal whose sentences tell what somebody or something has now, as what sets it.

    `Lena has a new address: ...` and `pat_8 has moved, he now lives at ...` set the address; `Ben's cost centre is now
    CC-620` the cost centre. What something should be, be called or no longer be part of is
    done to it. A goal that asks something is left as it is.

    Args:
        text: The goal.
        is_thing: Whether calls are about what a stem names.
    """
    if "?" in text:
        return text

    def is_who(named: Mapping[str, str | None]) -> bool:
        small = named["small"]
        return not small or value_words().begins_with_given_name(small)

    def changed(found: re.Match[str]) -> str:
        named = found.groupdict()
        what = named.get("what") or "address"
        # `check ann@acme.com has ...` tells nothing, and a new card is a thing of its own.
        tells = named["noun"] is None or is_thing(stem(singular(named["noun"])))
        last = pieces(what)[-1]
        is_made = is_thing(stem(singular(last))) and last != "address"
        return (
            f"change the {what} of {named['who']} to "
            if tells and is_who(named) and not is_made
            else found[0]
        )

    def moved(found: re.Match[str]) -> str:
        return changed(found) if address_begins(text, found.end()) else found[0]

    told = text
    text = _NEW_FOR.sub(changed, _NEW.sub(changed, text))
    text = _MOVED.sub(moved, text)
    text = _HAPPENED.sub(changed, _IS_SO_NOW.sub(changed, _IS_NOW.sub(changed, text)))
    text = _CALLED_NOW.sub(lambda found: f"rename {found['who']} to {found['name'] or found['later']}", text)
    text = _IS_DONE.sub(lambda found: f"mark {found['who']} as {found['how']}", text)
    if text != told:
        return _DONE_SO.sub("", text)

    def are_things(*nouns: str | None) -> bool:
        return all(noun is None or is_thing(stem(singular(noun))) for noun in nouns)

    def renamed(found: re.Match[str]) -> str:
        is_named = (bool(found["noun"]) and are_things(found["noun"])) or found["who"].startswith("#")
        place = f" in {found['place']}" if found["place"] else ""
        return f"rename {found['who']} to {found['name']}{place}" if is_named else found[0]

    def removed(found: re.Match[str]) -> str:
        is_named = are_things(found["noun"], found["place"]) and is_who(found.groupdict())
        return f"remove {found['who']} from {found['where']}" if is_named else found[0]

    return _NOT_THERE.sub(removed, _CALLED.sub(renamed, _MISTAKEN.sub(_mended, text)))


def _mended(found: re.Match[str]) -> str:
    return f"change {found['what'] or found['where']}{found['more'] or ''} to "
