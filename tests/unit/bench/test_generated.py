"""Generated sets: the numbers that they must have, the same bytes for a seed, and no query in a catalogue."""

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import EdgeKind
from bench.generated.design_cases import (
    PARAPHRASE,
    SYNTHETIC,
    overlap,
    paraphrase,
    paraphrases,
    proportional,
    synthetic_cases,
)
from bench.generated.design_parameters import POOLS, REAL
from bench.generated.design_texts import DESCRIPTIONS, EXAMPLES
from bench.generated.design_tools import (
    Design,
    bridges,
    make_design,
    shuffled_shells,
    similar_methods,
    similarity,
)
from bench.generated.design_words import DOMAINS
from bench.generated.finance import companies, finance
from bench.generated.finance_words import SHAPES, TOOLS
from bench.literature.track_b import assemble, synthetic_overlap, with_shuffled_shells
from bench.sets.datasets import Dataset
from bench.sets.sets import toolbench
from tests.unit.bench.data import write_toolbench
from tests.unit.catalogues import method

ROOT = Path(__file__).resolve().parents[3]
SEEDS = (1, 2, 3)


@cache
def design(seed: int) -> Design:
    return make_design(seed)


@cache
def set_of_5000(questions: int) -> Dataset:
    return finance(questions, seed=1)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return toolbench(write_toolbench(tmp_path_factory.mktemp("data")))


def texts_of(catalogue: Catalogue) -> set[str]:
    """Every string of the nodes that a query could be."""
    found: set[str] = set()
    for nodes in (
        catalogue.tools,
        catalogue.methods,
        catalogue.templates,
        catalogue.concepts,
        catalogue.generators,
    ):
        for node in nodes:
            for value in json.loads(node.model_dump_json()).values():
                found |= (
                    {value}
                    if isinstance(value, str)
                    else set(map(str, value or ()))
                    if isinstance(value, list)
                    else set()
                )
    return {text.lower() for text in found}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_design_has_the_published_numbers(seed: int) -> None:
    made = design(seed)
    per_tool = Counter(tool for method in made.methods for tool in method.implements)

    assert (len(made.tools), len(made.methods), len(made.templates)) == (400, 520, 30)
    assert Counter(per_tool.values()) == {1: 300, 2: 80, 3: 20}
    assert all(3 <= len(method.parameters) <= 6 for method in made.methods)
    assert all(3 <= len(template.uses) <= 6 for template in made.templates)
    assert all(preset.name.startswith("Generate ") for preset in made.generators)
    assert {len(domain.nouns) * len(domain.verbs) for domain in DOMAINS} == {40}


@pytest.mark.parametrize("seed", SEEDS)
def test_edges_follow_the_rule_and_no_method_has_more_than_ten(seed: int) -> None:
    made = design(seed)
    by_id = {one.id: one for one in made.methods}

    assert max(len(one.related) for one in made.methods) == 10
    for one in made.methods:
        for link in one.related:
            other = by_id[link.target]
            assert (link.kind, link.weight) == (EdgeKind.SIMILAR, similarity(one, other))
            assert one.category == other.category
            assert one.id in {back.target for back in other.related}


def test_the_heaviest_edges_are_kept() -> None:
    """Twelve that are all alike fill each other's ten places; one that shares less gets what is left."""
    names = [f"m{number:02}" for number in range(12)]
    alike = [method(name, category="c").model_copy(update={"parameters": ("x", "y", "z")}) for name in names]
    other = method("a", category="c").model_copy(update={"parameters": ("x", "y")})

    (kept,) = [one for one in similar_methods([other, *alike]) if one.id == "a"]

    assert similarity(alike[0], alike[1]) == 0.7
    assert similarity(other, alike[0]) == 0.5
    assert similarity(other, method("b")) == 0.3
    assert len(kept.related) <= 2, "the others are full of heavier edges"


def test_bridges_join_methods_that_share_two_typed_parameters() -> None:
    ours = method("ours").model_copy(update={"parameters": ("fillColor", "opacity", "x")})
    real = [
        method("one").model_copy(update={"parameters": ("color", "radius")}),
        method("three").model_copy(update={"parameters": ("color", "opacity", "x")}),
        method("two_b").model_copy(update={"parameters": ("x", "color")}),
        method("two_a").model_copy(update={"parameters": ("x", "color")}),
    ]

    (joined,) = bridges([ours], real)

    assert [(link.target, link.weight) for link in joined.related] == [("three", 0.5), ("two_a", 0.5)]


