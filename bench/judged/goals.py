"""Goals as people type them, planned and judged; questions beside them, searched.

Each is asked in its own document alone. What nothing can answer is asked as a goal too: a plan for it should be empty.
"""

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.answers.search import QueryAnswer
from app.domain.nodes.models import Tool
from app.domain.requests.answer import OtherTools
from app.errors import InvalidInputError
from app.usecases.questions import Filters, PlanRequest, SearchRequest
from app.usecases.search import search
from bench.judged.elsewhere import PairRow, pair_rows
from bench.judged.judge import GoalVerdict, judge
from bench.measure.planner import PlanCatalogue, catalogue_of
from bench.sets.goals import GoalItem, GoalSet, QuestionItem
from bench.sets.openapi_tools import read_tools
from ingest.requests.file import read_request_file, requests_for
from ingest.requests.run import tool_requests

_DEPTH = 10
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class GoalRow:
    """A goal, its plan and what is to say of it."""

    id: str
    server: str
    goal: str
    steps: int
    """Required calls."""
    inputs: tuple[str, ...]
    """What the plan asks for."""
    verdict: GoalVerdict
    ms: float


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question and where its answer stands."""

    id: str
    server: str
    kind: str
    query: str
    answerable: bool
    rank: int
    """Of the first right operation among ten; 0 where no right one is found."""
    abstained: bool
    planned: int
    """Calls of the plan for it; 0 where it can be answered, as then nobody asks."""
    rank_of_all: int
    """As `rank`, of all documents together."""
    ms: float

    @property
    def reciprocal(self) -> float:
        """1 / rank."""
        return 1 / self.rank if self.rank else 0.0


@dataclass(frozen=True)
class GoalResults:
    """Everything that was asked."""

    fingerprint: str
    """Of the goals, questions, documents, requests and tasks: figures of equal fingerprints are figures of the same set."""
    goals: tuple[GoalRow, ...]
    questions: tuple[QuestionRow, ...]
    pairs: tuple[PairRow, ...]
    with_tasks: bool

    @property
    def unanswerable(self) -> list[QuestionRow]:
        """What nothing can answer."""
        return [row for row in self.questions if not row.answerable]

    def cases(self) -> dict[str, dict[str, list[float]]]:
        """Scores by goal and by question, in their order, by what they are of and metric."""
        answerable = [row for row in self.questions if row.answerable]
        return {
            "goals": {
                "signable": [float(row.verdict.signable) for row in self.goals],
                "bindings": [round(row.verdict.share_bound, _DIGITS) for row in self.goals],
                "calls": [round(row.verdict.recall, _DIGITS) for row in self.goals],
            },
            "goal questions": {
                "R@5": [float(1 <= row.rank <= 5) for row in answerable],
                "MRR": [round(row.reciprocal, _DIGITS) for row in answerable],
            },
        }


def catalogue_of_goals(found: GoalSet) -> PlanCatalogue:
    """The operations of all documents together, as the service would have them.

    Raises:
        InvalidInputError: something in the file of requests cannot be kept.
    """
    tools = [tool for server, path in found.documents.items() for tool in read_tools(path, server=server)]
    return catalogue_of(with_requests(tools, found.requests) if found.requests else tools)


def with_requests(tools: Sequence[Tool], path: Path) -> list[Tool]:
    """The tools with the requests of a file.

    Raises:
        InvalidInputError: it cannot be read, or something in it cannot be kept.
    """
    by_id = {str(tool.id): tool for tool in tools}
    try:
        file = read_request_file(path.read_bytes(), name=path.name)
    except OSError as error:
        raise InvalidInputError(f"{path}: {error}") from error
    said, rejected = requests_for(file, by_id, OtherTools(tools))
    if rejected:
        raise InvalidInputError(f"{path}: {rejected[0].item}: {rejected[0].reason}")
    return [
        tool.model_copy(update={"requests": tool_requests(said.get(tool.id, {}), model="", at="")})
        for tool in tools
    ]


def measure_goals(found: GoalSet, catalogue: PlanCatalogue) -> GoalResults:
    """Plan each goal, search each question."""
    tools = {tool.id: tool for tool in catalogue.tools}
    _ = catalogue.graph
    return GoalResults(
        goals_fingerprint(found),
        tuple(_goal_row(item, found, catalogue, tools.__getitem__) for item in found.goals),
        tuple(_question_row(item, found, catalogue, tools) for item in found.questions),
        pair_rows(found.questions, catalogue),
        bool(found.tasks),
    )


def _goal_row(
    item: GoalItem, found: GoalSet, catalogue: PlanCatalogue, tool_named: Callable[[Any], Tool]
) -> GoalRow:
    request = PlanRequest(
        goal=item.goal,
        known=item.known,
        tasks=found.tasks.get(item.id, ()),
        filters=Filters(servers=(item.server,)),
    )
    begin = time.perf_counter()
    plan = catalogue.plan(request)
    took = _ms_since(begin)
    verdict = judge(item, plan, tool_named)
    inputs = tuple(one.name for one in plan.inputs)
    return GoalRow(item.id, item.server, item.goal, len(item.required), inputs, verdict, took)


def _question_row(
    item: QuestionItem, found: GoalSet, catalogue: PlanCatalogue, tools: Mapping[Any, Tool]
) -> QuestionRow:
    filters = Filters(servers=(item.server,))
    request = SearchRequest(query=item.query, top_k=_DEPTH, prerequisites=0, filters=filters)
    gold = {(item.server, call) for call in item.gold}

    def rank_in(found: QueryAnswer) -> int:
        calls = (
            (tools[one.id].server, f"{tools[one.id].method} {tools[one.id].path}") for one in found.tools
        )
        return next((place for place, call in enumerate(calls, start=1) if call in gold), 0)

    begin = time.perf_counter()
    answer = search(request, catalogue.graph)
    took = _ms_since(begin)
    everywhere = search(request.model_copy(update={"filters": Filters()}), catalogue.graph) if gold else None
    planned = 0
    if not item.gold and not found.tasks:
        planned = len(catalogue.plan(PlanRequest(goal=item.query, filters=filters)).steps)
    return QuestionRow(
        item.id,
        item.server,
        item.kind,
        item.query,
        answerable=bool(gold),
        rank=rank_in(answer),
        abstained=answer.abstained,
        planned=planned,
        rank_of_all=rank_in(everywhere) if everywhere else 0,
        ms=took,
    )


def _ms_since(begin: float) -> float:
    return (time.perf_counter() - begin) * 1000


def goals_fingerprint(found: GoalSet) -> str:
    """SHA-256 of goals, questions, documents, requests and tasks."""
    digest = hashlib.sha256()
    for item in (*found.goals, *found.questions):
        digest.update(item.model_dump_json().encode())
    for path in (*found.documents.values(), *([found.requests] if found.requests else [])):
        digest.update(path.read_bytes())
    for goal, tasks in sorted(found.tasks.items()):
        digest.update(repr((goal, [task.model_dump_json() for task in tasks])).encode())
    return digest.hexdigest()


def goals_values(results: GoalResults) -> dict[str, Any]:
    """Everything as JSON has it."""
    goals = [asdict(row) for row in results.goals]
    for row, of in zip(goals, results.goals, strict=True):
        row["verdict"]["signable"] = of.verdict.signable
    return {
        "fingerprint": results.fingerprint,
        "goals": goals,
        "questions": [asdict(row) for row in results.questions],
        "pairs": [asdict(row) for row in results.pairs],
        "with_tasks": results.with_tasks,
    }
