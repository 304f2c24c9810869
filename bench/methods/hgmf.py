"""Rankings that leave out servers and tools by groups of vectors before they rank: HGMF and what it is compared with.

Source:
    HGMF (Xing et al., 2025, arXiv 2508.07602) and its authors' code. MCP-Zero (Fei et al., 2025, arXiv 2506.01056).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from app.domain.ranking.formulas import Array, Positions
from app.domain.ranking.meaning import encoded_text
from app.errors import InvalidInputError
from app.ports.encoding import Encoder
from app.roots.encoders import encoder_of
from app.settings import Settings
from app.usecases.questions import SearchMethod
from bench.methods.base import DEPTH, Ranker
from bench.methods.lexical import keyword_ranker
from bench.methods.mixtures import Groups, density_groups, kmeans_groups, mixture_groups, reduced
from bench.methods.service import service_ranker
from bench.methods.words import Tokens
from bench.sets.datasets import Dataset

Grouping: TypeAlias = Callable[[Array], Groups]
NEAREST = 5
"""Groups that are kept, of servers and of each server's tools. Published without its value; on nine sets 5 is ahead of 3."""
SERVERS = 5
"""Servers whose tools are ranked. Source: the authors' code."""
_FEW = 10
"""Servers, or tools of a server, of which all are kept. Published without its value; from 11 on there are three groups."""
_DIMENSIONS = 32
"""Principal components of 384; they hold .45 of the variance of 2,797 tools of Toucan."""
_FLOOR, _LEAST_FLOOR = 1e-2, 1e-6
"""Of covariances, with regularisation and without: as much as the mean variance of a component, and the least that
leaves them invertible."""
_CACHED = 1 << 15


class Candidates:
    """Which tools are left of a request, by groups of servers and then of each server's tools.

    Args:
        tools: (tools, dimensions), each row of length 1.
        servers: The server of each tool.
        grouping: Makes groups; None keeps everything.
    """

    def __init__(self, tools: Array, servers: Sequence[str], grouping: Grouping | None) -> None:
        names, of = np.unique(np.asarray(servers), return_inverse=True)
        self.server_of: Positions = of
        self.servers = np.stack([_normed(tools[of == at].mean(axis=0)) for at in range(names.size)])
        self._members = [np.flatnonzero(of == at) for at in range(names.size)]
        self._groups: Groups | None = None
        self._of_server: dict[int, Groups] = {}
        if grouping is not None:
            rows, self._reduce = reduced(tools, _DIMENSIONS)
            if names.size > _FEW:
                self._groups = grouping(self._reduce(self.servers))
            self._of_server = {
                at: grouping(rows[members]) for at, members in enumerate(self._members) if members.size > _FEW
            }
        self._grouped = grouping is not None

    def of(self, request: Array) -> Positions:
        """Tools that are left, rising.

        Args:
            request: (dimensions,), of length 1.
        """
        if not self._grouped:
            return np.arange(self.server_of.size)
        point = self._reduce(request[None])[0]
        kept = range(len(self._members)) if self._groups is None else self._groups.nearest(point, NEAREST)
        parts = [self._kept(int(at), point) for at in kept]
        return np.sort(np.concatenate(parts))

    def _kept(self, server: int, point: Array) -> Positions:
        members = self._members[server]
        groups = self._of_server.get(server)
        return members if groups is None else members[groups.nearest(point, NEAREST)]


def server_and_tool(server: Array, tool: Array) -> Array:
    """MCP-Zero's score of tools: server x tool x the larger of both; cosines below 0 count as 0."""
    server, tool = np.clip(server, 0, None), np.clip(tool, 0, None)
    found: Array = server * tool * np.maximum(server, tool)
    return found


def _pruned_ranker(dataset: Dataset, grouping: Grouping | None) -> Ranker:
    """What is left, by MCP-Zero's score on the five servers that are nearest to the request."""
    vectors, candidates = _vectors(dataset), _candidates(dataset, grouping)

    def rank(_: str, query: str) -> Sequence[str]:
        request = _request(query)
        return _by_server(dataset, vectors, candidates, request, candidates.of(request))

    return rank


