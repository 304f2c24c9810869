"""What a connection may take before the application sees a request, over real sockets."""

import json
import socket
import time
from ipaddress import ip_network

import pytest

from app.http.bounds import HttpBounds
from tests.bounded_server import LARGE, Peer, Served, served
from tests.service import wait_until

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
QUICK = HttpBounds(headers_s=0.5, body_s=0.5, stalled_s=0.5, linger_s=0.1)
"""Deadlines that a test can wait for; each test of them also waits much longer than they are."""


def status_of(answer: bytes) -> int:
    """Of the first answer in these bytes."""
    assert answer.startswith(b"HTTP/1.1 "), answer[:200]
    return int(answer[9:12])


def refused(served: Served) -> dict[str, float]:
    """How many refusals were counted, by status."""
    samples = [sample for metric in served.refused.collect() for sample in metric.samples]
    return {sample.labels["status"]: sample.value for sample in samples if sample.name == "refused_total"}


@pytest.mark.parametrize(
    ("flood", "status"),
    [(HEAD + b"x-a: b\r\n" * 8_500, 431), (HEAD + b"x: " + b"a" * 64_000, 431)],
    ids=["many", "one"],
)
def test_headers_are_refused_before_they_are_whole(flood: bytes, status: int) -> None:
    """Above the bound they are answered with 431 although their end never comes; the application sees nothing."""
    with served(HttpBounds()) as service, service.connected() as peer:
        peer.send(flood + b"y" * 20_000)
        answer = peer.rest()

    assert status_of(answer) == status
    assert service.seen == []
    assert refused(service) == {str(status): 1}


@pytest.mark.parametrize(("count", "status"), [(199, 200), (200, 431)])
def test_the_number_of_headers_is_bounded(count: int, status: int) -> None:
    """200 with Host, and no more."""
    with served(HttpBounds()) as service, service.connected() as peer:
        peer.send(HEAD + b"x-a: b\r\n" * count + b"Connection: close\r\n\r\n"[19 if count == 199 else 0 :])
        answer = peer.until(b"\r\n\r\n")

    assert status_of(answer) == status


def test_headers_up_to_the_bound_are_taken() -> None:
    """One of 60 kB, in pieces of any size, also behind another request on the same connection."""
    with served(HttpBounds()) as service, service.connected() as peer:
        for _ in range(2):
            request = HEAD + b"x-a: " + b"b" * 60_000 + b"\r\n\r\n"
            for begin in range(0, len(request), 7_001):
                peer.send(request[begin : begin + 7_001])
            assert status_of(peer.until(b"\r\n\r\nok")) == 200

    assert [len(dict(scope["headers"])[b"x-a"]) for scope in service.seen] == [60_000] * 2


