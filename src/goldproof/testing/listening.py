"""Connections on loopback: requests are read, handed to the desk, and answered, until the end is said."""

from __future__ import annotations

import asyncio
from socket import AF_INET, SOCK_STREAM, create_server, socket
from typing import TYPE_CHECKING

from goldproof.testing.answering import refused
from goldproof.testing.wire import LARGEST_HEAD, WireError, read_incoming

if TYPE_CHECKING:
    from asyncio import Future, StreamReader, StreamWriter, Task
    from collections.abc import Callable

    from goldproof.testing.desk import Desk
    from goldproof.testing.wire import Outgoing

HOST = "127.0.0.1"


async def serve(desk: Desk, *, port: int, on_listening: Callable[[int], None], until: Future[None]) -> None:
    """Listen until it is said to end, then close all connections; OSError where the port is taken.

    on_listening: gets the port.
    """
    connections: dict[Task[None], socket] = {}
    with create_server((HOST, port), backlog=1024) as listener:
        listener.settimeout(0)
        accepting = asyncio.create_task(_accept(listener, desk, connections=connections, until=until))
        on_listening(listener.getsockname()[1])
        await until
        # Accepting ends with one more connection. Were it cancelled, it could lose one that it has just accepted.
        with socket(AF_INET, SOCK_STREAM) as last:
            last.settimeout(0)
            last.connect_ex(listener.getsockname())
            await accepting
    for task in connections:
        task.cancel()
    await asyncio.gather(*connections, return_exceptions=True)
    for connection in connections.values():
        connection.close()  # a task that was cancelled before it began has not done it


async def _accept(listener: socket, desk: Desk, *, connections: dict[Task[None], socket], until: Future[None]) -> None:
    while not until.done():
        connection, _ = await asyncio.get_running_loop().sock_accept(listener)
        task = asyncio.create_task(_converse(desk, connection))
        connections[task] = connection
        task.add_done_callback(lambda done: None if until.done() else connections.pop(done))


async def _converse(desk: Desk, connection: socket) -> None:
    """Answer the requests of one connection, one after the other."""
    reader, writer = await asyncio.open_connection(sock=connection, limit=LARGEST_HEAD)
    try:
        while await _exchange(desk, reader, writer):
            pass
        writer.close()
        await writer.wait_closed()
    except ConnectionError:
        pass  # clients that go away are part of tests
    finally:
        writer.transport.abort()


async def _exchange(desk: Desk, reader: StreamReader, writer: StreamWriter) -> bool:
    """Answer one request; False where the connection ends with it."""
    try:
        incoming = await read_incoming(reader, writer)
    except WireError as error:
        writer.write(refused(error.status, str(error)).raw(stays_open=False))
        await writer.drain()
        return False
    if incoming is None:
        return False
    outgoing = await desk.answer(incoming)
    return await _send(outgoing, writer, stays_open=incoming.stays_open)


async def _send(outgoing: Outgoing, writer: StreamWriter, *, stays_open: bool) -> bool:
    raw = outgoing.raw(stays_open=stays_open)
    if outgoing.cut_after is not None:
        raw, stays_open = raw[: min(outgoing.cut_after, len(raw) - 1)], False
    writer.write(raw)
    await writer.drain()
    return stays_open
