"""Which edges the graph keeps: one row for each form, read by the statements, by ingest and by what draws edges."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.domain.nodes.dependencies import INFERRED
from app.domain.nodes.models import EdgeForm, EdgeKind, NodeKind

STRUCTURE = "structure"
"""Reason and evidence of the edges that are inferred from the shape of the whole graph."""
GUESSED = "inferred"
"""Evidence of what a method suggests: that it and the tool say the same of themselves."""
GENERATED = "generated"
"""Evidence of requests that were written for a tool: by a language model, or from a file."""


class EdgeProperty(StrEnum):
    """What an edge can carry. The value is the property in the graph."""

    STATED_BY = "stated_by"
    POSITION = "position"
    BINDINGS = "bindings"
    PARAMETER = "parameter"
    OPTIONAL = "optional"
    FIELD = "field"
    WEIGHT = "weight"
    REASON = "reason"
    CONFIDENCE = "confidence"
    EVIDENCE = "evidence"
    RANK = "rank"


@dataclass(frozen=True, slots=True)
class EdgeTraits:
    """What the edges of a form carry, and who writes them."""

    properties: tuple[EdgeProperty, ...]
    stated: bool
    """Whether a source may state them."""
    inferred: frozenset[str]
    """The evidence under which they are inferred; empty when nothing infers them."""


def _row(
    source: NodeKind,
    kind: EdgeKind,
    target: NodeKind,
    *properties: EdgeProperty,
    stated: bool = True,
    inferred: frozenset[str] = frozenset(),
) -> tuple[EdgeForm, EdgeTraits]:
    return EdgeForm(source, kind, target), EdgeTraits(properties, stated, inferred)


def _similar(kind: NodeKind, *properties: EdgeProperty, stated: bool = False) -> tuple[EdgeForm, EdgeTraits]:
    carried = (*properties, EdgeProperty.WEIGHT, EdgeProperty.REASON, *_SURENESS)
    return _row(kind, EdgeKind.SIMILAR, kind, *carried, stated=stated, inferred=frozenset((STRUCTURE,)))


_SURENESS = (EdgeProperty.CONFIDENCE, EdgeProperty.EVIDENCE)
_NEED = (EdgeProperty.PARAMETER, EdgeProperty.OPTIONAL, EdgeProperty.FIELD)
_STEP = (EdgeProperty.POSITION, EdgeProperty.BINDINGS)

EDGE_FORMS: Mapping[EdgeForm, EdgeTraits] = dict(
    (
        _row(NodeKind.METHOD, EdgeKind.IMPLEMENTS, NodeKind.TOOL),
        _row(
            *(NodeKind.METHOD, EdgeKind.SUGGESTS, NodeKind.TOOL),
            *(EdgeProperty.WEIGHT, *_SURENESS),
            stated=False,
            inferred=frozenset((GUESSED,)),
        ),
        _row(NodeKind.TEMPLATE, EdgeKind.USES, NodeKind.TOOL, EdgeProperty.POSITION),
        _row(NodeKind.TEMPLATE, EdgeKind.USES, NodeKind.METHOD, EdgeProperty.POSITION),
        _row(NodeKind.GENERATOR, EdgeKind.USES, NodeKind.TOOL),
        _row(NodeKind.CONCEPT, EdgeKind.RELATED_TO, NodeKind.METHOD, EdgeProperty.POSITION),
        _row(NodeKind.METHOD, EdgeKind.HAS_EXAMPLE, NodeKind.EXAMPLE, EdgeProperty.POSITION),
        _row(
            *(NodeKind.TOOL, EdgeKind.HAS_EXAMPLE, NodeKind.EXAMPLE),
            EdgeProperty.EVIDENCE,
            stated=False,
            inferred=frozenset((GENERATED,)),
        ),
        _row(NodeKind.METHOD, EdgeKind.BELONGS_TO, NodeKind.CATEGORY),
        _row(NodeKind.TOOL, EdgeKind.BELONGS_TO, NodeKind.CATEGORY, EdgeProperty.STATED_BY),
        _row(NodeKind.TOOL, EdgeKind.PART_OF, NodeKind.TEMPLATE, EdgeProperty.STATED_BY),
        # No categories: only `BELONGS_TO` leads to them, so that their place in the graph says nothing.
        _similar(NodeKind.TOOL, EdgeProperty.STATED_BY),
        _similar(NodeKind.GENERATOR),
        _similar(NodeKind.METHOD, stated=True),
        _similar(NodeKind.CONCEPT),
        _similar(NodeKind.TEMPLATE),
        _similar(NodeKind.EXAMPLE),
        _row(NodeKind.METHOD, EdgeKind.ALTERNATIVE, NodeKind.METHOD, EdgeProperty.WEIGHT, *_SURENESS),
        _row(NodeKind.METHOD, EdgeKind.ENHANCES, NodeKind.METHOD, EdgeProperty.WEIGHT, *_SURENESS),
        _row(NodeKind.METHOD, EdgeKind.REQUIRES, NodeKind.METHOD, *_SURENESS),
        _row(NodeKind.METHOD, EdgeKind.PRECEDES, NodeKind.METHOD, *_SURENESS),
        _row(
            *(NodeKind.TOOL, EdgeKind.REQUIRES, NodeKind.TOOL),
            *(EdgeProperty.STATED_BY, *_NEED, *_SURENESS, EdgeProperty.RANK),
            inferred=INFERRED,
        ),
        _row(
            *(NodeKind.TOOL, EdgeKind.PRECEDES, NodeKind.TOOL),
            *(EdgeProperty.STATED_BY, *_SURENESS),
            inferred=INFERRED,
        ),
        _row(NodeKind.WORKFLOW, EdgeKind.STEP, NodeKind.TOOL, *_STEP),
        _row(NodeKind.WORKFLOW, EdgeKind.STEP, NodeKind.WORKFLOW, *_STEP),
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
