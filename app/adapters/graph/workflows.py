"""Stored workflows as values."""

from app.adapters.graph.connection import GraphConnection, Row
from app.adapters.graph.queries import CypherQueries
from app.adapters.graph.statements import Statements
from app.domain.nodes.models import SourceId
from app.domain.workflows.plans import Plan
from app.domain.workflows.stored import Workflow
from app.errors import NotFoundError


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
