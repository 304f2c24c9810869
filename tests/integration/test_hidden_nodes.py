"""No leak: an answer under a policy is that of the graph with the hidden nodes taken out."""

import pytest

from app.domain.access.rules import Act, RuleBook
from tests.hidden import (
    EVERYTHING,
    Book,
    asked_as,
    difference,
    questions,
    random_graph,
    random_rules,
    taken_out,
)

CATALOGUES, POLICIES = 3, 8
"""With about fifty questions each: 1,200 answers."""


@pytest.mark.parametrize("seed", range(CATALOGUES))
def test_an_answer_is_a_function_of_what_its_caller_may_see(seed: int) -> None:
    """Every route that reads, over REST and MCP; near names, errors and headers included."""
    graph, book = random_graph(seed), Book(RuleBook())
    with asked_as(graph, book) as under_policy:
        for at in range(POLICIES):
            book.rules = random_rules(100 * seed + at, graph)
            everything = Book(EVERYTHING)
            with (
                asked_as(taken_out(graph, book.rules), everything) as found,
                asked_as(taken_out(graph, book.rules, Act.PLAN), everything) as planned,
            ):
                for question in questions(1000 * seed + at, graph):
                    without = planned if question.is_planning else found
                    assert not (said := difference(question, under_policy, without)), said
