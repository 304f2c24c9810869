"""`policies.yaml`: who may find, plan with and call what. A rule that cannot be decided is refused, and with it the file."""

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, StrictBool, model_validator

from app.adapters.access_files.callers import check_name
from app.adapters.access_files.fields import item_of, list_of, read_bytes, read_object
from app.domain.access.buckets import GroupBounds
from app.domain.access.rules import Act, Rule, RuleBook, TrustFloor
from app.domain.language.accepted_text import kind_of, shown
from app.domain.nodes.models import Label
from app.errors import InvalidInputError

MAX_RULES: Final = 10_000
MAX_PATTERN_CHARS: Final = 600
_ID = re.compile(r"[A-Za-z0-9_.-]{1,80}")


def _rule_id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError(f"{shown(value)}; accepted: 1 to 80 letters, digits, _ . and -")
    return value


def _receiver(value: object) -> str:
    if value == "*":
        return "*"
    if isinstance(value, str) and value.startswith("caller:"):
        return f"caller:{check_name(value.removeprefix('caller:'))}"
    return check_name(value)


def _act(value: object) -> Act:
    if not isinstance(value, str) or value not in set(Act):
        raise ValueError(f"{shown(value)}; accepted: {', '.join(Act)}")
    return Act(value)


def _pattern(value: object) -> str:
    if not isinstance(value, str) or not value.isprintable() or not 1 <= len(value) <= MAX_PATTERN_CHARS:
        raise ValueError(f"{shown(value)}; accepted: 1 to {MAX_PATTERN_CHARS} printable characters")
    return value


def _source(value: object) -> str:
    pattern = _pattern(value)
    if ":" not in pattern and pattern != "*":
        raise ValueError(f"{shown(pattern)}; accepted: a source such as 'mcp:orders', or 'taxonomy:*'")
    return pattern


def _label(value: object) -> Label:
    if not isinstance(value, str) or value not in set(Label):
        raise ValueError(f"{shown(value)}; accepted: {', '.join(Label)}")
    return Label(value)


def _trust(value: object) -> TrustFloor:
    if not isinstance(value, str) or value not in set(TrustFloor):
        raise ValueError(f"{shown(value)}; accepted: {', '.join(TrustFloor)}")
    return TrustFloor(value)


def _below_high(value: object) -> bool:
    if value != "below_high":
        raise ValueError(f"{shown(value)}; accepted: below_high")
    return True


def _denied(value: object) -> bool:
    if value not in ("allow", "deny"):
        raise ValueError(f"{shown(value)}; accepted: allow, deny")
    return value == "deny"


