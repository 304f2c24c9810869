"""Plots: valid SVG, the same bytes for the same numbers, values where they belong."""

from xml.etree import ElementTree

import pytest

from bench.report import plots

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text: str) -> ElementTree.Element:
    """The figure as XML; whatever a label holds, it must be that."""
    return ElementTree.fromstring(text)


def test_a_bar_is_as_high_as_its_value() -> None:
    """0 to 1 is the height of the plot; None leaves a bar out."""
    figure = parsed(plots.bars("R@5", ["T1", "T2"], {"auto": [1.0, 0.5], "bm25": [0.25, None]}))

    heights = [float(bar.attrib["height"]) for bar in figure.iter("rect") if len(bar)]
    whole = heights[0]
    assert [height / whole for height in heights] == pytest.approx([1.0, 0.25, 0.5])


def test_larger_values_are_further_right_and_higher_up() -> None:
    """Pixels grow downwards; a logarithmic axis has equal steps for equal factors."""
    figure = parsed(
        plots.lines("ms", {"auto": [(10, 1.0), (100, 10.0), (1000, 100.0)]}, x_title="tools", log=True)
    )

    line = next(figure.iter("polyline")).attrib["points"]
    (x1, y1), (x2, y2), (x3, y3) = (map(float, point.split(",")) for point in line.split())
    assert x2 - x1 == pytest.approx(x3 - x2, abs=0.02)
    assert y1 - y2 == pytest.approx(y2 - y3, abs=0.02)
    assert x2 > x1
    assert y2 < y1


def test_labels_do_not_lie_on_each_other() -> None:
    """Points at one place have their names below each other."""
    found = [plots.PlotPoint(name, 1.0, 0.5) for name in ("auto", "bm25", "tfidf")]

    figure = parsed(plots.points("R@5 and time", found, x_title="ms"))

    rows = [float(text.attrib["y"]) for text in figure.iter("text") if text.text in {"auto", "bm25", "tfidf"}]
    assert len(rows) == 3
    assert all(abs(one - other) >= 12 for one in rows for other in rows if one is not other and one != other)
    assert len(set(rows)) == 3


def test_labels_do_not_lie_on_other_points() -> None:
    """The name of a point makes way for the point beside it, which comes later."""
    found = [
        plots.PlotPoint("kg_hybrid", 1.0, 0.5),
        plots.PlotPoint("bm25", 1.2, 0.5),
        plots.PlotPoint("auto", 100.0, 0.9),
    ]

    figure = parsed(plots.points("R@5 and time", found, x_title="ms"))

    label = next(text for text in figure.iter("text") if text.text == "kg_hybrid")
    point = list(figure.iter("circle"))[1]
    assert abs(float(label.attrib["y"]) - 4 - float(point.attrib["cy"])) >= 12


def test_thousands_are_no_powers() -> None:
    """The axis of sizes says 100,000."""
    figure = parsed(plots.lines("ms", {"auto": [(250, 1.0), (50_000, 10.0)]}, x_title="tools", log=True))

    assert "100,000" in [text.text for text in figure.iter("text")]


def test_names_are_shown_as_they_are() -> None:
    """No label can open a tag."""
    nasty = '<script>"&'

    figure = parsed(plots.bars(nasty, [nasty], {nasty: [0.5]}))

    assert next(figure.iter("figcaption")).text == nasty
    assert nasty in [text.text for text in figure.iter("text")]


def test_the_same_numbers_give_the_same_bytes() -> None:
    """Two runs with equal figures have equal plots."""
    series = {"R@5": [(0.0, 0.8), (0.5, 0.85), (1.0, 0.82)]}

    assert plots.lines("alpha", series, x_title="x") == plots.lines("alpha", dict(series), x_title="x")


@pytest.mark.parametrize("values", [[0.5, 0.5], [0.867, 0.868], [0.0, 1.0], [12.0, 1234.0]])
def test_every_value_lies_within_the_axis(values: list[float]) -> None:
    """Equal values, tiny and large differences: points are inside the plot."""
    figure = parsed(plots.lines("t", {"a": list(enumerate(values))}, x_title="x"))

    heights = [float(point.attrib["cy"]) for point in figure.iter("circle")]
    assert all(16 <= height <= 256 for height in heights)
    assert (heights[0] > heights[1]) == (values[0] < values[1])