def test_parameters_have_one_type() -> None:
    names = [name for pool in POOLS.values() for name in pool]

    assert len(names) == len(set(names)) == 48
    assert set(REAL.values()) <= set(names)


def test_a_technical_text_has_neither_the_users_noun_nor_an_alias() -> None:
    for tool, text in zip(design(1).made_of, _first_descriptions(design(1)), strict=True):
        for word in (tool.noun.plain, *tool.noun.aliases):
            assert f" {word} " not in f" {text.lower()} ", f"{tool.id}: {text}"


def _first_descriptions(made: Design) -> list[str]:
    first: dict[str, str] = {}
    for one in made.methods:
        first.setdefault(one.implements[0], one.description)
    return [first[tool.id] for tool in made.made_of]


@pytest.mark.parametrize("seed", SEEDS)
def test_synthetic_cases_have_the_tiers_and_share_few_words_with_their_methods(seed: int) -> None:
    made = design(seed)
    cases = synthetic_cases(made.made_of, seed=seed)
    golds = {"T1": {1}, "T2": {1}, "T3": {2}, "T4": {3, 4}, "T5": {1}, "T6": {1, 2}}

    assert Counter(case.question.group for case in cases) == SYNTHETIC
    assert len({case.question.text for case in cases}) == 350
    assert all({len(set(case.question.gold))} <= golds[case.question.group] for case in cases)
    assert synthetic_overlap(made, cases) <= 0.08


def test_an_intent_names_neither_noun_nor_alias() -> None:
    for case in synthetic_cases(design(1).made_of, seed=1):
        if case.question.group == "T6":
            words = [word for tool in case.tools for word in (tool.noun.plain, *tool.noun.aliases)]
            assert not any(f"the {word}" in case.question.text for word in words)


def test_generators_are_asked_for_in_their_tier() -> None:
    cases = synthetic_cases(design(1).made_of, seed=1)

    assert all(case.tools[0].verb.plain == "generate" for case in cases if case.question.group == "T5")


def test_overlap_is_the_share_of_words_in_both() -> None:
    """`ring` of ring, draw, blue, box; `a` is too short to count. The second pair shares nothing."""
    assert overlap([("draw a ring", "blue ring box"), ("x", "yes")]) == pytest.approx(0.25 / 2)


def test_paraphrases_are_in_proportion_and_none_is_an_original(base: Dataset) -> None:
    found = paraphrases(base.questions, seed=1, count=6)
    originals = {question.id: question for question in base.questions}

    assert Counter(question.group for question in found) == dict.fromkeys(
        ("T1", "T2", "T3", "T4", "T5", "T6"), 1
    )
    for question in found:
        original = originals[question.id.removesuffix("-again")]
        assert (question.gold, question.group, question.part) == (original.gold, original.group, PARAPHRASE)
        assert question.text != original.text
    assert proportional(Counter({"a": 3, "b": 2, "c": 1}), 3) == {"a": 2, "b": 1, "c": 0}


def test_two_clauses_change_places() -> None:
    class First:
        def choice(self, found):
            return found[0]

    assert (
        paraphrase("Draw a ring and then export a file.", First())
        == "could you write out a file, after you sketch a ring?"
    )
    assert paraphrase("Add a box and animate it", First()) == "could you bring to life it and put in a box?"


def test_no_query_is_a_text_of_the_catalogue(base: Dataset) -> None:
    for dataset in (assemble(base, seed=1), set_of_5000(10)):
        texts = texts_of(dataset.catalogue)
        generated = [question for question in dataset.questions if question.part != "original"]
        assert generated
        assert not texts & {question.text.lower() for question in generated}


def test_templates_of_queries_are_not_those_of_catalogue_texts() -> None:
    queries = {text.lower() for tool in TOOLS for text in tool.queries} | {
        shape.text.lower() for shape in SHAPES
    }

    assert not queries & {text.lower() for tool in TOOLS for text in tool.questions}
    assert not set(DESCRIPTIONS) & set(EXAMPLES)


def test_track_b_is_the_originals_with_what_was_made(base: Dataset) -> None:
    dataset = assemble(base, seed=1)
    parts = Counter(question.part for question in dataset.questions)

    assert parts == {"original": 12, "paraphrase": 12, "synthetic": 350}
    assert len(dataset.catalogue.tools) == 403
    assert [question.text for question in dataset.questions[:12]] == [
        question.text for question in base.questions
    ]
    known = {tool.id for tool in dataset.catalogue.tools}
    assert all(set(question.gold) <= known for question in dataset.questions)


