"""The service's own rankings, through the code that answers its users."""

from collections.abc import Sequence

from app.usecases.questions import SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from bench.methods.base import DEPTH, Ranker
from bench.sets.datasets import Dataset
from bench.sets.suggested import served_index


def service_ranker(dataset: Dataset, method: SearchMethod) -> Ranker:
    """A search over the set's catalogue in memory, as ingest would leave it: the formulas that both engines are held to.

    What the matches need is left out: it is no match.
    """
    graph = ConsistentGraph(served_index(dataset.catalogue))

    def rank(_: str, query: str) -> Sequence[str]:
        request = SearchRequest(query=query, top_k=DEPTH, method=method, prerequisites=0)
        return [match.id for match in search(request, graph).tools]

    return rank
