"""The wheel, and the image's own steps that install it: everything is inside, and it runs from there."""

import json
import re
import signal
import subprocess
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.dockerfile import Stage, build
from tests.ports import free_ports

ROOT = Path(__file__).resolve().parents[2]
UP_S = 60.0

# One worker builds and installs once for all of these.
pytestmark = [pytest.mark.xdist_group("wheel"), pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """The last stage of the Dockerfile: the wheel in an environment that has nothing else."""
    return build(ROOT / "Dockerfile", tmp_path_factory.mktemp("image"))


def test_the_wheel_holds_every_statement_saved_query_and_example(image: Stage) -> None:
    """What is read at run time travels with the code."""
    (wheel,) = (image.root / "wheels").glob("outfitter-*.whl")
    data = [
        file.relative_to(ROOT).as_posix()
        for folder in ("cypher", "examples", "app/web/static", "app/web/templates")
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    ]

    inside = set(zipfile.ZipFile(wheel).namelist())

    assert [name for name in data if name not in inside] == []
    assert sum(name.endswith(".cypher") for name in data) > 20
    assert "cypher/browser/outfitter.grass" in inside
    assert "app/web/templates/states/starting.html" in inside
    assert "cypher/read/answer/find_auto_scores.cypher" in inside
    assert not any(name.startswith(("tests/", "docs/", "tools/")) for name in inside)


def test_the_wheel_says_its_licence_and_needs_no_torch(image: Stage) -> None:
    """The licence text is inside, and nobody downloads gigabytes."""
    (wheel,) = (image.root / "wheels").glob("outfitter-*.whl")
    packages = [path.name.lower() for path in image.root.glob("opt/outfitter/lib/python*/site-packages/*")]

    names = zipfile.ZipFile(wheel).namelist()

    assert any(re.fullmatch(r"outfitter-.*\.dist-info/licenses/LICENSE", name) for name in names)
    assert any(name.startswith("neo4j") for name in packages)
    assert not any(name.startswith("torch") for name in packages)


def test_the_entry_point_is_the_command(image: Stage, tmp_path: Path) -> None:
    """The image starts `outfitter`, and that is this version."""
    said = _outfitter(image, "--version", cwd=tmp_path)

    assert json.loads(image.single["ENTRYPOINT"]) == ["outfitter"]
    assert said.strip() == f"outfitter {_version()}"


def test_the_demo_runs_from_the_wheel_in_an_empty_folder(image: Stage, tmp_path: Path) -> None:
    """All questions are answered with tools of the example, and the folder stays empty."""
    here = tmp_path / "empty"
    here.mkdir()
    questions = json.loads((ROOT / "examples" / "questions.json").read_text(encoding="utf-8"))

    said = " ".join(_outfitter(image, "demo", cwd=here, COLUMNS="200").split())

    assert [question for question in questions if question not in said] == []
    assert "track_parcel" in said
    assert "refund_payment" in said
    assert list(here.iterdir()) == []


def test_the_image_s_command_gets_healthy(image: Stage, tmp_path: Path) -> None:
    """`serve` with the image's environment answers the image's own health check, which fails before."""
    (port,) = free_ports(1)
    check = image.single["HEALTHCHECK"].partition("CMD ")[2].replace(":8000/", f":{port}/")
    command = [*json.loads(image.single["ENTRYPOINT"]), *json.loads(image.single["CMD"])]
    environment = {
        **image.environment(),
        "OUTFITTER_PORT": str(port),
        "OUTFITTER_API_TOKEN": "for-this-test-and-no-other",
        "HOME": str(tmp_path),
    }

    assert _healthy(check, environment) is False
    with _running(command, environment, tmp_path) as service:
        deadline = time.monotonic() + UP_S
        while not _healthy(check, environment):
            assert service.poll() is None, f"serve ended with {service.returncode}"
            assert time.monotonic() < deadline, f"not healthy after {UP_S} s"
            time.sleep(0.2)
        service.send_signal(signal.SIGTERM)

        assert service.wait(timeout=UP_S) == 0


def _outfitter(image: Stage, *arguments: str, cwd: Path, **more: str) -> str:
    done = subprocess.run(
        ["outfitter", *arguments],
        cwd=cwd,
        env={**image.environment(), "HOME": str(cwd.parent), **more},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _version() -> str:
    (found,) = re.findall(r'(?m)^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(found)


def _healthy(check: str, environment: dict[str, str]) -> bool:
    return not subprocess.run(json.loads(check), env=environment, capture_output=True, check=False).returncode


@contextmanager
def _running(
    command: list[str], environment: dict[str, str], cwd: Path
) -> Iterator["subprocess.Popen[bytes]"]:
    with (cwd / "serve.log").open("wb") as log:
        service = subprocess.Popen(command, cwd=cwd, env=environment, stdout=log, stderr=log)
    try:
        yield service
    finally:
        if service.poll() is None:
            service.kill()
            service.wait()
