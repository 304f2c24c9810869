"""The parts of an answer as links: what they are made of, ways into the graph, definitions for models."""

from collections.abc import Iterator
from html import unescape

import pytest
from starlette.testclient import TestClient

from app.answers.search import ReasonKind, Why, WhyStep
from app.web.parts.bars import score_bars, why_groups
from app.web.parts.reason_paths import reason_path
from tests.unit.web.pages import Elements, pages

ASKED = "/ui/ask?q=the+customer+wants+to+be+reimbursed"


@pytest.fixture(scope="module")
def shop() -> Iterator[TestClient]:
    with pages() as opened:
        yield opened


def test_each_part_of_a_bar_leads_to_what_it_is_made_of(shop: TestClient) -> None:
    """By an address within the page, so that it works without scripts."""
    page = Elements(shop.get(ASKED).text)
    ids = {said["id"] for _, said in page.found if said.get("id")}
    parts = [said for said in page.all("a") if "part" in (said.get("class") or "").split()]

    assert parts
    assert {(said["href"] or "#").removeprefix("#") for said in parts} <= ids
    assert {link.removeprefix("#") for link in page.links() if link.startswith("#why-")} <= ids


def test_the_way_that_led_to_a_tool_leads_into_the_graph(shop: TestClient) -> None:
    """To each node, and to the tool with the nodes around it."""
    links = [unescape(link) for link in Elements(shop.get(ASKED).text).links() if "/ui/graph?focus=" in link]
    ways = [link for link in links if "focus=Tool" in link]

    assert any("focus=Method" in link for link in links)
    for link in ways[:3]:
        drawn = shop.get(link)
        opened = [one for one in link.split("&") if one.startswith("open=")]
        assert drawn.status_code == 200
        assert drawn.text.count(' open"') >= 1 + len(opened)


def test_a_way_names_its_nodes_by_kind() -> None:
    """What an edge leaves is a template, a concept or a method."""
    path = [WhyStep("trust", "Trust", "RELATED_TO"), WhyStep("refund", "Refund", "IMPLEMENTS")]
    way = reason_path(path, "shop/pay")

    assert [link.query.partition("&")[0] for link in way.links] == [
        "focus=Concept%3Atrust",
        "focus=Method%3Arefund",
    ]
    assert way.query == (
        "focus=Tool%3Ashop%2Fpay&open=Method%3Arefund&open=Concept%3Atrust&kinds=IMPLEMENTS&kinds=RELATED_TO"
    )


def test_groups_of_parts_add_up_to_the_segments_of_the_bar() -> None:
    """The largest first; what is left out is added up."""
    words = [Why(ReasonKind.WORD, value / 10) for value in (1, 3, -2, 4)]
    parts = [*words, Why(ReasonKind.METHOD, 0.5)]
    groups = why_groups(parts, most=2)
    (bar,) = score_bars([parts])

    assert [(one.kind, one.contribution) for one in groups] == [
        (one.kind, one.contribution) for one in bar.segments
    ]
    assert [part.contribution for part in groups[0].parts] == [0.4, 0.3]
    assert groups[0].rest == pytest.approx(-0.1)


def test_an_answer_comes_as_the_tools_of_a_model(shop: TestClient) -> None:
    """Each form that the page offers is the one that REST gives; another one is refused."""
    page = Elements(shop.get(ASKED).text)
    offered = [unescape(link) for link in page.links() if "format=" in link]
    for link in offered:
        given = shop.get(link).json()
        form = link.partition("format=")[2].partition("&")[0]
        body = {"query": "the customer wants to be reimbursed", "top_k": 10, "format": form}
        assert given["tools"] == shop.post("/v1/query", json=body).json()["tools"]
    assert len(offered) == 4
    assert shop.get(f"{ASKED}&format=soap").status_code == 422


def test_a_request_is_planned_by_a_link(shop: TestClient) -> None:
    """Within the same servers."""
    page = Elements(shop.get(f"{ASKED}&server=payments").text)

    assert any(
        unescape(link).endswith("/ui/plan?goal=the+customer+wants+to+be+reimbursed&server=payments")
        for link in page.links()
    )
