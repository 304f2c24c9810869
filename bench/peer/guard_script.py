"""Run in another interpreter: the script that is named, until it ends or the process that started it is gone.

A time limit is kept by the process that waits; when that one is killed, nothing else would end a run of ten minutes.
"""

import os
import runpy
import sys
import threading
import time

_EVERY_S = 0.5


def main() -> None:
    """Run it in this process, so that what is measured is the script alone."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    runpy.run_path(sys.argv[1], run_name="__main__")


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_EVERY_S)
    os._exit(1)


main()
