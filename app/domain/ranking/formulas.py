"""Ranking as arithmetic: arrays of one score per candidate in, arrays out. Nothing here knows of a database."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.domain.ranking.graph_scores import Channel
from app.domain.ranking.recipe import RECIPE, RankingRecipe

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Positions = npt.NDArray[np.intp]

NO_SERVER = -1
"""The number of the server of a tool that has none."""

TAIL_SHARE = 0.99
"""Of the last score of a ranking's head what the tail has at most, so that rounding never makes its first the equal of that."""
_GRAIN = 1e-9
EQUAL = 2 * _GRAIN
"""Scores that differ by no more than this share of the maximum may be equal."""
_SPARSE = 16
"""Servers for each candidate."""
_BLOCK = 64


def rounded(scores: Array) -> Array:
    """`scores` in steps of 1e-9 of their maximum: sums that differ in the order of adding become equal."""
    peak = scores.max(initial=0.0)
    return np.rint(scores / (peak * _GRAIN)) if peak > 0 else np.zeros_like(scores)


def significant(score: float) -> float:
    """`score` to 9 significant digits, so that a sum reads the same whatever the order of adding was."""
    return float(f"{score:.9g}")


def best(scores: Array, k: int, *, allowed: Mask | None = None) -> Positions:
    """Positions of the k highest scores above 0, best first; fewer when fewer are above 0.

    Scores that differ by less than 1e-9 of the maximum are equal; equal ones are ordered by position,
    which is by id.
    """
    if not scores.size:
        return np.empty(0, np.intp)
    peak = scores.max()
    if allowed is not None:
        scores = np.where(allowed, scores, 0.0)
    hopeful = _hopeful(scores, k, margin=EQUAL * float(peak))
    grains = np.rint(scores[hopeful] / (peak * _GRAIN)) if peak > 0 else np.zeros(hopeful.size)
    return hopeful[_highest(grains, k)]


