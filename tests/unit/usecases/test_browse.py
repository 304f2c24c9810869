"""Facets and look-ups: what there is, for whom."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.nodes.models import Category, NodeKind
from app.usecases.browse.facets import facets
from app.usecases.browse.find import FOUND, FOUND_KINDS, find_nodes
from app.usecases.index.search_index import SearchIndex
from tests.unit.catalogues import catalogue, concept, generator, method, template, tool

SHOP = catalogue(
    [
        tool("mail/search_email", "Searches the mailbox.", read_only=True, title="Search mail"),
        tool("mail/sendEmail", "Sends an email.", read_only=False),
        tool("shop/cancel_order", "Cancels an order.", categories=["orders"]),
        tool("shop/get_order", "Reads an order.", read_only=True, categories=["orders"]),
        tool("ghost", declared=True),
    ],
    methods=[method("mail.send", ["mail/sendEmail"], name="Send a letter", category="post")],
    templates=[template("letter", ["mail/sendEmail"])],
    concepts=[concept("polite", ["mail.send"])],
    generators=[generator("greeting", "mail/sendEmail")],
    categories=[
        Category(id="orders", name="Orders", description=""),
        Category(id="none", name="", description=""),
    ],
)
INDEX = SearchIndex.build(SHOP)
ONLY_SHOP = INDEX.view(np.array([one.server == "shop" for one in SHOP.tools]))


def found(text: str, *, kinds: tuple[NodeKind, ...] = FOUND_KINDS, index: SearchIndex = INDEX) -> list[str]:
    return [one.key for one in find_nodes(text, kinds=kinds, index=index, view=index.whole)]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("orders", ["Category:orders"]),
        ("SEARCH M", ["Tool:mail/search_email"]),
        ("email", ["Tool:mail/sendEmail", "Tool:mail/search_email"]),
        ("shop/", ["Tool:shop/get_order", "Tool:shop/cancel_order"]),
        ("letter", ["Template:letter", "Method:mail.send"]),
        ("mail", ["Method:mail.send", "Tool:mail/sendEmail", "Tool:mail/search_email"]),
        ("etter", []),
        ("  ", []),
        ("\n", []),
        ("\0", []),
    ],
)
def test_names_and_their_words_are_found_by_their_beginning(text: str, keys: list[str]) -> None:
    """A whole name first, then what begins with it, then words of it; the shortest id first."""
    assert found(text) == keys


def test_at_most_ten_are_found() -> None:
    """What a list below a field holds."""
    many = SearchIndex.build(catalogue([tool(f"s/order_{number}") for number in range(30)]))

    assert len(found("order", index=many)) == FOUND


@given(st.text(max_size=20))
def test_whatever_is_typed_finds_only_what_holds_it(text: str) -> None:
    """No sign of the text has a meaning of its own."""
    asked = " ".join(text.casefold().replace("\0", " ").split())
    names = {f"Tool:{one.id}": f"{one.id} {one.name} {one.title}" for one in SHOP.tools}

    for key in found(text, kinds=(NodeKind.TOOL,)):
        assert asked.split()[0] in names[key].casefold()


def test_a_view_takes_its_tools_away_and_what_leads_to_no_other() -> None:
    """Categories, methods, templates, concepts and presets go with their tools."""
    for text in ("mail", "letter", "polite", "greeting", "send"):
        assert find_nodes(text, kinds=FOUND_KINDS, index=INDEX, view=ONLY_SHOP) == []
    seen = find_nodes("order", kinds=FOUND_KINDS, index=INDEX, view=ONLY_SHOP)
    assert [one.id for one in seen] == ["orders", "shop/get_order", "shop/cancel_order"]


def test_facets_count_what_a_view_shows() -> None:
    """Servers and categories that are left without a tool are not named."""
    whole = facets(limit=10, index=INDEX, view=INDEX.whole)
    narrow = facets(limit=10, index=INDEX, view=ONLY_SHOP)

    assert [(one.id, one.tools) for one in whole.servers] == [("mail", 2), ("shop", 2)]
    assert [(one.id, one.name, one.tools) for one in whole.categories] == [
        ("orders", "Orders", 2),
        ("post", "post", 1),
    ]
    assert (whole.tools, whole.read_only, whole.declared, whole.deprecated) == (5, 2, 1, 0)
    assert [(one.id, one.tools) for one in narrow.servers] == [("shop", 2)]
    assert [one.id for one in narrow.categories] == ["orders"]
    assert (narrow.tools, narrow.read_only, narrow.declared) == (2, 1, 0)
