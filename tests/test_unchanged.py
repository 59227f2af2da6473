"""A test marked `unchanged` is skipped only if it passed in an earlier run with exactly the same inputs."""

import subprocess
import sys
from pathlib import Path

import pytest
import unchanged

TESTS = """
import pytest

@pytest.mark.unchanged
def test_it():
    with open("runs", "a") as file:
        file.write("x")
    assert open("answer").read() == "right"
"""
CONFTEST = "from unchanged import pytest_pyfunc_call, pytest_runtest_makereport, pytest_terminal_summary\n"
# Prints the files that are opened while one sample answer of each lab is checked. A .pyc file is printed as its source.
OPENED = """
import sys, importlib.util
from pathlib import Path
opened = set()
sys.addaudithook(lambda event, args: event == "open" and isinstance(args[0], str) and opened.add(args[0]))
sys.path[:0] = [{paths}]
import test_grader_graded as graded
first = {{name.partition(".")[0]: samples[0] for name, samples in reversed(graded.GROUPS.items())}}
for sample in first.values():
    list(graded.complaints(sample))
assert len(first) == 7
for path in opened:
    path = Path(importlib.util.source_from_cache(path) if path.endswith(".pyc") else path)
    print(path.resolve())
"""


@pytest.mark.long("checks a sample answer of each lab in a new process, and lists the files that are opened")
def test_every_file_opened_while_examining_a_sample_is_in_the_key():
    root, folders = unchanged.ROOT, ("tests", "tests/course", "docs", "grader/tests", "grader/tests/labkit")
    paths = ", ".join(repr(str(root / each)) for each in folders)
    done = subprocess.run(
        [sys.executable, "-B", "-c", OPENED.format(paths=paths)], cwd=root, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    outside = {root / each for each in (".venv", ".git", ".labkit")}  # the key has package versions
    opened = {path for path in map(Path, done.stdout.split("\n")) if root in path.parents}
    opened = {path for path in opened if not outside & {*path.parents}}
    assert opened - {*unchanged.sources()} == set() and len(opened) > 100


@pytest.fixture
def files(tmp_path) -> list[Path]:
    for name in ("a.py", "b.toml"):
        (tmp_path / name).write_text(name)
    return [tmp_path / "a.py", tmp_path / "b.toml"]


def test_a_change_to_any_input_changes_the_key(files, tmp_path):
    def key(*versions: str) -> str:
        return unchanged.digest_of(tmp_path, files, versions or ["numpy 2.0"])

    seen = [key(), key("numpy 2.1"), key("numpy 2.0", "mpmath 1"), key("numpy 2.0mpmath 1")]
    for path in files:
        path.write_text("changed")
        seen.append(key())
    files[0] = files[0].rename(tmp_path / "c.py")
    seen += [key(), unchanged.digest_of(tmp_path, files[:1], ["numpy 2.0"])]
    assert len({*seen}) == len(seen) == 8


@pytest.fixture
def run(tmp_path, monkeypatch):
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = unchanged\naddopts = --strict-markers\n")
    (tmp_path / "answer").write_text("right")
    paths = ":".join(str(unchanged.ROOT / each) for each in ("tests", "grader/tests"))
    for name, value in {"PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "LABKIT_LONG": ""}.items():
        monkeypatch.setenv(name, value)

    def run(*words: str) -> tuple[str, int]:
        """Run pytest. Returns its output, and how often the test has run so far."""
        command = [sys.executable, "-m", "pytest", "-q", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240)
        return done.stdout, len((tmp_path / "runs").read_text())

    return run


def test_a_pass_is_reused_and_a_failure_is_not(run, tmp_path, monkeypatch):
    (tmp_path / "answer").write_text("wrong")
    assert [run()[1], run()[1]] == [1, 2]
    (tmp_path / "answer").write_text("right")
    said, runs = run()
    assert runs == 3 and "1 passed" in said and "not run again" not in said
    said, runs = run()
    assert runs == 3 and "1 passed" in said and "not run again: 1 " in said
    assert run("--cache-clear")[1] == 4 and run("-p", "no:cacheprovider")[1] == 5
    monkeypatch.setenv("LABKIT_LONG", "1")
    assert run()[1] == 6
