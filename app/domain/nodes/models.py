"""The nouns of the service. Values only: frozen, no I/O, no defaults that hide a choice."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple, NewType, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

ToolId = NewType("ToolId", str)
"""`server/name`, or the bare name of a tool that only a taxonomy without `server` names."""

MethodId = NewType("MethodId", str)
TemplateId = NewType("TemplateId", str)
ConceptId = NewType("ConceptId", str)
SourceId = NewType("SourceId", str)
"""`kind:name`, e.g. `manifest:github` or `taxonomy:design`."""

Property: TypeAlias = str | int | float | bool | list[str] | list[float] | None
"""What both engines store: no maps, no lists in lists, no nulls in lists."""


SERVER_SOURCES = ("manifest", "mcp", "openapi")
"""Kinds of sources whose name begins the ids of their tools."""


def source_id(kind: str, name: str) -> SourceId:
    """`kind:name`."""
    return SourceId(f"{kind}:{name}")


class Trust(StrEnum):
    """What of a source of tools is served without anybody having agreed to it."""

    FULL = "full"
    """Everything."""
    BASELINE = "baseline"
    """What it said when it was seen first; later definitions wait."""
    REVIEW = "review"
    """Nothing."""


class NodeKind(StrEnum):
    """What a node is. The value is the label in the graph."""

    TOOL = "Tool"
    GENERATOR = "Generator"
    METHOD = "Method"
    CATEGORY = "Category"
    CONCEPT = "Concept"
    TEMPLATE = "Template"
    EXAMPLE = "Example"
    WORKFLOW = "Workflow"


class EdgeKind(StrEnum):
    """Why one node points at another. The value is the relationship type in the graph."""

    IMPLEMENTS = "IMPLEMENTS"
    SIMILAR = "SIMILAR"
    ALTERNATIVE = "ALTERNATIVE"
    ENHANCES = "ENHANCES"
    REQUIRES = "REQUIRES"
    PRECEDES = "PRECEDES"
    USES = "USES"
    PART_OF = "PART_OF"
    RELATED_TO = "RELATED_TO"
    HAS_EXAMPLE = "HAS_EXAMPLE"
    BELONGS_TO = "BELONGS_TO"
    PROVIDED_BY = "PROVIDED_BY"
    STEP = "STEP"
    SUGGESTS = "SUGGESTS"


class Value(BaseModel):
    """Base of all domain values: immutable, and an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _is_empty(value: object) -> bool:
    return not value


def _is_unsaid(value: object) -> bool:
    return value is None


class Label(StrEnum):
    """What data a tool gives, takes or spoils, as far as flows are concerned."""

    UNTRUSTED_CONTENT = "untrusted_content"
    """Its answer holds what others wrote."""
    PRIVATE_DATA = "private_data"
    """Its answer holds what is not for everybody."""
    EXTERNAL_SINK = "external_sink"
    """What it is given leaves the house."""
    DESTRUCTIVE = "destructive"
    """It deletes or overwrites."""


class StatedLabel(Value):
    """That a taxonomy says of a tool that it has a label, or has it not."""

    label: Label
    value: bool = True
    to: tuple[str, ...] = ()
    """Of a sink: its inputs that say where it goes."""
    carries: tuple[str, ...] = ()
    """Of a sink: its inputs that go there."""


def merged_labels(stated: Iterable[StatedLabel]) -> tuple[StatedLabel, ...]:
    """What several sources say of one tool, each label once: where they differ, the tool has it."""
    found: dict[Label, StatedLabel] = {}
    for one in stated:
        before = found.get(one.label)
        if before is None or (one.value and not before.value):
            found[one.label] = one
        elif one.value:
            found[one.label] = StatedLabel(
                label=one.label,
                to=tuple(sorted({*before.to, *one.to})),
                carries=tuple(sorted({*before.carries, *one.carries})),
            )
    return tuple(found[label] for label in Label if label in found)


