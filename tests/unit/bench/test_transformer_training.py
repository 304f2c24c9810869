"""The layers of an encoder are trained as their formulas say, and twice the same."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.adapters.encoders.static import SHIPPED_TOKENIZER
from app.adapters.encoders.wordpiece import WordPiece
from bench.sets.catalogue_requests import is_held_out, written_for_tools
from bench.training.catalogues import CataloguedTool, written_requests
from bench.training.devices import arrays_of
from bench.training.pairs import PairKind, TextPair, sibling_pairs, tool_pairs, written_pairs
from bench.training.token_table import Rows
from bench.training.transformer import LAYER, TextTokens, Weights, below, embedded, encoded
from bench.training.transformer_training import (
    TransformerRecipe,
    between,
    grouped_pairs,
    train_layers,
)

DIMENSIONS, WIDE = 64, 96
TOKENIZER = WordPiece(SHIPPED_TOKENIZER)
RECIPE = TransformerRecipe(layers=2, steps=20, batch=16, of_group=4, rate=3e-3)
VERBS = {"show": "Displays", "remove": "Deletes", "change": "Edits", "send": "Mails"}
THINGS = {"parcel": "shipment", "invoice": "bill", "voucher": "coupon", "basket": "cart", "rating": "review"}
TOOLS = [
    CataloguedTool(f"shop{number}", f"{verb}_{thing}", f"{does} one {other} of the shop.", "", ())
    for number in range(4)
    for verb, does in VERBS.items()
    for thing, other in THINGS.items()
]


def layer(random: np.random.Generator) -> Weights:
    shapes = {
        **dict.fromkeys(("query", "key", "value", "mixed"), (DIMENSIONS, DIMENSIONS)),
        "wide": (DIMENSIONS, WIDE),
        "narrow": (WIDE, DIMENSIONS),
        "wide_bias": (WIDE,),
    }
    drawn = {name: random.normal(0, 0.1, shapes.get(name, (DIMENSIONS,))) for name in LAYER}
    return {name: np.asarray(one + (name.endswith("scale")), np.float32) for name, one in drawn.items()}


def embeddings(random: np.random.Generator) -> dict[str, Rows]:
    rows = {"words": len(TOKENIZER.tokens), "places": 64, "kinds": 2}
    return {
        **{name: random.normal(size=(count, DIMENSIONS)).astype(np.float32) for name, count in rows.items()},
        "scale": np.ones(DIMENSIONS, np.float32),
        "shift": np.zeros(DIMENSIONS, np.float32),
    }


def tokens(*texts: Sequence[int]) -> TextTokens:
    return TextTokens.of([np.array(text, np.int32) for text in texts], most=4)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), name=st.sampled_from(LAYER), at_layer=st.integers(0, 1))
def test_gradients_are_those_of_the_vectors(seed: int, name: str, at_layer: int) -> None:
    """Compared with the difference that a small change of one weight makes."""
    random = np.random.default_rng(seed)
    layers, texts = [layer(random), layer(random)], tokens([1, 2, 3], [4], [5, 6, 7, 8])
    rows = random.normal(size=(8, DIMENSIONS)).astype(np.float32)
    wanted = random.normal(size=(3, DIMENSIONS)).astype(np.float32)
    at = tuple(int(random.integers(size)) for size in layers[at_layer][name].shape)

    def value(change: float) -> float:
        changed = [dict(weights) for weights in layers]
        changed[at_layer][name] = changed[at_layer][name].copy()
        changed[at_layer][name][at] += change
        return float((encoded(rows, changed, texts).vectors.astype(np.float64) * wanted).sum())

    found: list[Weights] = [{}, {}]
    encoded(rows, layers, texts).gradient(wanted, found)

    assert found[at_layer][name][at] == pytest.approx((value(1e-2) - value(-1e-2)) / 2e-2, rel=0.05, abs=5e-3)


def test_a_text_has_the_same_vector_beside_longer_ones() -> None:
    """What is behind its end takes no part."""
    random = np.random.default_rng(0)
    given_embeddings, layers = embeddings(random), [layer(random)]

    def vector(texts: TextTokens) -> Rows:
        return encoded(embedded(given_embeddings, texts), layers, texts).vectors[0]

    assert vector(tokens([7, 8], [1, 2, 3, 4])) == pytest.approx(vector(tokens([7, 8])), abs=1e-5)


def trained(
    seed: int = 0,
    recipe: TransformerRecipe = RECIPE,
    arrays: ModuleType = np,
    pairs: Sequence[TextPair] = (),
) -> tuple[list[Weights], list[Weights], list[float]]:
    random = np.random.default_rng(5)
    layers, given_embeddings = [layer(random) for _ in range(3)], embeddings(random)
    grouped = grouped_pairs(pairs or list(tool_pairs(TOOLS)), TOKENIZER, recipe)
    losses: list[float] = []
    found = train_layers(
        given_embeddings,
        layers,
        grouped,
        recipe,
        seed=seed,
        arrays=arrays,
        say=lambda _, __, loss: losses.append(loss),
    )
    return layers, found, losses


def test_twenty_steps_twice_are_the_same_weights() -> None:
    """With another seed they are not; the lowest layer stays, and what was given stays."""
    (before, first, _), (_, second, _), (_, other, _) = trained(), trained(), trained(seed=1)

    assert all((first[2][name] == second[2][name]).all() for name in LAYER)
    assert any((first[2][name] != other[2][name]).any() for name in LAYER)
    assert [(first[at]["wide"] == before[at]["wide"]).all() for at in range(3)] == [True, False, False]


class Elsewhere(np.ndarray):
    """An array of another module than numpy, as those on a GPU are: the two are not multiplied with each other."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **rest: Any) -> Any:
        plain = [one for one in inputs if type(one) is np.ndarray and one.ndim]
        assert not plain, f"{ufunc.__name__} of arrays of two modules"
        out = {
            name: tuple(one.view(np.ndarray) for one in some) if name == "out" else some
            for name, some in rest.items()
        }
        given = [one.view(np.ndarray) if isinstance(one, Elsewhere) else one for one in inputs]
        found = getattr(ufunc, method)(*given, **out)
        return found.view(Elsewhere) if isinstance(found, np.ndarray) else found

    def __array_function__(self, function: Any, types: Any, given: Any, named: Any) -> Any:
        found = super().__array_function__(function, types, given, named)
        return found.view(Elsewhere) if isinstance(found, np.ndarray) else found


