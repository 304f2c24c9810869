"""Whole generations of the graph, read for the snapshot that queries rank by, and stored workflows as values."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from app.adapters.graph.connection import GraphConnection, Row
from app.adapters.graph.queries import CypherQueries
from app.adapters.graph.ranker import read_precedences, read_requirements
from app.adapters.graph.statements import Statements
from app.domain.catalogue import Catalogue
from app.domain.nodes.dependencies import sorted_precedences, strongest
from app.domain.nodes.edge_forms import inferred_evidence
from app.domain.nodes.models import (
    Category,
    Concept,
    EdgeForm,
    EdgeKind,
    Generator,
    Link,
    Method,
    NodeKind,
    SourceId,
    Template,
    Tool,
)
from app.domain.workflows.plans import Plan
from app.domain.workflows.stored import Workflow
from app.errors import NotFoundError, NotReadyError

Ends: TypeAlias = Mapping[str, Sequence[tuple[float, str]]]
"""Source id -> (position or weight, target id), in the order that the use needs."""


class CypherCatalogue(CypherQueries):
    """Fits `CatalogueReader`; safe to share between threads."""

    def catalogue(self, *, accept_unfinished: bool = False) -> Catalogue:
        """Everything that ranking needs, of one generation.

        Args:
            accept_unfinished: take what a killed ingest left, once its lease has run out. A part of it may
                be of the generation to come; answers are marked with the generation before.

        Raises:
            StoreUnavailableError: the database did not answer.
            NotReadyError: an ingest was at work meanwhile; ask again.
        """
        before = self._settled(accept_unfinished=accept_unfinished)
        catalogue = self._read(before)
        after = self._settled(accept_unfinished=accept_unfinished)
        if before != after:
            raise NotReadyError(f"generation {after} replaced {before} while it was read; ask again")
        return catalogue

    def _settled(self, *, accept_unfinished: bool) -> int:
        """The generation, when no ingest is at work."""
        (row,) = self._graph.read(self._statements.find_state)
        generation = int(row["generation"])
        if row["writing"] and not (accept_unfinished and row["lease_expired"]):
            raise NotReadyError(
                f"an ingest is writing generation {generation + 1}, or was killed while it did; ask again, or run"
                " the ingest again to finish it"
            )
        return generation

    def _read(self, generation: int) -> Catalogue:
        # Edges first: what was removed between two statements is caught by the second look at the state.
        return Catalogue(
            generation=generation,
            tools=self._tools(),
            methods=self._methods(),
            templates=self._templates(),
            concepts=self._concepts(),
            generators=self._generators(),
            categories=tuple(Category.model_validate(row) for row in self._rows("list_categories")),
            requirements=strongest(read_requirements(self._graph.read(self._statements.list_requirements))),
            precedences=sorted_precedences(
                read_precedences(self._graph.read(self._statements.list_precedences))
            ),
            workflows=tuple(read_workflows(self._graph, self._statements)),
        )

    def _tools(self) -> tuple[Tool, ...]:
        categories = self._ends(NodeKind.TOOL, EdgeKind.BELONGS_TO, NodeKind.CATEGORY)
        return tuple(
            Tool.model_validate({**row, "categories": _ids(categories, row["id"])})
            for row in self._rows("list_tools")
        )

    def _methods(self) -> tuple[Method, ...]:
        texts = {row["id"]: row["text"] for row in self._graph.read(self._statements.list_examples)}
        examples = self._ends(NodeKind.METHOD, EdgeKind.HAS_EXAMPLE, NodeKind.EXAMPLE)
        categories = self._ends(NodeKind.METHOD, EdgeKind.BELONGS_TO, NodeKind.CATEGORY)
        implements = self._ends(NodeKind.METHOD, EdgeKind.IMPLEMENTS, NodeKind.TOOL)
        related: defaultdict[str, list[Link]] = defaultdict(list)
        for kind in (EdgeKind.ENHANCES, EdgeKind.SIMILAR):
            for source, ends in self._ends(NodeKind.METHOD, kind, NodeKind.METHOD).items():
                related[source] += [Link(kind=kind, target=target, weight=weight) for weight, target in ends]
        return tuple(
            Method.model_validate(
                {
                    **row,
                    "category": next(iter(_ids(categories, row["id"])), ""),
                    "examples": tuple(
                        texts[example] for example in _ids(examples, row["id"]) if example in texts
                    ),
                    "implements": _ids(implements, row["id"]),
                    "related": tuple(sorted(related[row["id"]], key=_link_order)),
                }
            )
            for row in self._rows("list_methods")
        )

    def _templates(self) -> tuple[Template, ...]:
        uses = self._ends(NodeKind.TEMPLATE, EdgeKind.USES, NodeKind.TOOL)
        return tuple(
            Template.model_validate({**row, **_placed("uses", uses, row["id"])})
            for row in self._rows("list_templates")
        )

    def _concepts(self) -> tuple[Concept, ...]:
        related = self._ends(NodeKind.CONCEPT, EdgeKind.RELATED_TO, NodeKind.METHOD)
        return tuple(
            Concept.model_validate({**row, **_placed("related_to", related, row["id"])})
            for row in self._rows("list_concepts")
        )

    def _generators(self) -> tuple[Generator, ...]:
        """Generators with a tool; one whose tool is gone cannot be called and is left out."""
        uses = self._ends(NodeKind.GENERATOR, EdgeKind.USES, NodeKind.TOOL)
        return tuple(
            Generator.model_validate({**row, "tool": uses[row["id"]][0][1]})
            for row in self._rows("list_generators")
            if row["id"] in uses
        )

    def _rows(self, name: str) -> list[Row]:
        """Rows of a listing of nodes, by id; what somebody else made under our labels has none."""
        rows = self._graph.read(getattr(self._statements, name))
        return sorted((row for row in rows if row["id"] is not None), key=lambda row: str(row["id"]))

    def _ends(self, source: NodeKind, kind: EdgeKind, target: NodeKind) -> Ends:
        """Stated edges of a form: by position where it has one, else by target."""
        ends = edge_ends(self._graph, self._statements, EdgeForm(source, kind, target), stated=True)
        by_target = "positions" not in self._statements.edges[EdgeForm(source, kind, target)].list.returns
        return {
            source: sorted(pairs, key=(lambda pair: pair[::-1]) if by_target else None)
            for source, pairs in ends.items()
        }


def edge_ends(
    graph: GraphConnection, statements: Statements, form: EdgeForm, *, stated: bool
) -> Mapping[str, list[tuple[float, str]]]:
    """Edges of a form by source: position, else weight, else 1.0, and target id; in no order."""
    statement = statements.edges[form].list
    if "stated" in statement.params:
        rows = graph.read(statement, stated=stated, inferred_evidence=inferred_evidence(form))
    else:
        rows = graph.read(statement) if stated else ()
    number = next((name for name in ("positions", "weights") if name in statement.returns), None)
    return {
        row["source"]: list(
            zip(row[number] if number else [1.0] * len(row["targets"]), row["targets"], strict=True)
        )
        for row in rows
    }


def _ids(ends: Ends, source: str) -> tuple[str, ...]:
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


class CypherWorkflows(CypherQueries):
    """Fits the part of `WorkflowReader` that is about workflows; safe to share between threads."""

    def workflows(self) -> list[Workflow]:
        """All workflows, by id."""
        return read_workflows(self._graph, self._statements)

    def workflow(self, workflow_id: str) -> Workflow:
        """The workflow with this id.

        Raises:
            NotFoundError: no workflow has it.
        """
        rows = self._graph.read(self._statements.find_workflows, ids=[workflow_id])
        if not rows:
            raise NotFoundError(
                f"no workflow {workflow_id!r}; `GET /v1/workflows` lists those that there are"
            )
        return _workflow(rows[0])


def read_workflows(graph: GraphConnection, statements: Statements) -> list[Workflow]:
    """All workflows, by id."""
    rows = graph.read(statements.list_workflows)
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
        source=SourceId(min(row["sources"], default="")),
    )
