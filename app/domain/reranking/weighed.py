"""The first tools of a ranking by all that is known of each. Pure.

Scores are made one kind of evidence after another, each by a weight of its own. Among the first, a linear model over all of
it together says better which one was meant. No evidence counts against a tool.
"""

from collections.abc import Mapping

import numpy as np

from app.domain.ranking.formulas import Array

EVIDENCE = ("score", "words", "meaning", "need", "said", "suggested", "server")
"""Kinds of evidence, in the order of the columns.

score, words, need, suggested: shares of the largest score (of words: of theirs); meaning: cosine of request and tool; said: how much of
the request a tool's words say, 0 to 1; server: how well the tool's server fits, 0 to 1.
"""
_SHORT, _LONG = 5, 40
"""Terms of a request up to which it is short, and from which on it is long. Source: of the requests of TUNE and LONG the first and last
tenth of each set begin at 3 to 12 and end at 10 to 36."""


_NAMED, _SAID = 1.0, 0.5
"""How much of a tool's name a request says that names it outright, and how much of the request is said by the tool's words.
Source: TUNE, LONG and `catalogues`, R@5 / MRR .724 / .794, .676 / .837, .548 / .470 without and .724 / .794, .676 / .837, .548 / .469 with;
of 300 names of tools asked for as they are, or in words, 241 and 267 come first."""


def is_named(*, name: float, said: float) -> bool:
    """Whether a request names a tool outright, so that words alone say which one is meant.

    Args:
        name: The share of the tool's name that the request says.
        said: The share of the request that the tool's words say.
    """
    return name >= _NAMED and said >= _SAID


def length_of(terms: int) -> float:
    """How long a request is by its terms that the catalogue knows: 0 of a short one, 1 of a long one, logarithmic between."""
    short, long = np.log1p((_SHORT, _LONG))
    return float(np.clip((np.log1p(terms) - short) / (long - short), 0.0, 1.0))


def worths(evidence: Array, terms: int, *, short: Mapping[str, float], long: Mapping[str, float]) -> Array:
    """What each tool is worth beside the others.

        worth = sum of ((1 - length) * weight when short + length * weight when long) * evidence

    Source:
        Conditional logistic regression, as for learning to rank by lists: Cao et al.: Learning to rank: from pairwise approach to
        listwise approach. ICML (2007), section 4; here each right tool stands against those that are wrong.

    Args:
        evidence: (tools, kinds): columns as `EVIDENCE`.
        terms: Terms of the request that the catalogue knows.
        short: Weights for a short request, by kind.
        long: Weights for a long one.

    Returns:
        (tools,): on no scale of its own.
    """
    length = length_of(terms)
    each = np.array([(1 - length) * short[kind] + length * long[kind] for kind in EVIDENCE])
    found: Array = evidence @ each
    return found


def in_turn(worth: Array, cosines: Array, *, weight: float) -> list[int]:
    """The tools one after the other, each the best beside those that stand before it.

        of the rest the largest: worth + weight * max over needs of (cosine - the best cosine of those before, at least 0)

    A request for several things is answered by tools for each of them, and not by several tools for the one that is said best.

    Source:
        Santos, Macdonald and Ounis: Exploiting query reformulations for web search result diversification. WWW (2010), section 3:
        what a document adds for the aspects of a query that those before it leave open; here by how close it comes to them.

    Args:
        worth: (tools,): the first place goes to the largest.
        cosines: (tools, needs): how close each tool is to each thing that is asked for; NaN, which counts as 0, where it is not known.
        weight: What a cosine counts.
    """
    close = np.nan_to_num(cosines)
    left, met, found = worth.astype(float), np.full(close.shape[1], np.inf), list[int]()
    for _ in range(worth.size):
        adds = np.maximum(close - met, 0.0).max(axis=1, initial=0.0)
        best = int(np.argmax(left + weight * adds))
        met = np.maximum(close[best], met if found else 0.0)
        left[best] = -np.inf
        found.append(best)
    return found
