"""Which tools cannot be found, and why: measured on what was written down of what people ask for."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import Tool
from app.usecases.index.search_index import SearchIndex
from app.usecases.rankings.auto import rank_auto
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.rankings.weighed import weighed

FOUND_AT = 5
"""Places that count as found: what an answer gives unless more is asked for."""
_NAMED = 3
"""Other tools that are named."""
_NOTICED = 0.05
"""How much nearer to the first place requests come at least where no more of them find the tool."""


class SymptomKind(StrEnum):
    """Why a tool is hard to find."""

    NO_DESCRIPTION = "no_description"
    """Its publisher says nothing of it, or its name once more."""
    SAME_AS_SIBLINGS = "same_as_siblings"
    """Other tools of its server say the same of themselves."""
    REQUESTS_ELSEWHERE = "requests_elsewhere"
    """Half or more of what people ask it for leads to others."""


@dataclass(frozen=True, slots=True)
class Symptom:
    """One of the reasons."""

    kind: SymptomKind
    tools: tuple[str, ...] = ()
    """Those that say the same, or to which requests lead, the most frequent first."""


@dataclass(frozen=True, slots=True)
class Findability:
    """How requests for a tool find it."""

    requests: int
    found: int
    """Those that have it among the first `FOUND_AT`."""
    reciprocal: float
    """Mean of 1 / place; 0 without requests."""


@dataclass(frozen=True, slots=True)
class Examined:
    """A tool that is hard to find."""

    tool: str
    symptoms: tuple[Symptom, ...]
    now: Findability
    """By what its publisher and methods say, without the requests themselves."""


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found of some tools."""

    tools: int
    """That were looked at."""
    measured: int
    """Of which requests are known."""
    now: Findability
    """Over all of these."""
    sick: Sequence[Examined]


@dataclass(frozen=True, slots=True)
class Lift:
    """What other descriptions change."""

    tools: Mapping[str, Findability]
    """Of those whose descriptions are others."""
    overall: Findability
    """Over all that were examined: what helps some may hurt others."""


