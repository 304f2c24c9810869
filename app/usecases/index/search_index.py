"""Everything that answering needs of one generation, in memory, and never changed once built."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import Tool, ToolId
from app.domain.planning.index import PlanIndex
from app.domain.ranking.formulas import Mask, Positions
from app.domain.ranking.names import NameIndex
from app.domain.ranking.recipe import RECIPE, RankingRecipe
from app.domain.ranking.runs import Reached
from app.domain.ranking.views import DocumentTerms
from app.domain.schemas.provider_schemas import provider_names
from app.usecases.index.analyses import Analyses, Analysis, analyse
from app.usecases.index.facts import ToolActs, ToolObjects, ToolResources
from app.usecases.index.filtered import AllowedTools, numbers_of, refuse_unknown, union_of
from app.usecases.index.views import CatalogueView
from app.usecases.index.whole import categories_of, methods_of_tools, numbers_of_servers, whole_view
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
    terms: tuple[str, ...]
    """The term of each number; some are of earlier generations."""
    positions: Mapping[str, int]
    """Tool id -> position in `catalogue.tools`, which is the order of all arrays."""
    of_methods: sp.csr_matrix
    """(tools, methods and then generators), 1 where the tool has the other's texts in its document."""
    servers: Mapping[str, int]
    """Server -> its number."""
    categories: Mapping[str, Positions]
    """Category id -> tools in it, or implementing a method in it."""
    read_only: Mask
    names: NameIndex

    @classmethod
    def build(
        cls,
        catalogue: Catalogue,
        *,
        previous: "SearchIndex | None" = None,
        recipe: RankingRecipe = RECIPE,
    ) -> "SearchIndex":
        """Index a generation.

        Args:
            catalogue: May be empty.
            previous: An earlier generation; the analysis of nodes that did not change is taken from it.
            recipe: What counts how much.
        """
        analyses = analyse(catalogue, _reusable(previous))
        positions: dict[str, int] = {tool.id: position for position, tool in enumerate(catalogue.tools)}
        of_methods = methods_of_tools(catalogue, positions)
        servers = numbers_of_servers(catalogue)
        return cls(
            catalogue=catalogue,
            recipe=recipe,
            analyses=analyses,
            whole=whole_view(catalogue, analyses, of_methods, servers, recipe),
            acts=ToolActs.of_all([facts.acts for facts in analyses.facts], recipe),
            objects=ToolObjects.of_all([facts.object for facts in analyses.facts]),
            resources=ToolResources.of_all([facts.resource for facts in analyses.facts]),
            terms=tuple(analyses.vocabulary),
            positions=positions,
            of_methods=of_methods,
            servers=servers,
            categories=categories_of(catalogue, positions),
            read_only=np.array([tool.read_only is True for tool in catalogue.tools], np.bool_),
            names=NameIndex([f"{tool.name} {tool.title}" for tool in catalogue.tools]),
        )

    @property
    def generation(self) -> int:
        """The generation of the graph that this is."""
        return self.catalogue.generation

    @cached_property
    def plan_index(self) -> PlanIndex:
        """The tools that can be called, as the planner sees them; built when first asked for, then kept."""
        return PlanIndex([tool for tool in self.catalogue.tools if not tool.declared])

    def has_tools_of(self, other: "SearchIndex", touched: Collection[str]) -> bool:
        """Whether the tools are those of an earlier index, which differs by no others than these."""

        def tool_of(index: SearchIndex, tool: str) -> Tool | None:
            position = index.positions.get(tool)
            return None if position is None else index.catalogue.tools[position]

        return all(tool_of(self, tool) == tool_of(other, tool) for tool in touched)

    def keep_planner_of(self, other: "SearchIndex") -> None:
        """Take `plan_index` from an index that has the same tools, instead of building it."""
        self.__dict__["plan_index"] = other.plan_index

    @cached_property
    def provider_names(self) -> Mapping[str, str]:
        """The name that each tool has in the forms of model providers; built when first asked for, then kept."""
        return provider_names(self.positions)

    def view(self, visible: Mask) -> CatalogueView:
        """The view of who sees only these tools, and the methods, templates and concepts that lead to one of them."""
        catalogue, methods = self.catalogue, len(self.catalogue.methods)
        reaching = np.asarray(self.of_methods[:, :methods].T @ visible.astype(np.float64)).ravel() > 0
        seen = {method.id for method, sees in zip(catalogue.methods, reaching.tolist(), strict=True) if sees}

        def sees_tool(tools: Iterable[ToolId]) -> bool:
            return any(visible[self.positions[tool]] for tool in tools if tool in self.positions)

        return self.whole.narrowed(
            visible,
            methods=reaching,
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
        if not filters.servers and not filters.categories and filters.read_only is None:
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
        )

    def reached(self, scores: Mapping[str, float]) -> Reached:
        """Scores by tool id as an array; ids that this generation does not know are dropped."""
        found = sorted(
            (self.positions[tool], score) for tool, score in scores.items() if tool in self.positions
        )
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

    def _texts(self, position: int) -> Iterable[Analysis[Any]]:
        """The methods and generators of a tool."""
        methods, rows = self.analyses.methods, self.of_methods
        for number in rows.indices[rows.indptr[position] : rows.indptr[position + 1]].tolist():
            generator = number - len(methods)
            yield methods[number] if generator < 0 else self.analyses.generators[generator]


def _reusable(previous: SearchIndex | None) -> Analyses | None:
    """The analyses of `previous`, unless most terms of its vocabulary are no longer in use."""
    if previous is None:
        return None
    used = previous.whole.terms_in_use()
    return previous.analyses if 2 * used >= len(previous.analyses.vocabulary) else None
