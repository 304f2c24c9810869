"""The part of the catalogue that changed, read by id."""

from collections import defaultdict
from collections.abc import Collection, Iterator

from app.adapters.graph.connection import GraphConnection, Row
from app.adapters.graph.explorer import tools_of_rows
from app.adapters.graph.queries import slices
from app.adapters.graph.ranker import read_precedences, read_requirements
from app.adapters.graph.statements import Statement, Statements
from app.adapters.graph.values import (
    Ends,
    EndsOf,
    ordered_ends,
    read_categories,
    read_concepts,
    read_generators,
    read_methods,
    read_requests,
    read_templates,
    read_workflows,
)
from app.domain.changes import CatalogueChanges, CataloguePart
from app.domain.nodes.dependencies import sorted_precedences, strongest
from app.domain.nodes.edge_forms import EDGE_FORMS, EdgeProperty
from app.domain.nodes.models import EdgeForm, NodeKind, Tool

_FORMS = {(form.source.value, form.kind.value, form.target.value): form for form in EDGE_FORMS}
"""Edges that somebody else drew between our nodes have no form."""


def read_part(graph: GraphConnection, statements: Statements, changes: CatalogueChanges) -> CataloguePart:
    """What there is of the nodes that `changes` names; the caller sees to it that no generation comes meanwhile."""
    return _Part(graph, statements).read(changes)


class _Part:
    def __init__(self, graph: GraphConnection, statements: Statements) -> None:
        self._graph = graph
        self._statements = statements

    def read(self, changes: CatalogueChanges) -> CataloguePart:
        found = self._statements
        methods = self._by_id(found.find_example_methods, changes.of(NodeKind.EXAMPLE))
        changes = changes.with_methods(row["id"] for row in methods)
        tools = changes.of(NodeKind.TOOL)
        templates, concepts = changes.of(NodeKind.TEMPLATE), changes.of(NodeKind.CONCEPT)
        generators, workflows = changes.of(NodeKind.GENERATOR), changes.of(NodeKind.WORKFLOW)
        return CataloguePart(
            changes=changes,
            tools=self._tools(tools),
            methods=read_methods(
                self._nodes(found.find_methods, changes.of(NodeKind.METHOD)),
                *self._edges(NodeKind.METHOD, changes.of(NodeKind.METHOD)),
            ),
            templates=read_templates(
                self._nodes(found.find_templates, templates), self._edges(NodeKind.TEMPLATE, templates)[0]
            ),
            concepts=read_concepts(
                self._nodes(found.find_concepts, concepts), self._edges(NodeKind.CONCEPT, concepts)[0]
            ),
            generators=read_generators(
                self._nodes(found.find_generators, generators), self._edges(NodeKind.GENERATOR, generators)[0]
            ),
            categories=read_categories(self._nodes(found.find_categories, changes.of(NodeKind.CATEGORY))),
            requirements=strongest(read_requirements(self._by_id(found.find_requirements, tools))),
            precedences=sorted_precedences(read_precedences(self._by_id(found.find_precedences, tools))),
            workflows=tuple(read_workflows(self._by_id(found.find_workflows, workflows))),
        )

    def _tools(self, ids: Collection[str]) -> tuple[Tool, ...]:
        requests = read_requests(self._by_id(self._statements.find_requests, ids))
        tools = tools_of_rows(self._by_id(self._statements.find_tools, ids), requests)
        return tuple(sorted(tools, key=lambda one: one.id))

    def _by_id(self, statement: Statement, ids: Collection[str]) -> Iterator[Row]:
        return (row for batch in slices(sorted(ids)) for row in self._graph.read(statement, ids=batch))

    def _nodes(self, statement: Statement, ids: Collection[str]) -> list[Row]:
        return sorted(self._by_id(statement, ids), key=lambda row: str(row["id"]))

    def _edges(self, kind: NodeKind, ids: Collection[str]) -> tuple[EndsOf, dict[str, str]]:
        """The stated edges that leave these nodes, and the texts of examples that they lead to."""
        ends: defaultdict[EdgeForm, defaultdict[str, list[tuple[float, str]]]] = defaultdict(
            lambda: defaultdict(list)
        )
        texts: dict[str, str] = {}
        columns = ("kinds", "labels", "targets", "texts", "weights", "positions")
        for row in self._by_id(self._statements.nodes[kind].find_stated, ids):
            for edge, label, target, text, weight, position in zip(
                *(row[column] for column in columns), strict=True
            ):
                form = _FORMS.get((kind.value, edge, label))
                if form is None:
                    continue
                placed = EdgeProperty.POSITION in EDGE_FORMS[form].properties
                ends[form][row["source"]].append((position if placed else weight, target))
                if form.target is NodeKind.EXAMPLE:
                    texts[target] = text

        def of(form: EdgeForm) -> Ends:
            return ordered_ends(form, ends[form])

        return of, texts
