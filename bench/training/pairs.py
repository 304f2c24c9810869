"""Pairs of texts that mean the same, as catalogues and the common taxonomy have them: nobody labels anything."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import numpy as np

from app.domain.language.text import split_words
from app.errors import InvalidInputError
from bench.measure.overlap import TextVectors
from bench.sets.catalogue_requests import is_held_out, written_for_tools
from bench.training.catalogues import CataloguedTool, training_tools, written_requests
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
    WRITTEN = "written"
    """A request that was written down for the tool."""
    SIBLING = "sibling"
    """A request that was written down for a tool among its siblings."""
    SEVERAL = "several"
    """A request that takes several tools, with one of them."""


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two texts about the same thing."""

    kind: PairKind
    owner: str
    """Whose they are: of an owner, a second text is no wrong answer to another first one."""
    asked: str
    told: str
    group: str
    """Among whose texts it has to be found: the tool's server, or the domain of the common taxonomy."""
    beside: str = ""
    """The text of another tool of the server, which is a wrong answer."""


def tool_pairs(tools: Iterable[CataloguedTool]) -> Iterator[TextPair]:
    """Name and description; first sentence and the others; parameters or path and the name with the description."""
    for number, tool in enumerate(tools):
        owner, name, text = f"tool {number}", _in_words(tool.name), _clean(tool.description, _TOLD)
        says = len(text.split()) >= _WORDS
        if says and name:
            yield TextPair(PairKind.NAME, owner, name, text, tool.server)
        sentences = [one for one in _SENTENCE_END.split(tool.description) if len(one.split()) >= _WORDS]
        if sentences:
            rest = _clean(f"{_in_words(f'{tool.server} {tool.name}')}: {' '.join(sentences[1:])}", _TOLD)
            yield TextPair(PairKind.SENTENCE, owner, _clean(sentences[0], _ASKED), rest, tool.server)
        if tool.parameters and says:
            given = "; ".join(_clean(_in_words(one), _PARAMETER) for one in tool.parameters)
            yield TextPair(PairKind.PARAMETERS, owner, given[:_ASKED], tool.text, tool.server)
        if tool.path:
            yield TextPair(
                PairKind.PATH, owner, _clean(_in_words(tool.path), _ASKED), f"{name}: {text}", tool.server
            )


def common_pairs() -> Iterator[TextPair]:
    """Each English request of the common taxonomy with what its method says of itself."""
    for item in common_items().values():
        for request in _listed(item.requests.get("en", ())):
            yield TextPair(
                PairKind.REQUEST,
                item.id,
                request,
                f"{item.name}: {item.description}",
                item.id.split(".", 1)[0],
            )


def written_pairs(tools: Sequence[CataloguedTool], *, seed: int) -> Iterator[TextPair]:
    """Each of these requests with its tool's text, beside that of another tool of the server.

    Args:
        tools: Requests for tools that are not among them are passed over.
        seed: By which the other tool is drawn.
    """
    random = np.random.default_rng(seed)
    numbers = _numbers(tools)
    of_server: defaultdict[str, list[int]] = defaultdict(list)
    for number, tool in enumerate(tools):
        of_server[tool.server].append(number)
    for server, name, requests in written_requests():
        own = numbers.get((server, name))
        others = [number for number in of_server[server] if number != own]
        if own is None or not others:
            continue
        for request in requests:
            beside = tools[others[random.integers(len(others))]].text
            yield TextPair(PairKind.WRITTEN, f"tool {own}", request, tools[own].text, server, beside)


def sibling_pairs(tools: Sequence[CataloguedTool]) -> Iterator[TextPair]:
    """Each request of the set `catalogues` that nothing is measured by, with the text of each tool that it takes.

    Args:
        tools: Requests for tools that are not among them are passed over.
    """
    numbers = _numbers(tools)
    for server, names, requests in _sibling_requests():
        own = [numbers[server, name] for name in names if (server, name) in numbers]
        if len(own) < len(names):
            continue
        kind = PairKind.SIBLING if len(own) == 1 else PairKind.SEVERAL
        for request in requests:
            for number in own:
                yield TextPair(kind, f"tool {number}", request, tools[number].text, server)


def _numbers(tools: Sequence[CataloguedTool]) -> dict[tuple[str, str], int]:
    """Server and name -> place; of tools with the same ones, the first."""
    return {(tool.server, tool.name): number for number, tool in reversed(list(enumerate(tools)))}


def trained_texts(data: Path, encode: TextVectors) -> list[tuple[str, str]]:
    """What is trained on beside the common taxonomy, each text with its tool: tools, where the folder has catalogues, and requests."""
    asked = [(f"{server}/{name}", request) for server, name, some in written_requests() for request in some]
    asked += [
        (f"{server}/{names[0]}", request) for server, names, some in _sibling_requests() for request in some
    ]
    try:
        tools = training_tools(data, encode)
    except InvalidInputError:
        return asked
    return [*asked, *((f"{tool.server}/{tool.name}", tool.text) for tool in tools)]


def _sibling_requests() -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Server, tools that are needed, and requests for these, without those that rankings are measured by."""
    return (row for row in written_for_tools() if not is_held_out(row[0]))


def _listed(texts: str | Sequence[str]) -> Sequence[str]:
    return [texts] if isinstance(texts, str) else texts


def _in_words(text: str) -> str:
    return " ".join(split_words(text))


def _clean(text: str, most: int) -> str:
    return _SPACE.sub(" ", text).strip()[:most]
