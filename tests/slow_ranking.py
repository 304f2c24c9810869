"""`auto` as its formulas say it, tool by tool and word by word: what the ranking in use is held to.

Nothing of the index is used: no arrays of postings, no candidates, nothing that is kept between two queries.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from app.domain.catalogue import Catalogue
from app.domain.language.text import auto_terms, reference_terms, term_pairs
from app.domain.nodes.models import Concept, Method, MethodId, MethodSeed, ScoredId, Template, Tool
from app.domain.ranking.documents import (
    PAIRED_FIELDS,
    concept_texts,
    generator_texts,
    method_texts,
    template_texts,
    tool_text,
    tool_texts,
)
from app.domain.ranking.fields import K1, B, bm25f_terms, idf, query_weight
from app.domain.ranking.graph_scores import auto_contributions, channel_sums
from app.domain.ranking.intent import ACTIONS, compatibility, count_clauses, query_acts, tool_acts, verb_terms
from app.domain.ranking.intent_objects import path_terms, query_objects, tool_object
from app.domain.ranking.recipe import PAIRS, RECIPE

Document = dict[str, list[str]]
"""Field -> terms."""
Scores = dict[str, float]
"""Tool id -> score; tools of 0 are left out."""


def slow_auto(query: str, catalogue: Catalogue) -> Scores:
    """The scores of `auto` for requests of English words, of which each is said once."""
    speaking = [one for one in catalogue.methods if not one.common]
    tools = [_tool_document(tool, catalogue) for tool in catalogue.tools]
    methods = [_document(method_texts(one), RECIPE.method_fields) for one in speaking]
    templates = [_document(template_texts(one), RECIPE.template_fields) for one in catalogue.templates]
    concepts = [_document(concept_texts(one), RECIPE.concept_fields) for one in catalogue.concepts]
    held = {
        term
        for kind in (tools, methods, templates, concepts)
        for one in kind
        for terms in one.values()
        for term in terms
    }
    asked = _asked(query, held)

    weights = {
        **RECIPE.tool_fields,
        **{f"method_{name}": worth for name, worth in RECIPE.method_fields_of_tool.items()},
    }
    words = _bm25f(asked, tools, weights)
    factors = [_factor(query, asked, tool, catalogue) for tool in catalogue.tools]
    document = [word * factor for word, factor in zip(words, factors, strict=True)]

    found = _seeds(_bm25f(asked, methods, RECIPE.method_fields), speaking, RECIPE.auto_method_seeds)
    seeds = [
        MethodSeed(id=MethodId(one.id), power=(one.score / found[0].score) ** 3, sum=one.score)
        for one in found
    ]
    channels = channel_sums(
        auto_contributions(
            catalogue,
            methods=seeds,
            templates=_seeds(
                _bm25f(asked, templates, RECIPE.template_fields),
                catalogue.templates,
                RECIPE.auto_template_seeds,
            ),
            concepts=_seeds(
                _bm25f(asked, concepts, RECIPE.concept_fields), catalogue.concepts, RECIPE.auto_concept_seeds
            ),
        )
    )
    fused = _fused(document, channels, catalogue)
    boosted = _boosted(fused, catalogue)
    if any(method.implements for method in catalogue.methods):
        scores = boosted
    else:
        scores = _mixed(boosted, asked, tools, weights, factors, catalogue)
    scores = _suggested(query, held, scores, tools, catalogue)
    return {tool.id: score for tool, score in zip(catalogue.tools, scores, strict=True) if score > 0}


def _asked(query: str, held: Set[str]) -> dict[str, float]:
    asked = {term: query_weight(count) for term, count in Counter(auto_terms(query)).items() if term in held}
    return asked | {pair: RECIPE.pair_weight for pair in term_pairs(query) if pair in held}


def _suggested(
    query: str, held: Set[str], scores: Sequence[float], tools: Sequence[Document], catalogue: Catalogue
) -> list[float]:
    """The scores with what methods of the common taxonomy suggest."""
    suggesting = [one for one in catalogue.methods if one.common]
    documents = [_document(method_texts(one), RECIPE.method_fields) for one in suggesting]
    heard = _asked(query, held | {term for one in documents for terms in one.values() for term in terms})
    found = _seeds(_bm25f(heard, documents, RECIPE.method_fields), suggesting, RECIPE.common_seeds)
    if not found:
        return list(scores)
    powers = {one.id: (one.score / found[0].score) ** 3 for one in found}
    links = [
        (link.target, powers[one.id] * link.weight)
        for one in suggesting
        if one.id in powers
        for link in one.suggests
    ]
    given = [max((value for tool, value in links if tool == one.id), default=0.0) for one in catalogue.tools]

    said = set(auto_terms(query))
    rarities = {
        term: idf(len(documents), sum(any(term in terms for terms in one.values()) for one in documents))
        for term in said
    }

    def share(document: Document) -> float:
        own = {term for terms in document.values() for term in terms}
        return math.fsum(rarities[term] for term in said & own) / math.fsum(rarities.values())

    ordered = sorted(range(len(scores)), key=lambda at: (-round(scores[at], 9), at))
    first = [at for at in ordered if scores[at] > 0][:2]
    closeness = scores[first[1]] / scores[first[0]] if len(first) > 1 else float(not first)
    best_common = documents[[one.id for one in suggesting].index(MethodId(found[0].id))]
    unit = (
        RECIPE.suggestion_weight
        * share(best_common)
        * closeness
        * (1 - share(tools[first[0]]) if first else 1)
    )
    return [score + unit * value for score, value in zip(scores, given, strict=True)]


def slow_bm25(query: str, catalogue: Catalogue) -> Scores:
    """BM25 over KG-Hybrid's documents."""
    documents = []
    for tool in catalogue.tools:
        texts = [tool_text(tool_texts(tool))]
        texts += ["\n".join(method_texts(one)[:5]) for one in catalogue.methods if tool.id in one.implements]
        texts += ["\n".join(generator_texts(one)) for one in catalogue.generators if one.tool == tool.id]
        documents.append([term for text in texts for term in reference_terms(text)])
    mean = sum(map(len, documents)) / len(documents) if documents else 0
    found = {}
    for tool, terms in zip(catalogue.tools, documents, strict=True):
        score = 0.0
        for term in reference_terms(query):
            if count := terms.count(term):
                x = count / (1 - B + B * len(terms) / mean)
                score += idf(len(documents), sum(term in one for one in documents)) * (K1 + 1) * x / (K1 + x)
        if score:
            found[tool.id] = score
    return found


