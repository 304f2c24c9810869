"""Vectors from an endpoint, over real connections: what is sent there, and that its failures leave words."""

import json
import logging
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from app.adapters.encoders.endpoint import EndpointEncoder
from app.adapters.llm.chat import ModelEndpoint
from app.answers.search import ReasonKind
from app.errors import EncoderError, InvalidInputError
from app.roots.encoders import encoder_of
from app.roots.reading import named_server
from app.settings import Settings
from app.usecases.index.encoding import ToolEncoder
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.http_server import Asked, Handler, Recorded, web_server
from tests.language_model import KEY, VARIABLE, Reply, cut, drips, flood, late, status
from tests.unit.catalogues import catalogue, tool

TOOLS = [
    tool("shop/reverse", "Reverses a charge"),
    tool("shop/charge", "Charges a customer"),
    tool("sea/sail", "Sails a boat"),
]
QUERY = "charge of a customer: money back"
WORDS_ALONE = ("the encoder did not answer: ranked by words and graph alone",)


def vector(text: str, dimensions: int = 32) -> list[float]:
    """Texts with a word in common are close; who wants money back means a reversed charge."""
    said = text.lower().replace("money back", "reverses reverses reverses")
    row = [0.01] * dimensions
    for word in said.split():
        row[zlib.crc32(word.encode()) % dimensions] += 1
    return row


def embeds(handler: Handler, asked: Asked, **options: Any) -> None:
    """As the protocol has it, the last text first."""
    texts = json.loads(asked.body)["input"]
    data = [{"index": at, "embedding": vector(text, **options)} for at, text in enumerate(texts)]
    usage = {"prompt_tokens": 3 * len(texts), "total_tokens": 3 * len(texts)}
    handler.reply(200, json.dumps({"object": "list", "data": data[::-1], "usage": usage}).encode())


def tells(change: Callable[[list[dict[str, Any]]], object]) -> Reply:
    """Answers with something else than what it should."""

    def reply(handler: Handler, asked: Asked) -> None:
        data = [{"index": at, "embedding": [1.0, 2.0]} for at in range(len(json.loads(asked.body)["input"]))]
        handler.reply(200, json.dumps({"data": change(data)}).encode())

    return reply


BROKEN: dict[str, tuple[Reply, str]] = {
    "late": (late, "did not answer within 0.3 s"),
    "drips": (drips, "did not answer within 0.3 s"),
    "cut": (cut, "the connection broke"),
    "flood": (flood, "more than 16,000,000 bytes"),
    "unauthorized": (status(401), "answered 401"),
    "too many": (status(429), "answered 429"),
    "defect": (status(500), "answered 500"),
    "no JSON": (lambda handler, _: handler.reply(200, b"<html>"), "something else than embeddings"),
    "deep": (lambda handler, _: handler.reply(200, b"[" * 100_000), "something else than embeddings"),
    "no data": (lambda handler, _: handler.reply(200, b'{"data": null}'), "something else than embeddings"),
    "none": (tells(lambda data: []), "with 0 vectors"),
    "too few": (tells(lambda data: data[1:]), "with 0 vectors"),
    "twice": (tells(lambda data: data * 2), "with 2 vectors"),
    "another place": (tells(lambda data: [{**data[0], "index": 7}]), "with 1 vectors"),
    "empty": (tells(lambda data: [{**data[0], "embedding": []}]), "something else than embeddings"),
    "words": (tells(lambda data: [{**data[0], "embedding": ["a"]}]), "something else than embeddings"),
    "zero": (tells(lambda data: [{**data[0], "embedding": [0.0, 0.0]}]), "no direction"),
    "huge": (tells(lambda data: [{**data[0], "embedding": [1e308, 1e308]}]), "no direction"),
    "no number": (tells(lambda data: [{**data[0], "embedding": [float("nan"), 1]}]), ""),
    "base64": (tells(lambda data: [{**data[0], "embedding": "AACAPw=="}]), "something else than embeddings"),
}


@contextmanager
def endpoint(
    reply: Reply, *, timeout_s: float = 5.0, **options: Any
) -> Iterator[tuple[EndpointEncoder, Recorded]]:
    """An encoder over an endpoint that answers so, which waits for nothing between two tries."""
    with web_server(reply) as server:
        place = named_server(f"{server.url}/v1", setting="OUTFITTER_ENCODER_URL")
        chosen: dict[str, Any] = {"key": None, "max_tokens": 1_000_000, **options}
        one = ModelEndpoint(server=place, model="small", timeout_s=timeout_s, **chosen)
        yield EndpointEncoder(one, pause=lambda _: None), server