def elsewhere() -> ModuleType:
    """That module, with what a training makes arrays by."""
    module = ModuleType("elsewhere")

    def of(array: npt.ArrayLike) -> Elsewhere:
        return np.asarray(array).view(Elsewhere)

    vars(module).update(
        asarray=of,
        arange=lambda stop: of(np.arange(stop)),
        zeros=lambda shape, kind: of(np.zeros(shape, kind)),
    )
    return module


def test_another_module_computes_the_same_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """All arrays are of that module while it computes, and of numpy in the end."""
    module = elsewhere()
    monkeypatch.setattr(Elsewhere, "__module__", "elsewhere")
    monkeypatch.setitem(sys.modules, "elsewhere", module)
    made = [module.asarray([1]), np.array([1])]

    (_, found, _), (_, wanted, _) = trained(arrays=module), trained()

    assert [arrays_of(one) for one in made] == [module, np]
    assert all(found[2][name] == pytest.approx(wanted[2][name], abs=1e-5) for name in LAYER)
    assert {type(rows) for weights in found for rows in weights.values()} == {np.ndarray}


def test_names_come_closer_to_what_they_stand_for() -> None:
    """No word of the name is in the description."""
    only_names = replace(RECIPE, steps=60, shares={PairKind.NAME: 1.0, PairKind.SENTENCE: 0.0}, batch=20)
    _, _, losses = trained(recipe=only_names)

    assert np.mean(losses[-10:]) < np.mean(losses[:10]) - 0.3


def test_a_share_of_the_way_is_kept() -> None:
    """0 is where it began, 1 where it ended."""
    first, last = [{"wide": np.zeros((1, 2), np.float32)}], [{"wide": np.array([[2, 4]], np.float32)}]

    assert [between(first, last, share)[0]["wide"].tolist() for share in (0, 0.5, 1)] == [
        [[0, 0]],
        [[1, 2]],
        [[2, 4]],
    ]


def test_texts_that_say_the_same_are_no_wrong_answers() -> None:
    """They have one number, and pairs of one server stand together."""
    pairs = [
        TextPair(PairKind.NAME, f"tool {at}", "name", told, server)
        for at, (told, server) in enumerate([("Lists hens", "a"), ("lists hens", "b"), ("Feeds hens", "a")])
    ]

    found = grouped_pairs(pairs, TOKENIZER, RECIPE)[PairKind.NAME]

    assert found.owners.tolist() == [0, 0, 1]
    assert [group.tolist() for group in found.groups] == [[0, 2]]


def test_written_requests_stand_beside_another_tool_of_the_server() -> None:
    """A request whose tool is not there is passed over, and so is one whose server has no other tool."""
    (server, name, requests), (alone, only, _), *_ = written_requests()
    tools = [
        CataloguedTool(server, name, "Does what is asked for.", "", ()),
        CataloguedTool(server, "another", "Does something else.", "", ()),
        CataloguedTool(alone, only, "Has nobody beside it.", "", ()),
    ]

    found = list(written_pairs(tools, seed=0))

    assert [pair.asked for pair in found] == list(requests)
    assert {(pair.told, pair.beside) for pair in found} == {(tools[0].text, tools[1].text)}


def test_a_request_for_several_tools_stands_beside_each_of_them() -> None:
    """Requests that rankings are measured by train nothing."""
    rows = [row for row in written_for_tools() if len(row[1]) > 1]
    (server, names, requests), measured = (
        next(row for row in rows if is_held_out(row[0]) is held_out) for held_out in (False, True)
    )
    tools = [CataloguedTool(server, name, f"Does {name}.", "", ()) for name in names]
    others = [CataloguedTool(measured[0], name, f"Does {name}.", "", ()) for name in measured[1]]

    found = [pair for pair in sibling_pairs([*tools, *others]) if pair.kind is PairKind.SEVERAL]

    assert {pair.told for pair in found if pair.asked == requests[0]} == {tool.text for tool in tools}
    assert {pair.group for pair in found} == {server}


def test_no_tool_that_a_request_takes_is_a_wrong_answer_to_it() -> None:
    """Two pairs with the same first text teach what each alone teaches."""
    one, both = (
        [
            TextPair(PairKind.SEVERAL, told, "feed the hens and the ducks", told, "farm")
            for told in ("Feeds all hens", "Feeds all ducks")[:count]
        ]
        for count in (1, 2)
    )
    alone = replace(RECIPE, steps=1, batch=2, together=0.0, shares={PairKind.SEVERAL: 1.0})

    losses = [trained(recipe=alone, pairs=pairs)[2][0] for pairs in (one, both)]

    assert losses == pytest.approx([0, 0], abs=1e-6)


def test_what_stays_below_is_what_the_layers_give() -> None:
    """Without any layer it is the embeddings."""
    random = np.random.default_rng(1)
    given_embeddings, texts = embeddings(random), tokens([1, 2], [3])

    assert (below(given_embeddings, [], texts) == embedded(given_embeddings, texts)).all()
