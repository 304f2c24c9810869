"""MCP over the standard streams of a command: bounded reading, and no process left behind.

The SDK's own transport keeps a line of any length and leaves the children of a server that ended by itself.
"""

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, TypeAlias, cast

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from app.adapters.mcp.wire import AnswerTooLargeError, Meter
from app.domain.calling.mcp_endpoints import McpEndpoint
from app.errors import McpServerError

Received: TypeAlias = MemoryObjectReceiveStream[SessionMessage | Exception]
Streams: TypeAlias = tuple[Received, MemoryObjectSendStream[SessionMessage]]

_FLUSH_S: Final = 0.5
"""For what was written to reach the server, before its standard input is closed."""
_GRACE_S: Final = 1.0
"""For a server to end by itself once its input is closed, and again once it was asked to."""
_POLL_S: Final = 0.01
_STDERR_KEPT: Final = 2_000
_GONE: Final = (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)


@asynccontextmanager
async def stdio_streams(
    endpoint: McpEndpoint, meter: Meter, on_close: Callable[[], None]
) -> AsyncIterator[Streams]:
    """Run the command and talk to it; at the end its whole process group is gone.

    Args:
        endpoint: the command.
        meter: counts what it sends.
        on_close: called when it sends no more.

    Raises:
        McpServerError: it cannot be started.
    """
    environment = get_default_environment() | {name: value.get_secret_value() for name, value in endpoint.env}
    try:
        process = await anyio.open_process(
            list(endpoint.command),
            env=environment,
            cwd=endpoint.cwd or None,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise McpServerError(f"cannot be started: {error.strerror}") from error
    # Nothing is awaited before the task group: a cancellation in between would leave the process.
    server = _Server(process, meter, on_close)
    async with anyio.create_task_group() as group:
        group.start_soon(server.read)
        group.start_soon(server.read_errors)
        group.start_soon(server.write)
        try:
            yield server.received, server.to_send
        finally:
            with anyio.CancelScope(shield=True):
                await server.stop()
            group.cancel_scope.cancel()


class _Server:
    """A running command."""

    def __init__(self, process: Process, meter: Meter, on_close: Callable[[], None]) -> None:
        self._process = process
        # All three are pipes.
        self._stdin = cast(ByteSendStream, process.stdin)
        self._stdout = cast(ByteReceiveStream, process.stdout)
        self._stderr = cast(ByteReceiveStream, process.stderr)
        self._meter = meter
        self._on_close = on_close
        self._ended = False
        self._errors: deque[bytes] = deque()
        self._deliver, self.received = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self.to_send, self._outgoing = anyio.create_memory_object_stream[SessionMessage](0)
        self._written = anyio.Event()

    async def read(self) -> None:
        """Pass on messages, one a line; other lines are counted."""
        async with self._deliver:
            with suppress(*_GONE):
                try:
                    async for line in _lines(self._stdout, self._meter):
                        await self._pass_on(line)
                    self._ended = True
                except AnswerTooLargeError:
                    pass
                self._on_close()

    async def _pass_on(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            self._meter.noise += 1
            return
        await self._deliver.send(SessionMessage(message))

    async def read_errors(self) -> None:
        """Keep the end of what the server complains of."""
        with suppress(*_GONE):
            async for chunk in self._stderr:
                self._errors.append(chunk[-_STDERR_KEPT:])
                while len(self._errors) > 1 and sum(map(len, self._errors)) > 2 * _STDERR_KEPT:
                    self._errors.popleft()

    async def write(self) -> None:
        """Send messages, one a line."""
        try:
            async with self._outgoing:
                async for one in self._outgoing:
                    text = one.message.model_dump_json(by_alias=True, exclude_unset=True)
                    await self._stdin.send(f"{text}\n".encode())
        except _GONE:
            # The server reads no more: nothing that it was asked will be answered.
            await self._deliver.aclose()
        finally:
            self._written.set()

    async def stop(self) -> None:
        """End the server and everything that it started."""
        if self._ended:
            await self._exited(_GRACE_S)
            self._tell_end()
        self.received.close()
        self.to_send.close()
        with anyio.move_on_after(_FLUSH_S):
            await self._written.wait()
        with suppress(*_GONE):
            await self._stdin.aclose()
        await self._exited(_GRACE_S)
        await self._end_group()
        for stream in (self._stdout, self._stderr):
            with suppress(*_GONE):
                await stream.aclose()
        _close_pipes(self._process)
        self._deliver.close()
        self._outgoing.close()

    def _tell_end(self) -> None:
        status = self._process.returncode
        if status is None or self._meter.problem:
            return
        how = f"was ended by signal {-status}" if status < 0 else f"ended with exit status {status}"
        lines = b"".join(self._errors).decode("utf-8", "replace").strip().splitlines()
        self._meter.problem, self._meter.said = how, lines[-1].strip() if lines else ""

    async def _exited(self, within_s: float) -> bool:
        # Not `wait`: it also waits for pipes that a child of the server may hold open.
        with anyio.move_on_after(within_s):
            while self._process.returncode is None:
                await anyio.sleep(_POLL_S)
        return self._process.returncode is not None

    async def _end_group(self) -> None:
        if sys.platform == "win32":
            if self._process.returncode is None:
                self._process.kill()
            return
        for number in (signal.SIGTERM, signal.SIGKILL):
            if not self._signal_group(number):
                return
            with anyio.move_on_after(_GRACE_S):
                while self._signal_group(0):
                    await anyio.sleep(_POLL_S)
                return

    def _signal_group(self, number: int) -> bool:
        """Signal the whole group; false when nobody is left in it."""
        if sys.platform == "win32":
            return False
        try:
            # The first process's id is the group's, also when that process has ended.
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def _close_pipes(process: Process) -> None:
    """Close what asyncio keeps open until the last byte was read; nothing public does."""
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    close = getattr(transport, "close", None)
    if callable(close):
        with suppress(PermissionError):
            close()


async def _lines(stream: ByteReceiveStream, meter: Meter) -> AsyncIterator[bytes]:
    rest = bytearray()
    async for chunk in stream:
        meter.add(len(chunk))
        rest += chunk
        if b"\n" in chunk:
            *lines, last = bytes(rest).split(b"\n")
            rest = bytearray(last)
            for line in lines:
                yield line
