"""What callers and policies cost: a service under them against the same one without, in turns."""

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.adapters.access_files.callers import read_callers
from app.domain.access.callers import digest_of
from app.settings import Settings
from bench.served.against import compare_checkouts
from bench.served.http_client import HttpClient
from bench.served.interfaces import Interface
from bench.served.issued import measure_issued
from bench.served.served import (
    Running,
    bench_settings,
    child_environment,
    empty_graph,
    ingest_inputs,
    running_service,
)
from bench.sets.manifests import grown_catalogue, write_manifests
from bench.sets.toolbench_graph import Engine
from ingest.sources.files import manifest_inputs

_EACH: Final = 10
"""Callers of one set of rules."""
_SHARE: Final = 0.3
"""Of the servers, to each set of rules."""
_AT_HAND: Final = 10
"""Sets of rules whose views are all kept, whatever the number of tools of the bench."""
_WITHIN_S: Final = 60.0
_LOOK_UPS: Final = 20_000
_SEED: Final = 16


@dataclass(frozen=True, slots=True)
class CallersCost:
    """What was measured."""

    tools: int
    callers: int
    rules: int
    rounds: int
    rest_p50_ms: float
    """Median over the rounds of the difference in p50, views at hand; as the next three."""
    rest_p99_ms: float
    mcp_p50_ms: float
    mcp_p99_ms: float
    plain_p50_ms: float
    """By REST without policies."""
    mixed_p50_ms: float
    """The difference in p50 where all sets of rules ask in turn, so that views are made again."""
    first_query_ms: float
    """Median of the first answers of new views."""
    first_plan_ms: float
    """The same where the first question is for a plan."""
    views_mb: float
    """Memory of its own that the service got by all sets of rules asking once."""
    change_s: float
    """From writing other policies until an answer shows them."""
    revoked_s: float
    """From taking a caller out until its token is refused."""
    look_up_us: float
    """Of a token among all callers."""
    new_token_us: float
    """To check an issuer's token that comes for the first time; of the algorithms, that which takes longest."""
    known_token_us: float
    """The same when it comes again."""
    ratio: float | None
    """Median latency by REST without policies to that of the other checkout; the median over the rounds."""
    other_answers: int | None
    """Answers of both checkouts to queries, plans and MCP messages that were compared, each once."""
    differing: int | None
    """Of these, those whose status or body is not the same, times and generations aside."""


def measure_callers(
    data: Path,
    *,
    tools: int,
    sets: int,
    rounds: int,
    requests: int,
    against: Path | None,
    say: Callable[[str], None],
) -> CallersCost:
    """Ingest, serve twice, ask both in turns.

    Args:
        data: Folder with the public sets.
        tools: Of the grown catalogue.
        sets: Distinct sets of rules, two rules each, ten callers each.
        rounds: How often all is asked.
        requests: Of a round, by each way.
        against: Another checkout, whose service is asked as well; None: none.
        say: Called with each step.

    Raises:
        InvalidInputError: a file of the data folder is missing.
        StoreUnavailableError: the database or a service did not come up.
    """
    catalogue = grown_catalogue(data)
    texts = [one.text for one in catalogue.queries()]
    with (
        tempfile.TemporaryDirectory(prefix="outfitter-callers-") as name,
        bench_settings(Engine.EMBEDDED) as settings,
    ):
        folder = Path(name)
        # Vectors take minutes to be made, and their part of a query is the same on both sides.
        settings = settings.model_copy(update={"encoder": "none"})
        (folder / "tools").mkdir()
        write_manifests(catalogue, folder / "tools", limit=tools)
        inputs = manifest_inputs([folder / "tools"])
        team = Team(folder, sorted(one.path.stem for one in inputs if one.path), sets)
        with empty_graph(settings) as store:
            ingest_inputs(store, settings, inputs)
            say(f"{tools} tools ingested")
            checkouts = None
            with running_service(settings) as plain:
                say("serving without policies")
                if against is not None:
                    with _other(against, folder / "tools", settings, say) as other:
                        checkouts = compare_checkouts(plain, other, texts, rounds=rounds, requests=requests)
                        say(
                            f"{checkouts.ratio:.3f} of the latency of {against};"
                            f" {checkouts.differing} of {checkouts.answers} answers differ"
                        )
                with running_service(settings, more=team.environment) as ruled:
                    say(f"serving {len(team.tokens)} callers")
                    found = _Asked(plain, ruled, team, texts)
                    found.wait()
                    before = ruled.own_mb()
                    first_query = found.first("/v1/query", "query", range(sets))
                    views_mb = ruled.own_mb() - before
                    at_hand = {
                        one: found.differences(one, range(_AT_HAND), rounds, requests)
                        for one in (Interface.REST, Interface.MCP)
                    }
                    mixed = found.differences(Interface.REST, range(sets), rounds, requests)
                    say("asked in turns")
                    change_s = found.changed()
                    first_plan = found.first("/v1/plan", "goal", range(sets))
                    revoked_s = found.revoked()
                    look_up_us = team.look_up_us()
    issued = measure_issued().values()
    return CallersCost(
        tools=tools,
        callers=len(team.tokens),
        rules=2 * sets,
        rounds=rounds,
        rest_p50_ms=at_hand[Interface.REST].p50,
        rest_p99_ms=at_hand[Interface.REST].p99,
        mcp_p50_ms=at_hand[Interface.MCP].p50,
        mcp_p99_ms=at_hand[Interface.MCP].p99,
        plain_p50_ms=at_hand[Interface.REST].plain,
        mixed_p50_ms=mixed.p50,
        first_query_ms=first_query,
        first_plan_ms=first_plan,
        views_mb=views_mb,
        change_s=change_s,
        revoked_s=revoked_s,
        look_up_us=look_up_us,
        new_token_us=max(one.new_us for one in issued),
        known_token_us=max(one.known_us for one in issued),
        ratio=checkouts.ratio if checkouts else None,
        other_answers=checkouts.answers if checkouts else None,
        differing=checkouts.differing if checkouts else None,
    )


