"""`outfitter bench train-encoder`: the table of the encoder `static`, from public catalogues."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from app.adapters.encoders.onnx import OnnxEncoder
from app.adapters.encoders.static import SHIPPED_TOKENIZER
from app.adapters.encoders.wordpiece import WordPiece
from app.commands.terminal import write_json, write_text
from bench.training.catalogues import training_tools
from bench.training.making import make_table
from bench.training.near_texts import remembered
from bench.training.training import TrainingRecipe


def train_encoder_command(
    data: Annotated[
        Path,
        typer.Option(
            "--data", help="Folder with the public sets and catalogues; none of them comes with Outfitter."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder that the table is written to.")],
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is drawn by lot.")] = 0,
    steps: Annotated[int, typer.Option(min=1, max=10_000, help="Of training.")] = TrainingRecipe.steps,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Train the table of the encoder `static` on tools of public catalogues and the common taxonomy, without labels.

    Nothing of a benchmark is in it: servers and vendors of `bench/sets/excluded.toml`, tools nearly the same as one of a
    set, and what says five words in a row of a request, or means nearly the same, are left out. Equal seeds give equal
    bytes on one machine.
    """

    def say(text: str) -> None:
        if not as_json:
            write_text(text)

    encode = remembered(OnnxEncoder().encode)
    made = make_table(
        training_tools(data, encode),
        WordPiece(SHIPPED_TOKENIZER),
        encode,
        out,
        recipe=TrainingRecipe(steps=steps),
        seed=seed,
        say=say,
    )
    if as_json:
        write_json(json.dumps(asdict(made), indent=2))
        return
    for name, (size, digest) in made.files.items():
        write_text(f"{name}: {size:,} bytes, SHA-256 {digest}")
    write_text(
        f"{made.tools} tools, {sum(made.pairs.values())} pairs, {made.seconds:.0f} s of processor time."
    )
