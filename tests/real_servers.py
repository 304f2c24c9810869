"""MCP servers that others wrote, at exact versions: from PyPI each in an environment of its own, from npm in one folder; and a client."""

import sys
import venv
from pathlib import Path

from tests import node
from tests.prepared import fetch, made_once

PYTHON = {
    "git": "mcp-server-git==2026.10.19",
    "time": "mcp-server-time==2026.10.19",
    "fetch": "mcp-server-fetch==2026.10.24",
}
NODE = {
    "filesystem": "@modelcontextprotocol/server-filesystem@2026.8.31",
    "everything": "@modelcontextprotocol/server-everything@2026.8.31",
    "memory": "@modelcontextprotocol/server-memory@2026.8.31",
}
INSPECTOR = "@modelcontextprotocol/inspector@0.15.0"
"""A client of MCP servers; the newest that runs on Node.js 20."""


def python_command(name: str) -> list[str]:
    """The command of a server from PyPI, installed when it is not there yet.

    Raises:
        MissingError: it cannot be installed.
    """
    pin = PYTHON[name]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    folder = made_once(f"{pin.replace('==', '-')}-python{version}", lambda draft: _install(pin, draft))
    # By its module: scripts of an environment know the folder in which it was made.
    return [str(_python(folder)), "-m", f"mcp_server_{name}"]


def node_folder() -> Path:
    """The folder in which all servers from npm are installed.

    Raises:
        MissingError: they cannot be installed.
    """
    return node.installed("mcp-servers-node", list(NODE.values()))


def node_command(name: str) -> list[str]:
    """The command of a server from npm.

    Raises:
        MissingError: it cannot be installed.
    """
    return node.command(node_folder(), f"mcp-server-{name}")


def commands(repository: Path) -> dict[str, list[str]]:
    """The commands of all six, by name, over a folder that is a git repository.

    Raises:
        MissingError: one cannot be installed.
    """
    return {
        "git": [*python_command("git"), "--repository", str(repository)],
        "time": [*python_command("time"), "--local-timezone", "UTC"],
        "fetch": [*python_command("fetch"), "--allow-private-ips", "--ignore-robots-txt"],
        "filesystem": [*node_command("filesystem"), str(repository)],
        "everything": node_command("everything"),
        "memory": node_command("memory"),
    }


def inspector_command() -> list[str]:
    """The command of the inspector.

    Raises:
        MissingError: it cannot be installed.
    """
    return node.command(node.installed("mcp-inspector", [INSPECTOR]), "mcp-inspector")


def prepare() -> None:
    """Fetch all of them.

    Raises:
        MissingError: one cannot be installed.
    """
    for name in PYTHON:
        print(" ".join(python_command(name)))
    print(node_folder())
    print(" ".join(inspector_command()))


def _install(pin: str, folder: Path) -> None:
    venv.create(folder, with_pip=True)
    pip = [str(_python(folder)), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    fetch([*pip, pin], pin)


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
