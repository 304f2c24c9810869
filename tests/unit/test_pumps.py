"""No regular expression stalls the process: `re` holds the interpreter's lock for as long as it looks."""

import re
from collections.abc import Callable, Mapping
from types import ModuleType

import pytest

from app.domain.filling import said
from app.domain.language import negation
from app.domain.planning import values
from app.domain.reading import backgrounds
from app.domain.reading.restrictions import conditions, denied_acts, exclusions, marked
from app.domain.reading.tasks import several_pattern
from app.domain.reading.values import calling_pattern
from app.domain.tasks import placed_values, purposes, spelt_out, which
from app.domain.tasks.openings import politeness
from app.domain.workflows import hidden_values
from tests.pumps import Expression, attributes, findings, literals, product_modules

BUILT: Mapping[str, Callable[[], list[re.Pattern[str]]]] = {
    "app.domain.language.negation._before_value": lambda: [negation._before_value()],
    "app.domain.language.negation._denying": lambda: [negation._denying()],
    "app.domain.filling.said.counting_pattern": lambda: [said.counting_pattern()],
    "app.domain.filling.said.counting_behind_pattern": lambda: [said.counting_behind_pattern()],
    "app.domain.filling.said.last_noun_pattern": lambda: [said.last_noun_pattern("card")],
    "app.domain.tasks.placed_values.article_pattern": lambda: [placed_values.article_pattern("card")],
    "app.domain.tasks.placed_values.noun_pattern": lambda: [placed_values.noun_pattern("card")],
    "app.domain.reading.values.calling_pattern": lambda: [calling_pattern("$"), calling_pattern("(?=x)")],
    "app.domain.tasks.spelt_out.initials_pattern": lambda: [spelt_out.initials_pattern()],
    "app.domain.tasks.spelt_out.adverbial_pattern": lambda: [spelt_out.adverbial_pattern()],
    "app.domain.tasks.openings.politeness._polite": lambda: [
        expression for only in (True, False) for expression, _ in politeness._polite(only_ahead=only)
    ],
    "app.domain.tasks.openings.politeness._text_pattern": lambda: [politeness._text_pattern()],
    "app.domain.tasks.which.becoming_pattern": lambda: [which.becoming_pattern()],
    "app.domain.tasks.which.quantifier_pattern": lambda: [which.quantifier_pattern()],
    "app.domain.tasks.purposes.purpose_pattern": lambda: [purposes.purpose_pattern()],
    "app.domain.planning.values.ordinal_before": lambda: [values.ordinal_before("episode")],
    "app.domain.reading.tasks.several_pattern": lambda: [several_pattern()],
    "app.domain.reading.backgrounds._recording_pattern": lambda: [backgrounds._recording_pattern()],
    "app.domain.reading.restrictions.marked._courtesies": lambda: [*marked._courtesies()],
    "app.domain.reading.restrictions.marked.idle_pattern": lambda: [marked.idle_pattern()],
    "app.domain.reading.restrictions.marked.staying_pattern": lambda: [marked.staying_pattern()],
    "app.domain.reading.restrictions.denied_acts._pattern": lambda: [
        expression for expression, _ in denied_acts._denials()
    ],
    "app.domain.reading.restrictions.exclusions.exclusion_pattern": lambda: [exclusions.exclusion_pattern()],
    "app.domain.reading.restrictions.conditions._auxiliary_pattern": lambda: [
        conditions._auxiliary_pattern()
    ],
    "app.domain.reading.restrictions.conditions.condition_pattern": lambda: [conditions.condition_pattern()],
    "app.domain.workflows.hidden_values.any_of": lambda: [
        hidden_values.any_of(["a" * 40, "sk-live-9", "a b", "417"], kept=["{a}"])
    ],
}
"""Functions that build their expressions at run time, with what they build of sample arguments."""


@pytest.fixture(scope="module")
def modules() -> list[ModuleType]:
    """All of the product's."""
    return product_modules()


@pytest.fixture(scope="module")
def expressions(modules: list[ModuleType]) -> list[Expression]:
    """All of the product's."""
    written, _ = literals(modules)
    built = [Expression(place, pattern, ("search",)) for place, made in BUILT.items() for pattern in made()]
    return [*attributes(modules), *written, *built]


def test_all_expressions_are_looked_at(modules: list[ModuleType]) -> None:
    """Compiled ones, those that stand in calls of `re` as texts, and what functions build: each is declared."""
    compiled = attributes(modules)
    written, builders = literals(modules)

    assert len(modules) > 200
    assert len(compiled) > 60
    assert len(written) > 15
    assert builders == BUILT.keys()
    places = {one.place for one in compiled}
    assert {
        "app.domain.language.text._CAMEL_ACRONYM",
        "app.adapters.documents.structured_text._JsonLoader.yaml_implicit_resolvers",
    } <= places
    assert any("[A-Za-z]{3}" in one.place for one in written)


# Searched as they are, and in two parts, so that two workers share them.
@pytest.mark.parametrize("part", [0, 1])
def test_no_expression_takes_more_than_linear_time(part: int, expressions: list[Expression]) -> None:
    """On 4,000 characters at most 50 ms of CPU, and on twice the characters at most three times as long."""
    found = [finding for one in expressions[part::2] for finding in findings(one)]

    assert found == []


@pytest.mark.parametrize(
    ("expression", "use"),
    [
        # Three runs of white space side by side: cubic.
        (r"\border(?:e?s)?\s*(?:number|no\.?|id|#)?\s*[#:]?\s*([A-Z]{0,4}-?\d[\w-]*)", "search"),
        # Capitals that are given back one by one, from each capital.
        (r"([A-Z]+)(?![A-Z]s\b)([A-Z][a-z])", "sub"),
        # A name that may hold all that follows it.
        (r"(?P<name>.+?) \((?P<kind>(?:http|apiKey)[^()]*)\)(?: \+ |$)", "finditer"),
        (r"([,;:.!?]+\s+|\s+(?:and then|then|and|to)\s+|[.;]$)", "split"),
        (r"(?i)\b(?:id|key|number)\s*[:#=]?\s*[\"']?([A-Z]*[-_]?\d[\w-]*)", "search"),
        (r"[\w.+-]+@[\w-]+\.[\w.-]*\w", "search"),
        # What is never closed is looked for from each opening.
        (r"<[^>]+>", "sub"),
        (r"\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)|“([^”]+)”", "findall"),
        (r"^.*[.\-]v\d+\w*\.", "sub"),
        (r"(?:[Ff]ormat|form)[^`]{0,30}?((?:[\w\-]+/\{?[\w\-]+\}?/?)+)", "search"),
        # Exponential.
        (r"(?:[a-z]+)*!", "fullmatch"),
        (".*".join("aaaaaaaab"), "fullmatch"),
    ],
)
def test_an_expression_that_stalls_is_found(expression: str, use: str) -> None:
    """Forms that did stall the service, or could."""
    assert findings(Expression("sample", re.compile(expression), (use,)))
