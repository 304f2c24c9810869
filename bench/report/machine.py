"""Where a report was made."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_LIBRARIES = (
    *("outfitter", "bm25s", "numpy", "scipy", "statsmodels", "ir-measures", "rank-bm25"),
    "graph-tool-call",
)


def machine() -> dict[str, str]:
    """Processor, cores, memory, system."""
    return {
        "processor": _from_proc("cpuinfo", "model name") or platform.processor() or platform.machine(),
        "cores": str(os.cpu_count() or 0),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
    }


def versions(peer: str) -> dict[str, str]:
    """Of the libraries that figures depend on.

    Args:
        peer: Of graph-tool-call in the interpreter that it ran in; empty when it did not.
    """
    found = {}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found | ({"graph-tool-call": peer} if peer else {})


def _memory() -> str:
    kilobytes = _from_proc("meminfo", "MemTotal").removesuffix("kB").strip()
    return f"{int(kilobytes) / 2**20:.0f} GiB" if kilobytes else ""


def _from_proc(file: str, field: str) -> str:
    path = Path("/proc") / file
    if not path.exists():
        return ""
    for line in path.read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == field:
            return value.strip()
    return ""