def _document(texts: Sequence[str], fields: Mapping[str, float]) -> Document:
    document = {name: auto_terms(text) for name, text in zip(fields, texts, strict=False)}
    if PAIRS in fields:
        paired = [text for name, text in zip(fields, texts, strict=False) if name in PAIRED_FIELDS]
        document[PAIRS] = term_pairs("\n".join(paired))
    return document


def _tool_document(tool: Tool, catalogue: Catalogue) -> Document:
    document = _document(tool_texts(tool), RECIPE.tool_fields)
    texts = [method_texts(one) for one in catalogue.methods if tool.id in one.implements]
    texts += [generator_texts(one) for one in catalogue.generators if one.tool == tool.id]
    for one in texts:
        for name, terms in _document(one, RECIPE.method_fields).items():
            document.setdefault(f"method_{name}", []).extend(terms)
    return document


def _bm25f(
    asked: Mapping[str, float], documents: Sequence[Document], weights: Mapping[str, float]
) -> list[float]:
    shares = [_shares(asked, one, documents, weights) for one in documents]
    return [math.fsum(one.values()) for one in shares]


def _shares(
    asked: Mapping[str, float],
    document: Document,
    documents: Sequence[Document],
    weights: Mapping[str, float],
) -> dict[tuple[str, str], float]:
    means = {}
    for field in weights:
        lengths = [len(one.get(field, ())) for one in documents]
        held = [length for length in lengths if length]
        means[field] = sum(held) / len(held) if held else 1.0
    frequencies = {
        term: sum(any(term in terms for terms in one.values()) for one in documents) for term in asked
    }
    idfs = {term: idf(len(documents), frequency) for term, frequency in frequencies.items() if frequency}
    return bm25f_terms(asked, document, weights=weights, mean_lengths=means, idfs=idfs)


def _factor(query: str, asked: Mapping[str, float], tool: Tool, catalogue: Catalogue) -> float:
    clauses = count_clauses(query)
    table = compatibility()
    offered = tool_acts(tool)
    intent = max(
        (
            strength
            * max(
                float(table[ACTIONS.index(act), ACTIONS.index(own)]) * sure for own, sure in offered.items()
            )
            for act, strength in query_acts(query).items()
            if offered
        ),
        default=0.0,
    )
    names = [set(auto_terms(one.name)) - verb_terms() for one in catalogue.tools]
    own = set(auto_terms(tool.name)) - verb_terms()
    worth = {term: idf(len(names), sum(term in name for name in names)) for term in own}
    cover = sum(worth[term] for term in own if term in asked) / sum(worth.values()) if own else 0.0
    matches = 1.0 if tool_object(tool.name) in query_objects(query) else 0.0
    named = path_terms(tool.path)
    said = sum(term in asked for term in named) / len(named) if named else 0.0
    return (
        1
        + RECIPE.name_weight * cover
        + (RECIPE.intent_weight * intent + RECIPE.object_weight * matches + RECIPE.resource_weight * said)
        / clauses
    )


