"""What each score was made of. The reasons of a tool add up to its score."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from app.answers.search import ReasonKind, Why, WhyStep
from app.domain.catalogue import Catalogue
from app.domain.language.countries import COUNTRY_TERM, named_country
from app.domain.language.korean import in_english, korean_words
from app.domain.language.text import auto_terms, joined_terms, reference_terms, split_words, term_pairs
from app.domain.nodes.models import EdgeKind
from app.domain.ranking.fields import bm25f_terms
from app.domain.ranking.formulas import significant
from app.domain.ranking.graph_scores import Channel, Contribution, auto_contributions, kg_hybrid_contributions
from app.domain.ranking.intent import query_acts
from app.usecases.index.search_index import OF_METHODS, SearchIndex, tool_document_fields
from app.usecases.rankings.rankers import AutoRanking, Bm25Ranking, KgHybridRanking

Ranking: TypeAlias = Bm25Ranking | KgHybridRanking | AutoRanking

_KINDS = {
    EdgeKind.USES: ReasonKind.TEMPLATE,
    EdgeKind.RELATED_TO: ReasonKind.CONCEPT,
    EdgeKind.IMPLEMENTS: ReasonKind.METHOD,
}
"""First edge of a path -> what the path is; all other paths go over a neighbour."""
Surfaces = Mapping[str, str]
"""Term -> the word of the query that it stands for."""
_QUERIES_AT_ONCE = 16
"""An answer explains up to 100 tools with the same words; that is how many are made side by side."""


def explain(
    query: str, ranking: Ranking, found: Sequence[int], index: SearchIndex
) -> dict[int, tuple[Why, ...]]:
    """Position of each found tool -> its reasons, largest contribution first."""
    paths = _paths_by_tool(ranking, index)
    return {position: _explain_one(query, ranking, position, paths, index) for position in found}


def _explain_one(
    query: str,
    ranking: Ranking,
    position: int,
    paths: Mapping[str, Sequence[Contribution]],
    index: SearchIndex,
) -> tuple[Why, ...]:
    own = paths.get(index.catalogue.tools[position].id, ())
    if isinstance(ranking, Bm25Ranking):
        reasons = reference_words(query, ranking.terms, position, unit=1.0, index=index)
    elif isinstance(ranking, KgHybridRanking):
        reasons = _explain_kg_hybrid(query, ranking, position, own, index)
    else:
        reasons = _explain_auto(query, ranking, position, own, index)
    tidied = (
        replace(reason, contribution=significant(reason.contribution))
        for reason in reasons
        if reason.contribution != 0
    )
    return tuple(sorted(tidied, key=lambda reason: (-reason.contribution, reason.kind, reason.term or "")))


def _explain_kg_hybrid(
    query: str,
    ranking: KgHybridRanking,
    position: int,
    paths: Sequence[Contribution],
    index: SearchIndex,
) -> list[Why]:
    reasons = []
    if ranking.text[position] > 0:
        unit = index.recipe.text_share / float(ranking.text.max())
        reasons += reference_words(query, ranking.terms, position, unit=unit, index=index)
    peak = float(ranking.reached.max())
    units = {Channel.GRAPH: (1 - index.recipe.text_share) / peak if peak > 0 else 0.0}
    return [*reasons, *_path_reasons(paths, units, 1.0, index.catalogue)]


def _explain_auto(
    query: str,
    ranking: AutoRanking,
    position: int,
    paths: Sequence[Contribution],
    index: SearchIndex,
) -> list[Why]:
    """Words, name and intent make the document's score; paths, server and feedback come on top."""
    feedback = ranking.feedback
    in_tail = feedback is not None and position not in feedback.tail.head
    stretch = feedback.tail.own_unit if feedback is not None and in_tail else 1.0
    unit = stretch / float(ranking.fused.max())
    reasons = _document_reasons(query, ranking, position, unit, index)
    reasons += _path_reasons(paths, ranking.units, unit, index.catalogue)
    reasons.append(
        Why(
            ReasonKind.SERVER,
            unit * float(ranking.fused[position] * index.recipe.server_weight * ranking.shares[position]),
            detail=f"server {index.catalogue.tools[position].server!r} fits at {ranking.shares[position]:.2f}",
        )
    )
    if feedback is not None and in_tail:
        added = [index.auto.terms[number] for number in feedback.query if number not in ranking.query]
        reasons.append(
            Why(
                ReasonKind.FEEDBACK,
                feedback.tail.feedback_unit * float(feedback.scores[position]),
                detail=f"words of the best tools: {', '.join(added)}",
            )
        )
    return reasons


