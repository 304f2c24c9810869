"""What each score was made of. The reasons of a tool add up to its score."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from app.domain.catalogue import Catalogue
from app.domain.language.korean import in_english
from app.domain.nodes.models import EdgeKind
from app.domain.ranking import formulas
from app.domain.ranking.formulas import significant
from app.domain.ranking.graph_scores import Channel, Contribution, auto_contributions, kg_hybrid_contributions
from app.domain.ranking.intent import query_acts
from app.usecases.index.search_index import SearchIndex
from app.usecases.rankings.explain_words import auto_words, reference_words
from app.usecases.rankings.rankers import AutoRanking, Bm25Ranking, KgHybridRanking
from app.usecases.search_values import Reason, ReasonKind, Step

Ranking: TypeAlias = Bm25Ranking | KgHybridRanking | AutoRanking

_KINDS = {
    EdgeKind.USES: ReasonKind.TEMPLATE,
    EdgeKind.RELATED_TO: ReasonKind.CONCEPT,
    EdgeKind.IMPLEMENTS: ReasonKind.METHOD,
}
"""First edge of a path -> what the path is; all other paths go over a neighbour."""


def explain(
    query: str, ranking: Ranking, found: Sequence[int], index: SearchIndex
) -> dict[int, tuple[Reason, ...]]:
    """Position of each found tool -> its reasons, largest contribution first."""
    paths = _paths_by_tool(ranking, index)
    return {position: _explain_one(query, ranking, position, paths, index) for position in found}


def _explain_one(
    query: str,
    ranking: Ranking,
    position: int,
    paths: Mapping[str, Sequence[Contribution]],
    index: SearchIndex,
) -> tuple[Reason, ...]:
    own = paths.get(index.catalogue.tools[position].id, ())
    if isinstance(ranking, Bm25Ranking):
        reasons = reference_words(query, ranking.terms, position, unit=1.0, index=index)
    elif isinstance(ranking, KgHybridRanking):
        reasons = _explain_kg_hybrid(query, ranking, position, own, index)
    else:
        reasons = _explain_auto(query, ranking, position, own, index)
    tidied = (
        Reason(
            reason.kind,
            significant(reason.contribution),
            reason.word,
            reason.term,
            reason.fields,
            reason.path,
            reason.detail,
        )
        for reason in reasons
        if reason.contribution != 0
    )
    return tuple(sorted(tidied, key=lambda reason: (-reason.contribution, reason.kind, reason.term)))


def _explain_kg_hybrid(
    query: str,
    ranking: KgHybridRanking,
    position: int,
    paths: Sequence[Contribution],
    index: SearchIndex,
) -> list[Reason]:
    reasons = []
    if ranking.text[position] > 0:
        unit = formulas.TEXT_SHARE / float(ranking.text.max())
        reasons += reference_words(query, ranking.terms, position, unit=unit, index=index)
    peak = float(ranking.reached.max())
    units = {Channel.GRAPH: (1 - formulas.TEXT_SHARE) / peak if peak > 0 else 0.0}
    return [*reasons, *_path_reasons(paths, units, 1.0, index.catalogue)]


def _explain_auto(
    query: str,
    ranking: AutoRanking,
    position: int,
    paths: Sequence[Contribution],
    index: SearchIndex,
) -> list[Reason]:
    """Words, name and intent make the document's score; paths, server and feedback come on top."""
    feedback = ranking.feedback
    in_tail = feedback is not None and position not in feedback.tail.head
    stretch = feedback.tail.own_unit if feedback is not None and in_tail else 1.0
    unit = stretch / float(ranking.fused.max())
    reasons = _document_reasons(query, ranking, position, unit, index)
    reasons += _path_reasons(paths, ranking.units, unit, index.catalogue)
    reasons.append(
        Reason(
            ReasonKind.SERVER,
            unit * float(ranking.fused[position] * formulas.SERVER_WEIGHT * ranking.shares[position]),
            detail=f"server {index.catalogue.tools[position].server!r} fits at {ranking.shares[position]:.2f}",
        )
    )
    if feedback is not None and in_tail:
        added = [index.auto.terms[number] for number in feedback.query if number not in ranking.query]
        reasons.append(
            Reason(
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
) -> list[Reason]:
    peak = float((ranking.words * ranking.factor).max(initial=0.0))
    if peak == 0 or ranking.words[position] == 0:
        return []
    weight = formulas.DOCUMENT_WEIGHT
    if not (index.with_methods[position] and ranking.units[Channel.POWER] > 0):
        weight += formulas.POWER_WEIGHT + formulas.SUM_WEIGHT
    unit *= weight / peak
    words = float(ranking.words[position])
    cover, intent = float(ranking.cover[position]), float(ranking.intent[position])
    asked = ", ".join(sorted(query_acts(in_english(query) or query))) or "nothing known"
    offered = ", ".join(sorted(index.analyses.facts[position].acts)) or "nothing known"
    return [
        *auto_words(query, ranking.query, position, unit=unit, index=index),
        Reason(
            ReasonKind.NAME,
            unit * words * formulas.NAME_WEIGHT * cover,
            detail=f"{cover:.0%} of the name is in the query",
        ),
        Reason(
            ReasonKind.INTENT,
            unit * words * formulas.INTENT_WEIGHT / ranking.clauses * intent,
            detail=f"asked for: {asked}; the tool's name or description says: {offered}",
        ),
        Reason(
            ReasonKind.OBJECT,
            unit * words * formulas.OBJECT_WEIGHT / ranking.clauses * float(ranking.objects[position]),
            detail="the query is about what the tool works on",
        ),
    ]


def _paths_by_tool(ranking: Ranking, index: SearchIndex) -> dict[str, list[Contribution]]:
    paths: dict[str, list[Contribution]] = {}
    for path in _paths(ranking, index.catalogue):
        paths.setdefault(path.tool, []).append(path)
    return paths


def _paths(ranking: Ranking, catalogue: Catalogue) -> Iterable[Contribution]:
    if isinstance(ranking, KgHybridRanking):
        return kg_hybrid_contributions(catalogue, methods=ranking.methods, templates=ranking.templates)
    if isinstance(ranking, AutoRanking):
        return auto_contributions(
            catalogue, methods=ranking.methods, templates=ranking.templates, concepts=ranking.concepts
        )
    return ()


def _path_reasons(
    paths: Iterable[Contribution], units: Mapping[Channel, float], stretch: float, catalogue: Catalogue
) -> list[Reason]:
    """One reason per path; what a path gives to several channels is added up."""
    values: dict[tuple[Step, ...], float] = {}
    kinds: dict[tuple[Step, ...], ReasonKind] = {}
    for path in paths:
        steps = tuple(
            Step(node, _name(node, edge, catalogue), edge.value)
            for node, edge in zip(path.via, path.edges, strict=True)
        )
        share = stretch * units[path.channel] * path.value
        values[steps] = values.get(steps, 0.0) + share
        kinds[steps] = _KINDS.get(path.edges[0], ReasonKind.NEIGHBOUR)
    return [Reason(kinds[steps], value, path=steps) for steps, value in values.items()]


def _name(node: str, edge: EdgeKind, catalogue: Catalogue) -> str:
    """The name of a node that an edge of this kind leaves."""
    if edge is EdgeKind.USES:
        return catalogue.template_by_id[node].name
    if edge is EdgeKind.RELATED_TO:
        return catalogue.concept_by_id[node].name
    return catalogue.method_by_id[node].name
