"""The weights of the rankings are one value, and every ranking takes them from its index."""

import ast
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path

import pytest

from app.domain.catalogue import Catalogue
from app.domain.ranking import recipe
from app.domain.ranking.recipe import RECIPE, RankingRecipe
from app.usecases.index.search_index import SearchIndex
from app.usecases.rankings.auto import rank_auto
from app.usecases.rankings.consistent import ConsistentGraph
from tests.unit.catalogues import tool

CATALOGUE = Catalogue(
    generation=1,
    tools=(tool("s/delete_file"), tool("s/list_files")),
    methods=(),
    templates=(),
    concepts=(),
    generators=(),
    categories=(),
)


def test_a_recipe_never_changes() -> None:
    """Neither a weight nor those of the fields."""
    with pytest.raises(FrozenInstanceError):
        RECIPE.head = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        RECIPE.tool_fields["name"] = 3.0  # type: ignore[index]


def test_another_recipe_gives_other_scores() -> None:
    """Without intent, both tools that name a file fit equally; without the name's weight they fit less."""

    def scores(weights: RankingRecipe) -> list[float]:
        index = SearchIndex.build(CATALOGUE, recipe=weights)
        ranking = rank_auto("remove the file", ConsistentGraph(index))
        found: list[float] = (ranking.candidates.words * ranking.candidates.factor).tolist()
        return found

    own, without = scores(RECIPE), scores(replace(RECIPE, intent_weight=0.0))

    assert own[0] > own[1]
    assert own[0] > without[0] == pytest.approx(without[1])


def test_each_group_of_weights_says_where_it_comes_from() -> None:
    """A weight without a line of its own belongs to the one above it."""
    tree = ast.parse(Path(recipe.__file__).read_text(encoding="utf-8"))
    body = next(node for node in tree.body if isinstance(node, ast.ClassDef)).body
    texts = [
        node.value.value
        for node in body
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]

    assert len(fields(RankingRecipe)) > 30
    assert sum("Source:" in str(text) for text in texts) >= 24
