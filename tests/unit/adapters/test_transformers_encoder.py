"""Encoders of the extra, over a package that has its interface."""

import sys
from pathlib import Path

import pytest

from app.errors import EncoderError, InvalidInputError
from app.roots.encoders import encoder_of
from app.settings import Settings

PACKAGE = """
import numpy as np

class SentenceTransformer:
    def __init__(self, name):
        if name == "no-model":
            raise OSError("secret of the hub")
        self.name = name

    def encode_document(self, texts, **options):
        return np.array([[3.0, 4.0 + len(text)] for text in texts])

    def encode_query(self, texts, **options):
        return np.array([[0.0 if "nothing" in text else 2.0, 0.0] for text in texts])
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sentence_transformers.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "sentence_transformers", raising=False)


@pytest.mark.usefixtures("package")
def test_tools_are_documents_and_requests_are_queries() -> None:
    """Where a model tells them apart; all have length 1."""
    encoder = encoder_of(Settings(encoder="sentence-transformers", encoder_model="some/model"))
    assert encoder is not None

    assert encoder.encode([""]).tolist() == [pytest.approx([0.6, 0.8])]
    assert encoder.encode_request(["refund"]).tolist() == [[1.0, 0.0]]
    assert encoder.encode([]).shape[0] == 0
    assert encoder.model == "sentence-transformers:some/model"
    with pytest.raises(EncoderError, match="no vector for each text"):
        encoder.encode_request(["nothing"])


@pytest.mark.usefixtures("package")
def test_a_model_that_cannot_be_opened_leaves_words() -> None:
    """What the package says of it may hold anything."""
    encoder = encoder_of(Settings(encoder="sentence-transformers", encoder_model="no-model"))
    assert encoder is not None
    with pytest.raises(EncoderError, match=r"^encoder 'no-model' failed: OSError$"):
        encoder.encode(["a text"])


@pytest.mark.usefixtures("package")
def test_a_folder_whose_files_change_is_another_model(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")

    def name() -> str:
        encoder = encoder_of(Settings(encoder="sentence-transformers", encoder_model=str(folder)))
        assert encoder is not None
        return encoder.model

    before = name()
    (folder / "config.json").write_text('{"more": 1}')

    assert before.startswith("sentence-transformers:model:")
    assert name() != before


def test_without_the_package_the_setting_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    with pytest.raises(InvalidInputError, match=r"pip install 'outfitter\[sentence-transformers\]'"):
        encoder_of(Settings(encoder="sentence-transformers", encoder_model="some/model"))


def test_a_model_has_to_be_named() -> None:
    with pytest.raises(InvalidInputError, match="takes OUTFITTER_ENCODER_MODEL"):
        encoder_of(Settings(encoder="sentence-transformers"))
