"""The sources file: what it may say, and how it says what is wrong."""

from pathlib import Path

import pytest

from app.adapters.sources_file.file import (
    McpEntry,
    OpenApiEntry,
    SourcesFile,
    parse_sources,
    read_sources_file,
)
from app.errors import InvalidInputError

PATH = Path("/etc/outfitter/sources.yaml")


def _parse(text: str) -> SourcesFile:
    return parse_sources(text.encode(), path=PATH)


def test_every_kind_of_source_is_read() -> None:
    """One file holds taxonomies, manifests, OpenAPI, Arazzo and MCP servers."""
    file = _parse(
        """
        sources:
          - {id: design, kind: taxonomy, uri: taxonomy.yaml}
          - {id: orders, kind: manifest, uri: manifests/orders.json, interval: 5m}
          - {id: shop, kind: openapi, uri: "https://example.org/openapi.json", exclude_paths: ["/admin/*"]}
          - {id: returns, kind: arazzo, uri: returns.arazzo.yaml}
          - {id: git, kind: mcp, command: uvx, args: [mcp-server-git], env: {TOKEN: GIT_TOKEN}}
          - {id: remote, kind: mcp, uri: "https://example.org/mcp", headers_env: {Authorization: REMOTE_AUTH}}
        """
    )

    assert file.rejected == {}
    assert [entry.source for entry in file.entries] == [
        "taxonomy:design",
        "manifest:orders",
        "openapi:shop",
        "arazzo:returns",
        "mcp:git",
        "mcp:remote",
    ]
    assert file.entries[1].interval == 300
    assert isinstance(file.entries[2], OpenApiEntry)
    assert not file.entries[2].is_file
    assert isinstance(file.entries[4], McpEntry)
    assert (file.entries[4].args, dict(file.entries[4].env)) == (("mcp-server-git",), {"TOKEN": "GIT_TOKEN"})


def test_paths_are_relative_to_the_file_and_programs_to_the_path() -> None:
    """The file can be moved with what it names; a bare command is looked for where commands are."""
    file = _parse(
        """
        sources:
          - {id: a, kind: taxonomy, uri: ../a.yaml}
          - {id: b, kind: mcp, command: ./server.py}
          - {id: c, kind: mcp, command: npx}
        """
    )
    taxonomy, local, bare = file.entries

    assert file.place(taxonomy) == Path("/etc/outfitter/../a.yaml")  # type: ignore[arg-type]
    assert file.program(local) == "/etc/outfitter/server.py"  # type: ignore[arg-type]
    assert file.program(bare) == "npx"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{kind: mcp, uri: 'https://a/mcp'}", "has no 'id'; accepted: id, kind"),
        ("{id: a}", "has no 'kind'; accepted: taxonomy, manifest, openapi, arazzo, mcp"),
        ("{id: a, kind: mpc}", "kind: 'mpc'; accepted: taxonomy, manifest, openapi, arazzo, mcp"),
        ("{id: a/b, kind: manifest, uri: a.json}", "id: 'a/b' holds '/' or ':'"),
        ("{id: 7, kind: manifest, uri: a.json}", "id: 7 is a number; accepted: text"),
        ("{id: a, kind: manifest, url: a.json}", "unknown field 'url'; accepted: id, kind, interval, uri"),
        ("{id: a, kind: manifest}", "has no 'uri'"),
        ("{id: a, kind: manifest, uri: 'ftp://a/b'}", "uri: 'ftp://a/b'; accepted: http://HOST"),
        ("{id: a, kind: arazzo, uri: 'https://a/b'}", "accepted: a path, relative to the sources file"),
        ("{id: a, kind: openapi, uri: a.yaml, skip_deprecated: 'no'}", "skip_deprecated: 'no' is text"),
        (
            "{id: a, kind: openapi, uri: a.yaml, include_tags: x}",
            "include_tags: 'x' is text; accepted: a list",
        ),
        ("{id: a, kind: manifest, uri: a.json, interval: 0}", "interval: 0; accepted: seconds"),
        ("{id: a, kind: manifest, uri: a.json, interval: 5 weeks}", "interval: '5 weeks'; accepted: seconds"),
        ("{id: a, kind: mcp}", "has neither uri nor command; accepted: one of them"),
        ("{id: a, kind: mcp, uri: 'https://a/mcp', command: b}", "has both uri and command"),
        ("{id: a, kind: mcp, uri: 'https://a/mcp', args: [b]}", "args and env belong to a command"),
        ("{id: a, kind: mcp, command: b, headers_env: {X: Y}}", "headers_env belongs to a uri"),
        (
            "{id: a, kind: mcp, uri: 'https://a/mcp', headers_env: {'X Y': Z}}",
            "'X Y' is not a valid HTTP header name",
        ),
        (
            "{id: a, kind: mcp, uri: 'http://a.example/mcp', headers_env: {X: Y}}",
            "headers_env would be sent to http://a.example/mcp unencrypted; accepted: https, a loopback or private"
            " address, or plain_http: true",
        ),
        ("{id: a, kind: mcp, uri: 'http://a/mcp', headers_env: {X: Y}, plain_http: 1}", "plain_http: 1 is a"),
        ("[a]", "['a'] is a list; accepted: an object with id and kind"),
    ],
)
def test_a_broken_entry_is_rejected_with_its_place_and_what_is_accepted(entry: str, message: str) -> None:
    """Whoever wrote it sees which entry, which field, what was found, and what would do; others stand."""
    file = _parse(f"sources:\n  - {{id: good, kind: taxonomy, uri: a.yaml}}\n  - {entry}\n")

    assert [one.id for one in file.entries] == ["good"]
    ((place, reason),) = file.rejected.items()
    assert place.startswith(f"{PATH}: sources[1]")
    assert message in reason


