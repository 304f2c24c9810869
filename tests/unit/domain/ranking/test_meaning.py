"""Vectors of tools and requests, as arithmetic."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.domain.nodes.models import ToolRequest
from app.domain.ranking.meaning import (
    ToolVectors,
    closeness,
    encoded_text,
    encoded_texts,
    evened,
    need_closeness,
    needs_of,
    parts_of,
    quantised,
    with_requests,
)
from tests.unit.catalogues import tool

VECTORS = arrays.arrays(
    np.float32, (5, 8), elements=st.floats(-1, 1, width=32).filter(lambda one: abs(one) > 1e-3)
)


def known(*rows: list[float]) -> ToolVectors:
    """Vectors of these rows; an empty one is not known."""
    size = max(map(len, rows))
    found = ToolVectors.unknown("m", len(rows), size)
    at = np.array([at for at, row in enumerate(rows) if row])
    return found.with_rows(at, *quantised(np.array([row for row in rows if row], np.float32)))


@given(VECTORS)
def test_a_component_is_off_by_half_a_step_at_most(vectors: np.ndarray) -> None:
    """A step is a 127th of the row's largest component."""
    codes, scales = quantised(vectors)

    steps = np.abs(vectors).max(axis=1) / 127
    assert (np.abs(codes * scales[:, None] - vectors) <= 0.501 * steps[:, None]).all()


def test_the_closest_part_of_a_request_counts() -> None:
    """And a tool whose vector is not known is close to nothing that can be said."""
    vectors = known([1, 0], [0.6, 0.8], [], [0, 1])
    asked = np.array([[0, 1], [1, 0]], np.float32)

    found = vectors.cosines(asked, np.array([0, 1, 2, 3]))

    assert found[:2] == pytest.approx([1.0, 0.8], abs=0.01)
    assert np.isnan(found[2])
    assert vectors.missing.tolist() == [2]


def test_a_part_that_is_far_from_every_tool_is_heard_too() -> None:
    """Its closest tool comes nearer, by the square root of how far it is behind; the closest of all stays."""
    found = evened(np.array([[0.9, 0.1], [0.6, 0.4], [-0.3, 0.2]]))

    assert found == pytest.approx(np.array([[0.9, 0.15], [0.6, 0.6], [-0.3, 0.3]]))


@given(cosines=st.lists(st.lists(st.floats(-1, 1, width=16), min_size=3, max_size=3), min_size=1, max_size=6))
def test_parts_made_even_keep_their_order_and_the_largest_cosine(cosines: list[list[float]]) -> None:
    """Whatever they are: no part's tools change places, and nothing is closer than the closest was."""
    before = np.array(cosines)
    after = evened(before)

    assert (np.argsort(before, axis=0, kind="stable") == np.argsort(after, axis=0, kind="stable")).all()
    assert max(after.max(), 0.0) == pytest.approx(max(before.max(), 0.0))
    assert evened(before[:, :1]) == pytest.approx(before[:, :1])


@pytest.mark.parametrize(
    ("request_text", "needs"),
    [
        ("archive the old channel, and tell everybody", ["archive the old channel, and tell everybody"]),
        ("archive the old channel, and tell all of sales", ["archive the old channel", "tell all of sales"]),
        ("close bug 7 for good; list open bugs\nthanks!", ["close bug 7 for good", "list open bugs"]),
        ("list the first 1,000 items of it", ["list the first 1,000 items of it"]),
        (
            'list the channels, then post "hello, how are you, and then some" in general',
            ["list the channels", "post   in general"],
        ),
        ("where is the sandbox", ["where is the sandbox"]),
        ("weather", ["weather"]),
    ],
)
def test_a_request_is_taken_apart_into_what_it_asks_for(request_text: str, needs: list[str]) -> None:
    """Clauses of three words or more; a request that has fewer than two is one need, and what is quoted asks for nothing."""
    assert needs_of(request_text) == needs


def test_each_need_has_a_closest_tool() -> None:
    """However far another one's is; half as close counts a sixteenth, and what is not known, or points away, nothing."""
    found = need_closeness(np.array([[0.8, 0.2], [0.4, 0.4], [np.nan, -0.5]]))

    assert found == pytest.approx(np.array([[1.0, 0.0625], [0.0625, 1.0], [0.0, 0.0]]))


@pytest.mark.parametrize("far", [0.19, 0.0, -0.1, np.nan])
def test_a_remark_has_none(far: float) -> None:
    """Nothing is near to `thanks a lot`; what is asked for beside it is heard."""
    assert need_closeness(np.array([[far, 0.5], [0.05, 0.1]])).T[0].tolist() == [0.0, 0.0]


def test_a_later_generation_takes_the_vectors_of_tools_that_stayed() -> None:
    """A tool that is new, or says something else now, has none."""
    before = known([1, 0], [0, 1])

    later = before.taken(np.array([1, -1, 0]))

    assert later.missing.tolist() == [1]
    assert later.cosines(np.array([[0, 1]], np.float32), np.array([0, 2])) == pytest.approx([1.0, 0.0])
    assert ToolVectors.unknown("m", 0, 2).taken(np.array([-1, -1])).missing.tolist() == [0, 1]


