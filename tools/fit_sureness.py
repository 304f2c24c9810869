"""How sure a call has to be that a plan makes it: the weights of `SurenessRecipe`.

    python -m tools.fit_sureness DATA

DATA is the folder with the public sets (docs/benchmarks.md). Fitted on the visible goals and questions and the development
sets in `bench/goals`; how many right and wrong calls are kept is counted with the weights of other documents.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from bench.judged.goals import catalogue_of_goals
from bench.sets.goals import read_goals
from bench.training.sureness import TaskRow, fit_sureness, goal_rows, question_rows

_GOALS = Path("bench/goals")
_SETS = ("", "development", "development_2", "development_3", "development_4")
"""The first is the visible set."""
_USAGE = 2


def main(arguments: Sequence[str]) -> int:
    """Fit, and print the recipe."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return _USAGE
    rows: list[TaskRow] = []
    for name in _SETS:
        found = read_goals(Path(arguments[0]), goals=_GOALS / f"{name}.jsonl" if name else None)
        catalogue = catalogue_of_goals(found)
        rows += goal_rows(found, catalogue)
        rows += question_rows(found, catalogue)
        print(f"{name or 'visible'}: {len(rows)} tasks so far", file=sys.stderr)
    fitted = fit_sureness(rows)
    print(fitted.recipe)
    for threshold, (right, wrong) in fitted.kept.items():
        print(f"from {threshold:.2f}: {right} right calls, {wrong} wrong ones")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
