"""Whose process listens on a port of loopback."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.adapters.engine.listeners import listens_on_loopback

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="tables of sockets as Linux has them")


@contextmanager
def listening(family: socket.AddressFamily, host: str) -> Iterator[int]:
    with socket.socket(family) as server:
        if family == socket.AF_INET6:
            server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        server.bind((host, 0))
        server.listen()
        yield server.getsockname()[1]


@pytest.mark.parametrize(
    ("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::ffff:127.0.0.1")]
)
def test_a_listener_is_its_process_s_and_no_other_s(family: socket.AddressFamily, host: str) -> None:
    """Sockets of both families, as the engine has the one and a stranger may have the other."""
    with (
        listening(family, host) as port,
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as stranger,
    ):
        assert listens_on_loopback(os.getpid(), port) is True
        assert listens_on_loopback(stranger.pid, port) is False


def test_where_nobody_listens_nothing_is_said() -> None:
    with listening(socket.AF_INET, "127.0.0.1") as port:
        pass

    assert listens_on_loopback(os.getpid(), port) is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every process")
def test_a_process_that_cannot_be_looked_into_counts_by_its_user() -> None:
    with listening(socket.AF_INET, "127.0.0.1") as port:
        assert listens_on_loopback(1, port) is True
