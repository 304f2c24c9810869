"""The terms of every node of a catalogue, kept from one generation to the next where the node is the same."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

import numpy as np
import numpy.typing as npt

from app.domain.catalogue import Catalogue
from app.domain.language.text import auto_terms, reference_terms, term_pairs
from app.domain.nodes.models import Concept, Generator, Method, Template, Tool
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

Node = TypeVar("Node", Tool, Method, Template, Concept, Generator)
T = TypeVar("T")
_FEW = 100
"""Insertions up to which a copy of a list takes them one by one: 28 us each in a list of 100,000."""
Texts = tuple[str, ...]


class Vocabulary(dict[str, int]):
    """Term -> number; an unknown term gets the next one. Terms of `auto` and of the reference rankings share the numbers."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


@dataclass(frozen=True, slots=True, eq=False)
class Analysis(Generic[Node]):
    """The terms of one node."""

    node: Node
    numbers: npt.NDArray[np.int32]
    """Terms of `auto` by number, field after field."""
    lengths: tuple[int, ...]
    """Terms of `auto` in each field."""
    reference: npt.NDArray[np.int32]
    """Terms of its KG-Hybrid document by number."""


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

    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    tools: list[Analysis[Tool]] = field(default_factory=list)
    facts: list[ToolFacts] = field(default_factory=list)
    methods: list[Analysis[Method]] = field(default_factory=list)
    generators: list[Analysis[Generator]] = field(default_factory=list)
    templates: list[Analysis[Template]] = field(default_factory=list)
    concepts: list[Analysis[Concept]] = field(default_factory=list)


def analyse(catalogue: Catalogue, previous: Analyses | None = None) -> Analyses:
    """Analyse every node, except those that `previous` has with equal content.

    `previous` is not changed: it may be in use. Every recipe has the same fields, in the same order.
    """
    old = previous or Analyses()
    words = Vocabulary(old.vocabulary)
    tools = _analyse_all(catalogue.tools, old.tools, words, RECIPE.tool_fields, tool_texts, tool_text)
    known = {id(tool): facts for tool, facts in zip(old.tools, old.facts, strict=True)}
    return Analyses(
        vocabulary=words,
        tools=tools,
        facts=[
            known.get(id(tool))
            or ToolFacts(
                tool_acts(tool.node),
                tool_object(tool.node.name),
                tuple(words[term] for term in path_terms(tool.node.path)),
                definition_bytes(tool.node),
            )
            for tool in tools
        ],
        methods=_analyse_all(
            catalogue.methods, old.methods, words, RECIPE.method_fields, method_texts, method_text
        ),
        generators=_analyse_all(
            catalogue.generators, old.generators, words, RECIPE.method_fields, generator_texts, "\n".join
        ),
        templates=_analyse_all(
            catalogue.templates, old.templates, words, RECIPE.template_fields, template_texts, template_text
        ),
        concepts=_analyse_all(
            catalogue.concepts, old.concepts, words, RECIPE.concept_fields, concept_texts, "\n".join
        ),
    )


def analyse_part(
    catalogue: Catalogue, previous: Analyses, *, origin: Positions, new: Sequence[int], only_tools: bool
) -> Analyses:
    """Analyse these tools of a later generation; the others' analyses are those of before.

    Args:
        catalogue: The later one.
        previous: Of the earlier one; not changed.
        origin: Where each tool stood before.
        new: The places of those that are new or changed.
        only_tools: Nothing else was touched.
    """
    words = Vocabulary(previous.vocabulary)
    fresh = analyse(
        Catalogue(
            generation=catalogue.generation,
            tools=tuple(catalogue.tools[at] for at in new),
            methods=() if only_tools else catalogue.methods,
            templates=() if only_tools else catalogue.templates,
            concepts=() if only_tools else catalogue.concepts,
            generators=() if only_tools else catalogue.generators,
            categories=(),
        ),
        Analyses(
            vocabulary=words,
            methods=previous.methods,
            templates=previous.templates,
            concepts=previous.concepts,
            generators=previous.generators,
        ),
    )
    return Analyses(
        vocabulary=fresh.vocabulary,
        tools=_moved(previous.tools, fresh.tools, origin, new),
        facts=_moved(previous.facts, fresh.facts, origin, new),
        methods=previous.methods if only_tools else fresh.methods,
        generators=previous.generators if only_tools else fresh.generators,
        templates=previous.templates if only_tools else fresh.templates,
        concepts=previous.concepts if only_tools else fresh.concepts,
    )


def _moved(old: list[T], fresh: Sequence[T], origin: Positions, new: Sequence[int]) -> list[T]:
    """The old values, at their places of now, and the fresh ones."""
    if len(new) > _FEW:
        # Each insertion moves what is behind it.
        found = [old[at] if at >= 0 else None for at in origin.tolist()]
        for place, value in zip(new, fresh, strict=True):
            found[place] = value
        return cast("list[T]", found)
    kept = old.copy()
    gone = np.ones(len(old), np.bool_)
    gone[origin[origin >= 0]] = False
    for place in np.flatnonzero(gone)[::-1].tolist():
        del kept[place]
    for place, value in zip(new, fresh, strict=True):
        kept.insert(place, value)
    return kept


def _analyse_all(
    nodes: Iterable[Node],
    previous: Iterable[Analysis[Node]],
    vocabulary: Vocabulary,
    names: Collection[str],
    texts_of: Callable[[Node], Texts],
    reference_text_of: Callable[[Texts], str],
) -> list[Analysis[Node]]:
    known = {analysis.node.id: analysis for analysis in previous}
    analyses: list[Analysis[Node]] = []
    for node in nodes:
        before = known.get(node.id)
        if before is not None and (before.node is node or before.node == node):
            analyses.append(before)
            continue
        texts = texts_of(node)
        fields = _fields_of(texts, names)
        numbers = [vocabulary[term] for terms in fields for term in terms]
        reference = [vocabulary[term] for term in reference_terms(reference_text_of(texts))]
        analyses.append(
            Analysis(
                node,
                np.array(numbers, np.int32),
                tuple(len(terms) for terms in fields),
                np.array(reference, np.int32),
            )
        )
    return analyses


def _fields_of(texts: Texts, names: Collection[str]) -> list[list[str]]:
    """The terms of each named field: those of its text, or the pairs within all."""
    fields = [auto_terms(text) for text in texts]
    if PAIRS in names:
        paired = [text for text, name in zip(texts, names, strict=False) if name in PAIRED_FIELDS]
        fields.append(term_pairs("\n".join(paired)))
    return fields
