"""Values of publications, as printed there, beside which ours are set.

Sources:
    PinePaper-ToolBench (PinePaper Research, 2026); it does not agree with itself in the third decimal.
    ScaleMCP (Lumer et al., 2025, arXiv 2505.06416).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

PublishedRows: TypeAlias = Mapping[str, tuple[float, ...]]


def _rows(text: str) -> PublishedRows:
    """`name value value ...` per line."""
    cells = [line.split() for line in text.strip().splitlines()]
    return MappingProxyType({name: tuple(map(float, values)) for name, *values in cells})


TABLE_2 = _rows(
    """
    random       .022 .061 .107 .066 .083
    keyword      .512 .732 .814 .702 .738
    tfidf        .493 .749 .840 .716 .732
    bm25         .567 .775 .854 .757 .783
    kg_text_only .512 .732 .814 .702 .738
    kg_toolrank  .452 .642 .702 .617 .646
    kg_hybrid    .568 .806 .868 .769 .788
    """
)
"""R@1, R@3, R@5, NDCG@5, MRR over all 582 cases."""
TABLE_3 = _rows(
    """
    random      .111 .117 .109 .103 .100 .097
    keyword     .991 .883 .866 .757 .783 .583
    tfidf       .991 .883 .911 .857 .900 .549
    bm25        .983 .910 .911 .892 .900 .578
    kg_toolrank .658 .739 .807 .704 .767 .587
    kg_hybrid   .991 .892 .941 .932 .900 .608
    """
)
"""R@5 by tier."""
TABLE_4 = _rows(
    """
    random       .761 42.1 .001 1.81
    keyword      .054 3.8  .001 .17
    tfidf        .028 3.1  .001 .15
    bm25         .015 2.01 .045 .08
    kg_text_only .054 3.8  .001 .17
    kg_toolrank  .166 7.7  .001 .36
    """
)
"""R@5 of KG-Hybrid minus that of the other: difference, t, p (.001 stands for less than that), d."""
TABLE_5 = _rows(
    """
    full        .568 .868 .769 .788
    NoPPR       .570 .866 .769 .790
    TextOnly    .567 .854 .757 .783
    HighAlpha   .574 .866 .771 .792
    LowAlpha    .521 .855 .742 .756
    EqualWeight .541 .864 .755 .771
    """
)
"""R@1, R@5, NDCG@5, MRR of the variants of KG-Hybrid."""
TABLE_6 = _rows(
    """
    0.0 .787 .670
    0.1 .830 .699
    0.2 .844 .713
    0.3 .852 .730
    0.4 .856 .741
    0.5 .864 .753
    0.6 .868 .767
    0.7 .868 .770
    0.8 .871 .769
    0.9 .870 .768
    1.0 .855 .753
    """
)
"""R@5 and NDCG@5 by alpha."""
LAMBDA_RANGE = (0.865, 0.870)
"""Of R@5 over lambda."""
TABLE_7 = _rows(
    """
    random    .002 .007 .011 .007 .011
    keyword   .356 .483 .542 .479 .541
    bm25      .382 .551 .603 .540 .595
    tfidf     .300 .500 .563 .477 .524
    kg_hybrid .368 .551 .615 .539 .582
    """
)
"""R@1, R@3, R@5, NDCG@5, MRR of Track B."""
TABLE_8 = _rows(
    """
    random    .005 .020 .009 .012 .011 .013
    keyword   .625 .650 .601 .448 .624 .251
    bm25      .668 .645 .724 .595 .645 .260
    tfidf     .673 .585 .702 .524 .586 .205
    kg_hybrid .683 .645 .746 .606 .677 .260
    """
)
"""R@5 of Track B by tier."""
TABLE_9 = _rows(
    """
    random    .009 .010 .014
    keyword   .728 .787 .288
    bm25      .766 .789 .387
    tfidf     .694 .716 .389
    kg_hybrid .803 .863 .359
    """
)
"""R@5 of Track B: original cases, paraphrases, synthetic ones."""
SCALEMCP: Mapping[str, Mapping[int, tuple[float, float, float]]] = MappingProxyType(
    {
        "BM25": {5: (0.57, 0.64, 0.66)},
        "vectors, text-embedding-3-large": {5: (0.83, 0.85, 0.91)},
        "vectors, text-embedding-005 (best)": {5: (0.87, 0.87, 0.91)},
        "BM25 + vectors (best)": {5: (0.75, 0.78, 0.83)},
        "cross-encoder after vectors (best)": {5: (0.87, 0.88, 0.90)},
        "LLM after vectors (best Recall)": {5: (0.87, 0.90, 0.94)},
        "another LLM after vectors (best MAP)": {5: (0.87, 0.89, 0.93)},
    }
)
"""Recall at k with 0, 5 and 10 synthetic questions. NDCG and MAP are defined in another way there and left out."""
SCALEMCP_BM25_RANGES: Mapping[int, tuple[tuple[float, float], ...]] = MappingProxyType(
    {1: ((0.31, 0.34), (0.32, 0.38), (0.34, 0.39)), 10: ((0.62, 0.64), (0.66, 0.72), (0.68, 0.70))}
)
"""Recall at k of the identical BM25, printed once per embedding model, with 0, 5 and 10 synthetic questions."""
HGMF: Mapping[str, float] = MappingProxyType(
    {
        "HGMF": 0.8234,
        "MCP-Zero": 0.7810,
        "K-means": 0.7570,
        "weighted clusters": 0.7213,
        "density": 0.7110,
        "word sampling": 0.6032,
    }
)
"""Exact match, mean over eight language models and over samples of 1 to 2,797 tools; HGMF (2025, arXiv 2508.07602)."""
