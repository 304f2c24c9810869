"""Five tasks of somebody who sees the pages for the first time: found by visible role and name alone, in few gestures.

A gesture is a click, a drag, a field that is filled, or a key (`g s`, which leads somewhere, is one). Of each task the
mouse way touches no key but to type, the other way touches no mouse.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.web_browser import WatchedPage, chrome, opened_page
from tests.service import EXAMPLES, Service, command, serving

REQUEST = "give the money of a payment back"
GOALS = {
    True: "cancel my order and refund the payment",
    False: "please cancel my order and refund the payment",
}
"""By mouse and by keys: each is saved under a name of its own."""
FEW, REORDERING = 4, 8

pytestmark = [pytest.mark.xdist_group("web-tasks"), pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The example shop, and a source that cannot be read."""
    folder = tmp_path_factory.mktemp("tasks")
    (folder / "broken.json").write_text("not JSON", encoding="utf-8")
    sources = folder / "sources.yaml"
    sources.write_text(
        "sources:\n"
        f"  - {{id: shop, kind: openapi, uri: {EXAMPLES / 'openapi.yaml'}}}\n"
        "  - {id: warehouse, kind: manifest, uri: broken.json}\n",
        encoding="utf-8",
    )
    done = command("sync", sources, data_dir=folder / "data")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "openapi:shop" in done.stdout, done.stdout
    with serving(folder / "data") as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, once for this file."""
    with chrome() as opened:
        yield opened


class Person:
    """Somebody at the pages, whose gestures are counted."""

    def __init__(self, page: Page, *, mouse: bool) -> None:
        self.page = page
        self.mouse = mouse
        self.gestures = 0

    def go(self, name: str, keys: str) -> None:
        """To another page, by the navigation."""
        self.gestures += 1
        if self.mouse:
            self.page.get_by_role("link", name=name, exact=True).click()
        else:
            self._type(*keys)
        expect(self.page.get_by_role("heading", level=1, name=re.compile(name))).to_be_visible()

    def fill(self, field: Locator, key: str, text: str) -> None:
        """Into a field, which `key` leads to."""
        self.gestures += 1
        if self.mouse:
            field.fill(text)
        else:
            expect(field).to_be_visible()
            self._type(key)
            expect(field).to_be_focused()
            self.page.keyboard.type(text)

    def press(self, button: Locator, *keys: str) -> None:
        """A button, or the keys that do the same."""
        self.gestures += 1 if self.mouse else len(keys)
        if self.mouse:
            button.click()
        else:
            self._type(*keys)

    def _type(self, *keys: str) -> None:
        """A page shows its fields before its scripts have run: keys that are pressed until then are lost."""
        self.page.wait_for_load_state("load")
        for key in keys:
            self.page.keyboard.press(key)


Task = Callable[[Person], None]


def why_the_first_tool_is_first(person: Person) -> None:
    """Parts of its score stand at it, opened."""
    page = person.page
    person.fill(page.get_by_role("searchbox", name="What is to be done"), "/", REQUEST)
    person.press(page.get_by_role("button", name="Ask"), "Enter")
    first = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Refund a payment"))
    expect(first.get_by_role("table", name="Parts of the score")).to_contain_text("back in description")


def why_a_tool_is_not_there(person: Person) -> None:
    """What it lacks, and what would help."""
    page = person.page
    person.fill(page.get_by_role("searchbox", name="What is to be done"), "/", REQUEST)
    person.press(page.get_by_role("button", name="Ask"), "Enter")
    person.fill(
        page.get_by_role("combobox", name="Id of the tool that was expected"), "e", "shop/searchProducts"
    )
    person.press(page.get_by_role("button", name="Why not?"), "Enter")
    expect(page.get_by_role("heading", name="What would help")).to_be_visible()


def what_is_called_before_refund_payment(person: Person) -> None:
    """The tools that fill its inputs."""
    page = person.page
    person.fill(page.get_by_role("searchbox", name="What is to be done"), "/", "refundPayment")
    person.press(page.get_by_role("button", name="Ask"), "Enter")
    link = page.get_by_role("link", name="Refund a payment")
    expect(link).to_be_visible()
    person.press(link, "j", "Enter")
    region = page.get_by_role("region", name="Fills its inputs")
    expect(region.get_by_role("link", name="shop/listOrderPayments")).to_be_visible()


def which_source_fails(person: Person) -> None:
    """With the reason."""
    page = person.page
    person.go("Sources", "gs")
    row = page.get_by_role("row").filter(has_text="failing")
    expect(row.get_by_role("link", name="manifest:warehouse")).to_be_visible()
    expect(row).to_contain_text("not JSON")


def a_plan_is_saved_in_another_order(person: Person) -> None:
    """Planned, one step moved, kept."""
    page = person.page
    person.go("Plans", "gp")
    person.fill(page.get_by_role("searchbox", name="Goal"), "/", GOALS[person.mouse])
    person.press(page.get_by_role("button", name="Plan", exact=True), "Enter")
    third = page.get_by_role("heading", level=2, name="shop/listOrderPayments")
    expect(third).to_be_visible()
    page.wait_for_load_state("networkidle")
    person.press(page.get_by_role("button", name="Move step 3 up"), "j", "j", "j", "Alt+ArrowUp")
    expect(page.get_by_role("heading", level=2, name="shop", exact=False).nth(1)).to_have_text(
        "shop/listOrderPayments"
    )
    person.press(page.get_by_role("button", name="Save"), "Control+s")
    toolbar = page.get_by_role("toolbar", name="Plan")
    expect(toolbar.get_by_role("status")).to_contain_text("saved as")


TASKS: dict[Task, int] = {
    why_the_first_tool_is_first: FEW,
    why_a_tool_is_not_there: FEW,
    what_is_called_before_refund_payment: FEW,
    which_source_fails: FEW,
    a_plan_is_saved_in_another_order: REORDERING,
}


@pytest.mark.parametrize("mouse", [True, False], ids=["mouse", "keys"])
def test_a_newcomer_does_five_tasks_in_few_gestures(service: Service, browser: Browser, mouse: bool) -> None:
    """Each from the first page; nothing is reported on the way."""
    with opened_page(browser, f"{service.url}/ui/") as watched:
        watched.page.on("dialog", lambda dialog: dialog.accept())
        for task, most in TASKS.items():
            _begin(watched)
            person = Person(watched.page, mouse=mouse)
            task(person)
            assert person.gestures <= most, f"{task.__name__}: {person.gestures} gestures"
        watched.check()


def _begin(watched: WatchedPage) -> None:
    watched.go("")
    watched.page.wait_for_load_state("networkidle")
