"""The plan editor and the graph in Chromium: the mouse, keys alone, refusals, conflicts, drafts, random gestures."""

import json
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from app.domain.nodes.models import Tool
from app.domain.workflows.commands import BindInput, MoveStep, PlanEdit, RemoveStep, edited
from app.domain.workflows.places import allowed_places
from app.domain.workflows.plans import KnownBinding, Plan, StepBinding
from ingest.sources.files import file_input
from tests.e2e.web_browser import WatchedPage, chrome, opened_page
from tests.fakes import InMemoryGraph
from tests.ingest_cases import ingest
from tests.service import EXAMPLES, Service, command, serving, wait_until

GOAL = "plan?goal=cancel+my+order+and+refund+the+payment"
STEPS = ["shop/listOrders", "shop/cancelOrder", "shop/listOrderPayments", "shop/refundPayment"]

pytestmark = [pytest.mark.xdist_group("web-editor"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example shop as an OpenAPI document."""
    found = tmp_path_factory.mktemp("editor") / "data"
    done = command("ingest", "openapi", EXAMPLES / "openapi.yaml", "--server", "shop", data_dir=found)
    assert done.returncode == 0, done.stdout + done.stderr
    return found


@pytest.fixture(scope="module")
def service(data_dir: Path) -> Iterator[Service]:
    """The service, once for this file."""
    with serving(data_dir) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, once for this file."""
    with chrome() as opened:
        yield opened


@pytest.fixture(scope="module")
def tools() -> dict[str, Tool]:
    """The tools of the shop, for the model in process."""
    graph = InMemoryGraph()
    ingest(graph, file_input("openapi", EXAMPLES / "openapi.yaml", name="shop"))
    return {str(tool.id): tool for tool in graph.list_tools(limit=100)}


@contextmanager
def editing(service: Service, browser: Browser, address: str = GOAL, **how: Any) -> Iterator[WatchedPage]:
    """The editor on a page; in the end nothing was reported."""
    with opened_page(browser, f"{service.url}/ui/", **how) as watched:
        # Leaving with unsaved edits asks; here nobody stays.
        watched.page.on("dialog", lambda dialog: dialog.accept())
        watched.go(address)
        watched.page.wait_for_load_state("networkidle")
        yield watched
        watched.check()


def plan_of(page: Page) -> Plan:
    """The plan that the form carries."""
    return Plan.model_validate_json(page.locator("#edit [name=plan]").input_value())


def steps(page: Page) -> list[str]:
    return [str(step.tool_id) for step in plan_of(page).steps]


def drag(page: Page, step: int, to: int) -> None:
    """Take a step by its grip and let it go at the middle of another place, with real mouse events."""
    grip = page.locator(f"#grip-{step}")
    grip.scroll_into_view_if_needed()
    begin, end = grip.bounding_box(), page.locator(f"#step-{to}").bounding_box()
    own = page.locator(f"#step-{step}").bounding_box()
    assert begin
    assert end
    assert own
    x, y = begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2
    middle = own["y"] + own["height"] / 2
    beyond = 6 if to > step else -6
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 8, steps=2)
    page.mouse.move(x, y + end["y"] + end["height"] / 2 - middle + beyond, steps=4)


def until(page: Page, wanted: Plan) -> None:
    """Wait for the answer to a gesture: the plan that the form carries then."""
    end = time.monotonic() + 10
    while plan_of(page) != wanted:
        assert time.monotonic() < end, "another plan"
        page.wait_for_timeout(10)
    # An undo, a redo or a refusal may draw the same again.
    expect(page.locator("#editor")).not_to_have_attribute("aria-busy", "true")


def test_a_step_is_dragged_to_another_place_and_what_it_feeds_follows(
    service: Service, browser: Browser
) -> None:
    """The places where it may stand are marked while it is held; bindings name it by its new number."""
    with editing(service, browser) as watched:
        page = watched.page
        assert steps(page) == STEPS
        drag(page, 3, 2)
        expect(page.locator(".drop")).to_have_attribute("data-say", "place 2")
        assert "no" in (page.locator("#step-1").get_attribute("class") or "").split()
        page.mouse.up()
        expect(page.locator("#step-2 h2")).to_have_text("shop/listOrderPayments")

        assert steps(page) == [STEPS[0], STEPS[2], STEPS[1], STEPS[3]]
        assert plan_of(page).steps[3].bindings["paymentId"].step == 2  # type: ignore[union-attr]
        assert page.evaluate("document.activeElement.id") == "grip-2"
        page.keyboard.press("Control+z")
        expect(page.locator("#step-2 h2")).to_have_text("shop/cancelOrder")
        assert steps(page) == STEPS


def test_an_impossible_place_is_refused_before_the_drop_and_by_the_server_too(
    service: Service, browser: Browser
) -> None:
    """With the same reason, and nothing is sent for it."""
    with editing(service, browser) as watched:
        page = watched.page
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.method))
        drag(page, 4, 2)
        reason = page.locator(".drop.no").get_attribute("data-say") or ""
        page.mouse.up()
        expect(page.locator("#said")).to_have_text(reason)
        document = page.locator("#edit [name=plan]").input_value()
        status, refused = service.post(
            "/v1/plan/edit",
            json.dumps({"plan": json.loads(document), "edit": {"edit": "move", "step": 4, "to": 2}}).encode(),
        )

        assert "POST" not in asked
        assert "takes a value from step 3" in reason
        assert (status, refused["detail"]) == (422, reason)
        assert steps(page) == STEPS


