"""Addresses: every state is one, and one is every state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import InvalidInputError
from app.usecases.questions import SearchMethod
from app.web.addresses import State, path
from app.web.pages.ask import AskState
from app.web.pages.compare import CompareState
from app.web.pages.tools import ToolsState

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
WORDS = st.lists(st.text("abcZ09._-/ü 字", min_size=1).map(str.strip).filter(bool), max_size=3).map(tuple)
YES_NO = st.none() | st.booleans()
ASK = st.builds(
    AskState,
    q=TEXTS,
    k=st.integers(1, 100),
    method=st.sampled_from(SearchMethod),
    server=WORDS,
    category=WORDS,
    read_only=YES_NO,
    expect=TEXTS,
)
TOOLS = st.builds(
    ToolsState, q=TEXTS, server=TEXTS, category=TEXTS, read_only=YES_NO, declared=YES_NO, deprecated=YES_NO
)
COMPARE = st.builds(CompareState, q=TEXTS, a=st.sampled_from(SearchMethod), b=st.sampled_from(SearchMethod))


@given(ASK | TOOLS | COMPARE)
def test_a_state_comes_back_from_its_address(state: State) -> None:
    """So that a link shows a colleague the same."""
    assert type(state).of(state.query()) == state


@given(TEXTS)
def test_a_segment_stays_one_whatever_stands_in_it(text: str) -> None:
    """Slashes of ids lead into no other folder."""
    assert path("tools", text).count("/") == 1
    assert "?" not in path(text)


def test_what_is_as_by_default_is_not_written_and_empty_fields_of_forms_count_as_left_out() -> None:
    """Two addresses of one state are equal."""
    assert AskState().query() == ""
    assert AskState.of("q=&server=&read_only=&k=10") == AskState()
    assert AskState(q="a b", k=5).query() == "q=a+b&k=5"


def test_several_servers_may_stand_in_one_field() -> None:
    """A form has one field for them."""
    assert AskState.of("server=orders,+payments&server=stock").server == ("orders", "payments", "stock")


@pytest.mark.parametrize(
    ("query", "named"), [("k=900", "k = "), ("method=magic", "method"), ("read_only=7", "7")]
)
def test_a_value_that_is_not_accepted_is_named(query: str, named: str) -> None:
    """As everywhere."""
    with pytest.raises(InvalidInputError, match=named):
        AskState.of(query)
