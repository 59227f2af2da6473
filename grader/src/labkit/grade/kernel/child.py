"""Inside a fork: confine it before any submitted code can run, then be IPython's own kernel, with one socket in place of ZeroMQ."""

from __future__ import annotations

import ast
import asyncio
import gc
import io
import logging
import os
import random
import re
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Coroutine
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from IPython.core.interactiveshell import InteractiveShell
from jupyter_client.session import Session
from tornado.ioloop import IOLoop
from traitlets.config import Config

from labkit.grade.kernel.channel import Channel, Stream, watch
from labkit.grade.kernel.meter import HELLO
from labkit.grade.kernel.shell_commands import exit_cell_only, skip_shell_magics
from labkit.grade.sandbox.confine import Confinement, confine, refuse_names
from labkit.grade.sandbox.faults import in_words
from labkit.student.calls import state
from labkit.student.calls.calling import prepare_figures, reply_to
from labkit.student.model.course import Course

MAY_AWAIT = re.compile("await|async")
# What IPython's own syntax needs besides its first line: `?`, and lines or assigned values that start with its signs.
MAY_BE_IPYTHON = re.compile(r"[?]|^\s*[!%,;/]|=[\s\\]*[!%](?!=)", re.MULTILINE)


CALLS = 2  # calls of a figure for each public call, with those of the tests


def prepare_for(kernel: PipeKernel, course: Course, cells: dict[str, str], lab: str) -> None:
    """In the server, before a lab's first kernel: begin its setup cell, and make figures for the calls, for all its kernels."""
    if (cell := cells.pop(lab, "")) and (end := lines_ahead(cell)):
        exercises = course.labs[lab].exercises
        kernel.run_ahead(cell, end, CALLS * sum(len(each.probes) for each in exercises if each.kind == "figure"))
        gc.freeze()


def run(kernel: PipeKernel, connection: socket.socket) -> None:
    """Read this kernel's settings from the socket and serve requests on it, or send the reason why this is impossible."""
    try:
        channel = Channel(connection)
        settings = channel.next()
        os.environ.update(settings["environment"])
        tempfile.tempdir = None
        numpy.random.seed(0)  # an answer that draws without a seed gets the same points in every run
        random.seed(0)
        open_own_null()
        confine(Confinement.from_json(settings["confinement"]), settings["layer"])
        serve = kernel.prepare(channel)
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


@dataclass
class Ahead:
    """What the first lines of a cell did before the fork."""

    rest: str  # the other lines
    names: dict[str, Any]  # that it defined
    settings: dict[str, Any]  # all of matplotlib's
    shown: list[tuple[str, dict]]  # its messages


