"""What one caller sees of a generation: the index of it, and whether a node or a source is in it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from app.domain.access.rules import (
    Act,
    Granted,
    Rule,
    Selectable,
    compiled,
    deciding_rule,
    selecting_rules,
)
from app.domain.nodes.graph_views import NodeRef
from app.domain.nodes.models import NodeKind, Tool
from app.domain.workflows.stored import Workflow
from app.usecases.index.narrowed import narrowed_index, sees_workflow
from app.usecases.index.search_index import SearchIndex
from app.usecases.seen.labelled import LabelledTools
from app.usecases.seen.provenance import COMMON_SOURCE, Provenance, is_taxonomy


def selectable(
    index: SearchIndex, provenance: Provenance, labelled: LabelledTools | None = None
) -> Selectable:
    """What rules select from, of one generation.

    Args:
        index: Of everything.
        provenance: Of the same generation.
        labelled: Which of its tools have which labels; looked for when a rule asks where this is None.
    """
    members: defaultdict[str, list[int]] = defaultdict(list)
    for at, tool_id in enumerate(index.positions):
        for source in provenance.owners(NodeKind.TOOL, tool_id):
            members[source].append(at)
    return Selectable(
        ids=list(index.positions),
        sources={source: np.array(tools, np.intp) for source, tools in members.items()},
        categories=index.categories,
        read_only=index.read_only,
        all_sources=provenance.sources,
        labels=labelled or LabelledTools(index.catalogue.tools, index.positions),
        trusted=index.trusted,
    )


@dataclass(frozen=True, eq=False)
class Sight:
    """A caller's view of one generation."""

    index: SearchIndex
    """What may be found."""
    planning: SearchIndex
    """What may be planned with."""
    callable_ids: frozenset[str] | None
    """What may be called; None: everything."""
    provenance: Provenance
    taxonomies: frozenset[str] | None
    """Granted sources of nodes other than tools; None: all."""
    is_admin: bool
    """Sees where sources lie, and what is wrong with them."""
    is_ruled: bool
    """Whether rules say what is seen: even one that leaves everything is answered as the others are."""
    untold: frozenset[str] = frozenset()
    """Tools whose stated labels are not seen."""
    rules: tuple[Rule, ...] = ()
    """Those that it was made of, and what they select from; for the audit."""
    world: Selectable | None = None

    @cached_property
    def sources(self) -> frozenset[str]:
        """Sources that provide a visible node, as far as they are granted."""
        found = {
            source
            for tool in self.index.positions
            for source in self.provenance.owners(NodeKind.TOOL, tool)
            if not is_taxonomy(source) or self._is_granted_source(source)
        }
        catalogue = self.index.catalogue
        others = (
            (NodeKind.METHOD, catalogue.methods),
            (NodeKind.TEMPLATE, catalogue.templates),
            (NodeKind.CONCEPT, catalogue.concepts),
        )
        for kind, nodes in others:
            found |= {
                one.source
                for node in nodes
                for one in self.provenance.of(kind, node.id)
                if self._is_granted_source(one.source)
            }
        return frozenset(found)

    def _is_granted_source(self, source: str) -> bool:
        return self.taxonomies is None or source in self.taxonomies or source.startswith(COMMON_SOURCE)

    @cached_property
    def counts(self) -> Mapping[str, Counter[NodeKind]]:
        """Of each visible source how many visible nodes of each kind it provides."""
        found: defaultdict[str, Counter[NodeKind]] = defaultdict(Counter)
        for (kind, node_id), provided in self.provenance.providers.items():
            if self.sees(NodeRef(kind, node_id)):
                for one in provided:
                    found[one.source][kind] += 1
        return found

    @cached_property
    def declared(self) -> Counter[str]:
        """Of each source how many visible tools it only names."""
        return Counter(
            one.source
            for tool in self.index.positions
            for one in self.provenance.of(NodeKind.TOOL, tool)
            if one.declares
        )

    @cached_property
    def _nodes(self) -> Mapping[NodeKind, frozenset[str]]:
        catalogue = self.index.catalogue
        return {
            NodeKind.METHOD: frozenset(one.id for one in catalogue.methods),
            NodeKind.TEMPLATE: frozenset(one.id for one in catalogue.templates),
            NodeKind.CONCEPT: frozenset(one.id for one in catalogue.concepts),
            NodeKind.GENERATOR: frozenset(one.id for one in catalogue.generators),
            NodeKind.CATEGORY: frozenset(self.index.categories),
            NodeKind.WORKFLOW: frozenset(one.id for one in catalogue.workflows),
        }

    def sees(self, node: NodeRef) -> bool:
        """Whether a node is visible; of an example nobody knows by its id."""
        if not self.is_ruled:
            return True
        if node.kind is NodeKind.TOOL:
            return node.id in self.index.positions
        return node.id in self._nodes.get(node.kind, ())

    def sees_tool(self, tool_id: str) -> bool:
        """Whether a tool is visible."""
        return not self.is_ruled or tool_id in self.index.positions

    def told(self, tool: Tool) -> Tool:
        """A visible tool, without what a taxonomy that is not granted may say of its flows."""
        if tool.labels and tool.id in self.untold:
            return tool.model_copy(update={"labels": ()})
        return tool

    def rule_of_call(self, tool_id: str) -> str:
        """Id of the rule that lets a tool be called, or refuses it; empty where no rule says anything of it."""
        return deciding_rule(self.rules, self.world, tool_id, Act.CALL) if self.world is not None else ""

    def guards_call(self, tool_id: str) -> bool:
        """Whether a rule refuses calls of a tool after what others wrote, if it sends out or destroys."""
        guarding = [rule for rule in self.rules if rule.guards_flows]
        return self.world is not None and bool(selecting_rules(guarding, self.world, tool_id))

    @property
    def refuses_high_flows(self) -> bool:
        """Whether a rule refuses plans with a `high` flow."""
        return any(rule.refuses_high_flows for rule in self.rules)

    def sees_source(self, source: str) -> bool:
        """Whether a source is visible."""
        return source in self.sources if self.is_ruled else True

    def visible_workflows(self, workflows: Iterable[Workflow]) -> list[Workflow]:
        """Those whose tools are all visible."""
        found = [*workflows]
        if not self.is_ruled:
            return found
        by_id = {one.id: one for one in found}
        return [one for one in found if sees_workflow(one, self.sees_tool, by_id.get)]


