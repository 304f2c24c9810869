"""Links from the tools of one server to methods, each with a confidence."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.language.text import auto_terms
from app.domain.linking.recipe import LINKING, LinkingRecipe
from app.domain.nodes.models import Method, MethodId, Tool, ToolId
from app.domain.ranking.intent import ACTIONS, Acts, compatibility, query_acts, tool_acts
from app.domain.ranking.intent_objects import path_terms, tool_object

Matrix = npt.NDArray[np.float64]

_CONFIDENCE_DIGITS = 2
_BATCH = 256
"""Tools that are compared at once, with 815 methods: 1.7 MB a matrix. 0.52 ms a tool server by server, 0.16 in batches (Toucan, 6 tools a server)."""
_DESCRIPTION = 250
"""Characters of a tool's description that say what it does; what follows tells how. 300, 600 and 1,500 are alike in
retrieval (Outfitter's own measurement of encoders); a link needs the gist."""


@dataclass(frozen=True, slots=True)
class MethodLink:
    """A tool that seems to carry a method out."""

    method: MethodId
    tool: ToolId
    confidence: float
    """(0, 1]."""


class MethodMatcher:
    """Methods as tools are compared with.

    Args:
        methods: What tools may carry out; the tags are what a method works on, the category is its domain.
        recipe: What counts how much.
    """

    def __init__(self, methods: Sequence[Method], *, recipe: LinkingRecipe = LINKING) -> None:
        self._methods = methods
        self._recipe = recipe
        documents = [Counter(_method_terms(method)) for method in methods]
        held = Counter(term for document in documents for term in document)
        self._vocabulary = {term: number for number, term in enumerate(sorted(held))}
        self._rarity = np.array(
            [math.log(1 + len(methods) / held[term]) for term in self._vocabulary], np.float64
        )
        self._rarest = math.log(1 + len(methods))
        self._words = self._unit_vectors(documents)
        self._acts = _act_vectors([query_acts(method.name) for method in methods])
        domains = {domain: number for number, domain in enumerate(dict.fromkeys(m.category for m in methods))}
        self._domain_of = np.array([domains[method.category] for method in methods], np.intp)
        self._by_domain = np.argsort(self._domain_of, kind="stable")
        self._domain_starts = np.searchsorted(self._domain_of[self._by_domain], np.arange(len(domains)))
        self._objects = self._object_shares(methods)

    def links(self, tools: Sequence[Tool]) -> list[MethodLink]:
        """The links of tools, by server, then in their order, the best first.

        A tool is linked to the methods that fit it best, unless another tool of its server fits them much better.
        """
        by_server: defaultdict[str, list[Tool]] = defaultdict(list)
        for tool in tools if self._methods else ():
            by_server[tool.server].append(tool)
        servers = [some for _, some in sorted(by_server.items())]
        found: list[MethodLink] = []
        for batch in _batches(servers):
            for some, scores in zip(batch, self.scores_of_servers(batch), strict=True):
                found += self._links_of_server(some, scores)
        return found

    def _links_of_server(self, tools: Sequence[Tool], scores: Matrix) -> list[MethodLink]:
        recipe = self._recipe
        best_of_method = scores.max(axis=0)
        found: list[MethodLink] = []
        for tool, row in zip(tools, scores, strict=True):
            least = max(recipe.least, float(row.max()) - recipe.tool_margin)
            fitting = np.flatnonzero((row >= least) & (row >= best_of_method - recipe.method_margin))
            for at in sorted(fitting.tolist(), key=lambda at: (-row[at], at))[: recipe.most]:
                confidence = round(min(1.0, float(row[at]) / recipe.full), _CONFIDENCE_DIGITS)
                found.append(MethodLink(self._methods[at].id, tool.id, confidence))
        return found

    def scores(self, tools: Sequence[Tool]) -> Matrix:
        """How well each tool of one server fits each method, (tools, methods), -1 to 3."""
        (found,) = self.scores_of_servers([tools])
        return found

    def scores_of_servers(self, servers: Sequence[Sequence[Tool]]) -> list[Matrix]:
        """`scores` of several servers: most have a few tools, for which setting up the arrays is most of the work."""
        tools, recipe = [tool for some in servers for tool in some], self._recipe
        words = self._unit_vectors(
            [Counter(_tool_terms(tool)) for tool in tools], list(map(_name_terms, tools))
        )
        cosines: Matrix = (words @ self._words.T).toarray()
        agreement = self._agreement([tool_acts(tool) for tool in tools])
        scores: Matrix = (
            recipe.word_weight * cosines
            + recipe.action_weight * agreement
            + recipe.object_weight * self._shares_named(tools)
        )
        votes = self._domain_votes(scores)
        starts = np.cumsum([0, *map(len, servers)]).tolist()
        for begin, end in pairwise(starts):
            shares = votes[begin:end].mean(axis=0)
            scores[begin:end] += recipe.domain_weight * np.sqrt(shares / shares.max())[self._domain_of]
        # What deletes does not carry out what adds, whatever else they have in common.
        scores[agreement < recipe.least_agreement] = -1.0
        return [scores[begin:end] for begin, end in pairwise(starts)]

    def _unit_vectors(
        self, documents: Sequence[Mapping[str, int]], names: Sequence[Mapping[str, int]] = ()
    ) -> sp.csr_matrix:
        """(documents, terms): (1 + ln count) times rarity, each row of length 1.

        Args:
            documents: How often each says which terms; those that no method has are left out.
            names: Of each document what it is called: what of it no method has lengthens the row, so that
                `scan the horizon` is less of a scan than `scan`.
        """
        rows, columns, values = [], [], []
        for row, document in enumerate(documents):
            for term, count in document.items():
                if (column := self._vocabulary.get(term)) is not None:
                    rows.append(row)
                    columns.append(column)
                    values.append((1 + math.log(count)) * self._rarity[column])
        shape = (len(documents), len(self._vocabulary))
        matrix = sp.csr_matrix((np.array(values, np.float64), (rows, columns)), shape=shape)
        squares = np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel()
        for row, name in enumerate(names):
            unknown = (count for term, count in name.items() if term not in self._vocabulary)
            squares[row] += self._recipe.unknown_weight * sum(
                ((1 + math.log(count)) * self._rarest) ** 2 for count in unknown
            )
        return sp.csr_matrix(sp.diags(1 / np.maximum(np.sqrt(squares), 1e-12)) @ matrix)

    def _agreement(self, offered: Sequence[Acts]) -> Matrix:
        """What tools do against what methods want done, -0.6 to 1; 0 where either says nothing."""
        does = _act_vectors(offered) > 0
        asked = self._acts
        strength = asked.sum(axis=1)
        # The best that a tool offers for each action that may be asked for.
        best = np.where(does[:, None, :], compatibility()[None], -np.inf).max(axis=2)
        best[~does.any(axis=1)] = 0.0
        return np.asarray(best @ asked.T / np.where(strength > 0, strength, 1.0), np.float64)

    def _object_shares(self, methods: Sequence[Method]) -> sp.csr_matrix:
        """(terms, methods): the share that each term has of what a method works on."""
        rows, columns, values = [], [], []
        for column, method in enumerate(methods):
            terms = set(auto_terms(" ".join(method.tags)))
            for term in terms:
                rows.append(self._vocabulary[term])
                columns.append(column)
                values.append(1 / len(terms))
        return sp.csr_matrix((values, (rows, columns)), shape=(len(self._vocabulary), len(methods)))

    def _shares_named(self, tools: Sequence[Tool]) -> Matrix:
        """The share of what each method works on that a tool's name or path says."""
        rows, columns = [], []
        for row, tool in enumerate(tools):
            for term in {*auto_terms(tool.name), *path_terms(tool.path), tool_object(tool.name)}:
                if (column := self._vocabulary.get(term)) is not None:
                    rows.append(row)
                    columns.append(column)
        says = sp.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(tools), len(self._vocabulary)))
        shares: Matrix = np.asarray((says @ self._objects).todense())
        return shares

    def _domain_votes(self, scores: Matrix) -> Matrix:
        """How much each tool is of each domain: the softmax of its best score in each, (tools, domains)."""
        best = np.maximum.reduceat(scores[:, self._by_domain], self._domain_starts, axis=1)
        votes = np.exp(self._recipe.domain_sharpness * (best - best.max(axis=1, keepdims=True)))
        return np.asarray(votes / votes.sum(axis=1, keepdims=True), np.float64)


