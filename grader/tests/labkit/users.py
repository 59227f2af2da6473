"""Run a command as an ordinary user, if the interpreter or the clone belongs to a superuser and others cannot reach it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from labkit.student.model import project

CLONE = Path(__file__).resolve().parents[3]
ANYBODY = 0o001  # permission to enter a folder
DROP = [
    "setpriv",
    "--reuid",
    "65534",
    "--regid",
    "65534",
    "--clear-groups",
    "--bounding-set=-all",
    "--inh-caps=-all",
    "--",
]

# The capabilities that Docker gives a container's superuser by default.
_KEPT = "chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service net_raw sys_chroot mknod audit_write setfcap"
_ONLY_KEPT = ",".join(["-all", *(f"+{name}" for name in _KEPT.split())])
PLAIN_CONTAINER = ["setpriv", f"--bounding-set={_ONLY_KEPT}", f"--inh-caps={_ONLY_KEPT}", "--"]

# For this command, an open folder replaces the closed one above the files it needs.
OPEN = """
umask 022; aside=$1; closed=$2; shift 2
mount --bind "$closed" "$aside" && mount -t tmpfs -o mode=755 none "$closed" || exit 1
while [ "$1" != -- ]; do mkdir -p "$1" && mount --bind "$aside${1#"$closed"}" "$1" || exit 1; shift; done
umount "$aside"; shift; exec "$@"
"""


def as_user(command: list[str]) -> list[str]:
    """The same command as an ordinary user. It copies nothing and affects no one else."""
    return reached_by_users([*DROP, *command])


def in_plain_container(command: list[str]) -> list[str]:
    """The same command as the superuser of a plain container, in which other users can reach what the command needs."""
    return reached_by_users([*PLAIN_CONTAINER, *command])


def reached_by_users(command: list[str]) -> list[str]:
    """Like `as_user`, but runs as the current user, for a command that changes its user itself."""
    needed = _outermost(filter(os.path.isdir, _needed()))
    for closed in dict.fromkeys(filter(None, map(_closed_above, needed))):
        below = [path for path in needed if _closed_above(path) == closed]
        command = ["unshare", "--mount", "sh", "-c", OPEN, "sh", "/mnt", closed, *below, "--", *command]
    return command


def _needed() -> Iterator[str]:
    """The paths a command needs: the interpreter, the course and the clone.

    If other users cannot enter the course or the clone, the paths in it are listed instead.
    """
    yield from (sys.base_prefix, sys.prefix)
    for folder in (CLONE, project.current().root):
        yield from map(str, [folder] if _is_open(folder) else folder.iterdir())


def _outermost(paths: Iterator[str]) -> list[str]:
    found: list[str] = []
    for path in sorted(paths):
        if not any(path == other or path.startswith(f"{other}/") for other in found):
            found.append(path)
    return found


def _closed_above(path: str) -> str | None:
    """The outermost folder above the path that others cannot enter."""
    return next((str(folder) for folder in reversed(Path(path).parents) if not _is_open(folder)), None)


def _is_open(folder: Path) -> bool:
    return bool(folder.stat().st_mode & ANYBODY)
