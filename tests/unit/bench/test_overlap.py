"""What repeats a benchmark is found, word for word or in meaning."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from app.errors import InvalidInputError
from bench.measure.overlap import measure_overlap, set_requests, shipped_texts
from ingest.sources.taxonomy.common import common_items


def encode(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Alike are texts of the same first letter."""
    found = np.zeros((len(texts), 26), np.float32)
    for row, text in enumerate(texts):
        found[row, ord(text[0].lower()) - ord("a")] = 1
    return found


def test_five_words_in_a_row_are_too_many() -> None:
    """Whatever their case and what stands between them; four are not."""
    texts = [("m", "Zip up the red boat of my aunt"), ("n", "Xerox the red boat of ours")]

    (found,) = measure_overlap(texts, {"set": ["Please paint the RED boat, of my uncle"]}, encode)

    assert [(one.method, one.run) for one in found.found] == [("m", "the red boat of my")]


def test_texts_that_mean_the_same_are_too_much_alike() -> None:
    """By their cosine; requests so long that a vector is of their beginning are left to the words."""
    texts = [("m", "Anchor it"), ("n", "Bail it")]

    found = measure_overlap(texts, {"one": ["anchors aweigh"], "two": ["a" * 900], "three": ["sail"]}, encode)

    assert [(one.set, [hit.method for hit in one.found], one.closest) for one in found] == [
        ("one", ["m"], 1.0),
        ("two", [], 0.0),
        ("three", [], 0.0),
    ]


def test_all_texts_that_ship_are_compared() -> None:
    """Descriptions, and requests in every language."""
    methods = [method for method, _ in shipped_texts()]

    assert set(methods) == set(common_items())
    assert len(methods) > 10 * len(common_items())


def test_a_folder_without_sets_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="no set with requests"):
        set_requests(tmp_path)
