"""Names as words: `petIds`, `pet_id` and `pet-id` are all (pet, id)."""

import re
from functools import lru_cache

_PIECE = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\x00-\x7f]+")
_CACHED_NAMES = 1 << 16
_SHORTEST_PLURAL = 4

_UNCHANGED = frozenset(
    """series news data media sms class gas status access address process business canvas alias bus dns https
    os aws lens analysis basis axis campus bonus virus versus plus kubernetes as is this has was us pos gps tls
    css js chassis diagnosis synopsis corpus census nexus consensus atlas""".split()
)
_IRREGULAR = {
    "people": "person",
    "children": "child",
    "addresses": "address",
    "statuses": "status",
    "aliases": "alias",
    "criteria": "criterion",
    "indices": "index",
    "analyses": "analysis",
    "leaves": "leave",
    "movies": "movie",
    "cookies": "cookie",
    "caches": "cache",
    "ids": "id",
    "vms": "vm",
}

ID_WORDS = frozenset(
    """id uuid guid key slug sha sid pk code number no num name ref uri urn arn handle login identifier symbol
    token serial hash oid uid gid iid index url username email isbn ean udid version""".split()
)
"""Last words by which a name says that its value identifies one thing among others."""

_FAMILY = {
    **dict.fromkeys(("uuid", "guid", "sid", "pk", "identifier", "oid", "iid", "gid", "ref", "udid"), "id"),
    **dict.fromkeys(("no", "num"), "number"),
    "handle": "slug",
    "username": "login",
    "urn": "uri",
    "url": "uri",
}


@lru_cache(maxsize=_CACHED_NAMES)
def singular(word: str) -> str:
    """The singular of a lower-case English word, by endings and a table; unknown forms come back unchanged."""
    if word in _UNCHANGED or len(word) < _SHORTEST_PLURAL:
        return _IRREGULAR.get(word, word)
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > _SHORTEST_PLURAL:
        return word[:-3] + "y"
    if word.endswith(("elves", "alves")):
        return word[:-3] + "f"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=_CACHED_NAMES)
def pieces(name: str) -> tuple[str, ...]:
    """`name` split at changes of case, at digits and at everything that is no letter; lower case."""
    found: list[str] = []
    for piece in _PIECE.findall(name):
        lower = piece.lower()
        # `IDs` reads as I, Ds.
        if lower in ("d", "ds") and found and found[-1] == "i":
            found[-1] = "i" + lower
        else:
            found.append(lower)
    return tuple(found)


@lru_cache(maxsize=_CACHED_NAMES)
def words(name: str) -> tuple[str, ...]:
    """The words of a name, each in the singular."""
    return tuple(singular(piece) for piece in pieces(name))


@lru_cache(maxsize=_CACHED_NAMES)
def is_plural(name: str) -> bool:
    """Whether the last word of a name is a plural."""
    last = pieces(name)[-1:]
    return bool(last) and singular(last[0]) != last[0]


def id_family(word: str) -> str:
    """The word that stands for all words that identify in the same way: `uuid` and `sid` are `id`."""
    return _FAMILY.get(word, word)
