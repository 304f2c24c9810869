"""Meaning beside words: vectors come in, rank, are explained, and are carried from one index to the next."""

import dataclasses
import json
import logging
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from app.answers.search import QueryAnswer, ReasonKind
from app.domain.nodes.models import Method, ToolRequest
from app.domain.ranking.field_vectors import FieldWeights
from app.errors import EncoderError
from app.ports.encoding import VectorStore
from app.usecases.browse.status import service_status
from app.usecases.index.changed import changed_index
from app.usecases.index.encoding import LOOKED_FOR, ToolEncoder
from app.usecases.index.meaning import AskedVectors
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.snapshots import Snapshot, SnapshotKeeper
from app.usecases.questions import SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.fakes import InMemoryGraph
from tests.service import ingest, wait_until
from tests.unit.catalogues import catalogue, method, part_between, tool
from tests.unit.usecases.test_kept_index import packed

CONCEPTS = (
    ("refund", "money back", "reverse"),
    ("charge", "pay", "bill"),
    ("boat", "sail"),
    ("weather", "wind"),
)
TOOLS = [
    tool("shop/reverse", "Reverse of a charge the customer made"),
    tool("shop/charge", "Charge a customer"),
    tool("shop/list", "Lists what a customer was asked to give"),
    tool("sea/sail", "Sails a boat"),
]
QUERY = "the customer wants money back"


