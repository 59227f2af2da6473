"""A class graded in independent shards and merged gives the same results as one run."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from desks import by_hand

from labkit.desk.people import score_store
from labkit.grade.batch.part import Shard, together
from labkit.grade.intake.submission import Submission
from labkit.student.model.errors import UserError

LAB = "01_spread"
SHARDS = 2
FILES = ("results.json", "gradebook.csv", "final_scores.json", "report.html")


@pytest.fixture(scope="module")
def graded(tmp_path_factory, labkit, on_the_tiny_course):
    """A folder with a class, its results when graded in one run, and its shards."""
    from handouts import Handout

    folder = tmp_path_factory.mktemp("shards")
    for number in range(6):
        copy = Handout(LAB, solved=number % 2 == 0)
        copy.insert(f"mine = {number // 2}", after="setup").save(
            folder / "class" / f"student-{number}" / f"{LAB}.ipynb"
        )
    (folder / "class/student-8").mkdir()
    (folder / "class/student-8" / f"{LAB}.ipynb").write_text("not a notebook")
    (folder / "roster.csv").write_text("id,name,email,section\nstudent-1,Ann,a@b.c,1\nstudent-9,Bo,b@b.c,1\n")
    shards = [["--out", f"shard-{number}", "--shard", f"{number}/{SHARDS}"] for number in range(1, SHARDS + 1)]
    for more in (["--out", "whole"], *shards):
        if more in shards:
            (folder / more[1]).mkdir()
            shutil.copy(folder / "whole/facts.jsonl", folder / more[1])  # so that nothing is graded twice
        done = labkit("grade", "class", *more, "--roster", "roster.csv", cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


def test_merged_shards_equal_one_run(graded, labkit, tmp_path):
    names = [f"shard-{number}" for number in range(SHARDS, 0, -1)]
    done = labkit("merge", *names, "--out", tmp_path / "out", cwd=graded)
    assert done.returncode == 0, done.stderr
    pages = [path.relative_to(graded / "whole") for path in (graded / "whole/students").iterdir()]
    for name in (*FILES, *pages):
        assert (tmp_path / "out" / name).read_bytes() == (graded / "whole" / name).read_bytes()


def test_each_row_is_in_one_shard_with_all_its_reports(graded):
    rows = [json.loads((graded / f"shard-{number}/results.json").read_text()) for number in range(1, SHARDS + 1)]
    whole = json.loads((graded / "whole/results.json").read_text())
    assert sorted((row for part in rows for row in part), key=lambda row: (row["student"], row["lab"])) == whole
    assert all((graded / f"shard-1/{name}").exists() for name in FILES)


def test_diff_of_a_shard_lists_changes_and_writes_nothing(graded, labkit, tmp_path):
    out = shutil.copytree(graded / "shard-1", tmp_path / "shard")
    before = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    done = labkit("grade", "class", "--out", out, "--shard", "1/2", "--roster", "roster.csv", "--diff", cwd=graded)
    assert done.returncode == 0 and "No final score would change." in done.stdout
    assert before == {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}


def test_incomplete_shards_are_one_line(graded, labkit, tmp_path):
    one, two, three = graded / "shard-1", graded / "shard-2", graded / "whole"
    records = {folder: score_store.kept(folder).run.shard for folder in (one, two, three)}
    cases = [
        ({one: records[one]}, "shard 2/2 is missing"),
        ({**records, three: records[two]}, "shard 2/2 occurs twice"),
    ]
    cases += [(records, f"{three}: not a completely graded shard")]
    for name, says in (("seed", "a different --seed than"), ("budgets", "a different set of budgets"), ("labs", "a different course, labkit"),
                       ("rows", "a different class"), ("of", "a different number of shards")):  # fmt: skip
        cases.append(({two: records[two], one: {**records[one], name: "other"}}, says))
    for shards, says in cases:
        with pytest.raises(UserError, match=says):
            together(shards)
    done = labkit("merge", one, "--out", tmp_path / "out")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "shard 2/2 is missing" in done.stderr
    done = labkit("merge", one, two, "--out", two)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "one of the shards" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_file_that_changed_after_the_shards_is_one_line(graded, labkit, tmp_path, handout):
    folder = shutil.copytree(graded, tmp_path / "copy")
    for number in (1, 2):
        path = folder / f"shard-{number}/final_scores.json"
        path.write_text(path.read_text().replace(str(graded), str(folder)))
    handout(LAB).insert("mine = 'other'", after="setup").save(folder / "class/student-1" / f"{LAB}.ipynb")
    done = labkit("merge", *folder.glob("shard-*"), "--out", tmp_path / "out")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "the class has changed" in done.stderr


def test_rows_lost_from_a_shard_are_not_judged(graded, labkit, tmp_path):
    folders = [shutil.copytree(graded / f"shard-{number}", tmp_path / f"{number}") for number in (1, 2)]
    for folder in folders:
        (folder / "facts.jsonl").unlink()
    done = labkit("merge", *folders, "--out", tmp_path / "out")
    rows = json.loads((tmp_path / "out/results.json").read_text())
    assert done.returncode == 3 and {row["status"] for row in rows if row["student"] == "student-1"} == {"not_judged"}


def test_points_given_by_hand_in_a_shard_are_never_left_out(graded, labkit, tmp_path):
    one, two = (shutil.copytree(graded / f"shard-{number}", tmp_path / f"{number}") for number in (1, 2))
    by_hand(two, f"student-1,{LAB},,1,,why,")
    done = labkit("merge", one, two, "--out", tmp_path / "out")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "2/adjustments.csv: merging would leave out this file" in done.stderr
    by_hand(tmp_path / "out", f"student-1,{LAB},,1,,why,", f"student-9,{LAB},,,4,by mail,")
    shutil.copy(tmp_path / "out/adjustments.csv", two)
    assert labkit("merge", one, two, "--out", tmp_path / "out").returncode == 0
    finals = {each.student: each.final for each in score_store.read(tmp_path / "out")[1]}
    assert (finals["student-1"], finals["student-9"]) == (1, 4)


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/", "/3", "1/0", "-1/3", "a/b", "1.5/3", "1/3/4", "１/３"])
def test_a_wrong_shard_is_one_line(text, labkit, tmp_path):
    with pytest.raises(UserError):
        Shard.read(text)
    if text in ("0/3", "a/b"):
        done = labkit("grade", tmp_path, "--out", tmp_path / "out", "--shard", text)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and text in done.stderr


def test_a_shard_needs_a_seed(run_command, tmp_path):
    command = Path(sys.executable).with_name("labkit")
    done = run_command(command, "grade", tmp_path, "--out", tmp_path / "out", "--shard", "1/3")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "--seed" in done.stderr


def test_a_submissions_shard_does_not_depend_on_the_student():
    def submission(student: str, digest: str = "") -> Submission:
        return Submission(student, LAB, digest=digest)

    shards = [Shard(number, 16) for number in range(1, 17)]
    for each in [submission(str(number), number % 2 * str(number)) for number in range(200)]:
        assert sum(shard.has(each) for shard in shards) == 1
    assert [shard.has(submission("a", "digest")) for shard in shards] == [
        shard.has(submission("b", "digest")) for shard in shards
    ]
    assert [shard.number for shard in shards if shard.has(submission("a", "digest"))] == [KNOWN]


KNOWN = 5  # the same for every Python and machine
