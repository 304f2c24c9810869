"""What methods suggest is found by position, and goes on through changes as if it were looked up anew."""

from collections.abc import Mapping

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.domain.linking.suggested import SuggestedTools
from app.domain.nodes.models import Method
from tests.unit.catalogues import common_method

TOOLS = tuple("abcdefgh")
METHODS = ("files.read", "files.write", "mail.send")
links = st.dictionaries(st.sampled_from(TOOLS), st.sampled_from([0.25, 0.5, 1.0]))
states = st.tuples(st.sets(st.sampled_from(TOOLS)), st.dictionaries(st.sampled_from(METHODS), links))


def methods_of(stated: Mapping[str, Mapping[str, float]], tools: set[str]) -> dict[str, Method]:
    """Methods with links to tools that are there."""
    return {
        name: common_method(name, {tool: weight for tool, weight in to.items() if tool in tools})
        for name, to in stated.items()
    }


def positions_of(tools: set[str]) -> dict[str, int]:
    return {tool: at for at, tool in enumerate(sorted(tools))}


class _NeverAsked(dict[str, int]):
    """Positions that nobody is to look up."""

    def get(self, key: str, default: object = None) -> None:  # type: ignore[override]
        raise AssertionError(f"looked up {key}")


@given(st.lists(states, min_size=2, max_size=4), st.sets(st.sampled_from(METHODS)))
def test_after_any_changes_it_is_as_if_looked_up_anew(
    history: list[tuple[set[str], dict[str, dict[str, float]]]], asked: set[str]
) -> None:
    tools, stated = history[0]
    positions = positions_of(tools)
    suggested = SuggestedTools(methods_of(stated, tools), positions)
    for tools, stated in history[1:]:
        for method in asked:
            suggested.of(method)
        before, positions = positions, positions_of(tools)
        now = np.array([positions.get(tool, -1) for tool in before], np.intp)
        methods = methods_of(stated, tools)
        suggested = suggested.later(methods, positions, now)
        anew = SuggestedTools(methods, positions)
        for method in METHODS:
            found, expected = suggested.of(method), anew.of(method)
            assert found.positions.tolist() == expected.positions.tolist()
            assert found.scores.tolist() == expected.scores.tolist()


def test_what_stays_is_not_looked_up_again() -> None:
    """A method suggests a twentieth of a catalogue: looking its tools up took longer than all else of a query."""
    tools = {"a", "b", "c"}
    before = {"files.read": common_method("files.read", {"a": 0.5, "c": 1.0})}
    suggested = SuggestedTools(before, positions_of(tools))
    suggested.of("files.read")
    now = np.array([0, 2, 3], np.intp)

    same = suggested.later(before, _NeverAsked(), now)
    assert same.of("files.read").positions.tolist() == [0, 3]
    fewer = {"files.read": common_method("files.read", {"c": 0.25})}
    found = suggested.later(fewer, _NeverAsked(), now).of("files.read")
    assert (found.positions.tolist(), found.scores.tolist()) == ([3], [0.25])
