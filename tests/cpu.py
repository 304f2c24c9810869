"""What some work takes of the processor, whatever else the machine and this process are doing."""

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def cpu_within(seconds: float) -> Iterator[None]:
    """Fails what takes as much of this thread's CPU.

    The collector of memory rests meanwhile: it would look through all that the tests before have left.
    """
    was_on = gc.isenabled()
    gc.disable()
    begin = time.thread_time()
    try:
        yield
        taken = time.thread_time() - begin
    finally:
        if was_on:
            gc.enable()
    assert taken < seconds