class Team:
    """Files of callers and policies."""

    def __init__(self, folder: Path, servers: Sequence[str], sets: int) -> None:
        chance = random.Random(_SEED)  # noqa: S311 - tokens of a bench
        self._callers, self._policies = folder / "callers.yaml", folder / "policies.yaml"
        self.tokens = [f"oft_{chance.getrandbits(254):064x}"[:47] for _ in range(_EACH * sets)]
        self._grants = [chance.sample(servers, max(1, round(_SHARE * len(servers)))) for _ in range(sets)]
        self.let_in(self.tokens)
        self.grant(denied="*/delete_*")

    @property
    def environment(self) -> Mapping[str, str]:
        """What makes a service heed the files."""
        return {"OUTFITTER_CALLERS": str(self._callers), "OUTFITTER_POLICIES": str(self._policies)}

    def token_of(self, group: int, turn: int) -> str:
        """One of the callers of a set of rules."""
        return self.tokens[group * _EACH + turn % _EACH]

    def let_in(self, tokens: Sequence[str]) -> None:
        """These callers and no others."""
        number = {token: at for at, token in enumerate(self.tokens)}
        entries = [
            {
                "name": f"caller-{number[one]}",
                "sha256": digest_of(one),
                "groups": [f"group-{number[one] // _EACH}"],
                "scopes": ["tools:find", "tools:plan"],
            }
            for one in tokens
        ]
        _write(self._callers, {"callers": entries})

    def grant(self, *, denied: str) -> None:
        """Servers to each group, but for tools of a pattern."""
        rules: list[dict[str, Any]] = []
        for at, servers in enumerate(self._grants):
            group = [f"group-{at}"]
            sources = [f"manifest:{one}" for one in servers]
            rules.append({"id": f"grant-{at}", "to": group, "may": ["plan"], "sources": sources})
            rules.append({"id": f"deny-{at}", "to": group, "deny": ["find"], "tools": [denied]})
        _write(self._policies, {"policies": rules})

    def look_up_us(self) -> float:
        """Microseconds to know a token."""
        listed = read_callers(self._callers)
        tokens = [*zip(range(_LOOK_UPS), cycle(self.tokens), strict=False)]
        begin = time.perf_counter()
        for _, token in tokens:
            _ = listed.by_digest.get(digest_of(token))
        return (time.perf_counter() - begin) / _LOOK_UPS * 1e6


@dataclass(frozen=True, slots=True)
class _Differences:
    """Medians over rounds."""

    p50: float
    p99: float
    plain: float


