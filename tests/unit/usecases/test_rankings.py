"""The rankings over candidates give what their formulas say of every tool, for everything and for any view."""

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.catalogue import Catalogue
from app.domain.nodes.dependencies import Evidence, Requirement
from app.domain.nodes.models import ToolId
from app.domain.ranking.formulas import mix_tail
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import Filters, SearchMethod, SearchRequest
from app.usecases.rankings import auto
from app.usecases.rankings.auto import rank_auto
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.rankings.rankers import rank_bm25, rank_kg_hybrid
from app.usecases.rankings.ranking import Ranking
from app.usecases.search import search
from tests.slow_ranking import slow_auto, slow_bm25
from tests.unit.catalogues import catalogue, common_method, concept, generator, method, template, tool

WORDS = ["draw", "mail", "ring", "paint", "bucket", "file", "send", "list", "circle", "delete"]
text = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
query = st.lists(st.sampled_from(WORDS), max_size=4, unique=True).map(" ".join)
names = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map("_".join)


@st.composite
def catalogues(draw: st.DrawFn, *, most: int = 9) -> Catalogue:
    """A few tools on a few servers, with or without what a taxonomy says of them, or the common one suggests."""
    tools = {}
    for _ in range(draw(st.integers(0, most))):
        server = draw(st.sampled_from(["", "s/", "t/", "u/", "v/"]))
        made = f"{server}{draw(names)}"
        inputs = '{"properties": {"%s": {"description": "%s"}}}' % (draw(st.sampled_from(WORDS)), draw(text))  # noqa: UP031
        tools[made] = tool(
            made,
            draw(text),
            title=draw(text),
            input_schema=draw(st.sampled_from(["", inputs])),
            categories=draw(st.sampled_from([[], ["x"], ["x", "y"]])),
        )
    some = st.lists(st.sampled_from(sorted(tools)), max_size=3, unique=True) if tools else st.just([])
    methods = [
        method(f"m{at}", sorted(draw(some)), name=draw(text), description=draw(text), tags=draw(text).split())
        for at in range(draw(st.sampled_from([0, 0, 3])))
    ]
    sure = (
        st.dictionaries(st.sampled_from(sorted(tools)), st.sampled_from([0.56, 0.8, 1.0]), max_size=3)
        if tools
        else st.just({})
    )
    common = [
        common_method(f"x{at}", draw(sure), name=draw(text), description=draw(text), tags=draw(text).split())
        for at in range(draw(st.sampled_from([0, 0, 2, 4])))
    ]
    return catalogue(
        list(tools.values()),
        methods=[*methods, *common],
        templates=[template("p", draw(some), surface=draw(text))] if methods else [],
        concepts=[concept("c", [one.id for one in methods[:2]], description=draw(text))] if methods else [],
        generators=[generator("g", sorted(tools)[0], description=draw(text))]
        if tools and draw(st.booleans())
        else [],
    )


def scores_of(ranking: Ranking, index: SearchIndex) -> dict[str, float]:
    found = zip(ranking.positions.tolist(), ranking.scores.tolist(), strict=True)
    return {index.catalogue.tools[at].id: score for at, score in found if score > 0}


@settings(max_examples=150)
@given(catalogues(), query)
def test_auto_gives_what_its_formulas_say(given_catalogue: Catalogue, asked: str) -> None:
    """Tool by tool and word by word, without candidates and without anything kept."""
    index = SearchIndex.build(given_catalogue)

    found = scores_of(rank_auto(asked, ConsistentGraph(index)), index)

    assert found == pytest.approx(slow_auto(asked, given_catalogue), rel=1e-5)


@settings(max_examples=200)
@given(catalogues(most=16), query, st.data())
def test_looking_at_the_head_alone_gives_what_the_whole_has(
    given_catalogue: Catalogue, asked: str, data: st.DataObject
) -> None:
    """To the last bit, with suggestions behind the head, for who sees less, and within filters."""
    index = SearchIndex.build(given_catalogue)
    size = len(given_catalogue.tools)
    visible = data.draw(st.none() | st.lists(st.booleans(), min_size=size, max_size=size))
    view = None if visible is None else index.view(np.array(visible, np.bool_))
    servers = data.draw(st.sampled_from([[], [*index.servers][:1]]))
    allowed = index.allowed(Filters(servers=servers))

    def fresh() -> Ranking:
        return rank_auto(asked, ConsistentGraph(index, view=view), allowed=allowed)

    whole = Ranking(fresh().positions, fresh().scores)
    for k in (1, 3, 5, 6, 20):
        assert fresh().best(k, allowed) == whole.best(k, allowed)
    for position in range(size):
        assert fresh().score(position) == whole.score(position)


