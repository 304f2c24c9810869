"""What tests need from npm, at exact versions, each set of packages in one folder."""

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.prepared import MissingError, fetch, made_once

TYPESCRIPT: Final = "typescript@7.0.2"


def program(name: str) -> str:
    """The path of `node` or `npm`.

    Raises:
        MissingError: it is not installed.
    """
    found = shutil.which(name)
    if found is None:
        raise MissingError(f"no {name}: install Node.js 20 or later with npm (Debian: nodejs npm)")
    return found


def installed(name: str, packages: Sequence[str]) -> Path:
    """The folder in which all of these packages are installed.

    Args:
        name: Of the folder, once for each set of packages.
        packages: With their versions.

    Raises:
        MissingError: they cannot be installed.
    """
    digest = hashlib.sha256("\n".join(sorted(packages)).encode()).hexdigest()[:12]
    return made_once(f"{name}-{digest}", lambda draft: _install(sorted(packages), draft))


def command(folder: Path, name: str) -> list[str]:
    """What runs a program of the packages in a folder.

    Raises:
        MissingError: there is no Node.js.
    """
    return [program("node"), str(folder / "node_modules" / ".bin" / name)]


def type_checker() -> list[str]:
    """The command of TypeScript's compiler.

    Raises:
        MissingError: it cannot be installed.
    """
    return command(installed("typescript", [TYPESCRIPT]), "tsc")


def _install(packages: Sequence[str], folder: Path) -> None:
    folder.mkdir()
    options = ("--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error")
    words = [program("npm"), "install", *options, "--prefix", str(folder), *packages]
    fetch(words, ", ".join(packages), cwd=folder)
