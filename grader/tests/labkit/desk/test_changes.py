"""Which final scores changed, by how much and why; and final_scores.json, which records the inputs."""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace

import pytest
from desks import LAB, NEXT, leave, refused, result

from labkit.desk.people import manual, score_store
from labkit.desk.people.final_score import Adjustment, Mark
from labkit.desk.people.late import Policy
from labkit.desk.people.manual import digest_of
from labkit.desk.people.score_store import changes
from labkit.student.model import project
from labkit.student.model.errors import UserError


def lines(before, now) -> list[str]:
    return [change.line() for change in changes(before, now)]


def test_each_part_that_moved_is_named(tmp_path):
    before = leave(tmp_path, [result(), result("bob"), result("cem")])
    better = replace(result(), checks=tuple(replace(check, outcome="passed") for check in result().checks[:3]))
    manual.change(project.current().course, tmp_path / "manual.csv", {("bob", LAB, "robust"): Mark(1.5)})
    now = leave(tmp_path, [better, result("bob"), result("dan", NEXT)])
    assert lines(before, now) == [
        "ada  01_spread  3 → 5 (+2): midrange 0 → 2",
        "bob  01_spread  3 → 4.5 (+1.5): robust, by a reader, not read → 1.5",
        "cem  01_spread  3 → no longer there",
        "dan  02_levels  new: 2",
    ]
    assert lines(now, now) == []


def test_a_penalty_and_a_status_are_reasons_too(tmp_path):
    before = leave(tmp_path, [result(), result("bob")])
    late = Policy(own=lambda final_score: (1, "because"), deadlines={})
    same = leave(tmp_path, [result(), refused("bob")], late)
    assert lines(before, same) == ["bob  01_spread  3 → 0 (-3): graded → unreadable; spread 3 → 0"]
    (penalised,) = [replace(row, penalty=1.0, why_late="x\x1b[2J") for row in before if row.student == "ada"]
    told = lines(before, [penalised, before[1]])
    assert told == ["ada  01_spread  3 → 2 (-1): penalty 0 → 1 (x\\u001b[2J)"]


def test_parts_that_cancel_out_leave_the_final_score(tmp_path):
    (row,) = leave(tmp_path, [result()])
    more = (Adjustment("midrange", "why", add=1),)
    assert not changes([row], [replace(row, given=more, penalty=1)])


def test_final_scores_belong_to_the_results_and_readings_beside_them(tmp_path):
    wrote = leave(tmp_path, [result()])
    run, rows = score_store.read(tmp_path)
    assert rows == wrote and "exercises" in rows[0].feedback and str(run).startswith("seed 1, results ")
    for name, row in (
        ("manual", "points\nada,01_spread,robust,1"),
        ("adjustments", "add,set,reason\nada,01_spread,,1,,why"),
    ):
        (tmp_path / f"{name}.csv").write_text(f"student,lab,exercise,{row}\n")
        with pytest.raises(UserError, match=f"{name}.csv has changed since the gradebook was written"):
            score_store.read(tmp_path)
        leave(tmp_path, [result()])
        score_store.read(tmp_path)
    (tmp_path / "results.json").write_text("[]")
    with pytest.raises(UserError, match="final_scores.json belongs to other results"):
        score_store.read(tmp_path)


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"final_scores": [{}]}', '{"final_scores": 3}', '{"final_scores": [3]}']
)
def test_damaged_final_scores_are_none(tmp_path, damage):
    leave(tmp_path, [result()])
    (tmp_path / "final_scores.json").write_text(damage)
    assert score_store.earlier(tmp_path) is None
    with pytest.raises(UserError, match="no readable final_scores.json"):
        score_store.read(tmp_path)


@pytest.mark.parametrize("damage", ["", "{", "{}", "[3]", '[{"student": "ada", "lab": "01_spread", "checks": []}]'])
def test_results_in_another_format_give_a_one_line_error(tmp_path, damage):
    (tmp_path / "results.json").write_text(damage)
    with pytest.raises(UserError, match="results.json: not a results file") as problem:
        score_store.results_in(tmp_path)
    assert "\n" not in str(problem.value)


def test_a_closed_output_pipe_stops_nothing(tmp_path):
    """Changes are printed before the results are written."""
    before = "import sys; from labkit.desk.pages.terminal import show_changes; from labkit.desk.people.score_store import Change"
    row = "type('Row', (), dict(student='a' * 10_000, lab='x', final=1.0))"
    code = f"{before}; show_changes([Change(None, {row})] * 40, 40, True); print('written', file=sys.stderr)"
    command = f"{shlex.quote(sys.executable)} -c {shlex.quote(code)} | head -c 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "written\n")


def test_from_grading_to_final_scores_and_again(tmp_path, labkit, handout, tiny):
    """An instructor's whole workflow: grade, read answers, move a deadline, compare, grade again, export."""
    group, out, deadlines = tmp_path / "class", tmp_path / "out", tmp_path / "due.toml"
    handout(LAB, solved=True).save(group / "ada" / f"{LAB}.ipynb")
    handout(LAB).save(group / "bob" / f"{LAB}.ipynb")
    os.utime(group / "bob" / f"{LAB}.ipynb", (1.7e9, 1.7e9))  # different times, unlike files from a download
    early = labkit("grade", group, "--out", out, "--diff")
    assert early.returncode == 2 and "to compare with" in early.stderr and not out.exists()
    assert labkit("grade", group, "--out", out).returncode == 0
    raw = (out / "results.json").read_bytes()
    text = json.loads(raw)[0]["written"]["robust"]
    given = {("ada", LAB, "robust"): Mark(2, "yes", answer=digest_of(text))}
    manual.change(project.current().course, out / "manual.csv", given)
    stale = labkit("export", out, "--to", "csv", "--out", tmp_path / "x.csv")
    assert stale.returncode == 2 and "manual.csv has changed" in stale.stderr
    deadlines.write_text(f"[deadlines]\n{LAB} = 2020-01-01T00:00:00Z\n[late]\npercent = 10\nmost = 50\n")
    before = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    looked = labkit("grade", group, "--out", out, "--deadlines", deadlines, "--diff")
    assert looked.returncode == 0 and "Final scores that changed since the last grading: 1 of 2" in looked.stdout
    assert before == {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    done = labkit("grade", group, "--out", out, "--deadlines", deadlines)
    assert (
        done.returncode == 0
        and "6 → 4 (-2): robust, by a reader, not read → 2; penalty 0 → 4 (days late:" in done.stdout
    )
    assert (out / "results.json").read_bytes() == raw
    assert "ada,01_spread,graded,8,8,0,4,4," in (out / "gradebook.csv").read_text()
    assert labkit("export", out, "--to", "csv", "--out", tmp_path / "x.csv").returncode == 0
    (out / "manual.csv").write_text("student,lab,exercise,points,comment\nzoe,01_spread,robust,1,\n")
    before = (out / "gradebook.csv").read_bytes()
    wrong = labkit("grade", group, "--out", out)
    assert wrong.returncode == 2 and "manual.csv, line 2: there is no student 'zoe'" in wrong.stderr
    assert len(wrong.stderr.splitlines()) == 1 and (out / "gradebook.csv").read_bytes() == before
