"""What nodes are listed and looked up by: folded names, and marks of tools. Made when first asked for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.domain.catalogue import Catalogue
from app.domain.nodes.graph_views import GraphNode
from app.domain.nodes.models import NodeKind
from app.domain.ranking.formulas import Mask

_NAME, _WORD = "\n", "\0"
"""What stands before and behind each name, and before each word of one; no name holds either."""
_BETWEEN_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\W_]+")


@dataclass(frozen=True, eq=False)
class Listing:
    """The names of one generation. About 200 bytes and .01 ms a tool."""

    tools: Sequence[str]
    """Of each tool of the catalogue its names and their words, folded."""
    others: Sequence[GraphNode]
    """All other nodes that have names, by kind and id."""
    names: Sequence[str]
    """Theirs, as those of tools."""
    declared: Mask
    """Of tools."""
    deprecated: Mask

    @classmethod
    def of(cls, catalogue: Catalogue) -> "Listing":
        """Of everything that a catalogue has."""
        tools = catalogue.tools
        others = [
            GraphNode(kind=kind, id=node, name=name)
            for kind, nodes in _named(catalogue).items()
            for node, name in nodes
        ]
        return cls(
            tools=[_text(one.id, one.name, one.title) for one in tools],
            others=others,
            names=[_text(one.id, one.name) for one in others],
            declared=np.array([one.declared for one in tools], np.bool_),
            deprecated=np.array([one.deprecated for one in tools], np.bool_),
        )


def folded_words(text: str) -> list[str]:
    """The words of what somebody types, as `Listing` has them."""
    return text.casefold().replace(_WORD, " ").split()


def begun_by(words: Sequence[str], texts: Sequence[str]) -> list[tuple[int, int]]:
    """The texts that what was typed begins: how well, and the place of each; lower is better.

    0: it is the id or a name. 1: an id or a name begins with it. 2: a word of a name does.
    """
    name, word = _NAME + " ".join(words), _WORD + _WORD.join(words)
    whole = name + _NAME
    found = [at for at, text in enumerate(texts) if name in text or word in text]
    return [((0 if whole in texts[at] else 1) if name in texts[at] else 2, at) for at in found]


def _text(*names: str) -> str:
    each = dict.fromkeys(" ".join(name.split()) for name in names if name)
    words = _WORD.join(_BETWEEN_WORDS.sub(_WORD, name) for name in each)
    return f"{_NAME}{_NAME.join(each)}{_NAME}{_WORD}{words}".casefold()


def _named(catalogue: Catalogue) -> Mapping[NodeKind, Iterator[tuple[str, str]]]:
    return {
        NodeKind.CATEGORY: ((one.id, one.name) for one in catalogue.categories),
        NodeKind.METHOD: ((one.id, one.name) for one in catalogue.methods),
        NodeKind.TEMPLATE: ((one.id, one.name) for one in catalogue.templates),
        NodeKind.CONCEPT: ((one.id, one.name) for one in catalogue.concepts),
        NodeKind.GENERATOR: ((one.id, one.name) for one in catalogue.generators),
        NodeKind.WORKFLOW: ((one.id, one.name) for one in catalogue.workflows),
    }
