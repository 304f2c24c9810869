"""Rules: who may find, plan with and call which tools. Read from a file elsewhere, compiled to masks here."""

import hashlib
import json
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from app.domain.access.buckets import CallerBounds, GroupBounds, most_generous
from app.domain.access.callers import Caller
from app.domain.nodes.models import Label
from app.domain.ranking.formulas import Mask


class Act(StrEnum):
    """What may be done with a tool. Who may call it may plan with it, and who may plan with it may find it."""

    FIND = "find"
    PLAN = "plan"
    CALL = "call"


class TrustFloor(StrEnum):
    """How far a tool has to be trusted."""

    FULL = "full"
    """Its sources are trusted in full."""
    REVIEWED = "reviewed"
    """That, or a person agreed to its definition."""


_ORDER: Final = (Act.FIND, Act.PLAN, Act.CALL)
_MOST_MEANT: Final = 4_096
"""Sets of claim values of which the groups are remembered: as many as tokens are known."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Grants or denials; several selectors narrow."""

    id: str
    to: frozenset[str]
    """Groups, `caller:NAME`, or `*` for everybody."""
    may: frozenset[Act] = frozenset()
    deny: frozenset[Act] = frozenset()
    tools: tuple[str, ...] = ()
    """Patterns of ids, in which `*` is any text; none: every id."""
    sources: tuple[str, ...] = ()
    """Patterns of `kind:name`."""
    categories: tuple[str, ...] = ()
    labels: tuple[Label, ...] = ()
    """Of tools: stated ones, and inferred ones that count."""
    read_only: bool | None = None
    trust: TrustFloor | None = None
    refuses_high_flows: bool = False
    """Whether plans with a `high` flow are refused to callers whom it is about."""
    guards_flows: bool = False
    """Refuse calls of what it selects that send out or destroy, to a caller that was lately given what others wrote."""

    @property
    def granted(self) -> frozenset[Act]:
        """With what a grant implies."""
        return _up_to(max((_ORDER.index(one) for one in self.may), default=-1))

    @property
    def denied(self) -> frozenset[Act]:
        """With what a denial implies: what may not be found may not be planned with or called."""
        least = min((_ORDER.index(one) for one in self.deny), default=len(_ORDER))
        return frozenset(_ORDER[least:])

    @property
    def is_everything(self) -> bool:
        """Whether nothing narrows it."""
        return self.tools == ("*",) and not (
            self.sources or self.categories or self.labels or self.read_only is not None or self.trust
        )

    def concerns(self, caller: Caller) -> bool:
        """Whether it is about this caller."""
        return "*" in self.to or caller.id in self.to or not caller.groups.isdisjoint(self.to)


def _up_to(last: int) -> frozenset[Act]:
    return frozenset(_ORDER[: last + 1])


