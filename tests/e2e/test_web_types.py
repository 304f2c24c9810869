"""The scripts of the pages under TypeScript's checker: types stand in their comments, which are not sent."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.web.static_files import FOLDER
from tests.node import type_checker
from tests.prepared import MissingError

PROJECT = Path(__file__).resolve().parents[2] / "tsconfig.json"
SCRIPTS = sorted(FOLDER.glob("*.js"))

pytestmark = [pytest.mark.xdist_group("web-types"), pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def checker() -> list[str]:
    """The checker's command; without it the tests are skipped, and fail where CI is set."""
    try:
        return type_checker()
    except MissingError as problem:
        if os.environ.get("CI"):
            pytest.fail(f"{problem} (CI is set: types must not be left out)")
        pytest.skip(str(problem))


def _checked(checker: Sequence[str], project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*checker, "--project", str(project), "--pretty", "false", *options],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_scripts_have_no_finding(checker: list[str]) -> None:
    """All of them are looked at, and none silences the checker."""
    done = _checked(checker, PROJECT, "--listFiles")

    assert done.returncode == 0, done.stdout
    looked_at = {Path(line).name for line in done.stdout.splitlines()}
    assert looked_at >= {script.name for script in SCRIPTS}
    assert not [script.name for script in SCRIPTS if "@ts-" in script.read_text(encoding="utf-8")]


def test_the_checker_finds_what_may_be_missing_and_what_has_no_type(
    checker: list[str], tmp_path: Path
) -> None:
    """With the same options: what finds nothing may look at nothing."""
    tmp_path.joinpath("page.js").write_text(
        "export const hide = (id) => {\n  document.getElementById(id).hidden = true;\n};\n", encoding="utf-8"
    )
    project = tmp_path / "tsconfig.json"
    project.write_text(json.dumps({"extends": str(PROJECT), "include": ["*.js"]}), encoding="utf-8")
    done = _checked(checker, project)

    assert done.returncode != 0
    findings = [line.partition(": error ")[2][:7] for line in done.stdout.splitlines()]
    assert findings == ["TS7006:", "TS2531:"]
