"""Words and documents of the published methods."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from app.domain.catalogue import Catalogue
from app.domain.language.text import reference_terms
from app.domain.nodes.models import Method
from app.domain.ranking.documents import method_texts, tool_text, tool_texts

_PUNCTUATION = re.compile(r"[^\w\s]")
_MIN_CHARS = 3


class Tokens(StrEnum):
    """How texts become words; the same for queries and documents."""

    PAPER = "paper"
    """Lower case, punctuation removed, words of 3 characters or more; as published."""
    REFERENCE = "reference"
    """The service's: identifiers split, stems."""


def paper_terms(text: str) -> list[str]:
    """Words as ToolBench is published with; `_` is no punctuation, so identifiers stay whole.

    Source:
        PinePaper-ToolBench (2026), section 4.
    """
    words = _PUNCTUATION.sub(" ", text.lower()).split()
    return [word for word in words if len(word) >= _MIN_CHARS]


TERMS: dict[Tokens, Callable[[str], list[str]]] = {
    Tokens.PAPER: paper_terms,
    Tokens.REFERENCE: reference_terms,
}


@dataclass(frozen=True)
class Corpus:
    """A catalogue as the published methods see it: a text for each tool, method and template."""

    catalogue: Catalogue
    tokens: Tokens

    @cached_property
    def tools(self) -> list[str]:
        """Tool ids in the order of all lists."""
        return [tool.id for tool in self.catalogue.tools]

    @cached_property
    def texts(self) -> list[str]:
        """A tool's own text, then name, description, tags and examples of every method that implements it.

        The own text is name, description and parameter names; of a tool that only a taxonomy names, its name.
        """
        own: dict[str, list[str]] = {tool.id: [tool_text(tool_texts(tool))] for tool in self.catalogue.tools}
        for method in self.catalogue.methods:
            for tool in method.implements:
                if tool in own:
                    own[tool].append(self._method_text(method))
        for generator in self.catalogue.generators:
            if generator.tool in own:
                own[generator.tool].append(f"{generator.name}\n{generator.description}")
        return ["\n".join(own[tool]) for tool in self.tools]

    @cached_property
    def documents(self) -> list[list[str]]:
        """The words of `texts`."""
        return [self.terms(text) for text in self.texts]

    @cached_property
    def methods(self) -> list[list[str]]:
        """The words of each method."""
        return [self.terms(self._method_text(method)) for method in self.catalogue.methods]

    @cached_property
    def templates(self) -> list[list[str]]:
        """The words of each template: what the user says, not what it takes."""
        return [
            self.terms("\n".join((template.name, template.surface, *template.tags)))
            for template in self.catalogue.templates
        ]

    def terms(self, text: str) -> list[str]:
        """The words of a text."""
        return TERMS[self.tokens](text)

    def _method_text(self, method: Method) -> str:
        name, description, tags, _, examples, _ = method_texts(method)
        return "\n".join((name, description, tags, examples))


def joined(words: Sequence[str]) -> str:
    """Words as one text to look for parts of words in."""
    return " ".join(words)
