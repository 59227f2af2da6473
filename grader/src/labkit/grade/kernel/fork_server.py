"""The warm process from which kernels are forked: `python -I main.py IMPORT_ROOT HIDDEN CONTROLS READABLE MODULES CELLS`.

The process imports the modules that labs use, which are all public, and forks a child for each submission. A child inherits
the server's memory, so the server never reads what only one kernel may know: each child reads its own settings. CONTROLS are file
descriptors of sockets to clients, which carry one JSON object per message. READABLE are the paths that kernels may read.
MODULES are the course's package and what labs import. CELLS has each lab's setup cell, which is the same for all submissions.
All four are in JSON. When a socket closes, the kernels requested over it are killed. The first socket is the owner's: when it
closes, the server ends. Failures are reported as `{"error": WORDS}` on the request's socket. A child that fails to
start reports the reason in plain text on its kernel's own socket.
"""

import gc
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module

# Imports of labs, and modules that these load only on first use.
ALWAYS = (
    "labkit.notebook",
    "labkit.student.calls.axes",
    "labkit.student.notebook.figures",
    "numpy.random",
)
ALWAYS += ("IPython.core.pylabtools", "IPython.core.logger", "PIL.features", "bdb", "tornado.platform.asyncio")
# Modules that the first figure, or the first simplified expression, would otherwise load.
WITH = {
    "matplotlib.pyplot": (
        "matplotlib.backends.backend_agg",
        "matplotlib_inline.backend_inline",
        "labkit.student.calls.snapshot",
    ),
    "sympy": ("sympy.tensor.tensor",),
}


def main() -> None:
    gc.disable()  # imports leave almost no garbage
    import_root, hidden, controls, readable, modules, cells = sys.argv[1:]
    sys.argv[:] = [""]
    sys.path[:] = [import_root, *(path for path in sys.path if path != hidden)]
    controls = [socket.socket(fileno=each) for each in json.loads(controls)]
    from labkit.grade.sandbox import privileges
    from labkit.grade.sandbox.confine import Confinement

    privileges.unbound()  # limits on the grading process do not apply here
    Confinement("", json.loads(readable), {}).places()  # looked up once for all kernels
    try:
        run_child, prepare = warm_up(json.loads(modules), json.loads(cells))
    except Exception as error:
        for control in controls:
            control.send(json.dumps(failure(error)).encode())
        raise
    if connection := Server(controls, prepare).run():  # in a child, where the server object no longer exists
        with suppress(BaseException):
            run_child(connection)
        os._exit(0)


