"""How many modules of `app` and `ingest` one ingest, one explained query and one plan execute.

    python -m tests.executed_modules [--list]

The three commands run in this process, over the example shop, in a temporary folder of the embedded engine. A
module counts when one of its functions is entered, also by a thread; all modules are imported before.
"""

import argparse
import contextlib
import importlib
import io
import os
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parent.parent
PACKAGES = ("app", "ingest")
COMMANDS: dict[str, Sequence[str]] = {
    "ingest": ("ingest", "openapi", str(ROOT / "examples" / "openapi.yaml")),
    "query": ("query", "refund an order", "--explain"),
    "plan": ("plan", "cancel order 12"),
}
_PROGRAMS = frozenset({"__main__", "sidecar"})
"""What is run and not imported."""


def executed(arguments: Sequence[str], main: Any) -> set[str]:
    """Paths, relative to the repository, of the modules that a command enters."""
    found: set[Any] = set()

    def enter(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            found.add(frame.f_code)

    kept = sys.argv
    sys.argv = ["outfitter", *arguments]
    threading.setprofile(enter)
    sys.setprofile(enter)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            main()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
        sys.argv = kept
    return {
        str(path.relative_to(ROOT))
        for code in found
        if (path := Path(code.co_filename)).is_relative_to(ROOT)
        and path.relative_to(ROOT).parts[0] in PACKAGES
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the counts, and the modules with --list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="the modules too")
    listed = parser.parse_args(arguments).list
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        if path.stem not in _PROGRAMS:
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    entry = importlib.import_module("app.commands.main" if (ROOT / "app/commands").is_dir() else "app.cli")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["OUTFITTER_DATA_DIR"] = folder
        for name, command in COMMANDS.items():
            found = sorted(executed(command, entry.main))
            print(f"{name}: {len(found)}")
            if listed:
                print(*(f"  {path}" for path in found), sep="\n")


if __name__ == "__main__":
    main()
