"""The token of loopback, where nothing else says who may ask."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.api.access import Policy
from app.commands.main import app
from app.errors import ServeRefusedError
from app.roots.callers import with_local_token
from app.roots.http import policy_of
from app.settings import Settings
from tests.fakes import InMemoryGraph
from tests.service import client

OWN = "a-token-of-its-own-of-thirty"


def local(folder: Path, **others: object) -> Settings:
    """Of a service that makes its own token."""
    return Settings.model_validate({"data_dir": folder, "local_token": True, **others})


def policy(settings: Settings) -> Policy:
    """Who may ask a service that starts with these."""
    return policy_of(with_local_token(settings))


def test_it_is_made_once_and_kept_where_nobody_else_reads_it(tmp_path: Path) -> None:
    """In a folder that is not there yet, too; nothing else lies beside it."""
    folder = tmp_path / "data"

    first, second = policy(local(folder)).token, policy(local(folder)).token

    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert first == second == file.read_text().strip()
    assert first != policy(local(tmp_path / "other")).token


def test_processes_that_start_at_once_get_the_same(tmp_path: Path) -> None:
    """As the workers of one service do."""
    with ThreadPoolExecutor(8) as starts:
        tokens = set(starts.map(lambda _: policy(local(tmp_path)).token, range(8)))

    assert len(tokens) == len(list(tmp_path.iterdir())) == 1


def test_with_it_one_may_ask_and_without_it_not(tmp_path: Path) -> None:
    """The one that `outfitter token local` prints."""
    token = policy(local(tmp_path)).token
    printed = CliRunner().invoke(app, ["token", "local", "--data-dir", str(tmp_path)]).stdout.strip()

    with client(InMemoryGraph(), token=token) as service:
        without = service.get("/v1/tools")
        given = service.get("/v1/tools", headers={"Authorization": f"Bearer {printed}"})

    assert (without.status_code, given.status_code) == (401, 200)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o602])
def test_a_file_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    """At the start, and by the command: the message says what to do, and not what the token is."""
    token = policy(local(tmp_path)).token or ""
    (tmp_path / "local_token").chmod(mode)

    with pytest.raises(ServeRefusedError, match="mode 0600") as refused:
        policy(local(tmp_path))
    printed = CliRunner().invoke(app, ["token", "local", "--data-dir", str(tmp_path)])

    assert printed.exit_code == 2
    assert token not in f"{refused.value}{printed.output}"


def test_a_link_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    """A link leads to where others may write; a file that is empty would let everybody in."""
    linked, empty = tmp_path / "linked", tmp_path / "empty"
    policy(local(tmp_path))
    for folder in (linked, empty):
        folder.mkdir()
    (linked / "local_token").symlink_to(tmp_path / "local_token")
    os.close(os.open(empty / "local_token", os.O_CREAT, 0o600))

    for folder in (linked, empty):
        with pytest.raises(ServeRefusedError, match="OUTFITTER_LOCAL_TOKEN"):
            policy(local(folder))


def test_it_is_off_unless_it_is_asked_for(tmp_path: Path) -> None:
    assert policy(Settings(data_dir=tmp_path)).is_open
    assert not list(tmp_path.iterdir())


def test_it_gives_way_to_whatever_says_who_may_ask(tmp_path: Path) -> None:
    """A token, callers, an issuer; and an address that others reach needs one of those."""
    assert policy(local(tmp_path, api_token=OWN)).token == OWN
    for others in ({"callers": tmp_path / "callers.yaml"}, {"oidc_issuer": "https://login.example.com"}):
        assert with_local_token(local(tmp_path, **others)).api_token is None
    with pytest.raises(ServeRefusedError, match="can be reached by others"):
        policy(local(tmp_path, host="0.0.0.0"))
    assert not list(tmp_path.iterdir())


def test_calls_may_be_passed_on_with_it(tmp_path: Path) -> None:
    """Calls take somebody who is identified, on loopback too."""
    sources = tmp_path / "sources.yaml"
    sources.write_text("sources: []")

    assert policy(local(tmp_path, proxy=True, sources=sources)).token


def test_the_command_says_that_there_is_none(tmp_path: Path) -> None:
    printed = CliRunner().invoke(app, ["token", "local", "--data-dir", str(tmp_path)])

    assert printed.exit_code == 2
    assert "OUTFITTER_LOCAL_TOKEN" in printed.output
