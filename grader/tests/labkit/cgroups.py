"""Give some processes too little memory, or too few processes, using a real cgroup. Needs root on Linux."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from needs import skip_without
from processes import until


@contextmanager
def cgroup(controller: str, processes: Iterable[int]) -> Iterator[Path]:
    """Create a cgroup and move these processes into it. Yields the cgroup's folder.

    Afterwards, all processes in the cgroup are moved to its parent.
    """
    parent = Path("/sys/fs/cgroup", controller)
    if os.geteuid() or not (parent / "cgroup.procs").exists():
        skip_without("cgroups")
    folder = parent / f"labkit-test-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError:  # read-only in a container
        skip_without("cgroups")
    try:
        for process in processes:
            (folder / "cgroup.procs").write_text(str(process))
        yield folder
    finally:
        assert until(lambda: _is_removed(folder)), f"processes in {folder} do not end"


def _is_removed(folder: Path) -> bool:
    """Remove an empty cgroup. One in which a process is still ending cannot be removed yet."""
    for process in (folder / "cgroup.procs").read_text().split():
        with suppress(ProcessLookupError):
            (folder.parent / "cgroup.procs").write_text(process)
    with suppress(OSError):
        folder.rmdir()
    return not folder.exists()