def test_an_address_that_is_too_long_is_said_to_be() -> None:
    """414, also while it is not whole."""
    with served(HttpBounds()) as service, service.connected() as whole, service.connected() as part:
        whole.send(b"GET /" + b"a" * 64_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        part.send(b"GET /" + b"a" * 90_000)
        answers = [whole.rest(), part.rest()]

    assert [status_of(answer) for answer in answers] == [414, 414]


def test_trailers_are_bounded_and_are_no_headers() -> None:
    """What comes behind a chunked body is read, and neither kept nor taken for what the request said."""
    head = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n"
    with served(HttpBounds()) as service:
        with service.connected() as peer:
            peer.send(head + b"Authorization: later\r\n\r\n")
            fine = peer.until(b"\r\n\r\n2")
        with service.connected() as peer:
            peer.send(head + b"x-a: " + b"b" * 90_000)
            flood = peer.rest()

    assert (status_of(fine), status_of(flood)) == (200, 431)
    assert b"authorization" not in dict(service.seen[0]["headers"])
    wait_until(lambda: service.left == ["/echo"])


@pytest.mark.parametrize("begin", [b"", b"GET / HTTP/1.1\r\nHost: local", b"\r\n"], ids=["", "half", "lines"])
def test_headers_have_a_deadline(begin: bytes) -> None:
    """Whoever says nothing is closed; whoever has begun is told why; bytes that keep coming change nothing."""
    with (
        served(QUICK) as service,
        service.connected() as silent,
        service.connected() as dribbling,
    ):
        silent.send(begin)
        assert dribbling.send(begin)
        said = dribbling.dribble(begin[-1:] or b"G", at_most_s=8)
        answer = silent.rest(8)

    if b"Host" in begin:
        assert (status_of(answer), status_of(said)) == (408, 408)
    else:
        assert answer == b""
    assert service.seen == []


def test_a_further_request_has_a_deadline_too() -> None:
    """After an answer the connection waits; from the first byte of a request on it has the time of a first one."""
    with served(QUICK) as service, service.connected() as peer:
        peer.get("/")
        assert peer.until(b"\r\n\r\nok")
        time.sleep(0.8)
        answer = peer.dribble(b"GET /" + b"a" * 1_000, at_most_s=8)

    assert status_of(answer) == 408
    assert len(service.seen) == 1


def test_a_body_has_a_deadline_however_it_comes() -> None:
    """408 for one that stalls and for one that dribbles; the application is told that its client left."""
    with served(QUICK) as service:
        with service.connected() as stalled, service.connected() as dribbling:
            stalled.send(POST + b"x")
            assert dribbling.send(POST)
            said = dribbling.dribble(b"x", at_most_s=8)
            answer = stalled.rest(8)
        wait_until(lambda: service.left == ["/echo"] * 2)

    assert (status_of(answer), status_of(said)) == (408, 408)
    document = json.loads(answer.partition(b"\r\n\r\n")[2])
    assert (document["status"], "0.5 s" in document["detail"]) == (408, True)


def test_a_body_that_is_not_read_has_a_deadline_too() -> None:
    """The answer comes at once; the rest of the body keeps the connection no longer than its deadline."""
    with served(QUICK) as service, service.connected() as peer:
        assert peer.send(POST.replace(b"/echo", b"/soon"))
        answer = peer.dribble(b"x", at_most_s=8)

    assert answer.count(b"HTTP/1.1 ") == 1
    assert status_of(answer) == 200


def test_one_connection_too_many_of_an_address_is_told_so() -> None:
    """429 at once, before it says anything; others are not touched, and a place that gets free is given again."""
    with served(HttpBounds(per_address=3, linger_s=0.1)) as service:
        waiting = [service.connected() for _ in range(3)]
        for peer in waiting:
            peer.send(HEAD)
        with service.connected() as fourth:
            answer = fourth.rest()
        with service.connected("127.0.0.9") as other:
            other.get("/")
            assert other.until(b"\r\n\r\nok")
        waiting[0].send(b"\r\n")
        assert waiting[0].until(b"\r\n\r\nok")
        waiting[0].socket.close()
        wait_until(lambda: _is_answered(service))
        for peer in waiting:
            peer.socket.close()

    assert status_of(answer) == 429
    assert b"OUTFITTER_TRUSTED_PROXIES" in answer
    assert b"127.0.0.1" in answer


def _is_answered(service: Served) -> bool:
    with service.connected() as peer:
        peer.send(HEAD + b"Connection: close\r\n\r\n")
        return peer.rest().startswith(b"HTTP/1.1 200")


def test_open_answers_are_counted_apart() -> None:
    """Whoever listens takes no place of those who ask; who may listen has a bound as well."""
    bounds = HttpBounds(per_address=2, answers_for_each=2, linger_s=0.1)
    with served(bounds) as service:
        listening = []
        for _ in range(4):
            listening.append(peer := service.connected())
            peer.get("/listen")
            assert peer.until(b"listening")
        with service.connected() as asking:
            asking.get("/listen")
            fifth = asking.rest()
        with service.connected(), service.connected(), service.connected() as third:
            too_many = third.rest()
        listening[0].socket.close()
        wait_until(lambda: service.left == ["/listen"])
        wait_until(lambda: _is_answered(service))
        for peer in listening:
            peer.socket.close()

    assert (status_of(fifth), status_of(too_many)) == (429, 429)


def test_after_its_answer_a_connection_needs_a_place_again() -> None:
    """Where others took all places meanwhile, it is closed instead of kept."""
    with (
        served(HttpBounds(per_address=1, linger_s=0.1)) as service,
        service.connected() as answered,
    ):
        answered.get("/slow")
        wait_until(lambda: len(service.seen) == 1)
        with service.connected() as waiting:
            waiting.send(HEAD)
            answer = answered.rest()
            waiting.send(b"\r\n")
            assert status_of(waiting.until(b"\r\n\r\nok")) == 200

    assert status_of(answer) == 200
    assert answer.endswith(b"ok")


def test_connections_of_trusted_proxies_are_not_counted() -> None:
    """They speak for many."""
    exempt = (ip_network("127.0.0.0/29"),)
    with served(HttpBounds(per_address=1), exempt=exempt) as service:
        peers = [service.connected() for _ in range(5)]
        for peer in peers:
            peer.get("/")
        statuses = [status_of(peer.until(b"\r\n\r\nok")) for peer in peers]
        for peer in peers:
            peer.socket.close()

    assert statuses == [200] * 5


def slow(service: Served) -> Peer:
    """A peer whose own buffer is small."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    connection.settimeout(10)
    connection.connect(("127.0.0.1", service.port))
    return Peer(connection)


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux can tell")
def test_a_peer_that_takes_no_answer_is_cut_off() -> None:
    """And its answer is not waited for any more."""
    with served(QUICK) as service, slow(service) as peer:
        peer.get("/large")
        wait_until(lambda: service.left == ["/large"])
        answer = peer.rest()

    assert len(answer) < LARGE


@pytest.mark.parametrize("header", ["X-A: b", "Connection: close"])
def test_a_peer_that_takes_its_answer_slowly_gets_all_of_it(header: str) -> None:
    """It takes longer than the deadline, and something all the time."""
    with served(HttpBounds(stalled_s=0.5, linger_s=0.1)) as service, slow(service) as peer:
        peer.get("/large", header)
        answer = peer.until(b"\r\n\r\n")
        begin = time.monotonic()
        while len(answer) < LARGE:
            received = peer.socket.recv(100_000)
            assert received, f"cut off after {len(answer)} bytes, {time.monotonic() - begin:.1f} s"
            answer += received
            if time.monotonic() - begin < 1.5:
                time.sleep(0.02)

    assert time.monotonic() - begin > 1


def test_requests_that_are_sent_ahead_are_answered_in_order() -> None:
    """And no more of them are kept than the bound says: one read of a socket could hold thousands."""
    with served(HttpBounds(pipelined=4, linger_s=0.1)) as service:
        with service.connected() as peer:
            peer.send(HEAD + b"\r\n" + b"GET /soon HTTP/1.1\r\nHost: a\r\n\r\n" + HEAD + b"\r\n")
            answers = peer.until(b"ok" + b"")
            while answers.count(b"HTTP/1.1 200") < 3 or not answers.endswith(b"ok"):
                answers += peer.socket.recv(65536)
        with service.connected() as peer:
            peer.send((HEAD + b"\r\n") * 8_000)
            flood = peer.rest()

    assert [scope["path"] for scope in service.seen[:3]] == ["/", "/soon", "/"]
    assert flood.count(b"HTTP/1.1 200") == len(service.seen) - 3 <= 5
    assert flood.endswith(b"ok")


def test_an_answer_that_is_under_way_is_not_disturbed() -> None:
    """Rubbish behind a request ends the connection after the request's answer, and is not answered in its midst."""
    with served(HttpBounds(linger_s=0.1)) as service, service.connected() as peer:
        peer.get("/slow")
        peer.send(b"\x00\x01 rubbish\r\n\r\n")
        answer = peer.rest()

    assert answer.count(b"\r\n\r\nok") == 1
    assert status_of(answer) == 200


def test_another_protocol_is_not_begun() -> None:
    """A request that asks for one is answered as HTTP, and nothing behind it is taken for a request."""
    with served(HttpBounds(linger_s=0.1)) as service, service.connected() as peer:
        headers = ("Connection: upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
        peer.get("/", *headers, "Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==")
        answer = peer.until(b"\r\n\r\nok")
        peer.send(HEAD + b"\r\n")
        answer += peer.rest()

    assert answer.count(b"HTTP/1.1 ") == 1
    assert status_of(answer) == 200
    assert len(service.seen) == 1


def test_a_body_is_not_taken_for_a_request() -> None:
    """Not even where the request asks for another protocol, in which the parser would take it for what is said there."""
    hidden = b"GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"
    head = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n" % len(hidden)
    with served(HttpBounds(linger_s=0.1)) as service, service.connected() as peer:
        peer.send(head + b"Connection: upgrade\r\nUpgrade: h2c\r\n\r\n")
        peer.send(hidden)
        answer = peer.rest()

    assert (answer.count(b"HTTP/1.1 400"), answer.count(b"HTTP/1.1 2")) == (1, 0)
    assert service.seen == []


@pytest.mark.parametrize(
    "request_bytes",
    [b"rubbish\r\n\r\n", HEAD + b"x-a: b\r\n" * 201 + b"\r\n", HEAD + b"bad header\r\n\r\n"],
)
def test_refusals_are_problem_documents(request_bytes: bytes) -> None:
    """As all others are, with the same headers, an id, and the connection's end."""
    with served(HttpBounds(linger_s=0.1)) as service, service.connected() as peer:
        peer.send(request_bytes)
        answer = peer.rest()

    head, _, body = answer.decode().partition("\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:])
    document = json.loads(body)
    assert document["status"] == status_of(answer)
    assert headers["content-type"] == "application/problem+json"
    assert int(headers["content-length"]) == len(body)
    assert headers["x-request-id"] == document["request_id"]
    assert headers["connection"] == "close"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["content-security-policy"].startswith("default-src 'none'")


def test_a_client_that_sends_on_after_its_refusal_can_read_it() -> None:
    """A reset would take the answer away; so what it still sends is thrown away for a moment."""
    with served(HttpBounds(linger_s=2.0)) as service, service.connected() as peer:
        for _ in range(6):
            assert peer.send(HEAD + b"x-a: b\r\n" * 12_000)
            time.sleep(0.05)
        answer = peer.rest()

    assert status_of(answer) == 431
