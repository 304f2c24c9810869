"""What each score was made of. The reasons of a tool add up to its score."""

import math
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from app.answers.search import ReasonKind, Why, WhyStep
from app.domain.catalogue import Catalogue
from app.domain.language.countries import COUNTRY_TERM, named_country
from app.domain.language.foreign import english_words, in_english
from app.domain.language.text import auto_terms, joined_terms, reference_terms, split_words, term_pairs
from app.domain.nodes.models import EdgeKind, Tool
from app.domain.ranking.fields import bm25f_terms
from app.domain.ranking.formulas import meaning_unit, significant
from app.domain.ranking.graph_scores import Channel, Contribution, auto_contributions, kg_hybrid_contributions
from app.domain.ranking.views import DocumentView
from app.usecases.index.counts import TEXT
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.views import CatalogueView
from app.usecases.index.whole import tool_document_fields
from app.usecases.rankings.auto_ranking import AutoRanking
from app.usecases.rankings.meant import Meant, NeedsMet
from app.usecases.rankings.rankers import Bm25Ranking, KgHybridRanking, reference_weights
from app.usecases.rankings.ranking import Ranking

_KINDS = {
    EdgeKind.USES: ReasonKind.TEMPLATE,
    EdgeKind.RELATED_TO: ReasonKind.CONCEPT,
    EdgeKind.IMPLEMENTS: ReasonKind.METHOD,
    EdgeKind.SUGGESTS: ReasonKind.METHOD,
}
"""First edge of a path -> what the path is; all other paths go over a neighbour."""
Surfaces = Mapping[str, str]
"""Term -> the word of the query that it stands for."""
_QUERIES_AT_ONCE = 16
"""An answer explains up to 100 tools with the same words; that is how many are made side by side."""


def explain(
    query: str, ranking: Ranking, found: Sequence[int], index: SearchIndex, view: CatalogueView
) -> dict[int, tuple[Why, ...]]:
    """Position of each found tool -> its reasons, largest contribution first."""
    paths = _paths_by_tool(ranking, frozenset(index.catalogue.tools[one].id for one in found), index)
    return {
        position: _tidied(_explain_one(query, ranking, position, paths, index, view)) for position in found
    }


UNREVIEWED = Why(
    ReasonKind.UNREVIEWED, 0.0, detail="nobody has reviewed it: a baseline alone accepted what is said of it"
)
"""The reason with which those of a tool begin that a baseline alone accepted."""


def with_review(
    reasons: Mapping[int, tuple[Why, ...]], tools: Sequence[Tool]
) -> Mapping[int, tuple[Why, ...]]:
    """The reasons, by the tools' positions, each with what nobody has reviewed said first."""
    return {
        position: (UNREVIEWED, *own) if tools[position].reviewed is False else own
        for position, own in reasons.items()
    }


def _explain_one(
    query: str,
    ranking: Ranking,
    position: int,
    paths: Mapping[str, Sequence[Contribution]],
    index: SearchIndex,
    view: CatalogueView,
) -> list[Why]:
    own = paths.get(index.catalogue.tools[position].id, ())
    if isinstance(ranking, Bm25Ranking):
        return reference_words(query, ranking.terms, position, unit=1.0, index=index, view=view)
    place = ranking.place(position)
    if place is None:
        return []
    if isinstance(ranking, KgHybridRanking):
        return _explain_kg_hybrid(query, ranking, place, own, index, view)
    if isinstance(ranking, AutoRanking):
        return _explain_auto(query, ranking, place, own, index, view)
    return []


def _tidied(reasons: Iterable[Why]) -> tuple[Why, ...]:
    tidied = (
        replace(reason, contribution=significant(reason.contribution))
        for reason in reasons
        if reason.contribution != 0
    )
    return tuple(sorted(tidied, key=lambda reason: (-reason.contribution, reason.kind, reason.term or "")))


def _explain_kg_hybrid(
    query: str,
    ranking: KgHybridRanking,
    place: int,
    paths: Sequence[Contribution],
    index: SearchIndex,
    view: CatalogueView,
) -> list[Why]:
    reasons = []
    position = int(ranking.positions[place])
    if ranking.text[place] > 0:
        unit = index.recipe.text_share / float(ranking.text.max())
        reasons += reference_words(query, ranking.terms, position, unit=unit, index=index, view=view)
    peak = float(ranking.reached.max())
    units = {Channel.GRAPH: (1 - index.recipe.text_share) / peak if peak > 0 else 0.0}
    return [*reasons, *_path_reasons(paths, units, 1.0, index.catalogue)]


