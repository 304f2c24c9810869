"""Stored workflows: look at them, save, change and delete them, always under the writer's lease."""

import re
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from app.domain.flows.warnings import flow_warnings, with_toxic, without_flow_warnings
from app.domain.language.visible_text import excerpt, refuse_hidden
from app.domain.moments import utc_text
from app.domain.nodes.models import GraphState, NodeKind, Tool
from app.domain.workflows.commands import PlanEdit, edited, named_in
from app.domain.workflows.edits import renumbered
from app.domain.workflows.owners import ANYBODY, Changer
from app.domain.workflows.plans import Plan, PlanWarning, as_kept
from app.domain.workflows.stored import Workflow, WorkflowProblem, find_problems, is_saved, with_health
from app.errors import ChangedMeanwhileError, InvalidInputError, NotFoundError, NotReadyError
from app.ports.graph import WorkflowReader, WriterLease
from app.usecases.workflow_health import put_workflows

_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,79}")


def _check_texts(name: str, plan: Plan) -> None:
    """Refuse what would be shown to others and is not what it looks like; line ends and tabs are for texts."""
    if "\n" in name or "\t" in name:
        raise InvalidInputError(f"name: {excerpt(name)!r} holds a line end or a tab; accepted: one line")
    refuse_hidden(name, field="name")
    refuse_hidden(plan.model_dump(), field="plan")


class WorkflowGraph(WorkflowReader, Protocol):
    """Where workflows are kept."""

    def state(self) -> GraphState:
        """Generation, whether an ingest is at work, schema version."""

    def apply_schema(self) -> None:
        """Create constraints and indexes, idempotent; upgrade an older graph."""

    def lease(self, *, owner: str, wait_s: float) -> AbstractContextManager[WriterLease]:
        """Become the one writer."""


@dataclass(frozen=True, slots=True)
class CheckedWorkflow:
    """A workflow, what is wrong in it now, and the generation that has it."""

    workflow: Workflow
    problems: tuple[WorkflowProblem, ...]
    generation: int
    flows: tuple[PlanWarning, ...] = ()
    """What is to be said of its flows, with the labels that its tools have now."""

    @property
    def plan(self) -> Plan:
        """Its plan, with these warnings."""
        return with_toxic(self.workflow.plan, self.flows)


