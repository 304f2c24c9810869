"""What is tagged gets a tag: `tag it urgent` adds the tag `urgent` to it."""

import re
from collections.abc import Callable

from app.domain.language.text import stem

_TAG = r"(?:tag|label)\s++"
_NAMED = r"\"?+(?P<tag>(?<=\")[^\"\n]{1,80}+(?=\")|(?!(?:and|or|then|but|to|in|on|for|from|with|of|please|now|too)(?![\w-]))[a-z][\w-]{1,60}+)\"?+(?=\s*+(?:$|[,;!]|\.(?!\w)|and\b|then\b|but\b))"
_TAGGED = re.compile(
    # `void label se-7 now` tags nothing.
    rf"(?:\A|(?<=[.,;!?:]\s)|(?<=\b(?:and|you)\s)|(?<=&\s)|(?<=\bthen\s)|(?<=\b(?:just|also)\s)|(?<=\bplease\s)|(?<=\bto\s)){_TAG}(?P<thing>it|them|him|her|this|that|(?:the\s++)?+(?:[a-z]{{2,20}}\s++)?+(?=[\w./#@-]{{0,80}}\d)[\w./#@-]{{1,80}}+)"
    rf"\s++(?:as\s++|with\s++)?+{_NAMED}",
    re.IGNORECASE,
)


def with_tags_added(text: str, *, is_thing: Callable[[str], bool]) -> str:
    """A goal that says what gets which tag as what adds tags to things, where calls are about tags or labels.

    Args:
        text: The goal.
        is_thing: Whether calls are about what a stem names.
    """
    noun = next((one for one in ("tag", "label") if is_thing(stem(one))), "")
    return _TAGGED.sub(rf'add the {noun} "\g<tag>" to \g<thing>', text) if noun else text