def _explain_auto(
    query: str,
    ranking: AutoRanking,
    place: int,
    paths: Sequence[Contribution],
    index: SearchIndex,
    view: CatalogueView,
) -> list[Why]:
    """Words, name and intent make the document's score; paths, server and feedback come on top."""
    feedback, candidates = ranking.mixed.feedback, ranking.candidates
    position = int(ranking.positions[place])
    in_tail = feedback is not None and place not in feedback.tail.head
    stretch = feedback.tail.own_unit if feedback is not None and in_tail else 1.0
    # Without a tool that the words name, suggestions are all there is.
    unit = stretch / (float(candidates.fused.max()) or 1.0)
    suggesting = [path for path in paths if path.channel is Channel.SUGGESTION]
    others = [path for path in paths if path.channel is not Channel.SUGGESTION]
    own_unit = unit * candidates.word_unit
    reasons = _path_reasons(others, candidates.units, own_unit, index.catalogue)
    reasons += _path_reasons(suggesting, {Channel.SUGGESTION: ranking.suggestions.unit}, 1.0, index.catalogue)
    at = int(candidates.positions.searchsorted(position))
    if at < candidates.positions.size and candidates.positions[at] == position:
        reasons += _document_reasons(query, ranking, at, own_unit, index, view)
        close_unit = unit * meaning_unit(view.stated_share, recipe=index.recipe)
        reasons += _meaning_reasons(candidates.meant, at, close_unit + ranking.suggestions.open_unit)
        reasons += _need_reasons(candidates.needs_met, at, stretch)
        server, share = index.catalogue.tools[position].server, float(candidates.shares[at])
        reasons.append(
            Why(
                ReasonKind.SERVER,
                unit * float(candidates.fused[at]) * index.recipe.server_weight * share,
                detail=f"server {server!r} fits at {share:.2f}",
            )
        )
    if feedback is not None and in_tail:
        added = [
            index.analyses.vocabulary.term(number)
            for number in feedback.query
            if number not in ranking.request.weights
        ]
        reasons.append(
            Why(
                ReasonKind.FEEDBACK,
                feedback.tail.feedback_unit * float(feedback.scores[place]),
                detail=f"words of the best tools: {', '.join(added)}",
            )
        )
    return reasons


def _need_reasons(met: NeedsMet | None, at: int, unit: float) -> Iterable[Why]:
    if met is None or not met.added[at] > 0:
        return
    closest = met.closest[at]
    detail = (
        f"of what is asked for, closest to {met.needs[closest]!r}"
        if closest >= 0
        else "the best by words, graph and servers"
    )
    yield Why(ReasonKind.NEED, unit * float(met.added[at]), detail=detail)


def _meaning_reasons(meant: Meant | None, at: int, unit: float) -> Iterable[Why]:
    if meant is None:
        return
    cosine = float(meant.cosines[at])
    detail = (
        "not compared yet, or too far behind: its words stand in"
        if math.isnan(cosine)
        else f"request and description are {max(cosine, 0.0):.0%} alike in meaning"
    )
    yield Why(ReasonKind.MEANING, unit * float(meant.close[at]), detail=detail)


def _document_reasons(
    query: str,
    ranking: AutoRanking,
    at: int,
    unit: float,
    index: SearchIndex,
    view: CatalogueView,
) -> list[Why]:
    candidates = ranking.candidates
    peak = float((candidates.words * candidates.factor).max(initial=0.0))
    if peak == 0 or candidates.words[at] == 0:
        return []
    position = int(candidates.positions[at])
    weight = index.recipe.document_weight
    if not (view.with_methods[position] and candidates.units[Channel.POWER] > 0):
        weight += index.recipe.power_weight + index.recipe.sum_weight
    unit *= weight / peak
    words = float(candidates.words[at])
    parts = candidates.factors.parts(position)
    cover, intent, resources = float(parts.cover[0]), float(parts.intent[0]), float(parts.resources[0])
    asked = ", ".join(sorted(ranking.request.acts)) or "nothing known"
    offered = ", ".join(sorted(index.acts.profile(position))) or "nothing known"
    said = auto_words(query, ranking.request.weights, position, unit=unit, index=index, view=view)
    # Between a change and the count of all tools, the score has the mean lengths of then and the reasons those of now.
    stretch = unit * words / (sum(reason.contribution for reason in said) or 1.0)
    return [
        *(replace(reason, contribution=stretch * reason.contribution) for reason in said),
        Why(
            ReasonKind.NAME,
            unit * words * index.recipe.name_weight * cover,
            detail=f"{cover:.0%} of the name is in the query",
        ),
        Why(
            ReasonKind.INTENT,
            unit * words * index.recipe.intent_weight / ranking.request.clauses * intent,
            detail=f"asked for: {asked}; the tool's name or description says: {offered}",
        ),
        Why(
            ReasonKind.OBJECT,
            unit * words * index.recipe.object_weight / ranking.request.clauses * float(parts.objects[0]),
            detail="the query is about what the tool works on",
        ),
        Why(
            ReasonKind.RESOURCE,
            unit * words * index.recipe.resource_weight / ranking.request.clauses * resources,
            detail=f"{resources:.0%} of what its path names is in the query",
        ),
    ]