def test_by_keys_alone_a_plan_is_changed_bound_saved_and_exported(
    service: Service, browser: Browser, data_dir: Path
) -> None:
    """What is saved is what `outfitter workflow show` prints; the document is read back to the same plan."""
    with editing(service, browser) as watched:
        page = watched.page
        page.locator("#grip-3").focus()
        page.keyboard.press("Alt+ArrowUp")
        expect(page.locator("#step-2 h2")).to_have_text("shop/listOrderPayments")
        page.keyboard.press("Alt+ArrowUp")
        expect(page.locator("#said")).to_contain_text("takes a value from step 1")
        page.locator("#bind-3-orderId").focus()
        page.keyboard.press("b")
        expect(page.locator("#panel-title")).to_be_focused()
        page.get_by_label("A value").focus()
        page.keyboard.type("o-17")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#step-3 .value")).to_have_text('"o-17"')
        page.locator("#save-as").focus()
        page.keyboard.press("Control+a")
        page.keyboard.type("by-keys")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#status")).to_contain_text("saved as by-keys")

        assert page.url.endswith("/ui/workflows/by-keys")
        saved = plan_of(page)
        shown = command("workflow", "show", "by-keys", "--format", "json", data_dir=data_dir)
        assert Plan.model_validate_json(shown.stdout) == saved
        assert saved.steps[2].bindings == {"orderId": KnownBinding(known="o-17")}
        page.get_by_text("Export", exact=True).click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Arazzo 1.0.1").click()
        file = data_dir.parent / "by-keys.json"
        download.value.save_as(file)
        again = command("workflow", "save", "again", file, data_dir=data_dir)
        assert again.returncode == 0, again.stdout + again.stderr
        read = command("workflow", "show", "again", "--format", "json", data_dir=data_dir)
        back = Plan.model_validate_json(read.stdout)
        assert [(step.tool_id, step.bindings) for step in back.steps] == [
            (step.tool_id, step.bindings) for step in saved.steps
        ]


def test_an_input_is_bound_from_ranked_choices_and_says_which_item(
    service: Service, browser: Browser
) -> None:
    """The choice that is in use is marked; an item is narrowed by a field of the answer."""
    with editing(service, browser) as watched:
        page = watched.page
        page.locator("#bind-2-orderId").click()
        chosen = page.locator(".choices .chosen")
        expect(chosen).to_have_count(1)
        expect(chosen).to_contain_text("/items/*/id")
        page.get_by_text("Which item of").click()
        page.get_by_label("Take").select_option("first")
        page.get_by_label("Field").first.fill("status")
        page.get_by_label("Value", exact=True).first.fill("open")
        page.get_by_role("button", name="Apply").click()
        expect(page.locator("#step-2 .select")).to_have_text('of the first item whose status is "open"')

        select = plan_of(page).steps[1].bindings["orderId"].select  # type: ignore[union-attr]
        assert select is not None
        assert (select.by, select.where[0].field, select.where[0].value) == ("first", "status", "open")


