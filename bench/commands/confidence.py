"""`outfitter bench confidence`: weights of confidence, fitted and judged."""

import json
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from app.commands.terminal import write_json, write_text
from app.domain.ranking.recipe import RECIPE
from bench.judged.confidence import ask_pairs, calibrate
from bench.judged.goals import catalogue_of_goals
from bench.sets.goals import read_goals


def confidence_command(
    data: Annotated[
        Path, typer.Option("--data", help="Folder with the public sets; none of them comes with Outfitter.")
    ],
    goals: Annotated[
        Path | None,
        typer.Option(
            help="Goals whose questions are asked, as for `bench goals`.",
            show_default="the development questions that come along",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of sentences.")] = False,
) -> None:
    """Fit the weights of confidence on questions asked of their document and of others; OUTFITTER_ENCODER says by which vectors.

    What is said of them is judged document by document, by weights that know nothing of it.
    """
    path = goals or Path(str(files("bench").joinpath("goals", "development.jsonl")))
    found = read_goals(data, goals=path)
    documents = {item.server: found.documents[item.server] for item in found.questions}
    catalogue = catalogue_of_goals(replace(found, goals=(), documents=documents))
    result = calibrate(ask_pairs(found.questions, catalogue))
    if as_json:
        write_json(json.dumps({**asdict(result), "confident": RECIPE.confident}, indent=2))
        return
    write_text(f"weights: {', '.join(f'{one:.2f}' for one in result.weights)}")
    write_text(f"area under the curve, of documents that were left out: {result.area:.3f}")
    write_text(
        f"below {RECIPE.confident}: {result.answerable:.3f} of the answerable ones, {result.pairs:.3f} of those asked of other "
        f"documents, {result.beyond:.3f} of those that nothing answers"
    )
