"""ToolBench's taxonomy as a catalogue in memory, beside the graph that ingest makes of the same file."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import (
    Category,
    Concept,
    ConceptId,
    EdgeKind,
    Link,
    Method,
    MethodId,
    Template,
    TemplateId,
    ToolId,
)
from bench.sets.datasets import GraphLink, plain_tool, require

TAXONOMY = ("pinepaper", "taxonomy.yaml")


def taxonomy_catalogue(data: Path) -> Catalogue:
    """Every tool that a method or a template names, with all that the taxonomy says of them."""
    document = _read(data)
    methods = [_method(row) for row in document["methods"]]
    templates = [_template(row) for row in document["templates"]]
    tools = {tool for method in methods for tool in method.implements}
    tools |= {tool for template in templates for tool in template.uses}
    categories = [
        Category(id=row["id"], name=row["name"], description=row["description"])
        for row in document["categories"]
    ]
    return Catalogue(
        generation=1,
        tools=tuple(plain_tool(id=tool, server="", name=tool, description="") for tool in sorted(tools)),
        methods=tuple(sorted(methods, key=lambda method: method.id)),
        templates=tuple(sorted(templates, key=lambda template: template.id)),
        concepts=tuple(sorted(map(_concept, document["concepts"]), key=lambda concept: concept.id)),
        generators=(),
        categories=tuple(sorted(categories, key=lambda category: category.id)),
    )


def taxonomy_methods(data: Path) -> list[Method]:
    """The methods in the order of the file."""
    return [_method(row) for row in _read(data)["methods"]]


def taxonomy_links(data: Path) -> tuple[GraphLink, ...]:
    """The edges of the file that `taxonomy_catalogue` leaves out: `alternative`, `requires` and `precedes` between
    methods, and the methods of templates.
    """
    document = _read(data)
    found: list[GraphLink] = [
        (("method", row["id"]), ("method", target))
        for row in document["methods"]
        for relation in ("alternative", "requires", "precedes")
        for target in _once(row["relations"].get(relation, ()))
    ]
    found += [
        (("template", row["id"]), ("method", method))
        for row in document["templates"]
        for method in _once(row.get("methods", ()))
    ]
    return tuple(found)


def _read(data: Path) -> dict[str, Any]:
    with require(data, *TAXONOMY).open("rb") as file:
        document: dict[str, Any] = yaml.load(file, Loader=yaml.CSafeLoader)  # the C form of SafeLoader
    return document


def _method(row: Mapping[str, Any]) -> Method:
    relations = row["relations"]
    links = [
        Link(kind=kind, target=target, weight=1.0)
        for kind in (EdgeKind.SIMILAR, EdgeKind.ENHANCES)
        for target in _once(relations.get(kind.value.lower(), ()))
    ]
    return Method(
        id=MethodId(row["id"]),
        name=row["name"],
        description=row["description"],
        category=row["category"],
        tags=tuple(row["tags"]),
        parameters=tuple(row["parameters"]),
        examples=tuple(row["examples"]),
        implements=tuple(ToolId(tool) for tool in sorted(set(row["implements"]))),
        related=tuple(sorted(links, key=lambda link: (link.target, link.kind))),
    )


def _template(row: Mapping[str, Any]) -> Template:
    return Template(
        id=TemplateId(row["id"]),
        name=row["name"],
        surface=row["surface"],
        interior=row["interior"],
        tags=tuple(row["tags"]),
        uses=tuple(ToolId(tool) for tool in _once(row["uses"])),
    )


def _concept(row: Mapping[str, Any]) -> Concept:
    return Concept(
        id=ConceptId(row["id"]),
        name=row["name"],
        description=row["description"],
        tags=tuple(row["tags"]),
        related_to=tuple(MethodId(method) for method in _once(row["related_to"])),
    )


def _once(names: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(names)
