"""A taxonomy: what people want done, which tools do it, and how both hang together."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from app.adapters.documents.structured_text import parse_json, parse_text
from app.domain.language.accepted_text import TextLimits, check_name, kind_of, shown
from app.domain.nodes.models import EdgeKind, NodeKind, Property
from app.domain.schemas.walk import as_object, as_text
from app.errors import InvalidInputError, SourceRefusedError
from ingest.cards import Card, Origin, Reference, Rejected, SourceDocument, StatedEdge, ToolNote, sha256
from ingest.sources.hidden_text import Cleaner, Removals
from ingest.sources.taxonomy.common import common_items
from ingest.sources.taxonomy.names import with_ids
from ingest.sources.taxonomy.schema import (
    COMMON_TEXTS,
    CategoryItem,
    ConceptItem,
    GeneratorItem,
    ItemT,
    MethodItem,
    RelationsItem,
    RequirementItem,
    TaxonomyFile,
    TemplateItem,
    ToolItem,
    read_item,
)

STATED: Mapping[str, Property] = {"confidence": 1.0, "evidence": "taxonomy"}
MANUAL: Mapping[str, Property] = {"confidence": 1.0, "evidence": "manual"}
NodeItem: TypeAlias = CategoryItem | MethodItem | TemplateItem | ConceptItem | GeneratorItem
_PROPERTIES = {"description", "surface", "interior", "tags", "parameters"}
"""What a node keeps of its item as it is; the rest of it are edges."""


def parse_taxonomy(data: bytes, origin: Origin) -> SourceDocument:
    """What a taxonomy states; broken items are rejected by name, the rest goes on.

    A bare tool name is prefixed with the taxonomy's `server`, where it has one, and is the tool of that name of which
    the taxonomy writes the id somewhere.

    Raises:
        SourceRefusedError: the document is no taxonomy.
    """
    uri = origin.uri
    value = (parse_json if uri.lower().endswith(".json") else parse_text)(data, name=uri)
    if not isinstance(value, dict):
        found = "empty" if value is None else f"{shown(value)}, {kind_of(value)}"
        raise SourceRefusedError(
            f"{uri}: {found}; accepted: an object with {', '.join(TaxonomyFile.model_fields)}"
        )
    try:
        top = read_item(TaxonomyFile, value, text_bytes=origin.limits.text_bytes, cleaner=Cleaner())
        server = check_name(top.server, field="server").replace("/", "-") if top.server else ""
    except InvalidInputError as error:
        raise SourceRefusedError(f"{uri}: {error}") from error
    reader = _Reader(origin.limits, server)
    reader.read("categories", top.categories, CategoryItem, reader.category)
    reader.read("methods", top.methods, MethodItem, reader.method)
    reader.read("templates", top.templates, TemplateItem, reader.template)
    reader.read("concepts", top.concepts, ConceptItem, reader.concept)
    reader.read("generators", top.generators, GeneratorItem, reader.generator)
    reader.read("tools", top.tools, ToolItem, reader.note)
    if not reader.cards and not reader.notes and not reader.rejected:
        reader.warnings.append(f"{uri}: the taxonomy names nothing")
    cards, notes = with_ids(reader.cards.values(), reader.notes.values())
    return SourceDocument(
        source=origin.source(version=top.version, content_hash=sha256(data)),
        cards=cards,
        notes=notes,
        rejected=tuple(reader.rejected),
        warnings=(*reader.warnings, *reader.removals.lines()),
    )


class _Reader:
    """Collects the cards of one document; an id may come once for each kind."""

    def __init__(self, limits: TextLimits, server: str) -> None:
        self.cards: dict[tuple[NodeKind, str], Card] = {}
        self.notes: dict[str, ToolNote] = {}
        self.rejected: list[Rejected] = []
        self.warnings: list[str] = []
        self.removals = Removals()
        self._limits = limits
        self._server = server

    def read(
        self, section: str, values: Sequence[object], model: type[ItemT], add: Callable[[ItemT], None]
    ) -> None:
        """Add every item of a section that is as the schema says."""
        for index, value in enumerate(values):
            cleaner = Cleaner()
            try:
                add(read_item(model, value, text_bytes=self._limits.text_bytes, cleaner=cleaner))
            except InvalidInputError as error:
                self.rejected.append(_rejected(section, index, value, str(error)))
            else:
                self.removals.add(_label(section, index, value), cleaner)

    def category(self, item: CategoryItem) -> None:
        """A category's card."""
        self._add(NodeKind.CATEGORY, item)

    def method(self, item: MethodItem) -> None:
        """A method's card, and its examples'."""
        item = _with_common_texts(item)
        texts = _once(text.strip() for text in item.said)
        examples = [Card(NodeKind.EXAMPLE, example_id(text), {"text": text}) for text in texts if text]
        edges = [
            *_edges(EdgeKind.IMPLEMENTS, "implements", self._tools(item.implements)),
            *_relations(item.relations),
            *_edges(
                EdgeKind.HAS_EXAMPLE,
                "examples",
                (Reference(card.kind, card.id) for card in examples),
                numbered=True,
            ),
        ]
        if item.category:
            target = Reference(NodeKind.CATEGORY, item.category)
            edges.append(StatedEdge(EdgeKind.BELONGS_TO, target, "category"))
        self._add(NodeKind.METHOD, item.model_copy(update={"tags": item.words}), edges)
        for card in examples:
            self.cards.setdefault((card.kind, card.id), card)

    def template(self, item: TemplateItem) -> None:
        """A template's card."""
        edges = [
            *_edges(EdgeKind.USES, "uses", self._tools(item.uses), numbered=True),
            *_edges(EdgeKind.USES, "methods", _nodes(NodeKind.METHOD, item.methods), numbered=True),
        ]
        self._add(NodeKind.TEMPLATE, item, edges)

    def concept(self, item: ConceptItem) -> None:
        """A concept's card."""
        edges = _edges(
            EdgeKind.RELATED_TO, "related_to", _nodes(NodeKind.METHOD, item.related_to), numbered=True
        )
        self._add(NodeKind.CONCEPT, item, edges)

    def generator(self, item: GeneratorItem) -> None:
        """A generator's card."""
        edge = StatedEdge(EdgeKind.USES, self._tool(item.tool), "tool", required=True)
        self._add(NodeKind.GENERATOR, item, [edge])

    def note(self, item: ToolItem) -> None:
        """What is said of a tool."""
        tool = self._tool(item.id)
        if tool.text in self.notes:
            raise InvalidInputError("this id comes twice; the first entry is kept")
        edges = [
            *(
                StatedEdge(
                    EdgeKind.REQUIRES,
                    self._tool(need.tool),
                    "requires",
                    {
                        **MANUAL,
                        "parameter": need.parameter or None,
                        "optional": need.optional or None,
                        "rank": rank,
                    },
                )
                for rank, need in _ranked(item.requires)
            ),
            *_edges(EdgeKind.PRECEDES, "precedes", self._tools(item.precedes), properties=MANUAL),
            *_edges(EdgeKind.PART_OF, "part_of", _nodes(NodeKind.TEMPLATE, item.part_of)),
            *_edges(EdgeKind.BELONGS_TO, "categories", _nodes(NodeKind.CATEGORY, item.categories)),
        ]
        vetoes = tuple(self._tools(item.not_requires))
        self.notes[tool.text] = ToolNote(
            tool, tuple(edges), vetoes, tuple(_once(item.not_implements)), item.labels.stated()
        )

    def _add(self, kind: NodeKind, item: NodeItem, edges: Iterable[StatedEdge] = ()) -> None:
        if (kind, item.id) in self.cards:
            raise InvalidInputError("this id comes twice; the first one is kept")
        stated = item.model_dump(mode="json", include=_PROPERTIES, exclude_defaults=True)
        properties: dict[str, Property] = {"name": item.name or item.id, **stated}
        self.cards[kind, item.id] = Card(kind, item.id, properties, tuple(edges))

    def _tool(self, text: str) -> Reference:
        prefixed = f"{self._server}/{text}" if self._server and "/" not in text else text
        return Reference(NodeKind.TOOL, prefixed)

    def _tools(self, texts: Iterable[str]) -> list[Reference]:
        return [self._tool(text) for text in _once(texts)]


