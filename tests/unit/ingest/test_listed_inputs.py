"""What the entries of a sources file are to ingest."""

import re
from pathlib import Path

import pytest

from app.adapters.sources_file.file import parse_sources, read_sources_file
from app.errors import InvalidInputError
from ingest.sources.listed_inputs import listed_inputs

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "sources.yaml"
FILE = parse_sources(
    b"""
    sources:
      - {id: wants, kind: taxonomy, uri: wants.yaml}
      - {id: shop, kind: openapi, uri: "https://example.org/v1/openapi.json?key=1", skip_deprecated: true}
      - {id: git, kind: mcp, command: ./serve.py, args: [--fast], env: {TOKEN: GIT_TOKEN}}
      - {id: far, kind: mcp, uri: "https://example.org/mcp", headers_env: {Authorization: FAR_AUTH}}
      - {id: typo, kind: mcpp}
    """,
    path=Path("/etc/outfitter/sources.yaml"),
)
ENVIRON = {"GIT_TOKEN": "g1t-s3cret", "FAR_AUTH": "Bearer s3cret"}


def test_every_kind_becomes_an_input() -> None:
    """Files below the file's folder, addresses, and servers with their secrets covered."""
    found = listed_inputs(FILE, environ=ENVIRON)

    assert {one: given.source for one, given in found.inputs.items()} == {
        "wants": "taxonomy:wants",
        "shop": "openapi:shop",
        "git": "mcp:git",
        "far": "mcp:far",
    }
    assert found.inputs["wants"].path == Path("/etc/outfitter/wants.yaml")
    assert found.inputs["shop"].selection.skip_deprecated
    git, far = found.inputs["git"].endpoint, found.inputs["far"].endpoint
    assert git
    assert far
    assert git.command == ("/etc/outfitter/serve.py", "--fast")
    assert far.headers[0][1].get_secret_value() == "Bearer s3cret"
    assert "s3cret" not in repr(found)
    assert {given.listed_in for given in found.inputs.values()} == {"file:///etc/outfitter/sources.yaml"}
    assert [*found.refused] == ["/etc/outfitter/sources.yaml: sources[4] ('typo')"]


def test_a_variable_that_is_not_set_costs_its_source_alone() -> None:
    """And is named."""
    found = listed_inputs(FILE, environ={"GIT_TOKEN": "g1t-s3cret"})

    assert [*found.inputs] == ["wants", "shop", "git"]
    (far,) = found.unusable
    assert (far.source, far.listed_in) == ("mcp:far", FILE.uri)
    assert "FAR_AUTH is not set" in far.problem


def test_only_some_are_taken() -> None:
    """By id; an id that nobody has is a mistake, and a broken entry is told when it is asked for."""
    assert [*listed_inputs(FILE, environ=ENVIRON, only=["git"]).inputs] == ["git"]
    assert listed_inputs(FILE, environ=ENVIRON, only=["git"]).refused == {}
    assert len(listed_inputs(FILE, environ=ENVIRON, only=["typo"]).refused) == 1
    with pytest.raises(InvalidInputError, match="no source 'gti'; known: git"):
        listed_inputs(FILE, environ=ENVIRON, only=["gti"])


def test_the_example_is_read_with_what_stands_in_its_comments(tmp_path: Path) -> None:
    """What somebody uncomments must work."""
    text = EXAMPLE.read_text(encoding="utf-8")
    lines = text.splitlines()
    begin = lines.index("  # - id: git")
    whole = "\n".join([*lines[:begin], *(re.sub("^  # ?", "  ", line) for line in lines[begin:])])
    (tmp_path / "sources.yaml").write_text(whole, encoding="utf-8")

    file = read_sources_file(tmp_path / "sources.yaml")

    assert file.rejected == {}
    assert [entry.id for entry in file.entries][-3:] == ["shop-api", "git", "tickets"]
    assert file.entries[-1].interval == 300
    assert [entry.id for entry in read_sources_file(EXAMPLE).entries] == [entry.id for entry in file.entries][
        :-2
    ]
