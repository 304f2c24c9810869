"""The files by which the embedded engine's process and its users talk."""

import sys
from pathlib import Path

import pytest

from app.adapters.engine.folder import EngineFolder, EngineRecord, write_private


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    folder = EngineFolder(tmp_path)
    record = EngineRecord(pid=12, port=3456, password='a "quoted" word')
    folder.write_record(record)
    assert folder.read_record() == record
    assert [path.name for path in tmp_path.iterdir()] == ["engine.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '{"pid": 1}', '{"pid": "x", "port": 1, "password": "p"}']
)
def test_a_file_that_is_no_record_is_none(tmp_path: Path, text: str) -> None:
    folder = EngineFolder(tmp_path)
    assert folder.read_record() is None
    folder.record.write_text(text, encoding="utf-8")
    assert folder.read_record() is None


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX file modes")
def test_a_private_file_is_private_even_where_an_open_one_was(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o666)
    write_private(path, "new")
    assert path.read_text(encoding="utf-8") == "new"
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_output_tail_is_the_last_lines(tmp_path: Path) -> None:
    folder = EngineFolder(tmp_path)
    assert folder.output_tail(2) == ""
    folder.output.write_text("one\ntwo\nthree\n\n", encoding="utf-8")
    assert folder.output_tail(2) == "  two\n  three"