def sight_of(
    index: SearchIndex,
    provenance: Provenance,
    world: Selectable,
    rules: Iterable[Rule] | None,
    *,
    is_admin: bool,
) -> Sight:
    """What some rules leave of a generation.

    Args:
        index: Of everything.
        provenance: Of the same generation.
        world: `selectable` of both.
        rules: Those about one caller; None: there are no rules at all, and everything is seen.
        is_admin: Whether what operators know of sources is seen.
    """
    if rules is None:
        return Sight(index, index, None, provenance, None, is_admin, is_ruled=False)
    rules = tuple(rules)
    granted = compiled(rules, world)
    untold = _unlabelled(provenance, granted.sources)
    found = _narrowed(index, granted, provenance, world, untold, plan=False)
    same = bool((granted.plan == granted.find).all())
    planning = found if same else _narrowed(index, granted, provenance, world, untold, plan=True)
    ids = frozenset(world.ids[at] for at in np.flatnonzero(granted.call).tolist())
    return Sight(
        *(found, planning, ids, provenance, granted.sources, is_admin),
        is_ruled=True,
        untold=untold,
        rules=rules,
        world=world,
    )


def _narrowed(
    index: SearchIndex,
    granted: Granted,
    provenance: Provenance,
    world: Selectable,
    untold: frozenset[str],
    *,
    plan: bool,
) -> SearchIndex:
    visible = granted.plan if plan else granted.find
    if granted.sources is None and visible.all():
        return index
    taxonomies = granted.sources

    @cache
    def has_tools(source: str) -> bool:
        tools = world.sources.get(source)
        return tools is not None and bool(visible[tools].any())

    def is_granted(kind: NodeKind, node_id: str) -> bool:
        if taxonomies is None:
            return True
        # Categories of an API come with its tools.
        return any(
            one in taxonomies or one.startswith(COMMON_SOURCE) or (not is_taxonomy(one) and has_tools(one))
            for one in provenance.owners(kind, node_id)
        )

    return narrowed_index(index, visible, is_granted, unlabelled=untold)


def _unlabelled(provenance: Provenance, taxonomies: frozenset[str] | None) -> frozenset[str]:
    """The tools that a taxonomy which is not granted says something of: which of their labels are its is not kept."""
    if taxonomies is None:
        return frozenset()
    return frozenset(
        tool for tool, sources in provenance.taxonomies.items() if not taxonomies.issuperset(sources)
    )