class _Asked:
    """Both services."""

    def __init__(self, plain: Running, ruled: Running, team: Team, texts: Sequence[str]) -> None:
        self._plain, self._ruled, self._team, self._texts = plain, ruled, team, texts

    def wait(self) -> None:
        """Until it is known who provides what."""
        headers = {"Authorization": f"Bearer {self._team.tokens[-1]}"}
        with _client(self._ruled) as client:
            _until(lambda: client.get("/v1/sources", headers)[0] == 200)

    def differences(
        self, interface: Interface, groups: Sequence[int], rounds: int, requests: int
    ) -> _Differences:
        """One request to each service in turn, which of them first changes; what the first round takes does not count."""
        found = []
        with _client(self._plain) as plain, _client(self._ruled) as ruled:
            for turn in range(rounds + 1):
                times: tuple[list[float], list[float]] = ([], [])
                for at in range(requests):
                    body = interface.body(self._texts[at % len(self._texts)])
                    token = self._team.token_of(groups[at % len(groups)], turn)
                    sides = [(plain, {}, 0), (ruled, {"Authorization": f"Bearer {token}"}, 1)]
                    for client, headers, side in sides if at % 2 else reversed(sides):
                        begin = time.perf_counter()
                        status, _ = client.post(interface.path, body, {**interface.headers, **headers})
                        times[side].append((time.perf_counter() - begin) * 1000)
                        _check(status)
                found.append([float(np.percentile(one, share)) for one in times for share in (50, 99)])
        counted = np.array(found[1:])
        return _Differences(
            float(np.median(counted[:, 2] - counted[:, 0])),
            float(np.median(counted[:, 3] - counted[:, 1])),
            float(np.median(counted[:, 0])),
        )

    def first(self, path: str, field: str, groups: Sequence[int]) -> float:
        """Milliseconds of the first answer of each set of rules, the median."""
        with _client(self._ruled) as client:
            times = []
            for at in groups:
                body = json.dumps({field: self._texts[at % len(self._texts)]}).encode()
                headers = {"Authorization": f"Bearer {self._team.token_of(at, 0)}"}
                begin = time.perf_counter()
                status, _ = client.post(path, body, headers)
                times.append((time.perf_counter() - begin) * 1000)
                _check(status)
        return statistics.median(times)

    def changed(self) -> float:
        """Seconds until nobody sees anything, then all is as before, but for other rules."""
        headers = {"Authorization": f"Bearer {self._team.tokens[0]}"}
        with _client(self._ruled) as client:
            begin = time.perf_counter()
            self._team.grant(denied="*")
            _until(lambda: json.loads(client.get("/v1/tools?limit=1", headers)[1]).get("total") == 0)
            seconds = time.perf_counter() - begin
            self._team.grant(denied="*/remove_*")
            _until(lambda: json.loads(client.get("/v1/tools?limit=1", headers)[1]).get("total") != 0)
        return seconds

    def revoked(self) -> float:
        """Seconds until a token that is taken out is refused."""
        headers = {"Authorization": f"Bearer {self._team.tokens[0]}"}
        with _client(self._ruled) as client:
            begin = time.perf_counter()
            self._team.let_in(self._team.tokens[1:])
            _until(lambda: client.get("/v1/facets", headers)[0] == 401)
            return time.perf_counter() - begin


@contextmanager
def _other(
    checkout: Path, manifests: Path, settings: Settings, say: Callable[[str], None]
) -> Iterator[Running]:
    """The service of another checkout over the same documents, in a folder of its own."""
    with bench_settings(Engine.EMBEDDED) as apart:
        apart = apart.model_copy(update={"encoder": settings.encoder})
        subprocess.run(  # noqa: S603 - ours, of the checkout that the caller names
            [sys.executable, "-m", "app.commands.main", "ingest", "manifest", str(manifests)],
            env=child_environment(apart, checkout),
            cwd=checkout,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        say(f"{checkout} has ingested them")
        with running_service(apart, checkout=checkout) as service:
            yield service


def _client(service: Running) -> HttpClient:
    return HttpClient(service.host, service.port)


def _check(status: int) -> None:
    if status != 200:
        raise RuntimeError(f"a request was answered with {status}")


def _until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + _WITHIN_S
    while not true():
        if time.monotonic() > end:
            raise RuntimeError(f"nothing changed within {_WITHIN_S:g} s")
        time.sleep(0.02)


def _write(path: Path, value: object) -> None:
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(value), encoding="utf-8")
    beside.chmod(0o600)
    beside.replace(path)