def _hopeful(scores: Array, k: int, *, margin: float) -> Positions:
    """Places above 0 among which are the k highest, and all that are no further than the margin below them."""
    blocks = scores.size // _BLOCK
    if blocks <= k:
        return np.flatnonzero(scores > 0)
    # At least k scores are as high as the k-th highest of the maxima of k blocks or more.
    highest = scores[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
    least = float(np.partition(highest, blocks - k)[blocks - k]) - margin
    return np.flatnonzero(scores >= least) if least > 0 else np.flatnonzero(scores > 0)


def _highest(grains: Array, k: int) -> Positions:
    found = np.flatnonzero(grains > 0)
    if found.size > k:
        threshold = np.partition(grains[found], found.size - k)[found.size - k]
        found = found[grains[found] >= threshold]
    return found[np.argsort(-grains[found], kind="stable")][:k]


def by_maximum(scores: Array) -> Array:
    """`scores` divided by their maximum: 0 to 1; all 0 where no score is above 0."""
    peak = scores.max(initial=0.0)
    return scores / peak if peak > 0 else np.zeros_like(scores)


def window(scores: Array, *, allowed: Mask | None = None, recipe: RankingRecipe = RECIPE) -> Array:
    """`scores` of the best allowed tools, 0 for the others."""
    kept = np.zeros_like(scores)
    positions = best(scores, recipe.window, allowed=allowed)
    kept[positions] = scores[positions]
    return kept


def fuse_kg_hybrid(bm25: Array, graph: Array, *, recipe: RankingRecipe = RECIPE) -> Array:
    """0.6 * bm25 / max(bm25) + 0.4 * graph / max(graph); both (N,), result 0 to 1.

    Source:
        PinePaper-ToolBench (2026), section 3: min-max over the catalogue, where the minimum is 0.
    """
    return recipe.text_share * by_maximum(bm25) + (1 - recipe.text_share) * by_maximum(graph)


def powers(scores: Sequence[float]) -> list[float]:
    """(score / best)^3 of scores above 0, the best first: favours tools whose one best method fits."""
    return [(score / scores[0]) ** 3 for score in scores]


def lexical_factor(
    *,
    intent: Array,
    clauses: int,
    cover: Array,
    objects: Array,
    resources: Array,
    recipe: RankingRecipe = RECIPE,
) -> Array:
    """1 + 0.25 cover + (0.3 intent + 0.1 objects + 0.3 resources) / clauses, per tool; between 0.82 and 1.95.

    Args:
        intent: `intent.intent_scores`, -0.6 to 1.
        clauses: `intent.count_clauses`: one verb says less of a query that asks for several things.
        cover: `names.NameCover`, 0 to 1.
        objects: `intent_objects.object_matches`, 0 or 1.
        resources: Share of `intent_objects.path_terms` that the query says, 0 to 1.
        recipe: The weights.
    """
    return (
        1
        + recipe.name_weight * cover
        + (
            recipe.intent_weight * intent
            + recipe.object_weight * objects
            + recipe.resource_weight * resources
        )
        / clauses
    )


def _channel_weights(recipe: RankingRecipe) -> dict[Channel, float]:
    return {
        Channel.POWER: recipe.power_weight,
        Channel.SUM: recipe.sum_weight,
        Channel.TEMPLATE: recipe.template_weight,
        Channel.CONCEPT: recipe.concept_weight,
    }


def auto_units(
    document: Array,
    channels: Mapping[Channel, Array],
    *,
    with_methods: Mask | None,
    recipe: RankingRecipe = RECIPE,
) -> dict[Channel, float]:
    """What one unit of each of the graph's channels adds to a score of `auto`; 0 for an empty channel.

        power, sum          0.3 * trust / max(channel)
        template, concept   0.2 * max(trust, min(1, max(channel) / max(document))) / max(channel)
        trust               max(document of tools with methods) / max(document)

    The graph speaks for tools that have methods. Trust keeps it from burying tools without methods that the
    query's words fit better; where every tool has methods it is 1. Templates and concepts may say more than
    that, because their words are in no tool's document.

    All arrays are (N,), 0 or more; a channel that is not there is all 0. `with_methods` is true for tools that a method is
    implemented by; None: none is.
    """
    peak = float(document.max(initial=0.0))
    led_to = 0.0 if with_methods is None else float(document[with_methods].max(initial=0.0))
    trust = led_to / peak if peak > 0 else 1.0
    units = dict.fromkeys(_channel_weights(recipe), 0.0)
    for channel, weight in _channel_weights(recipe).items():
        top = float(channels[channel].max(initial=0.0)) if channel in channels else 0.0
        if top > 0:
            own = channel in {Channel.TEMPLATE, Channel.CONCEPT} and peak > 0
            units[channel] = weight * (max(trust, min(1.0, top / peak)) if own else trust) / top
    return units


def fuse_auto(
    document: Array,
    channels: Mapping[Channel, Array],
    units: Mapping[Channel, float],
    *,
    with_methods: Mask | None,
    recipe: RankingRecipe = RECIPE,
) -> Array:
    """0.4 of the document's share of the best document, and each channel times its unit of `auto_units`.

    A tool without a method has 0.3 of its document's share in place of power and of sum each; so has every
    tool when the query found no method. Arguments as for `auto_units`.
    """
    text = by_maximum(document)
    fused = recipe.document_weight * text
    for channel, weight in _channel_weights(recipe).items():
        instead = channel in {Channel.POWER, Channel.SUM}
        reached = units[channel] * channels[channel] if units[channel] > 0 else None
        if reached is not None and not instead:
            fused += reached
        elif reached is not None and with_methods is not None:
            fused += np.where(with_methods, reached, weight * text)
        elif instead:
            fused += weight * text
    return fused


def suggestion_unit(
    said_by_common: float, said_by_best: float, closeness: float, *, recipe: RankingRecipe = RECIPE
) -> float:
    """What one unit of the channel `suggestion` adds to a score of `auto`: 3 said_by_common (1 - said_by_best) closeness.

    Words decide where the best tool says what is asked for, or is far ahead; common methods speak where they say it.

    Args:
        said_by_common: Share of the request, by the rarity of its words, that the best common method says.
        said_by_best: The same of the best tool without suggestions.
        closeness: The second-best score divided by the best.
        recipe: The weights.
    """
    return recipe.suggestion_weight * said_by_common * (1 - said_by_best) * closeness


def meaning_unit(stated: float, *, recipe: RankingRecipe = RECIPE) -> float:
    """What one unit of closeness in meaning counts, where the best score by words and graph is 1.

    Args:
        stated: Share of the tools of which a taxonomy states what they do.
        recipe: The weights.
    """
    return (1 - stated) * recipe.meaning_weight + stated * recipe.stated_meaning_weight


def open_meaning_unit(
    said: float, clauses: int, *, stated: float = 0.0, recipe: RankingRecipe = RECIPE
) -> float:
    """What closeness in meaning adds to a score of `auto` where words say little: (1 - stated) (1 - said) / sqrt(clauses).

    Args:
        said: Share of the request, by the rarity of its words, that the best tools say, one for each clause.
        clauses: `intent.count_clauses`: the tools of a request for several things are not all close to it.
        stated: As for `meaning_unit`.
        recipe: The weights.
    """
    return recipe.open_meaning_weight * (1 - stated) * (1 - said) / math.sqrt(clauses)


def server_shares(
    scores: Array, servers: Positions, sizes: Array, *, recipe: RankingRecipe = RECIPE
) -> Array:
    """How well the other tools of a tool's server fit, 0 to 1; all 0 with fewer than 3 servers.

        mean over all tools of the server of score / max(score), divided by the best server's mean

    Tools that are left out of `scores` count as 0. `servers` holds the number of each tool's server, `NO_SERVER`
    where it has none (its share is 0: tools that only a taxonomy names have nothing in common); `sizes` the number of
    tools of each server, 0 for one that does not count.
    """
    if np.count_nonzero(sizes) < recipe.min_servers or not scores.any():
        return np.zeros_like(scores)
    if servers.min() == NO_SERVER:
        shares = np.zeros_like(scores)
        served = np.flatnonzero(servers != NO_SERVER)
        if served.size:
            shares[served] = _served_shares(scores[served], servers[served], sizes)
        return shares
    return _served_shares(scores, servers, sizes)


def _served_shares(scores: Array, servers: Positions, sizes: Array) -> Array:
    """`server_shares` of tools that have one. The maximum of the scores cancels out."""
    # Numbers close up only where the servers are many: sorting costs more than it spares.
    if sizes.size > _SPARSE * servers.size:
        found, servers = np.unique(servers, return_inverse=True)
        sizes = sizes[found]
    sums = np.bincount(servers, weights=scores, minlength=sizes.size)
    return by_maximum(sums / np.maximum(sizes, 1))[servers]


def boost_by_server(scores: Array, shares: Array, *, recipe: RankingRecipe = RECIPE) -> Array:
    """Scores divided by their maximum, times 1 + 0.5 * share; 0 to 1.5."""
    boosted = by_maximum(scores)
    boosted *= 1 + recipe.server_weight * shares
    return boosted


@dataclass(frozen=True)
class TailMix:
    """A ranking whose tail was ordered by feedback."""

    scores: Array
    head: Positions
    """The tools that kept their scores, best first."""
    own_unit: float
    """What a tool's own score is multiplied by in the tail."""
    feedback_unit: float
    """What a tool's feedback is multiplied by in the tail."""


def mix_tail(scores: Array, feedback: Array, *, recipe: RankingRecipe = RECIPE) -> TailMix:
    """The 5 best tools as they are, the rest half by its own score, half by that of the expanded query.

        tail = c * (0.5 * score / max(score) + 0.5 * feedback / max(feedback))

    c is 1, or less where the tail would start above the end of the head: the order of the values is the
    order of the ranking. Feedback also finds tools that no word of the query names. Where no score is above
    0 there is no feedback to take, and nothing changes.
    """
    head = best(scores, recipe.head)
    if not head.size:
        return TailMix(scores, head, 1.0, 0.0)
    own_unit = (1 - recipe.feedback_mix) / float(scores.max())
    feedback_unit = recipe.feedback_mix / (float(feedback.max()) or 1.0)
    mixed = own_unit * scores
    mixed += feedback_unit * feedback
    mixed[head] = 0.0
    start, end = float(mixed.max()), float(scores[head[-1]])
    shrink = min(1.0, TAIL_SHARE * end / start) if start > 0 else 1.0
    mixed *= shrink
    mixed[head] = scores[head]
    return TailMix(mixed, head, own_unit * shrink, feedback_unit * shrink)


def expand_query(
    query: Mapping[int, float],
    scores: Array,
    *,
    worths_of: Callable[[list[int]], tuple[Positions, Positions, Array]],
    term_of: Callable[[int], str],
    recipe: RankingRecipe = RECIPE,
) -> dict[int, float]:
    """The query with the 10 heaviest terms of its 5 best tools, at 0.3 of its own mass.

        weight(t) = query(t) + 0.3 * sum(query) * w(t) / sum of w over the 10 terms
        w(t)      = sum over the best tools of score / sum(score) * worth of t in the tool

    Equal terms are taken in alphabetical order, so that the numbers of the terms do not matter.

    Args:
        query: Term number -> weight.
        scores: One score per tool; with none above 0 the query stays as it is.
        worths_of: Places of tools in `scores` -> terms of these: which tool's it is, the term's number, its worth.
        term_of: The term of a number.
        recipe: How many tools and terms, and how much mass.

    Source:
        Lavrenko, Croft: Relevance-based language models. SIGIR 2001; Abdul-Jaleel et al.: UMass at TREC 2004
        (RM3).
    """
    tools = best(scores, recipe.feedback_tools)
    expanded = dict(query)
    if not tools.size:
        return expanded
    shares = scores[tools] / scores[tools].sum()
    owners, numbers, worths = worths_of(tools.tolist())
    found, where = np.unique(numbers, return_inverse=True)
    weights: Array = np.bincount(where, weights=worths * shares[owners]).astype(np.float64)
    chosen = _heaviest(weights, [term_of(number) for number in found.tolist()], count=recipe.feedback_terms)
    total = float(weights[chosen].sum())
    mass = recipe.feedback_mass * sum(query.values())
    # In the order of their weight: the order of adding is the same for every numbering.
    for position in chosen:
        number = int(found[position])
        expanded[number] = expanded.get(number, 0.0) + mass * float(weights[position]) / total
    return expanded


def _heaviest(weights: Array, terms: Sequence[str], *, count: int) -> list[int]:
    grains = rounded(weights)
    if grains.size > count:
        threshold = np.partition(grains, grains.size - count)[grains.size - count]
        candidates = np.flatnonzero(grains >= threshold).tolist()
    else:
        candidates = list(range(grains.size))
    return sorted(candidates, key=lambda position: (-grains[position], terms[position]))[:count]
