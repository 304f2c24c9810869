"""The pages in headless Chromium: when something is seen, when an answer, and what moves under the reader."""

import shutil
import time
from collections.abc import Sequence
from urllib.parse import quote_plus

import numpy as np
from playwright.sync_api import Page, sync_playwright

from app.errors import InvalidInputError
from bench.served.page_speed import PageSpeed

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
_OPTIONS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
_ASKED = 50
_EDITS = 20
_LOADS = 5
_STEPS = 10
_WAIT_S = 20.0
_OBSERVER = """
window.shift = 0; window.events = []; window.painted = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value;
}).observe({type: 'layout-shift', buffered: true});
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (one.interactionId) window.events.push(one.duration);
}).observe({type: 'event', durationThreshold: 16, buffered: true});
for (const kind of ['keydown', 'click']) document.addEventListener(kind, () => window.begun = performance.now(), true);
document.addEventListener('outfitter:drawn', () => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => window.painted.push(performance.now() - window.begun);
  channel.port2.postMessage(0);
}));
"""
_TIMING = """() => {
  const [page] = performance.getEntriesByType('navigation');
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  return [paint ? paint.startTime : 0, page.domInteractive];
}"""


def page_speed(url: str, texts: Sequence[str]) -> PageSpeed:
    """Open every kind of page, type requests, change a plan.

    Args:
        url: of the service, without a slash at its end.
        texts: what is asked for; the first words of each are typed.

    Raises:
        InvalidInputError: there is no Chromium.
    """
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise InvalidInputError(f"--browser: no Chromium; accepted: one of {', '.join(PROGRAMS)} in PATH")
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=program, args=list(_OPTIONS))
        page = chrome.new_page(viewport={"width": 1180, "height": 800})
        page.add_init_script(_OBSERVER)
        paints, ready, shifts = _loads(page, url, texts)
        answers = _typed(page, url, texts[:_ASKED])
        shifts.append(page.evaluate("shift"))
        events: list[float] = page.evaluate("events")
        edits = _edited(page, url)
        shifts.append(page.evaluate("shift"))
        events += page.evaluate("events")
        chrome.close()
    return PageSpeed(
        first_paint_p95_ms=_percentile(paints, 95),
        interactive_p95_ms=_percentile(ready, 95),
        answer_p50_ms=_percentile(answers, 50),
        answer_p95_ms=_percentile(answers, 95),
        edit_p95_ms=_percentile(edits, 95),
        inp_p95_ms=_percentile(events or [0.0], 95),
        layout_shift=max(shifts),
    )


def _loads(page: Page, url: str, texts: Sequence[str]) -> tuple[list[float], list[float], list[float]]:
    """First paint, time to interactive and layout shift of each page, loaded several times."""
    addresses = ["", f"ask?q={quote_plus(texts[0])}", "tools", "sources", "graph", "changes"]
    paints, ready, shifts = [], [], []
    for address in addresses * _LOADS:
        page.goto(f"{url}/ui/{address}", wait_until="networkidle")
        paint, interactive = page.evaluate(_TIMING)
        paints.append(paint)
        ready.append(interactive)
        shifts.append(page.evaluate("shift"))
    return paints, ready, shifts


def _typed(page: Page, url: str, texts: Sequence[str]) -> list[float]:
    """Milliseconds from the last key of each request to its painted answer."""
    page.goto(f"{url}/ui/ask", wait_until="networkidle")
    field = page.get_by_role("searchbox")
    found = []
    for text in texts:
        field.fill("")
        page.wait_for_timeout(400)
        before = page.evaluate("painted.length")
        field.press_sequentially(" ".join(text.split()[:3]), delay=15)
        found.append(_next(page, before))
    return found


def _edited(page: Page, url: str) -> list[float]:
    """Milliseconds from a key that moves a step to the repaint, of a plan of ten steps that nothing binds."""
    page.goto(f"{url}/ui/plan", wait_until="networkidle")
    for number in range(_STEPS):
        before = page.evaluate("painted.length")
        page.locator("#search").fill("search")
        _next(page, before)
        page.locator(".choices .choice").nth(number % 5).click()
        page.locator(f"#step-{number + 1}").wait_for()
    found = []
    for number in range(_EDITS):
        step = 2 + number % (_STEPS - 1)
        before = page.evaluate("painted.length")
        page.locator(f"#grip-{step}").press("Alt+ArrowUp")
        found.append(_next(page, before))
    return found


def _next(page: Page, before: int) -> float:
    """The time of the next paint after this many."""
    end = time.monotonic() + _WAIT_S
    while page.evaluate("painted.length") == before:
        if time.monotonic() > end:
            raise InvalidInputError(f"{page.url}: nothing was drawn within {_WAIT_S:g} s")
        time.sleep(0.005)
    return float(page.evaluate("painted.at(-1)"))


def _percentile(values: Sequence[float], percent: float) -> float:
    return float(np.percentile(values, percent))
