"""Test the Makefile's targets and their variables."""

import json
import os
import shutil
import sys
import tomllib

import pytest
from longer import each_value_once
from needs import needs

from labkit.student.model import project

LAB = "01_build_the_table"
NAMES = ["some folder/it's my class", 'a "b" (c), $HOME $(HOME) `id`; #\\ & é']
pytestmark, made = needs("make"), needs("make env")


@made
@pytest.mark.parametrize(("name", "by_environment"), each_value_once(NAMES, [False, True]))
def test_make_grade_takes_any_name(name, by_environment, tmp_path, run_command):
    """The submitted file is not a notebook, so grading runs no code."""
    folder, out = tmp_path / name, tmp_path / "graded" / name
    (folder / "ada").mkdir(parents=True)
    (folder / "ada" / f"{LAB}.ipynb").write_text("not a notebook")
    settings = {"CLASS": str(folder), "OUT": str(out)}
    if by_environment:
        done = run_command("make", "grade", cwd=project.current().root, env={**os.environ, **settings})
    else:
        done = run_command(
            "make", "grade", *(f"{each}={value}" for each, value in settings.items()), cwd=project.current().root
        )
    assert done.returncode == 0, done.stderr
    assert [row["status"] for row in json.loads((out / "results.json").read_text("utf-8"))] == ["unreadable"]


def test_make_lists_its_verbs(run_command):
    done = run_command("make", "help", cwd=project.current().root)
    assert done.returncode == 0
    assert {line.split()[1] for line in done.stdout.splitlines()} >= {
        "env",
        "lab",
        "grade",
        "test",
        "fmt",
        "build",
        "help",
    }


@made
def test_make_test_lab_runs_the_tests_of_one_lab(tmp_path, run_command):
    """A script takes the place of Python and prints its arguments."""
    (tmp_path / "python").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "python").chmod(0o755)
    asked = run_command(
        "make", "--no-print-directory", "test-lab", "LAB=01", f"BIN={tmp_path}", cwd=project.current().root
    )
    assert asked.returncode == 0, asked.stderr
    assert asked.stdout.splitlines()[-4:] == [
        "tests/autograder/build_the_table",
        "tests/course",
        "-k",
        "build_the_table or test_generated.py",
    ]
    for lab in ("LAB=99", "LAB=", "LAB=some lab's"):
        asked = ("make", "--no-print-directory", "test-lab", lab, f"BIN={tmp_path}")
        refused = run_command(*asked, cwd=project.current().root)
        assert refused.returncode == 2 and "name a lab by its number" in refused.stderr and not refused.stdout


def test_make_test_ends_with_the_run_that_says_what_was_not_tested(run_command):
    command = ["make", "--no-print-directory", "-n", "-o", ".venv/.ready", "test"]
    done = run_command(*command, cwd=project.current().root)
    last = done.stdout.splitlines()[-1]
    assert done.returncode == 0 and "pytest" in last and "nbval" in done.stdout and "nbval" not in last


def test_make_says_which_python_it_needs(tmp_path, run_command):
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    done = run_command("make", "-W", "pyproject.toml", "env", f"PYTHON={fake}", cwd=project.current().root)
    assert done.returncode == 2 and "Python 3.11 or newer" in done.stderr


@pytest.mark.parametrize("uv, installer", [("", "-m pip install"), ("/usr/bin/uv", "/usr/bin/uv sync")])
def test_make_env_installs_with_uv_or_pip(uv, installer, run_command):
    done = run_command("make", "-n", "-W", "pyproject.toml", "env", f"UV={uv}", cwd=project.current().root)
    assert installer in done.stdout
    assert sum(each in done.stdout for each in ("pip install", "uv sync")) == 1


def test_make_pins_pins_the_installed_versions(tmp_path, run_command):
    """In a copy of pyproject.toml, `make pins` changes only the list of pins."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(project.current().root / name, tmp_path)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "sphinx.py").touch()  # in place of the extra `site`
    before = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = run_command("make", "-o", ".venv/.ready", "pins", cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    after = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))
    pins = after["tool"]["uv"].pop("constraint-dependencies")
    assert f"pytest=={pytest.__version__}" in pins and len(pins) > 50
    assert not [pin for pin in pins if pin.startswith(("pip==", "nblabkit==", "encoding-labs=="))]
    del before["tool"]["uv"]["constraint-dependencies"]
    assert after == before