def carry(page: Page, path: str, row: str) -> None:
    """Take a field of the answer that is open and hold it over an input."""
    field, to = page.locator(f".answer-field[data-path='{path}']"), page.locator(row)
    for one in (field, to):
        one.scroll_into_view_if_needed()
    begin, end = field.bounding_box(), to.bounding_box()
    assert begin
    assert end
    page.mouse.move(begin["x"] + 20, begin["y"] + begin["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + 60, end["y"] + end["height"] / 2, steps=4)


def test_a_field_of_an_answer_is_dragged_to_an_input(service: Service, browser: Browser) -> None:
    """An input that it cannot go to is refused before the drop, as the server refuses it; Esc lets everything be."""
    with editing(service, browser) as watched:
        page = watched.page
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.method))
        page.locator("#about-3").click()
        expect(page.locator("#panel-title")).to_be_focused()
        carry(page, "/*/id", "#in-2-orderId")
        reason = page.locator(".hand.no").inner_text()
        page.mouse.up()
        expect(page.locator("#said")).to_have_text(reason)
        carry(page, "/*/id", "#in-4-paymentId")
        page.keyboard.press("Escape")
        page.mouse.up()
        expect(page.locator(".hand")).to_have_count(0)
        assert sent.count("POST") == 1
        before = plan_of(page)
        edit = {
            "edit": "bind",
            "step": 2,
            "parameter": "orderId",
            "binding": {"step": 3, "path": "/items/*/id"},
        }
        document = json.loads(page.locator("#edit [name=plan]").input_value())
        status, refused = service.post("/v1/plan/edit", json.dumps({"plan": document, "edit": edit}).encode())
        assert (status, refused["detail"]) == (422, reason)
        carry(page, "/*/amount", "#in-4-paymentId")
        expect(page.locator(".hand")).to_contain_text("where string is taken")
        page.mouse.up()
        expect(page.locator("#in-4-paymentId")).to_contain_text("/*/amount")
        expect(page.locator(".answer-field").first).to_be_visible()

        bound = plan_of(page).steps[3].bindings["paymentId"]
        assert isinstance(bound, StepBinding)
        assert (bound.step, bound.path, bound.select and bound.select.by) == (3, "/*/amount", "ask")
        page.locator("#undo").click()
        until(page, before)


def test_a_step_is_found_added_and_removed(service: Service, browser: Browser) -> None:
    """What it needs becomes an input of the plan; what lost its source does too; undo leads back to the start."""
    with editing(service, browser) as watched:
        page = watched.page
        start = plan_of(page)
        page.locator("#search").fill("look at one order")
        page.get_by_role("button", name="shop/getOrder").click()
        expect(page.locator("#step-5 h2")).to_have_text("shop/getOrder")
        expect(page.locator(".inputs")).to_contain_text("orderId")
        page.locator("#remove-1").click()
        expect(page.locator("#steps > li")).to_have_count(4)
        assert [item.name for item in plan_of(page).inputs] != []
        for left in (5, 4):
            page.locator("#undo").click()
            expect(page.locator("#steps > li")).to_have_count(left)

        assert plan_of(page) == start
        expect(page.locator("#undo")).to_be_disabled()
        expect(page.locator("#redo")).to_be_enabled()


