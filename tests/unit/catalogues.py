"""Small catalogues for tests."""

from collections.abc import Iterable, Mapping, Sequence

from app.domain.catalogue import Catalogue
from app.domain.changes import CatalogueChanges, CataloguePart
from app.domain.nodes.models import (
    Category,
    Concept,
    ConceptId,
    EdgeKind,
    Generator,
    Link,
    Method,
    MethodId,
    NodeKind,
    Template,
    TemplateId,
    Tool,
    ToolId,
)


def tool(
    node_id: str,
    description: str = "",
    *,
    title: str = "",
    input_schema: str = "",
    output_schema: str = "",
    method: str = "",
    path: str = "",
    read_only: bool | None = None,
    destructive: bool | None = None,
    categories: Sequence[str] = (),
    declared: bool = False,
    reviewed: bool | None = None,
) -> Tool:
    server, _, name = node_id.partition("/") if "/" in node_id else ("", "", node_id)
    return Tool(
        id=ToolId(node_id),
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
        declared=declared,
        reviewed=reviewed,
        categories=tuple(categories),
        content_hash=f"{node_id}:{description}",
    )


def method(
    node_id: str,
    implements: Sequence[str] = (),
    *,
    name: str = "",
    description: str = "",
    category: str = "",
    tags: Sequence[str] = (),
    examples: Sequence[str] = (),
    similar: Sequence[tuple[str, float]] = (),
    enhances: Sequence[tuple[str, float]] = (),
) -> Method:
    links = [Link(kind=EdgeKind.SIMILAR, target=target, weight=weight) for target, weight in similar]
    links += [Link(kind=EdgeKind.ENHANCES, target=target, weight=weight) for target, weight in enhances]
    return Method(
        id=MethodId(node_id),
        name=name or node_id,
        description=description,
        category=category,
        tags=tuple(tags),
        parameters=(),
        examples=tuple(examples),
        implements=tuple(ToolId(name) for name in sorted(implements)),
        related=tuple(sorted(links, key=lambda link: (link.target, link.kind))),
    )


def common_method(
    node_id: str,
    suggests: Mapping[str, float],
    *,
    name: str = "",
    description: str = "",
    tags: Sequence[str] = (),
    examples: Sequence[str] = (),
) -> Method:
    """A method of the common taxonomy, and which tools it suggests how surely."""
    links = [
        Link(kind=EdgeKind.SUGGESTS, target=one, weight=weight) for one, weight in sorted(suggests.items())
    ]
    plain = method(node_id, name=name, description=description, tags=tags, examples=examples)
    return plain.model_copy(update={"common": True, "suggests": tuple(links)})


def template(node_id: str, uses: Sequence[str], *, surface: str = "") -> Template:
    return Template(
        id=TemplateId(node_id),
        name=node_id,
        surface=surface,
        interior="",
        tags=(),
        uses=tuple(ToolId(name) for name in uses),
    )


def concept(node_id: str, related_to: Sequence[str], *, description: str = "") -> Concept:
    return Concept(
        id=ConceptId(node_id),
        name=node_id,
        description=description,
        tags=(),
        related_to=tuple(MethodId(name) for name in related_to),
    )


def generator(node_id: str, tool_id: str, *, description: str = "") -> Generator:
    return Generator(id=node_id, name=node_id, description=description, tool=ToolId(tool_id), parameters=())


def catalogue(
    tools: Iterable[Tool],
    *,
    methods: Iterable[Method] = (),
    templates: Iterable[Template] = (),
    concepts: Iterable[Concept] = (),
    generators: Iterable[Generator] = (),
    categories: Iterable[Category] = (),
    generation: int = 1,
) -> Catalogue:
    return Catalogue(
        generation=generation,
        tools=tuple(sorted(tools, key=lambda node: node.id)),
        methods=tuple(sorted(methods, key=lambda node: node.id)),
        templates=tuple(sorted(templates, key=lambda node: node.id)),
        concepts=tuple(sorted(concepts, key=lambda node: node.id)),
        generators=tuple(sorted(generators, key=lambda node: node.id)),
        categories=tuple(sorted(categories, key=lambda node: node.id)),
    )


KINDS = {
    NodeKind.TOOL: "tools",
    NodeKind.METHOD: "methods",
    NodeKind.TEMPLATE: "templates",
    NodeKind.CONCEPT: "concepts",
    NodeKind.GENERATOR: "generators",
}


def part_between(before: Catalogue, after: Catalogue) -> CataloguePart:
    """What the graph says of the nodes that differ."""
    ids, values = {}, {}
    for kind, name in KINDS.items():
        old = {one.id: one for one in getattr(before, name)}
        new = {one.id: one for one in getattr(after, name)}
        ids[kind] = frozenset(one for one in old.keys() | new.keys() if old.get(one) != new.get(one))
        if kind is NodeKind.TOOL:
            edges = {*before.requirements, *after.requirements} - (
                {*before.requirements} & {*after.requirements}
            )
            ids[kind] |= {end for edge in edges for end in (edge.consumer, edge.producer)}
        values[name] = tuple(new[one] for one in sorted(ids[kind] & new.keys()))
    changes = CatalogueChanges(before.generation, after.generation, "", ids)
    tools = changes.of(NodeKind.TOOL)
    return CataloguePart(
        changes=changes,
        **values,
        categories=(),
        requirements=tuple(one for one in after.requirements if one.consumer in tools),
        precedences=(),
        workflows=(),
    )
