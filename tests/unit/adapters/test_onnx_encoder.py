"""The encoder that ships."""

import hashlib
import re
from pathlib import Path

import numpy as np
import pytest

from app.adapters.encoders.onnx import SHIPPED, OnnxEncoder
from app.errors import EncoderError, InvalidInputError


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    return OnnxEncoder()


def test_texts_that_mean_the_same_are_closer_than_texts_that_share_words(encoder: OnnxEncoder) -> None:
    """That is what it is for."""
    asked, same, other = encoder.encode(
        ["give the customer their money back", "refund a payment", "create a customer"]
    )

    assert asked @ same > asked @ other + 0.05


def test_a_vector_is_the_same_whatever_is_encoded_beside_it(encoder: OnnxEncoder) -> None:
    """To the last bit: a catalogue ranks alike on every start."""
    texts = ["list branches", "delete a branch of a repository " * 40, "", "ブランチを削除する"]
    together = encoder.encode(texts)

    assert together.shape == (4, 384)
    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(1.0)
    assert (together[::-1] == encoder.encode(texts[::-1])).all()
    assert encoder.encode([]).shape[0] == 0
    assert (encoder.encode_request(texts[:1]) == together[:1]).all()


def test_the_card_names_the_files_that_ship() -> None:
    """Their sizes and hashes; whoever exchanges a file has to write the card anew."""
    card = (SHIPPED / "README.md").read_text(encoding="utf-8")

    for name in ("model.onnx", "tokenizer.json"):
        size, digest = re.findall(rf"`{name}` \| ([\d,]+) bytes, SHA-256 (\w+)", card)[0]
        data = (SHIPPED / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (int(size.replace(",", "")), digest)
        assert len(data) < 25_000_000


def test_a_folder_without_a_model_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"OUTFITTER_ENCODER_MODEL.*model\.onnx"):
        OnnxEncoder(tmp_path)


def test_a_file_that_is_no_model_is_said(tmp_path: Path) -> None:
    """When it is first used, without a text of the request."""
    (tmp_path / "model.onnx").write_bytes(b"no model")
    (tmp_path / "tokenizer.json").write_bytes((SHIPPED / "tokenizer.json").read_bytes())

    with pytest.raises(EncoderError, match="cannot be opened"):
        OnnxEncoder(tmp_path).encode(["secret"])
