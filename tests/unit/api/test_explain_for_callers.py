"""POST /v1/explain with `as`: operators learn what keeps a tool from a caller, and nobody else does."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.domain.access.callers import CallerEntry, CallerList, CallerScope, digest_of
from app.domain.access.rules import Act, Rule, RuleBook
from app.domain.nodes.models import Trust
from tests.fakes import InMemoryGraph
from tests.hidden import ADMIN_TOKEN, TOKEN, caller_list
from tests.ingest_cases import ingest, manifest, tool
from tests.service import client, wait_until
from tests.unit.api.test_closed_plans import failing

STAFF = frozenset({"staff"})
RULES = (
    Rule("staff-finds", STAFF, may=frozenset({Act.CALL}), sources=("manifest:orders", "manifest:away")),
    Rule("no-exports", frozenset({"caller:bot"}), deny=frozenset({Act.FIND}), tools=("*/export_*",)),
)
SEEN, DENIED, UNGRANTED = "orders/get_order", "orders/export_orders", "vault/open_vault"
WAITING, DOWN, NONE = "fresh/greet", "away/wave", "orders/get_ordre"
WRITER = CallerEntry("writer", digest_of("oft_w"), STAFF, frozenset({CallerScope.WORKFLOWS}))


def everybody() -> CallerList:
    return CallerList.of([*caller_list().entries, WRITER])


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    graph, folder = InMemoryGraph(), tmp_path_factory.mktemp("sources")
    ingest(
        graph,
        manifest(folder, "orders", tool("get_order"), tool("export_orders")),
        manifest(folder, "vault", tool("open_vault")),
        replace(manifest(folder, "fresh", tool("greet")), trust=Trust.REVIEW),
        manifest(folder, "away", tool("wave")),
    )
    failing(graph, "away", datetime.now(UTC) - timedelta(hours=1))
    with client(graph, callers=everybody, rules=lambda: RuleBook(RULES)) as found:
        wait_until(lambda: explained(found, TOKEN, SEEN).status_code == 200)
        yield found


def explained(opened: TestClient, token: str, *tools: str, **more: Any) -> Any:
    body = {"query": "the order", "tools": tools, **more}
    return opened.post("/v1/explain", json=body, headers={"Authorization": f"Bearer {token}"})


def withheld(opened: TestClient, *tools: str) -> list[Any]:
    answer = explained(opened, ADMIN_TOKEN, *tools, **{"as": "bot"})
    assert answer.status_code == 200, answer.text
    return [one.get("withheld") for one in answer.json()["tools"]]


def test_an_operator_learns_what_keeps_a_tool_from_a_caller(opened: TestClient) -> None:
    """A rule that denies, none that grants, its review, or an outage; nothing of what is there or never was."""
    denied, ungranted, waiting, down, seen, none = withheld(
        opened, DENIED, UNGRANTED, WAITING, DOWN, SEEN, NONE
    )

    assert (denied["by"], denied["rule"]) == ("rule", "no-exports")
    assert (ungranted["by"], "rule" in ungranted) == ("rule", False)
    assert (waiting["by"], waiting["state"]) == ("review", "pending")
    assert down["by"] == "outage"
    assert seen is none is None


def test_a_group_is_answered_for_as_whoever_is_in_it_alone(opened: TestClient) -> None:
    """A rule about a caller of the group is not about its others."""
    found = explained(opened, ADMIN_TOKEN, DENIED, UNGRANTED, **{"as": "group:staff"}).json()["tools"]

    assert "withheld" not in found[0]
    assert found[1]["withheld"]["by"] == "rule"


def test_the_rest_is_what_the_caller_is_answered(opened: TestClient) -> None:
    own = explained(opened, TOKEN, SEEN, DENIED).json()
    other = explained(opened, ADMIN_TOKEN, SEEN, DENIED, **{"as": "bot"}).json()

    del other["tools"][1]["withheld"], own["took_ms"], other["took_ms"]
    assert other == own


def test_who_administers_nothing_names_nobody(opened: TestClient) -> None:
    """Not themselves either; whether there is such a caller is not said."""
    answers = [explained(opened, TOKEN, DENIED, **{"as": name}) for name in ("bot", "admin", "nobody")]

    assert [one.status_code for one in answers] == [403] * 3
    assert len({one.json()["detail"] for one in answers}) == 1


@pytest.mark.parametrize("tool_id", [DENIED, UNGRANTED, WAITING, DOWN])
def test_callers_get_the_bytes_of_an_unknown_tool(opened: TestClient, tool_id: str) -> None:
    """Of a tool that is down those of any other: nothing of it is withheld from them."""
    text = explained(opened, TOKEN, tool_id).text

    assert "withheld" not in text
    if tool_id != DOWN:
        (found,) = explained(opened, TOKEN, tool_id).json()["tools"]
        (unknown,) = explained(opened, TOKEN, f"{tool_id}_zq").json()["tools"]
        found, unknown = ({**one, "id": "", "near": ()} for one in (found, unknown))
        assert found == unknown


@pytest.mark.parametrize(
    ("name", "said"),
    [("nobody", "no caller 'nobody'"), ("writer", "tools:find"), ("group:none", "no group 'none'")],
)
def test_only_a_caller_who_may_find_is_answered_for(opened: TestClient, name: str, said: str) -> None:
    answer = explained(opened, ADMIN_TOKEN, SEEN, **{"as": name})

    assert answer.status_code == 422
    assert said in answer.json()["detail"]


def test_where_nobody_but_the_operator_asks_nobody_is_named(tmp_path: Path) -> None:
    graph = InMemoryGraph()
    ingest(graph, manifest(tmp_path, "orders", tool("get_order")))
    with client(graph) as alone:
        answer = alone.post("/v1/explain", json={"query": "order", "tools": [SEEN], "as": "bot"})

    assert answer.status_code == 422
    assert "OUTFITTER_CALLERS" in answer.json()["detail"]