@pytest.mark.parametrize("k", [2, 5])
def test_the_tail_is_ranked_only_for_who_looks_there(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = [tool(f"s/draw_{name}", "draw a circle " + "ring " * at) for at, name in enumerate("abcdefgh")]
    index = SearchIndex.build(catalogue(tools))
    mixed = []
    monkeypatch.setattr(auto, "mix_tail", lambda *one, **more: mixed.append(one) or mix_tail(*one, **more))
    ranking = rank_auto("draw a circle", ConsistentGraph(index))

    first = ranking.best(k, None)
    scores = [ranking.score(one) for one in first]
    assert not mixed

    assert ranking.best(6, None)[:k] == first
    assert [ranking.score(one) for one in first] == scores
    assert len(mixed) == 1


@settings(max_examples=100)
@given(catalogues(), query)
def test_bm25_gives_what_its_formula_says(given_catalogue: Catalogue, asked: str) -> None:
    """To the last digits: documents that tie in the formula tie here."""
    index = SearchIndex.build(given_catalogue)

    found = scores_of(rank_bm25(asked, ConsistentGraph(index)), index)

    assert found == pytest.approx(slow_bm25(asked, given_catalogue), rel=1e-12)


def without(hidden: set[str], whole: Catalogue) -> Catalogue:
    """The catalogue without some tools, and without what then leads to no tool; places in lists stay as they were."""

    def seen(tools: Sequence[ToolId]) -> tuple[ToolId, ...]:
        return tuple(one for one in tools if one not in hidden)

    methods = [
        one.model_copy(
            update={
                "implements": seen(one.implements),
                "suggests": tuple(link for link in one.suggests if link.target not in hidden),
            }
        )
        for one in whole.methods
        if seen(one.implements) or one.common
    ]
    left = {one.id for one in methods}

    def placed(ids: Sequence[str], keep: Sequence[bool]) -> tuple[tuple[str, ...], tuple[int, ...]]:
        kept = [(at, one) for at, (one, keeps) in enumerate(zip(ids, keep, strict=True)) if keeps]
        return tuple(one for _, one in kept), tuple(at for at, _ in kept)

    templates = []
    for one in whole.templates:
        uses, places = placed(one.uses, [tool not in hidden for tool in one.uses])
        if uses:
            templates.append(one.model_copy(update={"uses": uses, "places": places}))
    concepts = []
    for each in whole.concepts:
        related, places = placed(each.related_to, [method in left for method in each.related_to])
        if related:
            concepts.append(each.model_copy(update={"related_to": related, "places": places}))
    return dataclasses.replace(
        whole,
        tools=tuple(one for one in whole.tools if one.id not in hidden),
        methods=tuple(methods),
        templates=tuple(templates),
        concepts=tuple(concepts),
        generators=tuple(one for one in whole.generators if one.tool not in hidden),
        requirements=tuple(
            one for one in whole.requirements if one.consumer not in hidden and one.producer not in hidden
        ),
    )


@settings(max_examples=150)
@given(catalogues(), query, st.data())
@pytest.mark.parametrize("ranking", list(SearchMethod))
def test_a_view_answers_as_a_catalogue_of_what_it_sees(
    ranking: SearchMethod, given_catalogue: Catalogue, asked: str, data: st.DataObject
) -> None:
    """Words, means, servers, seeds and maxima of hidden tools take part in nothing."""
    visible = data.draw(
        st.lists(st.booleans(), min_size=len(given_catalogue.tools), max_size=len(given_catalogue.tools))
    )
    hidden = {one.id for one, sees in zip(given_catalogue.tools, visible, strict=True) if not sees}
    seen = SearchIndex.build(without(hidden, given_catalogue))
    index = SearchIndex.build(given_catalogue)
    graph = ConsistentGraph(index, view=index.view(np.array(visible, np.bool_)))

    assert scores_of(rank(ranking, asked, graph), index) == pytest.approx(
        scores_of(rank(ranking, asked, ConsistentGraph(seen)), seen), rel=1e-5
    )


@settings(max_examples=60)
@given(catalogues(), query, st.data())
def test_what_surrounds_the_matches_is_of_the_view_too(
    given_catalogue: Catalogue, asked: str, data: st.DataObject
) -> None:
    """Near names, prerequisites and what the catalogue would cost."""
    tools = [one.id for one in given_catalogue.tools]
    visible = data.draw(st.lists(st.booleans(), min_size=len(tools), max_size=len(tools)))
    pairs = st.tuples(st.sampled_from(tools or [ToolId("")]), st.sampled_from(tools or [ToolId("")]))
    drawn = data.draw(st.lists(pairs, max_size=5, unique=True)) if tools else []
    edges = [requirement(one, other) for one, other in drawn]
    whole = dataclasses.replace(given_catalogue, requirements=tuple(edges))
    hidden = {one for one, sees in zip(tools, visible, strict=True) if not sees}
    index, seen = SearchIndex.build(whole), SearchIndex.build(without(hidden, whole))
    request = SearchRequest(query=asked or "drawing")

    found = search(request, ConsistentGraph(index, view=index.view(np.array(visible, np.bool_))))
    expected = search(request, ConsistentGraph(seen))

    assert [(one.id, one.role, one.needed_by) for one in found.tools] == [
        (one.id, one.role, one.needed_by) for one in expected.tools
    ]
    assert (found.nearest, found.tokens) == (expected.nearest, expected.tokens)


def requirement(consumer: ToolId, producer: ToolId) -> Requirement:
    return Requirement(
        consumer=consumer,
        producer=producer,
        parameter="",
        required=True,
        field="",
        confidence=1.0,
        evidence=Evidence.MANUAL,
        rank=0,
    )


def rank(ranking: SearchMethod, asked: str, graph: ConsistentGraph) -> Ranking:
    if ranking is SearchMethod.BM25:
        return rank_bm25(asked, graph)
    return (
        rank_auto(asked, graph)
        if ranking is SearchMethod.AUTO
        else rank_kg_hybrid(asked, graph, allowed=None)
    )
