"""Pairs of texts that mean the same, as catalogues and the common taxonomy have them: nobody labels anything."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from app.domain.language.text import split_words
from bench.training.catalogues import CataloguedTool
from ingest.sources.taxonomy.common import common_items

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_SPACE = re.compile(r"\s+")
_WORDS = 3
"""A shorter text says too little to be known from others."""
_ASKED, _TOLD = 300, 600
"""Characters of the two texts of a pair; the second are those of `meaning.encoded_text`."""
_PARAMETER = 120


class PairKind(Enum):
    """What the first text of a pair is; the second is the rest of what the tool says of itself."""

    NAME = "name"
    SENTENCE = "sentence"
    PARAMETERS = "parameters"
    PATH = "path"
    REQUEST = "request"


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two texts about the same thing."""

    kind: PairKind
    owner: str
    """Whose they are: of an owner, a second text is no wrong answer to another first one."""
    asked: str
    told: str


def tool_pairs(tools: Iterable[CataloguedTool]) -> Iterator[TextPair]:
    """Name and description; first sentence and the others; parameters or path and the name with the description."""
    for number, tool in enumerate(tools):
        owner, name, text = f"tool {number}", _in_words(tool.name), _clean(tool.description, _TOLD)
        says = len(text.split()) >= _WORDS
        if says and name:
            yield TextPair(PairKind.NAME, owner, name, text)
        sentences = [one for one in _SENTENCE_END.split(tool.description) if len(one.split()) >= _WORDS]
        if sentences:
            rest = _clean(f"{_in_words(f'{tool.server} {tool.name}')}: {' '.join(sentences[1:])}", _TOLD)
            yield TextPair(PairKind.SENTENCE, owner, _clean(sentences[0], _ASKED), rest)
        if tool.parameters and says:
            given = "; ".join(_clean(_in_words(one), _PARAMETER) for one in tool.parameters)
            yield TextPair(PairKind.PARAMETERS, owner, given[:_ASKED], tool.text)
        if tool.path:
            yield TextPair(PairKind.PATH, owner, _clean(_in_words(tool.path), _ASKED), f"{name}: {text}")


def common_pairs() -> Iterator[TextPair]:
    """Each English request of the common taxonomy with what its method says of itself."""
    for item in common_items().values():
        for request in _listed(item.requests.get("en", ())):
            yield TextPair(PairKind.REQUEST, item.id, request, f"{item.name}: {item.description}")


def _listed(texts: str | Sequence[str]) -> Sequence[str]:
    return [texts] if isinstance(texts, str) else texts


def _in_words(text: str) -> str:
    return " ".join(split_words(text))


def _clean(text: str, most: int) -> str:
    return _SPACE.sub(" ", text).strip()[:most]