class WorkflowStore:
    """Reads and changes stored workflows.

    A change is refused when the result has a problem that was not there before; what a change of the catalogue
    broke can so be mended step by step. Workflows that a document brings are changed in the document, or saved
    under another id.

    Args:
        graph: where they are kept.
        owner: names a new writer for each change.
        lease_wait_s: how long to wait for another writer.
        everything: all workflows, where `graph` is what somebody sees of them: a hidden one is neither overwritten
            nor left without one that it runs.
    """

    def __init__(
        self,
        graph: WorkflowGraph,
        *,
        owner: Callable[[], str],
        lease_wait_s: float,
        everything: WorkflowReader | None = None,
    ) -> None:
        self._graph = graph
        self._everything: WorkflowReader = everything or graph
        self._owner = owner
        self._lease_wait_s = lease_wait_s

    def seen_through(self, graph: WorkflowGraph) -> "WorkflowStore":
        """The same workflows, for who sees only those of a part of the graph."""
        return WorkflowStore(
            graph, owner=self._owner, lease_wait_s=self._lease_wait_s, everything=self._everything
        )

    @property
    def graph(self) -> WorkflowGraph:
        """Where they are kept."""
        return self._graph

    def list(self) -> list[Workflow]:
        """All, by id."""
        return self._graph.workflows()

    def calling(self, tool_id: str) -> tuple[str, ...]:
        """Ids of the workflows of which a step calls a tool, sorted."""
        every = self._graph.workflows()
        return tuple(one.id for one in every if any(step.tool_id == tool_id for step in one.steps))

    def load(self, workflow_id: str) -> CheckedWorkflow:
        """A workflow with what is wrong in it.

        Raises:
            NotFoundError: no workflow has it.
        """
        workflow = self._graph.workflow(workflow_id)
        problems = self.problems(workflow.plan, own_id=workflow_id)
        flows = self._flows(workflow.plan)
        return CheckedWorkflow(workflow, problems, self._graph.state().generation, flows)

    def _flows(self, plan: Plan) -> tuple[PlanWarning, ...]:
        return flow_warnings(plan, self._tools(named_in(plan, None)))

    def problems(self, plan: Plan, *, own_id: str = "") -> tuple[WorkflowProblem, ...]:
        """What keeps a plan from running, with the tools and workflows that the graph has now."""
        tools = self._tools(named_in(plan, None))
        return tuple(find_problems(plan, tools=tools, workflows=self._workflows(), own_id=own_id))

    def _tools(self, ids: Collection[str]) -> dict[str, Tool]:
        return {str(tool.id): tool for tool in self._graph.labelled_tools(sorted(ids))}

    def _workflows(self) -> dict[str, Workflow]:
        return {one.id: one for one in self._graph.workflows()}

    def create(
        self, workflow_id: str, plan: Plan, *, name: str = "", by: Changer = ANYBODY
    ) -> CheckedWorkflow:
        """Save a plan under a new id; it is then `by`'s.

        Raises:
            InvalidInputError: the id is taken or none that is accepted, the plan has a problem, or a text of it
                holds control or invisible characters, which others would be shown.
        """
        return self._save(workflow_id, plan, name=name, there=False, by=by)

    def replace(
        self,
        workflow_id: str,
        plan: Plan,
        *,
        name: str = "",
        expected: Collection[str] | None = None,
        by: Changer = ANYBODY,
    ) -> CheckedWorkflow:
        """Save another plan under an id that there is.

        Args:
            workflow_id: of the workflow.
            plan: to be kept.
            name: for people; the one that it has unless given.
            expected: the `etag`s of what may be replaced; None replaces whatever is there.
            by: who does it; the owner stays the one that there is.

        Raises:
            NotFoundError: no workflow has it.
            NotPermittedError: it is somebody else's.
            ChangedMeanwhileError: it has none of the expected `etag`s.
            InvalidInputError: a document brings the workflow, or the plan has a problem that the one before
                did not have.
        """
        return self._save(workflow_id, plan, name=name, there=True, expected=expected, by=by)

    def edit(self, workflow_id: str, edit: PlanEdit) -> CheckedWorkflow:
        """Save what an edit makes of the plan; as `replace`, with nobody else writing in between.

        Raises:
            NotFoundError: no workflow has it, or what a step should call is not in the catalogue.
            InvalidInputError: the edit is refused, or what it makes of the plan.
        """

        def change(plan: Plan) -> Plan:
            ids = named_in(plan, edit)
            return edited(plan, edit, tools=self._tools(ids), workflows=self._workflows())

        return self._save(workflow_id, change, name="", there=True)

    def delete(
        self, workflow_id: str, *, expected: Collection[str] | None = None, by: Changer = ANYBODY
    ) -> int:
        """Remove a workflow, if it has one of the expected `etag`s; the new generation.

        Raises:
            NotFoundError: no workflow has it.
            NotPermittedError: it is somebody else's.
            ChangedMeanwhileError: it has none of them.
            InvalidInputError: a document brings it, or another workflow runs it.
        """
        with self._graph.lease(owner=self._owner(), wait_s=self._lease_wait_s) as lease:
            self._changeable(workflow_id, expected, by)
            users = [
                one.id
                for one in self._everything.workflows()
                if any(step.workflow_id == workflow_id for step in one.plan.steps)
            ]
            if users:
                seen = self._workflows()
                named = ", ".join(one for one in users if one in seen) or "another"
                raise InvalidInputError(f"workflow {workflow_id!r} is a step of {named}; delete these first")
            self._refuse_unfinished()
            lease.begin()
            lease.remove_nodes(NodeKind.WORKFLOW, [workflow_id])
            return lease.finish()

    def _save(
        self,
        workflow_id: str,
        plan: Plan | Callable[[Plan], Plan],
        *,
        name: str,
        there: bool,
        expected: Collection[str] | None = None,
        by: Changer = ANYBODY,
    ) -> CheckedWorkflow:
        self._graph.apply_schema()
        with self._graph.lease(owner=self._owner(), wait_s=self._lease_wait_s) as lease:
            before = None
            if there:
                before = self._changeable(workflow_id, expected, by)
            else:
                self._refuse_taken(workflow_id)
            if not isinstance(plan, Plan):
                plan = plan(before.plan if before else Plan(goal="", steps=()))
            # What is said of flows depends on the tools of the day; it is said again whenever the plan is read.
            plan = as_kept(without_flow_warnings(renumbered(plan)))
            _check_texts(name, plan)
            if not plan.steps:
                raise InvalidInputError(f"workflow {workflow_id!r} has no step; accepted: at least one")
            problems = self.problems(plan, own_id=workflow_id)
            old = (
                {(one.code, one.message) for one in self.problems(before.plan, own_id=workflow_id)}
                if before
                else set()
            )
            new = [one for one in problems if (one.code, one.message) not in old]
            if new:
                said = "; ".join(f"step {one.step}: {one.message}" for one in new)
                raise InvalidInputError(f"workflow {workflow_id!r}: {said}")
            workflow = Workflow(
                id=workflow_id,
                name=name or (before.name if before else workflow_id),
                plan=plan,
                updated_at=utc_text(datetime.now(UTC)),
                owner=before.owner if before else by.id,
            )
            workflow = with_health(workflow, problems)
            self._refuse_unfinished()
            lease.begin()
            put_workflows(lease, [workflow])
            return CheckedWorkflow(workflow, problems, lease.finish(), self._flows(workflow.plan))

    def _changeable(self, workflow_id: str, expected: Collection[str] | None, by: Changer) -> Workflow:
        """The workflow, when it is theirs, is changed here and is as its caller read it."""
        workflow = self._graph.workflow(workflow_id)
        by.check(workflow)
        if workflow.source or not is_saved(workflow.id):
            raise InvalidInputError(
                f"workflow {workflow.id!r} comes from source {workflow.source!r}: change its document and ingest it"
                " again, or save a copy under another id"
            )
        if expected is not None and workflow.etag not in expected:
            raise ChangedMeanwhileError(
                f'workflow {workflow.id!r} has changed since it was read: its ETag is "{workflow.etag}"; read it again'
            )
        return workflow

    def _refuse_taken(self, workflow_id: str) -> None:
        """Refuse an id that is not valid, or is taken."""
        if not _ID.fullmatch(workflow_id):
            raise InvalidInputError(
                f"workflow id {workflow_id!r}; accepted: 1 to 80 letters, digits, _ and -, not beginning with -"
            )
        try:
            self._everything.workflow(workflow_id)
        except NotFoundError:
            return
        raise InvalidInputError(
            f"there is a workflow {workflow_id!r} already; accepted: another id, or replace it"
        )

    def _refuse_unfinished(self) -> None:
        """Ending a write of ours would pass off what a killed ingest left as finished."""
        if self._graph.state().writing:
            raise NotReadyError(
                "an ingest was killed before its end; run the same ingest again to finish it, then save"
            )
