"""A kernel's temporary folders, its importable packages, and an environment without the caller's variables."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import labkit
from labkit.student.model.course import PART, Environment, part_of
from labkit.student.model.project import Project

# For Python: like -I, without the caller's folder and the user's packages, but with the variables that labkit sets.
ISOLATED = ("-s", "-P")
LONGEST = 48  # socket paths have at most about 100 characters, and multiprocessing and ZeroMQ append names
USUAL = "/tmp"
# For glibc: keep up to 256 MiB of freed memory, and use large pages. By default, it returns each large array to the system, and
# clearing the pages of the next one, of 4 KiB each, takes up to a tenth of a kernel's time.
ALLOCATION = {"MALLOC_MMAP_THRESHOLD_": str(64 * 2**20), "MALLOC_TRIM_THRESHOLD_": str(256 * 2**20)}
ALLOCATION["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")

# Retried for some seconds, because a process that is ending may still write to the folder.
# chmod is needed because rm fails on folders closed to their owner. Folders may be nested deeper than a path can express.
_REMOVE = 'tries=0; until rm -rf -- "$@" || [ $((tries += 1)) -gt 50 ]; do chmod -R u+rwx -- "$@"; sleep 0.1; done'
REMOVE = ["sh", "-c", _REMOVE, "sh"]  # followed by the folders
# Removes the folder named on standard input, and those whose names continue its name after a hyphen, when standard input is closed,
# whatever the reason. systemd sends SIGTERM to this process too.
REMOVE_AT_THE_END = [
    "sh",
    "-c",
    f'trap "" TERM HUP; set -- "$(cat)"; [ -z "$1" ] || {{ set -- "$1" "$1"-*; {_REMOVE}; }}',
]
# Runs the command from standard input in the folder given as an argument. Removes the folder when the command has ended for any
# reason, or when the process that should send the command ends first.
_RUN = 'trap : TERM HUP; command=$(cat); cd -- "$0" && unset OLDPWD && eval "$command" </dev/null; cd /'
THEN_REMOVE = ["sh", "-c", f'{_RUN}; set -- "$0"; {_REMOVE}']


def keep_short() -> None:
    """Use /tmp if the path of the environment's temporary folder is too long."""
    if len(os.fsencode(tempfile.gettempdir())) > LONGEST and os.access(USUAL, os.W_OK):
        tempfile.tempdir = USUAL


def remove(folder: str | os.PathLike) -> None:
    """Remove a folder with its contents, without ever raising an error, even if Python cannot recurse into it or list it."""
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder):
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run([*REMOVE, folder], capture_output=True, stdin=subprocess.DEVNULL, timeout=60)


def make_import_root(project: Project, import_root: Path, environment: Environment) -> Path:
    """Make the folder of packages that a submission may import: labkit, the environment's, and its part of the course's."""
    course = import_root / project.package
    course.mkdir(parents=True)
    (course / PART).write_text("\n".join(environment.labs), "utf-8")
    for path in map(Path, packages(project, environment)):
        (course if path.parent.name == project.package else import_root).joinpath(path.name).symlink_to(path)
    return import_root


def packages(project: Project, environment: Environment) -> tuple[str, ...]:
    """The packages and parts of the course's package that the import root links to."""
    own = (project.source / name for name in environment.packages)
    part = part_of(project.source / project.package, project.course.names, environment.labs)
    return tuple(map(str, (Path(labkit.__file__).parent, *own, *part)))


def make_font_cache(config: Path) -> Path:
    """Make matplotlib's folder with a copy of the font list, which it would otherwise build again from the system's fonts."""
    config.mkdir()
    # Matplotlib's default on Linux. Asking matplotlib would mean a slow import.
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    lists = [*Path(os.environ.get("MPLCONFIGDIR") or Path(base, "matplotlib")).glob("fontlist-*.json")]
    if not lists:
        import matplotlib.font_manager  # on a machine's first run, this import creates the list

        lists = [*Path(matplotlib.get_cachedir()).glob("fontlist-*.json")]
    for each in lists:
        shutil.copy(each, config)
    return config


def environment_variables(workdir: Path, matplotlib_folder: Path) -> dict[str, str]:
    """A kernel's environment, without the caller's variables. It allows one thread, because kernels run in parallel."""
    variables = {"PATH": os.defpath, "LANG": "C.UTF-8", "MPLCONFIGDIR": str(matplotlib_folder), **variables_of(workdir)}
    variables["PYTHONHASHSEED"] = "0"  # the order of a set of texts is the same in every run
    ones = dict.fromkeys((*THREADS, "PYTHONDONTWRITEBYTECODE", "LABKIT_NO_PICTURES"), "1")
    return {**variables, **ones, **ALLOCATION}


def variables_of(workdir: Path) -> dict[str, str]:
    """The environment variables that point to the kernel's own folder."""
    return {"HOME": str(workdir), "TMPDIR": str(workdir), "IPYTHONDIR": str(workdir / "ipython")}
