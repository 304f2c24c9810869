"""The terms of every node of a catalogue, kept from one generation to the next where the node is the same."""

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from app.domain.catalogue import Catalogue
from app.domain.language.text import auto_terms, reference_terms, term_pairs
from app.domain.nodes.models import Concept, Generator, Method, Template, Tool
from app.domain.packed.sequences import Patched, ReadSequence
from app.domain.packed.texts import Starts, Vocabulary
from app.domain.ranking.documents import (
    PAIRED_FIELDS,
    concept_texts,
    definition_bytes,
    generator_texts,
    method_text,
    method_texts,
    template_text,
    template_texts,
    tool_text,
    tool_texts,
)
from app.domain.ranking.formulas import Positions
from app.domain.ranking.intent import Acts, tool_acts
from app.domain.ranking.intent_objects import path_terms, tool_object
from app.domain.ranking.recipe import PAIRS, RECIPE

Node = TypeVar("Node", Method, Template, Concept, Generator)
Numbers = npt.NDArray[np.int32]
Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class NodeTerms:
    """The terms of one node."""

    numbers: Numbers
    """Terms of `auto` by number, field after field."""
    lengths: Numbers
    """Terms of `auto` in each field."""
    reference: Numbers
    """Terms of its KG-Hybrid document by number."""


class PackedTerms(ReadSequence[NodeTerms]):
    """The terms of many nodes.

    Args:
        numbers: Of all, one behind the other.
        starts: Where each begins, and behind the last one the end.
        lengths: (nodes, fields).
        reference: As `numbers`.
        reference_starts: As `starts`.
    """

    def __init__(
        self, numbers: Numbers, starts: Starts, lengths: Numbers, reference: Numbers, reference_starts: Starts
    ) -> None:
        self.numbers = numbers
        self.starts = starts
        self.lengths = lengths
        self.reference = reference
        self.reference_starts = reference_starts

    @classmethod
    def of(cls, nodes: Iterable[NodeTerms], *, fields: int) -> "PackedTerms":
        """Pack some."""
        numbers, lengths, reference = array("i"), array("i"), array("i")
        starts, reference_starts = array("q", (0,)), array("q", (0,))
        for node in nodes:
            numbers.frombytes(node.numbers.tobytes())
            lengths.frombytes(node.lengths.tobytes())
            reference.frombytes(node.reference.tobytes())
            starts.append(len(numbers))
            reference_starts.append(len(reference))
        return cls(
            np.frombuffer(numbers, np.int32),
            np.frombuffer(starts, np.int64),
            np.frombuffer(lengths, np.int32).reshape(-1, fields),
            np.frombuffer(reference, np.int32),
            np.frombuffer(reference_starts, np.int64),
        )

    def __len__(self) -> int:
        return int(self.starts.size) - 1

    def read(self, at: int) -> NodeTerms:
        """The terms of a node."""
        begin, end = self.starts[at], self.starts[at + 1]
        first, last = self.reference_starts[at], self.reference_starts[at + 1]
        return NodeTerms(self.numbers[begin:end], self.lengths[at], self.reference[first:last])


@dataclass(frozen=True, slots=True, eq=False)
class Analysis(Generic[Node]):
    """A node of a taxonomy, analysed."""

    node: Node
    terms: NodeTerms


@dataclass(frozen=True, slots=True)
class ToolFacts:
    """What else is computed once per tool."""

    acts: Acts
    object: str
    """`intent_objects.tool_object`."""
    resource: tuple[int, ...]
    """Numbers of `intent_objects.path_terms`."""
    definition_bytes: int


@dataclass(frozen=True)
class Analyses:
    """All nodes of a catalogue, each list in the catalogue's order."""

    vocabulary: Vocabulary
    tools: Sequence[NodeTerms]
    methods: list[Analysis[Method]] = field(default_factory=list)
    generators: list[Analysis[Generator]] = field(default_factory=list)
    templates: list[Analysis[Template]] = field(default_factory=list)
    concepts: list[Analysis[Concept]] = field(default_factory=list)