class _Only(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    read_only: StrictBool | None = None
    trust: Annotated[TrustFloor | None, BeforeValidator(_trust)] = None
    flows: Annotated[bool, BeforeValidator(_below_high)] = False

    @property
    def selects(self) -> bool:
        """Whether it narrows what a rule is about."""
        return self.read_only is not None or self.trust is not None


class _Call(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    after_untrusted: Annotated[bool, BeforeValidator(_denied)] = False


class _Rule(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, BeforeValidator(_rule_id)]
    to: tuple[Annotated[str, BeforeValidator(_receiver)], ...]
    may: tuple[Annotated[Act, BeforeValidator(_act)], ...] = ()
    deny: tuple[Annotated[Act, BeforeValidator(_act)], ...] = ()
    tools: tuple[Annotated[str, BeforeValidator(_pattern)], ...] = ()
    sources: tuple[Annotated[str, BeforeValidator(_source)], ...] = ()
    categories: tuple[Annotated[str, BeforeValidator(_pattern)], ...] = ()
    labels: tuple[Annotated[Label, BeforeValidator(_label)], ...] = ()
    only: _Only = _Only()
    call: _Call = _Call()

    @model_validator(mode="after")
    def _decidable(self) -> "_Rule":
        if not self.to:
            raise ValueError("'to' is empty; accepted: groups, caller:NAME, or '*' for everybody")
        if bool(self.may) == bool(self.deny):
            raise ValueError("accepted: one of 'may' and 'deny', with find, plan or call in it")
        if self.only.flows and not {Act.PLAN, Act.CALL} & {*self.may}:
            raise ValueError("only.flows is about plans; accepted: with 'may: [plan]' or 'may: [call]'")
        if self.call.after_untrusted and Act.CALL not in self.may:
            raise ValueError("call.after_untrusted is about calls; accepted: with 'may: [call]'")
        if not (self.tools or self.sources or self.categories or self.labels or self.only.selects):
            raise ValueError(
                "selects nothing; accepted: tools, sources, categories, labels or only; tools: ['*'] for everything"
            )
        return self


def _rate(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise ValueError(f"{shown(value)}; accepted: a number above 0")
    return float(value)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{shown(value)}; accepted: a whole number from 1 on")
    return value


_BOUNDS: Final[Mapping[str, Callable[[object], float]]] = {
    "requests_s": _rate,
    "burst": _count,
    "at_once": _count,
    "calls_s": _rate,
}


def _limits(value: object) -> GroupBounds:
    if not isinstance(value, dict) or not value or not value.keys() <= _BOUNDS.keys():
        raise ValueError(f"{shown(value)}; accepted: an object with any of {', '.join(_BOUNDS)}")
    checked: dict[str, Any] = {}
    for name, said in value.items():
        try:
            checked[name] = _BOUNDS[name](said)
        except ValueError as error:
            raise ValueError(f"{name} is {error}") from None
    return GroupBounds(**checked)


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    oidc: tuple[Annotated[str, BeforeValidator(_pattern)], ...] = ()
    limits: Annotated[GroupBounds | None, BeforeValidator(_limits)] = None


def parse_policies(data: bytes, *, path: Path) -> RuleBook:
    """What the bytes of a file say.

    Raises:
        InvalidInputError: it is not what is accepted; nothing of it counts then.
    """
    value = read_object(data, path=path, accepted=("groups", "policies"))
    items = list_of(value.get("policies"), place="policies", path=path)
    if len(items) > MAX_RULES:
        raise InvalidInputError(f"{path}: {len(items):,} rules; accepted: up to {MAX_RULES:,}")
    rules: dict[str, Rule] = {}
    for at, item in enumerate(items):
        one = item_of(_Rule, item, place=f"policies[{at}]", path=path)
        if one.id in rules:
            raise InvalidInputError(
                f"{path}: policies[{at}]: there is a rule {one.id!r} already; accepted: each once"
            )
        rules[one.id] = Rule(
            id=one.id,
            to=frozenset(one.to),
            may=frozenset(one.may),
            deny=frozenset(one.deny),
            tools=one.tools,
            sources=one.sources,
            categories=one.categories,
            labels=one.labels,
            read_only=one.only.read_only,
            trust=one.only.trust,
            refuses_high_flows=one.only.flows,
            guards_flows=one.call.after_untrusted,
        )
    groups = _groups(value.get("groups"), path)
    return RuleBook(
        tuple(rules.values()),
        {name: frozenset(one.oidc) for name, one in groups.items()},
        {name: one.limits for name, one in groups.items() if one.limits is not None},
    )


def read_policies(path: Path) -> RuleBook:
    """The rules of a file.

    Raises:
        InvalidInputError: it cannot be read, or is not what is accepted.
    """
    data = read_bytes(path)
    if not data.strip():
        # As it is for a moment while somebody writes it.
        raise InvalidInputError(
            f"{path}: is empty; accepted: `policies: [{{id: ..., to: [...], may: [...]}}]`"
        )
    return parse_policies(data, path=path)


def _groups(value: object, path: Path) -> dict[str, _Group]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInputError(
            f"{path}: groups is {kind_of(value)}; accepted: an object of name: {{oidc: [...], limits: {{...}}}}"
        )
    found = {}
    for name, item in value.items():
        try:
            check_name(name)
        except ValueError as error:
            raise InvalidInputError(f"{path}: groups: {error}") from error
        found[name] = item_of(_Group, item, place=f"groups.{name}", path=path)
    return found
