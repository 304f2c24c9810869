"""Rules of the benches on tools with dependencies."""

import json
from pathlib import Path

from bench.measure.linked_tools import COLUMNS, linked_catalogue, measure_linked


def write_set(folder: Path) -> Path:
    rows = {
        "tools": [
            {"id": "lock_door", "name": "lock_door", "description": "Lock the door."},
            {"id": "read_pin", "name": "read_pin", "description": "Gives digits."},
            {"id": "wake_hub", "name": "wake_hub", "description": "Power for everything."},
            {"id": "arm_hub", "name": "arm_hub", "description": "After power."},
        ],
        "edges": [
            {"source": "lock_door", "target": "wake_hub", "type": "requires", "parameter": None},
            {"source": "lock_door", "target": "arm_hub", "type": "may_require", "parameter": None},
            {"source": "lock_door", "target": "read_pin", "type": "requires", "parameter": "pin"},
        ],
        "queries": [
            {
                "id": "1",
                "query": "lock the door",
                "gold": ["lock_door", "read_pin", "wake_hub", "arm_hub"],
                "meta": {"main": "lock_door"},
            }
        ],
    }
    target = folder / "bench" / "toollinkos"
    target.mkdir(parents=True)
    for name, lines in rows.items():
        (target / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def test_given_edges_keep_their_order_within_a_parameter(tmp_path: Path) -> None:
    edges = linked_catalogue(write_set(tmp_path)).requirements_of["lock_door"]
    assert [(edge.parameter, edge.rank, edge.producer) for edge in edges] == [
        ("", 1, "wake_hub"),
        ("", 2, "arm_hub"),
        ("pin", 1, "read_pin"),
    ]


def test_blocks_hold_what_the_match_needs_and_matches_alone_do_not(tmp_path: Path) -> None:
    alone, blocks = measure_linked(write_set(tmp_path))
    all_found, target = COLUMNS.index("all@10"), COLUMNS.index("hit@1")
    assert (alone.values[all_found], blocks.values[all_found]) == (0.0, 1.0)
    assert (alone.values[target], blocks.values[target]) == (1.0, 1.0)
