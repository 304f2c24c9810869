"""KG-ToolRank: PageRank over the whole graph, from where BM25 over the raw manifest finds words."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
import scipy.sparse as sp

from app.domain.catalogue import Catalogue
from app.domain.ranking.formulas import Array, by_maximum
from bench.methods.base import Ranker
from bench.methods.bm25s import Bm25sIndex
from bench.methods.lexical import ranked, sparse
from bench.methods.words import Corpus, Tokens
from bench.sets.datasets import Dataset, GraphLink

DAMPING = 0.3
"""How much of the mass follows edges; the rest returns to where the words were found."""
SHARES = (1.0, 0.6, 0.3)
"""Of tools, methods and concepts in the teleport vector."""
ROUNDS = 50
TOLERANCE = 1e-9


def kg_toolrank_ranker(dataset: Dataset, tokens: Tokens) -> Ranker:
    """A tool's score is its mass in the walk that returns to tools, methods and concepts with the query's words.

    Words are looked for in a tool's name and its description in the raw manifest, not in the texts of its methods:
    of a tool that the manifest lacks, in its name.

    Source:
        PinePaper-ToolBench (2026), section 3; weights, damping and rounds are ours, none is published.
    """
    catalogue = dataset.catalogue
    corpus = Corpus(catalogue, tokens)
    known = dataset.manifest or {tool.id: tool.description for tool in catalogue.tools}
    manifest = [f"{tool.name}\n{known.get(tool.id, '')}" for tool in catalogue.tools]
    concepts = ["\n".join((node.name, node.description, *node.tags)) for node in catalogue.concepts]
    indexes = (
        Bm25sIndex([corpus.terms(text) for text in manifest]),
        Bm25sIndex(corpus.methods),
        Bm25sIndex([corpus.terms(text) for text in concepts]),
    )
    edges = transitions(catalogue, dataset.links)

    def rank(_: str, query: str) -> Sequence[str]:
        words = corpus.terms(query)
        found = [
            share * by_maximum(index.scores(words)) for share, index in zip(SHARES, indexes, strict=True)
        ]
        start = np.zeros(edges.shape[0])
        start[: sum(map(len, found))] = np.concatenate(found)
        return ranked(corpus.tools, pagerank(edges, start)[: len(corpus.tools)])

    return rank


def pagerank(transitions: sp.csr_matrix, teleport: Array, *, damping: float = DAMPING) -> Array:
    """The mass of each node: p <- (1 - d) t + d p A, until no round changes more than 1e-9, at most 50.

    All 0 when t is.

    Args:
        transitions: (n, n), each row sums to 1, or to 0 where no edge leaves: such mass returns to t.
        teleport: (n,), 0 or more; divided by its sum.
        damping: d, the share of the mass that follows edges.

    Source:
        Page, Brin, Motwani, Winograd: The PageRank citation ranking. 1999.
    """
    total = float(teleport.sum())
    if total <= 0:
        return np.zeros_like(teleport)
    home = teleport / total
    stuck = np.asarray(transitions.sum(axis=1)).ravel() == 0
    backwards = sp.csr_matrix(transitions.T)
    mass = home
    for _ in range(ROUNDS):
        moved = np.asarray(backwards @ mass) + float(mass[stuck].sum()) * home
        after = (1 - damping) * home + damping * moved
        change = float(np.abs(after - mass).sum())
        mass = after
        if change < TOLERANCE:
            break
    return mass


def transitions(catalogue: Catalogue, links: Sequence[GraphLink] = ()) -> sp.csr_matrix:
    """All edges in both directions, each row divided by its sum; tools, methods, concepts first, in this order.

    Args:
        catalogue: Its edges have their weights.
        links: Further edges, of weight 1.
    """
    names = chain(
        (("tool", node.id) for node in catalogue.tools),
        (("method", node.id) for node in catalogue.methods),
        (("concept", node.id) for node in catalogue.concepts),
        (("template", node.id) for node in catalogue.templates),
        (("generator", node.id) for node in catalogue.generators),
        (("category", node.id) for node in catalogue.categories),
    )
    places = {name: place for place, name in enumerate(names)}
    cells = [
        (places[source], places[target], weight)
        for source, target, weight in chain(_edges(catalogue), ((*link, 1.0) for link in links))
        if source in places and target in places
    ]
    matrix = sparse(cells, (len(places), len(places)))
    both = sp.csr_matrix(matrix + matrix.T)
    sums = np.asarray(both.sum(axis=1)).ravel()
    scale = np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)
    return sp.csr_matrix(sp.diags(scale) @ both)


_Node = tuple[str, str]


def _edges(catalogue: Catalogue) -> Iterator[tuple[_Node, _Node, float]]:
    for method in catalogue.methods:
        node = ("method", method.id)
        yield from ((node, ("tool", tool), 1.0) for tool in method.implements)
        yield from ((node, ("method", link.target), link.weight) for link in method.related)
        if method.category:
            yield node, ("category", method.category), 1.0
    for template in catalogue.templates:
        yield from ((("template", template.id), ("tool", tool), 1.0) for tool in template.uses)
    for concept in catalogue.concepts:
        yield from ((("concept", concept.id), ("method", method), 1.0) for method in concept.related_to)
    for generator in catalogue.generators:
        yield ("generator", generator.id), ("tool", generator.tool), 1.0
    for tool in catalogue.tools:
        yield from ((("tool", tool.id), ("category", category), 1.0) for category in tool.categories)
        for edge in catalogue.requirements_of.get(tool.id, ()):
            yield ("tool", edge.consumer), ("tool", edge.producer), 1.0
