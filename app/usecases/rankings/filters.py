"""Which tools a request allows."""

from collections.abc import Iterable

import numpy as np

from app.domain.language.near import near_names
from app.domain.ranking.formulas import Mask
from app.errors import InvalidInputError
from app.usecases.index.search_index import SearchIndex
from app.usecases.search_values import Filters

_NAMED = 5
"""How many accepted values a message names."""


def allowed_tools(filters: Filters, index: SearchIndex) -> Mask | None:
    """True for each tool that passes every filter; None when nothing is filtered.

    Raises:
        InvalidInputError: a server or category that this generation does not have.
    """
    if not filters.servers and not filters.categories and filters.read_only is None:
        return None
    allowed = np.ones(len(index.catalogue.tools), np.bool_)
    if filters.servers:
        _check("server", filters.servers, index.servers)
        numbers = [index.servers[server] for server in filters.servers]
        allowed &= np.isin(index.server_of, numbers)
    if filters.categories:
        _check("category", filters.categories, index.categories)
        inside = np.zeros_like(allowed)
        for category in filters.categories:
            inside[index.categories[category]] = True
        allowed &= inside
    if filters.read_only is not None:
        allowed &= index.read_only == filters.read_only
    return allowed


def _check(kind: str, asked: Iterable[str], known: Iterable[str]) -> None:
    names = sorted(name for name in known if name)
    for name in asked:
        if name in names:
            continue
        near = near_names(name, names, cutoff=0.5, most=_NAMED)
        if near:
            hint = f"near ones are {', '.join(map(repr, near))}"
        elif names:
            shown = ", ".join(map(repr, names[:_NAMED]))
            hint = f"there are {len(names)}, among them {shown}"
        else:
            hint = "the graph has nothing yet"
        raise InvalidInputError(f"filters: no {kind} {name!r} in the catalogue; {hint}")
