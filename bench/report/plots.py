"""Plots as SVG text: the same numbers give the same bytes, and colours come from the page, light or dark."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 880, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 16, 16, 44
_LEGEND_ROW = 20
_CHARACTER = 7.2
"""Mean width of a character of the legend, in pixels."""
_PALETTE = 10
"""Classes c0 to c9 have colours on the page."""
_LEAST_SPAN = 0.1
"""A difference in the third digit is not drawn as a cliff."""
_NEARLY = 1e-9
_LINE = 13
"""Height of a label."""
_RADIUS = 5
_SHIFTS = [0] + [sign * step * _LINE for step in range(1, 40) for sign in (-1, 1)]
"""Where a label is tried, from its point."""
_GAP = 0.22
"""Share of a group's width that stays empty."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Numbers to pixels."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """Pixel of a value; values outside end at the axis."""
        low, high, value = (math.log10(part) if self.log else part for part in (self.low, self.high, value))
        share = (min(max(value, low), high) - low) / (high - low)
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self) -> list[float]:
        """Round values: powers of ten, or five to nine steps."""
        if self.log:
            first, last = math.ceil(math.log10(self.low)), math.floor(math.log10(self.high))
            return [10.0**power for power in range(first, last + 1)]
        step = _step(self.high - self.low)
        first = math.ceil(round(self.low / step, 9))
        last = math.floor(round(self.high / step, 9))
        return [round(number * step, 10) for number in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """A labelled point."""

    label: str
    x: float
    y: float


def bars(title: str, groups: Sequence[str], series: Mapping[str, Sequence[float | None]]) -> str:
    """Groups of bars from 0 to 1; None leaves a bar out."""
    axis = Axis(0.0, 1.0, _HEIGHT - _BOTTOM, _TOP)
    parts = list(_grid(axis))
    width = (_WIDTH - _LEFT - _RIGHT) / len(groups)
    bar = width * (1 - _GAP) / len(series)
    for place, group in enumerate(groups):
        left = _LEFT + place * width
        parts.append(_text(left + width / 2, _HEIGHT - _BOTTOM + 18, group, anchor="middle"))
        for number, (name, values) in enumerate(series.items()):
            value = values[place]
            if value is None:
                continue
            x, y = left + width * _GAP / 2 + number * bar, axis.at(value)
            parts.append(
                f'<rect class="{_colour(number)}" x="{x:.2f}" y="{y}" width="{max(bar - 1, 0.5):.2f}" '
                f'height="{axis.start - y:.2f}"><title>{escape(f"{group}, {name}: {value:.3f}")}</title></rect>'
            )
    return _figure(title, parts, list(series))


def lines(
    title: str, series: Mapping[str, Sequence[tuple[float, float]]], *, x_title: str, log: bool = False
) -> str:
    """One line per series; with `log`, both axes are logarithmic and every value must be above 0."""
    every = [point for points in series.values() for point in points]
    x_axis = _axis([x for x, _ in every], _LEFT + 8, _WIDTH - _RIGHT - 8, log=log)
    y_axis = _axis([y for _, y in every], _HEIGHT - _BOTTOM, _TOP, log=log, least_span=_LEAST_SPAN)
    parts = [*_grid(y_axis), *_x_ticks(x_axis), _x_title(x_title)]
    for number, (name, points) in enumerate(series.items()):
        pixels = [(x_axis.at(x), y_axis.at(y)) for x, y in points]
        path = " ".join(f"{x},{y}" for x, y in pixels)
        parts.append(f'<polyline class="{_colour(number)}" points="{path}"/>')
        for (x, y), (value_x, value_y) in zip(pixels, points, strict=True):
            said = escape(f"{name}: {_short(value_x)}, {_short(value_y)}")
            parts.append(
                f'<circle class="{_colour(number)}" cx="{x}" cy="{y}" r="3.5"><title>{said}</title></circle>'
            )
    return _figure(title, parts, list(series))


def points(title: str, found: Sequence[PlotPoint], *, x_title: str) -> str:
    """Labelled points, x logarithmic and above 0; labels make way for each other."""
    x_axis = _axis([point.x for point in found], _LEFT + 8, _WIDTH - _RIGHT - 90, log=True)
    y_axis = _axis([point.y for point in found], _HEIGHT - _BOTTOM, _TOP, log=False)
    parts = [*_grid(y_axis), *_x_ticks(x_axis), _x_title(x_title)]
    places = [(x_axis.at(point.x), y_axis.at(point.y)) for point in found]
    taken = [(x - _RADIUS, x + _RADIUS, y + 4) for x, y in places]
    for number, (point, (x, y)) in enumerate(zip(found, places, strict=True)):
        said = escape(f"{point.label}: {_short(point.x)} ms, {point.y:.3f}")
        parts.append(
            f'<circle class="{_colour(number)}" cx="{x}" cy="{y}" r="{_RADIUS}"><title>{said}</title></circle>'
        )
        left, right = x + 9, x + 9 + _CHARACTER * len(point.label)
        place = next(y + 4 + shift for shift in _SHIFTS if _free(taken, left, right, y + 4 + shift))
        taken.append((left, right, place))
        parts.append(_text(left, place, point.label, of=_colour(number)))
    return _figure(title, parts, [])


def _free(taken: Sequence[tuple[float, float, float]], left: float, right: float, y: float) -> bool:
    return not any(left < end and start < right and abs(y - at) < _LINE for start, end, at in taken)


def _axis(values: Sequence[float], start: float, end: float, *, log: bool, least_span: float = 0.0) -> Axis:
    low, high = min(values), max(values)
    if log:
        low, high = 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high))
        return Axis(low, high if high > low else low * 10, start, end, log=True)
    missing = max(0.0, least_span - (high - low)) / 2
    low, high = low - missing, high + missing
    step = _step(high - low or _LEAST_SPAN)
    low = math.floor(low / step + _NEARLY) * step
    return Axis(low, max(math.ceil(high / step - _NEARLY) * step, low + step), start, end)


