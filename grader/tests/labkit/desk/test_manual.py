"""manual.csv: manual points survive every regrade, are validated, and are never half written."""

import html
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from desks import LAB, leave, result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from longer import times
from processes import PATIENCE, first_line, started

from labkit.desk.people import manual
from labkit.desk.people.final_score import Mark
from labkit.desk.people.manual import digest_of
from labkit.student.model import project
from labkit.student.model.errors import UserError
from labkit.student.model.text import for_a_cell, from_a_cell, html_for_a_cell

HEAD = "student,lab,exercise,points,comment\n"
KILLS = times(3, 30)
ANYTHING = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    ["=1+1", "'=1", "'t", "a\r\nb", "\r", '"', "a;=1", "a;'=1", ";", "'", "\n-1"]
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "manual.csv"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(ANYTHING, st.tuples(st.sampled_from([0, 0.5, 1, 1.25, 2]), ANYTHING, ANYTHING), max_size=5))
def test_whatever_is_given_is_read_as_it_was(path, people):
    path.unlink(missing_ok=True)
    given = {(who, LAB, "robust"): Mark(points, said, items) for who, (points, said, items) in people.items()}
    manual.change(project.current().course, path, given)
    assert manual.read(project.current().course, path) == given


@given(ANYTHING | st.text(";=+-@\t\n\r' a1"))
def test_text_in_a_cell_is_no_formula_and_comes_back(text):
    cell = for_a_cell(text)
    assert not any(part.startswith(("=", "+", "-", "@")) for part in re.split("[;\n\r\t]", cell))
    assert not cell.startswith(("\t", "\r")) and from_a_cell(cell) == text
    assert not any(part.startswith(("=", "+", "-", "@")) for part in re.split("[;\n\r\t]", html_for_a_cell(text)))
    assert html.unescape(html_for_a_cell(html.escape(text))) == html.unescape(html.escape(text))


@pytest.mark.parametrize(
    "row, says",
    [
        ("ada,03_none,robust,1,", "line 2: there is no lab '03_none'"),
        (f"ada,{LAB},robus,1,", "has no exercise 'robus'; did you mean robust?"),
        (f"ada,{LAB},spread,1,", "spread is graded by its checks"),
        (f"ada,{LAB},robust,2.5,", "line 2: 2.5 is too many points; robust is worth 2"),
        *(
            (f"ada,{LAB},robust,{number},", "is not a number of points")
            for number in ("", "x", "nan", "inf", "-1", "1e999")
        ),
        (
            f"ada,{LAB},robust,1,\nada,{LAB},robust,2,",
            "line 3: ada already has points for robust, in manual.csv, line 2",
        ),
        (f'ada,{LAB},robust,1,"\n', "line 2: not valid CSV"),
        (f"ada,{LAB},robust,1,,,,", "line 2: this row has 8 cells"),
    ],
)
def test_an_impossible_row_is_reported_with_its_line_and_left_unchanged(path, row, says):
    path.write_text(HEAD + row)
    before = path.read_bytes()
    with pytest.raises(UserError) as problem:
        manual.read(project.current().course, path)
    assert says in str(problem.value) and "\n" not in str(problem.value)
    with pytest.raises(UserError):
        manual.change(project.current().course, path, {("bob", LAB, "robust"): Mark(1)})
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "encoding, mark, points", [("utf-8-sig", ";", "1,5"), ("utf-16", "\t", "1,5"), ("utf-8", ",", "1.5")]
)
def test_a_spreadsheet_may_save_it_in_its_own_way(path, encoding, mark, points):
    cells = "Müller", LAB, "robust", points, '"zwei\nZeilen"'
    path.write_bytes(f"{HEAD.replace(',', mark)}{mark.join(cells)}\n\n".encode(encoding))
    assert manual.read(project.current().course, path) == {("Müller", LAB, "robust"): Mark(1.5, "zwei\nZeilen")}


def test_an_answer_that_changed_waits_again(tmp_path):
    given = {("ada", LAB, "robust"): Mark(2, answer=digest_of("It grows."))}
    manual.change(project.current().course, tmp_path / "manual.csv", given)
    (read,) = leave(tmp_path, [result(text="It \n grows. ")])
    (again,) = leave(tmp_path, [result(text="It shrinks.")])
    assert (read.score, read.to_read) == (5, 0) and (again.score, again.to_read) == (3, 2)
    assert (tmp_path / "manual.csv").read_text().count("ada") == 1  # and it still shows the earlier grade


