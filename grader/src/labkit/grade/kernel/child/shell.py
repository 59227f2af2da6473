"""Inside a fork: IPython's own kernel, with one socket to the grader in place of ZeroMQ."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from jupyter_client.session import Session
from tornado.ioloop import IOLoop
from traitlets.config import Config

from labkit.grade.kernel.child.channel import Channel
from labkit.grade.kernel.child.streams import Stream, watch
from labkit.grade.kernel.exits import exit_cell_only
from labkit.grade.kernel.messages import HELLO
from labkit.grade.kernel.skipped_magics import skip_shell_magics
from labkit.student.calls import state, wire
from labkit.student.calls.calling import reply_to


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
                request = channel.wait() if calls else await channel.receive()
            except asyncio.CancelledError:
                continue
            except (EOFError, OSError):
                return
            channel.id = request["id"]
            calls = "answer" in request
            await self._serve(channel, request)
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
            channel.send("execute_reply", {"status": "error"})
        finally:
            self.post_handler_hook()

    async def _handle(self, channel: Channel, request: dict) -> None:
        try:
            if "answer" in request:
                self._answer(request["answer"])
            else:
                channel.send("status", {"execution_state": "busy"})
                await self._execute(request["code"])
        finally:
            state.after_cell()

    async def _execute(self, code: str) -> None:
        request = self.session.msg("execute_request", {"code": code, "store_history": False, "stop_on_error": False})
        self.set_parent([], request)
        await self.execute_request(None, [], request)

    def _input_request(self, prompt: str, ident: object, parent: object, password: bool = False) -> str:
        return self.session.channel.ask({"prompt": prompt, "password": password})

    def _answer(self, request: str) -> None:
        """Call an answer directly, with the same effect as in a cell. Running a cell takes longer than most answers do."""
        data = {wire.MIME: reply_to(request, self.shell.user_ns)}
        self.session.channel.send("display_data", {"data": data, "metadata": {}, "transient": {}})
        self.shell.events.trigger("post_execute")  # closes figures that the answer left open
        self.session.channel.send("execute_reply", {"status": "ok"})


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
