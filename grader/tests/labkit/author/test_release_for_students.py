"""The release for students: labs by language, wheels that run them, and nothing reserved for graders."""

import json
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from course_copy import CourseCopy

import labkit
import labkit.notebook
from labkit.author.release.students import write_release
from labkit.student.judging.words import words_in
from labkit.student.model import course, project
from labkit.student.model.course import folder_of
from labkit.student.model.errors import UserError

JUDGING = Path(labkit.__file__).parent / "student/judging"
LAB, NEXT = "01_spread", "02_levels"


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_release_has_the_labs_in_each_language_and_says_how_to_start(tmp_path):
    copy = CourseCopy(tmp_path / "course")
    with (copy / "labkit.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[translations.es]\ndescription = "Dos laboratorios pequeños"\n')
    (copy / "labs/es").mkdir()
    (copy / f"labs/es/{LAB}.ipynb").write_bytes((copy / f"labs/{LAB}.ipynb").read_bytes())
    done = copy.labkit("release", "--out", tmp_path / "out", "--lab", "1")
    assert done.returncode == 0 and "2 notebooks" in done.stdout, done.stderr
    (course_wheel,) = (tmp_path / "out/wheels").glob("tiny_labs-*.whl")
    (core,) = (tmp_path / "out/wheels").glob("nblabkit-*.whl")
    assert files_in(tmp_path / "out") == {
        *("README.md", "README.es.md", "AGENTS.md", "labs/es/AGENTS.md", "scripts/es/AGENTS.md"),
        *("requirements.txt", "environment.yml", f"wheels/{course_wheel.name}", f"wheels/{core.name}"),
        *(f"labs/{LAB}.ipynb", f"labs/es/{LAB}.ipynb", f"scripts/{LAB}.py", f"scripts/es/{LAB}.py"),
    }
    for page, first in (("README.md", f"labs/{LAB}.ipynb"), ("README.es.md", f"labs/es/{LAB}.ipynb")):
        text = (tmp_path / "out" / page).read_text("utf-8")
        assert f"env/bin/jupyter lab {first}\n" in text and "$" not in text
        assert f"`env/bin/python {first.replace('labs/', 'scripts/').replace('.ipynb', '.py')}`" in text
        assert len(text.splitlines()) < 40, "the page should fit on one screen"
    assert (tmp_path / "out/README.es.md").read_text("utf-8").startswith("# Dos laboratorios pequeños\n")
    lines = (tmp_path / "out/requirements.txt").read_text("utf-8").splitlines()
    assert lines[1:3] == [f"./wheels/{core.name}", f"./wheels/{course_wheel.name}"]
    assert lines[3].startswith("jupyterlab")


def test_a_release_leaves_out_what_its_labs_cannot_import(tmp_path):
    for lab, has in ((LAB, False), (NEXT, True)):
        write_release(project.current(), [course.current().labs[lab]], tmp_path / lab)
        (wheel,) = (tmp_path / lab / "wheels").glob("tiny_labs-*.whl")
        names = zipfile.ZipFile(wheel).namelist()
        assert any(name.startswith("ruler/") for name in names) == has
        folders = {name.split("/")[1] for name in names if name.startswith("tiny_labs/") and name.count("/") > 1}
        assert folders == {folder_of(lab)}
        assert f"+labs.{lab[:2]}-" in wheel.name, "pip would not replace one with the other"


def test_a_release_that_is_written_again_has_the_same_bytes_and_replaces_only_its_own(tmp_path):
    labs = list(course.current().labs.values())
    write_release(project.current(), labs, tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in files_in(tmp_path)}
    write_release(project.current(), labs[:1], tmp_path)
    assert not (tmp_path / f"labs/{NEXT}.ipynb").exists()
    (tmp_path / "notes.txt").write_text("of the instructor")
    write_release(project.current(), labs, tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "of the instructor"
    (tmp_path / "notes.txt").unlink()
    assert {name: (tmp_path / name).read_bytes() for name in files_in(tmp_path)} == before


def test_a_folder_with_other_files_is_refused_and_an_unbuilt_lab_is_named(tmp_path, labkit):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs/thesis.txt").touch()
    for words, says in (
        (["--out", tmp_path / "theirs"], "not empty, and not written by `labkit release`"),
        (["--out", tmp_path / "new", "--seed", "1"], "takes no --seed"),
    ):
        done = labkit("release", *words)
        assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert files_in(tmp_path) == {"theirs/thesis.txt"}
    copy = CourseCopy(tmp_path / "course")
    (copy / f"labs/{LAB}.ipynb").unlink()
    with pytest.raises(UserError, match="run `labkit build 01`"):
        write_release(project.read(copy.folder), [course.current().labs[LAB]], tmp_path / "ours")
    assert files_in(tmp_path / "ours") == set() and files_in(tmp_path / "theirs") == {"thesis.txt"}


def test_the_rules_for_assistants_name_only_what_exists(tmp_path):
    copy = CourseCopy(tmp_path / "course")
    (copy / "labs/es").mkdir()
    (copy / f"labs/es/{LAB}.ipynb").write_bytes((copy / f"labs/{LAB}.ipynb").read_bytes())
    release = tmp_path / "release"
    here = replace(project.read(copy.folder), languages=("en", "es"))
    write_release(here, [course.current().labs[LAB]], release)
    for page, language in (("AGENTS.md", "en"), ("labs/es/AGENTS.md", "es"), ("scripts/es/AGENTS.md", "es")):
        text = (release / page).read_text("utf-8")
        _, commands, _ = text.split("```")
        assert [Path(line.split()[-1]).parent.name for line in commands.split("\n")[1:-1]] == (
            ["labs", "scripts"] if language == "en" else ["es", "es"]
        )
        assert all((release / line.split()[-1]).is_file() for line in commands.split("\n")[1:-1])
        lines = [line for id, line in words_in(JUDGING)[language].items() if id.startswith("check-")]
        marks = {line[0] for line in lines if line[1] == " "}
        named = {*re.findall(r"`([^`\n]+)`", text.replace(commands, ""))}
        assert len(marks) == 4 and marks <= named, "each kind of message is explained"
        known = [*labkit.notebook.__all__, (release / f"scripts/{LAB}.py").read_text("utf-8")]
        for each in named - marks:
            assert (release / each).is_dir() or any(each.partition("(")[0] in name for name in known), each


SPREAD = """def spread(values):
    if not len(values):
        raise ValueError
    return 1 / 0"""


def test_python_runs_all_cells_of_a_script_and_goes_on_after_an_error(tmp_path):
    write_release(project.current(), [course.current().labs[LAB]], tmp_path)
    script = tmp_path / f"scripts/{LAB}.py"
    text = script.read_text("utf-8")
    elsewhere = os.environ | {"PYTHONPATH": str(project.current().source), "HOME": str(tmp_path)}

    def run() -> tuple[int, str]:
        done = subprocess.run([sys.executable, script], env=elsewhere, capture_output=True, text=True, timeout=120)
        assert done.stderr == "", done.stderr
        return done.returncode, done.stdout

    code, said = run()
    assert code == 0 and "The spread: not written yet." in said and "0 of 3 checks" in said, said
    begin, end = text.index("def spread("), text.index('# %% name="check_spread"')
    changed = text[:begin] + SPREAD + "\n\n# %%\nspread([1])\n\n" + text[end:]
    script.write_text(
        changed.replace('raise NotImplementedError("by_hand: write your answer here")', "by_hand = [1, 1.63]")
    )
    code, said = run()
    assert code == 1 and "✔ By hand: right." in said and "1 of 3 checks" in said
    assert "✘ The spread: spread(" in said and said.count("ZeroDivisionError") == 3
    line = changed[: changed.index("1 / 0")].count("\n") + 1
    assert re.search(rf"^-+> {line} +return 1 / 0$", said, re.MULTILINE), said


RUN = """
import sys
sys.path.insert(0, sys.argv[1])
import labkit, tiny_labs.spread.exercises
from labkit.notebook import check
check("spread", namespace={"spread": lambda values: 0.0})
print(labkit.__file__, tiny_labs.__file__, *tiny_labs.COURSE.names)
"""


@pytest.mark.parametrize("names", [[LAB], [LAB, NEXT]])
def test_a_check_runs_from_the_wheels_alone(tmp_path, names):
    write_release(project.current(), [course.current().labs[name] for name in names], tmp_path)
    for wheel in (tmp_path / "wheels").glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    command = [sys.executable, "-I", "-c", RUN, str(tmp_path / "installed")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "✘" in done.stdout and done.stdout.split()[-len(names) :] == names
    assert all(str(tmp_path / "installed" / name) in done.stdout for name in ("labkit", "tiny_labs"))


def test_every_notebook_of_a_release_is_the_one_in_the_course(tmp_path):
    write_release(project.current(), list(course.current().labs.values()), tmp_path)
    for path in (tmp_path / "labs").rglob("*.ipynb"):
        assert path.read_bytes() == (project.current().labs / path.relative_to(tmp_path / "labs")).read_bytes()
        assert all(not cell.get("outputs") for cell in json.loads(path.read_bytes())["cells"])
