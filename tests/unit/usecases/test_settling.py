"""Work that may wait is done once after a pause, soon where somebody presses for it."""

import threading
import time

from app.usecases.index.settling import Settling
from tests.service import wait_until

SOON_S, LATE_S = 0.05, 0.6


class Worked:
    """When the work was done."""

    def __init__(self, *, fails: int = 0) -> None:
        self.times: list[float] = []
        self._fails = fails

    def __call__(self) -> None:
        self.times.append(time.monotonic())
        if len(self.times) <= self._fails:
            raise RuntimeError("not yet")


def test_what_presses_is_done_soon_and_what_does_not_after_a_long_pause() -> None:
    work = Worked()
    settling = Settling(work, quiet_s=SOON_S, patient_s=LATE_S)
    begin = time.monotonic()
    settling.wish(pressing=False)
    time.sleep(3 * SOON_S)
    assert not work.times
    settling.wish()
    wait_until(lambda: len(work.times) == 1)
    assert work.times[0] - begin < LATE_S

    settling.wish(pressing=False)
    wished = time.monotonic()
    wait_until(lambda: len(work.times) == 2)
    assert work.times[1] - wished >= LATE_S
    assert settling.stop(1)


def test_many_wishes_in_a_row_are_one_work() -> None:
    work = Worked()
    settling = Settling(work, quiet_s=4 * SOON_S, patient_s=LATE_S)
    for _ in range(10):
        settling.wish()
        time.sleep(SOON_S / 5)
    assert not work.times
    wait_until(lambda: work.times)
    time.sleep(8 * SOON_S)
    assert len(work.times) == 1
    assert settling.stop(1)


def test_a_wish_while_at_work_is_done_after_it() -> None:
    begun, goes_on = threading.Event(), threading.Event()
    done = []

    def work() -> None:
        begun.set()
        goes_on.wait(5)
        done.append(1)

    settling = Settling(work, quiet_s=0, patient_s=0)
    settling.wish()
    assert begun.wait(5)
    settling.wish(pressing=False)
    goes_on.set()
    wait_until(lambda: len(done) == 2)
    assert settling.stop(1)


def test_it_ends_while_it_waits() -> None:
    work = Worked()
    settling = Settling(work, quiet_s=60, patient_s=60)
    assert settling.stop(1), "it never began"
    settling = Settling(work, quiet_s=60, patient_s=60)
    settling.wish()
    assert settling.stop(1)
    assert settling.stop(1)
    assert not work.times
