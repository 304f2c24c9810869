"""Who owns a bare name that a taxonomy declares: a function of who brings it, not of who came first."""

from pathlib import Path
from typing import Any

import pytest

from app.adapters.lexical_bm25s import Bm25sIndex
from app.domain.models import EdgeForm, EdgeKind, NodeKind
from app.usecases.search import search
from app.usecases.search_index import SearchIndex
from app.usecases.search_values import SearchRequest
from ingest.sources.files import file_input, manifest_inputs
from tests.ingest_cases import Dump, Graph, dump, ingest, manifest, tool, tools

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
IMPLEMENTS = EdgeForm(NodeKind.METHOD, EdgeKind.IMPLEMENTS, NodeKind.TOOL)
REQUIRES = EdgeForm(NodeKind.TOOL, EdgeKind.REQUIRES, NodeKind.TOOL)
STEP = EdgeForm(NodeKind.WORKFLOW, EdgeKind.STEP, NodeKind.TOOL)


def implements(graph: Graph) -> set[tuple[str, str]]:
    return {(source, target) for source, target, _ in graph.edge_pairs(IMPLEMENTS, stated=True)}


def whole(graph: Graph) -> Dump:
    """Everything, with what inference found between tools."""
    ids = [one.id for one in graph.node_names(NodeKind.TOOL)]
    return {
        **dump(graph),
        "requirements": {(one,) for one in graph.requirements(ids)},
        "precedences": {(one,) for one in graph.precedences(ids)},
    }


def warnings(report: Any) -> list[str]:
    return [text for outcome in report.outcomes for text in outcome.warnings]


def answers(graph: Graph, query: str) -> list[str]:
    """Ids of the tools that fit, best first."""
    index = SearchIndex.build(graph.catalogue(), lexical=Bm25sIndex)
    return [str(one.id) for one in search(SearchRequest(query=query), index=index, graph=graph).tools]


@pytest.mark.parametrize("first", ["fake", "real"])
def test_a_second_server_with_the_name_leaves_it_to_nobody(graph: Graph, tmp_path: Path, first: str) -> None:
    """The edges go back to the declared name, whichever server came first; the warning names both and the way out."""
    fake = manifest(tmp_path, "payments_fake", tool("refund_payment", "x"))
    real = manifest_inputs([EXAMPLES / "manifests"])
    ingest(graph, file_input("taxonomy", EXAMPLES / "taxonomy.yaml"))

    for inputs in ([fake], real) if first == "fake" else (real, [fake]):
        report = ingest(graph, *inputs)

    assert ("refund_payment", True) in tools(graph)
    assert {target for source, target in implements(graph) if source == "money.refund"} == {"refund_payment"}
    (warning,) = warnings(report)
    assert "several servers bring it: payments/refund_payment, payments_fake/refund_payment" in warning
    assert "taxonomy:taxonomy" in warning
    assert "'server'" in warning
    found = answers(graph, "give the customer the money back")
    assert "payments_fake/refund_payment" not in found[: found.index("payments/refund_payment")]
