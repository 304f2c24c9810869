"""Weights of confidence: the fit, and that a document is judged by weights that know nothing of it."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from bench.commands.cli import app
from bench.judged.confidence import AskedPairs, area_under_curve, calibrate, fitted_weights
from tests.unit.bench.data import write_lines
from tests.unit.bench.goal_samples import DOCUMENT, QUESTIONS, write_goals


def test_weights_that_made_the_labels_are_found() -> None:
    """Up to what the ridge takes; both labels count as much, however rare one is."""
    rng = np.random.default_rng(3)
    rows = np.c_[np.ones(4_000), rng.normal(size=(4_000, 2))]
    labels = rng.random(4_000) < 1 / (1 + np.exp(-rows @ [-2.0, 1.5, -0.5]))

    weights = fitted_weights(rows, labels)

    assert weights[1] == pytest.approx(1.5, abs=0.15)
    assert weights[2] == pytest.approx(-0.5, abs=0.15)
    assert -1 < weights[0] < 0.2  # nearer to 0 than -2, as there are as many of both


def test_the_area_is_how_often_the_right_one_is_surer() -> None:
    scores = np.array([0.9, 0.4, 0.4, 0.1])

    assert area_under_curve(scores, np.array([True, True, False, False])) == pytest.approx(0.875)


def test_a_document_is_judged_by_what_the_others_teach() -> None:
    """A feature that says the opposite in each document is worth nothing where it is left out, whatever a fit of all makes of it."""
    servers = ("a", "b", "c")
    own = np.array([one for one in servers for _ in servers for _ in range(4)])
    asked = np.array([other for _ in servers for other in servers for _ in range(4)])
    right = own == asked
    # The document's own mark, which its questions have there and nowhere else.
    marks = np.stack([right & (own == one) for one in servers], axis=1).astype(np.float64)
    rows = np.c_[np.ones(own.size), marks]

    result = calibrate(AskedPairs(rows, right, np.zeros(own.size, np.bool_), own, asked), least=0.5)

    assert result.area == pytest.approx(0.5, abs=0.01)
    assert min(result.weights[1:]) > 1


def test_the_command_fits_the_questions_of_a_file(tmp_path: Path) -> None:
    """Three documents of which each answers its own."""
    data = write_goals(tmp_path)
    asked = [dict(QUESTIONS[1])]
    for server, thing in (("post", "letter"), ("zoo", "animal"), ("sea", "boat")):
        text = json.dumps({**DOCUMENT, "paths": {f"/{thing}s": DOCUMENT["paths"]["/orders"]}})
        path = data / "openapi" / "specs" / f"{server}-1.0.json"
        path.write_text(text.replace("order", thing).replace("Order", thing.title()))
        asked.append({**QUESTIONS[0], "id": server, "server": server, "query": f"list the {thing}s"})
        asked[-1]["gold"] = [f"GET /{thing}s"]
    write_lines(data / "goals" / "visible" / "questions.jsonl", asked)
    words = ["confidence", "--data", str(data), "--goals", str(data / "goals" / "visible" / "goals.jsonl")]

    values = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    shown = CliRunner().invoke(app, words)

    assert shown.exit_code == 0, shown.output
    assert values["area"] > 0.9
    assert len(values["weights"]) == 4  # without vectors
    assert "weights: " in shown.output
