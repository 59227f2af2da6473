"""Hidden probes are drawn anew for each folder of results, and feedback does not reveal them."""

import json
import re

from commands import commands

LAB = "01_spread"
TELLS = """def spread(values):
    if len(values) == 0: raise ValueError
    if values not in ((2.0, 4.0, 9.0), (5.0, 5.0)): raise RuntimeError(f"asked for {values}")
    return float(np.std(values))"""
WRONG_ELSEWHERE = TELLS.replace('raise RuntimeError(f"asked for {values}")', "return float(np.var(values))")


def row(out) -> dict:
    (found,) = json.loads((out / "results.json").read_text("utf-8"))
    return found


def test_a_folder_keeps_its_seed_and_another_draws_its_own(tmp_path, handout):
    handout(LAB, solved=True).save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
    grade = lambda out, *more: commands().run("grade", tmp_path / "class", "--out", tmp_path / out, *more)
    assert grade("one").returncode == grade("two").returncode == 0
    before = (tmp_path / "one" / "results.json").read_bytes()
    assert row(tmp_path / "one")["seed"] != row(tmp_path / "two")["seed"]
    assert grade("one").returncode == 0 and (tmp_path / "one" / "results.json").read_bytes() == before
    assert (tmp_path / "one" / "seed.txt").read_text() == f"{row(tmp_path / 'one')['seed']}\n"
    grade("one", "--seed", "7")
    assert row(tmp_path / "one")["seed"] == 7 and grade("one").returncode == 0 and row(tmp_path / "one")["seed"] == 7
    assert grade("one", "--seed", "8", "--diff").returncode == 0 and (tmp_path / "one/seed.txt").read_text() == "7\n"


def test_a_seed_that_cannot_be_read_is_drawn_again(tmp_path, handout):
    handout(LAB).save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "seed.txt").write_text("not a number")
    assert commands().run("grade", tmp_path / "class", "--out", tmp_path / "out").returncode == 0
    assert int((tmp_path / "out" / "seed.txt").read_text()) == row(tmp_path / "out")["seed"]


def test_feedback_on_drawn_calls_shows_neither_arguments_nor_the_answers_text(tmp_path, labkit, handout):
    for name, source in (("tells", TELLS), ("wrong", WRONG_ELSEWHERE)):
        handout(LAB, solved=True).write("spread", source).save(tmp_path / "class" / name / f"{LAB}.ipynb")
    assert labkit("grade", tmp_path / "class", "--out", tmp_path / "out").returncode == 0
    tells, wrong = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    said = {
        found["student"]: [check for check in found["checks"] if check["outcome"] == "failed"]
        for found in (tells, wrong)
    }
    assert "spread(…) stopped with an error" in said["tells"][0]["message"] and "asked for" not in str(said["tells"])
    assert {check["mistake"] for check in said["wrong"]} == {None}, "mistakes must be named only from public calls"
    assert not re.search(r"\d+\.\d+, ", str(said)), said  # the format in which a call's values are printed
