"""What happens to the edges of cards once their targets are known."""

from app.domain.nodes.models import EdgeKind, NodeKind, SourceId
from ingest.cards import Card, Reference, StatedEdge
from ingest.diff.claims import Claims
from ingest.diff.resolve import Names, Own, resolve_card

TOOL = Reference(NodeKind.TOOL, "shop/a")


def resolved(kind, *edges):
    names = Names(Claims({}))
    names.add(NodeKind.TOOL, "shop/a", "a")
    card = Card(kind, "shop/x", {"name": "x"}, edges)
    return [
        dict(edge.row.properties)
        for edge in resolve_card(card, names, source=SourceId("openapi:shop"), own=Own()).edges
    ]


def test_edges_of_a_tool_carry_the_source_that_states_them():
    edge = StatedEdge(EdgeKind.REQUIRES, TOOL, "links", {"parameter": "id"})

    assert resolved(NodeKind.TOOL, edge) == [{"parameter": "id", "stated_by": "openapi:shop"}]


def test_two_steps_that_call_one_tool_are_two():
    steps = [StatedEdge(EdgeKind.STEP, TOOL, "steps", {"position": position}) for position in (1, 2)]

    assert resolved(NodeKind.WORKFLOW, *steps) == [{"position": 1}, {"position": 2}]


def test_a_tool_that_a_template_uses_twice_is_used_once():
    uses = [StatedEdge(EdgeKind.USES, TOOL, "uses", {"position": position}) for position in (1, 2)]

    assert resolved(NodeKind.TEMPLATE, *uses) == [{"position": 1}]
