"""What is asked and what is answered."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from app.domain.nodes.models import Value

MAX_TOP_K = 100
MAX_PREREQUISITES = 20


class SearchMethod(StrEnum):
    """How tools are ranked."""

    AUTO = "auto"
    """The service's own: BM25F with intent, methods, templates and concepts, servers, feedback."""
    KG_HYBRID = "kg_hybrid"
    """The published reference: BM25 fused with methods, their neighbours, and templates."""
    BM25 = "bm25"
    """Words alone."""


class Order(StrEnum):
    """Where prerequisites stand."""

    MATCHES = "matches"
    """Behind all matches."""
    BLOCKS = "blocks"
    """Each match has its own directly behind it."""


class Filters(Value):
    """Which tools may be found; an empty list does not restrict."""

    servers: tuple[str, ...] = ()
    """Any of these servers."""
    categories: tuple[str, ...] = ()
    """In any of these categories (ids), or implementing a method in one."""
    read_only: bool | None = None
    """True: only tools that say that they change nothing. False: only tools that do not say so."""


class SearchRequest(Value):
    """A question for tools."""

    query: str
    top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K)] = 5
    filters: Filters = Filters()
    method: SearchMethod = SearchMethod.AUTO
    explain: bool = False
    schemas: bool = False
    """Whether matches carry their input schemas."""
    prerequisites: Annotated[int, Field(ge=0, le=MAX_PREREQUISITES)] = 5
    """How many tools that the matches need may be added; they displace no match."""
    order: Order = Order.MATCHES


class Role(StrEnum):
    """Why a tool is in an answer."""

    MATCH = "match"
    """It fits the request."""
    PREREQUISITE = "prerequisite"
    """A match needs it, directly or through others."""


class ReasonKind(StrEnum):
    """What added to a score."""

    WORD = "word"
    """A word of the query in a field of the tool's document."""
    NAME = "name"
    """The share of the tool's name that the query says."""
    INTENT = "intent"
    """What the query wants done against what the tool does; may be below 0."""
    OBJECT = "object"
    """That the tool works on what the query is about."""
    METHOD = "method"
    """A method that the query's words found and that the tool implements."""
    NEIGHBOUR = "neighbour"
    """A method that is similar to, or enhanced by, one that the words found."""
    TEMPLATE = "template"
    """A template that the words found and that uses the tool."""
    CONCEPT = "concept"
    """A concept that the words found and that is related to a method of the tool."""
    SERVER = "server"
    """How well the tool's server as a whole fits."""
    FEEDBACK = "feedback"
    """Words of the best tools, added to the query."""


@dataclass(frozen=True, slots=True)
class Step:
    """A node on the way to a tool, and the kind of edge that leaves it."""

    id: str
    name: str
    edge: str


@dataclass(frozen=True, slots=True)
class Reason:
    """One part of a score; a match's reasons add up to its score."""

    kind: ReasonKind
    contribution: float
    word: str = ""
    """The word as the query has it."""
    term: str = ""
    """What the word was looked up as."""
    fields: tuple[str, ...] = ()
    """Where the term stands in the tool's document, the field that counts most first."""
    path: tuple[Step, ...] = ()
    """The way through the graph, from what the words found to the node before the tool."""
    detail: str = ""
    """What the number was made of, in words."""


@dataclass(frozen=True, slots=True)
class Match:
    """A tool that fits."""

    id: str
    server: str
    name: str
    title: str
    description: str
    score: float
    """Compares within one answer only."""
    role: Role = Role.MATCH
    needed_by: str = ""
    """Of a tool that another one of the answer needs: that one's id."""
    parameter: str = ""
    """The input of `needed_by` that it can fill; empty when it merely comes first."""
    input_schema: str | None = None
    """JSON text; None unless it was asked for."""
    why: tuple[Reason, ...] | None = None
    """Largest contribution first; None unless it was asked for."""
    declared: bool = False
    """A taxonomy names the tool; no server has brought it."""


class NearReason(StrEnum):
    """Why a tool is offered though nothing fits."""

    OUTSIDE_FILTERS = "outside_filters"
    SIMILAR_NAME = "similar_name"


@dataclass(frozen=True, slots=True)
class NearTool:
    """A tool that does not answer the question but may be what was meant."""

    id: str
    name: str
    description: str
    reason: NearReason
    similarity: float
    """Of the names, 0 to 1; 1 for tools outside the filters."""


@dataclass(frozen=True, slots=True)
class TokenEstimate:
    """Tool definitions (name, description, input schema) as a prompt would carry them, in estimated tokens."""

    catalogue: int
    """All tools."""
    returned: int
    """The answer's tools."""
    saved: int
    """`catalogue` - `returned`."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The tools that fit, best first, and what they need."""

    tools: tuple[Match, ...]
    abstained: bool
    """True when no allowed tool scores above 0."""
    nearest: tuple[NearTool, ...]
    """Empty unless `abstained`."""
    tokens: TokenEstimate
    generation: int
    """The generation of the snapshot that the answer comes from."""
    graph_generation: int
    """The generation that the graph had meanwhile."""
    from_graph: bool
    """False when the snapshot gave the graph's scores: the graph was at work, or of another generation."""

    @property
    def outdated(self) -> bool:
        """True when the graph has another generation than the answer."""
        return self.graph_generation != self.generation