def _with_common_texts(item: MethodItem) -> MethodItem:
    """The item; with what the common taxonomy has of its id, where it says nothing of the method but who does it."""
    common = common_items().get(item.id)
    if common is None or any(getattr(item, field) for field in COMMON_TEXTS):
        return item
    return item.model_copy(update={field: getattr(common, field) for field in COMMON_TEXTS})


def example_id(text: str) -> str:
    """An example is its text."""
    return f"example:{sha256(text)[:16]}"


def _relations(relations: RelationsItem) -> list[StatedEdge]:
    near = [
        StatedEdge(
            kind, Reference(NodeKind.METHOD, item.id), place, {**STATED, **more, "weight": item.weight}
        )
        for kind, place, items, more in (
            (EdgeKind.SIMILAR, "relations.similar", relations.similar, {"reason": "taxonomy"}),
            (EdgeKind.ENHANCES, "relations.enhances", relations.enhances, {}),
        )
        for item in items
    ]
    plain = (
        (EdgeKind.ALTERNATIVE, "relations.alternative", relations.alternative),
        (EdgeKind.REQUIRES, "relations.requires", relations.requires),
        (EdgeKind.PRECEDES, "relations.precedes", relations.precedes),
    )
    return near + [
        edge
        for kind, place, texts in plain
        for edge in _edges(kind, place, _nodes(NodeKind.METHOD, texts), properties=STATED)
    ]


def _nodes(kind: NodeKind, texts: Iterable[str]) -> list[Reference]:
    return [Reference(kind, text) for text in _once(texts)]


def _edges(
    kind: EdgeKind,
    place: str,
    targets: Iterable[Reference],
    *,
    numbered: bool = False,
    properties: Mapping[str, Property] | None = None,
) -> list[StatedEdge]:
    """An edge to each target, with its position where that counts."""
    return [
        StatedEdge(kind, target, place, {**(properties or {}), **({"position": at} if numbered else {})})
        for at, target in enumerate(targets)
    ]


def _ranked(needs: Iterable[RequirementItem]) -> Iterator[tuple[int, RequirementItem]]:
    """Each need with its place among those of the same parameter."""
    places: Counter[str] = Counter()
    for need in needs:
        places[need.parameter] += 1
        yield places[need.parameter], need


def _once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


_KINDS = {
    "categories": NodeKind.CATEGORY,
    "methods": NodeKind.METHOD,
    "templates": NodeKind.TEMPLATE,
    "concepts": NodeKind.CONCEPT,
    "generators": NodeKind.GENERATOR,
    "tools": NodeKind.TOOL,
}


def _rejected(section: str, index: int, value: object, reason: str) -> Rejected:
    identifier = _id(value)
    kind = _KINDS[section] if identifier else None
    return Rejected(item=_label(section, index, value), reason=reason, kind=kind, id=identifier)


def _label(section: str, index: int, value: object) -> str:
    identifier = _id(value)
    return f"{_KINDS[section].lower()} {shown(identifier)}" if identifier else f"{section}[{index}]"


def _id(value: object) -> str:
    return as_text(as_object(value).get("id"))
