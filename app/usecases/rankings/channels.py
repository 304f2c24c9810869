"""What brings candidates for a request of `auto`: each channel reaches some tools of a view, and scores them."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from app.domain.language.countries import COUNTRY_TERM, named_country
from app.domain.language.foreign import in_english
from app.domain.language.idioms import idiom_verb
from app.domain.language.text import FAINT_WORDS, auto_terms, joined_terms, split_words, term_pairs
from app.domain.nodes.models import Concept, Method, MethodId, MethodSeed, ScoredId, Template
from app.domain.ranking.fields import query_weight
from app.domain.ranking.formulas import Array, Mask, best, powers
from app.domain.ranking.graph_scores import Channel
from app.domain.ranking.intent import Acts, count_clauses, opens_something_new, query_acts
from app.domain.ranking.intent_objects import query_objects
from app.domain.ranking.runs import Reached
from app.domain.reading.values import value_nouns
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.views import CatalogueView
from app.usecases.rankings.consistent import ConsistentGraph

WORDS = "words"
"""The channel of BM25F; the others have their names from `Channel`."""


@dataclass(frozen=True, eq=False)
class RequestWords:
    """The words of a request, with how rare they are among the common methods."""

    numbers: npt.NDArray[np.int64]
    """Of those that the vocabulary has, each once."""
    rarities: Array
    unknown: float
    """Rarity of all others together."""

    @classmethod
    def of(cls, text: str, index: SearchIndex, view: CatalogueView) -> "RequestWords":
        """The words of a text."""
        vocabulary, terms = index.analyses.vocabulary, dict.fromkeys(auto_terms(text))
        known = {vocabulary.get(term) for term in terms} - {None}
        numbers = np.array(sorted(number for number in known if number is not None), np.int64)
        rarest = math.log(1 + (view.common.documents + 0.5) / 0.5)
        rarities = view.common.idfs(numbers)
        rarities = np.where(rarities > 0, rarities, rarest)
        return cls(numbers, rarities, rarest * (len(terms) - numbers.size))

    def share_in(self, terms: npt.NDArray[np.integer]) -> float:
        """How much of the request these terms say, 0 to 1."""
        total = float(self.rarities.sum()) + self.unknown
        said = set(terms.tolist())
        found = sum(
            rarity
            for number, rarity in zip(self.numbers.tolist(), self.rarities.tolist(), strict=True)
            if number in said
        )
        return found / total if total else 0.0


@dataclass(frozen=True)
class ReadRequest:
    """A request as `auto` reads it against one view."""

    text: str
    english: str
    """What a text in another language says; else the text itself."""
    weights: Mapping[int, float]
    """Term number -> weight; terms that a visible node holds."""
    acts: Acts
    clauses: int
    objects: frozenset[str]
    methods: Sequence[MethodSeed]
    """The visible ones that fit best, as the next two."""
    templates: Sequence[ScoredId]
    concepts: Sequence[ScoredId]
    common: Sequence[ScoredId]
    """Methods of the common taxonomy, the best with 1."""
    words: Sequence[RequestWords]
    """Its own, and those of what it says in English."""
    said_by_common: float
    """The share of them that the best common method says."""

    def share_in(self, documents: Sequence[npt.NDArray[np.integer]]) -> float:
        """How much of the request some documents together say, 0 to 1: of its own words, or of those in English."""
        if not documents:
            return 0.0
        terms = np.concatenate(documents)
        return max((words.share_in(terms) for words in self.words), default=0.0)


class CandidateChannel(Protocol):
    """Brings candidates of one kind: words, the graph."""

    @property
    def phase(self) -> str:
        """What of a search it is, in spans."""

    def reach(self, request: ReadRequest, view: CatalogueView) -> Mapping[str, Reached]:
        """Name of a score -> the visible tools that it is above 0 for. What no channel reaches is no candidate."""


class WordChannel:
    """BM25F over the tools' own fields and those of their methods."""

    phase = "words"

    def reach(self, request: ReadRequest, view: CatalogueView) -> Mapping[str, Reached]:
        """One score."""
        return {WORDS: view.tools.scores(request.weights)}


@dataclass(frozen=True)
class GraphChannel:
    """The tools that methods, templates and concepts of the request lead to; one round trip.

    Where it has none of them, only whether the graph has moved on is asked.
    """

    graph: ConsistentGraph
    phase: ClassVar[str] = "graph"

    def reach(self, request: ReadRequest, view: CatalogueView) -> Mapping[str, Reached]:
        """Four scores; hidden tools are dropped before anything is summed over tools.

        Raises:
            StoreUnavailableError: the graph did not answer, and must.
        """
        if not (request.methods or request.templates or request.concepts):
            self.graph.look()
            return {}
        found = self.graph.auto_scores(
            methods=request.methods, templates=request.templates, concepts=request.concepts
        )
        return {name: seen_of(self.graph.index.reached(scores), view) for name, scores in found.items()}


