"""Inside a fork: confine it before any submitted code can run, then be IPython's own kernel, with one socket in place of ZeroMQ."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import numpy
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from jupyter_client.session import Session
from tornado.ioloop import IOLoop
from traitlets.config import Config

from labkit.grade.kernel.channel import Channel, Stream, read, watch
from labkit.grade.kernel.meter import HELLO
from labkit.grade.kernel.shell_commands import exit_cell_only, skip_shell_magics
from labkit.grade.sandbox.confine import Confinement, confine, refuse_names
from labkit.grade.sandbox.faults import in_words
from labkit.student.calls import state
from labkit.student.calls.calling import reply_to


def run(kernel: PipeKernel, connection: socket.socket) -> None:
    """Read this kernel's settings from the socket and serve requests on it, or send the reason why this is impossible."""
    try:
        settings = json.loads(read(connection))
        os.environ.update(settings["environment"])
        tempfile.tempdir = None
        numpy.random.seed(0)  # an answer that draws without a seed gets the same points in every run
        random.seed(0)
        open_own_null()
        confine(Confinement.from_json(settings["confinement"]), settings["layer"])
        serve = kernel.prepare(connection)
        refuse_names(settings["layer"])
    except BaseException as error:
        connection.send(in_words(error).encode())
        raise
    serve()


def open_own_null() -> None:
    """Reopen /dev/null. Processes that inherit an open file share its status flags, and could communicate through them."""
    own = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(own, standard)
    os.close(own)


class PipeSession(Session):
    """Sends the kernel's messages through the channel."""

    channel: Channel

    def send(self, stream, msg_or_type, content=None, *_args, **_kwargs) -> dict:  # type: ignore[override]
        if not isinstance(msg_or_type, str):
            msg_or_type, content = msg_or_type["msg_type"], msg_or_type["content"]
        self.channel.send(msg_or_type, content or {})
        return {"content": content or {}}


class PipeKernel(IPythonKernel):
    """IPython's kernel without its sockets. It runs cells exactly as usual."""

    def pre_handler_hook(self) -> None:
        self.saved_sigint_handler = signal.signal(signal.SIGINT, self.session.channel.on_interrupt)

    def prepare(self, connection: socket.socket) -> Callable[[], None]:
        """In the child: prepare for requests and report ready. Returns a function that serves until the grader disconnects."""
        self.session.channel = channel = Channel(connection)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stdout, sys.stderr = streams = Stream(channel, "stdout", 1), Stream(channel, "stderr", 2)
        threading.Thread(target=watch, args=streams, daemon=True).start()
        self.shell.user_ns["_dh"][:] = [Path.cwd()]
        state.remember()
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        connection.sendall(HELLO)
        return lambda: _run_to_the_end(loop, self._run(channel, *streams))

    async def _run(self, channel: Channel, *streams: Stream) -> None:
        self.io_loop = IOLoop.current()
        calls = False
        while True:
            try:
                request = channel.next() if calls else await channel.receive()
            except asyncio.CancelledError:
                continue
            except (EOFError, OSError):
                return
            channel.id = request["id"]
            calls = "code" not in request
            await self._serve(channel, request)
            if not calls:
                for stream in streams:
                    stream.flush()
                channel.send("status", {"execution_state": "idle"})

    async def _serve(self, channel: Channel, request: dict) -> None:
        """Run a cell or call an answer, and reply whatever the submission's hooks and streams raise."""
        self.pre_handler_hook()
        try:
            await self._handle(channel, request)
        except MemoryError:
            raise
        except BaseException:  # such as an interrupt between the cell and its reply
            channel.send("execute_reply" if "code" in request else "answer", {"status": "error"})
        finally:
            self.post_handler_hook()

    async def _handle(self, channel: Channel, request: dict) -> None:
        try:
            if "code" in request:
                await self._execute(request["code"])
            else:
                self._answer(request["data"])
        finally:
            state.after_cell()

    async def _execute(self, code: str) -> None:
        request = self.session.msg("execute_request", {"code": code, "store_history": False, "stop_on_error": False})
        self.set_parent([], request)
        await self.execute_request(None, [], request)

    def _input_request(self, prompt: str, ident: object, parent: object, password: bool = False) -> str:
        return self.session.channel.ask({"prompt": prompt, "password": password})

    def _answer(self, request: bytes) -> None:
        """Call an answer directly, with the same effect as in a cell. Running a cell takes longer than most answers do."""
        reply = reply_to(request, self.shell.user_ns)
        try:
            self.shell.events.trigger("post_execute")  # closes figures that the answer left open
        finally:  # whatever a submission's own hook raises
            self.session.channel.send("answer", {"status": "ok"}, reply)


def _run_to_the_end(loop: asyncio.AbstractEventLoop, serving: Coroutine) -> None:
    """Run the coroutine until it ends, even if a submission stops the loop, or raises an error that ends it."""
    task = loop.create_task(serving)
    while not task.done():
        with suppress(RuntimeError, SystemExit, KeyboardInterrupt):
            loop.run_until_complete(task)


def make_kernel() -> PipeKernel:
    """Make a kernel as `ipykernel` does, but without history, pictures and, for now, a socket."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InlineBackend.figure_formats = set()
    own_thread = SimpleNamespace(parent_thread=threading.main_thread())
    log = logging.getLogger("ipykernel")
    kernel = PipeKernel(session=PipeSession(key=b""), config=config, shell_channel_thread=own_thread, log=log)
    kernel.shell.extension_manager.load_extension("storemagic")
    skip_shell_magics(kernel.shell)
    exit_cell_only(kernel.shell)
    kernel._execute_sleep = 0  # a delay is needed only if outputs have their own socket
    IPKernelApp.instance().kernel = kernel  # where magics look for the kernel
    return kernel
