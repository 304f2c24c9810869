"""The published rankings by hand, and against the service's."""

import math

import numpy as np
import pytest

from app.domain.ranking.recipe import RECIPE
from app.errors import InvalidInputError
from bench.methods.kg_hybrid import FULL, VARIANTS, Variant, kg_hybrid_ranker
from bench.methods.kg_toolrank import kg_toolrank_ranker, pagerank, transitions
from bench.methods.lexical import TfIdf, bm25_ranker, keyword_ranker, random_ranker, sparse
from bench.methods.registry import code_files, method_named, with_tokens
from bench.methods.words import Corpus, Tokens, paper_terms
from bench.sets.datasets import Dataset, Question
from tests.documents import ROOT
from tests.unit.catalogues import catalogue, concept, method, template, tool

DESIGN = catalogue(
    [tool("blur", declared=True), tool("draw", declared=True), tool("paint", declared=True), tool("save")],
    methods=[
        method("circle", ["draw"], name="Circle", description="A round ring", similar=[("wash", 0.5)]),
        method("square", ["draw"], name="Square", description="A box with four corners"),
        method("wash", ["paint"], name="Wash", description="Thin colour", enhances=[("soften", 1.0)]),
        method("soften", ["blur"], name="Soften", description="Less sharp"),
        method("export", ["save"], name="Export", description="A file for sharing"),
    ],
    templates=[template("logo", ["save", "draw"], surface="A mark for a brand")],
    concepts=[concept("calm", ["soften"], description="quiet mood")],
)
QUERIES = ("a round ring in thin colour", "file of a box", "a mark for my brand", "sharing", "nothing known")
DATASET = Dataset(
    "design", DESIGN, tuple(Question(str(n), text, ("draw",), {}, "") for n, text in enumerate(QUERIES))
)


def test_paper_words_are_lower_case_without_punctuation_or_short_ones() -> None:
    assert paper_terms("Draw (a) Blue-Ring, radius_2 of 5px!") == ["draw", "blue", "ring", "radius_2", "5px"]


def test_a_document_is_the_tools_name_and_its_methods_texts() -> None:
    corpus = Corpus(DESIGN, Tokens.PAPER)

    assert corpus.tools == ["blur", "draw", "paint", "save"]
    assert corpus.documents[0] == ["blur", "soften", "less", "sharp"]
    assert corpus.documents[1][:4] == ["draw", "circle", "round", "ring"]


def test_keyword_counts_the_share_of_words_that_occur_inside_others_too() -> None:
    """`box` and `corner` occur in draw's document, `file` in save's."""
    rank = keyword_ranker(DATASET, Tokens.PAPER)

    assert rank("1", "box corner file") == ["draw", "save"]
    assert rank("1", "unknown") == []


def test_cosine_of_tf_idf_by_hand() -> None:
    """N = 2; `x` is in both and weighs 0; document 1 = (1 + ln 2) ln 2 for b, ln 2 for a; the query has a alone."""
    vectors = TfIdf([["x", "a", "b", "b"], ["x", "c"]])
    a, b = math.log(2), (1 + math.log(2)) * math.log(2)

    assert vectors.cosines(["a", "x", "new"]).tolist() == [pytest.approx(a / math.hypot(a, b)), 0.0]
    assert vectors.cosines(["new"]).tolist() == [0.0, 0.0]


def test_chance_depends_on_the_case_alone_and_favours_no_tool() -> None:
    rank = random_ranker(DATASET)
    firsts = [rank(str(case), "")[0] for case in range(400)]

    assert sorted(rank("7", "a")) == ["blur", "draw", "paint", "save"]
    assert rank("7", "a") == random_ranker(DATASET)("7", "b")
    assert all(70 < firsts.count(name) < 130 for name in ("blur", "draw", "paint", "save"))


@pytest.mark.parametrize("query", QUERIES)
def test_with_reference_words_and_templates_it_is_the_services_kg_hybrid(query: str) -> None:
    own = kg_hybrid_ranker(DATASET, Tokens.REFERENCE, templates=True)
    service = method_named("service_kg_hybrid").run(DATASET)

    assert FULL.alpha == RECIPE.text_share
    assert list(own("", query)) == list(service.rankings[QUERIES.index(query)])


