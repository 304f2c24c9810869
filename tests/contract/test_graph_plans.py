"""Dependencies between tools, and stored workflows, are read as they were written, whatever keeps the graph."""

import pytest

from app.adapters.graph.store import GraphStore
from app.domain.nodes.dependencies import Evidence, Precedence, Requirement
from app.domain.nodes.graph_views import NodeRef
from app.domain.nodes.models import EdgeForm, EdgeKind, EdgeRow, NodeKind, Property, ToolId
from app.domain.workflows.plans import (
    KnownBinding,
    Plan,
    PlanInput,
    PlanStep,
    Select,
    Sort,
    StepBinding,
    UnmetTask,
    UnusedValue,
    When,
    Where,
)
from app.errors import NotFoundError
from app.ports.graph import WriterLease
from tests.contract.rows import MANIFEST, TAXONOMY, TOOL, TOOL_REQUIRES, edge, node, provides, source
from tests.fakes import InMemoryGraph

TOOL_PRECEDES = EdgeForm(TOOL, EdgeKind.PRECEDES, TOOL)
STEP_TOOL = EdgeForm(NodeKind.WORKFLOW, EdgeKind.STEP, TOOL)
STEP_WORKFLOW = EdgeForm(NodeKind.WORKFLOW, EdgeKind.STEP, NodeKind.WORKFLOW)

Graph = InMemoryGraph | GraphStore


def needs(consumer: str, producer: str, confidence: float = 0.9, **properties: Property) -> EdgeRow:
    """A REQUIRES edge as inference writes it, unless `properties` say otherwise."""
    said: dict[str, Property] = {"parameter": "id", "optional": False, "field": "/id", "rank": 1}
    said |= {"confidence": confidence, "evidence": "schema"}
    return edge(consumer, producer, **(said | properties))


def put_tools(lease: WriterLease, *ids: str) -> None:
    lease.put_nodes(TOOL, [node(one, name=one, server="s") for one in ids])


def requirement(consumer: str, producer: str, **fields: object) -> Requirement:
    said: dict[str, object] = {"parameter": "id", "required": True, "field": "/id", "confidence": 0.9}
    said |= {"evidence": Evidence.SCHEMA, "rank": 1}
    return Requirement(consumer=ToolId(consumer), producer=ToolId(producer), **(said | fields))  # type: ignore[arg-type]


def test_requirements_are_read_with_all_that_they_say(graph: Graph) -> None:
    """Of single tools by `requirements`, of all in the catalogue."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        put_tools(lease, "a", "b", "c")
        lease.put_edges(
            TOOL_REQUIRES,
            [
                needs("a", "b", 0.75, parameter="/body/petId", field="/items/*/id", optional=True, rank=3),
                needs("c", "b"),
            ],
        )
        lease.finish()

    expected = requirement(
        "a", "b", parameter="/body/petId", field="/items/*/id", required=False, confidence=0.75, rank=3
    )
    assert graph.requirements(["a", "unknown"]) == [expected]
    assert graph.catalogue().requirements == (expected, requirement("c", "b"))


def test_an_edge_without_details_is_a_certain_one_by_hand(graph: Graph) -> None:
    """A REQUIRES edge that somebody drew in the database."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        put_tools(lease, "a", "b")
        lease.put_edges(TOOL_REQUIRES, [edge("a", "b")])
        lease.finish()

    expected = requirement("a", "b", parameter="", field="", confidence=1.0, evidence=Evidence.MANUAL)
    assert graph.catalogue().requirements == (expected,)


