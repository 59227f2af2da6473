"""Fixtures for submissions, commands and kernels in the current course."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import own_folder
import pytest
from commands import commands
from handouts import QUICK, Handout
from hypothesis import settings

from labkit.student.judging import diagnosis
from labkit.student.model import project
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Environment

own_folder.use_own_folder()
pytest.register_assert_rewrite("longer", "needs")  # the plugins below; a conftest file may import them first

# Users' machines set neither. Both change how Python starts, so tests that start it would pass here and fail there.
for _name in ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"):
    os.environ.pop(_name, None)
for _name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR"):  # a shell's, which change what commands print
    os.environ.pop(_name, None)

# A shell's background processes ignore Ctrl-C, and those of `nohup` a closed terminal. So would every process that a test starts
# and ends. An empty handler is not inherited.
for _signal in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(_signal) is signal.SIG_IGN:
        signal.signal(_signal, lambda *_: None)


def pytest_configure(config: pytest.Config) -> None:
    for plugin in ("longer", "needs"):
        config.pluginmanager.import_plugin(plugin)  # only once, although two conftest files import this module
    from longer import times

    # Hypothesis's deadline for each example fails on a busy machine; pytest-timeout ends tests that hang.
    settings.register_profile("labkit", deadline=None, max_examples=times(30, 100))
    settings.load_profile("labkit")


@pytest.fixture(scope="session", autouse=True)
def temporary_folders(tmp_path_factory) -> None:
    """Let kernels read the courses in temporary folders, if the superuser of a container runs the tests."""
    if own_folder.closed_to_kernels():
        own_folder.open_to_kernels(tmp_path_factory)


@pytest.fixture(autouse=True)
def recognizers_that_break_are_seen(monkeypatch) -> None:
    """Make a mistake recognizer that raises fail the test. This applies in this process only: graders that tests start still ignore it."""
    monkeypatch.setattr(diagnosis, "STRICT", True)


@pytest.fixture(autouse=True)
def figures_and_their_style_end_with_their_test() -> Iterator[None]:
    """Close all figures and restore Matplotlib's style after each test. Later tests in the same worker count figures and look at titles."""
    loaded = sys.modules.get("matplotlib")
    before = dict.copy(loaded.rcParams) if loaded else None
    yield
    if loaded := sys.modules.get("matplotlib"):
        style = before or dict.copy(loaded.rcParamsOrig)
        dict.update(loaded.rcParams, {name: value for name, value in style.items() if name != "backend"})
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture
def handout() -> Callable[..., Handout]:
    return Handout


@pytest.fixture
def judged(tmp_path) -> Callable[..., object]:
    """Grade a submission in this process, as a worker does."""
    from labkit.grade.judge.judge import judge_file

    def judge(submission: Handout, seed: int = 1, budgets: Budgets = QUICK):
        path = submission.save(tmp_path / f"{submission.lab}.ipynb")
        return judge_file(project.current(), path, "ada", seed, budgets)

    return judge


@pytest.fixture(scope="session")
def run_command() -> Callable[..., subprocess.CompletedProcess]:
    def run(*command: object, **settings: object) -> subprocess.CompletedProcess:
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=240, **settings)

    return run


@pytest.fixture(scope="session")
def once() -> Callable[[str, Callable[[Path], object]], Path]:
    """Make a folder that all test workers share. The first worker to need it fills it while the others wait."""

    def made(name: str, fill: Callable[[Path], object]) -> Path:
        folder = Path(os.environ[own_folder.NAME], f"once-{name}")
        folder.mkdir(exist_ok=True)
        with open(folder.with_suffix(".lock"), "a+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.seek(0)
            if not lock.read():
                fill(folder)
                lock.write("filled")
        return folder

    return made


@pytest.fixture(scope="session")
def python_with_pip(once) -> Path:
    """A Python with pip: this one, or one from a new environment if uv created this one without pip."""
    from needs import skip_without

    if find_spec("pip"):
        return Path(sys.executable)

    def make(folder: Path) -> None:
        done = subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True, timeout=500)
        if done.returncode == 0:
            (folder / "has-pip").touch()

    folder = once("pip", make)
    return folder / "bin/python" if (folder / "has-pip").exists() else skip_without("pip")


@pytest.fixture(scope="session")
def package_index(once, python_with_pip) -> None:
    """Skip the test unless pip can download a small package here, in the installed version."""
    from needs import skip_without

    command = [python_with_pip, "-m", "pip", "--quiet", "--retries", "0", "download", "--no-deps"]
    command += [f"iniconfig=={version('iniconfig')}", "--dest"]

    def download(folder: Path) -> None:
        subprocess.run([*map(str, command), folder], capture_output=True, timeout=250)

    if not [*once("index", download).iterdir()]:
        skip_without("a package index")


@pytest.fixture(scope="session", autouse=True)
def commands_end_with_the_tests() -> Iterator[None]:
    yield
    if commands.cache_info().currsize:
        commands().close()
        commands.cache_clear()


@pytest.fixture(scope="session")
def labkit() -> Callable[..., subprocess.CompletedProcess]:
    """The command line. Grading draws with seed 1 by default, so that runs are comparable."""

    def run(verb: str = "", *arguments: object, **settings: object) -> subprocess.CompletedProcess:
        seed = ("--seed", "1") if verb == "grade" and "--seed" not in arguments else ()
        return commands().run(*filter(None, [verb]), *arguments, *seed, **settings)

    return run


@pytest.fixture
def ax():
    """An empty matplotlib Axes."""
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


@pytest.fixture
def start_kernel():
    """Start kernels, forks by default, that are stopped after the test."""
    from labkit.grade.kernel.forked import ForkedKernel

    started = []

    def start(kind=ForkedKernel, environment=Environment(), budgets=QUICK, **more):
        started.append(kind(project.current(), environment, budgets, **more))
        return started[-1]

    yield start
    for kernel in started:
        kernel.stop()
