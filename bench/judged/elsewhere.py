"""Questions asked of documents that they are not about: nothing there should be found."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from app.usecases.questions import Filters, SearchRequest
from app.usecases.search import search
from bench.measure.planner import PlanCatalogue
from bench.sets.datasets import lines
from bench.sets.goals import QuestionItem


@dataclass(frozen=True, slots=True)
class PairRow:
    """A question and a document that cannot answer it."""

    id: str
    own: str
    """The document that the question is about."""
    server: str
    abstained: bool


@cache
def answered_elsewhere() -> Mapping[str, frozenset[str]]:
    """Question -> other documents that can answer it, as somebody who read both says: `bench/goals/elsewhere.jsonl`."""
    rows = lines(files("bench") / "goals" / "elsewhere.jsonl")
    return {row["id"]: frozenset(row["servers"]) for row in rows}


def pair_rows(questions: tuple[QuestionItem, ...], catalogue: PlanCatalogue) -> tuple[PairRow, ...]:
    """Each question that its document answers, asked of each other document of a question that does not answer it."""
    servers = sorted({item.server for item in questions})
    return tuple(
        PairRow(item.id, item.server, server, _abstains(item.query, server, catalogue))
        for item in questions
        if item.gold
        for server in servers
        if server != item.server and server not in answered_elsewhere().get(item.id, ())
    )


def _abstains(query: str, server: str, catalogue: PlanCatalogue) -> bool:
    request = SearchRequest(query=query, top_k=1, prerequisites=0, filters=Filters(servers=(server,)))
    return search(request, catalogue.graph).abstained
