"""Which edges the graph keeps: one row for each form, read by the statements, by ingest and by what draws edges."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.dependencies import INFERRED
from app.domain.models import EdgeForm, EdgeKind, NodeKind

STRUCTURE = "structure"
"""Reason and evidence of the edges that are inferred from the shape of the whole graph."""


@dataclass(frozen=True, slots=True)
class EdgeTraits:
    """Who writes the edges of a form."""

    stated: bool
    """Whether a source may state them."""
    inferred: frozenset[str]
    """The evidence under which they are inferred; empty when nothing infers them."""


def _row(
    source: NodeKind,
    kind: EdgeKind,
    target: NodeKind,
    *,
    stated: bool = True,
    inferred: frozenset[str] = frozenset(),
) -> tuple[EdgeForm, EdgeTraits]:
    return EdgeForm(source, kind, target), EdgeTraits(stated, inferred)


def _similar(kind: NodeKind, *, stated: bool = False) -> tuple[EdgeForm, EdgeTraits]:
    return _row(kind, EdgeKind.SIMILAR, kind, stated=stated, inferred=frozenset((STRUCTURE,)))


EDGE_FORMS: Mapping[EdgeForm, EdgeTraits] = dict(
    (
        _row(NodeKind.METHOD, EdgeKind.IMPLEMENTS, NodeKind.TOOL),
        _row(NodeKind.TEMPLATE, EdgeKind.USES, NodeKind.TOOL),
        _row(NodeKind.TEMPLATE, EdgeKind.USES, NodeKind.METHOD),
        _row(NodeKind.GENERATOR, EdgeKind.USES, NodeKind.TOOL),
        _row(NodeKind.CONCEPT, EdgeKind.RELATED_TO, NodeKind.METHOD),
        _row(NodeKind.METHOD, EdgeKind.HAS_EXAMPLE, NodeKind.EXAMPLE),
        _row(NodeKind.METHOD, EdgeKind.BELONGS_TO, NodeKind.CATEGORY),
        _row(NodeKind.TOOL, EdgeKind.BELONGS_TO, NodeKind.CATEGORY),
        _row(NodeKind.TOOL, EdgeKind.PART_OF, NodeKind.TEMPLATE),
        # No categories: only `BELONGS_TO` leads to them, so that their place in the graph says nothing.
        _similar(NodeKind.TOOL),
        _similar(NodeKind.GENERATOR),
        _similar(NodeKind.METHOD, stated=True),
        _similar(NodeKind.CONCEPT),
        _similar(NodeKind.TEMPLATE),
        _similar(NodeKind.EXAMPLE),
        _row(NodeKind.METHOD, EdgeKind.ALTERNATIVE, NodeKind.METHOD),
        _row(NodeKind.METHOD, EdgeKind.ENHANCES, NodeKind.METHOD),
        _row(NodeKind.METHOD, EdgeKind.REQUIRES, NodeKind.METHOD),
        _row(NodeKind.METHOD, EdgeKind.PRECEDES, NodeKind.METHOD),
        _row(NodeKind.TOOL, EdgeKind.REQUIRES, NodeKind.TOOL, inferred=INFERRED),
        _row(NodeKind.TOOL, EdgeKind.PRECEDES, NodeKind.TOOL, inferred=INFERRED),
        _row(NodeKind.WORKFLOW, EdgeKind.STEP, NodeKind.TOOL),
        _row(NodeKind.WORKFLOW, EdgeKind.STEP, NodeKind.WORKFLOW),
    )
)
"""Every form of edge between nodes; no other can be written."""

STATED_FORMS = tuple(form for form, traits in EDGE_FORMS.items() if traits.stated)
"""Forms of edges that sources state."""
SIMILAR_FORMS = tuple(form for form, traits in EDGE_FORMS.items() if STRUCTURE in traits.inferred)
"""Forms of edges that are inferred from the shape of the whole graph."""
STEP_FORMS = tuple(form for form in EDGE_FORMS if form.kind is EdgeKind.STEP)
"""What the steps of a workflow call."""
DRAWN_KINDS = frozenset(form.kind for form in EDGE_FORMS)
"""Kinds of edges of a neighbourhood: all but those to sources."""


def stated_forms_from(kind: NodeKind) -> list[EdgeForm]:
    """The forms of stated edges that leave a kind of node."""
    return [form for form in STATED_FORMS if form.source is kind]


def inferred_evidence(form: EdgeForm) -> list[str]:
    """The evidence that only inference gives to edges of this form, sorted; `structure` for every form."""
    return sorted({STRUCTURE, *EDGE_FORMS[form].inferred})
