"""Answer for what is missing: a grey line for an exercise that is unwritten or too wrong to be shown, and a guess for an unknown name."""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from traceback import walk_tb

from labkit.student.calls.state import passed, record_cell, stub_of
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import load, say, title
from labkit.student.model.course import Course, Exercise, current
from labkit.student.model.text import in_a_line, shortened
from labkit.student.notebook.language import spoken
from labkit.student.notebook.messages import card, laid_out, paragraphs, shell, tell

STOPS = NotImplementedError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError  # a wrong answer's


def watch_cells() -> None:
    """From the next cell on, quietly end each cell that needs an unwritten exercise or a right answer, so that Run All continues.

    Also records, for `check`, why an answer is missing. Outside IPython there are no cells, so this does nothing.
    """
    running = shell()
    if running and NotImplementedError not in running.custom_exceptions:
        running.set_custom_exc(STOPS, _stopped)
        running.events.register("post_run_cell", _cell_ended)


def run_cells() -> None:
    """Run the cells of the script that Python runs, as in a notebook, and exit. In IPython, where cells run anyway, do nothing.

    A cell begins with a line such as `# %%`. Tracebacks have the line numbers of the script.
    """
    path = Path(getattr(sys.modules["__main__"], "__file__", None) or "")
    if path.suffix != ".py" or shell():
        return
    script = path.read_text("utf-8")
    starts = [0, *(found.start() for found in re.finditer(r"^# ?%%(?!\S)", script, re.MULTILINE))]
    if len(starts) > 1:
        from IPython.core.interactiveshell import InteractiveShell

        run = InteractiveShell.instance(colors="nocolor").run_cell
        watch_cells()
        spans = zip(starts, [*starts[1:], None])
        ran = [run("#\n" * script.count("\n", 0, start) + script[start:end]) for start, end in spans]
        sys.exit(not all(cell.success for cell in ran))


def _stopped(shell, kind, error, traceback, tb_offset=None) -> None:
    """Show which exercise the cell needs. Any other error is shown as usual."""
    if needed := _needed(error):
        _say(needed)
    elif any(frame.f_globals is shell.user_global_ns for frame, _ in walk_tb(traceback)):
        shell.showtraceback((kind, error, traceback), tb_offset=tb_offset, running_compiled_code=True)
    else:  # the cell cannot be compiled
        shell.showsyntaxerror()


def _needed(error: BaseException | None) -> Finding | None:
    """The exercise that the cell with this error needs: it is unwritten, or a function of the course failed on its wrong answer."""
    if name := stub_of(error):
        return Finding("check-unwritten", {"name": name})
    with suppress(LookupError):  # without a course
        if name := _refused(current(), error):
            facts = {"name": name, "how": shortened(in_a_line(error), LONGEST), "call": f'check("{name}")'}
            return Finding("check-refused", facts)
    return None


def _refused(course: Course, error: BaseException | None) -> str:
    """The exercise whose answer a cell gave to a function of the course that failed, if its check has not passed; else ""."""
    names = (running := shell()) and running.user_global_ns
    frames = [frame for frame, _ in walk_tb(error and error.__traceback__)]
    own = [number for number, frame in enumerate(frames) if frame.f_globals is names]
    if len(own) != 1 or own == [len(frames) - 1]:  # no cell, or code in the notebook failed
        return ""
    cell, called = frames[own[0]], frames[own[0] + 1].f_globals.get("__name__", "")
    answers = [course.exercises[name] for name in cell.f_code.co_names if name in course.exercises]
    wrong = [each.name for each in answers if each.checked and each.name not in passed]
    return wrong[0] if wrong and called.startswith(f"{course.package}.") else ""


def _say(needed: Finding) -> None:
    """Close unfinished figures and show one grey line, with the exercise's title if a course is loaded."""
    from IPython.display import display

    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    with suppress(LookupError):
        load(current())
    name = needed.facts["name"]
    text = say(name, Finding(needed.id, {**needed.facts, "name": title(name, spoken())}), spoken())
    display({"text/html": f'<span style="opacity: 0.7">{html.escape(text)}</span>', "text/plain": text}, raw=True)


def quiet(function: Callable) -> Callable:
    """Wrap the callback of an interactive control, so that it also shows one grey line for an unwritten exercise."""

    @wraps(function)
    def called(*args: object, **named: object) -> object:
        try:
            return function(*args, **named)
        except NotImplementedError as error:
            if not (name := stub_of(error)):
                raise
            _say(Finding("check-unwritten", {"name": name}))

    return called


def _cell_ended(result) -> None:
    before, error = result.error_before_exec, result.error_before_exec or result.error_in_exec
    record_cell(result.info.raw_cell or "", error, before is not None)
    if _needed(error):
        result.error_in_exec = None  # the kernel then replies "ok", and Run All continues


LONGEST = 60  # characters of a name that are repeated


class UnknownExercise(LookupError):
    """The notebook has no check for this name. The finding says why, such as a written answer, or no such exercise."""

    def __init__(self, finding: Finding, exercise: Exercise | None = None):
        super().__init__(finding)
        self.finding, self.exercise = finding, exercise

    def line(self, language: str = "en") -> str:
        name = title(self.exercise.name, language) if self.exercise else self.finding.facts["name"]
        return say("", Finding(self.finding.id, {**self.finding.facts, "name": name}), language)

    def tell(self, language: str = "en") -> None:
        state, line = "open" if self.exercise else "wrong", self.line(language)
        badge = self.finding.id.replace("check", "badge").removesuffix("-close").removesuffix("-alone")
        word = say("", Finding(badge), language)
        name = title(self.exercise.name, language) if self.exercise else ""
        body = line.removeprefix(f"… {name}: ") if name else line.removeprefix("✘ ")
        tell(laid_out(line), card(state, word, name, paragraphs(body), language))


def unknown(course: Course, name: object, namespace: Mapping[str, object]) -> UnknownExercise:
    """The answer to a name that no exercise has. The open lab is the one whose answers are in the namespace."""
    own = _open_lab(course, namespace)
    if not isinstance(name, str):
        meant = _name_of(course, name, namespace) or [*own, *course.exercises][0]
        return UnknownExercise(Finding("check-unquoted", {"name": meant}))
    facts = {"name": shortened(name, LONGEST)}
    if close := _closest(name, own) or _closest(name, [*course.exercises]):
        return UnknownExercise(Finding("check-unknown-close", {**facts, "names": close}))
    return UnknownExercise(
        Finding("check-unknown", {**facts, "names": own}) if own else Finding("check-unknown-alone", facts)
    )


def _closest(name: str, names: list[str]) -> list[str]:
    return get_close_matches(name.strip().casefold(), names, 1)


def _open_lab(course: Course, namespace: Mapping[str, object]) -> list[str]:
    """The names of the lab's exercises; none if answers of no lab, or equally many of several labs, are defined."""
    found = [[each.name for each in lab.exercises if each.name in namespace] for lab in course.labs.values()]
    most = max(map(len, found), default=0)
    labs = [lab for lab, names in zip(course.labs.values(), found) if len(names) == most]
    return [each.name for each in labs[0].exercises if each.checked] if most and len(labs) == 1 else []


def _name_of(course: Course, answer: object, namespace: Mapping[str, object]) -> str:
    """The exercise that this value answers; "" if it answers none."""
    named = getattr(answer, "__name__", "")
    if isinstance(named, str) and named in course.exercises:
        return named
    return next((name for name in course.exercises if name in namespace and namespace[name] is answer), "")
