"""How good rankings are, question by question; a set's figure is the mean over its questions.

The figures are those of trec_eval, through `ir-measures`. Three are made of them: recall over a gold list, in
which a tool that is needed twice stands twice; all@k, which is a recall of 1; and MAP@k, which trec_eval divides by
all right answers, and which is divided here by as many as k places can hold.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.errors import InvalidInputError

if TYPE_CHECKING:
    from bench.methods.base import Run
    from bench.sets.datasets import Dataset, Question

METRICS = (
    *("R@1", "R@3", "R@5", "R@10"),
    *("NDCG@1", "NDCG@5", "NDCG@10"),
    *("MAP@1", "MAP@5", "MAP@10"),
    "MRR",
    *("all@5", "all@10"),
    *("hit@1", "hit@5", "hit@10"),
)
_MEASURES = {"R": "R", "NDCG": "nDCG", "MAP": "AP", "all": "R", "hit": "Success"}
"""What a metric is made of, by the name it has in the library."""


def scores_of(dataset: "Dataset", run: "Run", metrics: Sequence[str] = METRICS) -> dict[str, list[float]]:
    """Metric -> one figure per question, in the order of the questions, each 0 to 1.

    Alternatives are first replaced by the gold tool that they count for. NDCG has gain 1 and discount
    log2(rank + 1). All but recall are over the set of gold tools.

    Raises:
        InvalidInputError: the library is not installed.
    """
    rankings = [
        with_alternatives(ranking, question.alternatives)
        for ranking, question in zip(run.rankings, dataset.questions, strict=True)
    ]
    golds = [tuple(dict.fromkeys(question.gold)) for question in dataset.questions]
    measured = _measured(rankings, golds, {_measure(metric) for metric in metrics})
    return {
        metric: [
            _value(metric, values[_measure(metric)], gold, ranking, question, list_gold=dataset.list_gold)
            for values, gold, ranking, question in zip(
                measured, golds, rankings, dataset.questions, strict=True
            )
        ]
        for metric in metrics
    }


def with_alternatives(ranking: Sequence[str], alternatives: Mapping[str, Sequence[str]]) -> list[str]:
    """The ranking with each alternative replaced by the gold tool it counts for, the first of equals kept.

    Args:
        ranking: Tools, best first.
        alternatives: Gold tool -> tools that count too.
    """
    stands_for = {other: tool for tool, others in alternatives.items() for other in others}
    return list(dict.fromkeys(stands_for.get(tool, tool) for tool in ranking))


def list_recall(ranking: Sequence[str], gold: Sequence[str], k: int) -> float:
    """Share of the gold list, repetitions counted, that is among the first k; 0 to 1."""
    found = set(ranking[:k])
    return sum(tool in found for tool in gold) / len(gold)


def _value(
    metric: str,
    measured: float,
    gold: Sequence[str],
    ranking: Sequence[str],
    question: "Question",
    *,
    list_gold: bool,
) -> float:
    kind, _, k = metric.partition("@")
    if kind == "all":
        return float(measured == 1.0)
    if kind == "MAP":
        return measured * len(gold) / min(int(k), len(gold))
    if kind == "R" and list_gold and len(question.gold) > len(gold):
        return list_recall(ranking, question.gold, int(k))
    return measured


def _measure(metric: str) -> str:
    kind, _, k = metric.partition("@")
    return f"{_MEASURES[kind]}@{k}" if k else "RR"


def _measured(
    rankings: Sequence[Sequence[str]], golds: Sequence[Sequence[str]], names: set[str]
) -> list[dict[str, float]]:
    """One row per ranking: the library's figures by name, 0 where the ranking is empty."""
    try:
        import ir_measures
    except ModuleNotFoundError as error:
        raise InvalidInputError(
            "ir-measures is not installed; the figures of rankings need the extra: pip install 'outfitter[bench]'"
        ) from error
    rows: list[dict[str, float]] = [dict.fromkeys(names, 0.0) for _ in rankings]
    measures = [ir_measures.parse_measure(name) for name in sorted(names)]
    relevant = {str(at): dict.fromkeys(gold, 1) for at, gold in enumerate(golds)}
    found = {
        str(at): {tool: float(-place) for place, tool in enumerate(ranking)}
        for at, ranking in enumerate(rankings)
        if ranking
    }
    for metric in ir_measures.iter_calc(measures, relevant, found):
        rows[int(metric.query_id)][str(metric.measure)] = metric.value
    return rows
