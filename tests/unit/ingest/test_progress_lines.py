"""Programs read how far a run is from lines of JSON, at most one a second."""

import json

from ingest.commands.progress import ProgressLines


def test_a_line_says_the_phase_and_how_much_of_it_is_done() -> None:
    """None in the first second, so that a short run prints its report alone."""
    now = 0.0
    lines: list[str] = []
    progress = ProgressLines(lines.append, clock=lambda: now)

    progress.begin("read", 3)
    progress.advance(1)
    now = 1.0
    progress.advance(1)
    now = 1.5
    progress.advance(1)
    now = 2.5
    progress.begin("diff", 0)
    now = 4.0
    progress.begin("write", 10)

    assert [json.loads(line) for line in lines] == [
        {"phase": "read", "done": 2, "total": 3},
        {"phase": "diff"},
        {"phase": "write", "done": 0, "total": 10},
    ]