def _paths_by_tool(
    ranking: Ranking, tools: Container[str], index: SearchIndex
) -> dict[str, list[Contribution]]:
    paths: dict[str, list[Contribution]] = {}
    for path in _paths(ranking, tools, index):
        paths.setdefault(path.tool, []).append(path)
    return paths


def _paths(ranking: Ranking, tools: Container[str], index: SearchIndex) -> Iterable[Contribution]:
    if isinstance(ranking, KgHybridRanking):
        return kg_hybrid_contributions(
            index.catalogue, methods=ranking.methods, templates=ranking.templates, recipe=index.recipe
        )
    if isinstance(ranking, AutoRanking):
        return auto_contributions(
            index.catalogue,
            methods=ranking.request.methods,
            templates=ranking.request.templates,
            concepts=ranking.request.concepts,
            common=ranking.request.common,
            tools=tools,
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
    query: str,
    terms: Sequence[str],
    position: int,
    *,
    unit: float,
    index: SearchIndex,
    view: CatalogueView,
) -> list[Why]:
    """BM25 of one tool by term, each times `unit`."""
    surfaces = _surfaces(query, reference_terms)
    own = set(index.analyses.tools[position].reference.tolist())
    weights = reference_weights(terms, index)
    tools = view.reference.tools
    shares = bm25f_terms(
        weights,
        {TEXT: index.reference_document(position).tolist()},
        weights=tools.weights,
        mean_lengths=tools.mean_lengths,
        idfs=_idfs(weights, tools),
    )
    return [
        Why(
            ReasonKind.WORD,
            share * unit,
            word=surfaces.get(index.analyses.vocabulary.term(number), index.analyses.vocabulary.term(number)),
            term=index.analyses.vocabulary.term(number),
            fields=("tool",) if number in own else ("methods",),
        )
        for (number, _), share in shares.items()
    ]


def auto_words(
    query: str,
    weights: Mapping[int, float],
    position: int,
    *,
    unit: float,
    index: SearchIndex,
    view: CatalogueView,
) -> list[Why]:
    """BM25F of one tool by term, each times `unit`, with the fields that hold the term."""
    surfaces = _auto_surfaces(query)
    shares = bm25f_terms(
        weights,
        _document(position, index, view),
        weights=tool_document_fields(index.recipe),
        mean_lengths=view.tools.mean_lengths,
        idfs=_idfs(weights, view.tools),
    )
    by_term: defaultdict[int, list[tuple[float, str]]] = defaultdict(list)
    for (number, field), share in shares.items():
        by_term[number].append((share, field))
    return [
        Why(
            ReasonKind.WORD,
            sum(share for share, _ in parts) * unit,
            word=surfaces.get(index.analyses.vocabulary.term(number), index.analyses.vocabulary.term(number))
            or None,
            term=index.analyses.vocabulary.term(number),
            fields=tuple(field for _, field in sorted(parts, key=lambda part: (-part[0], part[1]))),
        )
        for number, parts in by_term.items()
    ]


def _document(position: int, index: SearchIndex, view: CatalogueView) -> dict[str, list[int]]:
    """Field -> term numbers of a tool's document."""
    document: defaultdict[str, list[int]] = defaultdict(list)
    whole = index.document(position)
    for number, field in zip(whole.terms.tolist(), whole.fields.tolist(), strict=True):
        document[view.tools.fields[field]].append(number)
    return document


def _idfs(weights: Mapping[int, float], documents: DocumentView) -> dict[int, float]:
    numbers = np.array(list(weights), np.int64)
    return dict(zip(numbers.tolist(), documents.idfs(numbers).tolist(), strict=True))


@lru_cache(_QUERIES_AT_ONCE)
def _auto_surfaces(query: str) -> Surfaces:
    surfaces = dict(_surfaces(query, auto_terms))
    words = split_words(query)
    for term, joined in joined_terms(words).items():
        surfaces.setdefault(term, joined)
    surfaces.setdefault(COUNTRY_TERM, named_country(query))
    for one in english_words(query):
        for term in auto_terms(one.english):
            surfaces.setdefault(term, one.word)
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
