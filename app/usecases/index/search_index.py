"""Everything that answering needs of one generation, in memory, and never changed once built."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.access.rules import TrustFloor
from app.domain.catalogue import Catalogue
from app.domain.linking.suggested import SuggestedTools
from app.domain.nodes.models import ScoredId, Tool, ToolId
from app.domain.packed.sequences import Chosen, ChosenPositions, NewPlaces, new_places
from app.domain.planning.index import PlanIndex
from app.domain.ranking.formulas import Mask, Positions
from app.domain.ranking.names import NameIndex
from app.domain.ranking.recipe import RECIPE, RankingRecipe
from app.domain.ranking.runs import Reached
from app.domain.ranking.views import DocumentTerms
from app.domain.schemas.provider_schemas import provider_names
from app.usecases.index.analyses import Analyses, NodeTerms, analyse
from app.usecases.index.facts import ToolActs, ToolObjects, ToolResources
from app.usecases.index.filtered import AllowedTools, numbers_of, refuse_unknown, union_of
from app.usecases.index.listing import Listing
from app.usecases.index.meaning import Meaning
from app.usecases.index.views import CatalogueView
from app.usecases.index.whole import (
    categories_of,
    methods_of_tools,
    methods_that_speak,
    numbers_of_servers,
    whole_view,
)
from app.usecases.questions import Filters


@dataclass(frozen=True)
class SearchIndex:
    """One generation. Build the next beside it and swap: readers keep the one that they began with.

    Memory: about 7 kB a tool for real MCP catalogues, the catalogue's own texts included; more where a tool has
    many methods, whose words its document holds too.
    """

    catalogue: Catalogue
    recipe: RankingRecipe
    analyses: Analyses
    whole: CatalogueView
    """The view that sees everything."""
    acts: ToolActs
    objects: ToolObjects
    resources: ToolResources
    positions: Mapping[str, int]
    """Tool id -> position in `catalogue.tools`, which is the order of all arrays."""
    of_methods: sp.csr_matrix
    """(tools, methods and then generators), 1 where the tool has the other's texts in its document."""
    servers: Mapping[str, int]
    """Server -> its number."""
    categories: Mapping[str, Positions]
    """Category id -> tools in it, or implementing a method in it."""
    read_only: Mask
    declared: Mask
    """Tools of which only their names are known: they cannot be called."""
    names: NameIndex
    meaning: Meaning = field(default_factory=Meaning)
    """Comes in after the index is built."""

    @classmethod
    def build(
        cls,
        catalogue: Catalogue,
        *,
        recipe: RankingRecipe = RECIPE,
    ) -> "SearchIndex":
        """Index a generation.

        Args:
            catalogue: May be empty.
            recipe: What counts how much.
        """
        analyses, facts = analyse(catalogue)
        positions: dict[str, int] = {tool.id: position for position, tool in enumerate(catalogue.tools)}
        of_methods = methods_of_tools(catalogue, positions)
        servers = numbers_of_servers(catalogue)
        return cls(
            catalogue=catalogue,
            recipe=recipe,
            analyses=analyses,
            whole=whole_view(catalogue, analyses, facts, of_methods, servers, recipe),
            acts=ToolActs.of_all([one.acts for one in facts], recipe),
            objects=ToolObjects.of_all([one.object for one in facts]),
            resources=ToolResources.of_all([one.resource for one in facts]),
            positions=positions,
            of_methods=of_methods,
            servers=servers,
            categories=categories_of(catalogue, positions),
            read_only=np.array([tool.read_only is True for tool in catalogue.tools], np.bool_),
            declared=np.array([tool.declared for tool in catalogue.tools], np.bool_),
            names=NameIndex.of([f"{tool.name} {tool.title}" for tool in catalogue.tools]),
        )

    @property
    def generation(self) -> int:
        """The generation of the graph that this is."""
        return self.catalogue.generation

    @cached_property
    def plan_index(self) -> PlanIndex:
        """The tools that can be called, as the planner sees them; built when first asked for, then kept."""
        return PlanIndex(self.callable_tools, position=self.callable_positions)

    @property
    def has_plan_index(self) -> bool:
        """Whether `plan_index` was asked for."""
        return "plan_index" in vars(self)

    def take_plan_index(self, found: PlanIndex) -> None:
        """Take what `plan_index` would be otherwise built as."""
        vars(self)["plan_index"] = found

    @cached_property
    def suggested(self) -> SuggestedTools:
        """What each method suggests."""
        return SuggestedTools(self.catalogue.method_by_id, self.positions)

    def take_suggested(self, found: SuggestedTools) -> None:
        """Take what `suggested` would else look up."""
        vars(self)["suggested"] = found

    def suggestions(self, seeds: Sequence[ScoredId]) -> Reached:
        """The tools that these methods suggest, as `SuggestedTools.scores`."""
        return self.suggested.scores(seeds)

    @property
    def callable_at(self) -> Positions:
        """The tools that can be called, rising."""
        return np.flatnonzero(~self.declared)

    @property
    def callable_tools(self) -> Sequence[Tool]:
        """The tools that can be called."""
        every = self.catalogue.tools
        return Chosen(every, self.callable_at) if self.declared.any() else every

    @property
    def callable_positions(self) -> Mapping[str, int]:
        """Tool id -> position among the tools that can be called."""
        if not self.declared.any():
            return self.positions
        return ChosenPositions(self.positions, self.callable_at, self.callable_places)

    @cached_property
    def callable_places(self) -> NewPlaces:
        """Where each tool stands among those that can be called, -1 for one that cannot."""
        return new_places(self.declared.size, self.callable_at)

    @property
    def is_settled(self) -> bool:
        """Whether all tools were counted together."""
        return self.whole.tools.segments[0].at is None

    @property
    def is_worn(self) -> bool:
        """Whether most terms that have numbers are no longer in use."""
        return 2 * self.whole.terms_in_use() < len(self.analyses.vocabulary)

    def prepare_views(self) -> None:
        """Count now what is else counted by the first view."""
        if self.has_plan_index:
            _ = self.plan_index.columns.splits

    def settled(self) -> "SearchIndex":
        """The same generation, all tools counted together: answers are those of an index that is built from it."""
        if self.is_settled:
            return self
        if self.is_worn:
            return replace(SearchIndex.build(self.catalogue, recipe=self.recipe), meaning=self.meaning)
        found = replace(self, whole=self.whole.settled(), names=self.names.settled())
        found.take_suggested(self.suggested)
        if self.has_plan_index:
            found.take_plan_index(self.plan_index.settled())
        return found

    @cached_property
    def provider_names(self) -> Mapping[str, str]:
        """The name that each tool has in the forms of model providers; built when first asked for, then kept."""
        return provider_names(self.positions)

    @cached_property
    def listing(self) -> Listing:
        """What nodes are listed and looked up by; built when first asked for, then kept."""
        return Listing.of(self.catalogue)

    def view(self, visible: Mask) -> CatalogueView:
        """The view of who sees only these tools, and the methods, templates and concepts that lead to one of them.

        Methods of the common taxonomy are seen by all: they are the same everywhere.
        """
        catalogue, methods = self.catalogue, len(self.catalogue.methods)
        reaching = np.asarray(self.of_methods[:, :methods].T @ visible.astype(np.float64)).ravel() > 0
        seen = {method.id for method, sees in zip(catalogue.methods, reaching.tolist(), strict=True) if sees}

        def sees_tool(tools: Iterable[ToolId]) -> bool:
            return any(visible[self.positions[tool]] for tool in tools if tool in self.positions)

        speak, _ = methods_that_speak(self.analyses.methods)
        return self.whole.narrowed(
            visible,
            methods=reaching & speak,
            templates=np.array([sees_tool(template.uses) for template in catalogue.templates], np.bool_),
            concepts=np.array(
                [any(method in seen for method in concept.related_to) for concept in catalogue.concepts],
                np.bool_,
            ),
        )

    def allowed(self, filters: Filters) -> AllowedTools | None:
        """The tools that pass every filter; None when nothing is filtered.

        Raises:
            InvalidInputError: a server or category that this generation does not have.
        """
        if not (filters.servers or filters.categories) and filters.read_only is filters.reviewed is None:
            return None
        servers = numbers_of("server", filters.servers, self.servers) if filters.servers else None
        refuse_unknown("category", filters.categories, self.categories)
        members = [self.categories[category] for category in filters.categories]
        return AllowedTools(
            tools=len(self.catalogue.tools),
            servers=servers,
            members=union_of(members) if members else None,
            read_only=filters.read_only,
            server_of=self.whole.server_of,
            reads_only=self.read_only,
            reviewed=filters.reviewed,
            unreviewed=self.unreviewed if filters.reviewed is not None else None,
        )

    @cached_property
    def unreviewed(self) -> Mask:
        """Tools that a baseline alone accepted; all tools are read when somebody asks for the first time."""
        return np.array([tool.reviewed is False for tool in self.catalogue.tools], np.bool_)

    def trusted(self, floor: TrustFloor) -> Mask:
        """Tools that are trusted so far."""
        if floor is TrustFloor.REVIEWED:
            return ~self.unreviewed
        return np.array([tool.trust is None for tool in self.catalogue.tools], np.bool_)

    def reached(self, scores: Mapping[str, float]) -> Reached:
        """Scores by tool id as an array; ids that this generation does not know are dropped."""
        places = ((self.positions.get(tool), score) for tool, score in scores.items())
        found = sorted((position, score) for position, score in places if position is not None)
        return Reached(
            np.array([position for position, _ in found], np.intp),
            np.array([score for _, score in found], np.float64),
        )

    def document(self, position: int) -> DocumentTerms:
        """A tool's document, the texts of its methods and generators included."""
        tool, first = self.analyses.tools[position], len(self.recipe.tool_fields)
        numbers, fields = [tool.numbers], [np.repeat(np.arange(first), tool.lengths)]
        for text in self._texts(position):
            numbers.append(text.numbers)
            fields.append(np.repeat(np.arange(first, first + len(text.lengths)), text.lengths))
        return DocumentTerms(position, np.concatenate(numbers), np.concatenate(fields))

    def reference_document(self, position: int) -> npt.NDArray[np.int32]:
        """Term numbers of a tool's document of the reference rankings, the texts of its methods included."""
        own = self.analyses.tools[position].reference
        return np.concatenate([own, *(text.reference for text in self._texts(position))])

    def _texts(self, position: int) -> Iterable[NodeTerms]:
        """The methods and generators of a tool."""
        methods, rows = self.analyses.methods, self.of_methods
        for number in rows.indices[rows.indptr[position] : rows.indptr[position + 1]].tolist():
            generator = number - len(methods)
            yield methods[number].terms if generator < 0 else self.analyses.generators[generator].terms