class Concepts:
    """An encoder whose dimensions are concepts: texts are alike where they speak of the same ones."""

    def __init__(self, model: str = "concepts") -> None:
        self.model = model
        self.texts: list[str] = []
        self.works = True

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if not self.works:
            raise EncoderError("the encoder is away")
        self.texts += texts
        rows = [[*(sum(word in text.lower() for word in one) for one in CONCEPTS), 0.1] for text in texts]
        found = np.array(rows, np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    def encode_request(self, parts: Sequence[str]) -> npt.NDArray[np.float32]:
        return self.encode(parts)


class Kept:
    """A store in memory that two processes could share."""

    def __init__(self) -> None:
        self.vectors: dict[tuple[str, bytes], bytes] = {}

    def read(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        return {key: self.vectors[model, key] for key in keys if (model, key) in self.vectors}

    def keep(self, model: str, vectors: Mapping[bytes, bytes]) -> None:
        self.vectors |= {(model, key): vector for key, vector in vectors.items()}


def encoded(
    tools: Sequence[object] = TOOLS, *, encoder: Concepts | None = None, **options: object
) -> SearchIndex:
    index = SearchIndex.build(catalogue(tools))  # type: ignore[arg-type]
    ToolEncoder(encoder or Concepts()).attach(index, **options)  # type: ignore[arg-type]
    return index


def ask(index: SearchIndex, query: str = QUERY, **options: object) -> QueryAnswer:
    request = SearchRequest.model_validate({"query": query, "explain": True, "prerequisites": 0, **options})
    return search(request, ConsistentGraph(index))


def asked_of(index: SearchIndex) -> AskedVectors:
    found = index.meaning.asked()
    assert found is not None
    return found


def ids(answer: QueryAnswer) -> list[str]:
    return [one.id for one in answer.tools]


def test_a_tool_that_means_what_is_asked_comes_first() -> None:
    """Its words say less of it than another's; the reason names what was compared."""
    assert ids(ask(SearchIndex.build(catalogue(TOOLS))))[0] != "shop/reverse"

    found = ask(encoded())

    assert ids(found)[0] == "shop/reverse"
    (reason,) = [why for why in found.tools[0].why or () if why.kind is ReasonKind.MEANING]
    assert "alike in meaning" in (reason.detail or "")


SEVERAL = [
    tool("shop/charge", "Charge a customer for an order"),
    tool("shop/customers", "Lists the customers, the orders and the weeks"),
    tool("sea/sail", "Sails a boat"),
]


def test_a_tool_that_does_one_of_several_things_is_closest_to_that() -> None:
    """The reason names what it is closest to; the first stays first, and the parts still add up to the score."""
    index = encoded(SEVERAL)
    query = "charge the customer for the order, and sail next week"

    found = ask(index, query)

    assert ids(found)[0] == "shop/charge"
    sail = next(one for one in found.tools if one.id == "sea/sail")
    (need,) = [why for why in sail.why or () if why.kind is ReasonKind.NEED]
    assert "'sail next week'" in (need.detail or "")
    assert need.contribution > 0
    for one in found.tools:
        assert sum(why.contribution for why in one.why or ()) == pytest.approx(one.score)


def test_what_is_first_by_words_alone_is_not_said_to_be_close() -> None:
    """No tool is near to what is asked for; it stays first for its words."""
    tools = [tool("shop/archive", "Archives the old weather ledger"), tool("sea/sail", "Sails a boat")]

    (first, *_) = ask(encoded(tools), "archive the old ledger").tools

    assert first.id == "shop/archive"
    (need,) = [why for why in first.why or () if why.kind is ReasonKind.NEED]
    assert need.detail == "the best by words, graph and servers"


def test_of_many_things_the_first_place_is_open() -> None:
    """Who asks for six things is best served by what is close to one of them, whatever has most words of all."""
    index = encoded(SEVERAL)
    few = "list all the customers, sail a boat"
    many = ", ".join((few, *["sail the old boat"] * 4))

    def added(query: str) -> dict[str, float]:
        whys = {one.id: one.why or () for one in ask(index, query).tools}
        return {
            tool_id: sum(why.contribution for why in why_of if why.kind is ReasonKind.NEED)
            for tool_id, why_of in whys.items()
        }

    by_few, by_many = added(few), added(many)
    assert by_many["sea/sail"] > 2 * by_few["sea/sail"] > 0
    assert by_few[ids(ask(index, few))[0]] == max(by_few.values())


def test_what_a_taxonomy_states_of_all_tools_leaves_nothing_open() -> None:
    """A tool that is close by its text does not outdo the one whose method says what is asked for."""
    stated = [
        method("charge", ["shop/charge"], description="Take money for the order"),
        method("customers", ["shop/customers"], description="List who buys"),
        method("sail", ["sea/sail"], description="Sail away"),
    ]
    query = "take money for the order, and bill the customer"

    def need_of(methods: Sequence[Method]) -> float:
        index = SearchIndex.build(catalogue(SEVERAL, methods=methods))
        ToolEncoder(Concepts()).attach(index)
        found = ask(index, query)
        assert ids(found)[0] == "shop/charge"
        return sum(
            why.contribution for one in found.tools for why in one.why or () if why.kind is ReasonKind.NEED
        )

    assert need_of([]) > need_of(stated[:1]) > need_of(stated) == 0


def test_an_encoder_that_goes_away_leaves_what_was_found(caplog: pytest.LogCaptureFixture) -> None:
    """Between one comparison and the next: the answer does without the needs, and a line says so."""
    encoder = Concepts()
    index = encoded(SEVERAL, encoder=encoder)
    query = "charge the customer for the order, and sail next week"
    index.meaning.asked().encoder.requests([query])  # type: ignore[union-attr]
    encoder.works = False

    with caplog.at_level(logging.WARNING):
        found = ask(index, query)

    assert ids(found)[0] == "shop/charge"
    assert not any(why.kind is ReasonKind.NEED for one in found.tools for why in one.why or ())
    assert "need by need" in caplog.text


def test_a_tool_without_a_word_of_the_request_is_found_by_meaning() -> None:
    """What filters leave out is not; where nothing but meaning leads to a tool, the answer abstains and keeps it."""
    index, plain = encoded(), SearchIndex.build(catalogue(TOOLS))

    assert ids(ask(plain, "gusts of wind, or a bill?")) == []
    found = ask(index, "gusts of wind, or a bill?")

    assert "shop/charge" in ids(found)
    assert found.abstained
    assert "shop/charge" not in ids(ask(index, "a bill?", filters={"servers": ["sea"]}))
    assert not ask(index, "sail or pay a bill?").abstained


def test_a_request_that_was_written_for_a_tool_is_in_its_vector() -> None:
    """Who asks so is closer to it; a tool whose requests changed is encoded again, and nothing else is."""
    plain = encoded()
    wish = ToolRequest(text="money back", language="en", model="", at="")
    written = [TOOLS[0], TOOLS[1].model_copy(update={"requests": (wish,)}), *TOOLS[2:]]
    store, encoder = Kept(), Concepts()
    ToolEncoder(Concepts(), store).attach(SearchIndex.build(catalogue(TOOLS)))
    index = SearchIndex.build(catalogue(written))
    ToolEncoder(encoder, store).attach(index)

    assert encoder.texts == ["shop charge: Charge a customer", "money back"]
    at = np.array([index.positions["shop/charge"]])
    closer, far = (asked_of(one).cosines("money back", at) for one in (index, plain))
    assert closer is not None
    assert far is not None
    assert closer[0] > far[0]


def test_fields_by_weight_are_vectors_of_another_model() -> None:
    """Each field is encoded alone; with other weights all tools are encoded again, with the same ones nothing is."""
    store, encoder = Kept(), Concepts()
    index = SearchIndex.build(catalogue(TOOLS))
    weights = FieldWeights(0.5, 0.5, 0, 0)

    ToolEncoder(encoder, store).attach(index)
    plain = index.meaning.vectors
    ToolEncoder(encoder, store, weights=weights).attach(index)

    assert encoder.texts[len(TOOLS) : len(TOOLS) + 2] == ["sea sail", "Sails a boat"]
    vectors = index.meaning.vectors
    assert vectors is not None
    assert plain is not None
    assert vectors.model != plain.model
    assert not vectors.missing.size
    asked = len(encoder.texts)
    ToolEncoder(encoder, store, weights=weights).attach(SearchIndex.build(catalogue(TOOLS)))
    assert len(encoder.texts) == asked
    ToolEncoder(encoder, store, weights=FieldWeights(0.2, 0.8, 0, 0)).attach(index)
    assert len(encoder.texts) == asked + 2 * len(TOOLS)


@pytest.mark.parametrize(
    "query",
    [
        QUERY,
        "charge the customer",
        "sail. Then reverse the last charge. Bill them. " + "We are in no hurry at all. " * 8,
    ],
)
def test_reasons_add_up_to_the_score(query: str) -> None:
    """Also where a tool was not compared."""
    some = encoded([*TOOLS, tool("shop/new", "Charge of a customer, later")], at_once=0)
    ToolEncoder(Concepts()).attach(some)
    part = encoded()
    vectors = part.meaning.vectors
    assert vectors is not None
    unknown = dataclasses.replace(vectors, scales=np.where(np.arange(len(TOOLS)) == 1, 0, vectors.scales))
    part.meaning.take(unknown, ToolEncoder(Concepts()))

    for index in (some, part):
        for one in ask(index, query).tools:
            assert sum(why.contribution for why in one.why or ()) == pytest.approx(one.score)


def test_published_references_know_nothing_of_it() -> None:
    """KG-Hybrid and BM25 are what they were."""
    plain = SearchIndex.build(catalogue(TOOLS))
    for ranking in (SearchMethod.BM25, SearchMethod.KG_HYBRID):
        assert ask(encoded(), method=ranking) == ask(plain, method=ranking)


def test_while_nothing_is_encoded_words_rank_as_they_would_alone() -> None:
    """The same answer to the last byte."""
    waiting = encoded(at_once=0)

    assert ask(waiting) == ask(SearchIndex.build(catalogue(TOOLS)))


def test_texts_are_encoded_once(tmp_path: Path) -> None:
    """What is kept is not encoded again, by another process neither; another model has vectors of its own."""
    store: VectorStore = Kept()
    first, second, other = Concepts(), Concepts(), Concepts("another")
    for encoder in (first, second, other):
        index = SearchIndex.build(catalogue(TOOLS))
        assert ToolEncoder(encoder, store).attach(index) == 0
        assert ids(ask(index))[0] == "shop/reverse"

    asked = [QUERY]
    assert (len(first.texts), second.texts, len(other.texts)) == (len(TOOLS) + 1, asked, len(TOOLS) + 1)


def test_a_request_is_encoded_once() -> None:
    """Who asks again, or why, waits for nothing."""
    encoder = Concepts()
    index = encoded(encoder=encoder)
    ask(index)
    ask(index)

    assert encoder.texts.count(QUERY) == 1


def test_many_texts_come_in_together() -> None:
    """Off the path of requests; until then words rank."""
    many = [*TOOLS, *(tool(f"sea/sail_{at}", f"Sails boat {at}") for at in range(600))]
    encoder, said = ToolEncoder(Concepts()), []
    index = SearchIndex.build(catalogue(many))

    assert encoder.attach(index) == len(many)
    assert encoder.complete(index, goes_on=lambda: True, say=said.append)

    assert sum(said) == len(many)
    assert ids(ask(index))[0] == "shop/reverse"


def test_encoding_that_is_stopped_keeps_what_it_has() -> None:
    """The next start goes on from there."""
    many = [tool(f"sea/sail_{at}", f"Sails boat {at}") for at in range(600)]
    store, encoder = Kept(), Concepts()
    index = SearchIndex.build(catalogue(many))
    begun = ToolEncoder(encoder, store)
    begun.attach(index)
    turns = iter([True, False])

    assert not begun.complete(index, goes_on=lambda: next(turns))

    assert 0 < len(store.vectors) < 600
    again = Concepts()
    left = ToolEncoder(again, store).attach(SearchIndex.build(catalogue(many)))
    assert left == 600 - len(store.vectors)


def test_an_encoder_that_is_away_leaves_words(caplog: pytest.LogCaptureFixture) -> None:
    """Of tools, and of a request; the log says so without its text."""
    encoder = Concepts()
    index = encoded(encoder=encoder)
    encoder.works = False
    with caplog.at_level(logging.WARNING):
        answer = ask(index)
        assert dataclasses.replace(answer, notes=None) == ask(SearchIndex.build(catalogue(TOOLS)))
        assert answer.notes == ("the encoder did not answer: ranked by words and graph alone",)
        assert ids(ask(encoded(encoder=encoder)))
    assert "words alone" in caplog.text
    assert QUERY not in str([record.__dict__ for record in caplog.records])


def test_a_changed_tool_gets_a_new_vector_and_the_others_keep_theirs() -> None:
    """Nothing else is encoded."""
    encoder = Concepts()
    before = catalogue(TOOLS)
    after = catalogue(
        [TOOLS[0], tool("shop/charge", "Gives money back"), *TOOLS[3:], tool("sea/wind", "Tells the wind")]
    )
    before, after = (
        dataclasses.replace(one, generation=at, stamp=str(at)) for at, one in enumerate((before, after))
    )
    keeper = ToolEncoder(encoder)
    index = SearchIndex.build(before)
    keeper.attach(index)
    encoder.texts.clear()

    later = changed_index(index, part_between(before, after))
    assert later is not None
    keeper.attach(later)

    assert sorted(encoder.texts) == ["sea wind: Tells the wind", "shop charge: Gives money back"]
    built = SearchIndex.build(after)
    ToolEncoder(Concepts()).attach(built)
    assert [ids(ask(one)) for one in (later, later.settled())] == [ids(ask(built))] * 2


def test_a_kept_index_has_its_vectors() -> None:
    """Nothing is encoded after a start from it; of another model they are not taken."""
    index = encoded()
    encoder, other = Concepts(), Concepts("another")

    again = packed(index)
    ToolEncoder(encoder).attach(again)

    assert ask(again) == ask(index)
    assert encoder.texts == [QUERY]
    third = packed(index)
    assert ToolEncoder(other).attach(third, at_once=0) == len(TOOLS)


def test_an_index_is_kept_without_vectors_that_are_not_all_there() -> None:
    """They come from the store then."""
    waiting = encoded(at_once=0)

    assert packed(waiting).meaning.vectors is None


def test_the_service_encodes_beside_its_answers(tmp_path: Path) -> None:
    """A first snapshot answers by words before the encoder is done with it."""
    tools = ",".join(
        f'{{"name": "sail_{at}", "description": "Sails boat {at}", "inputSchema": {{"type": "object"}}}}'
        for at in range(60)
    )
    refund = '{"name": "reverse", "description": "Reverse of a charge", "inputSchema": {"type": "object"}}'
    (tmp_path / "boats.json").write_text(f'{{"tools": [{tools}, {refund}]}}')
    graph, encoder, may = InMemoryGraph(), Concepts(), threading.Event()
    ingest(graph, manifests=tmp_path, taxonomy=False)
    encode = encoder.encode

    def waits(texts: Sequence[str]) -> npt.NDArray[np.float32]:
        assert len(texts) < 2 or may.wait(20)
        return encode(texts)

    encoder.encode = waits  # type: ignore[method-assign]
    keeper = SnapshotKeeper(graph, refresh_s=0.02, encoder=ToolEncoder(encoder))
    keeper.start()
    try:
        assert keeper.wait(20)
        vectors = keeper.index.meaning.vectors
        assert vectors is not None
        assert vectors.missing.size == 61
        may.set()
        wait_until(lambda: not keeper.index.meaning.vectors.missing.size)  # type: ignore[union-attr]
    finally:
        may.set()
        assert keeper.stop()


def test_a_change_looks_for_no_vectors_of_tools_that_stayed(tmp_path: Path) -> None:
    """While all are being encoded, one changed tool is one changed tool; what is encoded stays, and nothing is encoded twice."""
    tools = [
        {"name": f"sail_{at}", "description": f"Sails boat {at}", "inputSchema": {"type": "object"}}
        for at in range(LOOKED_FOR + 1)
    ]
    graph, encoder, store = InMemoryGraph(), Concepts(), Kept()
    may, begun, looked_for = threading.Event(), threading.Event(), []
    (tmp_path / "boats.json").write_text(json.dumps({"tools": tools}))
    ingest(graph, manifests=tmp_path, taxonomy=False)
    encode, read = encoder.encode, store.read

    def waits(texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if len(encoder.texts) >= 512:
            begun.set()
            assert may.wait(60)
        return encode(texts)

    def counts(model: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        looked_for.extend(keys)
        return read(model, keys)

    encoder.encode, store.read = waits, counts  # type: ignore[method-assign]
    keeper = SnapshotKeeper(graph, refresh_s=0.02, small=0, encoder=ToolEncoder(encoder, store))
    keeper.start()
    try:
        assert keeper.wait(60)
        assert begun.wait(60)
        looked_for.clear()
        tools[0]["description"] = "Gives money back"
        (tmp_path / "boats.json").write_text(json.dumps({"tools": tools}))
        generation = ingest(graph, manifests=tmp_path, taxonomy=False)
        wait_until(lambda: keeper.generation == generation, timeout_s=20)
        assert len(looked_for) == 0
        may.set()
        wait_until(lambda: not keeper.index.meaning.vectors.missing.size, timeout_s=60)  # type: ignore[union-attr]
    finally:
        may.set()
        assert keeper.stop()
    assert len(encoder.texts) == len(set(encoder.texts))
    assert len(encoder.texts) == LOOKED_FOR + 2


def test_the_status_says_how_many_tools_are_encoded() -> None:
    """And nothing where the encoder is off."""
    said = []
    for index in (encoded(), encoded(at_once=0), SearchIndex.build(catalogue(TOOLS))):
        keeper = SnapshotKeeper(InMemoryGraph(), refresh_s=60)
        keeper._current = Snapshot(index, build_s=0, finished=True, taken_at=0)
        status = service_status(keeper, None, None, now=datetime.now(UTC))
        said.append(status.meaning.encoded if status.meaning else None)

    assert said == [4, 0, None]
