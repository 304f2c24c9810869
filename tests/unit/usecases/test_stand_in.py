"""A faster encoder stands in while most tools have no vectors of the other."""

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.domain.nodes.models import Tool
from app.errors import EncoderError
from app.usecases.index.changed import changed_index
from app.usecases.index.encoding import ToolEncoder
from app.usecases.index.search_index import SearchIndex
from tests.unit.catalogues import catalogue, part_between, tool
from tests.unit.usecases.test_meaning import QUERY, TOOLS, Concepts, Kept, ask, asked_of, ids


class Slow(Concepts):
    """An encoder that ends with its first batch."""

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        raise EncoderError("not yet")


def lent(fast: Concepts | None = None, *, weight: float = 1.0) -> SearchIndex:
    index = SearchIndex.build(catalogue(TOOLS))
    encoder = ToolEncoder(
        Slow("slow"), at_once=0, stand_in=ToolEncoder(fast or Concepts("fast"), weight=weight)
    )
    encoder.attach(index)
    encoder.complete(index, goes_on=lambda: True)
    return index


def followed(index: SearchIndex, new: Tool) -> SearchIndex:
    """The index after one more tool."""
    after = dataclasses.replace(catalogue([*TOOLS, new]), generation=index.generation + 1, stamp="after")
    later = changed_index(index, part_between(index.catalogue, after))
    assert later is not None
    return later


def test_the_faster_one_ranks_until_the_other_is_there() -> None:
    """As if it were the only one; then it is let go."""
    alone = SearchIndex.build(catalogue(TOOLS))
    ToolEncoder(Concepts("fast")).attach(alone)
    index = lent()

    assert ids(ask(index)) == ids(ask(alone))
    assert ids(ask(index)) != ids(ask(SearchIndex.build(catalogue(TOOLS))))

    ToolEncoder(Concepts("slow")).attach(index)

    assert index.meaning.stand_in is None
    assert ids(ask(index)) == ids(ask(alone))


def test_where_most_tools_have_a_vector_nothing_stands_in() -> None:
    """The others are ranked by their words: what two encoders call near is not compared."""
    index = SearchIndex.build(catalogue(TOOLS))
    encoder = ToolEncoder(Concepts("slow"), at_once=10, stand_in=ToolEncoder(Concepts("fast")))
    encoder.attach(index)
    new = tool("sea/row", "Rows a boat")

    later = followed(index, new)

    encoder.complete(later, goes_on=lambda: True)
    assert later.meaning.stand_in is None


def test_vectors_that_are_kept_are_not_stood_in_for() -> None:
    """They come in sooner than others could be made."""
    kept = Kept()
    ToolEncoder(Concepts("slow"), kept).attach(SearchIndex.build(catalogue(TOOLS)))
    fast, index = Concepts("fast"), SearchIndex.build(catalogue(TOOLS))
    encoder = ToolEncoder(Slow("slow"), kept, at_once=0, stand_in=ToolEncoder(fast))

    encoder.attach(index, most=0)
    encoder.complete(index, goes_on=lambda: True)

    assert index.meaning.vectors is not None
    assert not index.meaning.vectors.missing.size
    assert fast.texts == []


def test_a_later_generation_keeps_what_stands_in() -> None:
    """Only new tools are encoded again, and the request finds them."""
    fast = Concepts("fast")
    index = lent(fast)
    fast.texts.clear()
    new = tool("shop/again", "Gives the money back once more")
    later = followed(index, new)

    ToolEncoder(Slow("slow"), stand_in=ToolEncoder(fast)).complete(later, goes_on=lambda: True)

    assert len(fast.texts) == 1
    assert "shop/again" in ids(ask(later, QUERY))[:2]


def test_what_stands_in_is_no_vector_that_is_kept_or_counted() -> None:
    """The index says that no tool is encoded yet."""
    index = lent()

    assert index.meaning.vectors is not None
    assert index.meaning.vectors.missing.size == len(TOOLS)
    assert index.meaning.stand_in is not None


def test_what_stands_in_counts_as_much_as_it_is_trusted() -> None:
    """With a weight of 0 words rank, and the weight of the other counts as soon as that is there."""
    words = ask(SearchIndex.build(catalogue(TOOLS)))
    index = lent(weight=0.0)

    assert ids(ask(index)) == ids(words)
    assert asked_of(index).encoder.weight == 0.0

    ToolEncoder(Concepts("slow")).attach(index)

    assert asked_of(index).encoder.weight == 1.0
