"""The benchmarks compare equal work and count all processes. These tests don't need the other tools installed."""

import json
import sys
from pathlib import Path

import compare
import hostile
import in_lab
import layouts
import measure as measure_module
import peers
import pytest
import report
import security
import security_page
import tools
from attacks import HAND_INS, SEAMS
from classroom import LAB, POINTS, ROOT, answers, students
from measure import measure
from needs import needs
from where import in_kernels, where

from encoding_labs import COURSE

linux = needs("Linux")  # reads costs from /proc


def answers_in(path: Path) -> dict[str, str]:
    return {cell["id"]: cell["source"] for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["id"] in POINTS}


def answers_with_points(student: str, right: bool) -> dict[str, str]:
    """The answers that every tool grades."""
    return {name: source for name, source in answers(student, right).items() if name in POINTS}


def test_every_tool_gets_the_same_answers(tmp_path, monkeypatch):
    monkeypatch.setattr(peers, "run", lambda *_: None)
    places = {
        layouts.as_handed_in: f"class/{{}}/{LAB}.ipynb",
        layouts.for_otter: f"class/{{}}/{LAB}.ipynb",
        layouts.with_outputs: "class/{}.ipynb",
        layouts.for_nbgrader: f"submitted/{{}}/lab/{LAB}.ipynb",
    }
    for prepare, place in places.items():
        prepare(tmp_path / prepare.__name__, 4)
        found = {name: answers_in(tmp_path / prepare.__name__ / place.format(name)) for name in students(4)}
        assert found == {name: answers_with_points(name, right) for name, right in students(4).items()}
    layouts.for_prairielearn(tmp_path / "marked", 4)
    for name, right in students(4).items():
        found = answers_in(tmp_path / f"marked/class/{name}/test_lab/student_code.ipynb")
        assert found == {exercise: f"#grade\n{answer}" for exercise, answer in answers_with_points(name, right).items()}
    assert list(students(4).values()) == [True, True, True, False]


@linux
@pytest.mark.long("runs stock nbval on a whole lab; faster tests check the comparison and the report")
def test_each_lab_is_compared_with_nbval_and_a_floor_and_stored_after_each_step(tmp_path, monkeypatch):
    for name, number in (("LARGE", 2), ("SMALL", 1), ("ROUNDS", 1)):
        monkeypatch.setattr(compare, name, number)
    labs = ["03_rotation_proof", "06_order_for_attention"]
    steps = [*compare.every_lab(tmp_path, labs, 1, 900.0)]
    known = {f"lab {lab} {size}": {**found, "machine": "any", "when": "now"} for lab, size, found in steps}
    assert len(steps) == 8 and known.keys() == {f"lab {lab} {size}" for lab in labs for size in (1, 2)}
    assert [*known["lab 03_rotation_proof 1"]["rounds"][0]["costs"]] == [tools.LABKIT, tools.NBVAL]
    assert "| 03 | " in report.page(known) and "| 06 | " in report.page(known)


def test_no_step_begins_that_would_not_end_in_time(tmp_path, monkeypatch):
    """A step of the second round is expected to take as long as the longest of the first."""
    cost, now = measure_module.Cost(1.0, 1.0, 1.0, 1.0, 1.0), [0.0]
    monkeypatch.setattr(compare.time, "monotonic", lambda: now[0])

    def measured(*_: object, **__: object) -> measure_module.Cost:
        now[0] += 10
        return cost

    monkeypatch.setattr(compare, "measured", measured)
    steps = [*compare.every_lab(tmp_path, [LAB], 2, 75.0)]
    assert now[0] == 70 and len(steps) == 7 and [len(found["rounds"]) for _, _, found in steps] == [1, 1, 1, 1, 1, 2, 1]


def test_the_floor_of_the_same_tests_judges_each_as_they_are(tmp_path):
    floor = tools.same_tests(LAB)
    floor.prepare(tmp_path, 4)
    measure(floor.command, tmp_path, tmp_path / "log")
    assert floor.found_right(tmp_path) == students(4), (tmp_path / "log").read_text()


def test_every_tool_and_every_lab_is_in_a_table():
    costs = {tool: {"wall": 8.0, "cpu": cpu, "first": 1.0} for tool, cpu in ((tools.LABKIT, 4), (tools.SAME_TESTS, 1))}
    part = {"size": 4, "rounds": [{"load": 0.5, "costs": costs}], "machine": "any", "when": "now"}
    small = {
        **part,
        "lab": "02_heatmap",
        "rounds": [{"costs": {tools.LABKIT: costs[tools.LABKIT], tools.NBVAL: {"cpu": 6}}}],
    }
    large = {**part, "lab": "02_heatmap", "size": 8}
    once = {"labkit": {"wall": 3.0, "cpu": 2.0}, "kernel": {"wall": 4.0, "cpu": 1.0}}
    first = {"first": {"rounds": [once], "machine": "any", "when": "now"}}
    page = report.page({"compare 4": part, "lab 02_heatmap 4": small, "lab 02_heatmap 8": large, **first})
    assert f"| {tools.SAME_TESTS} | 8.0 | 1.0, 0.2 |" in page and "| 02 | 1000 | 1.5 | 500 | 4.0 |" in page
    assert "after 3.0 s. That is 0.75 of" in page and "take 2.0 times" in page


@linux
@pytest.mark.long("grades a class with a profiler")
def test_every_kind_of_process_has_its_part_of_the_time(tmp_path):
    found = where(tmp_path, 4, jobs=2)["seconds"]
    assert all(seconds > 0 for seconds in found.values()), found
    shares = {"kernels 02_heatmap": {"shares": {"draw_heatmap": 0.6, "start and cells": 0.2}}}
    page = report.table_of_processes({"where 02_heatmap": {"lab": "02_heatmap", "size": 4, "seconds": found}}, shares)
    assert "| 02 | " in page and "draw_heatmap 60%, start and cells 20%" in page