class Doctor:
    """Examines tools of one catalogue.

    Requests are what was written for a tool, and the examples of an operator's methods that it implements. Neither is
    a word of the index that they are asked of: what is measured is how far descriptions, names and schemas go.

    Args:
        catalogue: All tools; requests are asked among all of them.
        on_tool: Called for each tool that is examined.
    """

    def __init__(self, catalogue: Catalogue, *, on_tool: Callable[[], None] = lambda: None) -> None:
        self._requests = _requests_of(catalogue)
        self._catalogue = _without_requests(catalogue)
        self._graph = ConsistentGraph(SearchIndex.build(self._catalogue))
        self._on_tool = on_tool

    def examine(self, tools: Sequence[Tool]) -> Examination:
        """What is wrong with these tools; those that only a taxonomy names are left out."""
        looked_at = [tool for tool in tools if not tool.declared]
        same = _same_texts(self._catalogue.tools)
        sick: list[Examined] = []
        each: list[Findability] = []
        for tool in looked_at:
            now, elsewhere = self._measure(tool, self._graph)
            each.append(now)
            symptoms = []
            if _says_nothing(tool):
                symptoms.append(Symptom(SymptomKind.NO_DESCRIPTION))
            elif others := [one for one in same[_said(tool)] if one != tool.id]:
                symptoms.append(Symptom(SymptomKind.SAME_AS_SIBLINGS, tuple(others[:_NAMED])))
            if now.requests and 2 * now.found <= now.requests:
                symptoms.append(Symptom(SymptomKind.REQUESTS_ELSEWHERE, tuple(elsewhere[:_NAMED])))
            if symptoms:
                sick.append(Examined(tool.id, tuple(symptoms), now))
            self._on_tool()
        measured = sum(one.requests > 0 for one in each)
        return Examination(len(looked_at), measured, _sum(each), sick)

    def lift(self, tools: Sequence[Tool], texts: Mapping[str, str]) -> Lift:
        """How tools would be found if these were the descriptions of some of them, all at once.

        Args:
            tools: That were examined.
            texts: Tool id -> description.
        """
        changed = tuple(
            tool.model_copy(update={"description": texts[tool.id]}) if tool.id in texts else tool
            for tool in self._catalogue.tools
        )
        graph = ConsistentGraph(SearchIndex.build(replace(self._catalogue, tools=changed)))
        after = {str(tool.id): self._measure(tool, graph)[0] for tool in tools if not tool.declared}
        return Lift({tool: after[tool] for tool in texts if tool in after}, _sum(after.values()))

    def helpful(
        self, examination: Examination, tools: Sequence[Tool], texts: Mapping[str, str]
    ) -> tuple[Mapping[str, str], Lift]:
        """The descriptions by which their tools are found better, and those of tools without requests; and their lift.

        Args:
            examination: Of these tools.
            tools: That were examined.
            texts: Tool id -> description.
        """
        now = {one.tool: one.now for one in examination.sick}
        after = self.lift(tools, texts).tools
        helping = {
            tool: text
            for tool, text in texts.items()
            if not now[tool].requests or _is_better(after[tool], now[tool])
        }
        return helping, self.lift(tools, helping)

    def _measure(self, tool: Tool, graph: ConsistentGraph) -> tuple[Findability, list[str]]:
        """How the tool's requests find it, and what they find before it, the most frequent first."""
        position = graph.index.positions[tool.id]
        requests = self._requests.get(tool.id, ())
        found, reciprocal = 0, 0.0
        others: Counter[str] = Counter()
        for text in requests:
            ranking = weighed(rank_auto(text, graph), graph.index, None)
            place = ranking.rank_of(position, None)
            found += place is not None and place <= FOUND_AT
            reciprocal += 1 / place if place else 0.0
            if place != 1 and (first := ranking.best(1, None)):
                others[graph.index.catalogue.tools[first[0]].id] += 1
        mean = reciprocal / len(requests) if requests else 0.0
        return Findability(len(requests), found, mean), [one for one, _ in others.most_common()]


def _requests_of(catalogue: Catalogue) -> Mapping[str, tuple[str, ...]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for tool in catalogue.tools:
        found[tool.id] += [one.text for one in tool.requests]
    for method in catalogue.methods:
        for implementing in method.implements:
            found[implementing] += method.examples
    return {tool: tuple(dict.fromkeys(texts)) for tool, texts in found.items() if texts}


def _without_requests(catalogue: Catalogue) -> Catalogue:
    tools = tuple(tool.model_copy(update={"requests": ()}) for tool in catalogue.tools)
    methods = tuple(
        method if method.common else method.model_copy(update={"examples": ()})
        for method in catalogue.methods
    )
    return replace(catalogue, tools=tools, methods=methods)


def _said(tool: Tool) -> tuple[str, str]:
    return tool.server, " ".join(tool.description.casefold().split())


def _same_texts(tools: Iterable[Tool]) -> Mapping[tuple[str, str], list[str]]:
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for tool in tools:
        found[_said(tool)].append(tool.id)
    return found


def _says_nothing(tool: Tool) -> bool:
    letters = "".join(each for each in tool.description.casefold() if each.isalnum())
    return letters in (
        "",
        *("".join(each for each in name.casefold() if each.isalnum()) for name in (tool.name, tool.title)),
    )


def _sum(each: Iterable[Findability]) -> Findability:
    some = [one for one in each if one.requests]
    requests = sum(one.requests for one in some)
    reciprocal = sum(one.reciprocal * one.requests for one in some)
    return Findability(requests, sum(one.found for one in some), reciprocal / requests if requests else 0.0)


def _is_better(after: Findability, now: Findability) -> bool:
    nearer = after.found == now.found and after.reciprocal >= now.reciprocal + _NOTICED
    return after.found > now.found or nearer