@dataclass(frozen=True)
class SuggestionChannel:
    """The tools that common methods suggest. Every catalogue has them, and large ones many: they come from the index alone."""

    index: SearchIndex
    phase: ClassVar[str] = "suggestions"

    def reach(self, request: ReadRequest, view: CatalogueView) -> Mapping[str, Reached]:
        """One score."""
        return {Channel.SUGGESTION: seen_of(self.index.suggestions(request.common), view)}


def channels_of(graph: ConsistentGraph) -> tuple[CandidateChannel, ...]:
    """The channels of `auto`."""
    return WordChannel(), GraphChannel(graph), SuggestionChannel(graph.index)


def seen_of(reached: Reached, view: CatalogueView) -> Reached:
    """What is visible of it."""
    seen = view.sees(reached.positions)
    return Reached(reached.positions[seen], reached.scores[seen])


def read_request(query: str, index: SearchIndex, view: CatalogueView) -> ReadRequest:
    """The request's terms, and the methods, templates and concepts that hold them."""
    english = in_english(query) or query
    heard = query_terms(query, index, view.heard)
    known = view.known
    weights = {number: weight for number, weight in heard.items() if number < known.size and known[number]}
    catalogue, recipe = index.catalogue, index.recipe
    by_score = seeds(view.methods.scores(weights), catalogue.methods, recipe.auto_method_seeds)
    suggesting = view.common.scores(heard)
    # Shares of them are asked for where there are common methods alone.
    texts = dict.fromkeys((query, english)) if view.common.documents else ()
    words = tuple(RequestWords.of(text, index, view) for text in texts)
    best_common = suggesting.positions[best(suggesting.scores, 1)].tolist()
    by_common = seeds(suggesting, catalogue.methods, recipe.common_seeds)
    return ReadRequest(
        query,
        english,
        weights,
        query_acts(english),
        count_clauses(english),
        query_objects(english),
        methods=[
            MethodSeed(id=MethodId(seed.id), power=power, sum=seed.score)
            for seed, power in zip(by_score, powers([seed.score for seed in by_score]), strict=True)
        ],
        templates=seeds(view.templates.scores(weights), catalogue.templates, recipe.auto_template_seeds),
        concepts=seeds(view.concepts.scores(weights), catalogue.concepts, recipe.auto_concept_seeds),
        common=[
            ScoredId(id=seed.id, score=power)
            for seed, power in zip(by_common, powers([seed.score for seed in by_common]), strict=True)
        ],
        words=words,
        said_by_common=max(
            (one.share_in(index.analyses.methods[at].terms.numbers) for at in best_common for one in words),
            default=0.0,
        ),
    )


def query_terms(query: str, index: SearchIndex, held: Mask) -> dict[int, float]:
    """The query's known terms by number, with their weights; neighbours also as one word and as a pair.

    A pair counts little beside its words, and only where a taxonomy's texts have it. Who names a country also says
    `country`, less loudly; so does who writes an address say `email`. A turn of phrase also says its verb. Words
    that open any query count little. What a query in another language says is also said in English.
    """
    vocabulary = index.analyses.vocabulary

    def known(term: str) -> int | None:
        number = vocabulary.get(term)
        return number if number is not None and number < held.size and held[number] else None

    english = in_english(query)
    counts = Counter(auto_terms(f"{query} {english}"))
    faint = FAINT_WORDS | {"open"} if opens_something_new(query) else FAINT_WORDS
    weights: dict[int, float] = {}
    for term, count in counts.items():
        if (number := known(term)) is not None:
            weights[number] = query_weight(count) * (index.recipe.faint_weight if term in faint else 1.0)
    for term in term_pairs(f"{query}\n{english}"):
        if (number := known(term)) is not None:
            weights[number] = index.recipe.pair_weight
    for term in joined_terms(split_words(query)):
        if (number := known(term)) is not None:
            weights.setdefault(number, 1.0)
    for term in auto_terms(idiom_verb(query)):
        if (number := known(term)) is not None:
            weights.setdefault(number, 1.0)
    if named_country(query) and (number := known(COUNTRY_TERM)) is not None:
        weights.setdefault(number, index.recipe.country_weight)
    for term in auto_terms(" ".join(value_nouns(query))):
        if (number := known(term)) is not None:
            weights.setdefault(number, index.recipe.value_weight)
    return weights


def seeds(found: Reached, nodes: Sequence[Method | Template | Concept], k: int) -> list[ScoredId]:
    """The k best nodes by score, then by id."""
    return [
        ScoredId(id=nodes[found.positions[place]].id, score=float(found.scores[place]))
        for place in best(found.scores, k).tolist()
    ]