def test_words_stand_in_where_no_vector_is_known() -> None:
    """The closest tool has 1, one that is half as close less than a third, one that points away 0."""
    found = closeness(np.array([0.4, np.nan, 0.8, -0.2]), np.array([1.0, 0.7, 0.1, 0.2]))

    assert found is not None
    assert found.tolist() == pytest.approx([0.5**1.75, 0.7, 1.0, 0.0])


@pytest.mark.parametrize("cosines", [[], [np.nan], [-0.1, 0.0]])
def test_without_anything_close_there_is_no_closeness(cosines: list[float]) -> None:
    """Words and graph rank alone then."""
    assert closeness(np.array(cosines), np.zeros(len(cosines))) is None


@pytest.mark.parametrize("request_", ["delete the branch", "Find the issues. Close the oldest one.", ""])
def test_a_request_of_usual_length_is_one_text(request_: str) -> None:
    """Also of two sentences."""
    assert parts_of(request_) == [request_]


def test_a_long_request_is_encoded_by_sentence() -> None:
    """Sentences of one or two words ask for nothing."""
    first = "We moved to another office last month " + "and then some of us moved on " * 5
    request = f"Hi! {first.strip()}. Find the open issues. Close the oldest one; thanks a lot!\nDone."

    assert parts_of(request)[-3:] == ["Find the open issues", "Close the oldest one", "thanks a lot!"]
    assert parts_of("word " * 60) == ["word " * 60]


def test_however_long_a_request_is_few_parts_are_encoded() -> None:
    """So that nobody makes the service encode for minutes."""
    assert len(parts_of("Refund the last charge. " * 1000)) == 12


def test_names_are_encoded_as_words() -> None:
    """With the server, which says what a short name is about, and a part of the description that is bounded."""
    text = encoded_text(tool("billing/createRefund", "Gives money back. " + 2_000 * "x"))

    assert text.startswith("billing create refund: Gives money back.")
    assert len(text) < 700


def test_requests_of_a_tool_move_its_vector_towards_theirs() -> None:
    """By a fixed share, however many there are; the length stays 1, and tools without any stay as they were."""
    texts = np.array([[1, 0], [0, 1]], np.float32)
    asked = np.array([[0, 1], [0, 1], [0, 1]], np.float32)

    found = with_requests(texts, [asked, asked[:0]])

    assert found[1].tolist() == [0, 1]
    assert found[0] == pytest.approx(np.array([0.7, 0.3]) / np.hypot(0.7, 0.3))
    assert (with_requests(texts, [asked[:1], asked[:0]]) == found).all()


def test_what_was_written_for_a_tool_is_encoded_in_english() -> None:
    """Each once; what no glossary reads stays out."""
    said = [
        ("money back", "en"),
        ("money back", "en-GB"),
        ("Stornieren Sie die Rechnung", "de"),
        ("xyz", "it"),
    ]
    requests = tuple(ToolRequest(text=text, language=language, model="", at="") for text, language in said)
    one = tool("billing/refund", "Gives money back").model_copy(update={"requests": requests})

    own, first, german = encoded_texts(one)

    assert own == encoded_text(one)
    assert first == "money back"
    assert "invoice" in german
    assert encoded_texts(tool("a/b")) == (encoded_text(tool("a/b")),)


@given(st.integers(0, 2**32 - 1), st.sampled_from((5, 40)))
def test_the_nearest_are_those_with_the_highest_cosines(seed: int, count: int) -> None:
    """Of few tools exactly these; unknown ones and those that do not count are never among them."""
    rng = np.random.default_rng(seed)
    vectors = random_vectors(rng, 300, unknown=30)
    asked = rng.normal(size=(2, 64)).astype(np.float32)
    among = np.sort(rng.choice(300, 200, replace=False))

    found = vectors.nearest(asked, count, among=among)

    cosines = np.nan_to_num(vectors.cosines(asked, among), nan=-1.0)
    assert set(found) <= set(among)
    assert (np.diff(found) > 0).all()
    # How a product of matrices is rounded depends on how many rows it has.
    highest = np.sort(cosines[cosines > 0])[-count:]
    assert np.sort(vectors.cosines(asked, found)) == pytest.approx(highest, rel=1e-5)


def test_of_many_tools_the_nearest_is_found_by_its_signs() -> None:
    """Before any cosine is taken; also with dimensions that fill no whole word, and among some of the tools."""
    rng = np.random.default_rng(1)
    vectors = random_vectors(rng, 20_000, unknown=5_000, dimensions=100)
    for at in range(0, 100, 5):
        asked = vectors.codes[at : at + 1].astype(np.float32) + 40 * rng.normal(size=(1, 100))
        asked = (asked / np.linalg.norm(asked)).astype(np.float32)

        assert at in vectors.nearest(asked, 10)
        found = vectors.nearest(asked, 10, among=np.arange(at + 1, 20_000, 2))
        assert found.size == 10
        assert (found % 2 != at % 2).all()
        assert found.max() < 15_000


def random_vectors(
    rng: np.random.Generator, tools: int, *, unknown: int = 0, dimensions: int = 64
) -> ToolVectors:
    """Of length 1, in all directions; the last ones are not known."""
    rows = rng.normal(size=(tools - unknown, dimensions))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    codes, scales = quantised(rows.astype(np.float32))
    return ToolVectors.unknown("m", tools, dimensions).with_rows(np.arange(tools - unknown), codes, scales)
