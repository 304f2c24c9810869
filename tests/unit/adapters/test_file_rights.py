"""A sources file names commands to run: one that everybody may write is not read."""

import os
import sys
from pathlib import Path

import pytest

from app.adapters.sources_file.file import read_sources_file
from app.errors import InvalidInputError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX file modes")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o755)
    path = folder / "sources.yaml"
    path.write_text("sources: [{id: a, kind: mcp, command: a}]")
    path.chmod(0o644)
    return path


def test_a_file_that_its_owner_and_group_may_write_is_read(file: Path) -> None:
    """As with the engine's data folder, a group is the owner's to choose."""
    file.chmod(0o664)
    file.parent.chmod(0o775)

    assert len(read_sources_file(file).entries) == 1


def test_a_file_that_everybody_may_write_is_refused(file: Path) -> None:
    file.chmod(0o646)

    with pytest.raises(InvalidInputError, match=r"sources\.yaml may be written by every user.*chmod o-w"):
        read_sources_file(file)


def test_a_file_that_everybody_may_replace_is_refused(file: Path) -> None:
    """By its folder, or the one in which a link to it lies."""
    file.parent.chmod(0o777)

    with pytest.raises(InvalidInputError, match=r"put another file in its place: .*/folder \(chmod o-w\)"):
        read_sources_file(file)

    file.parent.chmod(0o755)
    links = file.parent.parent / "links"
    links.mkdir()
    links.chmod(0o777)
    (links / "sources.yaml").symlink_to(file)
    with pytest.raises(InvalidInputError, match=r"put another file in its place: .*/links \(chmod o-w\)"):
        read_sources_file(links / "sources.yaml")


def test_in_a_folder_like_tmp_the_file_must_be_ones_own(file: Path) -> None:
    """The sticky bit keeps others from replacing it, not from having put it there first."""
    file.parent.chmod(0o1777)
    assert len(read_sources_file(file).entries) == 1

    if os.geteuid() == 0:
        os.chown(file, 4711, 4711)
        with pytest.raises(InvalidInputError, match="belongs to another user"):
            read_sources_file(file)


def test_a_file_with_too_much_in_it_is_refused(file: Path) -> None:
    file.write_bytes(b"#" * 4_000_001)

    with pytest.raises(InvalidInputError, match="4,000,001 bytes; accepted: up to 4,000,000"):
        read_sources_file(file)