def test_a_row_written_by_hand_counts_for_any_submission(tmp_path):
    (tmp_path / "manual.csv").write_text(HEAD + f"ada,{LAB},robust,1.5,good\n")
    (row,) = leave(tmp_path, [replace(result(), written={})])
    assert row.score == 4.5 and row.readings["robust"].comment == "good"


def test_every_row_needs_a_submission():
    given, there = {("aad", LAB, "robust"): Mark(1, where="manual.csv, line 2")}, {("ada", LAB), ("bob", "02_levels")}
    with pytest.raises(UserError, match="line 2: there is no student 'aad'; did you mean ada?"):
        manual.check_students(given, there, [LAB])
    with pytest.raises(UserError, match="bob has no submission for 01_spread"):
        manual.check_students({("bob", LAB, "robust"): Mark(1)}, there, [LAB])
    manual.check_students(given, there, ["02_levels"])


WRITER = """
import sys
from pathlib import Path
from labkit.student.model import project
from labkit.desk.people import manual
course, path, who = project.current().course, Path(sys.argv[1]), sys.argv[2]
for number in range(10 ** 6):
    key = f"{who}-{number % 300}", "01_spread", "robust"
    manual.change(course, path, {key: manual.Mark(number % 3, f"{who} {number}")})
    print(number, flush=True)
"""


@pytest.mark.timeout(120 + 20 * KILLS)
def test_killed_at_random_moments_nothing_is_lost_and_nothing_half_written(path):
    """Two graders save points at the same time and are killed. Everything reported as saved is still there."""
    moments = random.Random(7)
    for round in range(KILLS):
        told = {}
        one, other = (
            started(sys.executable, "-c", WRITER, path, f"{who}{round}", stdout=subprocess.PIPE) for who in "ab"
        )
        with one as first, other as second:
            begun = {"a": first_line(first), "b": first_line(second)}
            time.sleep(moments.uniform(0, 0.5))
            for who, process in (("a", first), ("b", second)):
                process.send_signal(signal.SIGKILL)
                process.wait(PATIENCE)
                told[f"{who}{round}"] = int([begun[who], *process.stdout.read().split()][-1])
        kept = manual.read(project.current().course, path)
        for who, last in told.items():
            for number in range(max(0, last - 299), last + 1):
                saved = int(kept[f"{who}-{number % 300}", LAB, "robust"].comment.split()[1])
                assert saved == number or saved == last + 1 == number + 300
    manual.change(project.current().course, path, {})
    assert [each.name for each in path.parent.iterdir()] == ["manual.csv"]


def test_two_readers_who_agree_count_and_those_who_differ_await_a_decision(tmp_path):
    path, course, key = tmp_path / "manual.csv", project.current().course, ("ada", LAB, "robust")
    digest = digest_of("It grows.")
    manual.change(course, path, {key: Mark(2, "good", answer=digest)}, "bo")
    assert leave(tmp_path, [result()])[0].score == 5  # the only reader's points count
    manual.change(course, path, {key: Mark(1, "why?", answer=digest)}, "cy")
    assert leave(tmp_path, [result()])[0].to_read == 2
    assert path.read_text().splitlines()[0] == '"student","lab","exercise","points","comment","items","answer","reader"'
    manual.change(course, path, {key: Mark(2, "why?", answer=digest)}, "cy")
    (row,) = leave(tmp_path, [result()])
    assert (row.score, row.readings["robust"].comment) == (5, "good\nwhy?")
    manual.change(course, path, {key: Mark(0.5, answer=digest)})
    assert leave(tmp_path, [result()])[0].score == 3.5  # a decision counts
    manual.change(course, path, {key: Mark(1, answer=digest_of("It shrinks."))}, "bo")
    assert leave(tmp_path, [result(text="It shrinks.")])[0].score == 4  # the decision was for another answer
    assert leave(tmp_path, [result()])[0].to_read == 2
    path.write_text(f"{HEAD.strip()},reader\nada,{LAB},robust,1,,bo\nada,{LAB},robust,1,,bo\n")
    with pytest.raises(UserError, match=r"line 3: ada already has points of bo for robust, in manual\.csv, line 2"):
        manual.read(course, path)