def _sampled_ranker(dataset: Dataset) -> Ranker:
    """The tools that share most words with the request, by MCP-Zero's score."""
    vectors, candidates = _vectors(dataset), _candidates(dataset, None)
    words = keyword_ranker(dataset, Tokens.REFERENCE)
    place = {str(tool.id): at for at, tool in enumerate(dataset.catalogue.tools)}

    def rank(case: str, query: str) -> Sequence[str]:
        sampled = np.sort(np.array([place[tool] for tool in words(case, query)[:DEPTH]], np.intp))
        return _by_server(dataset, vectors, candidates, _request(query), sampled)

    return rank


def _cosine_ranker(dataset: Dataset) -> Ranker:
    """Tools by cosine, nothing left out."""
    vectors = _vectors(dataset)

    def rank(_: str, query: str) -> Sequence[str]:
        return _ranked(dataset, np.arange(len(vectors)), vectors @ _request(query))

    return rank


def _auto_ranker(dataset: Dataset) -> Ranker:
    """`auto`, without what HGMF leaves out."""
    candidates = _candidates(dataset, partial(mixture_groups, floor=_FLOOR))
    auto = service_ranker(dataset, SearchMethod.AUTO)

    def rank(case: str, query: str) -> Sequence[str]:
        left = {dataset.catalogue.tools[at].id for at in candidates.of(_request(query)).tolist()}
        return [tool for tool in auto(case, query) if tool in left]

    return rank


def _by_server(
    dataset: Dataset, vectors: Array, candidates: Candidates, request: Array, left: Positions
) -> Sequence[str]:
    closeness = candidates.servers @ request
    servers = np.unique(candidates.server_of[left])
    best = servers[np.argsort(-closeness[servers], kind="stable")[:SERVERS]]
    left = left[np.isin(candidates.server_of[left], best)]
    scores = server_and_tool(closeness[candidates.server_of[left]], vectors[left] @ request)
    return _ranked(dataset, left, scores)


def _ranked(dataset: Dataset, positions: Positions, scores: Array) -> Sequence[str]:
    order = np.argsort(-scores, kind="stable")[:DEPTH]
    return [dataset.catalogue.tools[at].id for at in positions[order].tolist()]


def _candidates(dataset: Dataset, grouping: Grouping | None) -> Candidates:
    return Candidates(_vectors(dataset), [tool.server for tool in dataset.catalogue.tools], grouping)


def _vectors(dataset: Dataset) -> Array:
    return np.stack([_of_text(encoded_text(tool)) for tool in dataset.catalogue.tools])


@lru_cache(_CACHED)
def _of_text(text: str) -> Array:
    """Of a tool; the rankings of a set share it."""
    return np.asarray(_encoder().encode([text])[0], np.float64)


def _request(text: str) -> Array:
    return np.asarray(_encoder().encode_request([text])[0], np.float64)


@cache
def _encoder() -> Encoder:
    encoder = encoder_of(Settings())
    if encoder is None:
        raise InvalidInputError("rankings by vectors need an encoder; OUTFITTER_ENCODER is 'none'")
    return encoder


def _normed(row: Array) -> Array:
    found: Array = row / max(float(np.linalg.norm(row)), float(np.finfo(np.float64).tiny))
    return found


RANKERS: Mapping[str, Callable[[Dataset], Ranker]] = MappingProxyType(
    {
        "cosine": _cosine_ranker,
        "mcp_zero": partial(_pruned_ranker, grouping=None),
        "hgmf": partial(_pruned_ranker, grouping=partial(mixture_groups, floor=_FLOOR)),
        "hgmf/unregularised": partial(_pruned_ranker, grouping=partial(mixture_groups, floor=_LEAST_FLOOR)),
        "hgmf/words": _sampled_ranker,
        "hgmf/kmeans": partial(_pruned_ranker, grouping=kmeans_groups),
        "hgmf/weighted": partial(_pruned_ranker, grouping=partial(mixture_groups, floor=_FLOOR, shared=True)),
        "hgmf/weighted/unregularised": partial(
            _pruned_ranker, grouping=partial(mixture_groups, floor=_LEAST_FLOOR, shared=True)
        ),
        "hgmf/density": partial(_pruned_ranker, grouping=density_groups),
        "hgmf+auto": _auto_ranker,
    }
)
"""By name; each keeps what is published of it, and says in its name what it changes.

`hgmf` has regularised covariances. Of the authors' penalties two add a multiple of the identity to each covariance, which
is what `_FLOOR` does; the pull of means towards directions that are equally far from each other, published without its
weight, is left out. The four baselines put something else in the mixture's place: K-means, a mixture whose groups have a
weight and one variance each, groups of density, and the tools that share most words with the request.
"""
