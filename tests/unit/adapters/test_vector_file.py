"""Vectors that outlive the process, in a file of the owner's."""

import logging
import os
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.adapters.encoders.vector_file import VectorFile


def test_what_is_kept_is_read_by_another_process_of_the_same_model(tmp_path: Path) -> None:
    """And by no other model."""
    path = tmp_path / "new" / "vectors.sqlite"
    VectorFile(path).keep("a", {b"1": b"one", b"2": b"two"})

    assert VectorFile(path).read("a", [b"1", b"3"]) == {b"1": b"one"}
    assert VectorFile(path).read("b", [b"1"]) == {}


@pytest.mark.skipif(os.name != "posix", reason="rights of files")
def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    VectorFile(path).keep("a", {b"1": b"one"})

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_first_kept_go_first(tmp_path: Path) -> None:
    """What is kept is bounded."""
    file = VectorFile(tmp_path / "vectors.sqlite", most=3)
    for at in range(5):
        file.keep("a", {bytes([at]): b"x"})

    assert sorted(file.read("a", [bytes([at]) for at in range(5)])) == [b"\x02", b"\x03", b"\x04"]


def test_more_keys_than_one_statement_takes(tmp_path: Path) -> None:
    file = VectorFile(tmp_path / "vectors.sqlite")
    many = {at.to_bytes(4, "big"): b"x" for at in range(2_345)}
    file.keep("a", many)

    assert file.read("a", list(many)) == many


def test_threads_and_processes_share_a_file(tmp_path: Path) -> None:
    """Each opens it for itself; nothing is lost."""
    path = tmp_path / "vectors.sqlite"

    def keep(at: int) -> None:
        VectorFile(path).keep("a", {bytes([at]): bytes([at])})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(keep, range(24)))

    assert len(VectorFile(path).read("a", [bytes([at]) for at in range(24)])) == 24


def test_a_file_that_is_none_is_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Texts are encoded again then."""
    path = tmp_path / "vectors.sqlite"
    path.write_text("no database, " * 100)
    file = VectorFile(path)

    with caplog.at_level(logging.WARNING):
        file.keep("a", {b"1": b"one"})
        assert file.read("a", [b"1"]) == {}

    assert "kept vectors" in caplog.text
    with pytest.raises(sqlite3.DatabaseError):
        sqlite3.connect(path).execute("SELECT * FROM vectors")
