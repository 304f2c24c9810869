"""The index of what somebody sees answers as one that is built from a catalogue that has nothing else."""

import dataclasses
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import Category, NodeKind
from app.usecases.browse.facets import facets
from app.usecases.browse.find import FOUND_KINDS, find_nodes
from app.usecases.cards import list_tools, near_tools
from app.usecases.index.changed import changed_index
from app.usecases.index.narrowed import narrowed_index
from app.usecases.index.search_index import SearchIndex
from app.usecases.plan import make_plan
from app.usecases.questions import ExplainRequest, ListFilters, PlanRequest, SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from app.usecases.standing.why_not import why_not
from tests.unit.catalogues import catalogue, part_between, tool
from tests.unit.usecases.test_changed_index import some_requirements
from tests.unit.usecases.test_rankings import catalogues, query


def plain(catalogue: Catalogue) -> Catalogue:
    """The same values, in tuples; what methods suggest without tools that are not there."""
    there = {str(tool.id) for tool in catalogue.tools}
    methods = [
        one.model_copy(update={"suggests": tuple(link for link in one.suggests if link.target in there)})
        for one in catalogue.methods
    ]
    catalogue = dataclasses.replace(catalogue, methods=tuple(methods))
    values = {one.name: getattr(catalogue, one.name) for one in dataclasses.fields(catalogue)}
    return Catalogue(
        **{
            name: tuple(value) if not isinstance(value, (int, str)) else value
            for name, value in values.items()
        }
    )


@settings(max_examples=150)
@given(
    st.lists(catalogues(), min_size=1, max_size=2),
    st.lists(st.booleans(), min_size=9, max_size=9),
    st.sampled_from([frozenset(), frozenset({"m0", "p"}), frozenset({"c", "g", "x"})]),
    query,
)
def test_what_is_hidden_takes_part_in_nothing(
    states: list[Catalogue], hidden: list[bool], not_granted: frozenset[str], asked: str
) -> None:
    """Searches with reasons, plans, explanations, lists and near names, of an index that took changes in or not."""
    states = [
        dataclasses.replace(one, generation=at, requirements=some_requirements(one, at))
        for at, one in enumerate(states)
    ]
    index = SearchIndex.build(states[0])
    _ = index.plan_index
    for before, after in pairwise(states):
        index = changed_index(index, part_between(before, after)) or SearchIndex.build(after)
    visible = np.array([not one for one in hidden][: len(index.catalogue.tools)], np.bool_)

    def is_granted(_: NodeKind, node_id: str) -> bool:
        return node_id not in not_granted

    narrowed = narrowed_index(index, visible, is_granted)
    built = SearchIndex.build(plain(narrowed.catalogue))

    assert list(narrowed.positions) == list(built.positions)
    assert set(narrowed.servers) == set(built.servers)
    assert {one: tools.tolist() for one, tools in narrowed.categories.items()} == {
        one: tools.tolist() for one, tools in built.categories.items()
    }
    assert narrowed.provider_names == built.provider_names
    for text in (asked or "drawing", "paint"):
        for ranking in SearchMethod:
            request = SearchRequest(query=text, method=ranking, explain=True)
            assert search(request, ConsistentGraph(narrowed)) == search(request, ConsistentGraph(built))
        goal = PlanRequest(goal=text)
        assert make_plan(goal, ConsistentGraph(narrowed)) == make_plan(goal, ConsistentGraph(built))
        tools = [str(one.id) for one in built.catalogue.tools][:3]
        if tools:
            explained = ExplainRequest(query=text, tools=tuple(tools))
            assert why_not(explained, ConsistentGraph(narrowed)) == why_not(explained, ConsistentGraph(built))
        one, other = (
            (
                near_tools(text, index=each, view=each.whole, least=0.0),
                find_nodes(text[:3], kinds=FOUND_KINDS, index=each, view=each.whole),
                facets(limit=9, index=each, view=each.whole),
                list_tools(ListFilters(), cursor=None, limit=9, index=each),
            )
            for each in (narrowed, built)
        )
        assert one == other


def test_a_plan_hears_no_word_of_a_category_that_is_hidden() -> None:
    """Nor does it lose one of a category that is seen."""
    categories = [Category(id=one, name=one, description="") for one in ("zebra", "lion")]
    tools = [
        tool("a/get_thing", "Gets it", read_only=True, categories=("lion", "zebra")),
        tool("a/get_other", "Gets it", read_only=True),
        tool("b/get_more", "Gets it", read_only=True, categories=("lion",)),
    ]
    index = SearchIndex.build(catalogue(tools, categories=categories))
    narrowed = narrowed_index(index, np.ones(3, np.bool_), lambda _, node: node != "zebra")
    built = SearchIndex.build(plain(narrowed.catalogue))

    for text in ("zebra", "get the zebra", "get the lion", "lion"):
        goal = PlanRequest(goal=text)
        assert make_plan(goal, ConsistentGraph(narrowed)) == make_plan(goal, ConsistentGraph(built))
    assert make_plan(PlanRequest(goal="zebra"), ConsistentGraph(narrowed)).plan.steps == ()
    assert make_plan(PlanRequest(goal="zebra"), ConsistentGraph(index)).plan.steps
