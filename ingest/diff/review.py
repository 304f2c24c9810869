"""The gate before the diff: of a source that is not trusted in full, only definitions that were agreed to go on.

What a source says is kept in records (`app/domain/review`), beside the graph that callers are answered from. So a
definition that nobody has agreed to is in no answer, whatever reads the graph, and the one that was agreed to stays
there while another one waits.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.domain.findings.patterns import Tier
from app.domain.findings.scan import KnownTool, TextFinding, find_across, find_in_texts, is_held
from app.domain.language.near import near_ones
from app.domain.nodes.models import EdgeKind, NodeKind, Source, SourceId, ToolId, Trust
from app.domain.review.definitions import (
    DefinedEdge,
    ToolDefinition,
    input_names,
    read_definition,
    searched_texts,
)
from app.domain.review.records import Decision, Review, decided, sighted, vanished
from app.errors import NotFoundError
from app.ports.graph import GraphWriter
from ingest.cards import Card, Reference, SourceDocument, StatedEdge, card_hash, tool_references
from ingest.diff.claims import said_of

_OURS = frozenset({"content_hash"})
"""Properties of a card that follow from the others."""


@dataclass(frozen=True, slots=True)
class Gated:
    """What goes on to the diff, and what is known of what does not."""

    documents: Sequence[SourceDocument]
    reviews: Sequence[Review] = ()
    """Records that are news."""
    removed: Sequence[str] = ()
    """Ids of records that go."""


def pass_gate(
    graph: GraphWriter,
    documents: Sequence[SourceDocument],
    *,
    stored: Mapping[SourceId, Source],
    removals: Collection[SourceId] = (),
    decisions: Sequence[Decision] = (),
    at: str,
) -> Gated:
    """What of the documents is served, and the records of what they say.

    Args:
        graph: as it is before.
        documents: as they were read.
        stored: the sources of the graph.
        removals: sources that go, and their records with them.
        decisions: on definitions that were shown; of sources that are not among the documents.
        at: when.

    Raises:
        NotFoundError: a decision is on a tool of which no definition is reviewed.
        ChangedMeanwhileError: a decision is on another definition than the one that there is now; nothing is decided.
    """
    freed = [*removals, *(one.source.id for one in documents if not one.is_reviewed)]
    freed = [one for one in freed if one in stored and stored[one].trust is not Trust.FULL]
    removed = [record.id for source in freed for record in graph.reviews_of(source)]
    if not decisions and not any(one.is_reviewed for one in documents):
        return Gated(documents, removed=removed)
    gate = _Gate(graph, documents, stored, at)
    passed = [gate.read(one) if one.is_reviewed else one for one in documents]
    passed += gate.decide(decisions)
    return Gated(passed, gate.news, [*removed, *gate.gone])


class _Gate:
    """The records of a run, as they become."""

    def __init__(
        self,
        graph: GraphWriter,
        documents: Sequence[SourceDocument],
        stored: Mapping[SourceId, Source],
        at: str,
    ) -> None:
        self._graph = graph
        self._documents = documents
        self._stored = stored
        self._at = at
        self.news: list[Review] = []
        self.gone: list[str] = []

    def read(self, document: SourceDocument) -> SourceDocument:
        """What of a document is served, after its definitions were compared with what was agreed to."""
        source = document.source
        prior = self._records(source.id)
        known = self._stored.get(source.id)
        # A baseline is what is seen first; whoever is asked to review from now on has agreed to nothing yet.
        is_first = source.trust is Trust.BASELINE and (known is None or known.trust is Trust.FULL)
        said = {card.id: _defined(card) for card in document.cards if card.kind is NodeKind.TOOL}
        hashes = {tool: one.hash for tool, one in said.items()}
        new = [tool for tool in said if tool not in prior or prior[tool].seen_hash != hashes[tool]]
        hidden = {card.id: card.hidden for card in document.cards}
        findings = self._findings(source.name, {tool: said[tool] for tool in new}, hidden)
        now: dict[str, Review] = {}
        for tool, definition in said.items():
            found = findings.get(tool, ())
            now[tool] = sighted(
                prior.get(tool),
                definition,
                tool_id=ToolId(tool),
                source=source.id,
                at=self._at,
                findings=found,
                accept=is_first and not is_held(found),
            )
        rejected = {entry.id for entry in document.rejected if entry.kind is NodeKind.TOOL}
        for tool, record in prior.items():
            if tool not in now:
                left = record if tool in rejected else vanished(record)
                if left is None:
                    self.gone.append(tool)
                else:
                    now[tool] = left
        self._note(prior, now)
        return _served(document, now.values())

    def decide(self, decisions: Sequence[Decision]) -> list[SourceDocument]:
        """What of their sources is served once the decisions count."""
        found = {str(one.id): one for one in self._graph.found_reviews([one.id for one in decisions])}
        changed: dict[SourceId, dict[str, Review]] = defaultdict(dict)
        for one in decisions:
            if one.id not in found:
                listed = [record.id for record in self._graph.reviews()]
                near = near_ones(
                    one.id, listed, cutoff=0.5, otherwise="`outfitter review --state all` lists all"
                )
                raise NotFoundError(f"no definition of a tool {one.id!r} is reviewed; {near}")
            record = found[one.id]
            changed[record.source][one.id] = decided(record, one, at=self._at)
        served: list[SourceDocument] = []
        for source, records in changed.items():
            prior = self._records(source)
            now = prior | records
            self._note(prior, now)
            if source in self._stored:
                as_read = self._stored[source].model_copy(update={"synced_at": self._at})
                served.append(_served(SourceDocument(as_read, ()), now.values()))
        return served

    def _records(self, source: SourceId) -> dict[str, Review]:
        return {str(one.id): one for one in self._graph.reviews_of(source)}

    def _note(self, prior: Mapping[str, Review], now: Mapping[str, Review]) -> None:
        self.news += [record for tool, record in now.items() if prior.get(tool) != record]

    def _findings(
        self,
        server: str,
        definitions: Mapping[str, ToolDefinition],
        hidden: Mapping[str, Mapping[str, str]],
    ) -> dict[str, tuple[TextFinding, ...]]:
        """What catches the eye in each of these definitions, and in what was taken out of them."""
        if not definitions:
            return {}
        others = self._others(server, definitions.values())
        written = self._written()
        found: dict[str, tuple[TextFinding, ...]] = {}
        for tool, definition in definitions.items():
            name = str(definition.properties.get("name", ""))
            description = str(definition.properties.get("description") or "")
            known = KnownTool(server, name, description)
            near = [
                one for one in others if one.name == name or one.name.casefold() in description.casefold()
            ]
            inherits = sorted({tool, name} & written)
            found[tool] = (
                *find_in_texts(
                    {
                        **searched_texts(definition),
                        **{f"{field} as it was sent": text for field, text in hidden[tool].items()},
                    },
                    inputs=input_names(definition),
                ),
                *find_across(known, near),
                *(_takes_over(one) for one in inherits),
            )
        return found

    def _others(self, server: str, definitions: Iterable[ToolDefinition]) -> list[KnownTool]:
        """Tools of other servers that have the name of one of these, or that one of these may name."""
        names = {str(one.properties.get("name", "")) for one in definitions}
        spoken = "\n".join(str(one.properties.get("description") or "") for one in definitions).casefold()
        ids = [
            one.id
            for one in self._graph.node_names(NodeKind.TOOL)
            if one.name in names or ("_" in one.name and one.name.casefold() in spoken)
        ]
        there = [KnownTool(one.server, one.name, one.description) for one in self._graph.found_tools(ids)]
        coming = [
            KnownTool(
                document.source.name,
                str(card.properties.get("name", "")),
                str(card.properties.get("description") or ""),
            )
            for document in self._documents
            for card in document.cards
            if card.kind is NodeKind.TOOL
        ]
        return [one for one in (*there, *coming) if one.server != server]

    def _written(self) -> set[str]:
        """Ids and names that others write for tools that they do not describe."""
        sources = sorted(self._stored)
        provisions = self._graph.provisions(sources) if sources else []
        written = {said_of(one) for one in provisions if one.kind is NodeKind.TOOL and one.declares}
        for document in self._documents:
            if not document.is_reviewed:
                written |= {one.text for one in tool_references(document.cards, document.notes)}
        return written


def _takes_over(name: str) -> TextFinding:
    meaning = "a name that another source writes: what is said of it would be said of this tool"
    return TextFinding("takes_over", Tier.HARD, meaning, "name", name)


def _defined(card: Card) -> ToolDefinition:
    properties = {name: value for name, value in card.properties.items() if name not in _OURS}
    edges = tuple(
        DefinedEdge(one.kind.value, one.target.kind.value, one.target.text, one.properties)
        for one in card.edges
    )
    return ToolDefinition(properties, edges)


def _served(document: SourceDocument, records: Iterable[Review]) -> SourceDocument:
    """The document as it is agreed to: its tools, and the categories that these are in, by name alone.

    What a category is described with is the source's text as well, and nobody is asked about it.
    """
    every = sorted(records, key=lambda one: one.id)
    texts = {one.id: one.approved for one in every if one.is_served}
    cards: list[Card] = []
    categories: dict[str, Card] = {}
    for record in every:
        if record.id not in texts:
            continue
        definition = read_definition(texts[record.id])
        edges = tuple(
            StatedEdge(
                EdgeKind(one.kind),
                Reference(NodeKind(one.target_kind), one.target),
                "definition",
                one.properties,
            )
            for one in definition.edges
            if one.target_kind != NodeKind.TOOL or one.target in texts
        )
        card = Card(NodeKind.TOOL, record.id, definition.properties, edges)
        said = {"trust": document.source.trust.value, "reviewed": record.reviewed}
        cards.append(replace(card, properties={**card.properties, "content_hash": card_hash(card), **said}))
        for one in edges:
            if one.target.kind is NodeKind.CATEGORY:
                category = one.target.text
                name = category.partition("/")[2]
                categories[category] = Card(NodeKind.CATEGORY, category, {"name": name})
    waiting = sum(one.waits for one in every)
    warnings = document.warnings
    if waiting:
        wait = "1 definition waits" if waiting == 1 else f"{waiting:,} definitions wait"
        warnings = (*warnings, f"{wait} for review: `outfitter review --source {document.source.id}`")
    return replace(
        document,
        cards=(*categories.values(), *cards),
        notes=(),
        warnings=warnings,
        withheld=frozenset(one.id for one in every if one.seen_hash and one.id not in texts),
    )
