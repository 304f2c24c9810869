"""Options that several commands have."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

DataDir: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        help="Folder of the embedded engine (default: OUTFITTER_DATA_DIR, or your data folder).",
        show_default=False,
    ),
]
