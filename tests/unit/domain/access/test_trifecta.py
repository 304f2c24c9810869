"""Who may call what others wrote, what is private, and a way out."""

from collections.abc import Mapping

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.domain.access.callers import USUAL_SCOPES, Caller, CallerScope, CameBy
from app.domain.access.rules import Act, Rule, RuleBook, Selectable, compiled
from app.domain.access.trifecta import TRIFECTA, trifectas
from app.domain.nodes.models import Label

IDS = ("crm/get", "mail/read", "mail/send", "web/fetch")
LABELS: Mapping[Label, np.ndarray] = {
    Label.UNTRUSTED_CONTENT: np.array([False, True, False, True]),
    Label.PRIVATE_DATA: np.array([True, True, False, False]),
    Label.EXTERNAL_SINK: np.array([False, False, True, False]),
}
WORLD = Selectable(IDS, {}, {}, np.zeros(4, np.bool_), frozenset(), labels=lambda: LABELS)


def caller(name: str, *groups: str, scopes: frozenset[CallerScope] = USUAL_SCOPES) -> Caller:
    return Caller(f"caller:{name}", name, frozenset(groups), scopes, None, CameBy.TOKEN)


def may(to: str, *tools: str, act: Act = Act.CALL) -> Rule:
    return Rule(f"{to}-{act}-{tools}".replace(":", "-"), frozenset({to}), may=frozenset({act}), tools=tools)


def test_a_group_with_all_three_is_named_with_its_tools() -> None:
    """One that may only find the sink is not, nor who is in it but may call nothing."""
    book = RuleBook(
        (may("support", "*"), may("sales", "crm/*", "web/*"), may("sales", "mail/send", act=Act.FIND))
    )

    (found,) = trifectas(book, WORLD, [caller("ada", "support", scopes=frozenset({CallerScope.FIND}))])

    assert found.who == "group support"
    assert found.tools == {
        Label.UNTRUSTED_CONTENT: ("mail/read", "web/fetch"),
        Label.PRIVATE_DATA: ("crm/get", "mail/read"),
        Label.EXTERNAL_SINK: ("mail/send",),
    }


def test_a_caller_gets_there_by_two_groups() -> None:
    book = RuleBook((may("reads", "crm/*", "web/*"), may("sends", "mail/send")))

    found = trifectas(book, WORLD, [caller("both", "reads", "sends"), caller("one", "reads")])

    assert [one.who for one in found] == ["caller both"]


def test_everybody_is_named_once() -> None:
    book = RuleBook((may("*", "*"),))

    assert [one.who for one in trifectas(book, WORLD, [caller("ada"), caller("bob")])] == ["everybody"]
    assert not trifectas(RuleBook(), WORLD, [caller("ada")])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([*IDS, "mail/*", "*"]), st.booleans())))
def test_whoever_has_all_three_is_under_a_name(rules: list[tuple[str, str, bool]]) -> None:
    """By everybody, a group of theirs, or by themselves; and nobody else is named."""
    call = frozenset({Act.CALL})
    book = RuleBook(
        tuple(
            Rule(
                f"r{at}",
                frozenset({group}),
                may=call if grants else frozenset(),
                deny=frozenset() if grants else call,
                tools=(tools,),
            )
            for at, (group, tools, grants) in enumerate(rules)
        )
    )
    people = [caller("x", "a"), caller("y", "a", "b"), caller("z", "b", "c")]

    named = {one.who for one in trifectas(book, WORLD, people)}

    for one in people:
        can = compiled(book.of(one), WORLD).call
        has_all = all((LABELS[label] & can).any() for label in TRIFECTA)
        under = {f"caller {one.name}", *(f"group {group}" for group in one.groups)}
        assert not has_all or named & under
        assert has_all or f"caller {one.name}" not in named
