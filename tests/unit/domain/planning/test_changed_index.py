"""A planner's index that took in changes plans as one that reads all tools."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.nodes.models import Tool
from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.planning.indexed.facts import FIELDS, Fact
from app.domain.workflows.plans import Plan
from tests.calls import call

LINES = (
    "GET /cards/{cardId}",
    "PATCH /cards/{cardId}",
    "PUT /cards/{cardId}",
    "DELETE /cards/{cardId}",
    "POST /cards",
    "GET /worklogs",
    "POST /work/{workId}/logs",
    "GET /rooms/{room_id}",
)
WORDS = ("card", "work", "log", "worklog", "logbook", "book", "room", "rename")
OPTIONAL = (
    {"state": {"type": "string", "enum": ["open", "closed", "on hold"]}},
    {"is_private": {"type": "boolean"}},
    {"amount": {"type": "integer", "description": "In cents"}},
    {"card": {"type": "string", "description": "For example card TEST-123"}},
    {"room_id": {"type": "string", "pattern": "^[RG][0-9]{3}$"}},
    {},
)
GOALS = (
    "close card 7",
    "find the worklog of room R123 and rename the card",
    "open a card named Sails, then list the worklogs",
    "make card TEST-12 private, and log work in the book",
    "delete https://shop.example/cards/12",
)


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[Tool, ...]]:
    """States of a catalogue, each of which has most tools of the one before."""
    found: dict[str, Tool] = {}
    states = []
    for steps in draw(st.lists(st.integers(1, 3), min_size=2, max_size=4)):
        for _ in range(steps if states else 3 * steps):
            line, server = draw(st.sampled_from(LINES)), draw(st.sampled_from(("shop", "desk")))
            said = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)))
            tool = call(line, said.replace(" ", "_"), said, optional=draw(st.sampled_from(OPTIONAL)))
            tool = tool.model_copy(update={"id": f"{server}/{line}", "server": server})
            if draw(st.integers(0, 3)):
                found[tool.id] = tool
            else:
                found.pop(tool.id, None)
        states.append(tuple(found[one] for one in sorted(found)))
    return states


@settings(max_examples=100)
@given(histories())
def test_after_any_changes_plans_and_the_index_are_those_of_a_rebuild(states: list[tuple[Tool, ...]]) -> None:
    """Tools come, change and go, with what they share: paths, servers, and which words the catalogue has."""
    index = PlanIndex(states[0])
    for before, after in pairwise(states):
        changed = index.changed(
            after, {tool.id: at for at, tool in enumerate(after)}, origin_of(before, after)
        )
        assert changed is not None
        index = changed
        built = PlanIndex(after)
        for one in (index, index.settled()):
            assert held(one) == held(built)
            assert [plan(one, goal) for goal in GOALS] == [plan(built, goal) for goal in GOALS]


def test_words_that_come_and_go_part_the_words_of_tools_that_stay() -> None:
    """`worklog` is `work` and `log` as long as others say these."""
    book = call("GET /worklogs", "listWorklogs", "List worklogs")
    work = call("POST /work/{workId}/log", "doWork", "Do")
    without, beside = (book,), tuple(sorted((book, work), key=lambda one: one.id))
    index = PlanIndex(without)
    assert not index.text_scores(["work"]).positions.size

    for before, after in ((without, beside), (beside, without)):
        changed = index.changed(after, {one.id: at for at, one in enumerate(after)}, origin_of(before, after))
        assert changed is not None
        index = changed
        at = index.position[book.id]
        assert (index.text_scores(["work"]).score(at) > 0) == (len(after) == 2)
        assert held(index) == held(PlanIndex(after))


def test_tools_that_stay_as_they_are_are_read_once() -> None:
    """By the index that took in a change, by one that is counted together, and by another of the same tools."""
    first, other = (
        call("GET /rooms/{room_id}", "getRoom", "Get"),
        call("GET /worklogs", "listWorklogs", "List"),
    )
    before, after = (first, other), (first, other.model_copy(update={"description": "List them all"}))
    index = PlanIndex(before)
    forms = [index.form(at) for at in range(2)]
    changed = index.changed(after, index.position, origin_of(before, after))
    assert changed is not None

    for later in (changed, changed.settled(), PlanIndex(after).after(index)):
        assert later.operation(0) is index.operation(0)
        assert later.form(0) is forms[0]
        assert later.operation(1).tool == after[1]


def origin_of(before: Sequence[Tool], after: Sequence[Tool]) -> "np.ndarray[tuple[int], np.dtype[np.intp]]":
    place = {tool.id: (at, tool) for at, tool in enumerate(before)}
    return np.array(
        [place[tool.id][0] if place.get(tool.id, (0, None))[1] == tool else -1 for tool in after], np.intp
    )


def held(index: PlanIndex) -> object:
    """All that an index says of its tools, in words."""
    columns = index.columns
    everything = np.arange(len(index))
    terms = sorted({columns.words.term(number) for number in columns.texts.held.tolist()})
    facts = {
        fact: {
            (columns.words.term(term), at, count)
            for term, at, count in zip(
                *(entries.terms.tolist(), entries.documents.tolist(), entries.counts.tolist()), strict=True
            )
        }
        for fact in Fact
        for entries in [columns.facts.entries(fact)]
    }
    scores = {
        term: (found.positions.tolist(), found.scores.tolist())
        for term in terms
        for found in [index.text_scores([term])]
    }
    fields = {
        field: sorted(
            (columns.words.term(term), at)
            for term, at in zip(entries.terms.tolist(), entries.documents.tolist(), strict=True)
        )
        for number, field in enumerate(FIELDS)
        for entries in [columns.texts.entries(number)]
    }
    of_tools = [
        (index.tools[at].id, index.traits[at], index.operation(at), index.form(at), index.has_patch(at))
        for at in everything.tolist()
    ]
    rarity = [columns.idf(term) for term in [*terms, "unheard"]]
    verbs = [term for term in terms if index.is_catalogue_verb(term)]
    return (
        *(
            list(index.servers),
            index.server_codes.tolist(),
            columns.kinds.tolist(),
            columns.mutating.tolist(),
        ),
        *(facts, scores, fields, of_tools, rarity, verbs, columns.resource_sizes.tolist()),
        [index.coverage(at, ["card", "work", "log", "unheard"]) for at in everything.tolist()],
        [index.is_separate(index.servers, thing, part) for thing in WORDS for part in WORDS],
    )


def plan(index: PlanIndex, goal: str) -> Plan:
    return finish_plan(index, draft_plan(index, goal, requirements=requirements_within(()), known={}))