def test_two_people_who_change_one_workflow_see_what_each_did(service: Service, browser: Browser) -> None:
    """The second one reads three versions side by side and decides; nothing is lost silently."""
    with editing(service, browser) as watched:
        watched.page.locator("#save-as").fill("shared")
        watched.page.locator("#save").click()
        expect(watched.page.locator("#status")).to_contain_text("saved as shared")
    with (
        editing(service, browser, "workflows/shared") as first,
        editing(service, browser, "workflows/shared") as second,
    ):
        first.page.locator("#up-3").click()
        expect(first.page.locator("#step-2 h2")).to_have_text("shop/listOrderPayments")
        first.page.locator("#save").click()
        expect(first.page.locator("#status")).to_contain_text("saved as shared")
        second.page.locator("#remove-4").click()
        expect(second.page.locator("#steps > li")).to_have_count(3)
        second.page.locator("#save").click()
        expect(second.page.locator(".conflict tbody tr")).to_have_count(4)
        expect(second.page.locator(".conflict td.other")).to_have_count(4)
        assert second.findings() == []
        second.page.get_by_role("button", name="Take theirs").click()
        expect(second.page.locator("#step-2 h2")).to_have_text("shop/listOrderPayments")
        second.page.locator("#undo").click()
        expect(second.page.locator("#steps > li")).to_have_count(3)
        second.page.locator("#save").click()
        expect(second.page.locator("#status")).to_contain_text("saved as shared")
        assert len(service.get("/v1/workflows/shared")[1]["plan"]["steps"]) == 3
        first.page.locator("#save").click()
        first.page.get_by_role("button", name="Keep mine").click()
        # The page has said that it is saved once before.
        wait_until(lambda: len(service.get("/v1/workflows/shared")[1]["plan"]["steps"]) == 4, 10)


def test_a_draft_is_sent_in_the_address_and_kept_from_the_log(service: Service, browser: Browser) -> None:
    """Whoever opens it sees the same plan; leaving it asks."""
    with editing(service, browser) as watched:
        page = watched.page
        page.locator("#up-3").click()
        expect(page.locator("#status")).to_have_text("not saved")
        page.wait_for_function("location.hash.startsWith('#draft=')")
        address, plan = page.url, plan_of(page)
        asked: list[str] = []
        page.on("dialog", lambda dialog: asked.append(dialog.type))
        page.get_by_role("link", name="Stored workflows").click()
        page.wait_for_url("**/workflows")
        assert asked == ["beforeunload"]
    with editing(service, browser, address.removeprefix(f"{service.url}/ui/")) as other:
        expect(other.page.locator("#step-2 h2")).to_have_text("shop/listOrderPayments")
        assert plan_of(other.page) == plan
    assert "draft=" not in service.log.read_text(encoding="utf-8")


def test_without_scripts_a_plan_is_moved_and_saved_by_buttons(service: Service, browser: Browser) -> None:
    """Each button is a form; a refused one says why."""
    with editing(service, browser, scripts=False) as watched:
        page = watched.page
        page.locator("#up-3").click()
        assert steps(page) == [STEPS[0], STEPS[2], STEPS[1], STEPS[3]]
        page.locator("#up-2").click(force=True)
        expect(page.locator("#refusal")).to_contain_text("takes a value from step 1")
        page.locator("#save-as").fill("plain")
        page.locator("#save").click()

        assert page.url.endswith("/ui/workflows/plain")
        assert steps(page) == [STEPS[0], STEPS[2], STEPS[1], STEPS[3]]


def test_undo_waits_for_the_answer_that_is_on_its_way(service: Service, browser: Browser) -> None:
    """As often as it is pressed meanwhile; what it means does not depend on where things are drawn."""
    with editing(service, browser) as watched:
        page = watched.page
        held: list[Route] = []
        for second in (STEPS[2], STEPS[1]):
            page.locator("#up-3").click()
            expect(page.locator("#step-2 h2")).to_have_text(second)
            until(page, plan_of(page))
        page.route("**/plan/edit", lambda route: route.continue_() if held else held.append(route))
        page.locator("#up-3").click()
        for _ in range(3):
            page.keyboard.press("Control+z")
        page.wait_for_timeout(200)
        held[0].continue_()
        expect(page.locator("#undo")).to_be_disabled()

        assert steps(page) == STEPS


