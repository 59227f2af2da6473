"""The warm process that kernels are forked from, as `python -I main.py IMPORT_ROOT HIDDEN CONTROLS MODULES`.

It imports what labs use once, all of it public, and forks a child for each submission. CONTROLS are the file descriptors
of its sockets to those who ask for kernels, with one JSON object a message, and MODULES the course's package and what labs
import; both are JSON. When a socket closes, the kernels that were asked for there are killed; when the first one does,
which is the owner's, the server ends. What fails is told to those it concerns, as `{"error": WORDS}`: here, and on a
kernel's own socket in plain text by a child that cannot take requests.
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

# What a lab imports, and what others import only when they are used.
ALWAYS = ("labkit.notebook.examine", "labkit.calls.axes", "labkit.notebook.figures", "numpy.random")
ALWAYS += ("IPython.core.pylabtools", "IPython.core.logger", "PIL.features")
# What the first figure would import.
WITH = {"matplotlib.pyplot": ("matplotlib.backends.backend_agg", "labkit.calls.snapshot")}


def main() -> None:
    gc.disable()  # imports leave next to nothing to collect
    import_root, hidden, controls, modules = sys.argv[1:]
    sys.argv[:] = [""]
    sys.path[:] = [import_root, *(path for path in sys.path if path != hidden)]
    controls = [socket.socket(fileno=each) for each in json.loads(controls)]
    from labkit.sandbox import privileges

    privileges.unbound()  # what a submission may use of a worker is not this process's bound
    try:
        server = Server(controls, warm_up(json.loads(modules)))
    except Exception as error:
        for control in controls:
            control.send(json.dumps(failure(error)).encode())
        raise
    server.run()


def warm_up(modules: list[str]) -> Callable[[dict, socket.socket], None]:
    """Import what kernels need; what a child runs for a request, with the socket that came with it."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # as ipykernel sets it
    sys.modules["debugpy"] = None  # nobody steps through a submission, and the import is slow
    from labkit.kernel.child import main as child
    from labkit.kernel.child import shell

    kernel = shell.make_kernel()
    del sys.modules["debugpy"]
    for module in [*ALWAYS, *modules, *(each for name in modules for each in WITH.get(name, ()))]:
        import_module(module)
    from labkit.judging.diagnosis import catalogue
    from labkit.model.course import current
    from labkit.notebook.cells import watch_cells
    from labkit.notebook.expected import expected_of

    watch_cells()  # a lab's import line does it in a kernel that has not imported this already
    course = current()
    catalogue(course)  # with what else checks in a notebook would load when they are first used
    for lab in course.labs:
        expected_of(course, lab)
    gc.freeze()  # what is here stays, so that no kernel looks through it, which would copy its memory
    gc.enable()
    return partial(child.run, kernel)


def failure(error: Exception) -> dict[str, str]:
    return {"error": f"{type(error).__name__}: {error}"}


class Server:
    """Forks kernels, interrupts and ends them. A kernel is known by its process id as this process sees it."""

    def __init__(self, controls: list[socket.socket], run_child: Callable[[dict, socket.socket], None]):
        self.owner, self.controls, self.run_child = controls[0], controls, run_child
        self.kernels: dict[int, socket.socket] = {}  # and where each was asked for

    def run(self) -> None:
        from labkit.sandbox import privileges

        signal.signal(signal.SIGINT, signal.SIG_IGN)
        privileges.become_subreaper()
        try:
            for control in self.controls:
                self.send(control, {"ready": True})
            while self.owner in self.controls:
                for control in select.select(self.controls, [], [])[0]:
                    self.take_from(control)
        finally:
            for control in self.controls:
                self.leave(control)

    def take_from(self, control: socket.socket) -> None:
        """One request, or the end of those who asked there."""
        try:
            message, descriptors, _, _ = socket.recv_fds(control, 2**16, 1)
        except OSError:
            message = b""
        if not message:
            return self.leave(control)
        try:
            answer = self.answer(control, json.loads(message), descriptors)
        except Exception as error:  # such as no memory for a fork: the kernels that are there go on
            answer = failure(error)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        self.send(control, answer)

    def send(self, control: socket.socket, message: dict) -> None:
        try:
            control.send(json.dumps(message).encode())
        except OSError:  # nobody listens there any more
            self.leave(control)

    def leave(self, control: socket.socket) -> None:
        for kernel in [kernel for kernel, asked in self.kernels.items() if asked is control]:
            self.stop(kernel)
        self.controls = [other for other in self.controls if other is not control]
        control.close()

    def answer(self, control: socket.socket, request: dict, descriptors: list[int]) -> dict:
        match request["do"]:
            case "start":
                return {"kernel": self.start(control, request, descriptors[0])}
            case "alive":
                return self.state(request["kernel"])
            case "signal":
                self.signal(request["kernel"], request["signal"])
            case "stop":
                self.stop(request["kernel"])
        return {}

    def start(self, control: socket.socket, request: dict, descriptor: int) -> int:
        kernel = os.fork()
        if kernel == 0:
            with suppress(BaseException):  # nothing may come back into the server's loop
                for each in self.controls:
                    each.close()
                self.run_child(request, socket.socket(fileno=descriptor))
            os._exit(0)
        self.kernels[kernel] = control
        return kernel

    def state(self, kernel: int) -> dict:
        """Whether it is alive, and the signal that ended it when one did."""
        if kernel not in self.kernels:
            return {"alive": False}
        ended = os.waitid(os.P_PID, kernel, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        signalled = ended and ended.si_code in (os.CLD_KILLED, os.CLD_DUMPED)
        return {"alive": ended is None, "signal": ended.si_status if signalled else None}

    def signal(self, kernel: int, number: int) -> None:
        """To the kernel and the processes it started. Until it is reaped nobody else can have its number."""
        if kernel in self.kernels:
            for send in (os.killpg, os.kill):  # the group is not there yet while the child is starting
                with suppress(ProcessLookupError):
                    return send(kernel, number)  # once: a second interrupt would hit the report of the first

    def stop(self, kernel: int) -> None:
        """Kill a kernel, its group, and what left the group and was handed to this process when its parent died."""
        self.signal(kernel, signal.SIGKILL)
        if kernel in self.kernels:
            os.waitpid(kernel, 0)
            del self.kernels[kernel]
        for _ in range(100):  # rounds, since one that is killed may have started another
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
