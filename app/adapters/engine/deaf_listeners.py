"""Listeners of this process that nobody may reach."""

import ctypes
import os
import socket
import struct
import sys
from pathlib import Path

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
