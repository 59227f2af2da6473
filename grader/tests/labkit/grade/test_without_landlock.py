"""bubblewrap on a Linux without Landlock: each kernel gets its own bubblewrap.

Forks of one server would all be in the same bubblewrap, and nothing would separate them.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import closed
import pytest
from attacks import ATTEMPTS, CHANNELS, OVERRUNS, in_kernels
from longer import LONG, every
from needs import needs
from users import as_user

from labkit.grade.kernel import probes

LAB = "01_spread"
WITHOUT_LANDLOCK = [sys.executable, closed.__file__, "landlock"]
USERS = ["the superuser", "an ordinary user"] if os.geteuid() == 0 else ["an ordinary user"]
pytestmark = needs("bubblewrap")

# A kernel tries to reach the memory and files of its neighbour and of everything else it sees.
NEIGHBOURS = """
import json
from labkit.student.model.budgets import Budgets
from labkit.student.model import project
from labkit.student.model.course import Environment
from labkit.grade.kernel.nbval_bridge import execute
from labkit.grade.kernel.forked import start_kernel
from labkit.grade.sandbox import landlock
assert landlock.abi() == 0
victim, attacker = (start_kernel(project.current(), Environment(), Budgets()) for _ in range(2))
def said(kernel, source): return execute(kernel, source, 20.0)[0]["text"].strip()
home = said(victim, "secret = 'the ' + 'secret'; open('answer', 'w').write('42'); import os; print(os.getcwd())")
print(json.dumps([said(attacker, ATTACK % home), said(victim, "print(secret, open('answer').read())")]))
victim.stop(); attacker.stop()
"""
ATTACK = """
import glob, os
def opens(name, mode):
    try: return bool(open(name, mode))
    except OSError: return False
others = set(range(1, 1000)) - {os.getpid()}
gained = [number for number in others if opens(f'/proc/{number}/mem', 'r+b')]
gained += [name for name in (%r + '/answer', '/proc/self/mem') if opens(name, 'r+b')]
gained += [name for name in ['/', *glob.glob('/*'), *glob.glob('/*/*')] if name != os.getcwd() and opens(name + '/new', 'w')]
print(gained)
"""


@pytest.mark.parametrize("user", every(2, USERS, why="the same as another user"))
def test_a_kernel_reaches_no_other_one(user, tmp_path):
    command = [*WITHOUT_LANDLOCK, sys.executable, "-c", f"ATTACK = {ATTACK!r}\n{NEIGHBOURS}"]
    is_another = os.geteuid() == 0 and user == USERS[-1]
    tmp_path.chmod(0o777)
    environment = {**os.environ, "MPLCONFIGDIR": "/tmp/labkit-no-such-folder", "LABKIT_LAYER": "bubblewrap"}
    done = subprocess.run(
        as_user(command) if is_another else command, env=environment, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["[]", "the secret 42"]


@pytest.mark.long("repeats all attacks, in bubblewrap without Landlock")
@pytest.mark.parametrize("user", USERS)
def test_no_attempt_in_a_kernel_gains_anything(user):
    is_another = os.geteuid() == 0 and user == USERS[-1]
    gained, overruns, left = in_kernels.run("bubblewrap", "warm", is_another, WITHOUT_LANDLOCK)
    assert set(gained) == {*ATTEMPTS, *CHANNELS}
    listed = gained.pop("reading: the instructor's home")  # the only visible paths lead to the kernel's own folder
    assert re.fullmatch(r"(\['labkit-\w+'\])?", listed) and {name: what for name, what in gained.items() if what} == {}
    assert set(overruns) == set(OVERRUNS) and left == []


def test_the_doctor_names_a_better_layer(monkeypatch):
    monkeypatch.setattr(probes, "best_layer", lambda: "bubblewrap")
    monkeypatch.setattr(probes, "available_layers", lambda: ["bubblewrap", "limits"])
    monkeypatch.setattr(probes, "keeps_forks_apart", lambda: False)
    assert probes.better().startswith("grade on Linux 5.13 or newer")


def test_grade_and_doctor_report_it_in_one_line(tmp_path, handout, run_command):
    handout(LAB, solved=True).save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
    labkit = [*WITHOUT_LANDLOCK, Path(sys.executable).with_name("labkit")]
    done = run_command(*labkit, "grade", tmp_path / "class", "--out", tmp_path / "out", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert sum("no Landlock" in line for line in done.stderr.splitlines()) == 1
    [row] = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert row["status"] == "graded" and row["score"] == 6
    if not LONG:
        return
    told = run_command(*labkit, "doctor").stdout
    assert "✔ kernels are isolated by bubblewrap" in told and "better: grade on Linux 5.13 or newer" in told