def test_random_gestures_give_what_the_model_in_process_gives(
    service: Service, browser: Browser, tools: dict[str, Tool]
) -> None:
    """Moves by mouse, keys and buttons, removals, known values, undo and redo: order, bindings, and back to the start."""
    choice = random.Random(20261123)
    with editing(service, browser) as watched:
        page = watched.page
        past, future, now = [], list[Plan](), plan_of(page)
        for _ in range(18):
            gesture = choice.choice(["drag", "keys", "button", "button", "known", "remove", "undo", "redo"])
            at = choice.randint(1, len(now.steps))
            if gesture in ("undo", "redo"):
                source, target = (past, future) if gesture == "undo" else (future, past)
                page.keyboard.press("Control+z" if gesture == "undo" else "Control+Shift+z")
                if source:
                    target.append(now)
                    now = source.pop()
            else:
                edit = _gesture(page, choice, gesture, at, now)
                if edit is not None:
                    past.append(now)
                    now = edited(now, edit, tools=tools, workflows={})
                    future.clear()
                    if now == past[-1]:
                        past.pop()
            until(page, now)
            if len(now.steps) == 1:
                break
        while past:
            page.locator("#undo").click()
            now = past.pop()
            until(page, now)
        assert plan_of(page) == now


def _gesture(page: Page, choice: random.Random, gesture: str, at: int, now: Plan) -> PlanEdit | None:
    """Do it on the page; the command that it is, None where it is refused or means nothing."""
    to = choice.randint(1, len(now.steps)) if gesture == "drag" else at + choice.choice([-1, 1])
    places = allowed_places(now)[at - 1]
    is_move = 1 <= to <= len(now.steps) and to != at and not places.refusal(to)
    match gesture:
        case "drag":
            drag(page, at, to)
            page.mouse.up()
        case "keys":
            page.locator(f"#grip-{at}").focus()
            page.keyboard.press("Alt+ArrowUp" if to < at else "Alt+ArrowDown")
        case "button":
            button = page.locator(f"#{'up' if to < at else 'down'}-{at}")
            if button.is_enabled():
                # `aria-disabled` ones are pressed as well: they say why not.
                button.click(force=True)
        case "known":
            parameter = next(iter(now.steps[at - 1].bindings), None)
            if parameter is None:
                return None
            page.locator(f"#bind-{at}-{parameter}").click()
            value = choice.randint(1, 99)
            page.get_by_label("A value").fill(str(value))
            page.locator("button[name=bind][value=known]").click()
            return BindInput(step=at, parameter=parameter, binding=KnownBinding(known=value))
        case "remove":
            if len(now.steps) <= 2:
                return None
            page.locator(f"#remove-{at}").click()
            return RemoveStep(step=at)
    return MoveStep(step=at, to=to) if is_move else None


def test_the_graph_is_walked_by_keys_and_by_mouse(service: Service, browser: Browser) -> None:
    """One stop of the tab key; arrows walk, Enter opens, f focuses, Esc hides what was shown."""
    with opened_page(browser, f"{service.url}/ui/") as watched:
        page = watched.page
        watched.go("graph?focus=shop/cancelOrder&kinds=REQUIRES")
        page.wait_for_load_state("networkidle")
        assert page.locator("svg .node[tabindex='0']").count() == 1
        page.locator("svg .node.focus").focus()
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#edge-info")).to_contain_text("REQUIRES, orderId <- ")
        name = page.evaluate("document.activeElement.getAttribute('aria-label')")
        page.keyboard.press("Escape")
        expect(page.locator("#edge-info")).to_be_hidden()
        before = page.locator("svg .node").count()
        page.keyboard.press("Enter")
        page.wait_for_url("**open=**")
        expect(page.locator("svg .node.open")).to_have_count(2)
        assert page.locator("svg .node").count() > before
        assert name in page.evaluate("document.activeElement.getAttribute('aria-label')")
        reloaded = page.locator("svg .node").count()
        page.reload()
        assert page.locator("svg .node").count() == reloaded
        page.locator("svg .node.open:not(.focus)").focus()
        page.keyboard.press("f")
        page.wait_for_url(lambda url: "open=" not in url)
        page.locator("svg .node:not(.focus)").first.click()
        page.wait_for_url("**open=**")
        watched.check()


