"""Who may change a stored workflow: its owner, and whoever administers the catalogue."""

from dataclasses import dataclass
from typing import Final

from app.domain.access.callers import Caller, CallerScope, CameBy, is_operator
from app.domain.workflows.stored import Workflow
from app.errors import NotPermittedError


@dataclass(frozen=True, slots=True)
class Changer:
    """Whoever changes workflows."""

    id: str = ""
    """Kept as the owner of what they save; empty for whoever runs the service, whose workflows nobody owns."""
    is_admin: bool = True

    def may_change(self, workflow: Workflow) -> bool:
        """Whether a workflow is theirs to change; one without an owner is everybody's."""
        return self.is_admin or workflow.owner in ("", self.id)

    def check(self, workflow: Workflow) -> None:
        """Refuse what is somebody else's, without saying whose.

        Raises:
            NotPermittedError: it is.
        """
        if not self.may_change(workflow):
            raise NotPermittedError(
                f"workflow {workflow.id!r} belongs to another caller: only its owner, and callers with the scope"
                f" {CallerScope.ADMIN.value}, change it; accepted: save a copy under another id"
            )

    def seen(self, workflow: Workflow) -> Workflow:
        """The workflow, with its owner where this is the owner or an administrator."""
        return workflow if self.may_change(workflow) else workflow.model_copy(update={"owner": ""})


ANYBODY: Final = Changer()
"""Whoever runs the service, at its machine or with its token."""


def changer_of(caller: Caller | None) -> Changer:
    """Who changes workflows where somebody asks; nobody is asked for where everybody is let in."""
    if caller is None or is_operator(caller) or caller.how is CameBy.LOCAL:
        return ANYBODY
    return Changer(caller.id, is_admin=CallerScope.ADMIN in caller.scopes)
