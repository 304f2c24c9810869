"""Which words of a query gave what to a tool."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from app.domain.language.countries import COUNTRY_TERM, named_country
from app.domain.language.korean import in_english, korean_words
from app.domain.language.text import auto_terms, joined_terms, reference_terms, split_words, term_pairs
from app.domain.ranking import documents
from app.domain.ranking.fields import bm25f_terms
from app.usecases.index.search_index import OF_METHODS, TOOL_DOCUMENT_FIELDS, SearchIndex
from app.usecases.search_values import Reason, ReasonKind

Surfaces = Mapping[str, str]
"""Term -> the word of the query that it stands for."""
_QUERIES_AT_ONCE = 16
"""An answer explains up to 100 tools with the same words; that is how many are made side by side."""


def reference_words(
    query: str, terms: Sequence[str], position: int, *, unit: float, index: SearchIndex
) -> list[Reason]:
    """BM25 of one tool by term, each times `unit`."""
    surfaces = _surfaces(query, reference_terms)
    tool = set(index.analyses.tools[position].reference)
    reasons = []
    for term, count in Counter(terms).items():
        share = float(index.reference.tools.scores([term] * count)[position])
        if share > 0:
            fields = ("tool",) if term in tool else ("methods",)
            reasons.append(
                Reason(ReasonKind.WORD, share * unit, word=surfaces.get(term, term), term=term, fields=fields)
            )
    return reasons


def auto_words(
    query: str, weights: Mapping[int, float], position: int, *, unit: float, index: SearchIndex
) -> list[Reason]:
    """BM25F of one tool by term, each times `unit`, with the fields that hold the term."""
    surfaces = _auto_surfaces(query)
    auto = index.auto
    shares = bm25f_terms(
        weights,
        document_of(position, index),
        weights=TOOL_DOCUMENT_FIELDS,
        mean_lengths=auto.tools.mean_lengths,
        idfs={number: float(auto.tools.idfs[number]) for number in weights},
    )
    by_term: defaultdict[int, list[tuple[float, str]]] = defaultdict(list)
    for (number, field), share in shares.items():
        by_term[number].append((share, field))
    return [
        Reason(
            ReasonKind.WORD,
            sum(share for share, _ in parts) * unit,
            word=surfaces.get(auto.terms[number], auto.terms[number]),
            term=auto.terms[number],
            fields=tuple(field for _, field in sorted(parts, key=lambda part: (-part[0], part[1]))),
        )
        for number, parts in by_term.items()
    ]


def document_of(position: int, index: SearchIndex) -> dict[str, list[int]]:
    """Field -> term numbers of a tool's document, the texts of its methods and generators included."""
    document: dict[str, list[int]] = {}
    analyses = index.analyses
    tool = analyses.tools[position]
    _add_fields(document, documents.TOOL_FIELDS, tool.numbers.tolist(), tool.lengths, prefix="")
    pointers = index.of_methods.indptr
    for number in index.of_methods.indices[pointers[position] : pointers[position + 1]].tolist():
        generator = number - len(analyses.methods)
        if generator < 0:
            numbers, lengths = analyses.methods[number].numbers, analyses.methods[number].lengths
        else:
            numbers, lengths = analyses.generators[generator].numbers, analyses.generators[generator].lengths
        _add_fields(document, documents.METHOD_FIELDS, numbers.tolist(), lengths, prefix=OF_METHODS)
    return document


def _add_fields(
    document: dict[str, list[int]],
    fields: Mapping[str, float],
    numbers: Sequence[int],
    lengths: Sequence[int],
    *,
    prefix: str,
) -> None:
    start = 0
    for field, length in zip(fields, lengths, strict=True):
        document.setdefault(prefix + field, []).extend(numbers[start : start + length])
        start += length


@lru_cache(_QUERIES_AT_ONCE)
def _auto_surfaces(query: str) -> Surfaces:
    surfaces = dict(_surfaces(query, auto_terms))
    words = split_words(query)
    for term, joined in joined_terms(words).items():
        surfaces.setdefault(term, joined)
    surfaces.setdefault(COUNTRY_TERM, named_country(query))
    for korean, english in korean_words(query):
        for term in auto_terms(english):
            surfaces.setdefault(term, korean)
    for pair in term_pairs(f"{query}\n{in_english(query)}"):
        surfaces.setdefault(pair, " ".join(dict.fromkeys(surfaces.get(term, term) for term in pair.split())))
    return surfaces


@lru_cache(_QUERIES_AT_ONCE)
def _surfaces(query: str, terms_of: Callable[[str], list[str]]) -> Surfaces:
    surfaces: dict[str, str] = {}
    for word in query.split():
        for term in terms_of(word):
            surfaces.setdefault(term, word.strip(".,;:!?\"'()[]"))
    return surfaces
