"""The files of reports and student pages: their names, atomic writing, and what happens if a page cannot be made."""

import re

import pytest
from desks import seconds
from graded_pages import pages, result
from hypothesis import given
from hypothesis import strategies as st

from labkit.cli.run import Pages
from labkit.desk.pages.report import Report
from labkit.desk.pages.students import StudentPages, file_of
from labkit.desk.people.final_score import FinalScore
from labkit.student.model import project


def test_a_class_that_got_smaller_leaves_no_pages_and_what_is_not_ours_stays(tmp_path):
    pages(tmp_path, map(FinalScore, (result("ada"), result("bob"))))
    (tmp_path / "students" / "notes.html").write_text("<p>mine")
    (tmp_path / "students" / "notes.md").write_text("mine")
    before = (tmp_path / "students" / "ada.html").stat().st_mtime_ns
    pages(tmp_path, [FinalScore(result("ada"))])
    assert {path.name for path in (tmp_path / "students").iterdir()} == {"ada.html", "ada.md", "notes.html", "notes.md"}
    assert (tmp_path / "students" / "ada.html").stat().st_mtime_ns == before


def test_pages_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    made = pages(tmp_path, [FinalScore(result())])
    before = [path.read_bytes() for path in made]
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "no space")))
    report, own = Report(project.current(), tmp_path, {}), StudentPages(project.current(), tmp_path)
    other = FinalScore(result(submitted=seconds("2026-03-01T09:00:00Z"), file="new.ipynb", status="crashed"))
    report.add(other)
    own.add(other)
    for write in (own.finish, report.finish):
        with pytest.raises(OSError):
            write()
    assert [path.read_bytes() for path in made] == before


def test_a_failed_page_is_reported_and_the_others_are_made(tmp_path, monkeypatch):
    def broken(self, final_score):
        raise ValueError("in the\nmiddle")

    monkeypatch.setattr(Report, "add", broken)
    both = Pages(Report(project.current(), tmp_path, {}), StudentPages(project.current(), tmp_path))
    for name in ("ada", "bob"):
        both.add(FinalScore(result(name)))
    assert both.finish() == [tmp_path / "students"] and (tmp_path / "students" / "bob.html").exists()
    assert both.failed.startswith("report.html could not be made") and "ValueError: in the middle" in both.failed


def test_a_full_disk_is_no_fault_of_a_page(tmp_path, monkeypatch):
    def full(self, final_score):
        raise OSError(28, "no space")

    monkeypatch.setattr(Report, "add", full)
    with pytest.raises(OSError):
        Pages(Report(project.current(), tmp_path, {}), StudentPages(project.current(), tmp_path)).add(
            FinalScore(result())
        )


NAMES = [
    *("ada", "Ada", "ADA", "ada.", "ada ", "Ádá", "A\u0301da", "A/ada", "..", ".", "", "con", "CON"),
    *("ada.html", "ämne", "学生", "a" * 300, "\ud800", "ada\n"),
]


def test_every_student_has_files_of_their_own():
    files = [file_of(name) for name in NAMES]
    assert len({file.casefold() for file in files}) == len(NAMES) and files[0] == "ada"
    assert file_of(file_of("Ada")) != file_of("Ada")  # a name cannot claim another student's file


@given(st.text(st.characters(codec=None), max_size=80))
def test_a_file_name_is_safe_everywhere(name):
    assert re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,59}(\.[0-9a-f]{16})?", file_of(name))
