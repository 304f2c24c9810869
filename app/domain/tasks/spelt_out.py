"""What people write short, spelt out: `po 88214` for a purchase order, `dr okafor` for Okafor."""

import re
from collections.abc import Callable
from functools import cache

from app.domain.language.text import stem
from app.lexicon.lists import table

_MOST = 20
"""Short forms of a goal that are spelt out: no goal of the sets of `bench goals` has more than two, and texts must not grow."""
_TITLE = re.compile(
    r"(?<!\d\s)\b(?:(?:[Dd]r|[Pp]rof|Mr|Mrs|Ms|Mx)\.?\s++)+(?=([A-Za-z][A-Za-z'-]{1,40}+))([a-z]?)"
)
"""A title before a name, and the first letter of that where it is small."""
_FIRST, _MOST_QUOTED = 0xF800, 0xFF
_OURS = re.compile("[\uf800-\uf8ff]")
"""Of the private use area, what stands for quoted texts meanwhile."""
_QUOTED = re.compile(r'"[^"\n]++"|\u201c[^\u201c\u201d\n]++\u201d')
_DIRECTION = re.compile(
    r",\s++(?:in\s++)?((?:a|de)scending\b|(?:newest|latest|most\s++recent|oldest|earliest)(?:\s++ones?)?\s++(?:first|on\s++top)\b)"
    r"(?:\s++order\b)?",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    r"(?:^|(?<=[.;,:!]\s)|(?<=\band\s)|(?<=\bthen\s)|(?<=\bplease\s)|(?<=\bpls\s))([Ii]nvoice|bill|[Qq]uote)\s++"
    r"(?=(?:her|him|them|the\s++(?:customer|client|buyer)|customer|client)\b|[A-Z][\w&'-]{1,40}+\s(?!(?:was|is|were|are|has|had|got)\b)[^.;\n]{0,80}\d|[\w.+-]{1,40}+@)"
)
"""A verb for making out a document to somebody, which is called alike."""
_TEXTED = re.compile(
    r"(?:^|(?<=[.!]\s)|(?<=\bthen\s)|(?<=\bplease\s)|(?<=\bpls\s))[Tt]ext\s++"
    r"(?=(?:her|him|them|everyone|everybody)\b|[A-Z][\w'-]{1,40}+|[\w.+-]{1,40}+@)"
)
"""A verb for sending what is called alike, before whoever gets it."""

_MADE_OUT_OF = re.compile(
    r"\b(?:make|create)\s++(an?(?:\s++[a-z-]++){1,3}?)\s++out\s++of\s++((?:[a-z]++\s++){0,3}?[\w#-]*\d[\w-]*+)",
    re.IGNORECASE,
)
"""A thing, and the id of what it is made of."""
_DUE = re.compile(
    r"\b(?:to\s++be\s++paid|payable)\s++(?:by|until|till|before|on)\s++(?=[\w-]{0,20}\d|tomorrow\b|next\b)",
    re.IGNORECASE,
)


def beside_quotes(read: Callable[[str], str], text: str) -> str:
    """A text read otherwise but for what is quoted, which stays to the letter.

    Args:
        read: What reads it; it finds a character of its own, which counts as a capital, in place of each quoted text.
        text: The goal.
    """
    quoted: list[str] = []

    def put_away(found: re.Match[str]) -> str:
        quoted.append(found[0])
        return chr(_FIRST + len(quoted) - 1)

    plain = _OURS.sub(" ", text)
    return _OURS.sub(
        lambda found: quoted[ord(found[0]) - _FIRST], read(_QUOTED.sub(put_away, plain, count=_MOST_QUOTED))
    )


def with_conversions(text: str, *, is_used: Callable[[str], bool]) -> str:
    """A goal that makes one thing out of another as what turns it into that: `turn QU-7 into an invoice`.

    Args:
        text: The goal.
        is_used: Whether names of calls or inputs have a stem.
    """
    if not is_used(stem("convert")):
        return text
    return _MADE_OUT_OF.sub(r"turn \2 into \1", text, count=_MOST)


def with_dues(text: str, *, is_used: Callable[[str], bool]) -> str:
    """A goal with one word for when something has to be paid: `due 2026-04-30` for `to be paid by 2026-04-30`.

    Args:
        text: The goal.
        is_used: Whether names of calls or inputs have a stem.
    """
    return _DUE.sub("due ", text, count=_MOST) if is_used(stem("due")) else text


def with_documents_made(text: str, *, is_thing: Callable[[str], bool]) -> str:
    """A goal that makes out a document to somebody as what makes it: `create an invoice for her` for `invoice her`.

    Args:
        text: The goal.
        is_thing: Whether calls are about what a stem names.
    """

    def made(found: re.Match[str]) -> str:
        verb = found[1].lower()
        noun = "invoice" if verb == "bill" and is_thing(stem("invoice")) else verb
        article = "an" if noun[0] in "aeiou" else "a"
        return f"create {article} {noun} for " if is_thing(stem(noun)) else found[0]

    return _WRITTEN.sub(made, text, count=_MOST)


def with_messages_sent(text: str, *, is_used: Callable[[str], bool]) -> str:
    """A goal that texts somebody as what sends it: `send an sms message to Ann Lee` for `text Ann Lee`.

    Args:
        text: The goal.
        is_used: Whether names of calls or inputs have a stem.
    """
    return _TEXTED.sub("send an sms message to ", text, count=_MOST) if is_used(stem("message")) else text


