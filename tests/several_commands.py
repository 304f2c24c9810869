"""Run several commands of `outfitter` in one process, as each would run in its own: `outfitter` costs its imports once.

Reads a JSON list of argument lists from stdin; writes one JSON line per command: status, stdout, stderr. Ends after the
first command that fails.
"""

import contextlib
import io
import json
import sys

from app.commands.main import main


def run(words: list[str]) -> tuple[int, str, str]:
    """Status, stdout and stderr of one command."""
    # Some commands write bytes, which a text buffer refuses.
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    status = 0
    sys.argv = ["outfitter", *words]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
    return status, _text(out), _text(err)


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


if __name__ == "__main__":
    for words in json.load(sys.stdin):
        done = run(words)
        print(json.dumps(done), flush=True)
        if done[0]:
            break
