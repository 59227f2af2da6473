"""results.json and gradebook.csv, and what an instructor sees."""

import csv
import io
import json
import tempfile
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.budgets import Budgets
from labkit.grading import judge, recorder
from labkit.grading.cache import ResultCache, write_whole
from labkit.grading.grade import Results
from labkit.grading.results import Check, Result
from labkit.grading.task import Task
from labkit.grading.worths import unjudged
from labkit.intake.choose import Chosen
from labkit.intake.discover import Entry
from labkit.reports.gradebook import gradebook, results_json, write_reports
from labkit.reports.terminal import Progress, printable, summary

LAB = "01_build_the_table"


def result(student: str = "ada", lab: str = LAB) -> Result:
    checks = (
        Check("frequencies", "one", 1, 1, "passed"),
        Check("frequencies", "two", 0, 1, "failed", "Which value does your last exponent reach?", "exponent-d-minus-2"),
        Check("why_pairs", "rubric", 0, 0, "manual"),
    )
    return Result(student, lab, "graded", "", 1, checks)


def rows(text: str) -> list[dict]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_has_the_points_of_each_exercise():
    (row,) = rows("".join(gradebook([result()])))
    assert (row["student"], row["lab"], row["status"], row["score"], row["max_score"]) == (
        "ada",
        LAB,
        "graded",
        "1",
        "2",
    )
    assert row["frequencies"] == "1" and row["why_pairs"] == "" and row["by_hand"] == ""


@pytest.mark.parametrize("name", ["=1+1", "+cmd", "-2", "@sum", "\tx", '=HYPERLINK("http://example.org")'])
def test_a_name_cannot_be_a_formula(name):
    assert rows("".join(gradebook([result(name)])))[0]["student"] == "'" + name


def test_commas_quotes_and_line_breaks_in_names_stay_in_their_field():
    name = 'a, "b"\nc'
    assert rows("".join(gradebook([result(name)])))[0]["student"] == name


def test_control_and_direction_characters_become_visible():
    assert printable("a\x1b[31mb\u202ec\n") == "a\\u001b[31mb\\u202ec\\u000a"


def test_results_come_back_from_their_json():
    assert Result.from_json(json.loads(json.dumps(result().as_json()))) == result()


def test_files_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    paths = write_reports([result()], tmp_path)
    before = [path.read_bytes() for path in paths]
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "no space")))
    with pytest.raises(OSError):
        write_reports([result("bob")], tmp_path)
    assert [path.read_bytes() for path in paths] == before and len(list(tmp_path.iterdir())) == 2


def test_an_unreadable_submission_of_a_known_lab_gets_none_of_its_points():
    refused = unjudged("ada", LAB, "unreadable", "the file is empty", 1)
    assert (refused.score, refused.max_score) == (0, 10) and {check.outcome for check in refused.checks} == {"error"}
    assert unjudged("ada", "essay", "not_a_lab", "", 1).checks == ()


def test_progress_says_how_long_it_takes(capsys):
    progress = Progress(2)
    progress.tell(result())
    progress.tell(result("bob\x1b[2J"))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("[1/2] ada") and lines[0].endswith("left")
    assert lines[1].startswith("[2/2] bob\\u001b[2J") and "left" not in lines[1]


@pytest.fixture
def cache(tmp_path):
    return ResultCache(tmp_path / "cache", seed=1, budgets=Budgets())


def chosen(student: str = "ada", lab: str = LAB, digest: str = "one") -> Chosen:
    return Chosen(student, lab, Entry(student, None, f"{student}/a.ipynb"), digest)


def test_the_cache_knows_content_lab_seed_and_budgets(tmp_path, cache):
    key = cache.key(chosen())
    assert cache.key(chosen("bob")) == key
    assert cache.key(chosen(digest="two")) != key != cache.key(chosen(lab="02_heatmap"))
    assert ResultCache(tmp_path / "cache", 2, Budgets()).key(chosen()) != key
    assert ResultCache(tmp_path / "cache", 1, Budgets(cell_seconds=1)).key(chosen()) != key


def test_a_damaged_cache_is_no_cache(cache):
    cache.put("k", result())
    assert cache.get("k", chosen("bob")) == replace(result("bob"), file="bob/a.ipynb")
    for damage in ("", "{", "[]", '{"status": 1}'):
        (cache.folder / "k.json").write_text(damage)
        assert cache.get("k", chosen("bob")) is None


@pytest.mark.parametrize("room, where", [(judge, "read_file"), (recorder, "_outcome")])
def test_a_fault_of_the_grader_is_nobodys_result(tmp_path, monkeypatch, handout, room, where):
    """The class goes on: the next submission of the same session is judged."""
    faults, healthy = iter([ZeroDivisionError("division by zero")]), getattr(room, where)
    monkeypatch.setattr(room, where, lambda *given: _fails_once(faults) or healthy(*given))
    path, results = handout(LAB).save(tmp_path / f"{LAB}.ipynb"), []
    judge.judge_each([Task(path, "ada"), Task(path, "bob")], results.append)
    assert [each.status for each in results] == ["not_judged", "graded"]
    assert {check.outcome for check in results[1].checks} == {"missing"}
    assert "ZeroDivisionError" in results[0].reason and results[0].max_score == 10


def _fails_once(faults):
    for fault in faults:
        raise fault


@given(st.text(st.characters(codec=None), max_size=20), st.sampled_from(["", "=", "\ud800", "\x1b[2J\u202e", "\x00"]))
def test_reports_are_written_whatever_is_in_them(text, start):
    said = start + text
    check = Check(said, said, 0, 1, "failed", said, said, ({"id": said, "numbers": {said: said}},))
    hostile = Result(said, said, "graded", said, 1, (check,), said, (said, said))
    with tempfile.TemporaryDirectory() as folder:
        for path in write_reports([hostile, result()], Path(folder)):
            assert path.read_text("utf-8")
        assert len(json.loads((Path(folder) / "results.json").read_text("utf-8"))) == 2
        with redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace")):
            summary([hostile, result()], [])


def test_writing_nowhere_is_an_error(tmp_path):
    with pytest.raises(OSError):
        write_whole(tmp_path / "none" / "file", ["x"])


def test_results_of_a_class_are_read_from_where_they_are_kept(tmp_path, cache):
    cache.put("k", result())
    rows = {"bob": "k", "ada": "k", "cem": "gone", "dan": result("dan")}
    lost = Results(cache, [(chosen(student), kept) for student, kept in rows.items()])
    assert [each.student for each in lost] == ["ada", "bob", "cem", "dan"] and len(lost) == 4
    assert lost[1] == replace(result("bob"), file="bob/a.ipynb") and lost[3] == result("dan")
    assert lost[2].status == "not_judged" and "grade it again" in lost[2].reason
    assert json.loads("".join(results_json(lost))) == [each.as_json() for each in lost]


def test_of_a_large_class_only_those_are_listed_who_were_not_graded(capsys):
    missing = unjudged("zoe", LAB, "unreadable", "the file is empty", 1)
    summary([*(result(f"student-{number}") for number in range(60)), missing], [])
    told = capsys.readouterr().out
    assert "zoe" in told and "student-1" not in told
    assert "60 more of 61 in the files below; the median of all scores is 1." in told
    assert "exponent-d-minus-2 (60)" in told
