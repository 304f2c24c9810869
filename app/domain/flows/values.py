"""A label of a tool: whether it has it, and how that is known."""

from dataclasses import dataclass
from enum import StrEnum

from app.domain.nodes.models import Label

SURE = 0.6
"""Confidence from which a label counts; chosen on the first half of the hand-written labels of `bench flows`."""


class LabelEvidence(StrEnum):
    """Where a label comes from."""

    STATED = "stated"
    """A taxonomy says it."""
    ANNOTATION = "annotation"
    """The publisher says it: `openWorldHint`, `destructiveHint`."""
    METHOD = "method"
    """The HTTP method says it."""
    INFERRED = "inferred"
    """Names and schemas speak for it."""


@dataclass(frozen=True, slots=True)
class ToolLabel:
    """One label of a tool."""

    label: Label
    value: bool
    evidence: LabelEvidence
    confidence: float
    """From 0 to 1; 1 where it is stated."""
    to: tuple[str, ...] = ()
    """Of a sink, the inputs that say where it goes; of what is destructive, those that say what it is about."""
    carries: tuple[str, ...] = ()
    """Of a sink: the inputs that go there."""

    @property
    def counts(self) -> bool:
        """Whether the check of a plan takes it as given."""
        return self.value and self.confidence >= SURE
