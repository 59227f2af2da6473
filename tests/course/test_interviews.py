"""Questions of `labkit interview` about the labs' solutions: a fresh process gives every answer and every wrong option again."""

import json
import random
import subprocess
import sys
from collections import Counter

import pytest
from handouts import QUICK
from longer import every

from encoding_labs import COURSE
from labkit.desk.interview.pages import REASONS
from labkit.desk.interview.questions import Questions, parts_of
from labkit.desk.interview.shown import differ, shown
from labkit.grade.judge.assemble import with_code
from labkit.grade.judge.judge import judge_each
from labkit.grade.judge.trials import Trial
from labkit.student.calls import wire
from labkit.student.judging.observation import Raised
from labkit.student.judging.words import load
from labkit.student.model import project
from labkit.student.notebook.figures import png_of

ROOT = project.current().root
# Runs each version of a lab's code in a namespace of its own, and sends back the value of a call or what the check says.
ANEW = """
import io, json, os, sys
from contextlib import redirect_stdout
os.environ["LABKIT_NO_PICTURES"] = "1"
from encoding_labs import COURSE
from labkit.student.calls import wire
from labkit.student.calls.calling import KINDS, PICTURE, call_answer
from labkit.student.judging.words import say
from labkit.student.notebook.examine import examination_of

def run(cells, name, call):
    names = {}
    for cell in cells:
        try:
            exec(cell, names)
        except BaseException:  # as in a kernel, the other cells still run, also after exit()
            pass
    if not call:
        return [say(name, each) for each in examination_of(COURSE, name, names).findings]
    if COURSE.exercises[name].kind == "figure":
        args = eval(f"({call.removeprefix(name + '(')[:-1]},)", names)
        return KINDS[PICTURE].call(names[name], args)
    return eval(call, names)

for cells, name, call in json.load(sys.stdin):
    try:
        with redirect_stdout(io.StringIO()):
            value = run(cells, name, call)
        print("value", wire.as_text(wire.dumps(value)), flush=True)
    except Exception as error:
        print("error", type(error).__name__, flush=True)
"""


def solution(lab):
    """The solution's answers in code, by exercise."""
    cells = json.loads((ROOT / "solutions" / f"{lab}.ipynb").read_text("utf-8"))["cells"]
    own = {
        cell["metadata"].get("labkit", {}).get("exercise"): "".join(cell["source"])
        for cell in cells
        if cell["cell_type"] == "code"
    }
    return {name: code for name, code in own.items() if name}


def asked(lab, code, draw):
    """The tries of these answers, and the questions about them."""
    found = []
    judge_each(project.current(), [Trial("ada", lab, tuple(code.items()), tuple(code), draw, 1, QUICK)], found.append)
    load(COURSE)
    return [(tries, Questions(tries, "en", random.Random(draw)).all()) for tries in found[0]]


def versions(lab, code, tries, questions):
    """What to run anew for each option: the cells with the option's change, the exercise, and the call or, for a check, none."""
    for question in questions:
        for option in question.options if question.kind != "repair" else question.options[:1]:
            change = question.change if question.kind == "repair" else option.change
            changed = change.applied(tries.code) if change else tries.code
            for each in [tries.code, changed] if question.part and option is question.options[0] else [changed]:
                cells = with_code(project.current(), COURSE.labs[lab], {**code, tries.exercise: each}).defining_cells()
                yield [[cell.source for cell in cells], tries.exercise, question.call]


def anew(jobs):
    """The results of these jobs in one new process."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ANEW],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        timeout=250,
    )
    assert not done.returncode and len(done.stdout.splitlines()) >= len(jobs), done.stderr
    for line in done.stdout.splitlines():
        kind, _, text = line.partition(" ")
        if kind in ("value", "error"):
            yield wire.loads(wire.from_text(text)) if kind == "value" else Raised(text)


def row(lab, exercises):
    """The lab's row in the table of the guide."""
    kinds = Counter(question.kind for _, questions in exercises for question in questions)
    counts = " | ".join(str(kinds[kind]) for kind in ("predict", "change", "where", "repair"))
    none = [f"`{tries.exercise}`" for tries, questions in exercises if not questions]
    return f"| {lab[:2]} | {counts} | {', '.join(none) or '–'} |"


def check_anew(lab, code, exercises):
    """Run every version behind these questions again, in a new process, and compare."""
    made = anew([job for tries, own in exercises for job in versions(lab, code, tries, own)])
    for question in (question for _, own in exercises for question in own):
        assert len({(option.text, option.picture) for option in question.options}) == len(question.options) >= 3
        if question.kind == "repair":
            assert next(made) == [question.options[question.right].text]
            continue
        if question.kind == "where":
            part = dict(parts_of(before := next(made)))[question.part]
            false = [differ(part(next(made)), part(before)) for _ in question.options]
            assert shown(part(before)).split("\n")[0] in question.ask
            assert false == [place == question.right for place in range(len(false))]
            continue
        values = [next(made) for _ in question.options]
        for option, value in zip(question.options, values):
            assert option.picture == png_of(value) if option.picture else option.text == shown(value)
        assert all(differ(one, other) for one in values for other in values if one is not other)
    assert not [*made]


@pytest.mark.parametrize("lab", every(3, COURSE.names, why="another lab, with its row in the guide's table"))
def test_a_new_process_gives_every_answer_again(lab):
    code = solution(lab)
    exercises = asked(lab, code, "0")
    check_anew(lab, code, exercises)
    assert row(lab, exercises) in (ROOT / "grader/docs/interviews.md").read_text("utf-8"), row(lab, exercises)
    assert all(tries.reason in REASONS for tries, _ in exercises if tries.reason)