def _document_reasons(
    query: str,
    ranking: AutoRanking,
    position: int,
    unit: float,
    index: SearchIndex,
) -> list[Why]:
    peak = float((ranking.words * ranking.factor).max(initial=0.0))
    if peak == 0 or ranking.words[position] == 0:
        return []
    weight = index.recipe.document_weight
    if not (index.with_methods[position] and ranking.units[Channel.POWER] > 0):
        weight += index.recipe.power_weight + index.recipe.sum_weight
    unit *= weight / peak
    words = float(ranking.words[position])
    cover, intent = float(ranking.cover[position]), float(ranking.intent[position])
    resources = float(ranking.resources[position])
    asked = ", ".join(sorted(query_acts(in_english(query) or query))) or "nothing known"
    offered = ", ".join(sorted(index.analyses.facts[position].acts)) or "nothing known"
    return [
        *auto_words(query, ranking.query, position, unit=unit, index=index),
        Why(
            ReasonKind.NAME,
            unit * words * index.recipe.name_weight * cover,
            detail=f"{cover:.0%} of the name is in the query",
        ),
        Why(
            ReasonKind.INTENT,
            unit * words * index.recipe.intent_weight / ranking.clauses * intent,
            detail=f"asked for: {asked}; the tool's name or description says: {offered}",
        ),
        Why(
            ReasonKind.OBJECT,
            unit * words * index.recipe.object_weight / ranking.clauses * float(ranking.objects[position]),
            detail="the query is about what the tool works on",
        ),
        Why(
            ReasonKind.RESOURCE,
            unit * words * index.recipe.resource_weight / ranking.clauses * resources,
            detail=f"{resources:.0%} of what its path names is in the query",
        ),
    ]


def _paths_by_tool(ranking: Ranking, index: SearchIndex) -> dict[str, list[Contribution]]:
    paths: dict[str, list[Contribution]] = {}
    for path in _paths(ranking, index):
        paths.setdefault(path.tool, []).append(path)
    return paths


def _paths(ranking: Ranking, index: SearchIndex) -> Iterable[Contribution]:
    if isinstance(ranking, KgHybridRanking):
        return kg_hybrid_contributions(
            index.catalogue, methods=ranking.methods, templates=ranking.templates, recipe=index.recipe
        )
    if isinstance(ranking, AutoRanking):
        return auto_contributions(
            index.catalogue,
            methods=ranking.methods,
            templates=ranking.templates,
            concepts=ranking.concepts,
            recipe=index.recipe,
        )
    return ()


def _path_reasons(
    paths: Iterable[Contribution], units: Mapping[Channel, float], stretch: float, catalogue: Catalogue
) -> list[Why]:
    """One reason per path; what a path gives to several channels is added up."""
    values: dict[tuple[WhyStep, ...], float] = {}
    kinds: dict[tuple[WhyStep, ...], ReasonKind] = {}
    for path in paths:
        steps = tuple(
            WhyStep(node, _name(node, edge, catalogue), edge.value)
            for node, edge in zip(path.via, path.edges, strict=True)
        )
        share = stretch * units[path.channel] * path.value
        values[steps] = values.get(steps, 0.0) + share
        kinds[steps] = _KINDS.get(path.edges[0], ReasonKind.NEIGHBOUR)
    return [Why(kinds[steps], value, path=steps) for steps, value in values.items()]


def _name(node: str, edge: EdgeKind, catalogue: Catalogue) -> str:
    """The name of a node that an edge of this kind leaves."""
    if edge is EdgeKind.USES:
        return catalogue.template_by_id[node].name
    if edge is EdgeKind.RELATED_TO:
        return catalogue.concept_by_id[node].name
    return catalogue.method_by_id[node].name


