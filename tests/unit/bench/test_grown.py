"""A catalogue that grows has the vocabulary that its length asks for, and copies that fit together."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from bench.generated.exchanged_words import ExchangedWords, coined_word
from bench.generated.grown import GOALS, QUERIES, GrownCatalogue, ServerTool, text_of
from bench.generated.heaps import Growth, counted, fitted, growth, halves, words_of

NAMES = [coined_word(number * 7) for number in range(3_000)]
"""Words of a made-up catalogue; the first ones come most often."""


def tools() -> Iterator[ServerTool]:
    """Thirty servers with ten tools each, whose words get rarer."""
    for number in range(300):
        words = [NAMES[number], NAMES[number * number % 3_000], NAMES[number // 10]]
        schema = {
            "type": "object",
            "properties": {
                f"{NAMES[number]}Id": {"type": "string", "description": f"Id of {NAMES[number]}."},
                "how": {"type": "string", "enum": ["fast", NAMES[number + 1_000]]},
            },
            "required": [f"{NAMES[number]}Id"],
            "$schema": "http://json-schema.org/draft-07/schema#",
        }
        yield (
            f"server{number // 10}",
            {
                "name": f"get_{words[0]}_{number}",
                "description": f"Get the {' '.join(words)} of this account. Then more.",
                "inputSchema": schema,
            },
        )


def test_words_are_cut_where_an_identifier_changes_its_case() -> None:
    """As names are written."""
    assert words_of("getHTTPResponse list_users Ünder2scores") == [
        "get",
        "http",
        "response",
        "list",
        "users",
        "ünder",
        "scores",
    ]


def test_growth_is_counted_where_it_is_asked_for() -> None:
    """Words with repetitions, vocabulary without."""
    assert list(growth(["a bird", "a cat", "a"], [1, 3, 9])) == [Growth(1, 2, 2), Growth(3, 5, 3)]
    assert halves(17) == [1, 2, 4, 8, 17]


def test_the_law_goes_through_points_that_obey_it() -> None:
    """10 * n ** .5 at 100, 400 and 10,000 words."""
    law = fitted([Growth(1, 100, 100), Growth(2, 400, 200), Growth(3, 10_000, 1_000)])

    assert (law.k, law.beta) == pytest.approx((10, 0.5))
    assert law.vocabulary(2_500) == pytest.approx(500)
    with pytest.raises(ValueError, match="takes two"):
        fitted([Growth(1, 100, 100)])


def test_every_number_has_a_word_of_its_own() -> None:
    """They are new to the catalogue, and new to each other."""
    assert len({coined_word(number) for number in range(100_000)}) == 100_000
    assert [coined_word(number) for number in (0, 1, 7)] == ["babak", "babal", "bibak"]


def test_frequent_words_stay_and_no_two_become_one() -> None:
    """What tools do is said in the same words; names that differ go on differing."""
    frequencies = Counter({f"word{chr(97 + i % 26)}{coined_word(i)}": 3_000 - i for i in range(2_000)})
    ranked = list(frequencies)
    words = ExchangedWords(frequencies, beta=0.5, seed=1)

    assert words.of_copy(1).instead == {}
    for copy in (2, 3, 9):
        instead = words.of_copy(copy).instead
        assert not instead.keys() & set(ranked[:66])
        assert len(set(instead.values())) == len(instead) == 2_000 - 66
    coined = {copy: set(words.of_copy(copy).instead.values()) - set(ranked) for copy in (2, 3)}
    assert len(coined[2]) == round(2_000 * (2**0.5 - 1))
    assert len(coined[2] | coined[3]) >= round(2_000 * (3**0.5 - 1)) - 1


def test_other_words_are_written_as_the_old_ones_were() -> None:
    """Names stay names of their kind."""
    words = ExchangedWords(Counter({coined_word(i): 1 for i in range(600)}), beta=0.5, seed=1).of_copy(2)
    old, new = next((old, new) for old, new in words.instead.items() if old != new)

    text = words.text(f"{old} {old.capitalize()}Id list_{old}2 {old.upper()}")

    assert text == f"{new} {new.capitalize()}Id list_{new}2 {new.upper()}"


def test_the_vocabulary_grows_by_the_law_of_the_real_tools() -> None:
    """Within a tenth, at four and eight times the size."""
    catalogue = GrownCatalogue(tools)
    base, *later = catalogue.growth(8 * catalogue.size)

    assert [one.texts for one in later] == [600, 1_200, 2_400]
    for one in later:
        expected = base.vocabulary * (one.words / base.words) ** catalogue.law.beta
        assert one.vocabulary == pytest.approx(expected, rel=0.1)


def test_a_copy_has_other_texts_and_the_same_shape() -> None:
    """A required parameter is there under its new name; words of JSON Schema stay."""
    catalogue = GrownCatalogue(tools)
    real, copy = (list(islice(catalogue.tools(), start, start + 300)) for start in (0, 300))

    assert real == list(tools())
    assert {server for server, _ in copy}.isdisjoint(server for server, _ in real)
    for (_, old), (server, new) in zip(real, copy, strict=True):
        schema = new["inputSchema"]
        assert server.endswith("-2")
        assert schema["type"] == "object"
        assert schema["$schema"] == old["inputSchema"]["$schema"]
        assert set(schema["required"]) <= schema["properties"].keys()
        assert len(schema["properties"]) == 2
    changed = sum(
        old["description"] != new["description"] for (_, old), (_, new) in zip(real, copy, strict=True)
    )
    assert changed > 150
    assert counted(text_of(*one) for one in copy)["get"] == counted(text_of(*one) for one in real)["get"]


def test_the_same_seed_gives_the_same_catalogue() -> None:
    """And another seed another one, of the same real tools."""
    first, again, other = (list(islice(GrownCatalogue(tools, seed=seed).tools(), 700)) for seed in (1, 1, 2))

    assert first == again
    assert first[:300] == other[:300]
    assert first[300:] != other[300:]


def test_requests_and_goals_are_fixed_and_name_real_tools() -> None:
    """200 and 50, whatever the size of the catalogue."""
    catalogue = GrownCatalogue(tools)
    ids = {f"{server}/{tool['name']}" for server, tool in tools()}

    queries, goals = catalogue.queries(), catalogue.goals()

    assert (len(queries), len(goals)) == (QUERIES, GOALS)
    assert queries == GrownCatalogue(tools).queries()
    assert all(one.text and set(one.tools) <= ids for one in (*queries, *goals))
    assert all(len(one.tools) == 2 and ", then " in one.text for one in goals)
