"""The webhook against a real receiver: signed, tried again, and in nobody's way."""

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from pydantic import SecretStr

from app.adapters.http.caller import PooledHttpCaller
from app.adapters.http.webhook import MOST_WAITING, SIGNATURE, Pauses, Webhook, receiver_of
from app.domain.notices import Notice, NoticeKind
from app.errors import InvalidInputError
from tests.http_server import Asked, Handler, Recorded, web_server
from tests.service import wait_until

KEY = SecretStr("a-key-of-this-test")
WAITING = Notice(NoticeKind.PENDING, "mcp:shop", ("shop/refund", "shop/track"), 7, "2026-01-01T00:00:00Z")
DOWN = Notice(NoticeKind.SOURCE_DOWN, "mcp:shop", generation=7, at="2026-01-01T00:00:00Z")
QUICK = Pauses(timeout_s=5.0, waits_s=(0.01, 0.01))


@contextmanager
def sending(
    to: Recorded | str, pauses: Pauses = QUICK, key: SecretStr | None = KEY
) -> Iterator[tuple[Webhook, list[str]]]:
    """A webhook, and what became of its notices."""
    outcomes: list[str] = []
    url = to if isinstance(to, str) else f"{to.url}/hooks/s3cret?a=b"
    with PooledHttpCaller() as http:
        webhook = Webhook(receiver_of(url, key), http, pauses=pauses, counted=outcomes.append)
        webhook.start()
        try:
            yield webhook, outcomes
        finally:
            webhook.close(5.0)


def answering(*statuses: int) -> Callable[[Handler, Asked], None]:
    """These one after the other, the last one for good."""
    left = list(statuses)

    def answer(handler: Handler, _: Asked) -> None:
        handler.reply(left.pop(0) if len(left) > 1 else left[0])

    return answer


def test_a_notice_is_a_signed_post_with_names_and_no_texts() -> None:
    with web_server(answering(204)) as receiver, sending(receiver) as (webhook, outcomes):
        webhook.notify([WAITING])
        wait_until(lambda: outcomes)

    (asked,) = receiver.asked
    body = json.loads(asked.body)
    assert (asked.method, asked.target) == ("POST", "/hooks/s3cret?a=b")
    assert asked.headers["content-type"] == "application/json"
    expected = hmac.new(KEY.get_secret_value().encode(), asked.body, hashlib.sha256).hexdigest()
    assert asked.headers[SIGNATURE.lower()] == f"sha256={expected}"
    assert len(body.pop("id")) == 16
    assert body == {
        "kind": "pending",
        "source": "mcp:shop",
        "count": 2,
        "ids": ["shop/refund", "shop/track"],
        "generation": 7,
        "at": "2026-01-01T00:00:00Z",
    }
    assert outcomes == ["delivered"]


def test_of_many_tools_the_first_are_named_and_all_are_counted() -> None:
    many = Notice(NoticeKind.CHANGED, "mcp:shop", tuple(f"shop/{number:03}" for number in range(200)))

    assert many.as_json["count"] == 200
    assert many.as_json["ids"] == [f"shop/{number:03}" for number in range(50)]


def test_without_a_key_there_is_no_signature() -> None:
    with web_server(answering(200)) as receiver, sending(receiver, key=None) as (webhook, outcomes):
        webhook.notify([DOWN])
        wait_until(lambda: outcomes)

    assert SIGNATURE.lower() not in receiver.asked[0].headers


def test_what_fails_is_tried_again_with_the_same_id() -> None:
    with web_server(answering(500, 429, 200)) as receiver, sending(receiver) as (webhook, outcomes):
        webhook.notify([WAITING])
        wait_until(lambda: outcomes)

    assert outcomes == ["delivered"]
    assert len({one.body for one in receiver.asked}) == 1
    assert len(receiver.asked) == 3


def test_tries_end_and_the_next_notice_is_sent(caplog: pytest.LogCaptureFixture) -> None:
    """The log says where to, and not the path, which may be all that keeps strangers out."""
    with web_server(answering(503, 503, 503, 200)) as receiver, sending(receiver) as (webhook, outcomes):
        webhook.notify([WAITING, DOWN])
        wait_until(lambda: len(outcomes) == 2)

    assert outcomes == ["failed", "delivered"]
    (record,) = [one for one in caplog.records if one.levelname == "ERROR"]
    assert vars(record)["problem"] == f"{receiver.url} answered 503"
    assert "s3cret" not in str(vars(record))


def test_what_the_receiver_refuses_is_not_repeated() -> None:
    with web_server(answering(400)) as receiver, sending(receiver) as (webhook, outcomes):
        webhook.notify([WAITING])
        wait_until(lambda: outcomes)

    assert (outcomes, len(receiver.asked)) == (["failed"], 1)


def test_a_receiver_that_hangs_keeps_nobody_waiting() -> None:
    """Neither who notifies, nor the end, for longer than it was given; what does not fit is dropped."""
    let_go = threading.Event()

    def hang(handler: Handler, _: Asked) -> None:
        let_go.wait(30)
        handler.reply(200)

    outcomes: list[str] = []
    with web_server(hang) as receiver, PooledHttpCaller() as http:
        webhook = Webhook(
            receiver_of(receiver.url, None), http, pauses=Pauses(timeout_s=30.0), counted=outcomes.append
        )
        webhook.start()
        begun = time.monotonic()
        webhook.notify([DOWN] * (MOST_WAITING + 2))
        webhook.close(0.2)
        took = time.monotonic() - begun
        let_go.set()
        wait_until(lambda: len(outcomes) == MOST_WAITING + 2)

    assert took < 10.0
    assert len(receiver.asked) == 1
    assert outcomes.count("dropped") == MOST_WAITING + 1


def test_a_receiver_that_does_not_answer_in_time_is_a_failed_try() -> None:
    let_go = threading.Event()

    def hang(handler: Handler, _: Asked) -> None:
        let_go.wait(30)

    with (
        web_server(hang) as receiver,
        sending(receiver, Pauses(timeout_s=0.1, waits_s=(0.01,))) as (webhook, outcomes),
    ):
        webhook.notify([WAITING])
        wait_until(lambda: outcomes)
        let_go.set()

    assert (outcomes, len(receiver.asked)) == (["failed"], 2)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://hooks.example.com/x", "https, or http on loopback"),
        ("http://10.0.0.7/x", "https, or http on loopback"),
        ("ftp://127.0.0.1/x", "https://HOST"),
        ("https://user:secret@hooks.example.com/x", "without"),
        ("https://hööks.example.com/x", "ASCII"),
        ("https://hooks.example.com/ö", "percent-encoded"),
    ],
)
def test_an_address_where_notices_could_be_read_on_their_way_is_refused(url: str, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said) as refused:
        receiver_of(url, KEY)

    assert "secret" not in str(refused.value)


def test_the_metadata_of_a_cloud_is_never_asked() -> None:
    with sending("https://169.254.169.254/latest") as (webhook, outcomes):
        webhook.notify([DOWN])
        wait_until(lambda: outcomes)

    assert outcomes == ["failed"]
