"""Questions of `labkit interview` about the labs' answers, in ten styles: a fresh process gives every option again."""

import ast
import builtins
import json
import random
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from handouts import QUICK
from longer import every

from autograder.samples import all_samples
from encoding_labs import COURSE
from labkit.desk.interview.pages import REASONS
from labkit.desk.interview.questions import OPTIONS, Questions, parts_of
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


STYLES = 10  # of each answer: the samples that are right, and the solution in these forms
FORMS = {
    "helper": "{renamed}\n\ndef {name}(*values):\n    return helper_of_{name}(*values)",
    "lambda": "{renamed}\n\n{name} = lambda *values: helper_of_{name}(*values)",
    "class": "{renamed}\n\nclass Answer:\n    def __call__(self, *values):\n        return helper_of_{name}(*values)\n\n{name} = Answer()",
    "method": "class Answer:\n    @staticmethod\n{indented}\n\n{name} = Answer.{name}",
    "closure": "def made():\n{indented}\n    return {name}\n\n{name} = made()",
    "rest": "{renamed}\n\ndef {name}(first, *rest):\n    values = [first]\n    for each in rest:\n        values.append(each)\n    return helper_of_{name}(*values)",
    "keyword": "{renamed}\n\ndef {name}(*values, answer=helper_of_{name}):\n    result = answer(*values)\n    return result",
}  # fmt: skip


class Renamed(ast.NodeTransformer):
    """Gives the names that a function assigns, or one name, another form."""

    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_FunctionDef(self, node):
        node.name = self.names.get(node.name, node.name)
        return self.generic_visit(node)


def in_forms(name, code):
    """A solution in other forms: without comments, with long names, with each step in a line of its own, and in FORMS."""
    tree = ast.parse(code)
    yield ast.unparse(tree)
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    yield ast.unparse(Renamed({each: f"the_{each}_of_this_answer" for each in stored}).visit(ast.parse(code)))
    [function] = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name] or [None]
    if function:
        parts = {"name": name, "renamed": ast.unparse(Renamed({name: f"helper_of_{name}"}).visit(ast.parse(code)))}
        parts["indented"] = "\n".join(f"    {line}" for line in ast.unparse(tree).splitlines())
        yield from (form.format(**parts) for kind, form in FORMS.items() if kind != "method" or len(tree.body) == 1)


@cache
def definitions(path):
    """The statements at the top of a file, by the names that they define, and their source."""
    source, found = Path(path).read_text("utf-8"), {}
    for node in ast.parse(source).body:
        names = [getattr(node, "name", None)]
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [each.asname or each.name for each in node.names]
        elif isinstance(node, ast.Assign):
            names = [each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)]
        found.update(dict.fromkeys(filter(None, names), node))
    return found, source


def needed(node, module, found):
    """Add to `found` the source of all that this code uses of its module, and of the tests' modules that it imports from."""
    for each in ast.walk(node):
        known, _ = definitions(module.__file__)
        if not isinstance(each, ast.Name) or each.id in found or each.id not in known or hasattr(builtins, each.id):
            continue
        definition = known[each.id]
        if isinstance(definition, ast.ImportFrom) and (definition.level or definition.module.startswith("autograder")):
            other = import_module("." * definition.level + (definition.module or ""), module.__package__)
            needed(ast.Expr(ast.Name(each.id)), other, found)
        else:
            found[each.id] = ""
            needed(definition, module, found)
            found[each.id] = found.pop(each.id) or ast.unparse(definition)


@cache
def samples_of(exercise):
    """The right samples of an exercise as cells, each with the definitions that it needs."""
    cells = []
    for name, sample in all_samples():
        if sample.exercise != exercise or sample.mistakes:
            continue
        folder, file = name.split(".")
        module, found = import_module(f"autograder.{folder}.samples.{file}"), {}
        known, _ = definitions(module.__file__)
        keywords = [
            each for each in ast.walk(ast.parse(definitions(module.__file__)[1])) if isinstance(each, ast.keyword)
        ]
        [answer] = (
            [known.get(sample.style)]
            if sample.style in known
            else [each.value for each in keywords if each.arg == sample.style][:1] or [None]
        )
        if answer is None:
            continue
        if isinstance(answer, ast.FunctionDef):
            own = ast.parse(ast.unparse(answer)).body[0]
            own.decorator_list, own.name = [], exercise
        else:
            own = ast.Assign([ast.Name(exercise, ast.Store())], answer)
        needed(own, module, found)
        cells.append("\n".join([*found.values(), ast.unparse(ast.fix_missing_locations(own))]))
    return cells


def styled(lab, style):
    """A lab's answers in one of the ten styles. The first is the solution's."""
    code = solution(lab)
    if not style:
        return code
    made = {name: [own, *samples_of(name), *in_forms(name, own)] for name, own in code.items()}
    return {name: cells[style % len(cells)] for name, cells in made.items()}


def asked(lab, code, draw):
    """The tries of these answers, and the questions about them."""
    found = []
    judge_each(project.current(), [Trial("ada", lab, tuple(code.items()), tuple(code), draw, 1, QUICK)], found.append)
    load(COURSE)
    return [(tries, Questions(tries, "en", random.Random(draw)).all()) for tries in found[0]]


def versions(lab, code, exercises):
    """What to run anew for each option: the cells, then the changed one, its exercise, and the call or, for a check, none."""
    cells = with_code(project.current(), COURSE.labs[lab], code).defining_cells()
    ran = [cell.source for cell in cells]
    for tries, questions in exercises:
        for question in questions:
            for option in question.options if question.kind != "repair" else question.options[:1]:
                change = question.change if question.kind == "repair" else option.change
                changed = change.applied(tries.code) if change else tries.code
                for each in [tries.code, changed] if question.part and option is question.options[0] else [changed]:
                    yield [[*ran, each], tries.exercise, question.call]
        ran += [tries.code] * bool(tries.tried)  # because its helpers may have the names of others


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


def check_anew(lab, code):
    """Ask about these answers, run every version behind the questions again in a new process, and compare."""
    exercises = asked(lab, code, "0")
    made = anew([*versions(lab, code, exercises)])
    for question in (question for _, own in exercises for question in own):
        assert len({(option.text, option.picture) for option in question.options}) == len(question.options) == OPTIONS
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
    return exercises


@pytest.mark.parametrize("lab", every(3, COURSE.names, why="another lab"))
def test_a_new_process_gives_every_answer_again(lab):
    exercises = check_anew(lab, solution(lab))
    assert sum(len(questions) for _, questions in exercises) >= 4  # as grader/docs/interviews.md says
    assert all(tries.reason in REASONS for tries, _ in exercises if tries.reason)


@pytest.mark.timeout(1200)
@pytest.mark.long("other styles of the same answers")
@pytest.mark.parametrize("style", range(1, STYLES))
@pytest.mark.parametrize("lab", COURSE.names)
def test_a_new_process_gives_every_answer_again_in_other_styles(lab, style):
    assert any(questions for _, questions in check_anew(lab, styled(lab, style)))
