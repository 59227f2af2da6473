"""What lab 01's kernel can import computes none of the lab's answers."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from autograder.build_the_table import reference
from encoding_labs import COURSE
from labkit.grade.kernel.workdir import make_import_root
from labkit.model.course import Environment, folder_of
from labkit.student.model import project

T, D = 13, 14  # no stored data are for these sizes
FIRST = COURSE.names[0]

# Calls every public function of the course's package and of the parts of labkit that students have, with every choice of
# arguments, and whatever the functions return. Prints the numbers that came back, and those that arguments were called with.
CALL_EVERYTHING = """
import importlib, inspect, itertools, json, pkgutil, signal, sys, warnings
import_root, hidden = sys.argv[1:]
sys.path[:] = [import_root, *(path for path in sys.path if path != hidden)]
import matplotlib, matplotlib.pyplot as plt, numpy as np

seen, modules = set(), []

def keep(value, depth=0):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)) and depth < 3:
        for each in list(value)[:100]:
            keep(each, depth + 1)
    try:
        array = np.asarray(value).ravel()
        if array.dtype.kind in "fc" and 1 < array.size <= 10_000:
            array = array.astype(complex)
            seen.add(tuple(round(float(each), 5) for part in (array.real, array.imag) for each in part))
    except Exception:
        pass

def recorder(*args, **named):
    keep(args)
    return args[0] if args else None

def call(function, level=0):
    try:
        wanted = [each for each in inspect.signature(function).parameters.values()
                  if each.default is each.empty and each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    except (ValueError, TypeError):
        return
    for args in itertools.product(POOL, repeat=len(wanted)) if len(wanted) <= 3 else ():
        signal.setitimer(signal.ITIMER_REAL, 1)
        try:
            value = function(*args)
            if inspect.isgenerator(value):
                value = list(itertools.islice(value, 100))
        except BaseException:
            continue
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        keep(value)
        if callable(value) and level < 2 and value not in (recorder, *POOL):
            call(value, level + 1)
        if hasattr(value, "build") and level < 2:
            call(value.build, level + 1)

def stop(*_):
    raise TimeoutError

signal.signal(signal.SIGALRM, stop)
POOL = (*SIZES, recorder)
sys.argv[1:] = []
matplotlib.use("agg")
warnings.simplefilter("ignore")
for package in ("encoding_labs", "labkit.student.model", "labkit.student.judging", "labkit.student.calls", "labkit.student.notebook"):
    found = importlib.import_module(package)
    for each in pkgutil.walk_packages(found.__path__, package + "."):
        try:
            modules.append(importlib.import_module(each.name))
        except ImportError:
            pass
for module in modules:
    for name, function in list(vars(module).items()):
        if not name.startswith("_") and callable(function) and getattr(function, "__module__", "") == module.__name__:
            call(function)
            plt.close("all")
print(json.dumps([sorted({module.__name__ for module in modules}), list(seen)]))
"""


def told_by(environment: Environment, folder: Path) -> tuple[list[str], list[np.ndarray]]:
    """The modules that a kernel with this environment can import, and the lists of numbers that their functions give."""
    root = make_import_root(project.current(), folder / "import_root", environment)
    source = CALL_EVERYTHING.replace("SIZES", repr((T, D)))
    command = [sys.executable, "-I", "-c", source, str(root), str(project.current().source)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    modules, seen = json.loads(done.stdout.splitlines()[-1])
    return modules, [np.array(each) for each in seen]


def answers_in(seen: list[np.ndarray], right: np.ndarray) -> list[np.ndarray]:
    """The lists that contain every number of the answer but 0 and 1."""
    wanted = np.unique(np.round(np.asarray(right, np.float64), 5))
    wanted = wanted[(np.abs(wanted) > 2e-5) & (np.abs(wanted) < 1)]
    assert len(wanted) >= 5
    return [each for each in seen if np.isclose(wanted[:, None], each, atol=2e-5, rtol=0).any(axis=1).all()]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    return told_by(COURSE.environment_of(FIRST), tmp_path_factory.mktemp("first"))


def test_it_can_import_its_own_folder_and_what_labs_share(told):
    own = {name.split(".")[1] for name in told[0] if name.startswith("encoding_labs.")}
    others = {folder_of(lab) for lab in COURSE.names if lab != FIRST}
    assert folder_of(FIRST) in own and "clock" in own and not own & others
    assert not any(name.startswith("minimodel") for name in told[0])


def test_no_function_gives_the_table_or_its_frequencies(told):
    assert len(told[1]) >= 5
    assert answers_in(told[1], reference.sinusoidal_pe(T, D)) == []
    assert answers_in(told[1], reference.frequencies(D)) == []


def test_with_the_other_labs_there_would_be_both(tmp_path):
    """So the test above looks hard enough: these labs have functions that compute the table and pass on its frequencies."""
    modules, seen = told_by(Environment(labs=("04_dot_product_decay", "07_precision_and_cost")), tmp_path)
    assert answers_in(seen, reference.sinusoidal_pe(T, D)) and answers_in(seen, reference.frequencies(D))
