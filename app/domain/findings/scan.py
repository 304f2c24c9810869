"""What of a definition catches the eye."""

import base64
import binascii
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from app.domain.findings.patterns import EXPLAINS, PATTERNS, SIDE_INPUT, Tier, compiled
from app.domain.language.visible_text import excerpt, without_hidden

MAX_CHARS = 20_000
"""Of a text, as many are looked at."""
_HELD_SOFT = 2
_SAME_WORDS = 0.9
_HIDDEN_KINDS = 3
_ENCODED = r"[A-Za-z0-9+/]{24,1000}={0,2}"
_SENTENCE = r"[^.!?\n]+(?:\.\S[^.!?\n]*)*[.!?\n]*"
_PASSED_OVER = r"https?://\S+|\S+@\S+|'[^'\n]{3,200}'|\"[^\"\n]{3,200}\"|`[^`\n]{3,200}`"
_ZERO_WIDTH = frozenset("\u200b\u200c\u200d\u2060\ufeff")
_JOINERS = str.maketrans(dict.fromkeys("\u200c\u200d\ufe0f"))


@dataclass(frozen=True, slots=True)
class TextFinding:
    """One sign."""

    code: str
    tier: Tier
    meaning: str
    field: str
    """Where it was found: `description`, `title`, or an input."""
    said: str
    """The place in the text, as it can be shown; written by a stranger."""


@dataclass(frozen=True, slots=True)
class KnownTool:
    """What is asked of tools of other servers."""

    server: str
    name: str
    description: str


def find_in_texts(texts: Mapping[str, str], *, inputs: Iterable[str] = ()) -> tuple[TextFinding, ...]:
    """The signs in the texts of one definition, each kind once, hard ones first.

    Args:
        texts: By field, as the source has them, hidden characters included.
        inputs: Names of inputs.
    """
    found: dict[str, TextFinding] = {}
    for field, text in texts.items():
        for one in (*_hidden(field, text[:MAX_CHARS]), *_said(field, text[:MAX_CHARS])):
            found.setdefault(one.code, one)
    for name in inputs:
        if compiled(SIDE_INPUT).search(without_hidden(name[:MAX_CHARS])):
            meaning = "an input for what the tool does not need"
            found.setdefault("side_input", TextFinding("side_input", Tier.SOFT, meaning, name, excerpt(name)))
    order = list(Tier)
    return tuple(sorted(found.values(), key=lambda one: order.index(one.tier)))


def find_across(tool: KnownTool, others: Iterable[KnownTool]) -> tuple[TextFinding, ...]:
    """The signs that only show beside tools of other servers: the same tool again, or another one named.

    Work for each of the others.
    """
    own = _word_set(tool.description)
    spoken = _word_set(tool.description, marks="_")
    found: dict[str, TextFinding] = {}
    for other in others:
        if other.server == tool.server:
            continue
        if "_" in other.name and other.name.casefold() in spoken and other.name != tool.name:
            meaning = "the name of another server's tool"
            found.setdefault(
                "names_other_tool",
                TextFinding("names_other_tool", Tier.HARD, meaning, "description", excerpt(other.name)),
            )
        theirs = _word_set(other.description) if other.name == tool.name else frozenset()
        if theirs and len(own & theirs) >= _SAME_WORDS * len(own | theirs):
            meaning = "the name and the words of another server's tool"
            found.setdefault(
                "doubles_tool",
                TextFinding(
                    "doubles_tool", Tier.HARD, meaning, "description", excerpt(f"{other.server}/{other.name}")
                ),
            )
    return tuple(found.values())


def is_held(findings: Iterable[TextFinding]) -> bool:
    """Whether somebody should look before the tool is served: one hard sign, or two kinds of soft ones."""
    tiers = [one.tier for one in findings]
    return Tier.HARD in tiers or tiers.count(Tier.SOFT) >= _HELD_SOFT


def _said(field: str, text: str) -> Iterator[TextFinding]:
    plain = without_hidden(unicodedata.normalize("NFKC", text)).translate(_JOINERS)
    speaking = " ".join(_own_sentences(plain))
    for pattern in PATTERNS:
        if (match := compiled(pattern.expression).search(speaking)) is not None:
            yield TextFinding(pattern.code, pattern.tier, pattern.meaning, field, excerpt(match.group(0)))
    shell = next(one for one in PATTERNS if one.code == "shell")
    for decoded in _decoded(plain):
        if compiled(shell.expression).search(decoded) or "/bin/sh" in decoded:
            meaning = f"{shell.meaning}, encoded"
            yield TextFinding("encoded_shell", Tier.HARD, meaning, field, excerpt(decoded))


def _own_sentences(text: str) -> Iterator[str]:
    """What a text says itself: sentences, and of those that only speak of such texts nothing."""
    for match in compiled(_SENTENCE).finditer(text):
        sentence = match.group(0)
        if compiled(EXPLAINS).search(compiled(_PASSED_OVER).sub(" ", sentence)) is None:
            yield sentence


def _decoded(text: str) -> Iterator[str]:
    for match in compiled(_ENCODED).finditer(text):
        token = match.group(0)
        for read in (_hex, _base64):
            data = read(token)
            if data and all(32 <= one < 127 for one in data):
                yield data.decode("ascii")


def _hex(token: str) -> bytes:
    try:
        return bytes.fromhex(token)
    except ValueError:
        return b""


def _base64(token: str) -> bytes:
    try:
        return base64.b64decode(token + "=" * (-len(token) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _hidden(field: str, text: str) -> Iterator[TextFinding]:
    if text.isascii():
        return
    kinds = {
        "tags": any(0xE0000 <= ord(one) <= 0xE007F for one in text),
        "overrides": any(0x202A <= ord(one) <= 0x202E or 0x2066 <= ord(one) <= 0x2069 for one in text),
        "private use": any(0xE000 <= ord(one) <= 0xF8FF for one in text),
        "zero width": any(one in _ZERO_WIDTH for one in text),
    }
    there = [name for name, held in kinds.items() if held]
    if kinds["tags"] or kinds["overrides"] or len(there) >= _HIDDEN_KINDS:
        yield TextFinding("hidden_text", Tier.HARD, "text that nobody sees", field, ", ".join(there))
    elif there:
        yield TextFinding(
            "hidden_characters", Tier.NOTE, "characters that nobody sees", field, ", ".join(there)
        )


def _word_set(text: str, *, marks: str = "") -> frozenset[str]:
    kept = "".join(one if one.isalnum() or one in marks else " " for one in text[:MAX_CHARS].casefold())
    return frozenset(kept.split())
