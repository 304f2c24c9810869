"""requirements.lock and requirements-build.lock: they fit pyproject.toml, everything is hashed, nothing is local."""

import importlib.metadata
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.version import Version

from tools.lock import Locked, LockError, read_lock

ROOT = Path(__file__).resolve().parents[3]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUNTIME = read_lock(ROOT / "requirements.lock")
BUILD = read_lock(ROOT / "requirements-build.lock")
LOCKS = ("requirements.lock", "requirements-build.lock")
PLATFORMS = (
    ("linux", "x86_64", "Linux", "posix"),
    ("linux", "aarch64", "Linux", "posix"),
    ("darwin", "arm64", "Darwin", "posix"),
    ("darwin", "x86_64", "Darwin", "posix"),
    ("win32", "AMD64", "Windows", "nt"),
)
ENVIRONMENTS = [
    {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "sys_platform": system,
        "platform_machine": machine,
        "platform_system": name,
        "os_name": os_name,
        "extra": "",
    }
    for python in ("3.11", "3.12", "3.13", "3.14")
    for system, machine, name, os_name in PLATFORMS
]


def environment_name(environment: dict[str, str]) -> str:
    return "-".join(environment[part] for part in ("python_version", "sys_platform", "platform_machine"))


def installed(locked: list[Locked], environment: dict[str, str]) -> dict[str, Version]:
    """What an installation from the lock has there, by name; a name twice is a lock that cannot be installed."""
    found: dict[str, Version] = {}
    for one in locked:
        if not one.marker or Marker(one.marker).evaluate(environment):
            assert one.name not in found, f"{one.name} twice"
            found[one.name] = Version(one.version)
    return found


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=environment_name)
def test_on_every_platform_the_lock_has_what_we_ask_for_in_our_bounds(environment: dict[str, str]) -> None:
    """Each run-time dependency whose marker holds is there once, in a version that its bounds accept."""
    there = installed(RUNTIME, environment)
    asked = [Requirement(text) for text in PYPROJECT["project"]["dependencies"]]
    asked = [one for one in asked if one.marker is None or one.marker.evaluate(environment)]

    missing = [str(one) for one in asked if one.name not in there]
    outside = [str(one) for one in asked if one.name in there and there[one.name] not in one.specifier]

    assert len(asked) > 20
    assert (missing, outside) == ([], [])


@pytest.mark.parametrize("lock", [RUNTIME, BUILD], ids=LOCKS)
def test_the_lock_is_closed(lock: list[Locked]) -> None:
    """What the locked packages need here themselves is locked too; otherwise pip would refuse to go on."""
    there = installed(lock, {key: str(value) for key, value in _here().items()})

    open_ends = {
        f"{name} needs {text}"
        for name, version in there.items()
        for text in _needs(name, version)
        if _name(Requirement(text).name) not in there
    }

    assert open_ends == set()


def test_what_builds_the_wheel_is_locked() -> None:
    """The group that is locked is what the build asks for."""
    asked = PYPROJECT["build-system"]["requires"]

    assert PYPROJECT["dependency-groups"]["build"] == asked
    there = {one.name: Version(one.version) for one in BUILD}
    assert all(there[Requirement(text).name] in Requirement(text).specifier for text in asked)


@pytest.mark.parametrize("name", LOCKS)
def test_every_line_is_a_hashed_version_and_no_address_is_in_it(name: str) -> None:
    """A lock says what, not where from: an index, a mirror or a folder of one machine would travel with it."""
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = [line for line in text.replace("\\\n", " ").splitlines() if not line.lstrip().startswith("#")]

    assert all(
        re.fullmatch(r"[a-z0-9.-]+==\S+ (?:; [^#]+?)?(?: +--hash=sha256:[0-9a-f]{64})+", line)
        for line in lines
    )
    assert len(lines) == len(read_lock(ROOT / name)) > 5
    assert not re.search(r"://|--(?!hash=)|@|\.(?:com|org|net|io|local)\b", text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("anyio==4.16.0\n", "0 hashes"),
        (f"anyio>=4 --hash=sha256:{'0' * 64}\n", "accepted: NAME==VERSION"),
        (
            f"--index-url https://mirror.example/simple\nanyio==4.16.0 --hash=sha256:{'0' * 64}\n",
            "is no requirement",
        ),
        (f"anyio @ https://mirror.example/a.whl --hash=sha256:{'0' * 64}\n", "accepted: NAME==VERSION"),
        (f"anyio==4.16.0 --hash=sha256:{'0' * 63}\n", "accepted: NAME==VERSION"),
    ],
)
def test_what_is_no_lock_is_refused(text: str, said: str, tmp_path: Path) -> None:
    """The tools that read locks say which line is wrong."""
    lock = tmp_path / "x.lock"
    lock.write_text(text)

    with pytest.raises(LockError, match=said):
        read_lock(lock)


def test_who_asks_for_a_package_is_read() -> None:
    """From the comments that the lock has, for the graph of dependencies in the bill of materials."""
    by_name = {one.name: one for one in RUNTIME}

    assert by_name["starlette"].needed_by
    assert "fastapi" in by_name["starlette"].needed_by
    assert not by_name["starlette"].direct
    assert by_name["fastapi"].direct
    assert by_name["anyio"].direct
    assert "mcp" in by_name["anyio"].needed_by
    assert all(one.direct or one.needed_by for one in (*RUNTIME, *BUILD))


def _here() -> dict[str, Any]:
    from packaging.markers import default_environment

    return {**default_environment(), "extra": ""}


def _needs(name: str, version: Version) -> list[str]:
    """What a package needs here, as its installed metadata says it; nothing where another version is installed."""
    try:
        found = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return []
    if Version(found.version) != version:
        return []
    needs = [Requirement(text) for text in found.requires or ()]
    return [str(one) for one in needs if one.marker is None or one.marker.evaluate({"extra": ""})]


def _name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
