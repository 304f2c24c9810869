"""What the catalogue is about, in the operator's words: never in those of a server, which could be instructions."""

from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from app.domain.nodes.models import Category, Source

_MOST = 40
"""How many names of a kind are said."""
_LONGEST = 80
"""Characters of a name that are said."""
_BY_FILE = frozenset({"manifest", "openapi", "arazzo"})
"""Kinds of sources whose names are those of the operator's files, addresses or options."""


def catalogue_summary(sources: Iterable[Source], categories: Iterable[Category]) -> str:
    """What the catalogue is about: names of its sources, and of the categories that a taxonomy states.

    A live server may have named itself: it is said only when a sources file names it, or when its name is the host
    of its address. Categories whose id has a `/` are tags of OpenAPI documents, and are left out.

    Args:
        sources: Those of which something was read.
        categories: All.
    """
    servers = [one.name for one in sources if _is_operators(one)]
    subjects = [one.name or one.id for one in categories if "/" not in one.id]
    lines = [_line("Servers", servers), _line("Subjects", subjects)]
    return "\n".join(line for line in lines if line)


def _is_operators(source: Source) -> bool:
    """Whether the name of a source of tools is the operator's."""
    if source.kind == "taxonomy":
        return False
    return source.kind in _BY_FILE or bool(source.listed_in) or source.name == urlsplit(source.uri).hostname


def _line(title: str, names: Sequence[str]) -> str:
    said = sorted({_one_line(name) for name in names} - {""})
    more = f", and {len(said) - _MOST} more" if len(said) > _MOST else ""
    return f"{title}: {', '.join(said[:_MOST])}{more}." if said else ""


def _one_line(name: str) -> str:
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