def reference_words(
    query: str, terms: Sequence[str], position: int, *, unit: float, index: SearchIndex
) -> list[Why]:
    """BM25 of one tool by term, each times `unit`."""
    surfaces = _surfaces(query, reference_terms)
    tool = set(index.analyses.tools[position].reference)
    reasons = []
    for term, count in Counter(terms).items():
        share = float(index.reference.tools.scores([term] * count)[position])
        if share > 0:
            fields = ("tool",) if term in tool else ("methods",)
            reasons.append(
                Why(ReasonKind.WORD, share * unit, word=surfaces.get(term, term), term=term, fields=fields)
            )
    return reasons


def auto_words(
    query: str, weights: Mapping[int, float], position: int, *, unit: float, index: SearchIndex
) -> list[Why]:
    """BM25F of one tool by term, each times `unit`, with the fields that hold the term."""
    surfaces = _auto_surfaces(query)
    auto = index.auto
    shares = bm25f_terms(
        weights,
        document_of(position, index),
        weights=tool_document_fields(index.recipe),
        mean_lengths=auto.tools.mean_lengths,
        idfs={number: float(auto.tools.idfs[number]) for number in weights},
    )
    by_term: defaultdict[int, list[tuple[float, str]]] = defaultdict(list)
    for (number, field), share in shares.items():
        by_term[number].append((share, field))
    return [
        Why(
            ReasonKind.WORD,
            sum(share for share, _ in parts) * unit,
            word=surfaces.get(auto.terms[number], auto.terms[number]) or None,
            term=auto.terms[number],
            fields=tuple(field for _, field in sorted(parts, key=lambda part: (-part[0], part[1]))),
        )
        for number, parts in by_term.items()
    ]


def document_of(position: int, index: SearchIndex) -> dict[str, list[int]]:
    """Field -> term numbers of a tool's document, the texts of its methods and generators included."""
    document: dict[str, list[int]] = {}
    analyses = index.analyses
    tool = analyses.tools[position]
    _add_fields(document, index.recipe.tool_fields, tool.numbers.tolist(), tool.lengths, prefix="")
    pointers = index.of_methods.indptr
    for number in index.of_methods.indices[pointers[position] : pointers[position + 1]].tolist():
        generator = number - len(analyses.methods)
        if generator < 0:
            numbers, lengths = analyses.methods[number].numbers, analyses.methods[number].lengths
        else:
            numbers, lengths = analyses.generators[generator].numbers, analyses.generators[generator].lengths
        _add_fields(document, index.recipe.method_fields, numbers.tolist(), lengths, prefix=OF_METHODS)
    return document


def _add_fields(
    document: dict[str, list[int]],
    fields: Mapping[str, float],
    numbers: Sequence[int],
    lengths: Sequence[int],
    *,
    prefix: str,
) -> None:
    start = 0
    for field, length in zip(fields, lengths, strict=True):
        document.setdefault(prefix + field, []).extend(numbers[start : start + length])
        start += length


@lru_cache(_QUERIES_AT_ONCE)
def _auto_surfaces(query: str) -> Surfaces:
    surfaces = dict(_surfaces(query, auto_terms))
    words = split_words(query)
    for term, joined in joined_terms(words).items():
        surfaces.setdefault(term, joined)
    surfaces.setdefault(COUNTRY_TERM, named_country(query))
    for korean, english in korean_words(query):
        for term in auto_terms(english):
            surfaces.setdefault(term, korean)
    for pair in term_pairs(f"{query}\n{in_english(query)}"):
        surfaces.setdefault(pair, " ".join(dict.fromkeys(surfaces.get(term, term) for term in pair.split())))
    return surfaces


@lru_cache(_QUERIES_AT_ONCE)
def _surfaces(query: str, terms_of: Callable[[str], list[str]]) -> Surfaces:
    surfaces: dict[str, str] = {}
    for word in query.split():
        for term in terms_of(word):
            surfaces.setdefault(term, word.strip(".,;:!?\"'()[]"))
    return surfaces
