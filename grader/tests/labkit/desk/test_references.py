"""The reference code that students quote in regrade requests."""

from graded_pages import EXERCISE, LAB, pages, result

from labkit.desk.people.adjustments import reference_of, references_in
from labkit.desk.people.final_score import FinalScore


def test_a_reference_is_the_same_every_time_and_another_for_another_exercise():
    assert reference_of("ada", LAB, EXERCISE) == reference_of("ada", LAB, EXERCISE)
    others = {
        reference_of(*whose) for whose in (("bob", LAB, EXERCISE), ("ada", LAB, "meaning"), ("ada", "", EXERCISE))
    }
    assert len(others | {reference_of("ada", LAB, EXERCISE)}) == 4


def test_a_reference_is_found_in_a_mail_however_it_was_typed():
    own = reference_of("ada", LAB, EXERCISE)
    mail = f"Hello,\n> Reference {own.upper()}\nReference {own.replace('-', chr(0x2011))}. Not x{own} nor {own}-a.\n"
    assert references_in(mail) == [own]


def test_a_students_files_have_the_reference_of_each_exercise_and_say_what_it_is_for(tmp_path):
    pages(tmp_path, [FinalScore(result())])
    for ending in (".html", ".md"):
        text = (tmp_path / "students" / f"ada{ending}").read_text("utf-8")
        assert all(f"Reference {reference_of('ada', LAB, name)}" in text for name in (EXERCISE, "meaning"))
        assert text.count("To ask for a regrade") == 1
