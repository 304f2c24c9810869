"""What a caller should know of a plan before running it."""

from app.domain.language.operation_words import OperationKind
from app.domain.planning.clauses import MAX_CLAUSES
from app.domain.planning.draft import Draft
from app.domain.planning.index import PlanIndex
from app.domain.workflows.plans import PlanWarning


def plan_warnings(index: PlanIndex, draft: Draft) -> tuple[PlanWarning, ...]:
    """Of its steps, in their order, then of its goal."""
    return (*_of_steps(index, draft), *_of_goal(index, draft))


def _of_steps(index: PlanIndex, draft: Draft) -> list[PlanWarning]:
    position = draft.position
    found = []
    for at in draft.order:
        traits = index.traits[at]
        name = traits.tool.name
        if traits.kind is OperationKind.DELETE or (traits.tool.destructive and not traits.safe):
            found.append(
                PlanWarning(code="destructive", message=f"{name} cannot be undone", step=position[at])
            )
        if traits.tool.deprecated:
            found.append(PlanWarning(code="deprecated", message=f"{name} is deprecated", step=position[at]))
    for edge in dict.fromkeys(draft.closure.cyclic):
        consumer, producer = index.position[edge.consumer], index.position[edge.producer]
        if (consumer, edge.parameter) not in draft.closure.filled:
            found.append(
                PlanWarning(
                    code="cycle",
                    message=f"{edge.parameter} of {index.traits[consumer].tool.name} could only come from "
                    f"{index.traits[producer].tool.name}, which needs it first: it is left open",
                    step=position[consumer],
                )
            )
    return found


def _of_goal(index: PlanIndex, draft: Draft) -> list[PlanWarning]:
    found = [
        PlanWarning(
            code="already_known",
            message=f"{target.clause!r} needs no call of {index.traits[target.at].tool.name}: its result is given",
        )
        for target in draft.met
    ]
    found += [
        PlanWarning(
            code="max_steps",
            message=f"no room for {target.clause!r}, for which there is {index.traits[target.at].tool.name}",
        )
        for target in draft.cut
    ]
    if draft.scores.left_out:
        first, count = draft.scores.left_out[0], len(draft.scores.left_out)
        found.append(
            PlanWarning(
                code="max_steps",
                message=f"no room for {count:,} more parts of the goal, from {first!r:.200} on; a goal has at most"
                f" {MAX_CLAUSES} that are planned",
            )
        )
    found += [
        PlanWarning(code="missing_tool", message=f"no tool fits {clause.clause!r}")
        for clause in draft.scores.clauses
        if not clause.candidates
    ]
    found += [
        PlanWarning(code="missing_tool", message=f"{tool!r} could fill an input, but is not in the catalogue")
        for tool in draft.missing
    ]
    return found
