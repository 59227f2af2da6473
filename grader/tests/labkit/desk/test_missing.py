"""Missing submissions: one row per student and assigned lab, and one line per lab."""

import json

import pytest
from downloads import LAB, PDF, save

from labkit.desk.people import matching
from labkit.grade.intake.files import Refusal
from labkit.grade.intake.submission import Submission
from labkit.student.model import project

OTHER = "02_levels"
GONE = Refusal("not_handed_in", "no submission for this lab")


def row(
    student: str, lab: str, refusal: Refusal | None = None, instead: str = "", path: str | None = "x"
) -> Submission:
    return Submission(student, lab, path, refusal=refusal, instead=instead)


def class_of(first: int, second: int, people: int = 30) -> list[Submission]:
    """A class of `people` students, of whom `first` submitted lab 01 and `second` submitted lab 02.

    Each student has a row for both labs, submitted or not.
    """
    return [
        row(f"s{n:02}", lab, None if n < count else GONE) for n in range(people) for lab, count in ((LAB, first), (OTHER, second))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "is_assigned"), [(29, 1, False), (29, 2, False), (29, 3, True), (9, 1, True), (11, 1, False)]
)
def test_a_lab_with_few_submissions_counts_as_not_assigned(first, second, is_assigned):
    rows, lines = matching.tidied(project.current().course, class_of(first, second))
    assert sum(each.lab == LAB for each in rows) == 30
    assert sum(each.lab == OTHER for each in rows) == (30 if is_assigned else second)
    assert len(lines) == (not is_assigned) and all(f"--lab {OTHER}" in line for line in lines)


def test_a_lab_alone_is_assigned_however_few_submitted_it():
    only = [each for each in class_of(0, 1) if each.lab == OTHER]
    assert matching.tidied(project.current().course, only) == (only, [])


def test_an_unreadable_file_counts_for_the_only_missing_lab():
    broken = Refusal("unreadable", "the file is empty")
    both = [row("ada", LAB), row("ada", OTHER), row("bob", "homework", broken), row("bob", LAB, GONE)]
    rows, _ = matching.tidied(project.current().course, [*both, row("bob", OTHER)])
    assert [each.lab for each in rows if each.student == "bob"] == [LAB, OTHER]
    assert rows[2].refusal.status == "unreadable" and rows[2].refusal.reason.startswith("the file is empty; ")
    rows, _ = matching.tidied(
        project.current().course, [*both, row("bob", OTHER, GONE)]
    )  # the file may be for either lab
    assert [each.lab for each in rows if each.student == "bob"] == [LAB, OTHER, "homework"]


def test_an_empty_folder_is_a_missing_submission():
    empty = Refusal("not_a_lab", "no notebook was submitted (found: nothing)")
    rows, _ = matching.tidied(
        project.current().course,
        [row("ada", LAB), row("bob", "", empty, matching.NOTHING, None), row("bob", LAB, GONE)],
    )
    assert [(each.lab, each.refusal) for each in rows if each.student == "bob"] == [(LAB, GONE)]


def test_a_class_with_a_pdf_and_an_early_submission(tmp_path, labkit):
    """Twelve submit lab 01 (one of them also lab 02), one submits a PDF, and one nothing."""
    people = [f"s{number:02}" for number in range(14)]
    files = {f"{name}/{LAB}.ipynb": "untouched" for name in people[:12]}
    save(tmp_path / "class", {**files, "s00/02_levels.ipynb": "the other lab", "s12/essay.pdf": PDF})
    roster = "id,name,email,section\n" + "".join(f"{name},,,\n" for name in people)
    (tmp_path / "roster.csv").write_text(roster)
    done = labkit("grade", "class", "--out", "out", "--roster", "roster.csv", "--allow-unsandboxed", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "out/results.json").read_text("utf-8"))
    assert sorted((row["student"], row["lab"]) for row in rows) == sorted(
        [*((name, LAB) for name in people), ("s00", OTHER)]
    )
    pdf, nothing = rows[-2:]
    assert (pdf["status"], pdf["reason"]) == ("not_a_lab", "submitted in place of a notebook: essay.pdf")
    assert (nothing["status"], nothing["max_score"]) == ("not_handed_in", 6)
    ahead = matching.tidied(project.current().course, class_of(12, 1))[1][0]
    assert f"{LAB}: 1 missing: s13. {ahead}" in " ".join(done.stdout.split())
