"""A web server on loopback that answers as a test says, and remembers what it was asked."""

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Asked:
    """A request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes
    client_port: int
    """The same for requests over one connection."""


@dataclass
class Recorded:
    """A running server."""

    url: str
    asked: list[Asked] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    """Reads a request and lets the test answer it."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    answer: Callable[["Handler", Asked], None]
    recorded: Recorded

    def handle_one_request(self) -> None:
        self.raw_requestline = self.rfile.readline(65537)
        if not self.raw_requestline:
            self.close_connection = True
            return
        if not self.parse_request():
            return
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, self.path, headers, body, self.client_address[1])
        self.recorded.asked.append(asked)
        try:
            type(self).answer(self, asked)
            self.wfile.flush()
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""

    def reply(
        self, status: int, body: bytes = b"", media_type: str = "application/json", **headers: str
    ) -> None:
        """An answer as a whole."""
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves in the middle is what tests are about."""


@contextmanager
def web_server(
    answer: Callable[[Handler, Asked], None], tls: ssl.SSLContext | None = None
) -> Iterator[Recorded]:
    """Serve on a free port until the block ends; over TLS where a context is given."""
    recorded = Recorded("")
    handler = type("Bound", (Handler,), {"answer": staticmethod(answer), "recorded": recorded})
    server = _Server(("127.0.0.1", 0), handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    recorded.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield recorded
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
