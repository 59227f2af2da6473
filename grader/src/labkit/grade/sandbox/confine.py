"""Confine a process that is about to run submitted code: what it may read, write and call.

There are three layers. The best that the machine supports is used (grader/docs/security.md lists what each one guarantees):

- bubblewrap: a minimal view of the system, no network, no other processes, plus everything below. On Linux without
  Landlock, each kernel gets its own bubblewrap.
- landlock: Landlock for files and seccomp for system calls. Needs Linux, but no privileges.
- limits: POSIX limits, a separate workdir, an ordinary user. Stops accidents, not attacks.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from labkit.grade.sandbox import landlock, privileges, seccomp
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

LAYERS = ("bubblewrap", "landlock", "limits")  # best first
CHOICE = "LABKIT_LAYER"  # environment variable that selects a layer weaker than the best, for tests
CONSENT = "--allow-unsandboxed"
REFUSED = (
    "submissions cannot be isolated on this machine, so they could use your files and network with your permissions: "
    f"see `labkit doctor`, or use {CONSENT}"
)

_SYSTEM = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/sys/devices/system/cpu")
# A process may read its own state, but no machine-wide or per-user counters, and nothing about memory pages shared with others.
_OF_ITSELF = ("auxv", "cmdline", "comm", "environ", "exe", "fd", "fdinfo", "limits", "maps", "stat", "statm")
_OF_THE_KERNEL = (*(f"/proc/self/{name}" for name in _OF_ITSELF), "/proc/cpuinfo", "/dev/urandom", "/dev/random")
_DEVICES = ("/dev/null", "/dev/zero")


@dataclass(frozen=True)
class Confinement:
    """What one process may use, as plain data that can be sent to it."""

    workdir: str  # the folder that it may write to
    readable: Sequence[str]  # paths in addition to the system and the interpreter
    limits: dict[str, int]  # POSIX limits by name

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Confinement:
        return cls(**json.loads(text))

    def places(self) -> tuple[str, ...]:
        """All readable paths except the workdir, both as given and with links resolved. None is inside another."""
        return _resolved((*_SYSTEM, sys.prefix, sys.base_prefix, *self.readable))


@cache  # a fork server looks up these paths once for all kernels
def _resolved(named: tuple[str, ...]) -> tuple[str, ...]:
    found = sorted({path for name in named if os.path.exists(name) for path in (name, os.path.realpath(name))})
    return tuple(path for path in found if not any(path.startswith(f"{other}/") for other in found))


def confine(confinement: Confinement, layer: str) -> None:
    """Confine this process permanently. Call it before other threads start and before any submitted code.

    Errors: OSError if the layer cannot be enforced; the caller must stop then.
    """
    parent = os.getppid()
    privileges.own_session()
    places = confinement.places()
    privileges.drop_root((*places, confinement.workdir))
    privileges.no_new_privileges()
    privileges.die_with_parent(parent)
    os.umask(0o077)
    os.chdir(confinement.workdir)
    limits = dict(confinement.limits)
    # This limit counts all processes of the user, including other kernels', so those are added. It is set only under "limits":
    # in the other layers, seccomp refuses new processes and the address space limits threads.
    wanted = limits.pop("RLIMIT_NPROC", None)
    if wanted and layer == "limits":
        limits["RLIMIT_NPROC"] = privileges.running() + wanted
    privileges.limit(limits)
    if layer == "landlock" or layer == "bubblewrap" and landlock.abi():
        landlock.restrict((*places, *_OF_THE_KERNEL), (confinement.workdir,), _DEVICES)
    if layer in ("landlock", "bubblewrap"):
        seccomp.restrict()


def refuse_names(layer: str) -> None:
    """Forbid binding any more sockets to names. Call this once the kernel's own sockets are bound."""
    if layer in ("landlock", "bubblewrap"):
        seccomp.refuse_names()


def hand_over(path: str | os.PathLike) -> None:
    """Give a file, or a folder with its contents, to the ordinary user that the superuser's kernels run as."""
    if os.geteuid() == 0:
        for each in (path, *Path(path).rglob("*")):
            os.chown(each, privileges.UNPRIVILEGED, privileges.UNPRIVILEGED, follow_symlinks=False)


def best_layer() -> str:
    """The best layer that works here, or the weaker one that the environment variable selects. Errors: UserError."""
    layers = available_layers()
    asked = os.environ.get(CHOICE)
    if asked and asked not in layers:
        raise UserError(f"{CHOICE} is {asked!r}, but only these layers work here: {', '.join(layers)}")
    return asked or layers[0]


def check_isolation(project: Project, paths: Iterable[Path | None], unsandboxed: bool) -> None:
    """Check that kernels are isolated, that these files belong to the course, or that the user allowed this. Errors: UserError."""
    if best_layer() != "limits" or unsandboxed:
        return
    own = [project.examples.resolve(), project.solutions.resolve()]
    if not all(any(path.resolve().is_relative_to(folder) for folder in own) for path in paths if path):
        raise UserError(REFUSED)


def keeps_forks_apart() -> bool:
    """Whether kernels forked by one server are isolated from each other. Inside one bubblewrap, only Landlock does this."""
    return best_layer() != "bubblewrap" or landlock.abi() > 0


@cache
def available_layers() -> tuple[str, ...]:
    """List the layers that work here, best first. Bubblewrap is tried out, because many systems forbid what it needs."""
    works = {"limits": True, "landlock": seccomp.available() and landlock.abi() > 0}
    works["bubblewrap"] = seccomp.available() and _bubblewrap_works()
    return tuple(layer for layer in LAYERS if works[layer])


def _bubblewrap_works() -> bool:
    if trial := bubblewrap_trial():
        with suppress(subprocess.TimeoutExpired):
            return trial.wait(20) == 0
        trial.kill()
    return False


@cache
def bubblewrap_trial() -> subprocess.Popen[bytes] | None:
    """Begin to try out bubblewrap, which takes as long as Python's start. Returns None if bubblewrap is missing."""
    if not shutil.which("bwrap"):
        return None
    command = wrap([sys.executable, "-I", "-S", "-c", ""], Confinement(workdir="/tmp", readable=(), limits={}))
    with suppress(OSError), privileges.uninterrupted():
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return None


def wrap(command: list[str], confinement: Confinement) -> list[str]:
    """Wrap a command in bubblewrap. The command sees the system, the readable paths and the workdir, but no other process."""
    if os.geteuid() == 0:
        # Enough to become an ordinary user and to end kernels forked here. With all capabilities it could mount other files.
        user = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_KILL"]
    else:
        user = ["--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    bubblewrap = [shutil.which("bwrap") or "bwrap", "--die-with-parent", *user]
    bubblewrap += ["--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    # There is no /proc, because it shows other kernels' threads, open files and memory.
    bubblewrap += ["--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/proc"]
    bubblewrap += ["--ro-bind-try", "/proc/cpuinfo", "/proc/cpuinfo"]
    places = confinement.places()
    above = {str(folder) for place in (*places, confinement.workdir) for folder in Path(place).parents} - {"/", "/tmp"}
    for folder in sorted(above):  # otherwise bubblewrap would create them for the superuser only
        bubblewrap += ["--dir", folder]
    for place in places:
        bubblewrap += ["--ro-bind", place, place]
    bubblewrap += ["--bind", confinement.workdir, confinement.workdir]
    # Files written there would use memory outside every budget.
    bubblewrap += [word for folder in ("/tmp", "/dev", "/") for word in ("--remount-ro", folder)]
    return [*bubblewrap, "--chdir", "/", "--", *command]
