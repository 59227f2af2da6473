"""The table of adjusted scores shown in grader/docs/adjusting.md is valid for this course."""

import re

from labkit.desk.people import adjustments
from labkit.student.model import project


def test_the_example_of_adjustments_works(tmp_path):
    page = (project.current().root / "grader/docs/adjusting.md").read_text("utf-8")
    [example] = re.findall(r"```csv\n(student,lab,.*?)```", page, re.DOTALL)
    (tmp_path / adjustments.NAME).write_text(example)
    lines = adjustments.read(project.current(), tmp_path / adjustments.NAME)
    assert [line.student for line in lines] == ["ada", "bob", "cem", "dan", "eve"]
    assert lines[0].adjustment.set == 2 and lines[-1].adjustment.excused