def with_direction_beside(text: str) -> str:
    """A goal that says without a comma how a list is sorted: `sorted by name descending`, `all tickets newest first`."""
    return _DIRECTION.sub(r" \1", text, count=_MOST)


def without_titles(text: str) -> str:
    """A goal with the names of people as lists have them: `what is on dr okafor's calendar` asks for Okafor's.

    Names behind a title are known as such, and get their capital.
    """
    return _TITLE.sub(lambda found: found[2].upper(), text)


def with_one_adverb(text: str) -> str:
    """A goal with one word for how something is done: `delete it permanently` for `delete it for good`."""
    found = dict(table("reading")["adverbials"])
    return adverbial_pattern().sub(lambda phrase: found[phrase[0].lower()], text, count=_MOST)


@cache
def adverbial_pattern() -> re.Pattern[str]:
    """The phrases that one adverb stands for, at the end of a clause."""
    phrases = "|".join(re.escape(phrase) for phrase, _ in table("reading")["adverbials"])
    return re.compile(
        rf"\b(?:{phrases})(?=\s*+(?:[,.;!?]|$)|\s++(?:and|then|please|pls|unless|if)\b)", re.IGNORECASE
    )


def with_initials_spelt_out(text: str, *, is_used: Callable[[str], bool]) -> str:
    """A goal with what a trade writes by its initials in full, where the catalogue has these words.

    Args:
        text: The goal.
        is_used: Whether names of calls or inputs have a stem.
    """

    def spelt(found: re.Match[str]) -> str:
        full: str = table("en")["initials"][found[1].lower()]
        return full if all(is_used(stem(word)) for word in full.split()) else found[0]

    return initials_pattern().sub(spelt, text, count=_MOST)


@cache
def initials_pattern() -> re.Pattern[str]:
    """Initials before a number or an id, or behind a determiner."""
    initials = "|".join(map(re.escape, table("en")["initials"]))
    return re.compile(
        rf"(?:(?<=\bthe )|(?<=\bour )|(?<=\bthis )|\b(?=\w{{2,3}}\s++[\w#-]{{0,20}}\d))({initials})\b",
        re.IGNORECASE,
    )


_OLD_VALUE = re.compile(
    r"(?P<head>\b(?P<verb>change|update|set|raise|lower|increase|decrease|reduce|bump|correct|adjust)\s[^.;!?]{2,120}?"
    r"|\A(?:the\s)?[a-z]{3,20}(?:\s[a-z]{3,20}){0,2}\s(?:of|for)\s[^.;,!?]{2,60}?)"
    r"\sfrom\s(?:(?P<number>[$\u20ac\u00a3]?[0-9][0-9.,]*[0-9%]|[0-9])|(?P<quoted>[\ue000-\uf8ff])|(?P<word>[a-z][a-z_-]{1,20}))(?:\s[A-Z]{3})?"
    r"\sto\s(?:(?P<new>[$\u20ac\u00a3]?[0-9])|(?P<other>[\ue000-\uf8ff])|(?=[a-z]))",
)
"""What something is, and what it is to be: `the priority of ticket 9 from low to urgent`, `change the cost from 4.20 to 4.85`."""
_RAISED = re.compile(
    r"\b(?:raise|lower|increase|decrease|reduce|bump)\s(?=the\s[a-z][^.;!?]{2,80}?\sto\s[$\u20ac\u00a3]?[0-9\ue000-\uf8ff])"
)
"""A verb that says in which direction, before what becomes something by its value."""
_OF_TWO_ENDS = re.compile(
    r"\b(?:range|interval|period|window|hours|between|dates?|transfer|send|move|copy|fly|flight|trip|route|ride|booking|shift|opening|events?|meeting"
    r"|appointment|reservation|leave|vacation)\b",
    re.IGNORECASE,
)
"""Of these, `from` and `to` are two ends."""
_NO_STATES = frozenset("the a an my our your his her their its this that now today tomorrow noon".split())
"""Behind `from` they begin something else than what a thing has."""
_BECOMES = re.compile(
    rf"\A(?=(?:the\s)?(?:{'|'.join((*table('reading')['looked_at'], 'priority', 'owner', 'name', 'title'))})\sof\s[^.;:,!?]{{2,60}}?\sto\s\S)",
    re.IGNORECASE,
)
"""What a thing has, and what it is to be, without a verb: `status of ticket 5 to pending`."""


def without_old_values(text: str) -> str:
    """A goal without what a thing has that is to have something else: `raise the price of 5 from 10 to 12` raises it to 12, which is to change it."""

    def new_only(found: re.Match[str]) -> str:
        alike = (
            (found["number"] and found["new"])
            or (found["quoted"] and found["other"])
            or (found["word"] and not (found["new"] or found["other"]) and found["word"] not in _NO_STATES)
        )
        if not alike or _OF_TWO_ENDS.search(found["head"]):
            return found[0]
        head = found["head"] if found["verb"] else f"change {found['head']}"
        return f"{head} to {found['new'] or found['other'] or ''}"

    return _BECOMES.sub("change ", _RAISED.sub("change ", _OLD_VALUE.sub(new_only, text)))
