"""What Prometheus reads; one registry per app, so that two apps in a process do not meet."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from app.answers.search import QueryAnswer
from app.usecases.index.snapshots import SnapshotKeeper

_SECONDS = (0.001, 0.002, 0.003, 0.004, 0.006, 0.008, 0.012, 0.02, 0.04, 0.1, 0.3, 1.0, 3.0, 10.0)


class Metrics:
    """Counters of one app."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=True)
        self.requests = Histogram(
            "outfitter_request_seconds",
            "Requests by route, method and status; the count is the number of requests.",
            ("route", "method", "status"),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.queries = Histogram(
            "outfitter_query_seconds",
            "Queries by ranking, from the parsed request to the serialised answer.",
            ("method",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.plans = Histogram(
            "outfitter_plan_seconds",
            "Plans, from the parsed request to the serialised answer.",
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.abstained = Counter(
            "outfitter_abstained", "Queries that no tool fitted.", ("method",), registry=self.registry
        )
        self.from_memory = Counter(
            "outfitter_from_memory",
            "Queries whose graph scores were computed from the snapshot, not by the graph.",
            ("method",),
            registry=self.registry,
        )

        self.refused = Counter(
            "outfitter_refused",
            "Connections that were refused before a request was there, by status.",
            ("status",),
            registry=self.registry,
        )

        self.webhook = Counter(
            "outfitter_webhook",
            "Notices to the webhook, by what became of them.",
            ("outcome",),
            registry=self.registry,
        )

    def count_notice(self, outcome: str) -> None:
        """Count a notice that was delivered, or not."""
        self.webhook.labels(outcome).inc()

    def count_query(self, answer: QueryAnswer, method: str, seconds: float) -> None:
        """Count a query that was answered."""
        self.queries.labels(method).observe(seconds)
        if answer.abstained:
            self.abstained.labels(method).inc()
        if not answer.from_graph:
            self.from_memory.labels(method).inc()

    def watch(self, keeper: SnapshotKeeper) -> None:
        """Report the snapshot and the graph as they are when they are asked for."""
        self.registry.register(_Snapshot(keeper))


class _Snapshot(Collector):
    def __init__(self, keeper: SnapshotKeeper) -> None:
        self._keeper = keeper

    def collect(self) -> Iterator[Metric]:
        current, health = self._keeper.current, self._keeper.health
        index = current.index if current else None
        values = (
            ("generation", "Generation that answers come from.", index.generation if index else 0),
            ("tools", "Tools in the catalogue.", len(index.catalogue.tools) if index else 0),
            (
                "snapshot_build_seconds",
                "Time that the last snapshot took.",
                current.build_s if current else 0,
            ),
            ("snapshot_ready", "1 when there is a snapshot.", current is not None),
            ("ingest_in_progress", "1 while an ingest writes, or after one was killed.", health.writing),
            ("graph_reachable", "1 when the graph database answers.", health.reachable),
        )
        for name, documentation, value in values:
            yield GaugeMetricFamily(f"outfitter_{name}", documentation, value=float(value))
