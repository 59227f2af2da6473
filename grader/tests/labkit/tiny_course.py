"""The course for tests of the grader: `labkit new`, its README's exercise, and a second lab.

Lab 01_spread has the exercises spread (3 points), by_hand (1), midrange (2) and robust (a written answer). Lab 02_levels has
levels (2), draw_levels (2, a figure) and meaning (a written answer). Lab 02 also provides the locked module ruler.measure, in
which the function spread is the answer to lab 01.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver
from pathlib import Path

from commands import commands
from processes import until
from readme_steps import add_midrange

from labkit.author.source.new import new_course
from labkit.student.model import project

SECOND_LAB = Path(__file__).with_name("second_lab")
SECONDS = 240  # for making it, on a busy machine


def make(folder: Path) -> None:
    """Create and build the course in a new folder."""
    new_course(folder)
    add_midrange(folder)
    shutil.copytree(SECOND_LAB, folder, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    usual = {name: value for name, value in os.environ.items() if name != project.VARIABLE}
    for verb in ("lock", "build"):
        done = commands().run(verb, cwd=folder, env=usual, timeout=SECONDS)
        assert done.returncode == 0, done.stderr


@contextmanager
def used(folder: Path) -> Iterator[None]:
    """Switch this process, and those that it starts, to this course, and back afterwards.

    Process-wide state of the former course is set aside: its autograder, and the process from which workers are forked.
    """
    former, named, path = project.current().root, os.environ.get(project.VARIABLE), list(sys.path)
    aside = _take_out(sys.modules, lambda name: name.partition(".")[0] == "autograder")
    forkserver._forkserver._stop()
    try:
        os.environ[project.VARIABLE] = str(folder)
        project.use(folder)
        commands().unchanging.add(str(folder))
        yield
    finally:
        forkserver._forkserver._stop()
        _take_out(sys.modules, lambda name: name.partition(".")[0] == "autograder")
        sys.modules.update(aside)
        sys.path[:] = path
        os.environ.pop(project.VARIABLE)
        os.environ |= {project.VARIABLE: named} if named else {}
        project.use(former)


def _take_out(kept: dict, which) -> dict:
    return {name: kept.pop(name) for name in list(kept) if which(name)}


@contextmanager
def shared(common: Path) -> Iterator[Path]:
    """The course, for all processes that name the same folder. The first one creates it, and the last one removes it.

    The course is in the test run's temporary folder. Its name is short, and kernels of another user can enter it.
    """
    with open(common / "using", "a") as using:
        with _alone(common / "changing") as note:
            place = note.read()
            if not place:
                place = _made()
                note.write(place)
                note.flush()
            fcntl.flock(
                using, fcntl.LOCK_SH | fcntl.LOCK_NB
            )  # only the holder of the other lock takes this one exclusively
        try:
            yield Path(place, "tiny")
        finally:
            with _alone(common / "changing") as note:
                if _taken(using):
                    shutil.rmtree(place, ignore_errors=True)
                    note.truncate(0)


def _made() -> str:
    """A folder with the course in it."""
    place = tempfile.mkdtemp(prefix="lk-tiny-")
    try:
        os.chmod(place, 0o755)
        make(Path(place, "tiny"))
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    return place


@contextmanager
def _alone(path: Path) -> Iterator:
    """Lock the file at this path for this process."""
    with open(path, "a+") as file:
        assert until(lambda: _taken(file), SECONDS), "another process did not finish the tiny course"
        file.seek(0)
        yield file


def _taken(file) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
