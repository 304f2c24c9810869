"""The order of the first tools: the weights `weighed_short` and `weighed_long` of the ranking's recipe.

    python -m tools.fit_order DATA

DATA is the folder with the public sets (docs/benchmarks.md). Fitted on TUNE, LONG and `catalogues`; each set is judged with the weights
of the others.
"""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.sets.catalogue_requests import NAME
from bench.sets.retrieval import load
from bench.sets.sets import LONG, TUNE
from bench.training.order import fit_order, order_rows, placed

_USAGE = 2


def main(arguments: Sequence[str]) -> int:
    """Fit, and print the weights."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return _USAGE
    read = partial(load, Path(arguments[0]))
    rows = [order_rows(dataset) for name in (*TUNE, *LONG, NAME) for dataset in read(name)]
    for one in rows:
        others = fit_order([other for other in rows if other is not one])
        was, now = placed(one, None), placed(one, others)
        print(f"{one.name}: R@5 / MRR {was[0]:.3f} / {was[1]:.3f} -> {now[0]:.3f} / {now[1]:.3f}")
    fitted = fit_order(rows)
    print(dict(fitted.short))
    print(dict(fitted.long))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
