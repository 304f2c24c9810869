"""The table of edge forms: complete, and nothing in it that nobody writes."""

from app.domain.nodes.edge_forms import (
    DRAWN_KINDS,
    EDGE_FORMS,
    SIMILAR_FORMS,
    STATED_FORMS,
    inferred_evidence,
    stated_forms_from,
)
from app.domain.nodes.models import EdgeForm, EdgeKind, NodeKind

TOOL_REQUIRES = EdgeForm(NodeKind.TOOL, EdgeKind.REQUIRES, NodeKind.TOOL)
METHOD_REQUIRES = EdgeForm(NodeKind.METHOD, EdgeKind.REQUIRES, NodeKind.METHOD)


def test_every_kind_of_edge_has_a_form_but_for_the_one_to_sources() -> None:
    """A kind without a form could be asked for and never found."""
    assert set(EdgeKind) - DRAWN_KINDS == {EdgeKind.PROVIDED_BY}


def test_somebody_writes_the_edges_of_every_form() -> None:
    """A form that no source states and nothing infers is a leftover."""
    assert [form for form, traits in EDGE_FORMS.items() if not traits.stated and not traits.inferred] == []


def test_only_methods_are_called_similar_by_sources_too() -> None:
    """Likeness is inferred for every kind that has it, between nodes of one kind."""
    assert all(form.source is form.target for form in SIMILAR_FORMS)
    assert {form.source for form in SIMILAR_FORMS if form in STATED_FORMS} == {NodeKind.METHOD}


def test_dependencies_are_inferred_between_tools_only() -> None:
    """What marks an inferred edge depends on its form: a taxonomy's edges between methods are all stated."""
    assert inferred_evidence(TOOL_REQUIRES) == ["name", "path", "schema", "structure"]
    assert inferred_evidence(METHOD_REQUIRES) == ["structure"]


def test_the_forms_that_leave_a_kind_of_node_are_its_stated_ones() -> None:
    """Before a concept is written again, its stated edges go; the inferred ones stay."""
    assert stated_forms_from(NodeKind.CONCEPT) == [
        EdgeForm(NodeKind.CONCEPT, EdgeKind.RELATED_TO, NodeKind.METHOD)
    ]
    assert stated_forms_from(NodeKind.CATEGORY) == []
