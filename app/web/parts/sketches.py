"""A view of the graph in numbers: boxes, and curves between them, for SVG."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.nodes.graph_views import GraphEdge, GraphNode
from app.web.parts.columns import Spot
from app.web.parts.walks import MoreEdges, WalkView, flow_of

WIDTH, HEIGHT = 248, 34
"""Of a box."""
_COLUMN, _ROW, _MARGIN, _HEAD = 340, 44, 16, 26
_HEADS = {-1: "feeds it, leads to it", 0: "in the middle", 1: "it feeds, it leads to"}


@dataclass(frozen=True, slots=True)
class DrawnBox:
    """A node, or edges that are not shown."""

    number: int
    column: int
    row: int
    x: int
    y: int
    node: GraphNode | None
    more: MoreEdges | None


@dataclass(frozen=True, slots=True)
class DrawnCurve:
    """An edge, from the box that leads to the one that is led to."""

    edge: GraphEdge
    path: str
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Sketch:
    """A drawing; lengths are pixels at its own size."""

    boxes: tuple[DrawnBox, ...]
    """By column, then by row."""
    curves: tuple[DrawnCurve, ...]
    heads: tuple[tuple[int, str], ...]
    """Left edge and title of the columns beside the focus, and of its own."""
    width: int
    height: int


def sketch(view: WalkView) -> Sketch:
    """Boxes at the places of the layout, columns centred; the focus is in the middle of its column."""
    spots = view.spots
    first = min(spot.column for spot in spots.values())
    last = max(spot.column for spot in spots.values())
    rows: dict[int, int] = {}
    for spot in spots.values():
        rows[spot.column] = max(rows.get(spot.column, 0), spot.row + 1)
    tallest = max(rows.values())

    def corner(spot: Spot) -> tuple[int, int]:
        above = (tallest - rows[spot.column]) * _ROW // 2
        return _MARGIN + (spot.column - first) * _COLUMN, _MARGIN + _HEAD + above + spot.row * _ROW

    order = sorted(spots, key=lambda key: (spots[key].column, spots[key].row))
    numbers = {key: number for number, key in enumerate(order)}
    boxes = tuple(
        DrawnBox(
            numbers[key],
            spots[key].column,
            spots[key].row,
            *corner(spots[key]),
            view.nodes.get(key),
            view.more.get(key),
        )
        for key in order
    )
    curves = [_curve(edge, numbers, boxes) for edge in view.edges]
    return Sketch(
        boxes,
        tuple(curves),
        heads=tuple(
            (_MARGIN + (column - first) * _COLUMN, _HEADS[column])
            for column in _HEADS
            if first <= column <= last
        ),
        width=2 * _MARGIN + (last - first) * _COLUMN + WIDTH,
        height=2 * _MARGIN + _HEAD + (tallest - 1) * _ROW + HEIGHT,
    )


def _curve(edge: GraphEdge, numbers: Mapping[str, int], boxes: tuple[DrawnBox, ...]) -> DrawnCurve:
    source, target = (numbers[key] for key in flow_of(edge))
    begin, end = boxes[source], boxes[target]
    y1, y2 = begin.y + HEIGHT // 2, end.y + HEIGHT // 2
    if begin.column == end.column:
        # Out on the right and back in there.
        x = begin.x + WIDTH
        bend = x + 40
        path = f"M{x} {y1}C{bend} {y1} {bend} {y2} {x} {y2}"
    else:
        forward = begin.column < end.column
        x1, x2 = (begin.x + WIDTH, end.x) if forward else (begin.x, end.x + WIDTH)
        half = (x2 - x1) // 2
        path = f"M{x1} {y1}C{x1 + half} {y1} {x2 - half} {y2} {x2} {y2}"
    return DrawnCurve(edge, path, source, target)
