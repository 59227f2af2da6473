"""Inside a warm kernel's child: IPython's own kernel, with one socket to the grader in place of ZeroMQ.

A message is four bytes of length and JSON. In come `{"id", "code"}` for a cell and `{"id", "answer"}` for a call of one; out go `{"id", "type", "content"}`, with the types
and contents of the Jupyter protocol.
"""

from __future__ import annotations

import asyncio
import codecs
import io
import json
import logging
import os
import select
import signal
import socket
import struct
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from jupyter_client.jsonutil import json_default
from jupyter_client.session import Session
from tornado.ioloop import IOLoop
from traitlets.config import Config

from labkit.outbox import send_answer

LENGTH = struct.Struct(">I")
FLUSH_BYTES, FLUSH_SECONDS = 2**16, 0.2
PIECE = 2**20  # characters of one message, so that the grader counts a long text while it comes


WITH_THE_NEXT = ("execute_input", "execute_reply")  # tell nothing that could not wait for the message after them


class Channel:
    """The socket to the grader. A message goes out whole: an interrupt waits until it has.

    What only frames a cell goes out together with what comes next, so that a cell without outputs wakes the grader once.
    """

    def __init__(self, connection: socket.socket):
        self.connection = connection
        self.id = ""  # of the request in hand, which every message answers
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
        """The next request; the event loop runs on while there is none. Errors: EOFError when the grader is gone."""
        loop = asyncio.get_running_loop()
        readable = loop.create_future()
        loop.add_reader(self.connection, lambda: readable.done() or readable.set_result(None))
        try:
            await readable
        finally:
            loop.remove_reader(self.connection)
        return json.loads(self._read(LENGTH.unpack(self._read(LENGTH.size))[0]))

    def _read(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            part = self.connection.recv(size - len(data))
            if not part:
                raise EOFError
            data += part
        return bytes(data)


class Stream(io.TextIOBase):
    """Standard output or error: what Python writes, and what is written to the file descriptor past Python, in order."""

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
        """Take what lies in the pipe."""
        with self._lock:
            try:
                while data := os.read(self.pipe, 2**16):
                    self._add(self._decoder.decode(data))
                    if self._size > FLUSH_BYTES:
                        self._send()
            except OSError:  # nothing there, or the submission closed it
                pass

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)

    def _send(self) -> None:
        text, self._parts, self._size = "".join(self._parts), [], 0
        self._flushed = time.monotonic()
        for start in range(0, len(text), PIECE):
            self._channel.send("stream", {"name": self.name, "text": text[start : start + PIECE]})


def _watch(*streams: Stream) -> None:
    """Keep the pipes from filling up while no Python code of the submission runs."""
    by_pipe = {stream.pipe: stream for stream in streams}
    while True:
        for pipe in select.select(list(by_pipe), [], [])[0]:
            by_pipe[pipe].drain()
        time.sleep(0.001)


class PipeSession(Session):
    """The kernel's own way of sending, into the channel."""

    channel: Channel

    def send(self, stream, msg_or_type, content=None, *_args, **_kwargs) -> dict:  # type: ignore[override]
        if isinstance(msg_or_type, str):
            kind, content = msg_or_type, content or {}
        else:
            kind, content = msg_or_type["msg_type"], msg_or_type["content"]
        self.channel.send(kind, content)
        return {"content": content}


class PipeKernel(IPythonKernel):
    """IPython's kernel without its sockets: what it does with a cell is left as it is."""

    def pre_handler_hook(self) -> None:
        self.saved_sigint_handler = signal.signal(signal.SIGINT, self.session.channel.on_interrupt)

    def serve(self, connection: socket.socket) -> None:
        """In the child: run requests until the grader closes the connection."""
        self.session.channel = channel = Channel(connection)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stdout, sys.stderr = streams = Stream(channel, "stdout", 1), Stream(channel, "stderr", 2)
        threading.Thread(target=_watch, args=streams, daemon=True).start()
        self.shell.user_ns["_dh"][:] = [Path.cwd()]
        asyncio.run(self._run(channel))

    async def _run(self, channel: Channel) -> None:
        self.io_loop = IOLoop.current()
        while True:
            try:
                request = await channel.receive()
            except (EOFError, OSError):
                return
            channel.id = request["id"]
            channel.send("status", {"execution_state": "busy"})
            self.pre_handler_hook()
            try:
                if "answer" in request:
                    self._answer(request["answer"])
                else:
                    await self._execute(request["code"])
            except KeyboardInterrupt:  # one that came between the cell and its reply
                channel.send("execute_reply", {"status": "error"})
            finally:
                self.post_handler_hook()
            sys.stdout.flush()
            sys.stderr.flush()
            channel.send("status", {"execution_state": "idle"})

    async def _execute(self, code: str) -> None:
        request = self.session.msg("execute_request", {"code": code, "store_history": False, "stop_on_error": False})
        self.set_parent([], request)
        await self.execute_request(None, [], request)

    def _answer(self, request: str) -> None:
        """As a cell with this call would, but without what surrounds a cell, which takes longer than most answers."""
        send_answer(request)
        self.shell.events.trigger("post_execute")  # figures that the answer left open are closed
        self.session.channel.send("execute_reply", {"status": "ok"})


def make_kernel() -> PipeKernel:
    """A kernel as `ipykernel` starts one, except that it keeps no history and draws no pictures. It has no socket yet."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InlineBackend.figure_formats = set()
    own_thread = SimpleNamespace(parent_thread=threading.main_thread())
    log = logging.getLogger("ipykernel")
    kernel = PipeKernel(session=PipeSession(key=b""), config=config, shell_channel_thread=own_thread, log=log)
    kernel.shell.extension_manager.load_extension("storemagic")
    kernel.shell.exit_now = False
    IPKernelApp.instance().kernel = kernel  # where magics look for it
    return kernel
