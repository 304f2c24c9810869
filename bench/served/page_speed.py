"""What a browser says of the pages, as a value."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageSpeed:
    """What a browser saw."""

    first_paint_p95_ms: float
    interactive_p95_ms: float
    answer_p50_ms: float
    """From the last key of a request to the answer's paint."""
    answer_p95_ms: float
    edit_p95_ms: float
    """From the key that moves a step of a plan to the repaint."""
    inp_p95_ms: float
    """Event Timing of every gesture: from the event to the next frame."""
    layout_shift: float
    """The largest of any page."""