def _batches(servers: Iterable[Sequence[Tool]]) -> Iterator[list[Sequence[Tool]]]:
    """Servers with some hundreds of tools together."""
    batch: list[Sequence[Tool]] = []
    for tools in servers:
        if batch and sum(map(len, batch)) + len(tools) > _BATCH:
            yield batch
            batch = []
        batch.append(tools)
    if batch:
        yield batch


def _method_terms(method: Method) -> Iterable[str]:
    """Name three times, what it works on twice, description."""
    yield from auto_terms(method.name) * 3
    yield from auto_terms(" ".join(method.tags)) * 2
    yield from auto_terms(method.description)


def _tool_terms(tool: Tool) -> Iterable[str]:
    """Name and what its path names twice, the rest once."""
    yield from auto_terms(tool.name) * 2
    yield from path_terms(tool.path) * 2
    yield from auto_terms(f"{tool.title} {tool.path} {tool.description[:_DESCRIPTION]}")


def _name_terms(tool: Tool) -> Counter[str]:
    """What a tool's name says beside what its server is called and numbers, as often as `_tool_terms` has it."""
    called = set(auto_terms(tool.server))
    return Counter(term for term in auto_terms(tool.name) * 2 if term not in called and not term.isdigit())


def _act_vectors(acts: Sequence[Acts]) -> Matrix:
    """(rows, actions): how strongly each action is meant."""
    vectors = np.zeros((len(acts), len(ACTIONS)))
    for row, meant in zip(vectors, acts, strict=True):
        for action, strength in meant.items():
            row[ACTIONS.index(action)] = strength
    return vectors
