"""Rows of nodes and their edges as the values of a catalogue."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from app.adapters.graph.connection import Row
from app.domain.nodes.edge_forms import EDGE_FORMS, EdgeProperty
from app.domain.nodes.models import (
    Category,
    Concept,
    EdgeForm,
    EdgeKind,
    Generator,
    KeptRequest,
    Link,
    Method,
    NodeKind,
    SourceId,
    StatedLabel,
    Template,
    Tool,
    ToolId,
    ToolRequest,
    merged_labels,
)
from app.domain.workflows.plans import Plan
from app.domain.workflows.stored import Workflow

Ends: TypeAlias = Mapping[str, Sequence[tuple[float, str]]]
"""Source id -> (position or weight, target id), in the order that the use needs."""
EndsOf: TypeAlias = Callable[[EdgeForm], Ends]
"""The edges of a form: those that are stated, where any may be."""


def ordered_ends(form: EdgeForm, ends: Ends) -> Ends:
    """Edges by position where the form has one, else by target."""
    placed = EdgeProperty.POSITION in EDGE_FORMS[form].properties
    return {
        source: sorted(pairs, key=None if placed else (lambda pair: pair[::-1]))
        for source, pairs in ends.items()
    }


def read_categories(rows: Iterable[Row]) -> tuple[Category, ...]:
    """Categories, in the order of the rows."""
    return tuple(Category.model_validate(row) for row in rows)


def read_methods(rows: Iterable[Row], ends_of: EndsOf, texts: Mapping[str, str]) -> tuple[Method, ...]:
    """Methods, in the order of the rows; `texts` are those of examples by id."""
    examples = ends_of(EdgeForm(NodeKind.METHOD, EdgeKind.HAS_EXAMPLE, NodeKind.EXAMPLE))
    categories = ends_of(EdgeForm(NodeKind.METHOD, EdgeKind.BELONGS_TO, NodeKind.CATEGORY))
    implements = ends_of(EdgeForm(NodeKind.METHOD, EdgeKind.IMPLEMENTS, NodeKind.TOOL))
    suggests = ends_of(EdgeForm(NodeKind.METHOD, EdgeKind.SUGGESTS, NodeKind.TOOL))
    alternatives = ends_of(EdgeForm(NodeKind.METHOD, EdgeKind.ALTERNATIVE, NodeKind.METHOD))
    related: defaultdict[str, list[Link]] = defaultdict(list)
    for kind in (EdgeKind.ENHANCES, EdgeKind.SIMILAR):
        for source, ends in ends_of(EdgeForm(NodeKind.METHOD, kind, NodeKind.METHOD)).items():
            related[source] += [Link(kind=kind, target=target, weight=weight) for weight, target in ends]
    return tuple(
        Method.model_validate(
            {
                **row,
                "category": next(iter(ids_of(categories, row["id"])), ""),
                "examples": (
                    *(texts[example] for example in ids_of(examples, row["id"]) if example in texts),
                    *row["examples"],
                ),
                "implements": ids_of(implements, row["id"]),
                "related": tuple(sorted(related[row["id"]], key=_link_order)),
                "alternatives": tuple(sorted(ids_of(alternatives, row["id"]))),
                "suggests": tuple(
                    Link(kind=EdgeKind.SUGGESTS, target=target, weight=weight)
                    for weight, target in suggests.get(row["id"], ())
                ),
            }
        )
        for row in rows
    )


def read_requests(rows: Iterable[Row]) -> list[KeptRequest]:
    """Rows of `find_requests` or `list_requests`, by tool and in the order in which they were written."""
    columns = ("ids", "texts", "languages", "models", "moments", "bases")
    found = [
        KeptRequest(
            id=id_, tool=ToolId(row["tool"]), text=text, language=language, model=model, at=at, basis=basis
        )
        for row in rows
        for id_, text, language, model, at, basis in zip(*(row[column] for column in columns), strict=True)
    ]
    return sorted(found, key=lambda one: (one.tool, one.id))


def requests_by_tool(kept: Iterable[KeptRequest]) -> Mapping[str, tuple[ToolRequest, ...]]:
    """The requests of each tool, in their order."""
    found: defaultdict[str, list[ToolRequest]] = defaultdict(list)
    for one in kept:
        found[one.tool].append(ToolRequest(text=one.text, language=one.language, model=one.model, at=one.at))
    return {tool: tuple(requests) for tool, requests in found.items()}


def read_templates(rows: Iterable[Row], ends_of: EndsOf) -> tuple[Template, ...]:
    """Templates, in the order of the rows."""
    uses = ends_of(EdgeForm(NodeKind.TEMPLATE, EdgeKind.USES, NodeKind.TOOL))
    return tuple(Template.model_validate({**row, **_placed("uses", uses, row["id"])}) for row in rows)


def read_concepts(rows: Iterable[Row], ends_of: EndsOf) -> tuple[Concept, ...]:
    """Concepts, in the order of the rows."""
    related = ends_of(EdgeForm(NodeKind.CONCEPT, EdgeKind.RELATED_TO, NodeKind.METHOD))
    return tuple(Concept.model_validate({**row, **_placed("related_to", related, row["id"])}) for row in rows)


def read_generators(rows: Iterable[Row], ends_of: EndsOf) -> tuple[Generator, ...]:
    """Generators with a tool, in the order of the rows; one whose tool is gone cannot be called and is left out."""
    uses = ends_of(EdgeForm(NodeKind.GENERATOR, EdgeKind.USES, NodeKind.TOOL))
    return tuple(
        Generator.model_validate({**row, "tool": uses[row["id"]][0][1]}) for row in rows if row["id"] in uses
    )


def read_workflows(rows: Iterable[Row]) -> list[Workflow]:
    """Stored workflows, by id."""
    return sorted((_workflow(row) for row in rows if row["id"] is not None), key=lambda one: one.id)


def _workflow(row: Row) -> Workflow:
    plan = Plan.model_validate_json(row["document"]) if row["document"] else Plan(goal=row["goal"], steps=())
    return Workflow(
        id=row["id"],
        name=row["name"],
        plan=plan,
        broken=row["broken"],
        reason=row["reason"],
        updated_at=row["updated_at"],
        owner=row["owner"],
        source=SourceId(min(row["sources"], default="")),
    )


def read_labels(texts: Iterable[str]) -> tuple[StatedLabel, ...]:
    """Labels as a provision keeps them, each as JSON."""
    return tuple(StatedLabel.model_validate_json(text) for text in texts)


def labels_by_tool(rows: Iterable[Row]) -> dict[str, tuple[StatedLabel, ...]]:
    """What all sources say of the flows of tools, by id: rows of `find_labels` or `list_labels`."""
    found: defaultdict[str, list[StatedLabel]] = defaultdict(list)
    for row in rows:
        found[row["id"]] += read_labels(row["labels"])
    return {tool: merged_labels(said) for tool, said in found.items()}


def with_labels(tools: Sequence[Tool], labels: Mapping[str, tuple[StatedLabel, ...]]) -> list[Tool]:
    """The tools with what is said of their flows, in their order."""
    return [
        tool.model_copy(update={"labels": labels[tool.id]}) if tool.id in labels else tool for tool in tools
    ]


def ids_of(ends: Ends, source: str) -> tuple[str, ...]:
    """Targets, each once."""
    return tuple(dict.fromkeys(target for _, target in ends.get(source, ())))


def _placed(name: str, ends: Ends, source: str) -> dict[str, tuple[str | int, ...]]:
    """Targets under `name`, each once, and the first place of each."""
    first: dict[str, int] = {}
    for position, target in ends.get(source, ()):
        first.setdefault(target, int(position))
    return {name: tuple(first), "places": tuple(first.values())}


def _link_order(link: Link) -> tuple[str, str, float]:
    return link.target, link.kind, link.weight
