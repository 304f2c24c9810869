"""`make dist`: the same bytes each time, wherever they are built; a bill of materials that is one; checksums."""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tools.lock import read_lock
from tools.release import CHECKSUMS, commit_time, release

ROOT = Path(__file__).resolve().parents[2]
MADE_AT = 1_790_000_000
BUILT = (
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "requirements.lock",
    "app",
    "ingest",
    "bench",
    "cypher",
    "examples",
)

# One worker builds once for all of these.
pytestmark = [pytest.mark.xdist_group("release"), pytest.mark.timeout(300)]


def copied(folder: Path) -> Path:
    """What a release is built from, with other times and modes than the files here."""
    folder.mkdir()
    for name in BUILT:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    for file in folder.rglob("*"):
        os.utime(file, (1_000_000_000, 1_000_000_000))
        file.chmod(0o700 if file.is_dir() else 0o600)
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A release of a copy of this repository."""
    folder = tmp_path_factory.mktemp("release")
    return release(copied(folder / "source"), folder / "dist", made_at=MADE_AT)


@pytest.fixture(scope="module")
def bill(made: list[Path]) -> dict[str, Any]:
    (path,) = (path for path in made if path.name.endswith(".cdx.json"))
    return dict(json.loads(path.read_text(encoding="utf-8")))


def test_a_second_build_elsewhere_has_the_same_bytes(made: list[Path], tmp_path: Path) -> None:
    """Neither folder nor times, modes or the umask of who builds are in it: anybody can check a release."""
    before = os.umask(0o077)
    try:
        again = release(copied(tmp_path / "elsewhere"), tmp_path / "out", made_at=MADE_AT)
    finally:
        os.umask(before)

    assert [path.name for path in again] == [path.name for path in made]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in made]


def test_the_checksums_are_those_of_all_other_files(made: list[Path]) -> None:
    """In the form that `sha256sum --check` reads."""
    (sums,) = (path for path in made if path.name == CHECKSUMS)
    said = {name: digest for digest, name in (line.split("  ") for line in sums.read_text().splitlines())}

    assert said == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in made if path.name != CHECKSUMS
    }
    assert {name.rpartition(".")[2] for name in said} == {"whl", "gz", "json"}


def test_what_makes_a_release_is_not_in_the_wheel(made: list[Path]) -> None:
    """Tools and tests stay in the repository; the source archive has what the wheel is built from."""
    (wheel,) = (path for path in made if path.suffix == ".whl")
    (archive,) = (path for path in made if path.suffix == ".gz")

    names = zipfile.ZipFile(wheel).namelist()
    with tarfile.open(archive) as opened:
        sources = opened.getnames()

    assert not [name for name in names if name.startswith(("tools/", "tests/"))]
    assert any(name.endswith("/app/commands/main.py") for name in sources)


def test_the_bill_of_materials_keeps_to_its_schema(made: list[Path]) -> None:
    """CycloneDX's own schema, strict, as the library carries it; the test can fail."""
    (path,) = (path for path in made if path.name.endswith(".cdx.json"))
    validator = JsonStrictValidator(SchemaVersion.V1_6)

    assert validator.validate_str(path.read_text(encoding="utf-8")) is None
    assert (
        validator.validate_str('{"bomFormat": "CycloneDX", "specVersion": "1.6", "version": "1"}') is not None
    )


def test_the_bill_names_what_the_lock_installs(bill: dict[str, Any]) -> None:
    """Every package with version and hashes, and nothing else; each is reached from Outfitter."""
    locked = {one.purl: one for one in read_lock(ROOT / "requirements.lock")}
    components = {one["purl"]: one for one in bill["components"]}
    asks = {one["ref"]: one.get("dependsOn", []) for one in bill["dependencies"]}

    assert components.keys() == locked.keys()
    for purl, one in components.items():
        (files,) = one["externalReferences"]
        assert sorted(file["content"] for file in files["hashes"]) == sorted(locked[purl].hashes)
    reached, waiting = set[str](), ["outfitter"]
    while waiting:
        reached |= {at := waiting.pop()}
        waiting += [one for one in asks[at] if one not in reached]
    assert reached == {"outfitter", *components}
    assert bill["metadata"]["component"]["name"] == "outfitter"
    assert bill["metadata"]["timestamp"].startswith("2026-09-21")


def test_a_release_is_dated_by_its_last_commit(tmp_path: Path) -> None:
    """So that it can be built again from the commit; without git it has a fixed date."""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    assert commit_time(tmp_path) == 1_580_601_600
    environment = {**os.environ, "GIT_COMMITTER_DATE": "1700000000 +0000"}
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run([*git, *words], env=environment, check=True)

    assert commit_time(tmp_path) == 1_700_000_000
