"""What encoders are trained on: tools of public catalogues, without those that rankings are measured by."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from app.domain.language.text import split_words
from app.domain.nodes.models import Tool
from app.domain.ranking.meaning import ENCODED_CHARACTERS
from bench.measure.excluded import excluded, named_vendors
from bench.measure.overlap import MOST_ALIKE, TextVectors, comparable, runs_of, set_requests, words_of
from bench.peer.sets import PEER_SETS
from bench.sets.datasets import bench_set, lines, require
from bench.sets.sets import read_sets
from bench.training.near_texts import NEAR, closest, nearness

_WORD = re.compile(r"[^\W_]+")
_SPACE = re.compile(r"\s+")
_OF_EVERY_SERVER = frozenset(
    "mcp server servers service protocol model context api apis the a an and for com org net io local main www".split()
)
"""Words that names of servers have whatever they serve."""
_COMPARED = 1_500
_OWN_WORDS = 4
"""A shorter description says nothing of its own: then name and description are compared together."""


@dataclass(frozen=True, slots=True)
class CataloguedTool:
    """A tool of a catalogue, as it is trained on."""

    server: str
    name: str
    description: str
    path: str
    """Of an operation; else empty."""
    parameters: tuple[str, ...]
    """Name and description of each."""

    @property
    def text(self) -> str:
        """As `meaning.encoded_text`."""
        words = " ".join(split_words(f"{self.server} {self.name}"))
        return f"{words}: {_SPACE.sub(' ', self.description).strip()[:ENCODED_CHARACTERS]}"

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything that is trained on."""
        return (self.text, *self.parameters)


def training_tools(data: Path, encode: TextVectors) -> list[CataloguedTool]:
    """Operations of OpenAPI documents and MCP tools, as far as no benchmark is near.

    Left out are those that name a vendor of `excluded.toml` or are of one of its servers, those whose text is nearly one of a benchmark's tools, and
    those with five words in a row of a benchmark's request.

    Raises:
        InvalidInputError: the folder lacks a catalogue, or has no set.
    """
    known = excluded()
    listed = {_own_words(server) for some in known.servers.values() for server in some} - {frozenset()}
    tools = _distinct(
        tool for tool in catalogued_tools(data) if not _is_excluded(tool, known.vendors, listed)
    )
    requests = [text for some in set_requests(data).values() for text in some]
    asked = {run for text in requests for run in runs_of(text)}
    tools = [tool for tool in tools if all(asked.isdisjoint(runs_of(text)) for text in tool.texts)]
    tools = _without_near(tools, _measured_tools(data))
    alike = closest(encode([tool.text for tool in tools]), encode(comparable(requests)))
    return [tool for tool, cosine in zip(tools, alike, strict=True) if cosine <= MOST_ALIKE]


def written_requests() -> list[tuple[str, str, tuple[str, ...]]]:
    """Server and name of each tool that requests were written down for, and these.

    Whoever wrote them saw the tool's name and the beginning of its description, and no request of any set.
    """
    found = lines(files("bench.training") / "requests.jsonl")
    return [(row["server"], row["name"], tuple(row["requests"])) for row in found]


def catalogued_tools(data: Path) -> Iterator[CataloguedTool]:
    """The operations and MCP tools of both catalogues.

    Raises:
        InvalidInputError: the folder lacks one.
    """
    for row in lines(require(data, "catalogues", "openapi_operations", "operations.jsonl")):
        texts = dict.fromkeys(text for text in (row["summary"].strip(), row["description"].strip()) if text)
        server = row["server"].removesuffix("/main")
        yield CataloguedTool(server, row["name"], ". ".join(texts), row["path"], tuple(row["parameters"]))
    for row in lines(require(data, "catalogues", "toucan", "tools.jsonl")):
        properties: dict[str, Any] = (row.get("parameters") or {}).get("properties") or {}
        parameters = tuple(f"{name} {_described(value)}".strip() for name, value in properties.items())
        description = (row["description"] or "").strip()
        yield CataloguedTool(row["server"], row["name"], description, "", parameters)


def _described(schema: object) -> str:
    return str(schema.get("description") or "") if isinstance(schema, dict) else ""


def _is_excluded(tool: CataloguedTool, vendors: frozenset[str], listed: set[frozenset[str]]) -> bool:
    """Whether a tool says a vendor of a benchmark, or is of one of its servers.

    Args:
        tool: In a registry, the owner of its server stands before the first underscore.
        vendors: One word each.
        listed: What the names of the benchmarks' servers say.
    """
    words = {word for text in (tool.server, *tool.texts) for word in words_of(text)}
    # Cut as the check of leaks does, too: `Google's` is a word of its own otherwise.
    if not vendors.isdisjoint(words) or named_vendors([(tool.name, text) for text in tool.texts], vendors):
        return True
    return _own_words(tool.server) in listed or _own_words(tool.server.split("_", 1)[-1]) in listed


def _own_words(server: str) -> frozenset[str]:
    return frozenset(word.lower() for word in split_words(server)) - _OF_EVERY_SERVER


def _distinct(tools: Iterator[CataloguedTool]) -> list[CataloguedTool]:
    """The first of those that say the same: registries list copies."""
    found: dict[tuple[str, str], CataloguedTool] = {}
    for tool in tools:
        says = " ".join(_WORD.findall(tool.description[:ENCODED_CHARACTERS].lower()))
        found.setdefault((" ".join(split_words(tool.name)).lower(), says), tool)
    return list(found.values())


def _measured_tools(data: Path) -> list[Tool]:
    """The tools of every benchmark that the folder has."""
    names = sorted(path.parent.name for path in data.glob("bench/*/tools.jsonl"))
    found = [tool for name in names for tool in bench_set(data, name).catalogue.tools]
    peer, _ = read_sets(data, [f"gtc:{name}" for name in PEER_SETS])
    return [*found, *(tool for dataset in peer for tool in dataset.catalogue.tools)]


def _without_near(tools: Sequence[CataloguedTool], measured: Sequence[Tool]) -> list[CataloguedTool]:
    alone = nearness(
        [tool.description[:_COMPARED] for tool in tools], [tool.description[:_COMPARED] for tool in measured]
    )
    named = nearness([_named(tool) for tool in tools], [_named(tool) for tool in measured])
    return [
        tool
        for tool, by_text, by_all in zip(tools, alone, named, strict=True)
        if by_all < NEAR and (by_text < NEAR or len(tool.description.split()) < _OWN_WORDS)
    ]


def _named(tool: CataloguedTool | Tool) -> str:
    return f"{' '.join(split_words(tool.name))} {tool.description[:_COMPARED]}"
