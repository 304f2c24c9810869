"""How the vocabulary of a text grows with its length: Heaps' law, fitted by least squares.

H. S. Heaps, Information Retrieval: Computational and Theoretical Aspects (1978), section 7.5.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")
"""A run of letters, cut where an identifier changes its case."""
_POINTS = 5
"""The curve bends down on a logarithmic scale: what continues it is its end."""


@dataclass(frozen=True, slots=True)
class Growth:
    """A text up to some place."""

    texts: int
    words: int
    vocabulary: int
    """Different words."""


@dataclass(frozen=True, slots=True)
class HeapsLaw:
    """vocabulary = k * words ** beta."""

    k: float
    beta: float

    def vocabulary(self, words: int) -> float:
        """Different words that a text of this length has."""
        return self.k * math.pow(words, self.beta)


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return [word.lower() for word in WORD.findall(text)]


def growth(texts: Iterable[str], at: Sequence[int]) -> Iterator[Growth]:
    """The growth after each of these numbers of texts, which ascend; fewer where the texts end before."""
    seen: set[str] = set()
    words, places = 0, iter(at)
    place = next(places, 0)
    for number, text in enumerate(texts, 1):
        if not place:
            return
        found = words_of(text)
        words += len(found)
        seen.update(found)
        if number == place:
            yield Growth(number, words, len(seen))
            place = next(places, 0)


def halves(texts: int) -> list[int]:
    """Where to look: the whole, half of it, and so on, ascending; at most five places."""
    return sorted({texts >> power for power in range(_POINTS) if texts >> power})


def fitted(points: Sequence[Growth]) -> HeapsLaw:
    """The law through these points: a straight line of logarithms, each point of one weight.

    Raises:
        ValueError: fewer than two different lengths.
    """
    xs = [math.log(point.words) for point in points if point.words]
    ys = [math.log(point.vocabulary) for point in points if point.words]
    if len(set(xs)) < 2:
        raise ValueError(f"{len(set(xs))} lengths; a law takes two")
    x, y = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    above = math.fsum((one - x) * (other - y) for one, other in zip(xs, ys, strict=True))
    beta = above / math.fsum((one - x) ** 2 for one in xs)
    return HeapsLaw(k=math.exp(y - beta * x), beta=beta)


def counted(texts: Iterable[str]) -> Counter[str]:
    """How often each word comes."""
    found: Counter[str] = Counter()
    for text in texts:
        found.update(words_of(text))
    return found