def _seeds(scores: Sequence[float], nodes: Sequence[Method | Template | Concept], k: int) -> list[ScoredId]:
    ordered = sorted(zip(scores, nodes, strict=True), key=lambda one: (-float(f"{one[0]:.9g}"), one[1].id))
    return [ScoredId(id=node.id, score=score) for score, node in ordered[:k] if score > 0]


def _fused(
    document: Sequence[float], channels: Mapping[str, Mapping[str, float]], catalogue: Catalogue
) -> list[float]:
    speaking = {tool for method in catalogue.methods for tool in method.implements}
    peak = max(document, default=0.0)
    trusted = max(
        (one for one, tool in zip(document, catalogue.tools, strict=True) if tool.id in speaking), default=0.0
    )
    trust = trusted / peak if peak > 0 else 1.0
    units = {}
    for name, weight in (("power", 0.3), ("sum", 0.3), ("template", 0.2), ("concept", 0.2)):
        top = max(channels.get(name, {}).values(), default=0.0)
        sure = max(trust, min(1.0, top / peak)) if name in ("template", "concept") and peak > 0 else trust
        units[name] = weight * sure / top if top > 0 else 0.0
    found = []
    for value, tool in zip(document, catalogue.tools, strict=True):
        text = value / peak if peak > 0 else 0.0
        score = RECIPE.document_weight * text
        for name in ("power", "sum"):
            spoken = tool.id in speaking and units[name] > 0
            score += units[name] * channels[name].get(tool.id, 0.0) if spoken else 0.3 * text
        for name in ("template", "concept"):
            score += units[name] * channels.get(name, {}).get(tool.id, 0.0)
        found.append(score)
    return found


def _boosted(scores: Sequence[float], catalogue: Catalogue) -> list[float]:
    peak = max(scores, default=0.0)
    if peak <= 0:
        return [0.0] * len(scores)
    of_server: dict[str, list[float]] = {}
    for score, tool in zip(scores, catalogue.tools, strict=True):
        if tool.server:
            of_server.setdefault(tool.server, []).append(score / peak)
    means = {server: sum(values) / len(values) for server, values in of_server.items()}
    top = max(means.values(), default=0.0)
    counts = len(means) >= RECIPE.min_servers and top > 0
    return [
        score / peak * (1 + RECIPE.server_weight * (means.get(tool.server, 0.0) / top if counts else 0.0))
        for score, tool in zip(scores, catalogue.tools, strict=True)
    ]


def _mixed(
    boosted: Sequence[float],
    asked: Mapping[str, float],
    documents: Sequence[Document],
    weights: Mapping[str, float],
    factors: Sequence[float],
    catalogue: Catalogue,
) -> list[float]:
    ordered = [
        at
        for at in sorted(range(len(boosted)), key=lambda at: (-round(boosted[at], 9), at))
        if boosted[at] > 0
    ]
    head = ordered[: RECIPE.head]
    if not head:
        return list(boosted)
    best = ordered[: RECIPE.feedback_tools]
    worths: Counter[str] = Counter()
    for at in best:
        every = {term: 1.0 for terms in documents[at].values() for term in terms}
        for (term, _), share in _shares(every, documents[at], documents, weights).items():
            worths[term] += share * boosted[at] / sum(boosted[one] for one in best)
    heaviest = sorted(worths, key=lambda term: (-float(f"{worths[term]:.7g}"), term))[: RECIPE.feedback_terms]
    mass = RECIPE.feedback_mass * sum(asked.values()) / sum(worths[term] for term in heaviest)
    expanded = dict(asked)
    for term in heaviest:
        expanded[term] = expanded.get(term, 0.0) + mass * worths[term]
    words = [
        word * factor for word, factor in zip(_bm25f(expanded, documents, weights), factors, strict=True)
    ]
    feedback = _boosted(words, catalogue)
    half = RECIPE.feedback_mix
    tail = [
        0.0 if at in head else (1 - half) * boosted[at] / max(boosted) + half * feedback[at] / max(feedback)
        for at in range(len(boosted))
    ]
    end, start = boosted[head[-1]], max(tail)
    shrink = min(1.0, 0.99 * end / start) if start > 0 else 1.0
    return [boosted[at] if at in head else tail[at] * shrink for at in range(len(boosted))]