def _step(span: float) -> float:
    power = 10.0 ** math.floor(math.log10(span / 5))
    return next(power * factor for factor in (1, 2, 5, 10) if span / (power * factor) <= 8)


def _grid(axis: Axis) -> Iterator[str]:
    for value in axis.ticks():
        y = axis.at(value)
        yield f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>'
        yield _text(_LEFT - 6, y + 4, _short(value), anchor="end")


def _x_ticks(axis: Axis) -> Iterator[str]:
    for value in axis.ticks():
        yield _text(axis.at(value), _HEIGHT - _BOTTOM + 18, _short(value), anchor="middle")


def _x_title(title: str) -> str:
    return _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, title, anchor="middle")


def _figure(title: str, parts: Sequence[str], names: Sequence[str]) -> str:
    rows = list(_legend_rows(names))
    height = _HEIGHT + _LEGEND_ROW * len(rows)
    legend = [
        f'<rect class="{_colour(number)}" x="{x:.1f}" y="{_HEIGHT + row * _LEGEND_ROW}" width="11" height="11"/>'
        + _text(x + 16, _HEIGHT + row * _LEGEND_ROW + 10, names[number])
        for row, placed in enumerate(rows)
        for number, x in placed
    ]
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}">{"".join((*parts, *legend))}</svg></figure>'
    )


def _legend_rows(names: Sequence[str]) -> Iterator[list[tuple[int, float]]]:
    row: list[tuple[int, float]] = []
    x = float(_LEFT)
    for number, name in enumerate(names):
        width = 34 + _CHARACTER * len(name)
        if row and x + width > _WIDTH:
            yield row
            row, x = [], float(_LEFT)
        row.append((number, x))
        x += width
    if row:
        yield row


def _text(x: float, y: float, text: str, *, anchor: str = "start", of: str = "") -> str:
    named = f' class="{of}"' if of else ""
    return f'<text{named} x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}">{escape(text)}</text>'


def _colour(number: int) -> str:
    return f"c{number % _PALETTE}"


def _short(value: float) -> str:
    if value and (abs(value) < 0.001 or abs(value) >= 1_000_000):
        return f"{value:.0e}"
    return f"{value:,.3f}".rstrip("0").rstrip(".") if value % 1 else f"{value:,.0f}"
