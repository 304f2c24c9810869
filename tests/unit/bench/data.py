"""A small data folder in the layout of the public one, written for the tests of the bench."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

TAXONOMY = """
version: 1
domain: design
categories:
  - {id: shapes, name: Shapes, description: Forms.}
  - {id: export, name: Export, description: Files.}
methods:
  - {id: circle, name: Circle, category: shapes, implements: [draw], description: A ring., tags: [disc],
     parameters: [x, y, radius], examples: [Put a dot], relations: {similar: [square], enhances: [shade]}}
  - {id: square, name: Square, category: shapes, implements: [draw], description: A box., tags: [tile],
     parameters: [x, y, width], examples: [Put a tile], relations: {}}
  - {id: shade, name: Shade, category: shapes, implements: [style], description: Light and dark on an item.,
     tags: [shadow], parameters: [color, opacity], examples: [Darken one side], relations: {}}
  - {id: export, name: Export, category: export, implements: [save], description: A file., tags: [png],
     parameters: [quality], examples: [Save it], relations: {}}
templates: [{id: logo, name: Logo, surface: A mark for a brand., interior: Shapes., tags: [sign], uses: [draw, save]}]
concepts: [{id: calm, name: Calm, description: Quiet., tags: [soft], related_to: [shade]}]
"""
CASES = (
    ("T1", "Draw a ring", ("draw",)),
    ("T1", "Create a box", ("draw",)),
    ("T2", "something round, like a disc", ("draw",)),
    ("T2", "I need a png file", ("save",)),
    ("T3", "Draw a ring and then export a file", ("draw", "save")),
    ("T3", "Create a box, then draw a ring", ("draw", "draw")),
    ("T4", "Draw a ring, add shadow, export a png", ("draw", "style", "save")),
    ("T4", "Create a tile, add light and save it", ("draw", "style", "save")),
    ("T5", "Generate a tile", ("draw",)),
    ("T5", "Generate a dot", ("draw",)),
    ("T6", "Make it calm", ("style",)),
    ("T6", "A mark for my brand", ("draw", "save")),
)
"""Tier, query, gold."""


def write_toolbench(folder: Path) -> Path:
    """ToolBench: four methods on three tools, two cases of each tier; the manifest lacks one tool."""
    root = folder / "pinepaper"
    root.mkdir()
    (root / "taxonomy.yaml").write_text(TAXONOMY)
    labels = {"draw": "circle", "style": "shade", "save": "export"}
    write_lines(
        root / "cases.jsonl",
        (
            {
                "id": f"{tier}-{number}",
                "tier": tier,
                "query": query,
                "gold": gold,
                "methods": [labels[tool] for tool in gold],
                "acceptable": ["SECRET"],
            }
            for number, (tier, query, gold) in enumerate(CASES)
        ),
    )
    tools = [{"name": "draw", "description": "Puts a form on the canvas."}, {"name": "save"}]
    (root / "tools.json").write_text(json.dumps({"tools": tools}))
    return folder


def write_lines(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """One JSON object per line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