def index_with(encoder: ToolEncoder) -> SearchIndex:
    """All of its tools encoded."""
    index = SearchIndex.build(catalogue(TOOLS))
    encoder.attach(index, at_once=0)
    encoder.complete(index, goes_on=lambda: True)
    return index


def ask(index: SearchIndex) -> Any:
    return search(SearchRequest(query=QUERY, prerequisites=0, explain=True), ConsistentGraph(index))


def test_texts_are_sent_as_endpoints_take_them_and_their_vectors_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In batches, with the key; in whatever order the answer has them, each of length 1."""
    monkeypatch.setenv(VARIABLE, KEY)
    texts = [f"text {at}" for at in range(40)]
    with web_server(embeds) as server:
        settings = Settings(
            encoder="openai",
            encoder_url=f"{server.url}/v1/",
            encoder_model="small",
            encoder_key_variable=VARIABLE,
        )
        encoder = encoder_of(settings)
        assert encoder is not None
        found = encoder.encode(texts)
        (one,) = encoder.encode_request(["text 7"])

    assert found.shape == (40, 32)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1.0)
    assert (found[7] == one).all()
    first, second, asked = server.asked
    assert (first.method, first.target) == ("POST", "/v1/embeddings")
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(first.body) == {"model": "small", "input": texts[:32], "encoding_format": "float"}
    assert len(json.loads(second.body)["input"]) == 8
    assert json.loads(asked.body)["input"] == ["text 7"]
    assert server.url not in encoder.model


def test_its_vectors_rank() -> None:
    with endpoint(embeds) as (encoder, _):
        answer = ask(index_with(ToolEncoder(encoder)))

    close = {
        one.id: why.contribution
        for one in answer.tools
        for why in one.why or ()
        if why.kind is ReasonKind.MEANING
    }
    assert close["shop/reverse"] > close["shop/charge"] > 0
    assert answer.notes is None


@pytest.mark.parametrize("broken", BROKEN)
def test_whatever_the_endpoint_does_words_answer(broken: str, caplog: pytest.LogCaptureFixture) -> None:
    """In time, with a note, and neither the request nor the key in the log."""
    reply, why = BROKEN[broken]
    slow = broken in ("late", "drips")
    replies: list[Reply] = [embeds]
    with endpoint(lambda *asked: replies[-1](*asked), timeout_s=0.3 if slow else 5.0) as (encoder, _):
        index = index_with(ToolEncoder(encoder))
        replies.append(reply)
        begin = time.monotonic()
        with caplog.at_level(logging.DEBUG):
            answer = ask(index)
        took = time.monotonic() - begin

    without = ask(SearchIndex.build(catalogue(TOOLS)))
    assert [(one.id, one.score) for one in answer.tools] == [(one.id, one.score) for one in without.tools]
    assert answer.notes == WORDS_ALONE
    assert took < (1.5 if slow else 5.0)
    (said,) = [one for one in caplog.records if one.message == "request is ranked by words alone"]
    assert why in vars(said)["problem"]
    assert QUERY not in str([vars(one) for one in caplog.records])


@pytest.mark.parametrize(("code", "tries"), [(429, 3), (503, 3), (401, 1), (400, 1)])
def test_texts_of_tools_are_sent_again_where_that_may_help(code: int, tries: int) -> None:
    """A refused key is refused again; a request is sent once, whoever asks waits."""
    with endpoint(status(code)) as (encoder, server):
        with pytest.raises(EncoderError, match=f"answered {code}"):
            encoder.encode(["a text"])
        assert len(server.asked) == tries
        with pytest.raises(EncoderError, match=f"answered {code}"):
            encoder.encode_request(["a text"])
        assert len(server.asked) == tries + 1


def test_an_endpoint_that_fails_again_and_again_is_left_alone() -> None:
    """Nobody waits for it then; an answer in between counts from the beginning."""
    replies: list[Reply] = [status(500)]
    with endpoint(lambda *asked: replies[-1](*asked)) as (encoder, server):
        for reply in (status(500), status(500), embeds, status(500), status(500), status(500)):
            replies.append(reply)
            if reply is embeds:
                encoder.encode_request(["a text"])
                continue
            with pytest.raises(EncoderError, match="answered 500"):
                encoder.encode_request(["a text"])
        asked = len(server.asked)
        replies.append(embeds)
        with pytest.raises(EncoderError, match="not asked for a while"):
            encoder.encode_request(["a text"])
        assert len(server.asked) == asked


def test_tokens_of_a_day_end() -> None:
    """Counted as the endpoint reports them; what was encoded until then is kept and ranks."""
    with endpoint(embeds, max_tokens=20) as (encoder, server):
        with pytest.raises(EncoderError, match="OUTFITTER_ENCODER_MAX_TOKENS"):
            encoder.encode([f"{at} {'word ' * 10}" for at in range(40)])
        assert server.asked == []
        encoder.encode(["a text"] * 6)
        with pytest.raises(EncoderError, match=r"18 of 20 tokens"):
            encoder.encode(["a longer text than that"])
        assert len(server.asked) == 1


def test_another_model_under_the_same_name_is_noticed() -> None:
    """By the length of its vectors: its requests are not compared, and tools that come are encoded with all others."""
    replies: list[Reply] = [embeds]
    with endpoint(lambda *asked: replies[-1](*asked)) as (encoder, _):
        index = index_with(ToolEncoder(encoder))
        replies.append(lambda handler, asked: embeds(handler, asked, dimensions=48))
        later = ToolEncoder(encoder)
        vectors = index.meaning.vectors
        assert vectors is not None
        index.meaning.take(vectors, later)
        assert ask(index).notes == WORDS_ALONE
        more = SearchIndex.build(catalogue([*TOOLS, tool("sea/row", "Rows a boat")]))
        scales = np.append(vectors.scales, np.float32(0))
        codes = np.append(vectors.codes, np.zeros((1, 32), np.int8), axis=0)
        more.meaning.take(type(vectors)(vectors.model, codes, scales), later)
        assert later.complete(more, goes_on=lambda: True)
        found = more.meaning.vectors
        assert found is not None
        assert (found.codes.shape, found.missing.size) == ((4, 48), 0)
        assert ask(more).notes is None


def test_what_was_encoded_before_a_failure_is_not_sent_again() -> None:
    """Each token is paid once."""
    many = [tool(f"sea/sail_{at}", f"Sails boat {at}") for at in range(300)]
    replies: list[Reply] = [status(400)] + [embeds] * 8
    with endpoint(lambda *asked: (replies.pop() if len(replies) > 1 else replies[0])(*asked)) as (
        encoder,
        server,
    ):
        index, tools = SearchIndex.build(catalogue(many)), ToolEncoder(encoder)
        tools.attach(index, at_once=0)
        assert not tools.complete(index, goes_on=lambda: True)
        assert index.meaning.vectors is not None
        assert index.meaning.vectors.missing.size == 300 - 256
        replies[0] = embeds
        assert tools.complete(index, goes_on=lambda: True)
    sent = [text for one in server.asked for text in json.loads(one.body)["input"]]
    assert len(sent) == 300 + 32
    assert len(set(sent)) == 300


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"encoder_model": "small"}, "takes OUTFITTER_ENCODER_URL"),
        ({"encoder_url": "http://127.0.0.1:1/v1"}, "OUTFITTER_ENCODER_MODEL"),
        (
            {"encoder_url": "ftp://127.0.0.1/v1", "encoder_model": "small"},
            "OUTFITTER_ENCODER_URL: .*accepted",
        ),
        (
            {
                "encoder_url": "http://127.0.0.1/v1",
                "encoder_model": "small",
                "encoder_key_variable": "NOT_SET",
            },
            "OUTFITTER_ENCODER_KEY_VARIABLE = 'NOT_SET'",
        ),
    ],
)
def test_settings_that_lack_something_are_refused_by_name(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        encoder_of(Settings(encoder="openai", **settings))


def test_a_key_does_not_travel_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    url = {"encoder_url": "http://models.example.com/v1", "encoder_model": "small"}
    with pytest.raises(InvalidInputError, match="OUTFITTER_ENCODER_URL unencrypted"):
        encoder_of(Settings(encoder="openai", encoder_key_variable=VARIABLE, **url))


def test_addresses_of_metadata_services_are_never_asked() -> None:
    """Not even where the operator names one."""
    encoder = encoder_of(
        Settings(encoder="openai", encoder_url="http://169.254.169.254/v1", encoder_model="small")
    )
    assert encoder is not None
    with pytest.raises(EncoderError, match="never called"):
        encoder.encode_request(["a text"])
