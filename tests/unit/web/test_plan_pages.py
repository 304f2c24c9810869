"""The plan page, the editor's form, and stored workflows, over HTTP."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.domain.nodes.models import NodeKind
from app.domain.workflows.plans import Plan, Select, StepBinding
from app.errors import InvalidInputError
from app.web.parts.editor_forms import PanelKind, read_form, read_panel, said_edit
from ingest.sources.files import file_input
from tests.fakes import InMemoryGraph
from tests.ingest_cases import ingest
from tests.service import EXAMPLES, wait_until
from tests.unit.web.pages import FRAGMENT, SAME_ORIGIN, Elements, pages

GOAL = "/ui/plan?goal=cancel+my+order+and+refund+the+payment"


@pytest.fixture
def graph() -> InMemoryGraph:
    found = InMemoryGraph()
    ingest(found, file_input("openapi", EXAMPLES / "openapi.yaml", name="shop"))
    return found


@pytest.fixture
def shop(graph: InMemoryGraph) -> Iterator[TestClient]:
    with pages(graph) as opened:
        yield opened


def fields(text: str) -> dict[str, str]:
    """What the form of a page carries unseen, and the name to save under."""
    carried = re.findall(r'<textarea name="(plan|read)" hidden>(.*?)</textarea>', text, re.DOTALL)
    return {name: unescape(value) for name, value in carried} | {
        unescape(str(said["name"])): unescape(str(said.get("value") or ""))
        for said in Elements(text).all("input")
        if said.get("name") and (said.get("type") == "hidden" or said["name"] == "name")
    }


def plan_of(text: str) -> Plan:
    return Plan.model_validate_json(fields(text)["plan"])


def post(shop: TestClient, form: dict[str, Any], **said: str) -> Any:
    return shop.post("/ui/plan/edit", data={**form, **said}, headers=SAME_ORIGIN)


def names(plan: Plan) -> list[str]:
    return [step.tool_id.removeprefix("shop/") for step in plan.steps]


def test_the_page_shows_the_plan_that_rest_gives(shop: TestClient) -> None:
    page = shop.get(GOAL)
    twin = shop.get(GOAL.replace("/plan?", "/plan.json?")).json()

    Elements(page.text)
    assert [step["tool_id"] for step in twin["steps"]] == [step.tool_id for step in plan_of(page.text).steps]
    assert "v1/plan" in Elements(page.text).text


def test_values_that_are_known_and_left_over_are_shown(shop: TestClient) -> None:
    """And a line that is no NAME=VALUE is refused."""
    page = shop.get("/ui/plan?goal=cancel+the+order&known=order_id%3Do-17%0Acolour%3Dred").text
    wrong = shop.get("/ui/plan?goal=cancel+the+order&known=o-17")

    assert '"o-17"' in Elements(page).text
    assert (wrong.status_code, "NAME=VALUE" in wrong.text) == (422, True)


def test_a_gesture_is_a_form_whose_answer_is_the_next_page(shop: TestClient) -> None:
    """Moved, refused with the reason, opened to be bound, bound by a choice, exported."""
    form = fields(shop.get(GOAL).text)
    moved = post(shop, form, edit='{"edit":"move","step":3,"to":2}')
    refused = post(shop, form, edit='{"edit":"move","step":4,"to":1}')
    opened = post(shop, form, open="bind 2 orderId")
    known = post(shop, fields(opened.text), bind="known", known="o-17")
    file = shop.post("/ui/plan/export?format=arazzo", data=form, headers=SAME_ORIGIN)

    assert names(plan_of(moved.text)) == ["listOrders", "listOrderPayments", "cancelOrder", "refundPayment"]
    assert refused.status_code == 200
    assert "takes a value from step 3" in Elements(refused.text).text
    assert plan_of(refused.text) == plan_of(shop.get(GOAL).text)
    assert "From earlier answers" in Elements(opened.text).text
    assert plan_of(known.text).steps[1].bindings["orderId"].known == "o-17"  # type: ignore[union-attr]
    assert file.json()["arazzo"] == "1.0.1"
    assert file.headers["content-disposition"].startswith('attachment; filename="cancel-my-order')


def test_which_item_of_a_list_is_meant_is_said_by_fields(shop: TestClient) -> None:
    """Where, except, sorted by; what is no selection is refused."""
    form = fields(post(shop, fields(shop.get(GOAL).text), open="bind 2 orderId").text)
    said = {
        "bind": "select",
        "by": "each",
        "where_field": ["status", ""],
        "where_op": ["ne", "eq"],
        "where_value": ["shipped", ""],
        "except": "o-1\n7",
        "sort": "total",
        "descending": "true",
    }
    page = shop.post("/ui/plan/edit", data={**form, **said}, headers=SAME_ORIGIN)
    wrong = post(shop, form, bind="select", by="some")

    binding = plan_of(page.text).steps[1].bindings["orderId"]
    assert isinstance(binding, StepBinding)
    assert binding.select == Select.model_validate(
        {
            "by": "each",
            "where": [{"field": "status", "op": "ne", "value": "shipped"}],
            "except": ["o-1", 7],
            "sort": {"field": "total", "descending": True},
        }
    )
    assert "of each item whose status is not" in Elements(page.text).text
    assert wrong.status_code == 422


def test_a_step_is_found_in_the_ranking_of_ask(shop: TestClient) -> None:
    """Within the servers of the goal; each says what it needs, and is added by its button."""
    form = fields(shop.get(f"{GOAL}&server=shop").text)
    page = post(shop, form, open="add", search="refund a payment", at="2")
    asked = shop.post("/v1/query", json={"query": "refund a payment", "top_k": 8, "prerequisites": 0}).json()

    buttons = [
        json.loads(unescape(str(said["value"])))
        for said in Elements(page.text).all("button")
        if '"add"' in unescape(str(said.get("value")))
    ]
    assert [one["calls"] for one in buttons] == [tool["id"] for tool in asked["tools"]]
    assert {one["at"] for one in buttons} == {2}
    added = post(shop, form, edit=json.dumps(buttons[0]))
    assert names(plan_of(added.text))[1] == "refundPayment"


def test_a_plan_is_saved_and_a_conflict_shows_three_versions(shop: TestClient) -> None:
    """Without scripts a save leads to the workflow; a stale one changes nothing."""
    form = fields(shop.get(GOAL).text)
    saved = post(shop, form, action="save", name="refund")
    stored = fields(shop.get(saved.headers["location"]).text)
    moved = fields(post(shop, stored, edit='{"edit":"move","step":3,"to":2}').text)
    shop.put("/v1/workflows/refund", json={"plan": json.loads(form["plan"]), "name": "theirs"})
    stale = post(shop, moved, action="save")
    still = shop.get("/v1/workflows/refund").json()
    taken = post(shop, form, action="save", name="refund")
    etag = shop.get("/v1/workflows/refund").headers["etag"].strip('"')
    kept = post(shop, moved, keep=etag)

    assert (saved.status_code, saved.headers["location"]) == (303, "/ui/workflows/refund")
    assert stored["id"] == "refund"
    assert "Somebody else changed" in Elements(stale.text).text
    assert still["name"] == "theirs"
    assert "already" in Elements(taken.text).text
    assert kept.status_code == 303
    after = shop.get("/v1/workflows/refund").json()["plan"]["steps"]
    assert [step["tool_id"] for step in after][1] == "shop/listOrderPayments"


def test_a_broken_workflow_says_why_and_offers_near_tools(graph: InMemoryGraph, shop: TestClient) -> None:
    """The reason stands at the step, and in the list."""
    form = fields(shop.get(GOAL).text)
    plan = json.loads(form["plan"])
    post(shop, form, action="save", name="refund")
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.begin()
        lease.remove_nodes(NodeKind.TOOL, ["shop/cancelOrder"])
        lease.finish()
    wait_until(lambda: shop.get("/readyz").json()["generation"] == graph.generation)
    page = Elements(shop.get("/ui/workflows/refund").text)

    assert plan["steps"][1]["tool_id"] == "shop/cancelOrder"
    assert "there is no tool 'shop/cancelOrder'" in page.text
    offered = [
        unescape(str(said.get("value")))
        for said in page.all("button")
        if unescape(str(said.get("value"))).startswith("replace 2 ")
    ]
    assert offered
    mended = post(shop, fields(shop.get("/ui/workflows/refund").text), edit=offered[0])
    assert "there is no tool" not in Elements(mended.text).text


def test_a_documents_workflow_is_saved_as_a_copy(
    graph: InMemoryGraph, shop: TestClient, tmp_path: Path
) -> None:
    """The page says where it comes from; the list does too."""
    document = shop.post("/v1/plan?format=arazzo", json={"goal": "cancel my order and refund the payment"})
    file = tmp_path / "flows.arazzo.json"
    file.write_text(document.text, encoding="utf-8")
    generation = ingest(
        graph,
        file_input("openapi", EXAMPLES / "openapi.yaml", name="shop"),
        file_input("arazzo", file, name="flows"),
    ).generation
    wait_until(lambda: shop.get("/readyz").json()["generation"] == generation)

    (listed,) = shop.get("/v1/workflows").json()["workflows"]
    address = f"/ui/workflows/{listed['id'].replace('/', '%2F')}"
    page = shop.get(address)
    copied = post(shop, fields(page.text), action="save", name="own")

    assert "from a document" in Elements(shop.get("/ui/workflows").text).text
    assert "Save a copy" in Elements(page.text).text
    assert copied.headers["location"] == "/ui/workflows/own"
    assert shop.get(f"{address}.json").json()["id"] == listed["id"]


def test_a_form_of_somebody_else_is_refused(shop: TestClient) -> None:
    """Whatever it would change."""
    form = fields(shop.get(GOAL).text)
    answer = shop.post(
        "/ui/plan/edit", data={**form, "action": "save"}, headers={"Sec-Fetch-Site": "cross-site"}
    )

    assert answer.status_code == 403
    assert shop.get("/v1/workflows").json()["workflows"] == []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "plan"),
        (b"plan=%7B%7D", "plan: goal"),
        (b"plan=%ff", "cannot be read"),
        (b'plan={"goal":"","steps":[]}&edit={"edit":"turn"}', "edit"),
        (b'plan={"goal":"","steps":[]}&bind=known', "no input is chosen"),
        (b'plan={"goal":"","steps":[]}&at=x', "number of a step"),
        (b'plan={"goal":"","steps":[]}&panel=bind 1 a&bind=path&source=1&path=x', "JSON pointer"),
        (b"a=1&" * 1001, "cannot be read"),
    ],
)
def test_a_form_that_is_none_of_ours_is_refused_by_name(body: bytes, words: str) -> None:
    with pytest.raises(InvalidInputError, match=words):
        read_form(body)


def test_a_panel_is_about_an_input_or_about_adding() -> None:
    """What is neither closes it."""
    assert str(read_panel("bind 2 a b")) == "bind 2 a b"
    assert read_panel("add").kind is PanelKind.ADD
    for text in ("", "bind", "bind x y", "other 1 a"):
        assert read_panel(text).kind is PanelKind.CLOSED


def test_a_fragment_of_a_save_says_where_it_is_now(shop: TestClient) -> None:
    """For the script, which writes it into the address."""
    form = fields(shop.get(GOAL).text)
    answer = shop.post(
        "/ui/plan/edit", data={**form, "action": "save", "name": "kept"}, headers={**SAME_ORIGIN, **FRAGMENT}
    )

    (editor,) = [said for said in Elements(answer.text).all("section") if said.get("id") == "editor"]
    assert editor["data-address"] == "/ui/workflows/kept"
    assert fields(answer.text)["id"] == "kept"


def test_a_step_s_answer_opens_beside_the_steps(shop: TestClient) -> None:
    """Its fields with the types of inputs that they fit, and why steps before it cannot take them."""
    form = fields(shop.get(GOAL).text)
    page = post(shop, form, open="step 3")
    taken = [said for said in Elements(page.text).all("li") if "answer-field" in str(said.get("class"))]
    (held,) = (said for said in Elements(page.text).all("ul") if said.get("data-refused"))
    panel = {"panel": "bind 2 orderId", "open": "step 3"}
    early = post(shop, form, bind="path", source="3", path="/*/id", **panel)
    dropped = post(
        shop, form, bind="path", source="3", path="/*/amount", panel="bind 4 paymentId", open="step 3"
    )

    assert {"/*/id": "string", "/*/amount": "number"}.items() <= {
        str(said["data-path"]): str(said["data-fits"]) for said in taken
    }.items()
    reasons = json.loads(unescape(str(held["data-refused"])))
    assert sorted(reasons) == ["1", "2", "3"]
    assert reasons["2"] in Elements(early.text).text
    # What changes something asks which item is meant, as the choices that are offered do.
    assert plan_of(dropped.text).steps[3].bindings["paymentId"].select.by == "ask"  # type: ignore[union-attr]
    assert read_panel(fields(dropped.text)["panel"]).kind is PanelKind.STEP


@pytest.mark.parametrize(
    ("said", "edit"),
    [
        ("move 3 2", {"edit": "move", "step": 3, "to": 2}),
        ("remove 3", {"edit": "remove", "step": 3}),
        ("replace 3 shop/getOrder", {"edit": "replace", "step": 3, "tool_id": "shop/getOrder"}),
    ],
)
def test_a_button_says_an_edit_in_few_words(said: str, edit: dict[str, Any]) -> None:
    """The same as in JSON: with hundreds of buttons a plan stays a small page."""
    assert said_edit(said) == said_edit(json.dumps(edit))


@pytest.mark.parametrize("said", ["move x 2", "remove", "remove 0", "turn 1 2", "replace 3"])
def test_what_is_no_edit_is_refused(shop: TestClient, said: str) -> None:
    assert post(shop, fields(shop.get(GOAL).text), edit=said).status_code == 422
