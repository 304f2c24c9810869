"""One run of `outfitter enrich requests`: which tools lack requests, what asking costs, and the asking."""

import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar

from app.domain.moments import utc_text
from app.domain.nodes.models import NodeKind, Tool, ToolRequest
from app.domain.requests.answer import OtherTools, Requests
from app.domain.requests.prompt import RequestWish, question_tokens
from app.errors import InvalidInputError, ReaderUnavailableError
from app.ports.graph import GraphWriter
from app.ports.requests import RequestAuthor, WrittenRequests
from ingest.enrich.requests.kept import by_tool, is_current, put_requests
from ingest.requests.cache import AnswerCache
from ingest.requests.file import RejectedRequest, RequestFile, requests_for
from ingest.run.request import Progress

T = TypeVar("T")
_BATCH = 100
"""Tools whose requests are written as one generation: what is lost at most when a run is killed, but for the cache."""
_REASONS = 2
"""Why an answer is refused: reasons that are given at most."""
_FAILURES = 3
"""Answers in a row that do not come: then it is the endpoint, and not a tool."""


@dataclass(frozen=True, slots=True)
class RequestPlan:
    """Which tools are asked about, and about what that costs."""

    wish: RequestWish
    ask: Sequence[Tool]
    cached: Sequence[Tool]
    """The model has answered for them before; nothing is sent."""
    current: int
    """Tools that have requests for what they are, in all languages asked for."""
    declared: int
    """Tools of which only the names are known."""

    @property
    def prompt_tokens(self) -> int:
        """About how many tokens are sent, where each first answer is good."""
        return sum(question_tokens(tool, self.wish) for tool in self.ask)

    @property
    def answer_tokens(self) -> int:
        """About how many come back."""
        return len(self.ask) * self.wish.answer_tokens


@dataclass(slots=True)
class RequestReport:
    """What a run wrote, and what it did not."""

    tools: int = 0
    """Tools that have other requests now."""
    requests: int = 0
    tokens: int = 0
    """That the endpoint counted, or an estimate."""
    rejected: list[RejectedRequest] = field(default_factory=list)
    """Tools without an answer that can be kept, and requests that are not kept."""
    stopped: str = ""
    """Why the run ended before its end; another run goes on from there."""
    generation: int = 0


@dataclass(frozen=True, slots=True)
class Writer:
    """Where requests go, and in whose name."""

    graph: GraphWriter
    owner: str
    lease_wait_s: float

    def put(self, written: Mapping[str, tuple[Tool, Sequence[ToolRequest]]], report: RequestReport) -> None:
        """Keep these, and count them."""
        if not written:
            return
        at = utc_text(datetime.now(UTC))
        passed = put_requests(self.graph, written, owner=self.owner, lease_wait_s=self.lease_wait_s, at=at)
        report.rejected += [
            RejectedRequest(f"tool {tool!r}", "it is another one since it was asked about") for tool in passed
        ]
        kept = [requests for tool, (_, requests) in written.items() if tool not in set(passed)]
        report.tools += len(kept)
        report.requests += sum(map(len, kept))


def plan_requests(
    graph: GraphWriter,
    wish: RequestWish,
    *,
    model: str,
    cache: AnswerCache,
    servers: Collection[str] = (),
    tools: Collection[str] = (),
) -> RequestPlan:
    """Which tools lack requests.

    Args:
        graph: Knows them.
        wish: What is wanted for each.
        model: Whose answers of before are good.
        cache: Has these.
        servers: Only their tools; all where neither is given.
        tools: Only these, by id.

    Raises:
        InvalidInputError: no tool has the id, or no server the name.
    """
    chosen = _chosen(all_tools(graph), servers=servers, tools=tools)
    kept = by_tool(graph.requests_of([tool.id for tool in chosen]))
    ask: list[Tool] = []
    cached: list[Tool] = []
    current = declared = 0
    for tool in chosen:
        there = kept.get(tool.id, [])
        if tool.declared:
            declared += 1
        elif there and is_current(there, tool) and {one.language for one in there} >= set(wish.languages):
            current += 1
        else:
            (cached if cache.find(tool, wish, model=model) else ask).append(tool)
    return RequestPlan(wish, ask, cached, current, declared)