def test_the_ground_is_pulled_and_what_is_too_unsure_is_left_out(service: Service, browser: Browser) -> None:
    """Pulling opens nothing; what could not be fetched is fetched again by a button; arrows lead down a column."""
    with opened_page(browser, f"{service.url}/ui/", width=480) as watched:
        page = watched.page
        watched.expected = ("ERR_FAILED",)
        watched.go("graph?focus=shop/cancelOrder&kinds=REQUIRES")
        page.wait_for_load_state("networkidle")
        canvas = page.locator("#canvas")
        canvas.scroll_into_view_if_needed()
        before = canvas.evaluate("one => one.scrollLeft")
        assert before > 40
        ground = canvas.bounding_box()
        assert ground
        page.mouse.move(ground["x"] + 10, ground["y"] + 5)
        page.mouse.down()
        page.mouse.move(ground["x"] + 40, ground["y"] + 5, steps=3)
        expect(canvas).to_have_class("canvas held")
        page.mouse.up()
        expect(canvas).to_have_class("canvas")
        assert canvas.evaluate("one => one.scrollLeft") == pytest.approx(before - 30, abs=2)
        assert "open=" not in page.url

        page.locator("svg .node[data-at$=' 0']:not(.focus)").first.focus()
        place = page.evaluate("document.activeElement.dataset.at")
        page.keyboard.press("ArrowDown")
        expect(page.locator("svg .node:focus")).to_have_attribute("data-at", f"{place.split()[0]} 1")

        page.route("**/graph?*min=*", lambda route: route.abort())
        page.locator("#min").fill("0.5")
        expect(page.locator("output[for=min]")).to_have_text("0.50")
        expect(page.get_by_role("alert")).to_contain_text("not reached")
        page.unroute("**/graph?*min=*")
        page.get_by_role("button", name="Try again").click()
        page.wait_for_url("**min=0.5**")
        expect(page.locator("#unreached")).to_be_hidden()

        page.locator("#theme-button").click()
        expect(page.locator("#said")).to_have_text("dark theme")
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        page.locator("#keys-button").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        watched.check()


def test_a_state_in_place_of_the_editor_or_the_drawing_breaks_nothing(
    service: Service, browser: Browser
) -> None:
    """It says what is wrong; keys still work, and nothing is written into the address."""
    with editing(service, browser) as watched:
        page = watched.page
        page.locator("#up-3").click()
        expect(page.locator("#undo")).to_be_enabled()
        page.wait_for_function("location.hash.startsWith('#draft=')")
        address = page.url
        page.route("**/plan/edit", lambda route: route.continue_(post_data="plan=%7B"))
        heading = page.get_by_role("heading", level=1)
        page.keyboard.press("Control+z")
        expect(heading).to_have_text("Not accepted")
        page.keyboard.press("Control+z")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        assert page.url == address
    with opened_page(browser, f"{service.url}/ui/") as watched:
        page = watched.page
        watched.go("graph?focus=shop/cancelOrder&kinds=REQUIRES")
        page.wait_for_load_state("networkidle")
        page.route(
            "**/graph?*toggle=*", lambda route: route.continue_(url=f"{service.url}/ui/graph?focus=nowhere")
        )
        page.locator("svg .node:not(.focus)").first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Not found")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        assert "undefined" not in page.url
        watched.check()


def test_the_table_of_a_graph_has_the_edges_of_its_drawing(service: Service, browser: Browser) -> None:
    """And of both, those that REST gives."""
    with opened_page(browser, f"{service.url}/ui/") as watched:
        page = watched.page
        watched.go("graph?focus=shop/cancelOrder&kinds=REQUIRES")
        drawn = page.locator("svg .edge").count()
        page.get_by_role("link", name="As a table").click()
        expect(page.locator("table.edges tbody tr")).to_have_count(drawn)
        answer = service.get("/v1/neighbours/shop/cancelOrder?kind=Tool&kinds=REQUIRES&per_kind=12")[1]
        assert len(answer["edges"]) == drawn
        watched.check()