def analyse(catalogue: Catalogue) -> tuple[Analyses, list[ToolFacts]]:
    """Analyse every node; also what else is computed once per tool."""
    words = Vocabulary()
    facts: list[ToolFacts] = []

    def terms_of_tools() -> Iterator[NodeTerms]:
        for tool in catalogue.tools:
            terms, more = _analysed(tool, words)
            facts.append(more)
            yield terms

    tools = PackedTerms.of(terms_of_tools(), fields=len(RECIPE.tool_fields))
    return analyse_taxonomy(catalogue, Analyses(words, tools)), facts


def analyse_taxonomy(catalogue: Catalogue, previous: Analyses) -> Analyses:
    """Analyse all nodes but tools, except those that `previous` has with equal content."""
    words = previous.vocabulary
    return replace(
        previous,
        methods=_analyse_all(
            catalogue.methods, previous.methods, words, RECIPE.method_fields, method_texts, method_text
        ),
        generators=_analyse_all(
            catalogue.generators,
            previous.generators,
            words,
            RECIPE.method_fields,
            generator_texts,
            "\n".join,
        ),
        templates=_analyse_all(
            catalogue.templates,
            previous.templates,
            words,
            RECIPE.template_fields,
            template_texts,
            template_text,
        ),
        concepts=_analyse_all(
            catalogue.concepts, previous.concepts, words, RECIPE.concept_fields, concept_texts, "\n".join
        ),
    )


def analyse_part(
    catalogue: Catalogue, previous: Analyses, *, origin: Positions, only_tools: bool
) -> tuple[Analyses, list[ToolFacts]]:
    """Analyse the tools of a later generation that are new or changed; the others' terms are those of before.

    Args:
        catalogue: The later one.
        previous: Of the earlier one.
        origin: Where each tool stood before, -1 for one that is new or changed.
        only_tools: Nothing else was touched.
    """
    fresh = [
        _analysed(catalogue.tools[at], previous.vocabulary) for at in np.flatnonzero(origin < 0).tolist()
    ]
    tools = Patched.taken(previous.tools, origin, [terms for terms, _ in fresh])
    later = replace(previous, tools=tools)
    facts = [more for _, more in fresh]
    return (later if only_tools else analyse_taxonomy(catalogue, later)), facts


def _analysed(tool: Tool, words: Vocabulary) -> tuple[NodeTerms, ToolFacts]:
    terms = _terms(tool_texts(tool), words, RECIPE.tool_fields, tool_text)
    return terms, ToolFacts(
        tool_acts(tool),
        tool_object(tool.name),
        tuple(words.number(term) for term in path_terms(tool.path)),
        definition_bytes(tool),
    )


def _analyse_all(
    nodes: Iterable[Node],
    previous: Iterable[Analysis[Node]],
    words: Vocabulary,
    names: Collection[str],
    texts_of: Callable[[Node], Texts],
    reference_text_of: Callable[[Texts], str],
) -> list[Analysis[Node]]:
    known = {analysis.node.id: analysis for analysis in previous}
    found: list[Analysis[Node]] = []
    for node in nodes:
        before = known.get(node.id)
        if before is not None and (before.node is node or before.node == node):
            found.append(before)
        else:
            found.append(Analysis(node, _terms(texts_of(node), words, names, reference_text_of)))
    return found


def _terms(
    texts: Texts, words: Vocabulary, names: Collection[str], reference_text_of: Callable[[Texts], str]
) -> NodeTerms:
    fields = _fields_of(texts, names)
    return NodeTerms(
        np.array([words.number(term) for terms in fields for term in terms], np.int32),
        np.array([len(terms) for terms in fields], np.int32),
        np.array([words.number(term) for term in reference_terms(reference_text_of(texts))], np.int32),
    )


def _fields_of(texts: Texts, names: Collection[str]) -> list[list[str]]:
    """The terms of each named field: those of its text, or the pairs within all."""
    fields = [auto_terms(text) for text in texts]
    if PAIRS in names:
        paired = [text for text, name in zip(texts, names, strict=False) if name in PAIRED_FIELDS]
        fields.append(term_pairs("\n".join(paired)))
    return fields
