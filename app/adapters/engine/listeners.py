"""Who listens on a port of loopback, and listeners of our own that nobody may reach; where the system knows."""

import ctypes
import os
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv6Address
from pathlib import Path

_PROC = Path("/proc")
_LISTEN = "0A"
"""State of a socket in /proc/net/tcp: TCP_LISTEN of the kernel's include/net/tcp_states.h."""
_LOOPBACK = IPv6Address("::ffff:127.0.0.1")


def listens_on_loopback(pid: int, port: int) -> bool | None:
    """Whether what listens at 127.0.0.1:port is a socket of the process; None where the system does not say.

    Linux alone says it. A process of another user, or in another container, cannot be looked into: there the
    listener's user must be our own.
    """
    if sys.platform != "linux":
        return None
    sockets = _sockets(pid)
    users: set[int] = set()
    try:
        # The engine listens with a socket of IPv6; the kernel takes milliseconds to write out each table.
        for table in ("tcp6", "tcp"):
            for inode, user in _listeners(table, port):
                if sockets is not None and inode in sockets:
                    return True
                users.add(user)
    except (OSError, ValueError, IndexError):
        return None
    if not users:
        return None
    if sockets is None:
        return None if os.geteuid() == 0 else users == {os.geteuid()}
    return False


def _sockets(pid: int) -> set[str] | None:
    """Inodes of the sockets of a process; None where it cannot be looked into."""
    found = set()
    try:
        for entry in (_PROC / str(pid) / "fd").iterdir():
            # It may close one while we look.
            with suppress(FileNotFoundError):
                found.add(str(entry.readlink()).removeprefix("socket:[").removesuffix("]"))
    except OSError:
        return None
    return found


def _listeners(table: str, port: int) -> Iterator[tuple[str, int]]:
    """Inode and user of each socket that listens there."""
    try:
        lines = (_PROC / "net" / table).read_text(encoding="ascii").splitlines()[1:]
    except FileNotFoundError:
        # A kernel without IPv6 has no tcp6.
        return
    prefix = b"" if table == "tcp6" else bytes(10) + b"\xff\xff"
    for line in lines:
        fields = line.split()
        address, _, at = fields[1].partition(":")
        if fields[3] == _LISTEN and int(at, 16) == port and _is_loopback(prefix, address):
            yield fields[9], int(fields[7])


def _is_loopback(prefix: bytes, address: str) -> bool:
    """The tables write addresses as 32-bit words in the machine's own order."""
    words = (address[start : start + 8] for start in range(0, len(address), 8))
    return (
        IPv6Address(prefix + b"".join(int(word, 16).to_bytes(4, sys.byteorder) for word in words))
        == _LOOPBACK
    )


_SO_ATTACH_FILTER = 26
"""Of Linux's asm-generic/socket.h; the `socket` module has no name for it."""
_DROP_ALL = struct.pack("HBBI", 0x06, 0, 0, 0)
"""One instruction of a packet filter, `BPF_RET | BPF_K` with 0: keep no byte of any packet."""


def deafen_listeners(*, except_port: int) -> None:
    """Let nobody connect to what this process listens on, but to one port.

    The engine starts an HTTP server that cannot be switched off and that nobody here uses. The kernel drops
    whatever is sent to such a socket, so that the engine does not notice. Nothing happens on systems without
    packet filters on sockets (all but Linux) or where they are forbidden.
    """
    if sys.platform != "linux":
        return
    code = ctypes.create_string_buffer(_DROP_ALL, len(_DROP_ALL))
    program = struct.pack("HL", 1, ctypes.addressof(code))
    for entry in list(Path("/proc/self/fd").iterdir()):
        try:
            listener = socket.socket(fileno=os.dup(int(entry.name)))
        except OSError:
            # No socket, or one that has been closed meanwhile.
            continue
        with listener:
            try:
                listens = listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
                if listens and listener.getsockname()[1:2] != (except_port,):
                    listener.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, program)
            except OSError:
                continue
