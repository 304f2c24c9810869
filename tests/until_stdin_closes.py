"""Run a server until it ends or this process's standard input closes: `until_stdin_closes.py HOME COMMAND...`.

A test run that is killed closes the pipe, so its server does not outlive it, and HOME is removed.
"""

import shutil
import subprocess
import sys
import threading


def main(home: str, command: list[str]) -> int:
    """Exit status of the command."""
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    told_to_stop = threading.Event()

    def stop_with_stdin() -> None:
        sys.stdin.buffer.read()
        told_to_stop.set()
        server.terminate()

    threading.Thread(target=stop_with_stdin, daemon=True).start()
    status = server.wait()
    if told_to_stop.is_set():
        shutil.rmtree(home, ignore_errors=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
