"""GET /v1/sources/{id}/changes."""

from pathlib import Path

from tests.fakes import InMemoryGraph
from tests.ingest_cases import ingest, manifest, tool
from tests.service import client


def test_changes_are_paged_newest_first(tmp_path: Path) -> None:
    """A cursor stays good while new ones come."""
    graph = InMemoryGraph()
    for names in ("a", "ab", "abc"):
        bank = manifest(tmp_path, "bank", *(tool(name) for name in names))
        ingest(graph, bank)
    with client(graph) as service:
        first = service.get("/v1/sources/manifest%3Abank/changes", params={"limit": 2}).json()
        ingest(graph, manifest(tmp_path, "bank", *(tool(name) for name in "abcd")))
        second = service.get(
            "/v1/sources/manifest:bank/changes", params={"limit": 2, "cursor": first["next_cursor"]}
        ).json()

    assert [one["number"] for one in first["changes"]] == [3, 2]
    assert [one["number"] for one in second["changes"]] == [1]
    assert second["next_cursor"] is None
    assert first["changes"][0]["tools"] == [
        {"id": "bank/c", "change": "created", "severity": "compatible", "reasons": [], "former_id": ""}
    ]


def test_a_sick_source_is_told(tmp_path: Path) -> None:
    """In the list of sources and beside its changes."""
    graph = InMemoryGraph()
    bank = manifest(tmp_path, "bank", tool("a"))
    ingest(graph, bank)
    bank.path.write_text("{")
    ingest(graph, bank)
    with client(graph) as service:
        (source,) = service.get("/v1/sources").json()["sources"]
        changes = service.get("/v1/sources/manifest:bank/changes").json()

    assert (source["healthy"], changes["healthy"]) == (False, False)
    assert source["problem"] == changes["problem"] == changes["changes"][0]["problem"]
    assert source["problem_at"]


def test_an_unknown_source_and_a_bad_cursor_are_told() -> None:
    """404 and 422."""
    with client(InMemoryGraph(), ready=False) as service:
        assert service.get("/v1/sources/mcp:none/changes").status_code == 404
        assert service.get("/v1/sources/mcp:none/changes", params={"cursor": "x"}).status_code == 422
        assert service.get("/v1/sources/mcp:none/changes", params={"limit": 101}).status_code == 422
