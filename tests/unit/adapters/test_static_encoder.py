"""The encoder that is a table."""

import hashlib
import re
from pathlib import Path

import numpy as np
import pytest

from app.adapters.encoders.static import CODES, SCALES, SHIPPED_TABLE, StaticEncoder
from app.errors import EncoderError, InvalidInputError
from app.roots.encoders import encoder_of
from app.settings import Settings


@pytest.fixture(scope="module")
def encoder() -> StaticEncoder:
    return StaticEncoder()


def test_texts_that_mean_the_same_are_closer_than_texts_that_share_words(encoder: StaticEncoder) -> None:
    asked, same, other = encoder.encode(
        ["give the customer their money back", "refund a payment", "create a customer"]
    )

    assert asked @ same > asked @ other


def test_a_vector_is_the_same_whatever_is_encoded_beside_it(encoder: StaticEncoder) -> None:
    """A text without a word has one too, since each vector has length 1."""
    texts = ["list branches", "delete a branch of a repository " * 40, "", "!?", "ブランチを削除する"]
    together = encoder.encode(texts)

    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(1.0)
    assert (together[::-1] == encoder.encode(texts[::-1])).all()
    assert encoder.encode([]).shape == (0, together.shape[1])
    assert (encoder.encode_request(texts[:1]) == together[:1]).all()


def test_the_order_of_words_does_not_count(encoder: StaticEncoder) -> None:
    first, second = encoder.encode(["a branch of the file", "the file of a branch"])

    assert first == pytest.approx(second, abs=1e-5)


def test_the_card_names_the_files_that_ship() -> None:
    """Their sizes and hashes; whoever trains another table has to write the card anew."""
    card = (SHIPPED_TABLE / "README.md").read_text(encoding="utf-8")

    for name in (CODES, SCALES):
        size, digest = re.findall(rf"`{name}` \| ([\d,]+) bytes, SHA-256 (\w+)", card)[0]
        data = (SHIPPED_TABLE / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (int(size.replace(",", "")), digest)


def test_a_folder_without_a_table_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"OUTFITTER_ENCODER_MODEL.*codes\.npy"):
        encoder_of(Settings(encoder="static", encoder_model=str(tmp_path)))


@pytest.mark.parametrize(
    ("codes", "said"),
    [(b"no table", "cannot be opened"), (np.zeros((3, 2), np.int8), r"int8 \(3, 2\).*accepted: int8")],
)
def test_a_file_that_is_no_table_is_said(
    codes: bytes | np.ndarray[tuple[int, int], np.dtype[np.int8]], said: str, tmp_path: Path
) -> None:
    """When it is first used, without a text of the request."""
    if isinstance(codes, bytes):
        (tmp_path / CODES).write_bytes(codes)
    else:
        np.save(tmp_path / CODES, codes)
    np.save(tmp_path / SCALES, np.zeros(3, np.float32))

    with pytest.raises(EncoderError, match=said) as raised:
        StaticEncoder(tmp_path).encode(["secret"])

    assert "secret" not in str(raised.value)