def warm_up(modules: list[str], cells: dict[str, str]) -> tuple[Callable[[socket.socket], None], Callable[[str], None]]:
    """Import what kernels need. Returns what a child runs, given its own socket, and what prepares for a lab's kernels."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # as ipykernel sets it
    sys.modules["debugpy"] = None  # submissions are never debugged, and the import is slow
    from labkit.grade.kernel import child
    from labkit.grade.kernel.shell_commands import skip_windows

    kernel = child.make_kernel()
    del sys.modules["debugpy"]
    if "matplotlib.pyplot" in modules:
        skip_docstrings()
    for module in [*ALWAYS, *modules, *(each for name in modules for each in WITH.get(name, ()))]:
        import_module(module)
    skip_windows()
    from labkit.student.model.course import current
    from labkit.student.notebook.figures import style
    from labkit.student.notebook.missing import watch_cells

    watch_cells()  # a lab's import line calls this only in a kernel that has not imported the module yet
    course = current()
    course.labs  # registers the kinds of answers that the course adds
    if "matplotlib.pyplot" in sys.modules:
        style()
    gc.freeze()  # exempt existing objects from garbage collection, which would copy their memory in each kernel
    gc.enable()
    return partial(child.run, kernel), partial(child.prepare_for, kernel, course, cells)


def skip_docstrings() -> None:
    """Let Matplotlib describe no artist's properties in docstrings, which takes a fifth of this process's imports."""
    from matplotlib import artist

    artist.kwdoc = lambda _: ""
    artist.Artist._update_set_signature_and_docstring = classmethod(lambda _: None)


def failure(error: Exception) -> dict[str, str]:
    return {"error": f"{type(error).__name__}: {error}"}


class Server:
    """Forks, interrupts and ends kernels. A kernel is identified by its process id as this process sees it."""

    def __init__(self, controls: list[socket.socket], prepare: Callable[[str], None]):
        self.owner, self.controls, self.prepare = controls[0], controls, prepare
        self.kernels: dict[int, socket.socket] = {}  # by process id: the socket that requested it

    def run(self) -> socket.socket | None:
        """Handle requests until the owner's socket closes. In a new child, return the child's own socket at once."""
        from labkit.grade.sandbox import privileges

        signal.signal(signal.SIGINT, signal.SIG_IGN)
        privileges.become_subreaper()
        try:
            for control in self.controls:
                self.send(control, {"ready": True})
            while self.owner in self.controls:
                for control in select.select(self.controls, [], [])[0]:
                    if connection := self.take_from(control):
                        return connection
            return None
        finally:
            for control in self.controls:
                self.leave(control)

    def take_from(self, control: socket.socket) -> socket.socket | None:
        """Handle one request, or the end of a client's socket. In a new child, return the child's own socket."""
        try:
            message, descriptors, _, _ = socket.recv_fds(control, 2**16, 1)
        except OSError:
            message = b""
        if not message:
            return self.leave(control)
        try:
            answer = self.answer(control, json.loads(message))
        except Exception as error:  # such as no memory for a fork; existing kernels continue
            answer = failure(error)
        if answer is None:
            return socket.socket(fileno=descriptors[0])
        for descriptor in descriptors:
            os.close(descriptor)
        return self.send(control, answer)

    def send(self, control: socket.socket, message: dict) -> None:
        try:
            control.send(json.dumps(message).encode())
        except OSError:  # the client is gone
            self.leave(control)

    def leave(self, control: socket.socket) -> None:
        for kernel in [kernel for kernel, asked in self.kernels.items() if asked is control]:
            self.stop(kernel)
        self.controls = [other for other in self.controls if other is not control]
        control.close()

    def answer(self, control: socket.socket, request: dict) -> dict | None:
        """Do what is requested and return the answer. Returns None in a new child."""
        match request["do"]:
            case "start":
                self.prepare(request["lab"])
                return {"kernel": kernel} if (kernel := self.start(control)) else None
            case "alive":
                return self.state(request["kernel"])
            case "signal":
                self.signal(request["kernel"], request["signal"])
            case "stop":
                self.stop(request["kernel"])
        return {}

    def start(self, control: socket.socket) -> int:
        """Fork a kernel and return its process id. Returns 0 in the child, which keeps nothing of this server."""
        kernel = os.fork()
        if kernel:
            self.kernels[kernel] = control
            return kernel
        for each in self.controls:
            with suppress(OSError):  # an error must not send the child into the server's loop
                each.close()
        self.kernels, self.controls = {}, []
        return 0

    def state(self, kernel: int) -> dict:
        """Whether the kernel is alive, and the signal that ended it, if any."""
        if kernel not in self.kernels:
            return {"alive": False}
        ended = os.waitid(os.P_PID, kernel, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        signalled = ended and ended.si_code in (os.CLD_KILLED, os.CLD_DUMPED)
        return {"alive": ended is None, "signal": ended.si_status if signalled else None}

    def signal(self, kernel: int, number: int) -> None:
        """Signal the kernel and the processes that it started. No other process can get the kernel's id before `stop` reaps it."""
        if kernel in self.kernels:
            for send in (os.killpg, os.kill):  # the group does not exist yet while the child is starting
                with suppress(ProcessLookupError):
                    return send(kernel, number)  # a second interrupt would disturb the report of the first

    def stop(self, kernel: int) -> None:
        """Kill a kernel, its group, and processes that left the group and were reparented to this process."""
        self.signal(kernel, signal.SIGKILL)
        if kernel in self.kernels:
            os.waitpid(kernel, 0)
            del self.kernels[kernel]
        for _ in range(100):  # several rounds, because a killed process may have started another
            for stray in (strays := self.strays()):
                os.kill(stray, signal.SIGKILL)
                os.waitpid(stray, 0)
            if not strays:
                break

    def strays(self) -> set[int]:
        with suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children") as children:
            return {int(child) for child in children.read().split()} - set(self.kernels)
        return set()


if __name__ == "__main__":
    main()
