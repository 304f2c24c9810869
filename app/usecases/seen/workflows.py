"""Stored workflows as one caller sees them."""

from collections.abc import Sequence
from contextlib import AbstractContextManager

from app.domain.nodes.models import GraphState, Tool
from app.domain.workflows.stored import Workflow
from app.errors import NotFoundError
from app.ports.graph import WriterLease
from app.usecases.seen.sight import Sight
from app.usecases.workflows import WorkflowGraph


class SeenWorkflows:
    """Fits `WorkflowGraph`: workflows with a hidden tool are not there.

    Args:
        graph: Everything.
        sight: What is visible.
    """

    def __init__(self, graph: WorkflowGraph, sight: Sight) -> None:
        self._graph = graph
        self._sight = sight

    def workflows(self) -> list[Workflow]:
        """The visible ones, by id."""
        return self._sight.visible_workflows(self._graph.workflows())

    def workflow(self, workflow_id: str) -> Workflow:
        """The visible workflow with this id.

        Raises:
            NotFoundError: no workflow has it, or it is hidden.
        """
        if not self._sight.is_ruled:
            return self._graph.workflow(workflow_id)
        found = next((one for one in self.workflows() if one.id == workflow_id), None)
        if found is None:
            raise NotFoundError(
                f"no workflow {workflow_id!r}; `GET /v1/workflows` lists those that there are"
            )
        return found

    def found_tools(self, ids: Sequence[str]) -> list[Tool]:
        """The visible tools with these ids, by id."""
        return self._graph.found_tools([one for one in ids if self._sight.sees_tool(one)])

    def labelled_tools(self, ids: Sequence[str]) -> list[Tool]:
        """The same with what granted taxonomies say of their flows."""
        found = self._graph.labelled_tools([one for one in ids if self._sight.sees_tool(one)])
        return [self._sight.told(one) for one in found]

    def state(self) -> GraphState:
        """Generation, whether an ingest is at work, schema version."""
        return self._graph.state()

    def apply_schema(self) -> None:
        """Create constraints and indexes."""
        self._graph.apply_schema()

    def lease(self, *, owner: str, wait_s: float) -> AbstractContextManager[WriterLease]:
        """Become the one writer."""
        return self._graph.lease(owner=owner, wait_s=wait_s)


_: type[WorkflowGraph] = SeenWorkflows
