"""Cards of tools."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from app.domain.flows.labels import labels_of
from app.domain.flows.values import SURE, LabelEvidence
from app.domain.nodes.graph_views import ToolSource
from app.domain.nodes.models import Label, NodeKind, Tool, ToolRequest, Trust


class Annotations(BaseModel):
    """What the publisher says of the tool; absent is what it does not say."""

    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None
    open_world: bool | None


def _is_empty(value: object) -> bool:
    return not value


def _is_unsaid(value: object) -> bool:
    return value is None


class ToolSummary(BaseModel):
    """A tool in a list."""

    id: Annotated[str, Field(examples=["payments/refund_charge"])]
    server: Annotated[str, Field(description="Empty when only a taxonomy names the tool.")]
    name: str
    title: str
    description: str
    declared: Annotated[bool, Field(description="A taxonomy names the tool; no source describes it.")]
    deprecated: bool
    annotations: Annotations
    trust: Annotated[
        Trust | None,
        Field(
            description="Of its source, where that is not trusted in full: `baseline` or `review`.",
            exclude_if=_is_unsaid,
        ),
    ] = None
    reviewed: Annotated[
        bool | None,
        Field(
            description="With `trust`: whether a person agreed to this definition, and not a baseline alone.",
            exclude_if=_is_unsaid,
        ),
    ] = None


class FlowLabel(BaseModel):
    """One label of a tool's flows."""

    value: Annotated[bool, Field(description="False: it is said not to have it.")]
    evidence: Annotated[
        LabelEvidence,
        Field(
            description="`stated` by a taxonomy, which goes before all else; by an `annotation` of the publisher, by the"
            " HTTP `method`, or `inferred` from names and schemas."
        ),
    ]
    confidence: Annotated[float, Field(description=f"0 to 1; from {SURE} on it counts in plans.")]
    to: Annotated[
        list[str],
        Field(
            description="Of an `external_sink`: inputs that say where it goes; of what is `destructive`: what it is about.",
            exclude_if=_is_empty,
        ),
    ]
    carries: Annotated[
        list[str],
        Field(description="Of an `external_sink`: inputs that go there.", exclude_if=_is_empty),
    ]


class ToolCard(ToolSummary):
    """All that is known of a tool."""

    input_schema: Annotated[dict[str, Any] | None, Field(description="JSON schema; null when none is known.")]
    output_schema: Annotated[
        dict[str, Any] | None, Field(description="JSON schema; null when none is known.")
    ]
    method: Annotated[str, Field(description="HTTP method; empty for MCP tools.")]
    path: Annotated[str, Field(description="HTTP path; empty for MCP tools.")]
    categories: Annotated[list[str], Field(description="Categories that the tool itself belongs to.")]
    methods: Annotated[list[str], Field(description="Ids of the methods that the tool implements.")]
    templates: Annotated[list[str], Field(description="Ids of the templates that use the tool.")]
    workflows: Annotated[list[str], Field(description="Ids of the stored workflows that call the tool.")]
    sources: Annotated[
        list[ToolSource] | None,
        Field(
            description="What provides the tool, as the graph has it now; `declares`: it only names it. null while"
            " the graph database is away."
        ),
    ]
    former_ids: Annotated[
        list[str] | None,
        Field(
            description="Ids that the tool had before it was renamed, the newest first; null as for `sources`."
        ),
    ]
    unconfirmed: Annotated[
        list[str],
        Field(
            description="What of its definition changed; calls are refused until an operator confirms it.",
            exclude_if=_is_empty,
        ),
    ] = []
    labels: Annotated[
        dict[Label, FlowLabel],
        Field(
            description="What data it gives (`untrusted_content`, `private_data`), sends out (`external_sink`) or spoils"
            " (`destructive`); left out where no taxonomy says anything of it and `labels` was not asked for.",
            exclude_if=_is_empty,
        ),
    ] = {}
    requests: Annotated[
        list[ToolRequest],
        Field(
            description="What people would type who need it: written by a model or somebody, not by its publisher.",
            exclude_if=_is_empty,
        ),
    ] = []
    generation: int


class NodeCard(BaseModel):
    """What is known of a method, template, concept, category or generator."""

    kind: NodeKind
    id: str
    name: str
    description: Annotated[str, Field(description="Of a template: what a user says.")]
    interior: Annotated[str, Field(description="Of a template: what it takes.")]
    category: Annotated[str, Field(description="Of a method: its category; empty when it has none.")]
    tags: list[str]
    parameters: list[str]
    examples: Annotated[list[str], Field(description="Of a method: requests that mean it.")]
    methods: Annotated[
        list[str], Field(description="Of a concept: ids of the methods that it is related to.")
    ]
    tools: Annotated[list[str], Field(description="Ids of its tools, at most 100.")]
    tool_count: int
    generation: int


class ToolPageAnswer(BaseModel):
    """A page of tools, by id."""

    tools: list[ToolSummary]
    next_cursor: Annotated[str | None, Field(description="`cursor` of the next page; null on the last one.")]
    total: Annotated[int, Field(description="Tools on all pages.")]
    generation: int


def tool_summary(tool: Tool) -> ToolSummary:
    """A tool as lists show it."""
    return ToolSummary.model_construct(
        id=tool.id,
        server=tool.server,
        name=tool.name,
        title=tool.title,
        description=tool.description,
        declared=tool.declared,
        deprecated=tool.deprecated,
        annotations=Annotations.model_construct(
            read_only=tool.read_only,
            destructive=tool.destructive,
            idempotent=tool.idempotent,
            open_world=tool.open_world,
        ),
        trust=tool.trust,
        reviewed=tool.reviewed,
    )


def flow_labels(tool: Tool) -> dict[Label, FlowLabel]:
    """The labels of a tool, stated and inferred, as cards show them."""
    return {
        label: FlowLabel.model_construct(
            value=one.value,
            evidence=one.evidence,
            confidence=one.confidence,
            to=list(one.to),
            carries=list(one.carries),
        )
        for label, one in labels_of(tool).items()
    }
