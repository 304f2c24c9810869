"""How well a graph answers its owner's own requests: a file of requests with the tools that are right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.domain.catalogue import Catalogue
from app.errors import InvalidInputError
from app.ports.ranking import RankedGraph
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from bench.measure.metrics import scores_of
from bench.methods.base import DEPTH, InProcess, Ranker
from bench.sets.datasets import Dataset, Question

METRICS = ("R@1", "R@5", "R@10", "NDCG@5", "NDCG@10", "MRR")
_MAX_CASES = 100_000
_NAMED = 5
"""How many unknown ids a message names."""


class CaseLine(BaseModel):
    """A line of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    query: Annotated[str, Field(min_length=1)]
    gold: Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]
    """Ids of the tools that answer it."""
    id: Annotated[str, Field(min_length=1)] | None = None
    """`line N` unless given."""


@dataclass(frozen=True, slots=True)
class AnsweredCase:
    """A request and what came of it."""

    id: str
    query: str
    gold: tuple[str, ...]
    found: tuple[str, ...]
    """The first tools of the answer."""
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CasesReport:
    """Figures of a file of requests."""

    method: str
    tools: int
    generation: int
    cases: int
    means: Mapping[str, float]
    worst: tuple[AnsweredCase, ...]
    """Those that are not answered fully by the first five tools, lowest recall first."""
    p50_ms: float


def read_cases(path: Path, *, max_bytes: int, max_query_chars: int) -> list[Question]:
    """The requests of a file with one JSON object per line: `query`, `gold` (tool ids), and `id` if wanted.

    Raises:
        InvalidInputError: the file is missing or too large, or a line is not what is accepted; the message names it.
    """
    if not path.is_file():
        raise InvalidInputError(f"--cases: {path} is not a file")
    size = path.stat().st_size
    if size > max_bytes:
        raise InvalidInputError(f"--cases: {path} has {size} bytes; accepted: {max_bytes}")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"--cases: {path} is not UTF-8: {error}") from error
    rows = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not 1 <= len(rows) <= _MAX_CASES:
        raise InvalidInputError(f"--cases: {path} has {len(rows)} requests; accepted: 1 to {_MAX_CASES}")
    return [_question(path, number, line, max_query_chars) for number, line in rows]


def measure_cases(
    questions: Sequence[Question],
    *,
    catalogue: Catalogue,
    graph: RankedGraph | None,
    method: SearchMethod,
    worst: int,
) -> CasesReport:
    """Ask every request.

    Raises:
        InvalidInputError: gold names tools that the graph does not have.
    """
    _refuse_unknown(questions, catalogue)
    dataset = Dataset("cases", catalogue, tuple(questions))

    def build(of: Dataset) -> Ranker:
        index = SearchIndex.build(of.catalogue)

        def rank(_: str, query: str) -> Sequence[str]:
            request = SearchRequest(query=query, top_k=DEPTH, method=method, prerequisites=0)
            return [match.id for match in search(request, ConsistentGraph(index, graph)).tools]

        return rank

    run = InProcess(method.value, "", build).run(dataset)
    scores = scores_of(dataset, run)
    answered = [
        AnsweredCase(
            question.id, question.text, question.gold, ranking[:5], {m: scores[m][place] for m in METRICS}
        )
        for place, (question, ranking) in enumerate(zip(questions, run.rankings, strict=True))
    ]
    return CasesReport(
        method=method.value,
        tools=len(catalogue.tools),
        generation=catalogue.generation,
        cases=len(questions),
        means={metric: sum(scores[metric]) / len(questions) for metric in METRICS},
        worst=tuple(_worst(answered)[:worst]),
        p50_ms=sorted(run.ms)[len(run.ms) // 2],
    )


def _worst(answered: Sequence[AnsweredCase]) -> list[AnsweredCase]:
    missed = [case for case in answered if case.scores["R@5"] < 1]
    return sorted(missed, key=lambda case: (case.scores["R@5"], case.scores["MRR"], case.id))


def _question(path: Path, number: int, line: str, max_query_chars: int) -> Question:
    place = f"--cases: {path.name}:{number}"
    try:
        row = CaseLine.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InvalidInputError(
            f"{place}: {where + ': ' if where else ''}{first['msg']}; "
            'accepted: {"query": text, "gold": [tool ids], "id": text, may be left out}'
        ) from error
    if len(row.query) > max_query_chars:
        raise InvalidInputError(
            f"{place}: query has {len(row.query)} characters; accepted: {max_query_chars}"
        )
    return Question(row.id or f"line {number}", row.query, tuple(dict.fromkeys(row.gold)), {}, "")


def _refuse_unknown(questions: Sequence[Question], catalogue: Catalogue) -> None:
    known = {str(tool.id) for tool in catalogue.tools}
    unknown = [
        f"{tool!r} ({question.id})" for question in questions for tool in question.gold if tool not in known
    ]
    if unknown:
        named = ", ".join(unknown[:_NAMED]) + (", ..." if len(unknown) > _NAMED else "")
        raise InvalidInputError(
            f"--cases: gold names {len(unknown)} tools that the graph does not have: {named}; "
            f"accepted: ids of its {len(known)} tools, as `outfitter query` prints them"
        )
