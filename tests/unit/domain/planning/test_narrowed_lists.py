"""A list is narrowed by things that have to be looked up first."""

import pytest

from app.domain.workflows.plans import Plan, StepBinding
from tests.calls import NUMBER, TEXT, Schema, call, page
from tests.unit.domain.planning.test_goals import names, plan
from tests.unit.domain.planning.test_unseen_goals import known

AUTHOR_ID: Schema = {"type": "integer", "description": "Only articles of the author with this id."}
CATEGORY_IDS: Schema = {"type": "array", "items": NUMBER, "description": "Category ids."}


def thing(title: str) -> Schema:
    return {"title": title, "type": "object", "properties": {"id": NUMBER, "name": TEXT, "email": TEXT}}


PRESS = [
    call(
        "GET /articles",
        "listArticles",
        "List articles",
        query=("author", "categories", "status"),
        details={
            "author": AUTHOR_ID,
            "categories": CATEGORY_IDS,
            "status": {"enum": ["draft", "published"]},
        },
        answer=page("articles", thing("Article")),
    ),
    call("DELETE /articles/{articleId}", "deleteArticle", "Delete an article"),
    call(
        "GET /authors",
        "listAuthors",
        "List authors",
        query=("email",),
        answer=page("authors", thing("Author")),
    ),
    call(
        "GET /categories",
        "listCategories",
        "List categories",
        query=("slug", "search"),
        answer=page("categories", thing("Category")),
    ),
]
STOCK = [
    call(
        "GET /shipments",
        "listShipments",
        "List shipments",
        query=("warehouseId", "status"),
        details={"warehouseId": NUMBER, "status": {"enum": ["draft", "shipped"]}},
        answer=page("shipments", thing("Shipment")),
    ),
    call(
        "GET /warehouses",
        "listWarehouses",
        "List warehouses",
        query=("search",),
        answer=page("w", thing("Warehouse")),
    ),
]


def filled(found: Plan, parameter: str) -> StepBinding:
    """From where the second call takes an input."""
    binding = found.steps[1].bindings[parameter]
    assert isinstance(binding, StepBinding)
    return binding


def test_an_id_that_is_a_number_is_looked_up_by_what_names_its_thing() -> None:
    found = plan("list the articles of ann@acme.com", PRESS)
    assert names(found) == ["listAuthors", "listArticles"]
    assert known(found, 0) == {"email": "ann@acme.com"}
    assert filled(found, "author").step == 1


def test_a_name_in_capitals_is_searched_for_and_is_no_slug() -> None:
    found = plan('delete all published articles in the category "Outdoor"', PRESS)
    assert names(found) == ["listCategories", "listArticles", "deleteArticle"]
    assert known(found, 0) == {"search": "Outdoor"}


def test_what_narrows_a_list_is_one_thing_and_spares_nothing() -> None:
    """All articles are meant but one; of the categories it is the one that is named."""
    found = plan('delete all published articles in the category "Travel" except 1502', PRESS)
    assert names(found) == ["listCategories", "listArticles", "deleteArticle"]
    binding = filled(found, "categories")
    assert binding.select is not None
    assert (binding.step, binding.select.by, binding.select.except_) == (1, "match", ())


def test_a_name_alone_is_looked_up_by_the_only_other_thing_that_narrows_the_list() -> None:
    found = plan("list the draft shipments out of Ghent", STOCK)
    assert names(found) == ["listWarehouses", "listShipments"]
    assert known(found, 0) == {"search": "Ghent"}
    assert known(found, 1) == {"status": "draft"}


@pytest.mark.parametrize("goal", ["list the draft shipments", "list the shipments of warehouse 4"])
def test_nothing_is_looked_up_where_nothing_is_named(goal: str) -> None:
    assert names(plan(goal, STOCK)) == ["listShipments"]


def test_a_name_alone_is_not_looked_up_where_several_things_narrow_the_list() -> None:
    """Nobody can tell whether Kestrel is an author or a category."""
    people = call(
        "GET /editors",
        "listEditors",
        "List editors",
        query=("search",),
        answer=page("editors", thing("Editor")),
    )
    articles = call(
        "GET /posts",
        "listPosts",
        "List posts",
        query=("editorId", "categoryId"),
        answer=page("posts", thing("Post")),
    )
    assert names(plan("list the posts out of Kestrel", [articles, people, PRESS[3]])) == ["listPosts"]
