"""Run a command until it ends or this process's standard input closes: `python until_stdin_closes.py COMMAND...`.

A test run that is killed closes the pipe, so its database server does not outlive it.
"""

import subprocess
import sys
import threading


def main(command: list[str]) -> int:
    """Exit status of the command."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def end_with_stdin() -> None:
        sys.stdin.buffer.read()
        child.terminate()

    threading.Thread(target=end_with_stdin, daemon=True).start()
    return child.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
