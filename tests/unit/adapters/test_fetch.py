"""Documents from the web stay within bounds; a local server plays the web."""

import contextlib
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from app.adapters.http.fetch import FetchLimits, fetch
from app.errors import SourceRefusedError

OWN = FetchLimits(allow_private=True, timeout_s=5)


class Web(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.seen.append((self.headers["Host"], self.path))
        name, _, rest = self.path.lstrip("/").partition("/")
        getattr(self, f"answer_{name}")(rest)

    def answer_ok(self, rest):
        self._send(200, b'{"openapi": "3.1.0"}')

    def answer_to(self, rest):
        self._send(302, b"", Location=rest)

    def answer_loop(self, rest):
        self._send(302, b"", Location="/loop")

    def answer_missing(self, rest):
        self._send(404, b"")

    def answer_large(self, rest):
        self._send(200, b"x" * 5_000)

    def answer_endless(self, rest):
        self.send_response(200)
        self.end_headers()
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(b"x" * 1_000)

    def answer_drip(self, rest):
        with contextlib.suppress(OSError):
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while not self.server.ended:
                self.wfile.write(b"X-A: 1\r\n")
                self.wfile.flush()
                time.sleep(0.05)

    def answer_short(self, rest):
        self.send_response(200)
        self.send_header("Content-Length", "50")
        self.end_headers()
        self.wfile.write(b"only this")

    def _send(self, status, body, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def web():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Web)
    server.daemon_threads = True
    server.seen, server.ended = [], False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.ended = True
    server.shutdown()
    thread.join()
    server.server_close()


def url(web, path):
    return f"http://127.0.0.1:{web.server_port}/{path}"


def test_a_document_is_fetched(web):
    assert fetch(url(web, "ok"), limits=OWN).data == b'{"openapi": "3.1.0"}'


def test_a_private_address_is_refused_unless_allowed(web):
    with pytest.raises(
        SourceRefusedError, match=r"127\.0\.0\.1 is a private address; allow it with --allow-private"
    ):
        fetch(url(web, "ok"), limits=FetchLimits())

    assert web.seen == []


def test_a_host_is_resolved_once_and_the_checked_address_is_asked(web):
    """A second answer of the resolver, as DNS rebinding gives one, is never asked for."""
    answers = [["127.0.0.1"], ["10.0.0.1"]]

    fetched = fetch(f"http://api.example:{web.server_port}/ok", limits=OWN, resolve=lambda *_: answers.pop(0))

    assert fetched.data
    assert answers == [["10.0.0.1"]]
    assert web.seen == [(f"api.example:{web.server_port}", "/ok")]


def test_one_private_address_among_several_is_refused():
    with pytest.raises(SourceRefusedError, match="private address"):
        fetch("http://api.example/", limits=FetchLimits(), resolve=lambda *_: ["93.184.216.34", "10.0.0.1"])


def test_a_redirect_is_followed_and_checked_again(web):
    assert fetch(url(web, "to//ok"), limits=OWN).url == url(web, "ok")
    with pytest.raises(
        SourceRefusedError, match=r"169\.254\.169\.254 is .*a cloud's metadata service, which are never asked"
    ):
        fetch(url(web, "to/http://169.254.169.254/latest/"), limits=OWN)


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://u:p@127.0.0.1/"])
def test_a_redirect_to_another_kind_of_address_is_refused(web, target):
    with pytest.raises(SourceRefusedError):
        fetch(url(web, f"to/{target}"), limits=OWN)


def test_redirects_are_counted(web):
    with pytest.raises(SourceRefusedError, match="more than 3 redirects"):
        fetch(url(web, "loop"), limits=FetchLimits(allow_private=True, max_redirects=3, timeout_s=5))

    assert len(web.seen) == 4


@pytest.mark.parametrize("path", ["large", "endless"])
def test_a_document_that_is_too_long_is_refused(web, path):
    with pytest.raises(SourceRefusedError, match=r"(5,000 bytes; accepted: up to|more than) 4,000"):
        fetch(url(web, path), limits=FetchLimits(allow_private=True, max_bytes=4_000, timeout_s=5))


def test_a_server_that_drips_is_left_in_time(web):
    start = time.monotonic()

    with pytest.raises(SourceRefusedError, match="took too long"):
        fetch(url(web, "drip"), limits=FetchLimits(allow_private=True, timeout_s=0.5))

    assert time.monotonic() - start < 3


def test_an_answer_that_breaks_off_is_refused(web):
    with pytest.raises(SourceRefusedError, match=r"did not answer|ended after"):
        fetch(url(web, "short"), limits=OWN)


def test_an_answer_that_is_no_success_is_refused(web):
    with pytest.raises(SourceRefusedError, match="answered 404"):
        fetch(url(web, "missing"), limits=OWN)


@pytest.mark.parametrize(
    "address",
    [
        "ftp://x/y",
        "file:///etc/passwd",
        "http://",
        "http://u:secret@x/",
        "http://x:0/",
        "http://x:99999/",
        "http://a b/",
    ],
)
def test_what_is_no_web_address_is_refused_without_showing_secrets(address):
    with pytest.raises(SourceRefusedError) as caught:
        fetch(address, limits=OWN)

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("address", ["100.100.100.200", "168.63.129.16", "fd00:ec2::254", "fd20:ce::254"])
def test_a_document_is_never_fetched_from_a_metadata_service(address: str) -> None:
    """Whatever name resolves to it, with --allow-private too."""
    with pytest.raises(SourceRefusedError, match="never asked"):
        fetch("http://metadata.google.internal/", limits=OWN, resolve=lambda *_: [address])