def test_shuffled_shells_lead_to_as_many_other_tools(base: Dataset) -> None:
    dataset = assemble(base, seed=1)
    control = with_shuffled_shells(dataset, seed=1)
    before, after = dataset.catalogue.templates, control.catalogue.templates

    assert [len(one.uses) for one in before] == [len(one.uses) for one in after]
    assert sum(one.uses == two.uses for one, two in zip(before, after, strict=True)) < 3
    assert [one.surface for one in before] == [one.surface for one in after]
    popularity = [
        sorted(Counter(t for one in shells for t in one.uses).values()) for shells in (before, after)
    ]
    assert popularity[0] == popularity[1]
    assert shuffled_shells(before, [tool.id for tool in dataset.catalogue.tools], seed=1) == list(after)


def test_1000_companies_have_1000_names_tickers_and_aliases() -> None:
    everyone = companies()

    for names in (
        {one.name for one in everyone},
        {one.ticker for one in everyone},
        {one.alias for one in everyone},
    ):
        assert len(names) == 1000
    assert {len(one.ticker) for one in everyone} == {3, 4}


def test_the_strata_have_the_sizes_and_gold_counts() -> None:
    dataset = set_of_5000(0)
    sizes = Counter((question.part, question.group) for question in dataset.questions)
    headline = {"1": 320, "2": 300, "3": 180, "4": 100, "5": 40, "8": 30, "12": 30}

    assert {group: count for (part, group), count in sizes.items() if part == "headline"} == headline
    assert sum(count for (part, _), count in sizes.items() if part == "long") == 300
    assert all(len(set(question.gold)) == int(question.group) for question in dataset.questions)
    known = {tool.id for tool in dataset.catalogue.tools}
    assert len(known) == 5000
    assert all(set(question.gold) <= known for question in dataset.questions)


def test_more_questions_change_nothing_else() -> None:
    none, five, ten = set_of_5000(0), set_of_5000(5), set_of_5000(10)

    assert none.questions == five.questions == ten.questions
    assert none.catalogue.tools == ten.catalogue.tools
    for few, many in zip(five.catalogue.methods, ten.catalogue.methods, strict=True):
        assert (len(few.examples), few.examples) == (5, many.examples[:5])


def test_the_same_seed_gives_the_same_bytes_whatever_the_hash_seed(base: Dataset) -> None:
    program = (
        "from bench.generated.design_tools import make_design; from bench.generated.design_cases import "
        "synthetic_cases; from bench.generated.finance import finance; import hashlib; d = make_design(2); "
        "text = repr((d, synthetic_cases(d.made_of, seed=2))); "
        "print(hashlib.sha256(text.encode()).hexdigest(), finance(5, seed=2).fingerprint)"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for hash_seed in ("1", "77")
    }

    assert len(printed) == 1
    assert assemble(base, seed=1).fingerprint == assemble(base, seed=1).fingerprint
    assert assemble(base, seed=1).fingerprint != assemble(base, seed=2).fingerprint


def words_of(dataset: Dataset) -> str:
    """The first digits of the SHA-256 of all that a ranking could read of a set, and of what is right."""
    catalogue = dataset.catalogue
    told = (
        [(tool.id, tool.description, tool.input_schema) for tool in catalogue.tools],
        [
            (one.id, one.name, one.description, one.tags, one.parameters, one.examples, one.implements)
            for one in catalogue.methods
        ],
        [[(link.target, link.weight) for link in one.related] for one in catalogue.methods],
        [(shell.id, shell.surface, shell.uses) for shell in catalogue.templates],
        [(question.id, question.text, question.gold) for question in dataset.questions],
    )
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def test_the_sets_are_those_whose_figures_are_kept() -> None:
    """A changed word is another set: figures kept from before can no longer be compared with new ones."""
    one = design(1)
    whole = Catalogue(
        generation=1,
        tools=one.tools,
        methods=one.methods,
        templates=one.templates,
        concepts=(),
        generators=one.generators,
        categories=one.categories,
    )
    cases = tuple(case.question for case in synthetic_cases(one.made_of, seed=1))

    assert words_of(Dataset("design", whole, cases)) == "77ef2c3078248966"
    assert [words_of(set_of_5000(questions)) for questions in (0, 5, 10)] == [
        "4cbc5bb97348281f",
        "2eed3229db2a7eab",
        "99d24c4654a7b398",
    ]
