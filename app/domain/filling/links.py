"""Links into the web pages of an API, written out: `issue 12 of octocat/hello-world` for what a page's address names."""

import re
from collections.abc import Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from urllib.parse import unquote, urlsplit

from app.domain.language.identifiers import pieces, singular
from app.domain.language.text import stem
from app.domain.reading.models import ValueKind
from app.domain.reading.tokens import GoalToken, tokenised
from app.lexicon.lists import table

_LONGEST = 2_000
_MOST_SEGMENTS = 20
_NAME = re.compile(r"[\w.~-]++")
_SLUG_PARTS = 2
_NEAR = 4
"""Tokens before a link that may say what it is for."""


def without_links(
    text: str,
    *,
    servers: Collection[str],
    places: AbstractSet[str],
    implied: Callable[[str], AbstractSet[str]],
) -> str:
    """A goal whose links say what they name; other addresses stay, as do those that are asked for as such.

    A link is read where its host holds the name of a server (`github.com` for github), or its path has an id of a
    known form (`browse/ABC-42`) or a number behind a place (`issues/12`).

    Args:
        text: A goal, or a task.
        servers: Those that the plan may call.
        places: Stems of what stands before parameters in their paths.
        implied: Stems of the things that an id of this form identifies.
    """
    written, begin = "", 0
    tokens = tokenised(text)
    for at, token in enumerate(tokens):
        if token.kind is not ValueKind.URL or len(token.text) > _LONGEST:
            continue
        if _is_address(tokens[max(0, at - _NEAR) : at]):
            continue
        named = _named(token.text, servers, places, implied)
        if named:
            written += text[begin : token.start] + named
            begin = token.end
    return written + text[begin:]


def _is_address(before: Sequence[GoalToken]) -> bool:
    """Whether what stands before a link says that the address itself is meant: `set the homepage to`."""
    return not {singular(token.lower) for token in before}.isdisjoint(table("values")["addressing"].split())


def _named(
    link: str, servers: Collection[str], places: AbstractSet[str], implied: Callable[[str], AbstractSet[str]]
) -> str:
    """What a link names, the innermost first; empty when that is not known."""
    try:
        parts = urlsplit(link)
        host = parts.hostname or ""
    except ValueError:
        return ""
    own = not {*host.split(".")}.isdisjoint(server.lower() for server in servers)
    found: list[str] = []
    free: list[str] = []
    noun, is_known = "", own
    for segment in map(unquote, [part for part in parts.path.split("/") if part][:_MOST_SEGMENTS]):
        if not (_NAME.fullmatch(segment) and any(map(str.isalnum, segment))):
            continue
        words = pieces(segment)
        if not noun and words and stem(singular(words[-1])) in places and not any(map(str.isdigit, segment)):
            noun = " ".join((*words[:-1], singular(words[-1])))
        elif noun:
            found.append(f"{noun} {segment}")
            is_known = is_known or segment.isdigit()
            noun = ""
        elif implied(segment):
            found.append(segment)
            is_known = True
        elif not found:
            free.append(segment)
    if not is_known:
        return ""
    if own and len(free) == _SLUG_PARTS:
        found.insert(0, "/".join(free))
    return " of ".join(reversed(found))
