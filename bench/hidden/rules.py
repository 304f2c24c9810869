"""Random policies over the catalogues, and those of whoever sees all that is left of one."""

import random
from collections.abc import Iterable

from app.domain.access.rules import Act, Rule, RuleBook, TrustFloor
from app.domain.nodes.models import Label
from bench.hidden.catalogues import NOUNS, VERBS
from bench.hidden.contents import Hidden

_STAFF = frozenset({"staff"})


def random_rules(seed: int, sources: Iterable[str]) -> RuleBook:
    """Grants by source, pattern, category, mark, label and trust to the group `staff`, and sometimes a denial."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    sources = sorted(one for one in sources if not one.startswith("common:"))
    manifests = [one for one in sources if one.startswith(("manifest:", "openapi:"))]
    taxonomies = [one for one in sources if one.startswith("taxonomy:")]
    chosen = chance.sample(manifests, chance.randint(1, len(manifests)))
    chosen += chance.sample(taxonomies, chance.randint(0, len(taxonomies)))
    acts = chance.choice([{Act.FIND}, {Act.PLAN}, {Act.CALL}, {Act.PLAN}])
    rules = [Rule("one", _STAFF, may=frozenset(acts), sources=tuple(chosen))]
    if chance.random() < 0.5:
        pattern = chance.choice(
            [f"*/{chance.choice(VERBS)}_*", f"s{chance.randint(0, 4)}/*", f"*_{chance.choice(NOUNS)}"]
        )
        trust = chance.choice([None, None, *TrustFloor])
        rules.append(Rule("two", _STAFF, may=frozenset({Act.PLAN}), tools=(pattern,), trust=trust))
    if chance.random() < 0.3:
        rules.append(Rule("three", _STAFF, may=frozenset({Act.PLAN}), categories=("c0",), read_only=True))
    if chance.random() < 0.5:
        pattern = f"*/{chance.choice(VERBS)}_*"
        act = chance.choice([Act.FIND, Act.PLAN])
        rules.append(Rule("four", frozenset({"*"}), deny=frozenset({act}), tools=(pattern,)))
    if chance.random() < 0.4:
        labels = tuple(chance.sample([*Label], 2))
        act = chance.choice([Act.FIND, Act.PLAN, Act.CALL])
        denies = chance.random() < 0.7
        rules.append(
            Rule("five", _STAFF, deny=frozenset({act}), labels=labels)
            if denies
            else Rule("five", _STAFF, may=frozenset({act}), labels=labels)
        )
    return RuleBook(tuple(rules))


def rules_of_what_is_left(hidden: Hidden) -> RuleBook:
    """Those of whoever is asked about a graph without what is hidden: everything may be planned with."""
    tools = "*" if hidden.granted is None else "*/*"
    rules = [Rule("all", _STAFF, may=frozenset({Act.PLAN}), tools=(tools,))]
    if hidden.granted:
        rules.append(
            Rule("sources", _STAFF, may=frozenset({Act.FIND}), sources=tuple(sorted(hidden.granted)))
        )
    if hidden.callable:
        rules.append(Rule("calls", _STAFF, may=frozenset({Act.CALL}), tools=tuple(sorted(hidden.callable))))
    return RuleBook(tuple(rules))
