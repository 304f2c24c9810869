"""Readers and a writer at once: is every answer that of the generation that it names?"""

import json
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import yaml

from app.adapters.graph.store import GraphStore
from app.settings import Settings
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from bench.served.http_client import HttpClient, percentile_ms
from bench.served.served import bench_settings, empty_graph, ingest_inputs, running_service
from bench.sets.toolbench_graph import Engine
from ingest.sources.files import file_input, manifest_inputs

_LEFT_OUT = 0.15
"""Share of methods and tools that each new version of the documents leaves out."""
_FEWEST_VERSIONS = 3
_FOLLOW_S = 5.0
_PAUSE_S = 0.2
"""Between two versions, when the service answers from the graph."""
_METHODS = (SearchMethod.AUTO, SearchMethod.KG_HYBRID)

Found = tuple[tuple[str, float], ...]
Seen = tuple[int, int, Found]
"""Generation, number of the request, tools with scores."""


@dataclass(frozen=True, slots=True)
class Soak:
    """What came out."""

    engine: str
    seconds: float
    readers: int
    answers: int
    errors: int
    first_error: str
    written: int
    """Generations that the writer made."""
    answered: int
    """Generations that answers came from."""
    wrong: int
    """Answers that are not those of their generation."""
    from_memory: int
    """Answers whose graph scores were computed from the snapshot."""
    p50_ms: float
    p99_ms: float


def soak(
    *,
    engine: Engine,
    seconds: float,
    readers: int,
    seed: int = 0,
    say: Callable[[str], None] = lambda _: None,
) -> Soak:
    """Serve the examples while a writer ingests ever new versions of them, and check every answer.

    Raises:
        InvalidInputError: the Neo4j is not named or not empty.
        StoreUnavailableError: the database or the service did not come up.
    """
    with (
        as_file(files("examples")) as examples,
        tempfile.TemporaryDirectory(prefix="outfitter-soak-") as folder,
        bench_settings(engine) as settings,
        empty_graph(settings) as store,
    ):
        requests = _requests(examples)
        writer = _Writer(store, settings, Path(folder), examples, requests, random.Random(seed))  # noqa: S311
        writer.write()
        # What is expected is computed without vectors.
        with running_service(settings, more={"OUTFITTER_ENCODER": "none"}) as service:
            say(f"{readers} readers and a writer for {seconds:g} s")
            crowd = _Readers(service.host, service.port, requests, readers)
            crowd.start()
            end = time.monotonic() + seconds
            written = 0
            while time.monotonic() < end or written < _FEWEST_VERSIONS:
                writer.write()
                written += 1
                _let_follow(service.host, service.port, writer.generation)
            crowd.stop()
            with HttpClient(service.host, service.port) as client:
                metrics = client.get("/metrics")[1].decode().splitlines()
        wrong = sum(
            count
            for (generation, number, found), count in crowd.seen.items()
            if writer.expected.get((generation, number)) != found
        )
    return Soak(
        engine=engine.value,
        seconds=seconds,
        readers=readers,
        answers=sum(crowd.seen.values()),
        errors=len(crowd.errors),
        first_error=crowd.errors[0] if crowd.errors else "",
        written=len({generation for generation, _ in writer.expected}),
        answered=len({generation for generation, _, _ in crowd.seen}),
        wrong=wrong,
        from_memory=int(
            sum(
                float(line.rpartition(" ")[2])
                for line in metrics
                if line.startswith("outfitter_from_memory_total")
            )
        ),
        p50_ms=percentile_ms(crowd.times, 50),
        p99_ms=percentile_ms(crowd.times, 99),
    )


def _let_follow(host: str, port: int, generation: int) -> None:
    """Wait until the service answers from this generation, and a little more; not for ever."""
    end = time.monotonic() + _FOLLOW_S
    with HttpClient(host, port) as client:
        while time.monotonic() < end:
            if json.loads(client.get("/readyz")[1])["generation"] == generation:
                time.sleep(_PAUSE_S)
                return
            time.sleep(_PAUSE_S / 4)


def _requests(examples: Path) -> list[SearchRequest]:
    questions = json.loads((examples / "questions.json").read_text(encoding="utf-8"))
    return [SearchRequest(query=text, method=method, top_k=10) for text in questions for method in _METHODS]


