"""Real tools in any number: those of a catalogue, then copies of it in other words; requests and goals for them.

Copies that repeat texts flatter every cache and leave the index without new words. Here the vocabulary grows as that of
the real catalogue does (`heaps`), and every word has a frequency like one of the original (`exchanged_words`).
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeAlias

from bench.generated.exchanged_words import ExchangedWords, WordsOfCopy
from bench.generated.heaps import Growth, HeapsLaw, counted, fitted, growth, halves

ServerTool: TypeAlias = tuple[str, Mapping[str, Any]]
"""Name of the server, and the tool as `tools/list` has it."""
SEED = 1
SIZES = (250, 1_000, 5_000, 17_570, 50_000)
"""What is measured unless sizes are named; up to 17,570 tools are real ones."""
MOST_TOOLS = 1_000_000
QUERIES = 200
GOALS = 50
_NOT_TEXT = {
    "type",
    "format",
    "pattern",
    "$schema",
    "$ref",
    "$id",
    "in",
    "contentEncoding",
    "contentMediaType",
}
"""What a schema says in words of JSON Schema."""
_QUERY_WORDS = 12
_SENTENCE = re.compile(r"(?<=[.!?])\s|\n")


@dataclass(frozen=True, slots=True)
class AskedTool:
    """A request and the tools whose words it has."""

    text: str
    tools: tuple[str, ...]


class GrownCatalogue:
    """A catalogue that grows by copies of itself; the same for the same tools and seed.

    Args:
        read: reads the real tools, each time from the beginning; no two have server and name in common.
        seed: another one gives other copies.
    """

    def __init__(self, read: Callable[[], Iterable[ServerTool]], *, seed: int = SEED) -> None:
        self._read = read
        self._seed = seed
        self.size = sum(1 for _ in read())
        """Real tools."""
        self.real_growth: Sequence[Growth] = tuple(growth(self._shuffled(), halves(self.size)))
        """Of the real tools, in an order that no server shapes."""
        self.law: HeapsLaw = fitted(self.real_growth)
        self._words = ExchangedWords(
            counted(text_of(server, tool) for server, tool in read()), beta=self.law.beta, seed=seed
        )

    def tools(self) -> Iterator[ServerTool]:
        """Server and tool, without end: the real ones, then copy after copy; servers of a copy have its number."""
        for copy in count(1):
            words = self._words.of_copy(copy)
            for server, tool in self._read():
                yield (
                    (server, tool) if copy == 1 else (f"{words.text(server)}-{copy}", _exchanged(tool, words))
                )

    def growth(self, tools: int) -> list[Growth]:
        """Of the first tools: after the real ones, twice as many, and so on, and after all of them."""
        at = sorted({tools, *(self.size << power for power in range(tools.bit_length()))})
        texts = (text_of(server, tool) for server, tool in self.tools())
        return list(growth(texts, [one for one in at if one <= tools]))

    def queries(self) -> list[AskedTool]:
        """200 requests for real tools: 80 sentences, 60 of a few words, 60 of two sentences."""
        chance = random.Random(self._seed)  # noqa: S311 - the same requests for the same seed
        described = [(server, tool) for server, tool in self._read() if len(_said(tool).split()) > 3]
        found: list[AskedTool] = []
        for number in range(QUERIES):
            server, tool = chance.choice(described)
            asked = [_id(server, tool)]
            if number % 10 < 4:
                text = _said(tool)
            elif number % 10 < 7:
                text = " ".join(re.split(r"[\W_]+", str(tool["name"])))
            else:
                other_server, other = chance.choice(described)
                asked.append(_id(other_server, other))
                text = f"{_said(tool)}, and {_said(other)}"
            found.append(AskedTool(text, tuple(asked)))
        return found

    def goals(self) -> list[AskedTool]:
        """50 goals of two calls, both of one server."""
        chance = random.Random(self._seed)  # noqa: S311 - the same goals for the same seed
        servers: dict[str, list[Mapping[str, Any]]] = {}
        for server, tool in self._read():
            if len(_said(tool).split()) > 3:
                servers.setdefault(server, []).append(tool)
        several = sorted(server for server, tools in servers.items() if len(tools) > 1)
        found: list[AskedTool] = []
        for server in (chance.choice(several) for _ in range(GOALS)) if several else ():
            first, then = chance.sample(servers[server], 2)
            text = f"{_said(first)}, then {_said(then)}"
            found.append(AskedTool(text, (_id(server, first), _id(server, then))))
        return found

    def _shuffled(self) -> Iterator[str]:
        texts = [text_of(server, tool) for server, tool in self._read()]
        random.Random(self._seed).shuffle(texts)  # noqa: S311 - the same order for the same seed
        return iter(texts)


def text_of(server: str, tool: Mapping[str, Any]) -> str:
    """All that is words in a tool."""
    return " ".join(
        (server, str(tool["name"]), str(tool.get("description") or ""), *_texts(tool["inputSchema"]))
    )


def _texts(value: object, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if key in ("properties", "$defs", "definitions"):
                yield name
                yield from _texts(inner)
            elif name not in _NOT_TEXT and name != "required":
                yield from _texts(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


def _exchanged(tool: Mapping[str, Any], words: WordsOfCopy) -> dict[str, Any]:
    return {
        **tool,
        "name": words.text(str(tool["name"])),
        "description": words.text(str(tool.get("description") or "")),
        "inputSchema": _schema(tool["inputSchema"], words),
    }


def _schema(value: Any, words: WordsOfCopy, key: str = "") -> Any:
    """The schema in other words; a parameter has its new name wherever it is named."""
    if isinstance(value, dict):
        named = key in ("properties", "$defs", "definitions")
        return {
            words.text(name) if named else name: inner
            if not named and name in _NOT_TEXT and name != "$ref"
            else _schema(inner, words, "" if named else name)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [_schema(inner, words) for inner in value]
    if not isinstance(value, str):
        return value
    if key == "$ref":
        head, slash, name = value.rpartition("/")
        return f"{head}{slash}{words.text(name)}"
    return words.text(value)


def _said(tool: Mapping[str, Any]) -> str:
    """The first words of what a tool says of itself, as somebody would ask for it."""
    first = _SENTENCE.split(str(tool.get("description") or "").strip())[0].rstrip(".!?:")
    return " ".join(first.split()[:_QUERY_WORDS]).lower()


def _id(server: str, tool: Mapping[str, Any]) -> str:
    return f"{server}/{tool['name']}"
