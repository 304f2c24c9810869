"""Lock files: each package that an installation takes, in one version, with the hashes of its files."""

import re
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_VIA = re.compile(r"#\s+(?:via\s+)?([A-Za-z0-9][A-Za-z0-9._-]*)( \(pyproject\.toml[^)]*\))?")


class LockError(ValueError):
    """A lock file that is not as `make lock` writes it."""


@dataclass(frozen=True, slots=True)
class Locked:
    """A package in the version that is installed."""

    name: str
    """Lower case, with `-`, as in the index."""
    version: str
    marker: str
    """Where it is installed (PEP 508); empty: everywhere."""
    hashes: tuple[str, ...]
    """SHA-256 of each of its files, hexadecimal."""
    needed_by: tuple[str, ...]
    """Names of the packages that ask for it."""
    direct: bool
    """Whether we ask for it ourselves."""

    @property
    def purl(self) -> str:
        """Its name for programs (package URL)."""
        return f"pkg:pypi/{self.name}@{self.version}"


def read_lock(path: Path) -> list[Locked]:
    """The packages of a lock file, in its order.

    Raises:
        LockError: a line is something else, such as the address of an index, or a package has no hash.
    """
    joined = path.read_text(encoding="utf-8").replace("\\\n", " ")
    found: list[Locked] = []
    via: list[re.Match[str]] = []
    requirement = ""
    for line in [*joined.splitlines(), "end"]:
        if line.startswith("    #"):
            via += [match] if (match := _VIA.fullmatch(line.strip())) else []
        elif line.strip() and not line.startswith("#"):
            if requirement:
                found.append(_locked(path, requirement, via))
            requirement, via = line, []
    return found


def _locked(path: Path, line: str, via: list[re.Match[str]]) -> Locked:
    hashes = tuple(_HASH.findall(line))
    said = _HASH.sub("", line).strip()
    try:
        requirement = Requirement(said)
    except InvalidRequirement as error:
        raise LockError(f"{path}: {said!r} is no requirement; accepted: NAME==VERSION --hash=...") from error
    versions = [(one.operator, one.version) for one in requirement.specifier]
    if requirement.url or len(versions) != 1 or versions[0][0] != "==" or not hashes:
        raise LockError(
            f"{path}: {said!r} with {len(hashes)} hashes; accepted: NAME==VERSION --hash=sha256:..."
        )
    return Locked(
        name=requirement.name.lower().replace("_", "-"),
        version=versions[0][1],
        marker=str(requirement.marker or ""),
        hashes=hashes,
        needed_by=tuple(match[1] for match in via if not match[2] and match[1] != "-r"),
        direct=any(match[2] for match in via),
    )
