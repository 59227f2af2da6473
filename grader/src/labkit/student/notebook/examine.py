"""The check inside a lab, which shows what was observed, the likely cause and where to look, and the cheat sheet."""

from __future__ import annotations

import html
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from labkit.student.calls.calling import call_answer, read_reply, received, reply
from labkit.student.calls.state import passed
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, Raised, judge
from labkit.student.judging.words import load, say, say_all, say_each, stored_in, title
from labkit.student.model.course import Course, Exercise, Lab, Probe, current
from labkit.student.notebook.language import spoken
from labkit.student.notebook.messages import card, laid_out, listed, paragraphs, shell, tell
from labkit.student.notebook.missing import UnknownExercise, unknown

SECONDS = 20  # for one public call, which normally takes milliseconds
TOOL = 4  # a free tool id of sys.monitoring


@dataclass(frozen=True)
class Examination:
    """The result of an exercise's public calls. Without findings, the answer is right or unwritten."""

    exercise: Exercise
    observations: tuple[Observation, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def unwritten(self) -> bool:
        first = self.observations[0].actual
        return isinstance(first, Raised) and first.error == "NotImplementedError"

    @property
    def right(self) -> bool:
        return not self.findings and not self.unwritten

    def line(self, language: str = "en") -> str:
        id, name = "check-wrong" if self.findings else self.exercise.right, self.exercise.name
        facts = {"name": title(name, language), "text": say_all(name, self.findings, language)}
        return say(name, Finding("check-unwritten" if self.unwritten else id, facts), language)

    def shown(self, language: str = "en", *below: str) -> str:
        """Show the result as HTML, with a list item for each mistake."""
        name, state = self.exercise.name, "open" if self.unwritten else "wrong" if self.findings else "right"
        word = say("", Finding(f"badge-{'unwritten' if self.unwritten else state}"), language)
        body = listed(say_each(name, self.findings, language))
        if state == "right" and self.exercise.right != "check-right":
            _, _, words = self.line(language).partition(": ")
            body = paragraphs(words)
        return card(state, word, title(name, language), "".join((body, *below)), language)


def examine(
    course: Course,
    exercise: Exercise,
    call: Callable[[Probe], object],
    expected: Mapping[str, Any] | None = None,
    diagnosed: Callable[..., Iterable[Finding]] | None = None,
) -> Examination:
    """Make the public calls of an exercise through `call`, and identify mistakes in the results.

    expected: the lab's expected data. By default, it is read from the students' file, which lacks graded-only exercises.
    diagnosed: what identifies the mistakes, by default `diagnose`.
    """
    from labkit.student.judging.diagnosis import diagnose
    from labkit.student.notebook.expected import expected_of, mistakes_of

    load(course)
    expected = expected_of(course, course.lab_of(exercise.name)) if expected is None else expected
    observations = tuple(observe(exercise, probe, call, expected) for probe in exercise.probes or (Probe(),))
    examination = Examination(exercise, observations)
    if examination.unwritten or all(judge(observation) is None for observation in observations):
        return examination
    stored = expected.get(mistakes_of(exercise), ())
    return Examination(exercise, observations, tuple((diagnosed or diagnose)(course, observations, stored)))


def observe(
    exercise: Exercise, probe: Probe, call: Callable[[Probe], object], expected: Mapping[str, Any]
) -> Observation:
    """Make one public call and pair its result with the stored expected value."""
    stored = expected.get(exercise.name, {})
    return Observation(
        exercise, probe.args, received(exercise, probe, call(probe)), stored.get(probe.key), probe.raises, probe.twice
    )


def check(name: str, *, namespace: Mapping[str, object] | None = None) -> None:
    """Check the exercise `name` as it is now defined in the notebook. Shows the result, and how many exercises are right."""
    course, language = current(), spoken()
    try:
        examination = examination_of(course, name, namespace)
    except UnknownExercise as problem:
        problem.tell(language)
        return
    if examination.right:
        passed.add(name)
    total = total_of(course.labs[course.lab_of(name)], language)
    below = f'<p style="margin: 0.3em 0; font-size: 0.9em">{html.escape(total)}</p>'
    tell(f"{laid_out(examination.line(language))}\n{total}", examination.shown(language, below))


def not_right(lab: Lab) -> list[str]:
    """The lab's exercises whose check has not passed in this session. Extras do not count."""
    return [exercise.name for exercise in _counted(lab) if exercise.name not in passed]


def _counted(lab: Lab) -> list[Exercise]:
    return [exercise for exercise in lab.exercises if exercise.checked and not exercise.extra]


def total_of(lab: Lab, language: str = "en") -> str:
    """Return a sentence with the number of exercises whose check has passed in this session."""
    total = len(_counted(lab))
    return say("", Finding("check-total", {"right": total - len(not_right(lab)), "total": total}), language)


def examination_of(course: Course, name: str, namespace: Mapping[str, object] | None = None) -> Examination:
    """Examine an exercise in the notebook's namespace. Errors: UnknownExercise."""
    load(course)
    exercise = course.exercises.get(name) if isinstance(name, str) else None
    if exercise is None:
        raise unknown(course, name, user_namespace() if namespace is None else namespace)
    if not exercise.checked:
        raise UnknownExercise(Finding("check-written" if exercise.written else "check-graded-only"), exercise)
    known = user_namespace() if namespace is None else namespace
    return examine(course, exercise, lambda probe: call_in(known, exercise, probe))


def call_in(namespace: Mapping[str, object], exercise: Exercise, probe: Probe) -> object:
    with stopped_after(SECONDS):
        value = read_reply(reply(call_answer(namespace, exercise.name, exercise.kind, probe.inputs(), probe.twice)))
    late = isinstance(value, Raised) and RunsAway.__name__ in value.kinds
    return Raised("TimedOut", Finding("too-slow", {"seconds": SECONDS})) if late else value


class RunsAway(BaseException):
    """Raised to end an endless call in the notebook. An answer's `except Exception` does not catch it."""


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Stop a call after some seconds, with a timer in the main thread. In a browser, loops check the clock instead."""
    if not hasattr(signal, "setitimer") and hasattr(sys, "monitoring"):
        with _looking_at_the_clock(seconds):
            yield
        return
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield  # without a timer; the student can interrupt the kernel
        return

    def stop(*_: object) -> None:
        raise RunsAway

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _looking_at_the_clock(seconds: float) -> Iterator[None]:
    """Make Python loops check the clock, and end when time is up. Loops in compiled code are not stopped."""
    tools, end = sys.monitoring, time.monotonic() + seconds

    def look(*_: object) -> None:
        nonlocal end
        if time.monotonic() > end:
            end = float("inf")  # raise only once, because code that handles the error jumps too
            raise RunsAway

    tools.use_tool_id(TOOL, "labkit")
    tools.register_callback(TOOL, tools.events.JUMP, look)
    tools.set_events(TOOL, tools.events.JUMP)
    try:
        yield
    finally:
        tools.set_events(TOOL, 0)
        tools.register_callback(TOOL, tools.events.JUMP, None)
        tools.free_tool_id(TOOL)


def user_namespace() -> Mapping[str, object]:
    running = shell()
    if running is None:
        raise RuntimeError("check() reads a notebook's answers; in a script, pass namespace=globals()")
    return running.user_ns


PAGE = "cheat_sheet.en.md"


def cheat_sheet(lab: str) -> None:
    """Show a lab's cheat sheet if the checks of all essential exercises passed in this session, else what is missing.

    `lab` is the lab's number. The page is `cheat_sheet.en.md` in the lab's folder, or its translation.
    Errors: UserError, FileNotFoundError.
    """
    course, language = current(), spoken()
    load(course)
    name = course.lab_named(lab)
    heading = say("", Finding("cheat-sheet", {"lab": title(name, language)}), language)
    if missing := [each for each in not_right(course.labs[name]) if not course.exercises[each].useful]:
        titles = [title(each, language) for each in missing]
        text = say("", Finding("cheat-sheet-closed", {"titles": titles}), language)
        word = say("", Finding("badge-closed"), language)
        tell(laid_out(text), card("open", word, heading, paragraphs(text), language))
        return
    folder = course.expected_of(name).parent
    page = stored_in(folder).get(language, {}).get("cheat_sheet")
    if page is None and not (folder / PAGE).exists():
        raise FileNotFoundError(f"{PAGE} is missing from {folder.name}/: write the lab's cheat sheet there")
    text = f"## {heading}\n\n{(page or (folder / PAGE).read_text('utf-8')).strip()}"
    tell(text, text, "text/markdown")
