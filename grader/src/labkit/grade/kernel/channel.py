"""Inside a fork: the socket to the grader, and the standard streams, which are sent over it.

The child first reads its settings, and sends HELLO when it is ready for requests. Each message consists of its length in four
bytes, then a line of JSON, and then bytes if it has any. Incoming: `{"id", "code"}` for a cell, `{"id"}` with the request's bytes
for a call to an answer, and `{"value"}` in reply to the child's own question.
Outgoing: `{"id", "type", "content"}`, with the types and contents of the Jupyter protocol. A call's only message has the type
"answer", and the reply's bytes.
"""

from __future__ import annotations

import asyncio
import codecs
import io
import json
import os
import select
import socket
import threading
import time
from contextlib import suppress

from jupyter_client.jsonutil import json_default

from labkit.grade.kernel.meter import LENGTH

ROOM = 2**18  # bytes read at once
FLUSH_BYTES, FLUSH_SECONDS = 2**16, 0.2
PIECE = 2**20  # characters per message, so that the grader can count a long text as it arrives
UNUSED = "execute_input"  # the cell's source, which the grader sent
WITH_THE_NEXT = "execute_reply"  # not urgent, so it is sent with the next message


class Channel:
    """The socket to the grader. Interrupts wait until the current message is sent completely.

    A cell without outputs wakes the grader only once.
    """

    def __init__(self, connection: socket.socket):
        self.connection = connection
        self.id = ""  # id of the current request, repeated in every message
        self._lock = threading.RLock()
        self._waiting, self._arrived = b"", bytearray()
        self._sending = self._interrupted = False

    def send(self, kind: str, content: dict, data: bytes = b"") -> None:
        if kind == UNUSED:
            return
        text = json.dumps({"id": self.id, "type": kind, "content": content}, default=json_default)
        message = b"".join((text.encode(), b"\n", data))
        with self._lock:
            self._sending = True
            try:
                self._waiting += LENGTH.pack(len(message)) + message
                if kind != WITH_THE_NEXT:
                    data, self._waiting = self._waiting, b""
                    self.connection.sendall(data)
            finally:
                self._sending = False
        if self._interrupted and threading.current_thread() is threading.main_thread():
            self._interrupted = False
            raise KeyboardInterrupt

    def on_interrupt(self, *_: object) -> None:
        if self._sending:
            self._interrupted = True
        else:
            raise KeyboardInterrupt

    async def receive(self) -> dict:
        """Wait for the next request while the event loop keeps running. Errors: EOFError when the grader is gone."""
        loop = asyncio.get_running_loop()
        readable = loop.create_future()
        loop.add_reader(self.connection, lambda: readable.done() or readable.set_result(None))
        try:
            await readable
        finally:
            loop.remove_reader(self.connection)
        return self.next()

    def ask(self, content: dict) -> str:
        """Send an `input_request` and return the grader's answer. Errors: EOFError when the grader is gone."""
        self.send("input_request", content)
        return self.next()["value"]

    def next(self) -> dict:
        """Wait for a message without running the event loop, so that a cell's timers cannot fire between calls. Errors: EOFError."""
        arrived = self._arrived
        while len(arrived) < LENGTH.size or len(arrived) < (end := LENGTH.size + LENGTH.unpack_from(arrived)[0]):
            part = self.connection.recv(ROOM)
            if not part:
                raise EOFError
            arrived += part
        text, _, data = bytes(arrived[LENGTH.size : end]).partition(b"\n")
        del arrived[:end]
        return {**json.loads(text), "data": data}


class Stream(io.TextIOBase):
    """Standard output or error. Python's writes and direct writes to the file descriptor stay in order."""

    encoding, errors = "UTF-8", "strict"

    def __init__(self, channel: Channel, name: str, descriptor: int):
        self.name, self._channel, self._descriptor = name, channel, descriptor
        self._lock = threading.RLock()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._parts: list[str] = []
        self._size, self._flushed = 0, time.monotonic()
        self.pipe, end = os.pipe()
        os.set_blocking(self.pipe, False)
        os.dup2(end, descriptor)
        os.close(end)

    def fileno(self) -> int:
        return self._descriptor

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text)}")
        with self._lock:
            self.drain()
            self._add(text)
            if self._size > FLUSH_BYTES or time.monotonic() - self._flushed > FLUSH_SECONDS:
                self._send()
        return len(text)

    def flush(self) -> None:
        with self._lock:
            self.drain()
            self._send()

    def drain(self) -> None:
        """Read everything in the pipe."""
        with self._lock, suppress(OSError):  # the pipe is empty, or the submission closed it
            while data := os.read(self.pipe, 2**16):
                self._add(self._decoder.decode(data))
                if self._size > FLUSH_BYTES:
                    self._send()

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)

    def _send(self) -> None:
        text, self._parts, self._size = "".join(self._parts), [], 0
        self._flushed = time.monotonic()
        for start in range(0, len(text), PIECE):
            self._channel.send("stream", {"name": self.name, "text": text[start : start + PIECE]})


def watch(*streams: Stream) -> None:
    """Keep the pipes empty, even while the submission runs no Python code."""
    by_pipe = {stream.pipe: stream for stream in streams}
    while True:
        for pipe in select.select(list(by_pipe), [], [])[0]:
            by_pipe[pipe].drain()
        time.sleep(0.001)
