"""Expansion of a query by the words of its best tools."""

from collections.abc import Mapping, Sequence

import numpy as np
import scipy.sparse as sp

from app.domain.ranking.formulas import FEEDBACK_MASS, FEEDBACK_TERMS, FEEDBACK_TOOLS, Array, best, rounded


def expand_query(
    query: Mapping[int, float], scores: Array, *, by_document: sp.csr_matrix, terms: Sequence[str]
) -> dict[int, float]:
    """The query with the 10 heaviest terms of its 5 best tools, at 0.3 of its own mass.

        weight(t) = query(t) + 0.3 * sum(query) * w(t) / sum of w over the 10 terms
        w(t)      = sum over the best tools of score / sum(score) * worth of t in the tool

    Equal terms are taken in alphabetical order, so that the numbers of the terms do not matter.

    Args:
        query: Term number -> weight.
        scores: One score per tool, (N,); with none above 0 the query stays as it is.
        by_document: Worth of each term in each tool, (N, V).
        terms: The term of each number.

    Source:
        Lavrenko, Croft: Relevance-based language models. SIGIR 2001; Abdul-Jaleel et al.: UMass at TREC 2004
        (RM3).
    """
    tools = best(scores, FEEDBACK_TOOLS)
    expanded = dict(query)
    if not tools.size:
        return expanded
    shares = scores[tools] / scores[tools].sum()
    slices = [slice(by_document.indptr[tool], by_document.indptr[tool + 1]) for tool in tools]
    numbers = np.concatenate([by_document.indices[part] for part in slices])
    worths = np.concatenate(
        [by_document.data[part] * share for part, share in zip(slices, shares, strict=True)]
    )
    found, where = np.unique(numbers, return_inverse=True)
    weights: Array = np.bincount(where, weights=worths).astype(np.float64)
    chosen = _heaviest(weights, [terms[number] for number in found])
    total = float(weights[chosen].sum())
    mass = FEEDBACK_MASS * sum(query.values())
    # In the order of their weight: the order of adding is the same for every numbering.
    for position in chosen:
        number = int(found[position])
        expanded[number] = expanded.get(number, 0.0) + mass * float(weights[position]) / total
    return expanded


def _heaviest(weights: Array, terms: Sequence[str]) -> list[int]:
    grains = rounded(weights)
    if grains.size > FEEDBACK_TERMS:
        threshold = np.partition(grains, grains.size - FEEDBACK_TERMS)[grains.size - FEEDBACK_TERMS]
        candidates = np.flatnonzero(grains >= threshold).tolist()
    else:
        candidates = list(range(grains.size))
    return sorted(candidates, key=lambda position: (-grains[position], terms[position]))[:FEEDBACK_TERMS]
