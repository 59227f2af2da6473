"""Inside a fork: the socket to the grader.

The child first reads its settings, and sends HELLO when it is ready for requests. Each message consists of its length in four
bytes, then JSON. Incoming: `{"id", "code"}` for a cell, `{"id", "answer"}` for a call to an answer, and `{"value"}` in reply to
the child's own question.
Outgoing: `{"id", "type", "content"}`, with the types and contents of the Jupyter protocol.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading

from jupyter_client.jsonutil import json_default

from labkit.grade.kernel.messages import LENGTH

WITH_THE_NEXT = ("execute_input", "execute_reply")  # these messages are not urgent, so they are sent with the next one


class Channel:
    """The socket to the grader. Interrupts wait until the current message is sent completely.

    Messages that only mark the start or end of a cell are sent with the next one, so a cell without outputs wakes the grader only
    once.
    """

    def __init__(self, connection: socket.socket):
        self.connection = connection
        self.id = ""  # id of the current request, repeated in every message
        self._lock = threading.RLock()
        self._waiting = b""
        self._sending = self._interrupted = False

    def send(self, kind: str, content: dict) -> None:
        message = json.dumps({"id": self.id, "type": kind, "content": content}, default=json_default).encode()
        with self._lock:
            self._sending = True
            try:
                self._waiting += LENGTH.pack(len(message)) + message
                if kind not in WITH_THE_NEXT and content.get("execution_state") != "busy":
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
        return self._message()

    def wait(self) -> dict:
        """Wait for the next request without running the event loop, so that a cell's timers cannot fire between calls.

        Errors: EOFError when the grader is gone.
        """
        return self._message()

    def ask(self, content: dict) -> str:
        """Send an `input_request` and return the grader's answer. Errors: EOFError when the grader is gone."""
        self.send("input_request", content)
        return self._message()["value"]

    def _message(self) -> dict:
        return json.loads(read(self.connection))


def read(connection: socket.socket) -> bytes:
    """Read one message. Errors: EOFError when the grader is gone."""
    return _read(connection, LENGTH.unpack(_read(connection, LENGTH.size))[0])


def _read(connection: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise EOFError
        data += part
    return bytes(data)
