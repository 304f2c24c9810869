"""What a caller's catalogue is: all statistics of rankings, counted over visible nodes alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from app.domain.ranking.documents import estimate_tokens
from app.domain.ranking.formulas import NO_SERVER, Array, Mask, Positions
from app.domain.ranking.names import NameCover
from app.domain.ranking.runs import Keys
from app.domain.ranking.views import DocumentView


@dataclass(frozen=True, eq=False)
class ReferenceViews:
    """BM25 over KG-Hybrid's documents."""

    tools: DocumentView
    methods: DocumentView
    templates: DocumentView

    def all(self) -> tuple[DocumentView, ...]:
        """All three."""
        return self.tools, self.methods, self.templates


@dataclass(frozen=True, eq=False)
class CatalogueView:
    """Somebody's view of one generation.

    Arrays are over all nodes of the generation; hidden ones take part in nothing.
    """

    tools: DocumentView
    """BM25F of `auto`, as the next four."""
    methods: DocumentView
    common: DocumentView
    """Methods of the common taxonomy, which nobody is without."""
    templates: DocumentView
    concepts: DocumentView
    reference: ReferenceViews
    cover: NameCover
    server_of: npt.NDArray[np.signedinteger]
    with_methods: Mask
    """Tools that a method is implemented by."""
    definition_bytes: npt.NDArray[np.signedinteger]
    """Of each tool."""
    visible: Mask | None = None
    """None: all tools are."""

    @cached_property
    def server_sizes(self) -> Array:
        """By a server's number, how many of its tools are visible."""
        seen = self.server_of if self.visible is None else self.server_of[self.visible]
        return np.bincount(seen[seen != NO_SERVER]).astype(np.float64)

    @cached_property
    def catalogue_tokens(self) -> int:
        """Estimated tokens of all visible tools' definitions together."""
        seen = self.definition_bytes if self.visible is None else self.definition_bytes[self.visible]
        return estimate_tokens(seen.tolist())

    @cached_property
    def stated_share(self) -> float:
        """Share of the visible tools that a method is implemented by, 0 to 1."""
        seen = self.with_methods if self.visible is None else self.with_methods[self.visible]
        return float(seen.mean()) if seen.size else 0.0

    @property
    def has_methods(self) -> bool:
        """Whether a method is implemented by any visible tool."""
        return self.stated_share > 0

    @cached_property
    def known(self) -> Mask:
        """By its number, whether a visible node of `auto` holds a term; numbers behind the last are not known.

        What only methods of the common taxonomy hold is not among them: no tool is ranked by it.
        """
        return _mask_of([kind.held for kind in (self.tools, self.methods, self.templates, self.concepts)])

    @cached_property
    def heard(self) -> Mask:
        """The same with what methods of the common taxonomy hold."""
        if not self.common.documents:
            return self.known
        return _mask_of([np.flatnonzero(self.known), self.common.held])

    def terms_in_use(self) -> int:
        """How many numbers of terms the catalogue's nodes hold, hidden ones included."""
        counted = (
            self.tools,
            self.methods,
            self.common,
            self.templates,
            self.concepts,
            *self.reference.all(),
        )
        return int(np.unique(np.concatenate([kind.terms for kind in counted])).size)

    def prepare(self) -> None:
        """Count now what is else counted by the first query."""
        _ = self.heard, self.server_sizes, self.stated_share, self.catalogue_tokens, self.cover.totals
        for documents in (self.tools, self.common, *self.reference.all()):
            documents.prepare()

    def settled(self) -> "CatalogueView":
        """The same, all tools counted together."""
        tools = self.tools.settled()
        return replace(
            self,
            tools=tools,
            reference=replace(self.reference, tools=self.reference.tools.settled()),
            cover=replace(self.cover, documents=tools),
        )

    def sees(self, positions: Positions) -> Mask:
        """Which of these tools are visible."""
        return np.ones(positions.size, np.bool_) if self.visible is None else self.visible[positions]

    def narrowed(self, tools: Mask, *, methods: Mask, templates: Mask, concepts: Mask) -> "CatalogueView":
        """The view of who sees only these; its weights are computed per query."""
        return CatalogueView(
            tools=self.tools.narrowed(tools),
            methods=self.methods.narrowed(methods),
            common=self.common,
            templates=self.templates.narrowed(templates),
            concepts=self.concepts.narrowed(concepts),
            reference=ReferenceViews(
                tools=self.reference.tools.narrowed(tools),
                methods=self.reference.methods.narrowed(methods),
                templates=self.reference.templates.narrowed(templates),
            ),
            cover=replace(self.cover, documents=self.tools.narrowed(tools)),
            server_of=self.server_of,
            with_methods=self.with_methods,
            definition_bytes=self.definition_bytes,
            visible=tools,
        )


def _mask_of(held: Sequence[Keys]) -> Mask:
    """True at these numbers of terms."""
    mask = np.zeros(1 + max((int(terms[-1]) for terms in held if terms.size), default=-1), np.bool_)
    for terms in held:
        mask[terms] = True
    return mask
