"""How likely the change is right that is found first for a whole goal: the weights of `WholeGoalRecipe`.

    python -m tools.fit_whole_goal DATA

DATA is the folder with the public sets (docs/benchmarks.md). Fitted on the visible goals, the development sets and those of trades in
`bench/goals`; how many right and wrong changes are made is counted with the weights of other documents.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from bench.judged.goals import catalogue_of_goals
from bench.sets.goals import read_goals
from bench.training.whole_goal import WholeGoalRow, fit_whole_goal, whole_goal_rows

_GOALS = Path("bench/goals")
_SETS = (
    "",
    "development",
    "development_2",
    "development_3",
    "development_4",
    "development_5",
    "trades",
    "trades_2",
    "trades_3",
)
"""The first is the visible set."""
_USAGE = 2


def main(arguments: Sequence[str]) -> int:
    """Fit, and print the recipe."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return _USAGE
    rows: list[WholeGoalRow] = []
    for name in _SETS:
        found = read_goals(Path(arguments[0]), goals=_GOALS / f"{name}.jsonl" if name else None)
        rows += whole_goal_rows(found, catalogue_of_goals(found))
        print(f"{name or 'visible'}: {len(rows)} goals so far", file=sys.stderr)
    fitted = fit_whole_goal(rows)
    print(fitted.recipe)
    for threshold, (right, wrong, elsewhere) in fitted.made.items():
        print(f"from {threshold:.2f}: {right} right changes, {wrong} wrong ones, {elsewhere} elsewhere")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
