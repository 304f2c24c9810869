"""5,000 financial tools and the queries for them.

Source:
    ScaleMCP (Lumer et al., 2025, arXiv 2505.06416): 1,000 companies with five tools each, questions added to the
    tools' documents. Its companies are real ones and its mix of queries is not published: here 125 invented stems
    stand before 8 trades, and the queries are in two strata.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import Category, Concept, ConceptId, Method, MethodId, Tool, ToolId
from bench.generated.design_cases import overlap
from bench.generated.finance_words import (
    HEADLINE,
    LONG,
    SHAPES,
    STEMS,
    TOOLS,
    TRADES,
    FinanceTool,
    QueryShape,
)
from bench.sets.datasets import Dataset, Question, plain_tool, schema_text

QUESTIONS = (0, 5, 10)
"""Synthetic questions per tool."""
HEADLINE_PART, LONG_PART = "headline", "long"
_NAMES = (0.6, 0.8)
"""Up to the first the company's name is said, up to the second its ticker, else its alias."""


@dataclass(frozen=True, slots=True)
class Company:
    """A company with its three names."""

    name: str
    ticker: str
    alias: str

    @property
    def identifier(self) -> str:
        """As part of a tool's name."""
        return re.sub(r"[^a-z0-9]+", "_", self.name.lower())


def companies() -> list[Company]:
    """1,000, eight with each stem; tickers differ."""
    taken: set[str] = set()
    found = []
    for stem in STEMS:
        for trade, short in TRADES.items():
            ticker = _ticker(stem, trade, taken)
            taken.add(ticker)
            found.append(Company(f"{stem} {trade}", ticker, f"{stem} {short}"))
    return found


def finance(questions: int, *, seed: int) -> Dataset:
    """The set with this many synthetic questions per tool; tools and queries are the same for any number."""
    everyone = companies()
    texts = random.Random(f"{seed}:questions")  # noqa: S311  # must be repeatable
    tools, methods, concepts = [], [], []
    for company in everyone:
        of_company = []
        for template in TOOLS:
            name = template.name.format(c=company.identifier)
            tools.append(_tool(name, template, company))
            # All ten are drawn whatever number is taken, so that the first five are the same.
            asked = [text.format(c=said(company, texts)) for text in template.questions][:questions]
            methods.append(_method(name, template, asked))
            of_company.append(methods[-1].id)
        concepts.append(_concept(company, of_company))
    catalogue = Catalogue(
        generation=1,
        tools=tuple(sorted(tools, key=lambda node: node.id)),
        methods=tuple(sorted(methods, key=lambda node: node.id)),
        templates=(),
        concepts=tuple(sorted(concepts, key=lambda node: node.id)),
        generators=(),
        categories=tuple(
            Category(id=tool.key, name=tool.key, description="") for tool in sorted(TOOLS, key=_key)
        ),
    )
    return Dataset(f"scalemcp:{questions}", catalogue, tuple(queries(everyone, seed=seed)))


def queries(everyone: Sequence[Company], *, seed: int) -> list[Question]:
    """1,000 of the headline stratum and 300 long ones, no text twice."""
    found: list[Question] = []
    seen: set[str] = set()
    for part, sizes in ((HEADLINE_PART, HEADLINE), (LONG_PART, LONG)):
        chance = random.Random(f"{seed}:{part}")  # noqa: S311  # must be repeatable
        for gold_tools, count in sizes.items():
            for number in range(1, count + 1):
                text, gold = _query(gold_tools, everyone, chance)
                while text in seen:
                    text, gold = _query(gold_tools, everyone, chance)
                seen.add(text)
                label = f"{part}-{gold_tools:02}-{number:03}"
                found.append(Question(label, text, gold, {}, str(gold_tools), part=part))
    return found


def question_overlap(dataset: Dataset) -> float:
    """Mean share of words that a query has in common with the synthetic questions of one of its gold tools."""
    texts = {method.implements[0]: " ".join(method.examples) for method in dataset.catalogue.methods}
    return overlap(
        (question.text, texts[ToolId(tool)]) for question in dataset.questions for tool in question.gold
    )


def said(company: Company, chance: random.Random) -> str:
    """A company as people call it: name 60 %, ticker 20 %, alias 20 %."""
    drawn = chance.random()
    if drawn < _NAMES[0]:
        return company.name
    return company.ticker if drawn < _NAMES[1] else company.alias


def _query(
    gold_tools: int, everyone: Sequence[Company], chance: random.Random
) -> tuple[str, tuple[str, ...]]:
    shapes: list[tuple[QueryShape, int]] = [
        (shape, count)
        for shape in SHAPES
        for count in shape.companies
        if count * len(shape.tools) == gold_tools
    ]
    if gold_tools == 1:
        single = [(template, text) for template in TOOLS for text in template.queries]
        choice = chance.randrange(len(single) + len(shapes))
        if choice < len(single):
            template, text = single[choice]
            company = chance.choice(everyone)
            return text.format(c=said(company, chance)), (template.name.format(c=company.identifier),)
    shape, count = chance.choice(shapes)
    chosen = chance.sample(everyone, count)
    names = [said(company, chance) for company in chosen]
    listed = names[0] if count == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    by_key: Mapping[str, FinanceTool] = {tool.key: tool for tool in TOOLS}
    gold = tuple(by_key[key].name.format(c=company.identifier) for company in chosen for key in shape.tools)
    return shape.text.format(cs=listed), gold


def _tool(name: str, template: FinanceTool, company: Company) -> Tool:
    schema = {"type": "object", "properties": template.properties, "required": list(template.required)}
    return plain_tool(
        id=name,
        server=name,
        name=name,
        description=template.description.format(c=company.name),
        input_schema=schema_text(schema),
    )


def _method(name: str, template: FinanceTool, questions: Sequence[str]) -> Method:
    return Method(
        id=MethodId(f"ask.{name}"),
        name=name,
        description="",
        category=template.key,
        tags=(),
        parameters=tuple(template.properties),
        examples=tuple(questions),
        implements=(ToolId(name),),
        related=(),
    )


def _concept(company: Company, methods: Sequence[MethodId]) -> Concept:
    return Concept(
        id=ConceptId(f"company.{company.identifier}"),
        name=company.name,
        description="",
        tags=(company.ticker, company.alias),
        related_to=tuple(methods),
    )


def _ticker(stem: str, trade: str, taken: set[str]) -> str:
    """Three letters of the stem's and the trade's, else four, the first that nobody has."""
    letters = (stem + trade).upper()
    head = stem[0].upper()
    last = trade[0].upper()
    shorts = [head + letter + last for letter in letters[1:]]
    longs = [head + one + other + last for one in letters[1:] for other in letters[1:]]
    return next(ticker for ticker in (*shorts, *longs) if ticker not in taken)


def _key(tool: FinanceTool) -> str:
    return tool.key
