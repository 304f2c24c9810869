"""Characters that hide, move or rewrite text."""

import json
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.domain.language.visible_text import (
    HIDDEN,
    excerpt,
    has_hidden,
    hidden_in,
    visible,
    visible_json,
    without_hidden,
)

SET = {code for first, last, _ in HIDDEN for code in range(first, last + 1)}
WRITING = "\n\t \u00a0\u2003\u3000\u202f\u200c\u200d\ufe0f\u00adüß漢語👩\u200d💻❤\ufe0f"
NAMED = [
    *range(0x09),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA0),
    *(0x061C, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x2060, 0xFEFF),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    *range(0xD800, 0xE000),
    *range(0xE0000, 0xE0080),
    *range(0xE0100, 0xE01F0),
]
ANY = st.text(st.characters(codec=None) | st.sampled_from([chr(code) for code in sorted(SET)]))


def test_every_control_and_every_invisible_instruction_is_in_the_set() -> None:
    """Controls but tab and line feed, C1, bidirectional controls, tags, separators, halves of pairs."""
    assert set(NAMED) <= SET
    controls = {
        code for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cc", "Cs", "Zl", "Zp")
    }
    assert controls - SET == {0x09, 0x0A}


def test_what_writing_needs_is_not_in_the_set() -> None:
    assert not has_hidden(WRITING)
    assert (visible(WRITING), without_hidden(WRITING), hidden_in(WRITING)) == (WRITING, WRITING, ())
    spaces = {code for code in range(0x110000) if unicodedata.category(chr(code)) == "Zs"}
    assert not spaces & SET


def test_a_hidden_character_is_shown_by_its_number() -> None:
    assert (
        visible("a\x1b]52;c;x\x07b\u202e\U000e0041\ud800")
        == "a\\u{1b}]52;c;x\\u{7}b\\u{202e}\\u{e0041}\\u{d800}"
    )


def test_a_line_end_of_two_characters_is_one_of_one() -> None:
    assert (visible("a\r\nb\rc"), without_hidden("a\r\nb"), hidden_in("a\r\nb")) == (
        "a\nb\\u{d}c",
        "a\nb",
        (),
    )
    assert hidden_in("a\rb") == ("U+000D",)


def test_what_ended_a_line_does_not_join_two_words() -> None:
    assert without_hidden("films.\rThe\u2028first\x85one\u200b!") == "films.\nThe\nfirst\none!"


def test_a_message_names_few_characters() -> None:
    assert hidden_in("\x00\x01\x02\x03\x04\x05\x06\x00") == ("U+0000", "U+0001", "U+0002", "U+0003", "U+0004")


@given(ANY)
@example("\r\r\n")
@example("\\u{1b}\x1b")
def test_nothing_of_the_set_is_left(text: str) -> None:
    shown, taken = visible(text), without_hidden(text)

    assert not SET & set(map(ord, shown + taken))
    assert (visible(shown), without_hidden(taken)) == (shown, taken)
    assert bool(hidden_in(text)) <= has_hidden(text)
    shown.encode()


@given(ANY, st.booleans())
def test_json_says_the_same_and_holds_nothing_of_the_set(text: str, ascii_only: bool) -> None:
    # Two halves side by side are one character to a reader of JSON.
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    document = json.dumps({text: [text]}, ensure_ascii=ascii_only, indent=2)

    shown = visible_json(document)

    assert json.loads(shown) == json.loads(document)
    assert not SET & set(map(ord, shown))


@pytest.mark.parametrize("text", ["x" * 10_000, "\x1b" * 10_000, "a b\n" * 5_000, ""])
def test_an_excerpt_is_short_and_in_one_line(text: str) -> None:
    assert len(excerpt(text)) <= 80
    assert excerpt(text).isprintable()


def test_a_short_text_is_its_own_excerpt() -> None:
    assert excerpt(" who are\nyou? \x1b") == "who are you? \\u{1b}"
