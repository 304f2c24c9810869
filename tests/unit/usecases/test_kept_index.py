"""An index that was packed into arrays answers as the one that was built."""

import dataclasses
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.catalogue import Catalogue
from app.domain.changes import with_part
from app.usecases.cards import list_tools
from app.usecases.index.changed import changed_index
from app.usecases.index.kept import arrays_of, index_of
from app.usecases.index.search_index import SearchIndex
from app.usecases.plan import make_plan
from app.usecases.questions import Filters, ListFilters, PlanRequest, SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.unit.catalogues import part_between
from tests.unit.usecases.test_changed_index import some_requirements
from tests.unit.usecases.test_rankings import catalogues, query


def packed(index: SearchIndex) -> SearchIndex:
    """Through bytes, as a file would have them."""
    return index_of(
        {
            name: np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)
            for name, array in arrays_of(index).items()
        }
    )


def said(index: SearchIndex, asked: str) -> object:
    """Answers of every kind."""
    graph = ConsistentGraph(index)
    requests = [
        SearchRequest(query=asked or "drawing", method=one, explain=True, schemas=True, prerequisites=3)
        for one in SearchMethod
    ]
    filtered = requests[0].model_copy(update={"filters": Filters(read_only=False)})
    return (
        [search(one, graph) for one in (*requests, filtered)],
        make_plan(PlanRequest(goal=asked or "draw a ring"), graph),
        list_tools(ListFilters(), cursor=None, limit=100, index=index),
    )


@settings(max_examples=60)
@given(st.lists(catalogues(), min_size=1, max_size=3), query)
def test_answers_and_later_changes_are_those_of_a_fresh_build(states: list[Catalogue], asked: str) -> None:
    """To the last digit, also after it took in what changed, and was packed again."""
    states = [
        dataclasses.replace(one, generation=at, stamp=str(at), requirements=some_requirements(one, at))
        for at, one in enumerate(states)
    ]
    index = packed(SearchIndex.build(states[0]))
    assert index.catalogue == states[0]
    assert said(index, asked) == said(SearchIndex.build(states[0]), asked)
    for before, after in pairwise(states):
        part = part_between(before, after)
        part = dataclasses.replace(part, changes=dataclasses.replace(part.changes, stamp=after.stamp))
        assert with_part(index.catalogue, part) == after
        changed = changed_index(index, part)
        index = changed.settled() if changed is not None else SearchIndex.build(after)
        expected = said(SearchIndex.build(after), asked)
        assert said(index, asked) == expected
        index = packed(index)
        assert said(index, asked) == expected
        assert index.catalogue.requirements_of == after.requirements_of


@settings(max_examples=30)
@given(catalogues(), catalogues())
def test_what_is_packed_already_is_packed_again_without_being_read(
    first: Catalogue, second: Catalogue
) -> None:
    """Tools and requirements of a changed index have the bytes of those of a fresh build."""
    before, after = (
        dataclasses.replace(one, generation=at, stamp=str(at), requirements=some_requirements(one, at))
        for at, one in enumerate((first, second))
    )
    index = packed(SearchIndex.build(before))
    again = arrays_of(index)
    assert all(np.array_equal(again[name], array) for name, array in arrays_of(packed(index)).items())
    part = part_between(before, after)
    part = dataclasses.replace(part, changes=dataclasses.replace(part.changes, stamp=after.stamp))
    changed = changed_index(index, part)
    if changed is not None:
        found, built = arrays_of(changed.settled()), arrays_of(SearchIndex.build(after))
        for name in (name for name in built if name.partition(".")[0] in ("tools", "requirements")):
            assert np.array_equal(found[name], built[name])
