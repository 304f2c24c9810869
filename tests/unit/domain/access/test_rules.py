"""Grants minus denials, over tools by position."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.access.callers import Caller, CallerScope, CameBy, digest_of, new_token
from app.domain.access.rules import Act, Granted, Rule, RuleBook, Selectable, compiled, matcher, unknown_names
from app.domain.nodes.models import Label

IDS = ("mail/export_all", "mail/send", "orders/get_order", "orders/refund", "search")
STAFF = frozenset({"staff"})


def world() -> Selectable:
    return Selectable(
        ids=IDS,
        sources={
            "mcp:mail": np.array([0, 1]),
            "openapi:orders": np.array([2, 3]),
            "taxonomy:shop": np.array([4]),
        },
        categories={"money": np.array([3])},
        read_only=np.array([False, False, True, False, True]),
        all_sources=frozenset({"mcp:mail", "openapi:orders", "taxonomy:shop"}),
    )


def ids(mask: np.ndarray) -> list[str]:
    return [IDS[at] for at in np.flatnonzero(mask)]


def left(*rules: Rule) -> Granted:
    return compiled(rules, world())


def test_nothing_is_granted_unless_a_rule_says_so() -> None:
    found = left()

    assert not found.find.any()
    assert found.sources == frozenset()


def test_who_may_call_may_plan_and_find() -> None:
    found = left(Rule("a", STAFF, may=frozenset({Act.CALL}), tools=("orders/*",)))

    assert ids(found.find) == ids(found.plan) == ids(found.call) == ["orders/get_order", "orders/refund"]


def test_a_denial_goes_before_every_grant_whatever_the_order() -> None:
    """And what may not be found may not be planned with or called."""
    grant = Rule("a", STAFF, may=frozenset({Act.CALL}), tools=("*",))
    denial = Rule("b", STAFF, deny=frozenset({Act.FIND}), tools=("*/export_*",))

    for rules in ((grant, denial), (denial, grant)):
        found = left(*rules)
        assert ids(found.find) == ids(found.call) == list(IDS[1:])
    only_call = left(grant, Rule("b", STAFF, deny=frozenset({Act.CALL}), tools=("mail/*",)))
    assert ids(only_call.find) == list(IDS)
    assert ids(only_call.call) == list(IDS[2:])


def test_selectors_narrow_each_other() -> None:
    rule = Rule("a", STAFF, may=frozenset({Act.FIND}), sources=("openapi:*",), read_only=True)

    assert ids(left(rule).find) == ["orders/get_order"]
    assert ids(left(Rule("a", STAFF, may=frozenset({Act.FIND}), categories=("money", "none"))).find) == [
        "orders/refund"
    ]


def test_taxonomies_are_seen_where_they_are_granted() -> None:
    """A rule that names tools alone grants none; one that selects everything grants all."""
    by_tools = left(Rule("a", STAFF, may=frozenset({Act.FIND}), tools=("orders/*",)))
    by_source = left(
        Rule("a", STAFF, may=frozenset({Act.FIND}), sources=("taxonomy:shop",), tools=("orders/*",))
    )
    everything = Rule("a", STAFF, may=frozenset({Act.FIND}), tools=("*",))

    assert by_tools.sources == frozenset()
    assert by_source.sources == {"taxonomy:shop"}
    assert left(everything).sources is None
    denied = left(everything, Rule("b", STAFF, deny=frozenset({Act.FIND}), sources=("taxonomy:*",)))
    assert denied.sources == {"mcp:mail", "openapi:orders"}


def test_rules_are_about_groups_names_and_everybody() -> None:
    caller = Caller("caller:bot", "bot", STAFF, frozenset(CallerScope), None, CameBy.TOKEN)
    book = RuleBook(
        tuple(
            Rule(name, frozenset({to}), may=frozenset({Act.FIND}), tools=("*",))
            for name, to in (
                ("a", "staff"),
                ("b", "caller:bot"),
                ("c", "*"),
                ("d", "caller:other"),
                ("e", "bot"),
            )
        )
    )

    assert [rule.id for rule in book.of(caller)] == ["a", "b", "c"]


texts = st.text(alphabet="ab/_", max_size=8)


@given(st.lists(texts, min_size=1, max_size=4), texts)
def test_a_star_is_any_text(parts: list[str], text: str) -> None:
    fits = matcher("*".join(parts))
    expected = _slow("*".join(parts), text)

    assert fits(text) == expected


def _slow(pattern: str, text: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "*":
        return _slow(pattern[1:], text) or (bool(text) and _slow(pattern, text[1:]))
    return bool(text) and pattern[0] == text[0] and _slow(pattern[1:], text[1:])


@given(st.lists(texts, min_size=1, max_size=6, unique=True), texts, st.sampled_from(["", "*", "*b", "*a*"]))
def test_patterns_over_all_ids_are_those_over_each(some: list[str], begin: str, end: str) -> None:
    listed = sorted(some)
    one = Selectable(listed, {}, {}, np.zeros(len(listed), np.bool_), frozenset())

    assert one.matching(begin + end).tolist() == [matcher(begin + end)(text) for text in listed]


def test_names_that_mean_nothing_are_told() -> None:
    book = RuleBook(
        (
            Rule(
                "a",
                frozenset({"nobody", "caller:gone"}),
                may=frozenset({Act.FIND}),
                tools=("none/*",),
                sources=("mcp:none",),
                categories=("none",),
            ),
        )
    )

    warnings = unknown_names(book, world(), groups=["staff"], callers=["bot"])

    assert len(warnings) == 5
    assert all("'a'" in one for one in warnings)


def test_a_token_is_256_random_bits() -> None:
    one, other = new_token(), new_token()

    assert one != other
    assert one.startswith("oft_")
    assert len(one) == len("oft_") + 43
    assert len(digest_of(one)) == 64


@pytest.mark.parametrize("act", Act)
def test_one_act_implies_those_before_it(act: Act) -> None:
    rule = Rule("a", STAFF, may=frozenset({act}), tools=("*",))

    assert len(rule.granted) == list(Act).index(act) + 1
    assert len(Rule("a", STAFF, deny=frozenset({act}), tools=("*",)).denied) == 3 - list(Act).index(act)


def test_a_rule_selects_by_labels_any_of_them() -> None:
    """Which are looked for only where a rule names one: to infer them takes a while."""
    asked = []

    def labels() -> dict[Label, np.ndarray]:
        asked.append(1)
        return {
            Label.EXTERNAL_SINK: np.array([False, True, False, False, False]),
            Label.DESTRUCTIVE: np.array([False, False, False, True, False]),
        }

    one = replace(world(), labels=labels)
    every = Rule("a", STAFF, may=frozenset({Act.CALL}), tools=("*",))
    none_out = Rule(
        "b",
        STAFF,
        deny=frozenset({Act.CALL}),
        labels=(Label.EXTERNAL_SINK, Label.DESTRUCTIVE, Label.PRIVATE_DATA),
    )

    assert not RuleBook((every,)).names_labels
    assert compiled([every], one).call.all()
    assert not asked
    assert RuleBook((every, none_out)).names_labels
    found = compiled([every, none_out], one)
    assert ids(found.call) == [IDS[0], IDS[2], IDS[4]]
    assert found.find.all()
    granted = Rule("c", STAFF, may=frozenset({Act.FIND}), labels=(Label.DESTRUCTIVE,), tools=("mail/*",))
    assert not compiled([granted], one).find.any()
    warned = unknown_names(RuleBook((none_out,)), one, groups=["staff"], callers=[])
    assert warned == ["rule 'b': no tool is 'private_data'"]
