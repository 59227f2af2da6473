"""What make does with what it is told."""

import json
import os

import pytest

from labkit import project

LAB = "01_build_the_table"
NAMES = ["some folder/it's my class", 'a "b" (c), $HOME $(HOME) `id`; #\\ & é']
made = pytest.mark.skipif(
    not (project.current().root / ".venv" / ".ready").exists(), reason="make would first build .venv"
)


@made
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("by_environment", [False, True])
def test_make_grade_takes_any_name(name, by_environment, tmp_path, run_command):
    """The notebook is none, so that nothing is run."""
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