@dataclass(frozen=True)
class RuleBook:
    """All rules of one file."""

    rules: tuple[Rule, ...] = ()
    oidc_groups: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Group -> claim values that mean it, as `issuer|value`."""
    bounds: Mapping[str, GroupBounds] = field(default_factory=dict)
    """Group -> what its callers may ask for, where the file says that."""

    def bounds_of(self, caller: Caller, usual: CallerBounds) -> CallerBounds:
        """What a caller may ask for: as the most generous of his groups has it, else `usual`."""
        if not self.bounds:
            return usual
        return most_generous(usual, [self.bounds[one] for one in caller.groups if one in self.bounds])

    def of(self, caller: Caller) -> tuple[Rule, ...]:
        """The rules about a caller, in the order of the file: callers with equal ones share a view."""
        return tuple(rule for rule in self.rules if rule.concerns(caller))

    def groups_meant_by(self, values: frozenset[str]) -> frozenset[str]:
        """The groups that any of these claim values means; of the same values they are looked up once."""
        found = self._meant.get(values)
        if found is None:
            groups = self._groups_by_value
            found = frozenset().union(*(groups[one] for one in values & groups.keys()))
            if len(self._meant) >= _MOST_MEANT:
                self._meant.clear()
            self._meant[values] = found
        return found

    @cached_property
    def _meant(self) -> dict[frozenset[str], frozenset[str]]:
        return {}

    @cached_property
    def _groups_by_value(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for group, values in self.oidc_groups.items():
            for value in values:
                found[value] = found.get(value, frozenset()) | {group}
        return found

    @property
    def names_labels(self) -> bool:
        """Whether any rule selects by labels, which have to be inferred for it."""
        return any(rule.labels for rule in self.rules)

    def groups(self) -> frozenset[str]:
        """Groups that rules name."""
        named = frozenset().union(*(rule.to for rule in self.rules))
        return frozenset(one for one in named if one != "*" and not one.startswith("caller:"))

    def groups_of_issuer(self) -> frozenset[str]:
        """Groups that a claim value means."""
        return frozenset(group for group, values in self.oidc_groups.items() if values)

    def known_groups(self) -> frozenset[str]:
        """Groups that the file says anything of."""
        return self.groups() | self.oidc_groups.keys()


@dataclass(frozen=True, eq=False)
class Selectable:
    """What rules select from: N tools by position, and where everything comes from."""

    ids: Sequence[str]
    sources: Mapping[str, npt.NDArray[np.intp]]
    """Source -> the tools that it provides, or names where nobody describes them."""
    categories: Mapping[str, npt.NDArray[np.intp]]
    read_only: Mask
    all_sources: frozenset[str]
    """Taxonomies, too."""
    labels: Callable[[], Mapping[Label, Mask]] = dict
    """The tools that have a label, of each that any has; asked only where a rule names one, as they have to be inferred."""
    trusted: Callable[[TrustFloor], Mask] | None = None
    """The tools that are trusted so far; None: all are. Asked only where a rule names it, as every tool is looked at."""

    @property
    def size(self) -> int:
        """N."""
        return len(self.ids)

    @cached_property
    def _matched(self) -> dict[str, Mask]:
        return {}

    def matching(self, pattern: str) -> Mask:
        """The tools whose id a pattern fits; each pattern is looked for once."""
        if pattern not in self._matched:
            mask = np.zeros(self.size, np.bool_)
            fits, prefix = matcher(pattern), pattern.partition("*")[0]
            # Ids rise, so those that begin alike stand together.
            at = bisect_left(self.ids, prefix)
            if prefix and pattern == f"{prefix}*":
                mask[at : bisect_left(self.ids, prefix + "\U0010ffff", lo=at)] = True
            else:
                while at < self.size and self.ids[at].startswith(prefix):
                    mask[at] = fits(self.ids[at])
                    at += 1
            self._matched[pattern] = mask
        return self._matched[pattern]


def matcher(pattern: str) -> Callable[[str], bool]:
    """Whether a pattern fits a text."""
    parts = pattern.split("*")

    def fits(text: str) -> bool:
        if len(parts) == 1:
            return text == pattern
        first, *middle, last = parts
        if not (text.startswith(first) and text.endswith(last) and len(text) >= len(first) + len(last)):
            return False
        begin, end = len(first), len(text) - len(last)
        for part in middle:
            begin = text.find(part, begin, end)
            if begin < 0:
                return False
            begin += len(part)
        return True

    return fits


@dataclass(frozen=True, eq=False)
class Granted:
    """What some rules leave, by position."""

    find: Mask
    plan: Mask
    call: Mask
    sources: frozenset[str] | None
    """Taxonomies whose methods, templates, concepts, generators and categories may be seen; None: all."""

    @property
    def is_everything(self) -> bool:
        """Whether all may be found and planned with."""
        return self.sources is None and bool(self.find.all() and self.plan.all())


def _named(patterns: Iterable[str], sources: Collection[str]) -> set[str]:
    """The sources that any of some patterns fits; a rule may list hundreds by their whole names."""
    patterns = [*patterns]
    found = {one for one in patterns if "*" not in one and one in sources}
    fits = [matcher(one) for one in patterns if "*" in one]
    return found | {one for one in sources if any(fit(one) for fit in fits)} if fits else found


def compiled(rules: Iterable[Rule], world: Selectable) -> Granted:
    """The union of all grants minus the union of all denials.

    Args:
        rules: Those about one caller.
        world: What they select from.
    """
    masks = {act: np.zeros(world.size, np.bool_) for act in _ORDER}
    denied = {act: np.zeros(world.size, np.bool_) for act in _ORDER}
    taxonomies: set[str] = set()
    hidden_taxonomies: set[str] = set()
    every = False
    for rule in rules:
        selected = selected_by(rule, world)
        for act in rule.granted:
            masks[act] |= selected
        for act in rule.denied:
            denied[act] |= selected
        named = _named(rule.sources, world.all_sources)
        if rule.granted:
            taxonomies |= named
            every = every or rule.is_everything
        if Act.FIND in rule.denied and not (rule.tools or rule.categories or rule.labels):
            hidden_taxonomies |= named
    for act in _ORDER:
        masks[act] &= ~denied[act]
    # What may not be found may be nothing else, whichever rules said so.
    masks[Act.PLAN] &= masks[Act.FIND]
    masks[Act.CALL] &= masks[Act.PLAN]
    sources = (
        None
        if every and not hidden_taxonomies
        else frozenset((world.all_sources if every else taxonomies) - hidden_taxonomies)
    )
    return Granted(masks[Act.FIND], masks[Act.PLAN], masks[Act.CALL], sources)


def selected_by(rule: Rule, world: Selectable) -> Mask:
    """The tools that every selector of a rule lets through."""
    selected = np.ones(world.size, np.bool_)
    if rule.tools:
        selected &= _union([world.matching(one) for one in rule.tools], world.size)
    if rule.sources:
        fitting = _named(rule.sources, world.sources)
        selected &= _at([world.sources[one] for one in fitting], world.size)
    if rule.categories:
        there = [world.categories[one] for one in rule.categories if one in world.categories]
        selected &= _at(there, world.size)
    if rule.read_only is not None:
        selected &= world.read_only == rule.read_only
    if rule.trust is not None and world.trusted is not None:
        selected &= world.trusted(rule.trust)
    if rule.labels:
        labelled = world.labels()
        selected &= _union([labelled[one] for one in rule.labels if one in labelled], world.size)
    return selected


def deciding_rule(rules: Iterable[Rule], world: Selectable, tool_id: str, act: Act) -> str:
    """Id of the rule that decides on a tool: the first that denies it, else the first that grants it; empty without."""
    concerned = [rule for rule in selecting_rules(rules, world, tool_id) if rule.granted or rule.denied]
    # What may not be found may not be called either.
    deciding = [
        *(rule for rule in concerned if act in rule.denied),
        *(rule for rule in concerned if act in rule.granted),
    ]
    return deciding[0].id if deciding else ""


def selecting_rules(rules: Iterable[Rule], world: Selectable, tool_id: str) -> list[Rule]:
    """Those that select a tool, in their order; none selects an unknown one."""
    at = bisect_left(world.ids, tool_id)
    if at == world.size or world.ids[at] != tool_id:
        return []
    return [rule for rule in rules if selected_by(rule, world)[at]]


def name_of_view(rules: Iterable[Rule]) -> str:
    """12 digits that are equal for equal lists of rules."""
    said = [
        {key: sorted(value) if isinstance(value, frozenset) else value for key, value in asdict(rule).items()}
        for rule in rules
    ]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]


def _union(masks: Sequence[Mask], size: int) -> Mask:
    found: Mask = np.zeros(size, np.bool_)
    for mask in masks:
        found |= mask
    return found


def _at(positions: Iterable[npt.NDArray[np.intp]], size: int) -> Mask:
    mask = np.zeros(size, np.bool_)
    for some in positions:
        mask[some] = True
    return mask


def unknown_names(
    book: RuleBook, world: Selectable, *, groups: Iterable[str], callers: Iterable[str]
) -> list[str]:
    """What rules name and nothing is called: warnings, because a source may come later."""
    held = set(groups) | book.groups_of_issuer()
    known, names = held | set(book.oidc_groups), set(callers)
    warnings = [f"limits of group {one!r}: nobody is in it" for one in sorted(book.bounds.keys() - held)]
    for rule in book.rules:
        for group in sorted(rule.to - {"*"}):
            if group.startswith("caller:"):
                if group.removeprefix("caller:") not in names:
                    warnings.append(f"rule {rule.id!r}: no caller {group.removeprefix('caller:')!r}")
            elif group not in known:
                warnings.append(f"rule {rule.id!r}: nobody is in group {group!r}")
        warnings += [
            f"rule {rule.id!r}: no source fits {one!r}"
            for one in rule.sources
            if not any(map(matcher(one), world.all_sources))
        ]
        warnings += [
            f"rule {rule.id!r}: no tool fits {one!r}" for one in rule.tools if not world.matching(one).any()
        ]
        warnings += [
            f"rule {rule.id!r}: no category {one!r}" for one in rule.categories if one not in world.categories
        ]
        warnings += [
            f"rule {rule.id!r}: no tool is {one.value!r}" for one in rule.labels if one not in world.labels()
        ]
    return warnings
