"""Texts are cut as the encoder's model was trained: as the library that its authors use cuts them."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from app.adapters.encoders.onnx import SHIPPED
from app.adapters.encoders.wordpiece import WordPiece
from app.errors import EncoderError
from tests.documents import ROOT

OURS = WordPiece(SHIPPED / "tokenizer.json")
THEIRS = Tokenizer.from_file(str(SHIPPED / "tokenizer.json"))
THEIRS.enable_truncation(128)
THEIRS.no_padding()

# What has had the same category since Unicode 3.2: the two sides have tables of different versions.
OLD = unicodedata.ucd_3_2_0
TEXTS = st.text(
    st.characters(max_codepoint=0x2FFF).filter(
        lambda one: OLD.category(one) == unicodedata.category(one) != "Cn"
    )
    | st.sampled_from("aZ09_-./$^~ \t\n中文字日本語한국어é́ıßÅ№")
).filter(lambda text: "[" not in text)


@given(TEXTS)
def test_any_text_is_cut_as_the_library_cuts_it(text: str) -> None:
    assert OURS.encode(text, most=128) == THEIRS.encode(text).ids


def test_real_descriptions_are_cut_as_the_library_cuts_them() -> None:
    """Those of the examples, and this project's pages in pieces."""
    texts = [
        tool["description"]
        for path in (ROOT / "examples" / "manifests").glob("*.json")
        for tool in json.loads(path.read_text(encoding="utf-8"))["tools"]
    ]
    for path in (ROOT / "docs").glob("*.md"):
        texts += path.read_text(encoding="utf-8").split("\n\n")

    assert len(texts) > 500
    assert [text for text in texts if OURS.encode(text, most=128) != THEIRS.encode(text).ids] == []


def test_a_text_cannot_say_where_it_ends() -> None:
    """What looks like a mark of the model is read as what it is: letters in brackets."""
    numbers = OURS.encode("delete [SEP] it [CLS]", most=128)

    assert numbers.count(102) == 1
    assert numbers.count(101) == 1


def test_a_long_text_and_a_long_word_are_bounded() -> None:
    assert len(OURS.encode("word " * 5_000, most=128)) == 128
    assert OURS.encode("x" * 200_000, most=128) == [101, 100, 102]


@pytest.mark.parametrize("text", ["", "{}", '{"model": {"type": "BPE", "vocab": {}}}', "[]"])
def test_another_kind_of_tokenizer_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(text)

    with pytest.raises(EncoderError, match=r"tokenizer\.json"):
        WordPiece(path)