@linux
def test_every_exercise_has_its_share_of_the_kernels_time(tmp_path):
    lab = "06_order_for_attention"
    shares = in_kernels(tmp_path, 1, lab)["shares"]
    answered = {each.name for each in COURSE.labs[lab].exercises if not each.written}
    assert shares.keys() == {"start and cells", *answered} and min(shares.values()) >= 0
    assert abs(sum(shares.values()) - 1) < 0.1


@pytest.mark.long("runs every check of a lab several times in two kernels")
def test_the_checks_of_a_lab_are_timed_in_a_kernel():
    found = in_lab.checks(repeats=1, labs=[COURSE.labs[LAB]])["exercises"]
    assert set(found) == {f"01 {each.name}" for each in COURSE.labs[LAB].exercises if each.checked}
    assert all(
        0 < milliseconds < 10_000 for times in found.values() for milliseconds in [times["first"], *times["others"]]
    )


@linux
def test_a_tool_that_judges_wrongly_is_no_measurement(tmp_path):
    (tmp_path / "prepared").mkdir()
    generous = tools.Tool(
        "generous", layouts.as_handed_in, ["echo", "all passed"], lambda _: dict.fromkeys(students(4), True)
    )
    with pytest.raises(RuntimeError, match=r"student-0003.*\s+all passed"):
        compare.run(generous, tmp_path / "prepared", tmp_path / "running", 4)


@linux
def test_a_peer_that_fails_is_left_out_and_labkit_is_not(tmp_path, monkeypatch, capsys):
    def tool(name: str, right: bool) -> tools.Tool:
        verdicts = students(4) if right else {}
        return tools.Tool(name, layouts.as_handed_in, ["true"], lambda _: verdicts)

    given = [tool(tools.LABKIT, True), tool("hangs", False), tool("another", True)]
    monkeypatch.setattr(compare, "contenders", lambda jobs, *lab: given)
    found = compare.compare(tmp_path / "one", 4, 2, 1, [])
    assert [[*each["costs"]] for each in found["rounds"]] == [[tools.LABKIT, "another"]] * 2
    assert "class of 4: hangs is left out: hangs graded 0 of 4" in capsys.readouterr().err
    given[0] = tool(tools.LABKIT, False)
    with pytest.raises(RuntimeError, match="labkit grade graded 0 of 4"):
        compare.compare(tmp_path / "two", 4, 1, 1, [])


BUSY = "import time\nmemory = bytearray(100 * 2**20)\nwhile time.process_time() < 0.5: pass"
LEAVES = f"import subprocess, sys, time\nprint('started', flush=True)\nsubprocess.Popen([sys.executable, '-c', {BUSY!r}])\ntime.sleep(0.1)"


@linux
def test_costs_are_those_of_all_processes(tmp_path):
    cost = measure([sys.executable, "-c", LEAVES], tmp_path, tmp_path / "log")
    assert cost.cpu >= 0.5 and cost.largest >= 100 > cost.main > 0  # although the command ended before its child
    assert 0 < cost.first <= cost.wall
    with pytest.raises(RuntimeError, match="exit code 3"):
        measure(["sh", "-c", "exit 3"], tmp_path, tmp_path / "log")


def test_ratios_are_medians_of_the_ratios_of_rounds():
    rounds = [
        {"costs": {tools.LABKIT: {"wall": ours}, "other": {"wall": theirs}}}
        for ours, theirs in ((1, 4), (10, 50), (1, 6))
    ]
    assert report.ratio(rounds, "other", "wall") == 5


@needs("make bench")
def test_the_report_is_what_its_measurements_give():
    kept = ROOT / "grader/docs/benchmarks.json"
    assert report.page(json.loads(kept.read_text("utf-8"))) == kept.with_suffix(".md").read_text("utf-8"), (
        "benchmarks.md does not match benchmarks.json: run `python grader/benchmarks/bench.py --report-only`"
    )


def test_the_page_on_security_is_what_was_measured():
    known = json.loads(security.KEPT.read_text("utf-8"))
    written = security.KEPT.with_suffix(".md").read_text("utf-8")
    assert written == security_page.page(known), (
        "the page is outdated: run `python grader/benchmarks/security.py none`, which does not measure again"
    )


def test_each_channel_has_its_own_row_of_measurements():
    first, *others = security.channels.LEFT
    _, _, *rows = security_page.channels_table({"warm": [first], "stock": others}).splitlines()
    assert rows[0] == f"| {first} | open | closed |" and rows[1:] == [f"| {name} | closed | open |" for name in others]


def test_sixty_hostile_hand_ins_are_of_every_seam_and_carry_every_finding_that_can_be_carried():
    names = hostile.chosen()
    carried = {each.finding for name, each in HAND_INS.items() if name in names}
    assert len(names) == hostile.HOSTILE and carried >= {each.finding for each in HAND_INS.values()} - {""}
    assert {security_page.target_of(name) for name in names} == {
        seam for seam, module in SEAMS.items() if module.HAND_INS
    }


def test_the_full_list_has_every_attack_that_was_measured():
    known = json.loads(security.KEPT.read_text("utf-8"))
    listed = security_page.everything(known)
    missing = [name for run in known["submissions"].values() for name in run["rows"] if f"| {name} |" not in listed]
    assert missing == [] and all(f"| {name} |" in listed for name in security.channels.LEFT)