class ToolRequest(Value):
    """What somebody would type who needs a tool."""

    text: str
    language: str
    """As `en` or `pt-BR`."""
    model: str
    """Which language model wrote it; empty where a file says nothing of that."""
    at: str
    """When; UTC, ISO 8601, whole seconds."""


class KeptRequest(ToolRequest):
    """A request as the graph keeps it."""

    id: str
    """Of its `Example` node."""
    tool: ToolId
    basis: str
    """`request_basis` of the tool that it was written for, as it was then."""


class Tool(Value):
    """One callable tool as its publisher describes it."""

    id: ToolId
    server: str
    """Empty when only a taxonomy names the tool."""
    name: str
    title: str
    description: str
    input_schema: str
    """Canonical JSON text of a JSON schema; empty when none is known."""
    output_schema: str
    method: str
    """HTTP method in upper case; empty for MCP tools."""
    path: str
    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None
    open_world: bool | None
    deprecated: bool
    declared: bool
    """True when no source describes the tool: a taxonomy names it, nothing more is known."""
    categories: tuple[str, ...]
    """Category ids that the tool itself belongs to, sorted."""
    content_hash: str
    unconfirmed: tuple[str, ...] = ()
    """What of its definition changed and was not confirmed; calls are refused meanwhile."""
    labels: Annotated[tuple[StatedLabel, ...], Field(exclude_if=_is_empty)] = ()
    """What taxonomies say of its flows, by label, each once; where two differ, the label is there."""
    requests: tuple[ToolRequest, ...] = ()
    """What people would type who need it, in the order in which it was written; not its publisher's words."""
    trust: Annotated[Trust | None, Field(exclude_if=_is_unsaid)] = None
    """Of its source, where that is not trusted in full."""
    reviewed: Annotated[bool | None, Field(exclude_if=_is_unsaid)] = None
    """Of a tool of such a source: whether a person agreed to its definition, and not a baseline alone."""


@dataclass(frozen=True, slots=True)
class Link:
    """A weighted edge to a node that the context names.

    Methods have about one for each tool of the catalogue: as a `Value` each took 640 bytes.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    kind: EdgeKind
    target: str
    weight: float


class Method(Value):
    """One thing that a user may want done."""

    id: MethodId
    name: str
    description: str
    category: str
    """Category id; empty when the method has none."""
    tags: tuple[str, ...]
    parameters: tuple[str, ...]
    examples: tuple[str, ...]
    implements: tuple[ToolId, ...]
    """Tools that carry the method out, sorted, each once."""
    related: tuple[Link, ...]
    """Stated `SIMILAR` and `ENHANCES` neighbours (method ids), sorted by target, then kind."""
    suggests: tuple[Link, ...] = ()
    """Tools that seem to carry the method out, sorted by id; the weight is the confidence, (0, 1]."""
    alternatives: Annotated[tuple[MethodId, ...], Field(exclude_if=_is_empty)] = ()
    """Methods that are stated to do the same (`ALTERNATIVE`), sorted, each once."""
    common: bool = False
    """Of the common taxonomy: it speaks for the tools that it suggests, not for those that it is implemented by."""


class Template(Value):
    """A composite deliverable: what the user says (surface) over what it takes (interior)."""

    id: TemplateId
    name: str
    surface: str
    interior: str
    tags: tuple[str, ...]
    uses: tuple[ToolId, ...]
    """In the order of the taxonomy."""
    places: tuple[int, ...] = ()
    """Place of each in the taxonomy's list, from 0; empty: 0, 1, 2 ... A tool that is gone leaves a gap."""


class Concept(Value):
    """An abstract word: mood, material, motion, quality."""

    id: ConceptId
    name: str
    description: str
    tags: tuple[str, ...]
    related_to: tuple[MethodId, ...]
    """In the order of the taxonomy."""
    places: tuple[int, ...] = ()
    """Place of each in the taxonomy's list, from 0; empty: 0, 1, 2 ... A method that is gone leaves a gap."""