def write_requests(
    writer: Writer,
    author: RequestAuthor,
    plan: RequestPlan,
    *,
    cache: AnswerCache,
    at_once: int,
    progress: Progress,
) -> RequestReport:
    """Ask about each tool alone, and keep what can be kept, some tools at a time.

    Args:
        writer: Keeps it.
        author: Is asked.
        plan: About which tools.
        cache: Remembers each answer as it comes.
        at_once: How many questions wait for their answers at the same time.
        progress: Called for each tool.
    """
    report = RequestReport()
    others = OtherTools(all_tools(writer.graph))
    progress.begin("requests", len(plan.cached) + len(plan.ask))
    for batch in _batches(plan.cached):
        _put(writer, batch, plan, author.model, cache, report)
        progress.advance(len(batch))
    asking = _Asking(author, plan.wish, others)
    with ThreadPoolExecutor(at_once, thread_name_prefix="requests") as pool:
        for batch in _batches(plan.ask):
            answered: list[Tool] = []
            try:
                for tool, written in zip(batch, pool.map(asking.ask, batch), strict=True):
                    if written is None:
                        continue
                    report.tokens += written.tokens
                    if not written.requests:
                        why = "; ".join(written.problems[:_REASONS])
                        report.rejected.append(RejectedRequest(f"tool {tool.id!r}", why))
                    else:
                        at = utc_text(datetime.now(UTC))
                        cache.keep(tool, plan.wish, written.requests, model=author.model, at=at)
                        answered.append(tool)
                    progress.advance(1)
            except BaseException:
                asking.stop("it was ended")
                raise
            _put(writer, answered, plan, author.model, cache, report)
            if asking.stopped:
                report.stopped = asking.stopped
                break
    report.generation = writer.graph.state().generation
    return report


def keep_file(writer: Writer, file: RequestFile, *, dry_run: bool) -> RequestReport:
    """Keep what a file says, in place of what its tools had.

    Args:
        writer: Keeps it.
        file: As it was read.
        dry_run: Say what would be kept, and keep nothing.
    """
    tools = {tool.id: tool for tool in all_tools(writer.graph)}
    found, rejected = requests_for(
        file, {str(id_): one for id_, one in tools.items()}, OtherTools(tools.values())
    )
    report = RequestReport(rejected=rejected)
    models = {str(item.tool): item.model for item in file.items}
    at = utc_text(datetime.now(UTC))
    by_id = {str(id_): one for id_, one in tools.items()}
    written = {
        id_: (by_id[id_], tool_requests(said, model=models[id_], at=at)) for id_, said in found.items()
    }
    if dry_run:
        report.tools, report.requests = len(written), sum(len(said) for _, said in written.values())
    else:
        for batch in _batches(list(written)):
            writer.put({id_: written[id_] for id_ in batch}, report)
    report.generation = writer.graph.state().generation
    return report


def tool_requests(requests: Requests, *, model: str, at: str) -> tuple[ToolRequest, ...]:
    """Requests with who wrote them when."""
    return tuple(
        ToolRequest(text=text, language=language, model=model, at=at)
        for language, texts in requests.items()
        for text in texts
    )


def all_tools(graph: GraphWriter) -> list[Tool]:
    """Every tool, by id."""
    return graph.found_tools([name.id for name in graph.node_names(NodeKind.TOOL)])


class _Asking:
    """Asks from several threads, until the endpoint seems to be away."""

    def __init__(self, author: RequestAuthor, wish: RequestWish, others: OtherTools) -> None:
        self._author = author
        self._wish = wish
        self._others = others
        self._lock = threading.Lock()
        self._failures = 0
        self.stopped = ""
        """Why nobody is asked any more."""

    def ask(self, tool: Tool) -> WrittenRequests | None:
        """What the author says; None once the asking has stopped."""
        if self.stopped:
            return None
        try:
            written = self._author.write(tool, self._wish, self._others)
        except ReaderUnavailableError as error:
            with self._lock:
                self._failures += 1
                if self._failures >= _FAILURES:
                    self.stop(str(error))
            return WrittenRequests({}, (str(error),), 0)
        with self._lock:
            self._failures = 0
        return written

    def stop(self, why: str) -> None:
        """Nobody is asked any more."""
        self.stopped = self.stopped or why


def _put(
    writer: Writer,
    tools: Iterable[Tool],
    plan: RequestPlan,
    model: str,
    cache: AnswerCache,
    report: RequestReport,
) -> None:
    written = {}
    for tool in tools:
        if answer := cache.find(tool, plan.wish, model=model):
            written[str(tool.id)] = (tool, tool_requests(answer.requests, model=model, at=answer.at))
    writer.put(written, report)


def _chosen(found: Sequence[Tool], *, servers: Collection[str], tools: Collection[str]) -> list[Tool]:
    there = {tool.id for tool in found}
    if unknown := sorted(set(tools) - {str(one) for one in there}):
        raise InvalidInputError(f"no tool {unknown[0]!r}; an id is server/name")
    known = {tool.server for tool in found if tool.server}
    if missing := sorted(set(servers) - known):
        raise InvalidInputError(
            f"no server {missing[0]!r}; accepted: {', '.join(sorted(known)[:10]) or 'none yet'}"
        )
    if not servers and not tools:
        return list(found)
    return [tool for tool in found if tool.server in servers or tool.id in set(tools)]


def _batches(items: Sequence[T]) -> Iterable[Sequence[T]]:
    return (items[start : start + _BATCH] for start in range(0, len(items), _BATCH))