def test_what_a_source_states_goes_before_what_is_inferred(graph: Graph) -> None:
    """Two edges about one input of a pair: the catalogue has the stated one."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        put_tools(lease, "a", "b")
        lease.put_edges(
            TOOL_REQUIRES,
            [
                needs("a", "b", 1.0),
                needs("a", "b", 1.0, evidence="link", field="/link", stated_by="openapi:s"),
                needs("a", "b", 0.7, parameter="other"),
            ],
        )
        lease.finish()

    assert [(one.parameter, one.evidence) for one in graph.catalogue().requirements] == [
        ("id", Evidence.LINK),
        ("other", Evidence.SCHEMA),
    ]


@pytest.mark.parametrize("evidence", ["schema", "path", "name"])
def test_inferred_dependencies_are_replaced_without_the_stated_ones(graph: Graph, evidence: str) -> None:
    """Stated and inferred edges of one pair live side by side; each kind is removed alone."""
    link = needs("a", "b", 1.0, evidence="link", stated_by="openapi:s")
    manual = needs("a", "b", 1.0, evidence="manual", parameter="x", stated_by=TAXONOMY)
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        put_tools(lease, "a", "b", "c")
        lease.put_edges(TOOL_REQUIRES, [needs("a", "b", evidence=evidence), link, manual])
        lease.replace_inferred(TOOL_REQUIRES, remove=[("a", "b")], put=[needs("a", "c", evidence=evidence)])
        lease.finish()

    assert sorted((one.producer, one.evidence) for one in graph.requirements(["a"])) == [
        ("b", Evidence.LINK),
        ("b", Evidence.MANUAL),
        ("c", Evidence(evidence)),
    ]
    assert graph.edge_pairs(TOOL_REQUIRES, stated=False) == [("a", "c", 1.0)]

    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.remove_edges(TOOL_REQUIRES, ["a"], stated_by=TAXONOMY)
    assert {one.evidence for one in graph.requirements(["a"])} == {Evidence.LINK, Evidence(evidence)}

    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.remove_edges(TOOL_REQUIRES, ["a"])
    assert [one.evidence for one in graph.requirements(["a"])] == [Evidence(evidence)]


def test_precedences_are_read_and_replaced(graph: Graph) -> None:
    """PRECEDES leaves the tool that comes first."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        put_tools(lease, "a", "b", "c")
        lease.put_edges(TOOL_PRECEDES, [edge("a", "b", confidence=0.5, evidence="path")])
        lease.put_edges(
            TOOL_PRECEDES, [edge("a", "c", confidence=1.0, evidence="arazzo", stated_by="arazzo:x")]
        )
        lease.replace_inferred(TOOL_PRECEDES, remove=[("a", "b"), ("a", "c")], put=[])
        lease.put_edges(TOOL_PRECEDES, [edge("b", "c", confidence=0.5, evidence="path")])
        lease.finish()

    stated = Precedence(ToolId("a"), ToolId("c"), 1.0, Evidence.ARAZZO)
    inferred = Precedence(ToolId("b"), ToolId("c"), 0.5, Evidence.PATH)
    assert graph.precedences(["a"]) == [stated]
    assert graph.catalogue().precedences == (stated, inferred)


def test_a_workflow_is_read_as_it_was_written(graph: Graph) -> None:
    """Its plan is kept as text, its steps as edges; the catalogue and the listing have it."""
    plan = Plan(
        goal="do it",
        steps=(
            PlanStep(
                position=1, tool_id=ToolId("a"), bindings={"x": KnownBinding(known={"deep": [1, None]})}
            ),
            PlanStep(
                position=2,
                workflow_id="other/w",
                bindings={
                    "y": StepBinding(
                        step=1,
                        path="/*/id",
                        select=Select(
                            by="each",
                            where=(Where(field="open", value=True),),
                            except_=("o-1", {"deep": None}),
                            sort=Sort(field="at", descending=True),
                        ),
                    )
                },
                when=(When(step=1, path="/0", op="ne", value=None),),
            ),
        ),
        inputs=(PlanInput(name="note", required=False, suggested=True),),
        unused=(UnusedValue(value=[5], reason="r"),),
        unmet=(UnmetTask(task="t", reason="r"),),
    )
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        put_tools(lease, "a")
        lease.put_sources([source(MANIFEST)])
        lease.put_nodes(
            NodeKind.WORKFLOW,
            [
                node(
                    "mine",
                    name="Mine",
                    goal="do it",
                    document=plan.model_dump_json(),
                    broken=False,
                    owner="caller:ada",
                ),
                node("other/w", name="W", broken=True, reason="gone"),
            ],
        )
        lease.put_provisions([provides(MANIFEST, NodeKind.WORKFLOW, "other/w")])
        lease.put_edges(STEP_TOOL, [edge("mine", "a", position=1, bindings="{}")])
        lease.put_edges(STEP_WORKFLOW, [edge("mine", "other/w", position=2, bindings="{}")])
        lease.finish()

    mine = graph.workflow("mine")
    assert (mine.name, mine.plan, mine.broken, mine.source) == ("Mine", plan, False, "")
    assert (mine.owner, graph.workflow("other/w").owner) == ("caller:ada", "")
    other = graph.workflow("other/w")
    assert (other.broken, other.reason, other.source, other.plan.steps) == (True, "gone", MANIFEST, ())
    assert graph.workflows() == [mine, other]
    assert graph.catalogue().workflows == (mine, other)
    assert graph.edge_pairs(STEP_TOOL, stated=True) == [("mine", "a", 1.0)]
    drawn = graph.touching([NodeRef(NodeKind.WORKFLOW, "mine")], kinds=[EdgeKind.STEP], per_kind=9)
    assert [(one.edge.target, one.edge.position) for one in drawn] == [
        ("Tool:a", 1),
        ("Workflow:other/w", 2),
    ]


def test_an_unknown_workflow_is_named(graph: Graph) -> None:
    """The message names the id."""
    with pytest.raises(NotFoundError, match="'nope'"):
        graph.workflow("nope")


def test_a_removed_workflow_leaves_nothing(graph: Graph) -> None:
    """Its steps go with it, the tools stay."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        put_tools(lease, "a")
        lease.put_nodes(NodeKind.WORKFLOW, [node("mine", name="Mine")])
        lease.put_edges(STEP_TOOL, [edge("mine", "a", position=1, bindings="{}")])
        lease.remove_nodes(NodeKind.WORKFLOW, ["mine"])
        lease.finish()

    assert graph.workflows() == []
    assert [tool.id for tool in graph.catalogue().tools] == ["a"]
    assert graph.edge_pairs(STEP_TOOL, stated=True) == []
