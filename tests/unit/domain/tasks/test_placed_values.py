"""A caller's values behind their nouns in the words of its task."""

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from app.domain.tasks.placed_values import place_values


def placed(do: str, **values: JsonValue) -> str:
    return place_values(do, {name.replace("_", " "): value for name, value in values.items()}, ()).text


def test_a_value_stands_behind_its_noun() -> None:
    text = placed("merge the pull request of the team", pull_request=88, team="core")
    assert text == "merge pull request 88 of team core"


def test_what_the_task_does_not_name_stands_nowhere() -> None:
    assert placed("merge it", pull_request=88) == "merge it"


def test_a_value_that_the_task_states_is_not_said_again() -> None:
    assert placed("close the issue 12", issue=12) == "close the issue 12"


def test_several_values_of_one_name_are_no_single_thing() -> None:
    assert placed("close the issues", issues=[7, 12]) == "close the issues"


def test_a_preposition_that_leads_to_the_noun_leads_to_the_value() -> None:
    found = place_values("remove the node from the pool", {"node": "a", "pool": "b"}, ())
    assert found.prepositions == {"pool": "from"}


def test_the_article_goes_where_a_value_says_which() -> None:
    found = place_values("publish the release with notes", {"release": "4.2"}, ())
    assert found.undetermined("publish the release with notes") == "publish release with notes"


WORDS = st.sampled_from(["close", "the", "issue", "pull request", "of", "team", "Ärger", "in"])
VALUES = st.dictionaries(
    st.sampled_from(["issue", "team", "pull request", "owner"]), st.integers(0, 99), max_size=4
)


@given(words=st.lists(WORDS, max_size=8), values=VALUES)
def test_every_value_stands_where_it_is_said_to(words: list[str], values: dict[str, JsonValue]) -> None:
    do = " ".join(words)
    found = place_values(do, values, ())
    for name, start in found.starts.items():
        assert found.text[start:].startswith(str(values[name]))
        assert found.text[:start].endswith(f"{name} ")
    assert len(found.text) == len(do) + found.shift(len(do))