@pytest.mark.parametrize(
    "entry",
    [
        "{id: a, kind: mcp, command: b, env: {TOKEN: ghp-5up3r/s3cret}}",
        "{id: a, kind: mcp, command: b, env: TOKEN=ghp-5up3r/s3cret}",
        "{id: a, kind: mcp, uri: 'https://a/mcp', headers_env: {Authorization: 'Bearer ghp-5up3r/s3cret'}}",
        "{id: a, kind: mcp, uri: 'https://me:ghp-5up3r@a/mcp'}",
        "{id: a, kind: mcp, uri: 'https://a/mcp', token: ghp-5up3r}",
    ],
)
def test_a_secret_in_the_file_is_refused_without_being_shown(entry: str) -> None:
    """Messages are logged and kept."""
    ((place, reason),) = _parse(f"sources: [{entry}]").rejected.items()

    assert "ghp" not in place + reason


def test_an_id_comes_once() -> None:
    """An id names one server, whatever its kind."""
    file = _parse("sources: [{id: a, kind: manifest, uri: a.json}, {id: a, kind: openapi, uri: a.yaml}]")

    assert [one.source for one in file.entries] == ["manifest:a"]
    (reason,) = file.rejected.values()
    assert "comes twice" in reason


def test_the_ids_of_broken_entries_are_known() -> None:
    """A source whose entry has a typing mistake is still in the file."""
    assert _parse("sources: [{id: a, kind: x}]").broken == {"a"}
    assert _parse("sources: [{id: a, kind: x}, {kind: x}, {id: b, kind: x}]").broken is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "null; accepted: {'sources'"),
        ("sources: {}", "'sources' is an object; accepted"),
        ("sources: []\nservers: []", "unknown field 'servers'; accepted: sources"),
        ("sources: [", "sources.yaml:2:1: not YAML"),
        ("- a", "a list; accepted"),
    ],
)
def test_a_file_that_is_no_list_of_sources_is_refused(text: str, message: str) -> None:
    """With its name and place."""
    with pytest.raises(InvalidInputError) as caught:
        _parse(text)

    assert str(PATH) in str(caught.value)
    assert message in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """By its path."""
    with pytest.raises(InvalidInputError, match=r"none\.yaml: cannot be read: No such file"):
        read_sources_file(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    "entry",
    [
        "{id: a, kind: mcp, uri: 'http://a.example/mcp', headers_env: {X: Y}, plain_http: true}",
        "{id: a, kind: mcp, uri: 'http://a.example/mcp'}",
        "{id: a, kind: mcp, uri: 'http://localhost:1/mcp', headers_env: {X: Y}}",
        "{id: a, kind: mcp, uri: 'http://10.0.0.7/mcp', headers_env: {X: Y}}",
    ],
)
def test_headers_may_go_unencrypted_where_the_file_says_so_or_the_network_is_ones_own(entry: str) -> None:
    assert _parse(f"sources: [{entry}]").rejected == {}
