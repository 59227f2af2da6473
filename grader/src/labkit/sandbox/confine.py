"""Hold in a process that is about to run submitted code: what it may read and write, and what it may not do at all.

Three layers, the best that the machine has is in force (grader/docs/security.md says what each one holds):

- bubblewrap: a view of the system with nothing else in it, no network, no other process; and all of the next. On a Linux
  without Landlock each kernel gets a bubblewrap of its own.
- landlock: Landlock for files and seccomp for system calls. Needs Linux, and no privileges.
- limits: POSIX limits, a workdir of its own, an ordinary user. Stops accidents, not attacks.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from labkit.sandbox import landlock, privileges, seccomp

LAYERS = ("bubblewrap", "landlock", "limits")  # best first
CHOICE = "LABKIT_LAYER"  # environment variable: a weaker layer than the best, to test it

_SYSTEM = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/sys/devices/system/cpu")
# Of itself a process may read what it has, but no counts of the machine or its user, nor what others have of a page too.
_OF_ITSELF = ("auxv", "cmdline", "comm", "environ", "exe", "fd", "fdinfo", "limits", "maps", "stat", "statm")
_OF_THE_KERNEL = (*(f"/proc/self/{name}" for name in _OF_ITSELF), "/proc/cpuinfo", "/dev/urandom", "/dev/random")
_DEVICES = ("/dev/null", "/dev/zero")


@dataclass(frozen=True)
class Confinement:
    """What one process may use. Plain data, so that it can be sent to the process that obeys it."""

    workdir: str  # the folder it may write
    readable: tuple[str, ...]  # besides the system and the interpreter
    limits: dict[str, int]  # POSIX limits by name

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Confinement:
        data = json.loads(text)
        return cls(data["workdir"], tuple(data["readable"]), data["limits"])

    def places(self) -> tuple[str, ...]:
        """All that may be read but the workdir, by the names given and with links followed; none lies in another."""
        named = (*_SYSTEM, sys.prefix, sys.base_prefix, *self.readable)
        found = sorted({path for name in named if os.path.exists(name) for path in (name, os.path.realpath(name))})
        return tuple(path for path in found if not any(path.startswith(f"{other}/") for other in found))


def confine(confinement: Confinement, layer: str) -> None:
    """Hold this process in, for good. Call it before other threads start and before any submitted code.

    Errors: OSError when the layer cannot be put in force; the caller must not go on then.
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
    # It counts all that the user runs, other kernels too, so it comes on top, and only where nothing better is:
    # seccomp refuses new processes, and the address space bounds the threads.
    wanted = limits.pop("RLIMIT_NPROC", None)
    if wanted and layer == "limits":
        limits["RLIMIT_NPROC"] = privileges.running() + wanted
    privileges.limit(limits)
    if layer == "landlock" or layer == "bubblewrap" and landlock.abi():
        landlock.restrict((*places, *_OF_THE_KERNEL), (confinement.workdir,), _DEVICES)
    if layer in ("landlock", "bubblewrap"):
        seccomp.restrict()


def refuse_names(layer: str) -> None:
    """A kernel's own sockets have their names: from here on it gives none."""
    if layer in ("landlock", "bubblewrap"):
        seccomp.refuse_names()


def hand_over(path: str | os.PathLike) -> None:
    """Let the ordinary user that the superuser's kernels become own a folder with all in it, or a file."""
    if os.geteuid() == 0:
        for each in (
            path,
            *(os.path.join(at, name) for at, folders, files in os.walk(path) for name in (*folders, *files)),
        ):
            os.chown(each, privileges.UNPRIVILEGED, privileges.UNPRIVILEGED, follow_symlinks=False)


def best_layer() -> str:
    """The best layer that works here, or the weaker one that the environment variable asks for."""
    layers = available_layers()
    asked = os.environ.get(CHOICE)
    if asked and asked not in layers:
        raise ValueError(f"{CHOICE} is {asked!r}; what works here is {', '.join(layers)}")
    return asked or layers[0]


def keeps_forks_apart() -> bool:
    """Whether kernels forked by one server cannot reach each other: one bubblewrap encloses them all, so Landlock must."""
    return best_layer() != "bubblewrap" or landlock.abi() > 0


@cache
def available_layers() -> tuple[str, ...]:
    """The layers that work here, best first. Bubblewrap is tried out, since many systems forbid what it needs."""
    works = {"limits": True, "landlock": seccomp.available() and landlock.abi() > 0}
    works["bubblewrap"] = seccomp.available() and _bubblewrap_works()
    return tuple(layer for layer in LAYERS if works[layer])


def _bubblewrap_works() -> bool:
    if not shutil.which("bwrap"):
        return False
    command = wrap([sys.executable, "-I", "-S", "-c", ""], Confinement(workdir="/tmp", readable=(), limits={}))
    with suppress(OSError, subprocess.TimeoutExpired), privileges.uninterrupted():
        return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=20).returncode == 0
    return False


def wrap(command: list[str], confinement: Confinement) -> list[str]:
    """The command inside bubblewrap. It sees the system, the places it may read, and its workdir, and no other process."""
    if os.geteuid() == 0:
        # Enough to become an ordinary user, and to end kernels forked here; with all of them it could mount its way out.
        user = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_KILL"]
    else:
        user = ["--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    bubblewrap = [shutil.which("bwrap") or "bwrap", "--die-with-parent", *user]
    bubblewrap += ["--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    bubblewrap += ["--dev", "/dev", "--tmpfs", "/tmp"]
    if landlock.abi():
        bubblewrap += ["--proc", "/proc"]
    else:  # Linux tells there how to write into other processes, bubblewrap's own too, and only Landlock could refuse it
        bubblewrap += ["--ro-bind-try", "/proc/cpuinfo", "/proc/cpuinfo"]
    places = confinement.places()
    above = {str(folder) for place in (*places, confinement.workdir) for folder in Path(place).parents} - {"/", "/tmp"}
    for folder in sorted(above):  # else bubblewrap would make them for the superuser only
        bubblewrap += ["--dir", folder]
    for place in places:
        bubblewrap += ["--ro-bind", place, place]
    bubblewrap += ["--bind", confinement.workdir, confinement.workdir]
    if not landlock.abi():  # what is written there would be memory that no budget counts
        bubblewrap += [word for folder in ("/tmp", "/dev", "/") for word in ("--remount-ro", folder)]
    return [*bubblewrap, "--chdir", "/", "--", *command]