class _Writer:
    """Makes versions of the examples, ingests them, and knows the answers of each generation."""

    def __init__(
        self,
        store: GraphStore,
        settings: Settings,
        folder: Path,
        examples: Path,
        requests: Sequence[SearchRequest],
        chance: random.Random,
    ) -> None:
        self.expected: dict[tuple[int, int], Found] = {}
        self.generation = 0
        self._store = store
        self._settings = settings
        self._folder = folder
        self._requests = requests
        self._chance = chance
        self._taxonomy = yaml.safe_load((examples / "taxonomy.yaml").read_text(encoding="utf-8"))
        self._manifests = {
            path.name: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted((examples / "manifests").glob("*.json"))
        }
        self._index: SearchIndex | None = None

    def write(self) -> None:
        """Ingest another version; from memory, the answers that its generation gives."""
        for name, manifest in self._manifests.items():
            tools = manifest["tools"] if isinstance(manifest, dict) else manifest
            (self._folder / name).write_text(json.dumps({"tools": self._some(tools)}), encoding="utf-8")
        methods = [self._varied(method) for method in self._some(self._taxonomy["methods"])]
        kept = {method["id"] for method in methods}
        taxonomy = {**self._taxonomy, "methods": [self._within(method, kept) for method in methods]}
        for part in ("templates", "concepts"):
            taxonomy[part] = [_without(entry, kept) for entry in self._taxonomy.get(part, [])]
        path = self._folder / "taxonomy.yaml"
        path.write_text(yaml.safe_dump(taxonomy), encoding="utf-8")
        inputs = [*manifest_inputs([self._folder]), file_input("taxonomy", path)]
        ingest_inputs(self._store, self._settings, inputs)
        self._remember()

    def _remember(self) -> None:
        catalogue = self._store.catalogue()
        self.generation = catalogue.generation
        self._index = SearchIndex.build(catalogue)
        graph = ConsistentGraph(self._index)
        for number, request in enumerate(self._requests):
            answer = search(request, graph)
            found = tuple((tool.id, _rounded(tool.score)) for tool in answer.tools)
            self.expected[catalogue.generation, number] = found

    def _some(self, items: Sequence[Any]) -> list[Any]:
        return [item for item in items if self._chance.random() > _LEFT_OUT]

    def _varied(self, method: dict[str, Any]) -> dict[str, Any]:
        tags = [*method.get("tags", []), self._chance.choice(("parcel", "money", "order", "customer"))]
        return {**method, "tags": tags}

    def _within(self, method: dict[str, Any], kept: set[str]) -> dict[str, Any]:
        """The method without relations to methods that are left out."""
        relations = method.get("relations")
        if not relations:
            return method
        cut = {
            kind: [one for one in targets if (one if isinstance(one, str) else one.get("id")) in kept]
            for kind, targets in relations.items()
        }
        return {**method, "relations": cut}


def _without(entry: dict[str, Any], kept: set[str]) -> dict[str, Any]:
    """A template or concept without methods that are left out."""
    cut = dict(entry)
    for field in ("methods", "related_to"):
        if field in cut:
            cut[field] = [method for method in cut[field] if method in kept]
    return cut


class _Readers:
    """Connections that ask without a pause and remember what they were answered."""

    def __init__(self, host: str, port: int, requests: Sequence[SearchRequest], readers: int) -> None:
        self.seen: Counter[Seen] = Counter()
        self.errors: list[str] = []
        self.times: list[float] = []
        self._address = host, port
        self._bodies = [
            json.dumps({"query": one.query, "method": one.method.value, "top_k": one.top_k}).encode()
            for one in requests
        ]
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._read, args=(number,)) for number in range(readers)]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End, when every reader has its last answer."""
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _read(self, position: int) -> None:
        seen: Counter[Seen] = Counter()
        times, errors = [], []
        try:
            with HttpClient(*self._address) as client:
                while not self._stopping.is_set():
                    number = position % len(self._bodies)
                    begin = time.perf_counter()
                    status, body = client.post("/v1/query", self._bodies[number])
                    times.append(time.perf_counter() - begin)
                    if status == 200:
                        answer = json.loads(body)
                        found = tuple((tool["id"], _rounded(tool["score"])) for tool in answer["tools"])
                        seen[answer["generation"], number, found] += 1
                    else:
                        errors.append(body.decode(errors="replace"))
                    position += 1
        except OSError as error:
            errors.append(str(error))
        with self._lock:
            self.seen += seen
            self.times += times
            self.errors += errors


def _rounded(score: float) -> float:
    return round(score, 6)
