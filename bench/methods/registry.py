"""Every method by name."""

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from app.errors import InvalidInputError
from app.lexicon.lists import names, table
from app.usecases.questions import SearchMethod
from bench.methods.base import InProcess, Ranker, RankingMethod
from bench.methods.kg_hybrid import ALPHAS, LAMBDAS, VARIANTS, Variant, kg_hybrid_ranker
from bench.methods.kg_toolrank import kg_toolrank_ranker
from bench.methods.lexical import bm25_ranker, keyword_ranker, random_ranker, tfidf_ranker
from bench.methods.service import service_ranker
from bench.methods.words import Tokens
from bench.sets.datasets import Dataset

RANDOM, AUTO = "random", "auto"
SHELLS = "kg_hybrid+shells"
"""KG-Hybrid that templates give to as well, as they do in the service."""
NOT_RUN: Mapping[str, str] = MappingProxyType(
    {"langgraph-bigtool": "needs vectors of an embedding model, which no extra of this project brings"}
)
"""Rankings of the field that are not measured, and why."""


class _Builder(Protocol):
    def __call__(self, dataset: Dataset, tokens: Tokens) -> Ranker: ...


_PUBLISHED: Mapping[str, _Builder] = MappingProxyType(
    {
        "keyword": keyword_ranker,
        "tfidf": tfidf_ranker,
        "bm25": bm25_ranker,
        "kg_text_only": keyword_ranker,
        "kg_toolrank": kg_toolrank_ranker,
        "kg_hybrid": kg_hybrid_ranker,
        SHELLS: partial(kg_hybrid_ranker, templates=True),
        **{f"kg_hybrid/{name}": partial(kg_hybrid_ranker, variant=value) for name, value in VARIANTS.items()},
        **{f"kg_hybrid/alpha={alpha}": partial(kg_hybrid_ranker, variant=Variant(alpha=alpha)) for alpha in ALPHAS},
        **{
            f"kg_hybrid/lambda={lambda_}": partial(kg_hybrid_ranker, variant=Variant(lambda_=lambda_))
            for lambda_ in LAMBDAS
        },
    }
)  # fmt: skip
_NOTES = {
    "kg_text_only": "the scores of keyword: the label stands for the graph's method with all structure off",
    "kg_toolrank": "reads the raw manifest: of a tool that it lacks only the name",
}
_SERVICE = {
    AUTO: SearchMethod.AUTO,
    "service_bm25": SearchMethod.BM25,
    "service_kg_hybrid": SearchMethod.KG_HYBRID,
}
PRUNED = (
    *("cosine", "mcp_zero", "hgmf", "hgmf/unregularised", "hgmf/words", "hgmf/kmeans", "hgmf/weighted"),
    *("hgmf/weighted/unregularised", "hgmf/density", "hgmf+auto"),
)
"""Those of `bench.methods.hgmf`, which takes a library that only the extra `bench` brings."""
_CODE = (
    *("app/domain/**/*.py", "app/lexicon/*.*", "app/usecases/**/*.py"),
    "bench/methods/*.py",
)


def with_tokens(name: str, tokens: Tokens) -> str:
    """The name of a method with these tokens; chance and the service's rankings have one name."""
    return f"{name}:{tokens.value}" if name in _PUBLISHED and tokens is not Tokens.REFERENCE else name


def method_named(name: str) -> RankingMethod:
    """A method.

    Raises:
        InvalidInputError: no method has this name.
    """
    version = code_version()
    if name == RANDOM:
        return InProcess(name, version, random_ranker)
    if name in _SERVICE:
        return InProcess(name, version, partial(service_ranker, method=_SERVICE[name]))
    if name in PRUNED:
        return InProcess(name, version, _pruned(name))
    base, _, tokens = name.partition(":")
    if base not in _PUBLISHED or tokens not in {"", Tokens.PAPER.value}:
        accepted = ", ".join((RANDOM, *_PUBLISHED, *_SERVICE, *PRUNED))
        raise InvalidInputError(f"no method {name!r}; accepted: {accepted}, some with :paper")
    build = partial(_PUBLISHED[base], tokens=Tokens(tokens or Tokens.REFERENCE))
    return InProcess(name, version, build, _NOTES.get(base, ""))


def _pruned(name: str) -> Callable[[Dataset], Ranker]:
    try:
        from bench.methods.hgmf import RANKERS
    except ModuleNotFoundError as error:
        raise InvalidInputError(
            f"{name} takes groups of vectors, which need scikit-learn: pip install 'outfitter[bench]'"
        ) from error
    return RANKERS[name]


@cache
def code_version() -> str:
    """The first 12 digits of the SHA-256 of all code that a ranking depends on."""
    root = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256()
    for path in code_files(root):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    # With words of the user's, figures are others.
    digest.update(json.dumps({name: table(name) for name in names()}, sort_keys=True).encode())
    return digest.hexdigest()[:12]


def code_files(root: Path) -> list[Path]:
    """The files that a ranking depends on."""
    return sorted(path for pattern in _CODE for path in root.glob(pattern))
