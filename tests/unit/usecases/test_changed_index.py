"""An index that took in what changed answers as one that is built from its catalogue."""

import dataclasses
import gc
import weakref
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.catalogue import Catalogue
from app.domain.changes import with_part
from app.domain.nodes.dependencies import Requirement
from app.usecases.index.changed import changed_index
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import Filters, SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.unit.catalogues import catalogue, part_between, tool
from tests.unit.usecases.test_rankings import catalogues, query, requirement


def some_requirements(whole: Catalogue, seed: int) -> tuple[Requirement, ...]:
    """A few edges, others in each state."""
    tools = [one.id for one in whole.tools]
    found = {(tools[at], tools[at * 3 % len(tools)]) for at in range(seed % 2, len(tools), 2)}
    return tuple(requirement(consumer, producer) for consumer, producer in sorted(found))


def by_category(index: SearchIndex) -> dict[str, list[int]]:
    return {category: found.tolist() for category, found in index.categories.items()}


@settings(max_examples=80)
@given(st.lists(catalogues(), min_size=2, max_size=4), query)
def test_after_any_changes_answers_are_those_of_a_rebuild(states: list[Catalogue], asked: str) -> None:
    """Tools, methods, templates, concepts and generators come, change and go.

    At once where weights are computed for each query, once they are up to date where they are kept. A view leaves out
    methods that lead to no tool, so it is compared where there are none.
    """
    states = [
        dataclasses.replace(one, generation=at, requirements=some_requirements(one, at))
        for at, one in enumerate(states)
    ]
    _ = states[0].requirements_of
    index = SearchIndex.build(states[0])
    for before, after in pairwise(states):
        part = part_between(before, after)
        assert with_part(before, part) == after
        index = changed_index(index, part) or SearchIndex.build(after)

        built = SearchIndex.build(after)
        assert index.positions == built.positions
        assert set(index.servers) == set(built.servers)
        assert by_category(index) == by_category(built)
        assert index.catalogue.requirements_of == built.catalogue.requirements_of
        everything = index.view(np.ones(len(after.tools), np.bool_))
        settled = index.settled()
        for ranking in SearchMethod:
            request = SearchRequest(query=asked or "drawing", method=ranking, explain=True, prerequisites=0)
            filtered = request.model_copy(update={"filters": Filters(read_only=False)})
            for one in (request, filtered):
                expected = search(one, ConsistentGraph(built))
                assert search(one, ConsistentGraph(settled)) == expected
                if not after.methods:
                    assert search(one, ConsistentGraph(index, view=everything)) == expected
                assert search(one, ConsistentGraph(index)).abstained == expected.abstained


@settings(max_examples=80)
@given(st.lists(catalogues(), min_size=2, max_size=3))
def test_weights_are_off_by_no_more_than_means_have_moved(states: list[Catalogue]) -> None:
    """That is what decides how long all tools may wait to be counted together again."""
    states = [dataclasses.replace(one, generation=at) for at, one in enumerate(states)]
    index = SearchIndex.build(states[0])
    then = index.whole.tools.mean_lengths
    for before, after in pairwise(states):
        later = changed_index(index, part_between(before, after))
        if later is None:
            return
        index, settled = later, later.settled()
        now = index.whole.tools.mean_lengths
        moved = index.whole.tools.moved
        assert moved == pytest.approx(max(abs(now[field] / then[field] - 1) for field in now))
        assert settled.whole.tools.moved == 0
        if settled.analyses is not index.analyses:
            continue
        for term in index.whole.tools.held.tolist():
            ours, right = (one.whole.tools.scores({term: 1.0}) for one in (index, settled))
            assert ours.positions.tolist() == right.positions.tolist()
            off = np.abs(ours.scores / right.scores - 1)
            assert off.max(initial=0) <= max(moved, 1 - 1 / (1 + moved)) / max(1 - moved, 1e-9) + 1e-6


OUTPUT = (
    '{"type": "object", "properties": {"sail": {"type": "string", "description": "The sail of the boat"}}}'
)


def test_what_only_new_tools_have_counts_as_much_as_after_a_rebuild() -> None:
    """The first answers with fields: before them, their mean length was nobody's."""
    plain = [tool(f"boats/t{number}", f"Paints boat {number}") for number in range(40)]
    told = [tool(f"boats/u{number}", "Paints a boat", output_schema=OUTPUT) for number in range(2)]
    before = dataclasses.replace(catalogue(plain), generation=0)
    after = dataclasses.replace(catalogue([*plain, *told]), generation=1)
    index = changed_index(SearchIndex.build(before), part_between(before, after))
    assert index is not None

    asked = SearchRequest(query="the sail of boat 7", explain=True, prerequisites=0)
    changed, built = (search(asked, ConsistentGraph(one)) for one in (index, SearchIndex.build(after)))
    assert [one.id for one in changed.tools] == [one.id for one in built.tools]
    for one, expected in zip(changed.tools, built.tools, strict=True):
        assert one.score == pytest.approx(expected.score, rel=0.05)
        assert one.why is not None
        assert sum(reason.contribution for reason in one.why) == pytest.approx(one.score)


def test_an_index_that_nobody_uses_is_freed_without_the_collector() -> None:
    """The service tells the collector to leave what it loaded."""
    index = SearchIndex.build(catalogue([tool("boats/sail", "Sails a boat")]))
    index.plan_index.prepare()
    planner = weakref.ref(index.plan_index)
    columns = weakref.ref(index.plan_index.columns)
    index.plan_index.form(0)
    gc.disable()
    try:
        del index
        assert planner() is None
        assert columns() is None
    finally:
        gc.enable()


def test_states_are_read_again_only_where_they_are_others() -> None:
    """Reading them takes as long as there are states, whatever changed."""
    moored, private = (
        f'{{"type": "object", "properties": {{"{name}": {{"type": "boolean"}}}}}}'
        for name in ("moored", "private")
    )
    stay = [tool(f"boats/move_{at}", "Moves a boat", input_schema=moored) for at in range(3)]
    first, said, set_now = (
        dataclasses.replace(catalogue([*stay, last]), generation=at, stamp=str(at))
        for at, last in enumerate(
            (
                tool("boats/update", "Updates a boat"),
                tool("boats/update", "Updates a ship"),
                tool("boats/update", "Updates a ship", input_schema=private),
            )
        )
    )
    index = SearchIndex.build(first)
    index.plan_index.prepare()

    later = changed_index(index, part_between(first, said))
    assert later is not None
    assert later.plan_index.columns.states is index.plan_index.columns.states
    latest = changed_index(later, part_between(said, set_now))
    assert latest is not None
    assert latest.plan_index.columns.states is not index.plan_index.columns.states
    assert list(latest.plan_index.columns.states.named({"privat"}, "")) != []
