"""Public sets of tools and queries, read from a folder that is no part of this project.

What the sets know about the answers stays out: `leaks` has the rules.
"""

import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from importlib.resources.abc import Traversable
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import Tool, ToolId
from app.errors import InvalidInputError
from bench.sets.leaks import safe_case, safe_meta

GraphLink: TypeAlias = tuple[tuple[str, str], tuple[str, str]]
"""(kind, id) of both ends; kinds are method and template."""


@dataclass(frozen=True)
class Question:
    """A query and the tools that answer it."""

    id: str
    text: str
    gold: tuple[str, ...]
    """Repetitions kept."""
    alternatives: Mapping[str, Sequence[str]]
    group: str
    """Tier of ToolBench, vendor of Jentic, split of ToolLens, tools asked for in ScaleMCP; else empty."""
    part: str = ""
    """Original, paraphrase or synthetic in Track B, stratum of ScaleMCP; else empty."""
    ordered: bool = False
    """Whether gold stands in the order of the calls."""


@dataclass(frozen=True)
class Dataset:
    """One set."""

    name: str
    catalogue: Catalogue
    """What methods may see."""
    questions: tuple[Question, ...]
    list_gold: bool = False
    """Whether recall counts a tool that is needed twice twice."""
    manifest: Mapping[str, str] | None = None
    """Tool -> description in the raw manifest, where it says other things than the catalogue; for KG-ToolRank."""
    links: tuple[GraphLink, ...] = ()
    """Edges of the graph that no ranking of the service asks for, so that the catalogue lacks them; likewise."""

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the content: figures of equal fingerprints are figures of the same set."""
        digest = hashlib.sha256()
        catalogue = self.catalogue
        words = (catalogue.tools, catalogue.methods, catalogue.templates)
        for node in chain(*words, catalogue.concepts, catalogue.generators, catalogue.categories):
            # What waits to be confirmed is a state of a graph, not of a set.
            digest.update(node.model_dump_json(exclude={"unconfirmed"}).encode())
        rest = (self.list_gold, self.manifest, self.links, [asdict(question) for question in self.questions])
        digest.update(repr(self.catalogue.requirements).encode())
        digest.update(json.dumps(rest, ensure_ascii=False, sort_keys=True).encode())
        return digest.hexdigest()

    def first(self, count: int | None) -> "Dataset":
        """The same tools with the first questions only; all of them when None."""
        return replace(self, questions=self.questions[:count])


def require(data: Path, *parts: str) -> Path:
    """A file of the data folder.

    Raises:
        InvalidInputError: it is not there.
    """
    path = data.joinpath(*parts)
    if not path.exists():
        raise InvalidInputError(
            f"data set: {path} is missing; --data names a folder with {'/'.join(parts)} in it"
        )
    return path


def toolbench_questions(data: Path) -> tuple[Question, ...]:
    """The 582 cases, gold with its repetitions."""
    return tuple(
        Question(case["id"], case["query"], tuple(case["gold"]), {}, case["tier"])
        for case in map(safe_case, lines(require(data, "pinepaper", "cases.jsonl")))
    )


def toolbench_manifest(data: Path) -> dict[str, str]:
    """Tool -> description of the 145 tools of the published manifest."""
    path = require(data, "pinepaper", "tools.json")
    tools = json.loads(path.read_text(encoding="utf-8"))["tools"]
    return {row["name"]: row.get("description") or "" for row in tools}


def bench_set(data: Path, name: str, *, group: str | None = None) -> Dataset:
    """A set in the common format, or one group of it, shuffled as the published samples are."""
    tools = [tool_of(row) for row in lines(require(data, "bench", name, "tools.jsonl"))]
    questions = [_question(row) for row in lines(require(data, "bench", name, "queries.jsonl"))]
    questions = [question for question in questions if group is None or question.group == group]
    random.Random(0).shuffle(questions)  # noqa: S311  # a published order, no secret
    return Dataset(name, catalogue_of(tools), tuple(questions))


def catalogue_of(tools: Iterable[Tool]) -> Catalogue:
    """Tools without methods, the first of equal ids kept."""
    by_id: dict[str, Tool] = {}
    for tool in tools:
        by_id.setdefault(tool.id, tool)
    ordered = tuple(by_id[tool] for tool in sorted(by_id))
    return Catalogue(
        generation=1, tools=ordered, methods=(), templates=(), concepts=(), generators=(), categories=()
    )


def tool_of(row: Mapping[str, Any]) -> Tool:
    """A tool from the common format, or from an MCP `tools/list` answer."""
    hints = row.get("annotations") or {}
    schema = row.get("inputSchema") or row.get("parameters") or {}
    return plain_tool(
        id=row["id"],
        server=row.get("server") or "",
        name=row["name"],
        title=hints.get("title") or row.get("title") or "",
        description=row.get("description") or "",
        input_schema=schema_text(schema),
        output_schema=schema_text(row.get("outputSchema") or row.get("returns") or {}),
        read_only=hints.get("readOnlyHint"),
        destructive=hints.get("destructiveHint"),
    )


def plain_tool(
    *,
    id: str,  # noqa: A002  # the name of the field
    server: str,
    name: str,
    title: str = "",
    description: str,
    input_schema: str = "",
    output_schema: str = "",
    method: str = "",
    path: str = "",
    read_only: bool | None = None,
    destructive: bool | None = None,
) -> Tool:
    """A tool with what sets say of it."""
    return Tool(
        id=ToolId(id),
        server=server,
        name=name,
        title=title,
        description=description,
        input_schema=input_schema,
        output_schema=output_schema,
        method=method,
        path=path,
        read_only=read_only,
        destructive=destructive,
        idempotent=None,
        open_world=None,
        deprecated=False,
        declared=False,
        categories=(),
        content_hash="",
    )


def schema_text(schema: Any) -> str:
    """JSON text of a schema; a bare map of properties, as some sets have it, becomes an object schema.

    What is neither (some sets have a word of prose there) has none.
    """
    if not schema or not isinstance(schema, dict):
        return ""
    bare = not isinstance(schema.get("properties"), dict) and not isinstance(schema.get("type"), str)
    if bare:
        needed = [
            name
            for name, value in schema.items()
            if isinstance(value, dict) and value.get("required") is True
        ]
        schema = {"type": "object", "properties": schema} | ({"required": needed} if needed else {})
    return json.dumps(schema, ensure_ascii=False)


def _question(row: Mapping[str, Any]) -> Question:
    meta = safe_meta(row.get("meta") or {})
    return Question(
        id=row["id"],
        text=row["query"],
        gold=tuple(dict.fromkeys(row["gold"])),
        alternatives=meta.get("gold_alternatives") or {},
        group=meta.get("vendor") or meta.get("split") or "",
        ordered=bool(row.get("ordered")),
    )


def lines(path: Traversable) -> Iterator[dict[str, Any]]:
    """The rows of a file with one JSON object per line."""
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())
