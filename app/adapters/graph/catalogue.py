"""Whole generations of the graph, and what changed between two, for the snapshot that queries rank by."""

from collections import defaultdict
from collections.abc import Mapping

from app.adapters.graph.connection import GraphConnection, Row
from app.adapters.graph.part import read_part
from app.adapters.graph.queries import CypherQueries, graph_state
from app.adapters.graph.ranker import read_precedences, read_requirements
from app.adapters.graph.schema import SCHEMA_VERSION
from app.adapters.graph.statements import Statements
from app.adapters.graph.touched import read_touched
from app.adapters.graph.values import (
    Ends,
    ids_of,
    labels_by_tool,
    ordered_ends,
    read_categories,
    read_concepts,
    read_generators,
    read_methods,
    read_requests,
    read_templates,
    read_workflows,
    requests_by_tool,
    with_labels,
)
from app.domain.catalogue import Catalogue
from app.domain.changes import GENERATIONS_KEPT, TOUCHED_KEPT, CatalogueChanges, CataloguePart
from app.domain.nodes.dependencies import sorted_precedences, strongest
from app.domain.nodes.edge_forms import EDGE_FORMS, inferred_evidence
from app.domain.nodes.models import EdgeForm, EdgeKind, GraphState, Method, NodeKind, Tool
from app.domain.workflows.stored import Workflow
from app.errors import NotFoundError, NotReadyError


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
        self._check_same(before, self._settled(accept_unfinished=accept_unfinished))
        return catalogue

    def tool_count(self) -> int:
        """How many tools a catalogue would have, generators included, without reading them.

        Raises:
            StoreUnavailableError: the database did not answer.
        """
        (row,) = self._graph.read(self._statements.count_tools)
        return int(row["tools"])

    def changes(self, since: int, *, stamp: str) -> CatalogueChanges | None:
        """What was touched after a generation, up to the last one; nothing when that is the last.

        Args:
            since: the generation.
            stamp: of its state.

        Returns:
            None when the graph cannot say.

        Raises:
            StoreUnavailableError: the database did not answer.
            NotReadyError: an ingest was at work meanwhile; ask again.
        """
        before = self._settled()
        ids = self._touched(since, stamp, before)
        self._check_same(before, self._settled())
        if ids is None:
            return None
        return CatalogueChanges(since=since, generation=before.generation, stamp=before.stamp, ids=ids)

    def part(self, changes: CatalogueChanges) -> CataloguePart:
        """What there is of the nodes that `changes` names, read by id, at the generation that they lead to.

        Raises:
            StoreUnavailableError: the database did not answer.
            NotReadyError: an ingest was at work meanwhile, or there is a newer generation; ask for changes again.
        """
        before = self._settled()
        if (before.generation, before.stamp) != (changes.generation, changes.stamp):
            raise NotReadyError(
                f"the graph is at generation {before.generation} ({before.stamp}), the changes lead to"
                f" {changes.generation} ({changes.stamp}); ask for the changes again"
            )
        part = read_part(self._graph, self._statements, changes)
        self._check_same(before, self._settled())
        return part

    def _touched(self, since: int, stamp: str, now: GraphState) -> Mapping[NodeKind, frozenset[str]] | None:
        """Ids by kind of all generations after `since`; None when one of them is not known."""
        if since == now.generation and stamp == now.stamp:
            return {}
        if not 0 < now.generation - since <= GENERATIONS_KEPT or now.schema_version != SCHEMA_VERSION:
            return None
        rows = {
            row["generation"]: row for row in self._graph.read(self._statements.list_generations, since=since)
        }
        if rows.keys() != set(range(since + 1, now.generation + 1)) or rows[since + 1]["before"] != stamp:
            return None
        ids: defaultdict[NodeKind, set[str]] = defaultdict(set)
        for row in rows.values():
            touched = read_touched(row["touched"])
            if touched is None:
                return None
            for kind, some in touched.items():
                ids[kind].update(some)
            if sum(map(len, ids.values())) > TOUCHED_KEPT:
                return None
        return {kind: frozenset(some) for kind, some in ids.items()}

    def _settled(self, *, accept_unfinished: bool = False) -> GraphState:
        """Where the graph stands, when no ingest is at work."""
        (row,) = self._graph.read(self._statements.find_state)
        state = graph_state(row)
        if state.writing and not (accept_unfinished and row["lease_expired"]):
            raise NotReadyError(
                f"an ingest is writing generation {state.generation + 1}, or was killed while it did; ask again, or"
                " run the ingest again to finish it"
            )
        return state

    def _check_same(self, before: GraphState, after: GraphState) -> None:
        """Refuse what was read while a generation came."""
        if (before.generation, before.stamp) != (after.generation, after.stamp):
            raise NotReadyError(
                f"generation {after.generation} replaced {before.generation} while it was read; ask again"
            )

    def _read(self, state: GraphState) -> Catalogue:
        # Edges first: what was removed between two statements is caught by the second look at the state.
        return Catalogue(
            generation=state.generation,
            stamp=state.stamp,
            tools=self._tools(),
            methods=self._methods(),
            templates=read_templates(self._rows("list_templates"), self._ends),
            concepts=read_concepts(self._rows("list_concepts"), self._ends),
            generators=read_generators(self._rows("list_generators"), self._ends),
            categories=read_categories(self._rows("list_categories")),
            requirements=strongest(read_requirements(self._graph.read(self._statements.list_requirements))),
            precedences=sorted_precedences(
                read_precedences(self._graph.read(self._statements.list_precedences))
            ),
            workflows=tuple(read_workflows(self._graph.read(self._statements.list_workflows))),
        )

    def _tools(self) -> tuple[Tool, ...]:
        categories = self._ends(EdgeForm(NodeKind.TOOL, EdgeKind.BELONGS_TO, NodeKind.CATEGORY))
        requests = requests_by_tool(read_requests(self._graph.read(self._statements.list_requests)))
        tools = [
            Tool.model_validate(
                {
                    **row,
                    "categories": ids_of(categories, row["id"]),
                    "requests": requests.get(row["id"], ()),
                }
            )
            for row in self._rows("list_tools")
        ]
        return tuple(with_labels(tools, labels_by_tool(self._graph.read(self._statements.list_labels))))

    def _methods(self) -> tuple[Method, ...]:
        texts = {row["id"]: row["text"] for row in self._graph.read(self._statements.list_examples)}
        return read_methods(self._rows("list_methods"), self._ends, texts)

    def _rows(self, name: str) -> list[Row]:
        """Rows of a listing of nodes, by id; what somebody else made under our labels has none."""
        rows = self._graph.read(getattr(self._statements, name))
        return sorted((row for row in rows if row["id"] is not None), key=lambda row: str(row["id"]))

    def _ends(self, form: EdgeForm) -> Ends:
        """Edges of a form, the stated ones where any may be: by position where it has one, else by target."""
        stated = EDGE_FORMS[form].stated
        return ordered_ends(form, edge_ends(self._graph, self._statements, form, stated=stated))


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


class CypherWorkflows(CypherQueries):
    """Fits the part of `WorkflowReader` that is about workflows; safe to share between threads."""

    def workflows(self) -> list[Workflow]:
        """All workflows, by id."""
        return read_workflows(self._graph.read(self._statements.list_workflows))

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
        return read_workflows(rows)[0]
