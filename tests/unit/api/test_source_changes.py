"""GET /v1/sources/{id}/changes."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

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


def _history(tmp_path: Path) -> InMemoryGraph:
    """Two sources, three syncs of one and one of the other, at times of their own."""
    graph = InMemoryGraph()
    ingest(graph, manifest(tmp_path, "bank", tool("pay"), tool("look"), tool("list")))
    ingest(graph, manifest(tmp_path, "post", tool("send")))
    ingest(graph, manifest(tmp_path, "bank", tool("pay", "Pays more."), tool("look"), tool("list")))
    ingest(graph, manifest(tmp_path, "bank", tool("look"), tool("list")))
    moments = {
        ("manifest:bank", 1): 1,
        ("manifest:post", 1): 2,
        ("manifest:bank", 2): 3,
        ("manifest:bank", 3): 4,
    }
    graph.records = {
        place: one.model_copy(update={"at": f"2026-03-0{moments[one.source, one.number]}T00:00:00Z"})
        for place, one in graph.records.items()
    }
    return graph


def _listed(service: TestClient, **params: object) -> list[tuple[str, int]]:
    answer = service.get("/v1/changes", params={name: str(value) for name, value in params.items()})
    assert answer.status_code == 200, answer.text
    return [(one["source"], one["number"]) for one in answer.json()["changes"]]


def test_changes_of_all_sources_are_listed_newest_first(tmp_path: Path) -> None:
    """By severity, from a day on, page by page."""
    with client(_history(tmp_path)) as service:
        whole = _listed(service)
        paged, cursor = [], ""
        while cursor is not None:
            page = service.get(
                "/v1/changes", params={"limit": 3, **({"cursor": cursor} if cursor else {})}
            ).json()
            paged += [(one["source"], one["number"]) for one in page["changes"]]
            cursor = page["next_cursor"]
        breaking = _listed(service, severity="breaking")
        texts = _listed(service, severity="description, failed")
        late = _listed(service, since="2026-03-03")
        later = _listed(service, since="2026-03-03T00:30:00+01:00", limit=1)

    assert (
        whole
        == paged
        == [
            ("manifest:bank", 3),
            ("manifest:bank", 2),
            ("manifest:post", 1),
            ("manifest:bank", 1),
        ]
    )
    assert breaking == [("manifest:bank", 3)]
    assert texts == [("manifest:bank", 2)]
    assert late == whole[:2]
    assert later == whole[:1]


def test_changes_of_a_tool_are_what_became_of_it_alone(tmp_path: Path) -> None:
    """Also of one that is gone; its severity is its own."""
    with client(_history(tmp_path)) as service:
        answer = service.get("/v1/changes", params={"tool": "bank/pay"}).json()
        breaking = _listed(service, tool="bank/pay", severity="breaking")
        nobody = service.get("/v1/changes", params={"tool": "bank/none"}).json()
        there = service.get("/v1/changes", params={"tool": "bank/look"}).json()

    assert [[one["change"] for one in record["tools"]] for record in answer["changes"]] == [
        ["removed"],
        ["updated"],
        ["created"],
    ]
    assert [record["severity"] for record in answer["changes"]] == ["breaking", "description", "compatible"]
    assert breaking == [("manifest:bank", 3)]
    assert (answer["definition"], nobody["changes"], nobody["definition"]) == (None, [], None)
    assert (there["definition"]["id"], there["definition"]["confirmed"]) == ("bank/look", None)


def test_a_renamed_tool_keeps_its_changes(tmp_path: Path) -> None:
    """Under its new id stands what became of the former one."""
    graph = InMemoryGraph()
    ingest(graph, manifest(tmp_path, "bank", tool("pay", "Pays a bill to somebody."), tool("look")))
    ingest(graph, manifest(tmp_path, "bank", tool("settle", "Pays a bill to somebody."), tool("look")))
    with client(graph) as service:
        found = service.get("/v1/changes", params={"tool": "bank/settle"}).json()["changes"]
        card = service.get("/v1/tools/bank/settle").json()

    assert card["former_ids"] == ["bank/pay"]
    assert sorted(one["change"] for record in found for one in record["tools"]) == ["created", "renamed"]


def test_a_definition_that_waits_is_given_beside_the_one_that_was_trusted(tmp_path: Path) -> None:
    """Old and new of what decides over calls: that is what the graph keeps."""
    graph = InMemoryGraph()
    writes = {**tool("pay"), "annotations": {"readOnlyHint": False}}
    ingest(graph, manifest(tmp_path, "bank", writes))
    ingest(graph, manifest(tmp_path, "bank", {**writes, "annotations": {"readOnlyHint": True}}))
    with client(graph) as service:
        found = service.get("/v1/changes", params={"tool": "bank/pay"}).json()["definition"]

    assert (found["confirmed"]["read_only"], found["now"]["read_only"]) == (False, True)


@pytest.mark.parametrize(
    "query",
    [
        *("severity=", "severity=grave", "since=yesterday", "since=0001-01-01T00:00%2B14:00", "limit=101"),
        *("cursor=_w", "cursor=x", f"tool={'a' * 601}"),
    ],
)
def test_a_wrong_page_of_all_changes_is_refused(query: str) -> None:
    """422 names the value."""
    with client(InMemoryGraph(), ready=False) as service:
        assert service.get(f"/v1/changes?{query}").status_code == 422
