"""The service of one checkout against that of another, both without policies: how long they take, and whether they say the same."""

import json
import re
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bench.served.http_client import HttpClient
from bench.served.interfaces import Interface
from bench.served.served import Running

_VARYING: Final = re.compile(rb'"(?:took_ms|generation)\\*": ?[\d.e+-]+')
"""What differs between any two answers; inside the text of an MCP message, quotes have a backslash."""


@dataclass(frozen=True, slots=True)
class Checkouts:
    """What was found."""

    ratio: float
    """Median latency by REST to that of the other; the median over the rounds."""
    answers: int
    """To queries, plans and MCP messages, each asked once of both."""
    differing: int
    """Of these, those whose status or body is not the same, times and generations aside."""


def compare_checkouts(
    now: Running, other: Running, texts: Sequence[str], *, rounds: int, requests: int
) -> Checkouts:
    """Ask both in turns; the answers are compared before anything is timed.

    Args:
        now: The service of this checkout.
        other: That of the other one, over the same documents.
        texts: Are asked one after the other, again from the first when there are no more.
        rounds: Of timed requests, after one that does not count.
        requests: Of a round, and of what is compared, by each way.

    Raises:
        RuntimeError: a timed request is not answered with 200.
    """
    bodies = [texts[at % len(texts)] for at in range(requests)]
    with HttpClient(now.host, now.port) as one, HttpClient(other.host, other.port) as another:
        asked = [request for text in bodies for request in _requests(text)]
        differing = sum(not same_answer(one.post(*request), another.post(*request)) for request in asked)
        found = [_ratio(one, another, bodies, turn) for turn in range(rounds + 1)]
    return Checkouts(statistics.median(found[1:]), len(asked), differing)


def same_answer(one: tuple[int, bytes], other: tuple[int, bytes]) -> bool:
    """Whether two answers, status and body, say the same, times and generations aside."""
    return one[0] == other[0] and _VARYING.sub(b"", one[1]) == _VARYING.sub(b"", other[1])


def _requests(text: str) -> Iterator[tuple[str, bytes, Mapping[str, str]]]:
    """Path, body and headers: a query, a plan, a search by MCP."""
    for interface in (Interface.REST, Interface.MCP):
        yield interface.path, interface.body(text), interface.headers
    yield "/v1/plan", json.dumps({"goal": text}).encode(), {}


def _ratio(one: HttpClient, another: HttpClient, texts: Sequence[str], turn: int) -> float:
    times: tuple[list[float], list[float]] = ([], [])
    for at, text in enumerate(texts):
        body = Interface.REST.body(text)
        sides = [(one, 0), (another, 1)]
        for client, side in sides if (at + turn) % 2 else reversed(sides):
            begin = time.perf_counter()
            status, _ = client.post(Interface.REST.path, body)
            times[side].append(time.perf_counter() - begin)
            if status != 200:
                raise RuntimeError(f"a request was answered with {status}")
    return statistics.median(times[0]) / statistics.median(times[1])