def test_neighbours_are_reached_by_lambda_and_weight() -> None:
    """`ring` finds circle alone; wash is similar to it and gives to paint, soften is two hops away."""
    assert kg_hybrid_ranker(DATASET, Tokens.PAPER)("", "ring") == ["draw", "paint"]
    assert kg_hybrid_ranker(DATASET, Tokens.PAPER, VARIANTS["NoPPR"])("", "ring") == ["draw"]


def test_without_the_graph_or_without_methods_it_is_bm25() -> None:
    plain = Dataset(
        "plain", catalogue([tool("a", "Send mail"), tool("b", "Read mail"), tool("c", "Sum")]), ()
    )
    for query in QUERIES:
        words = bm25_ranker(DATASET, Tokens.PAPER)("", query)
        assert kg_hybrid_ranker(DATASET, Tokens.PAPER, Variant(alpha=1.0))("", query) == words
    assert kg_hybrid_ranker(plain, Tokens.REFERENCE)("", "read mail") == bm25_ranker(plain, Tokens.REFERENCE)(
        "", "read mail"
    )


def test_pagerank_by_hand() -> None:
    """Two nodes joined, all mass starts at the first: p0 = .7 + .3 p1, p1 = .3 p0."""
    both = sparse([(0, 1, 1.0), (1, 0, 1.0)], (2, 2))
    masses = pagerank(both, np.array([2.0, 0.0]))

    assert masses.tolist() == [pytest.approx(0.7 / 0.91), pytest.approx(0.21 / 0.91)]
    assert pagerank(both, np.zeros(2)).tolist() == [0.0, 0.0]


def test_mass_that_no_edge_leads_away_returns() -> None:
    masses = pagerank(sparse([(0, 1, 1.0)], (2, 2)), np.array([1.0, 0.0]))

    assert masses.sum() == pytest.approx(1.0)


def test_edges_lead_both_ways_and_rows_sum_to_one() -> None:
    """circle: draw 1 and wash .5; blur: soften alone."""
    matrix = transitions(DESIGN).toarray()
    tools, methods = len(DESIGN.tools), [node.id for node in DESIGN.methods]
    circle, wash = tools + methods.index("circle"), tools + methods.index("wash")

    assert matrix[circle, 1] == pytest.approx(1 / 1.5)
    assert matrix[circle, wash] == pytest.approx(0.5 / 1.5)
    assert matrix[0, tools + methods.index("soften")] == 1.0
    assert matrix.sum(axis=1).tolist() == pytest.approx([1.0] * len(matrix))


def test_further_edges_of_the_graph_are_walked_too() -> None:
    linked = Dataset("linked", DESIGN, (), links=((("method", "export"), ("method", "soften")),))

    alone, further = (kg_toolrank_ranker(one, Tokens.PAPER)("", "quiet") for one in (DATASET, linked))

    assert further.index("save") < alone.index("save")


def test_toolrank_reads_the_manifest_and_follows_concepts_to_tools() -> None:
    listed = Dataset("listed", DESIGN, (), manifest={"save": "Keeps a mood board"})

    assert kg_toolrank_ranker(listed, Tokens.PAPER)("", "board")[0] == "save"
    assert kg_toolrank_ranker(DATASET, Tokens.PAPER)("", "quiet")[0] == "blur"


def test_every_method_ranks_every_question_and_says_how_long_it_took() -> None:
    for name in ("random", "keyword", "tfidf", "bm25", "kg_text_only", "kg_toolrank", "kg_hybrid", "auto"):
        run = method_named(with_tokens(name, Tokens.PAPER)).run(DATASET)
        assert len(run.rankings) == len(run.ms) == len(QUERIES)
        assert set(run.rankings[0]) <= {node.id for node in DESIGN.tools}
        assert run.rankings == method_named(with_tokens(name, Tokens.PAPER)).run(DATASET).rankings


def test_an_unknown_method_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidInputError, match="no method 'nope'; accepted: random, keyword"):
        method_named("nope")
    with pytest.raises(InvalidInputError, match="auto:paper"):
        method_named("auto:paper")


def test_the_version_of_a_ranking_depends_on_every_file_that_it_is_made_of() -> None:
    """A change of a formula, of words, or of an index makes kept figures stale."""
    found = {path.relative_to(ROOT).as_posix() for path in code_files(ROOT)}

    assert {
        "app/domain/ranking/formulas.py",
        "app/domain/language/text.py",
        "app/usecases/index/search_index.py",
        "app/usecases/rankings/auto.py",
        "app/usecases/rankings/rankers.py",
        "bench/methods/bm25s.py",
        "bench/methods/kg_hybrid.py",
    } <= found
