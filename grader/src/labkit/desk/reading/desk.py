"""What the reading page asks for and gives, without the web: exercises, answers, points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from threading import Lock

from labkit.desk import manual
from labkit.desk.manual import Key, Mark
from labkit.desk.reading.answers import Answer
from labkit.desk.reading.rubric import rubric_of
from labkit.desk.sheets import DeskProblem
from labkit.model.project import Project
from labkit.model.text import clean, legible

LONGEST = 10_000  # characters of a comment
TOO_MANY = 1e9  # points; a whole number can be too large for a float


class ReadingDesk:
    """The answers of a class, and the manual.csv that points go to, each as soon as it is given."""

    def __init__(self, project: Project, answers: Iterable[Answer], path: Path):
        self.project, self.path, self._changing = project, path, Lock()
        self.answers = {(answer.exercise, answer.id): answer for answer in answers}
        self.given = manual.read(project.course, path)
        self._done: list[tuple[Answer, dict[Key, Mark | None]]] = []  # what can be undone, with what was there before

    def exercises(self) -> list[dict]:
        """Each with its rubric, and how many of its answers wait."""
        names = dict.fromkeys(exercise for exercise, _ in self.answers)
        return [self._exercise(name) for name in names]

    def _exercise(self, name: str) -> dict:
        course = self.project.course
        lab, asked = course.lab_of(name), course.exercises[name]
        rubric = rubric_of(self.project, lab, name)
        whole = [{"points": float(n + 1), "text": ""} for n in range(int(asked.points))] if not rubric.items else None
        return {
            "lab": lab,
            "exercise": name,
            "most": asked.points,
            "rubric": rubric.text,
            "items": [{"points": item.points, "text": item.text} for item in rubric.items],
            "steps": whole or [],
            "answers": [self._shown(answer) for answer in self._of(name)],
        }

    def _of(self, exercise: str) -> Iterator[Answer]:
        return (answer for (name, _), answer in self.answers.items() if name == exercise)

    def _shown(self, answer: Answer) -> dict:
        given = answer.given(self.given)
        shown = {"points": given.points, "comment": given.comment, "items": given.items} if given else None
        return {"id": answer.id, "text": legible(answer.text), "students": len(answer.students), "given": shown}

    def give(self, asked: Mapping) -> dict:
        """Save what was given for an answer. Errors: DeskProblem for what cannot be given, OSError where it is not saved."""
        match asked:
            case {
                "exercise": str(exercise),
                "answer": str(id),
                "points": int() | float() as points,
                "comment": str(comment),
                "items": str(items),
            } if (
                len(comment) <= LONGEST
                and len(items) <= 100
                and not isinstance(points, bool)
                and 0 <= points < TOO_MANY
            ):
                given = Mark(float(points), clean(comment), clean(items), id)
            case _:
                raise DeskProblem("this is nothing that can be given")
        answer = self.answers.get((exercise, id))
        if answer is None:
            raise DeskProblem("there is no such answer")
        manual.check_points(self.project.course, "here", answer.lab, exercise, given.points)
        with self._changing:
            before = manual.read(self.project.course, self.path)
            self.given = manual.change(self.project.course, self.path, dict.fromkeys(answer.keys(), given))
            self._done.append((answer, {key: before.get(key) for key in answer.keys()}))
        return {"students": len(answer.students)}

    def undo(self) -> dict:
        """Take back what was given last; return which answer it was, and what it has now. Nothing when there is none.

        Errors: DeskProblem, OSError.
        """
        with self._changing:
            if not self._done:
                return {}
            answer, before = self._done[-1]
            self.given = manual.change(self.project.course, self.path, before)
            self._done.pop()
        return {"exercise": answer.exercise, **self._shown(answer)}

    def progress(self) -> tuple[int, int]:
        """How many different answers have been read, of how many."""
        read = sum(answer.given(self.given) is not None for answer in self.answers.values())
        return read, len(self.answers)