class Generator(Value):
    """A preset of a tool that users name as a thing of its own."""

    id: str
    name: str
    description: str
    tool: ToolId
    parameters: tuple[str, ...]


class Category(Value):
    """A group of methods or tools."""

    id: str
    name: str
    description: str


class GraphState(Value):
    """Where the graph stands."""

    generation: int
    writing: bool
    """True from the first write of an ingest until its last; stays true when that ingest was killed."""
    schema_version: int
    stamp: str = ""
    """Names the state that the last generation left: another graph, or another past, has another. Empty before the
    first."""


class ScoredId(NamedTuple):
    """An id with the score that one ranking gave it; scores compare within that ranking only."""

    id: str
    score: float


class MethodSeed(NamedTuple):
    """A method that the query's words found, with its shares in the two method channels of `auto`."""

    id: MethodId
    power: float
    sum: float


class Source(Value):
    """One thing that was ingested."""

    id: SourceId
    kind: str
    """taxonomy, manifest, openapi, arazzo or mcp."""
    name: str
    """The server's name for sources of tools; the file's stem for a taxonomy."""
    uri: str
    version: str
    content_hash: str
    """SHA-256 of the document as read; empty when items of it were rejected, so that it is read again."""
    synced_at: str
    """UTC, ISO 8601, whole seconds; when something of it last changed. Empty: nothing of it was read yet."""
    listed_in: str = ""
    """URI of the sources file that names it; empty where it was ingested by hand."""
    healthy: bool = True
    """False when the last sync of it failed."""
    problem: str = ""
    """Why that sync failed, in our own words."""
    problem_said: str = ""
    """What the server said of it, cut to 80 characters. Written by the server: data, not instructions."""
    problem_at: str = ""
    """When the source's syncs began to fail for that reason; UTC, ISO 8601, whole seconds."""
    file_state: str = ""
    """Inode, size and times of the file as it was read; one that has them still was not changed. Empty where nobody knows."""
    trust: Trust = Trust.FULL
    """What of it was served without review when it was read last."""

    @property
    def stated(self) -> "Source":
        """What was read, without when it was, who names it and how well it went."""
        return self.model_copy(
            update={
                "synced_at": "",
                "listed_in": "",
                "healthy": True,
                "problem": "",
                "problem_said": "",
                "problem_at": "",
                "file_state": "",
            }
        )


def uris_of_servers(sources: Iterable[Source]) -> dict[str, str]:
    """Where the OpenAPI document of each server lies."""
    return {one.name: one.uri for one in sources if one.kind == "openapi" and one.uri}


class Provision(Value):
    """That a source provides a node, and with which content (`PROVIDED_BY`)."""

    kind: NodeKind
    id: str
    source: SourceId
    content_hash: str
    """SHA-256 of the canonical JSON of what this source says of the node, its outgoing edges included."""
    declares: bool
    """True when the source only names a tool; its content comes from elsewhere or is not known."""
    not_requires: tuple[str, ...] = ()
    """Tool ids that this source says this tool does not need."""
    not_implements: tuple[str, ...] = ()
    """Method ids that this source says this tool does not carry out."""
    labels: tuple[StatedLabel, ...] = ()
    """What this source says of the flows of this tool."""
    named: str = ""
    """What the source writes for a tool that it only declares: an id, or a name without its server."""


class NodeName(Value):
    """What references are resolved against."""

    id: str
    name: str
    declared: bool
    former_ids: tuple[str, ...] = ()
    """Ids that a tool had before it was renamed, the newest first."""


class NodeRow(Value):
    """A node to write: all its properties; a property that is not named, or None, is absent afterwards."""

    id: str
    properties: Mapping[str, Property]


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """An edge to write; its form (kind and end labels) is named beside the batch."""

    source: str
    target: str
    properties: Mapping[str, Property]


@dataclass(frozen=True, slots=True, order=True)
class EdgeForm:
    """A kind of edge between two kinds of nodes; each form that may be written has its own statement."""

    source: NodeKind
    kind: EdgeKind
    target: NodeKind
