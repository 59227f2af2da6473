"""Read the course's own comments on mistakes and failed checks. They are validated before grading.

`comments.toml` is for students. It has a table for each exercise, in which each key is a mistake from the catalogue or a check:

    [sinusoidal_pe]
    degrees = "Page 3 of the handout shows this."

`lecture.toml` is for the instructor. For any mistake in the catalogue, it can have a sentence to use in a lecture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from labkit.desk.people.sheets import check_known
from labkit.grade.judge.points import points_by_check
from labkit.grade.judge.results import Check
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project, read_toml

COMMENTS, LECTURE = "comments.toml", "lecture.toml"


@dataclass(frozen=True)
class Comments:
    """Comments by exercise, then by mistake or check."""

    words: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def on(self, check: Check) -> Iterator[str]:
        """Comments on a check that did not pass: on its mistakes, then on the check."""
        if check.outcome != "passed":
            for key in (*(finding.mistake for finding in check.mistakes), check.name.partition("[")[0]):
                if words := self.words.get((check.exercise, key)):
                    yield words


def comments_for(project: Project, named: Path | None) -> Comments:
    """Read comments from the named file, or from the course's own if none is named. Errors: UserError."""
    path = named or project.root / COMMENTS
    return read_comments(project, path) if named or path.exists() else Comments()


def lecture_of(project: Project) -> dict[str, str]:
    """The course's lecture sentence for each mistake that has one. Errors: UserError."""
    path = project.root / LECTURE
    return read_lecture(project, path) if path.exists() else {}


def read_comments(project: Project, path: Path) -> Comments:
    """Read a comments file. Errors: UserError if it cannot be read, or names an unknown exercise, mistake or check."""
    words, exercises = {}, project.course.exercises
    for exercise, table in read_toml(path).items():
        check_known(path, "exercise", exercise, exercises)
        if not isinstance(table, dict):
            raise UserError(f"{path}: {exercise} is an exercise; put its comments in a table, [{exercise}]")
        stated = points_by_check(project, project.course.lab_of(exercise))
        checks = [name for name, (_, owner) in stated.items() if owner == exercise]
        for key, sentence in table.items():
            name = key.removeprefix("test_")
            check_known(path, f"mistake or check of {exercise}", name, [*_mistakes(project, exercise), *checks])
            words[exercise, name] = _sentence(path, f"{exercise}.{key}", sentence)
    return Comments(words)


def read_lecture(project: Project, path: Path) -> dict[str, str]:
    """Read the lecture sentence for each mistake. Errors: UserError, as for comments."""
    known = {mistake for exercise in project.course.exercises for mistake in _mistakes(project, exercise)}
    sentences = read_toml(path)
    for mistake in sentences:
        check_known(path, "mistake", mistake, known)
    return {mistake: _sentence(path, mistake, words) for mistake, words in sentences.items()}


def _mistakes(project: Project, exercise: str) -> list[str]:
    from labkit.student.notebook.expected import known_mistakes  # slow: imports numpy and all labs

    return known_mistakes(project, exercise)


def _sentence(path: Path, key: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UserError(f"{path}: {key} must be text, not {value!r}")
    return value.strip()
