"""The labels of a tool: what taxonomies state goes before what is inferred, also as false."""

from collections.abc import Mapping

from app.domain.flows.inferred import inferred_labels, sink_inputs, target_inputs
from app.domain.flows.values import LabelEvidence, ToolLabel
from app.domain.nodes.models import Label, Tool
from app.domain.planning.operations import Operation, read_operation


def labels_of(tool: Tool, operation: Operation | None = None) -> dict[Label, ToolLabel]:
    """The labels that a tool has, or is said not to have; none where nothing speaks for or against one.

    Args:
        tool: With what is stated of it.
        operation: The tool, read already; it is read where this is None.
    """
    operation = read_operation(tool) if operation is None else operation
    found = inferred_labels(operation)
    for stated in tool.labels:
        to, carries = stated.to, stated.carries
        if stated.label is Label.EXTERNAL_SINK and stated.value and not (to and carries):
            inferred_to, inferred_carries = sink_inputs(operation)
            to, carries = to or inferred_to, carries or inferred_carries
        if stated.label is Label.DESTRUCTIVE and stated.value:
            to = target_inputs(operation) or tuple(
                dict.fromkeys(item.pointer[0] for item in operation.inputs)
            )
        found[stated.label] = ToolLabel(stated.label, stated.value, LabelEvidence.STATED, 1.0, to, carries)
    return {label: found[label] for label in Label if label in found}


def counting(labels: Mapping[Label, ToolLabel]) -> frozenset[Label]:
    """The labels that the check of a plan takes as given."""
    return frozenset(label for label, one in labels.items() if one.counts)
