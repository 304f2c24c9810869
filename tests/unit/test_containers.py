"""docker-compose.yml and the Dockerfile, as far as they can be held without a daemon."""

import copy
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.adapters.access_files.callers import read_callers
from app.adapters.access_files.policies import read_policies
from app.adapters.sources_file.file import read_sources_file
from app.settings import Settings
from tests.neo4j_server import VERSION as TESTED_NEO4J

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def test_the_compose_file_keeps_to_the_compose_specification() -> None:
    """The specification's own JSON schema, as check-jsonschema carries it, accepts the file."""
    assert _schema_accepts(ROOT / "docker-compose.yml")


def test_the_files_of_a_team_are_accepted_as_they_are() -> None:
    """They let nobody in, and nothing of them is refused."""
    folder = ROOT / "examples" / "team"
    over: dict[str, Any] = yaml.safe_load((folder / "compose.yaml").read_text(encoding="utf-8"))
    names = set(over["services"]["outfitter"]["environment"])
    settings = {f"OUTFITTER_{name.upper()}" for name in Settings.model_fields}

    assert _schema_accepts(folder / "compose.yaml")
    assert names <= settings
    assert read_callers(folder / "callers.yaml").entries == ()
    assert read_policies(folder / "policies.yaml").rules
    assert read_sources_file(folder / "sources.yaml").entries == ()


def test_the_schema_refuses_a_misspelt_key(tmp_path: Path) -> None:
    """The test above can fail."""
    broken = copy.deepcopy(COMPOSE)
    broken["services"]["outfitter"]["helthcheck"] = broken["services"]["outfitter"].pop("healthcheck")
    file = tmp_path / "docker-compose.yml"
    file.write_text(yaml.safe_dump(broken), encoding="utf-8")

    assert not _schema_accepts(file)


@pytest.mark.parametrize("service", SERVICES)
def test_every_service_has_a_healthcheck_and_stays_on_this_machine(service: str) -> None:
    """Compose can wait for each service, and no port is open to others."""
    said = SERVICES[service]

    assert said["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert said["ports"]
    assert all(port.startswith("127.0.0.1:") for port in said["ports"])


def test_the_service_waits_for_a_healthy_database() -> None:
    """A started database is not one that answers."""
    assert SERVICES["outfitter"]["depends_on"] == {"neo4j": {"condition": "service_healthy"}}


def test_every_named_volume_is_used_and_declared() -> None:
    """Data outlives a container."""
    used = {mount.split(":")[0] for said in SERVICES.values() for mount in said["volumes"]}

    assert used == set(COMPOSE["volumes"])
    assert any(mount.endswith(":/data") for mount in SERVICES["neo4j"]["volumes"])


def test_secrets_have_no_default() -> None:
    """Compose refuses to start without both secrets, and the example file holds none."""
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    needed = {"NEO4J_PASSWORD", "OUTFITTER_API_TOKEN"}

    interpolated = re.findall(r"\$\{(\w+)(\S?\S?)", text)

    assert {name for name, _ in interpolated} == needed
    assert {operator for _, operator in interpolated} == {":?"}
    assert dict(re.findall(r"^(\w+)=(.*)$", example, re.MULTILINE)) == dict.fromkeys(needed, "")


def test_images_are_pinned_and_the_database_is_the_tested_one() -> None:
    """The same images every time; Neo4j in the version that the tests run on."""
    bases = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)

    assert SERVICES["neo4j"]["image"] == f"neo4j:{TESTED_NEO4J}-community"
    assert bases
    assert len(set(bases)) == 1
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-bookworm(@sha256:[0-9a-f]{64})?", bases[0])


def test_everything_that_the_image_fetches_is_in_a_lock() -> None:
    """Each installation checks hashes, or has no index to ask; both locks reach the daemon."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    installs = re.findall(r"^RUN (.* pip (?:install|wheel) .*)$", text, re.MULTILINE)

    assert len(installs) == 4
    assert all("--require-hashes" in line or "--no-index" in line for line in installs)
    locks = {Path(name).name for name in re.findall(r"--requirement (\S+)", text)}
    assert locks == {"requirements.lock", "requirements-build.lock"}
    assert all(f"!{lock}" in ignored.splitlines() for lock in locks)


def test_the_image_does_not_run_as_root() -> None:
    """The last USER before the entry point is an own user."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")

    assert re.findall(r"^USER (\w+)", text, re.MULTILINE) == ["outfitter"]
    assert text.index("USER outfitter") < text.index("ENTRYPOINT")


def _schema_accepts(file: Path) -> bool:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