class PipeKernel(IPythonKernel):
    """IPython's kernel without its sockets. It runs cells exactly as usual."""

    ahead: dict[str, Ahead]  # by source, until the first cell runs

    def run_ahead(self, code: str, end: int, figures: int) -> None:
        """In the server, run a setup cell's first lines, keep what they did if that is the same in every kernel, and undo it."""
        lines, names, settings = code.splitlines(keepends=True), self.shell.user_ns, _settings()
        others, before, shown = set(names), dict.copy(settings), []
        self.session.channel = SimpleNamespace(send=lambda *message: shown.append(message))
        with redirect_stdout(io.StringIO()) as printed, redirect_stderr(printed):
            success = self.shell.run_cell("".join(lines[:end])).success
        if success and not printed.getvalue():
            own = {name: value for name, value in names.items() if name not in others}
            self.ahead[code] = Ahead("".join(lines[end:]), own, dict.copy(settings), shown)
            prepare_figures(figures)
        for name in names.keys() - others:
            del names[name]
        dict.update(settings, before)

    def pre_handler_hook(self) -> None:
        self.saved_sigint_handler = signal.signal(signal.SIGINT, self.session.channel.on_interrupt)

    def prepare(self, channel: Channel) -> Callable[[], None]:
        """In the child: prepare for requests and report ready. Returns a function that serves until the grader disconnects."""
        self.session.channel = channel
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stdout, sys.stderr = streams = Stream(channel, "stdout", 1), Stream(channel, "stderr", 2)
        threading.Thread(target=watch, args=streams, daemon=True).start()
        self.shell.user_ns["_dh"][:] = [Path.cwd()]
        self.set_parent([], self.session.msg("execute_request", {}))  # the same for all cells, because nothing reads it
        state.remember()
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        channel.connection.sendall(HELLO)
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
        try:
            if "code" in request:
                await self._execute(request["code"])
            else:
                self._answer(request["data"])
        except MemoryError:
            raise
        except BaseException:  # such as an interrupt between the cell and its reply
            channel.send("execute_reply" if "code" in request else "answer", {"status": "error"})
        finally:
            state.after_cell()

    async def _execute(self, code: str) -> None:
        """Run a cell. Only a cell that may await something takes ipykernel's long way, because the grader reads no reply."""
        self.pre_handler_hook()
        try:
            ahead, self.ahead = self.ahead.get(code), {}
            if ahead:
                self.shell.user_ns.update(ahead.names)
                dict.update(_settings(), ahead.settings)
                for message in ahead.shown:
                    self.session.channel.send(*message)
                code = ahead.rest
            if MAY_AWAIT.search(code):
                await self.do_execute(code, silent=False, store_history=False)
            elif code:
                self._forward_input()
                try:
                    self.shell.run_cell(code)
                finally:
                    self._restore_input()
            self.session.channel.send("execute_reply", {"status": "ok"})
        finally:
            self.post_handler_hook()

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
    kernel.ahead = {}
    kernel.shell.extension_manager.load_extension("storemagic")
    skip_shell_magics(kernel.shell)
    exit_cell_only(kernel.shell)
    read_cells_once(kernel.shell)
    IPKernelApp.instance().kernel = kernel  # where magics look for the kernel
    return kernel


def _settings() -> dict[str, Any]:
    """Matplotlib's settings, if it is loaded."""
    return sys.modules["matplotlib"].rcParams if "matplotlib" in sys.modules else {}


def lines_ahead(code: str) -> int:
    """The number of a cell's first lines that only import loaded modules, and call functions of labkit with constants.

    The course's own functions are left to each kernel: they may write files or draw numbers, and other labs must not notice.
    """
    called = set()
    try:
        for each in ast.parse(code).body:
            match each:
                case ast.Import(names=names) if all(alias.name in sys.modules for alias in names):
                    continue
                case ast.ImportFrom(module="__future__"):  # IPython would compile the cells of other labs with it too
                    pass
                case ast.ImportFrom(module=str(module), names=names, level=0) if module in sys.modules:
                    called |= {alias.asname or alias.name for alias in names if module.split(".")[0] == "labkit"}
                    continue
                case ast.Expr(ast.Call(ast.Name(name), given, named)) if name in called:
                    if all(isinstance(value, ast.Constant) for value in (*given, *(each.value for each in named))):
                        continue
            return each.lineno - 1
    except SyntaxError:  # IPython syntax
        return 0
    return len(code)


def read_cells_once(shell: InteractiveShell) -> None:
    """Skip what IPython does to each cell if the cell does not need it. Otherwise reading a cell would take longer than running it."""
    may_be_async, manager = shell.should_run_async, shell.input_transformer_manager
    transform_tokens = manager.do_token_transforms

    def should_run_async(cell: str, **more: Any) -> bool:
        return bool(MAY_AWAIT.search(more["transformed_cell"] or "")) and may_be_async(cell, **more)

    def do_token_transforms(lines: list[str]) -> list[str]:
        return transform_tokens(lines) if MAY_BE_IPYTHON.search("".join(lines)) else lines

    shell.should_run_async, manager.do_token_transforms = should_run_async, do_token_transforms
