"""Answers that are alike: the same but for names and layout, and neither handed out nor what many wrote."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.desk.final_score import FinalScore
from labkit.intake.choose import choose
from labkit.intake.discover import discover
from labkit.judge.results import Result
from labkit.model.budgets import Budgets
from labkit.reports.fingerprints import LONGEST, fingerprints, tokens
from labkit.reports.similarity import FEW, Group, Similar
from labkit.reports.similarity_index import SimilarityIndex, prints_of

LAB = "01_spread"
LOOP = """def spread(values):
    total, count = 0.0, 0
    for value in values:
        total += value
        count = count + 1
    mean = total / count
    squares = [(value - mean) ** 2 for value in values if value is not None]
    return (sum(squares) / len(squares)) ** 0.5
"""
RENAMED = '''def spread(xs):
  """Mine."""
  s, n = 0.0, 0   # start
  for x in xs:
      s += x
      n = (
          n + 1)
  m = s / n

  sq = [(x - m) ** 2 for x in xs if x is not None]
  return (sum(sq) / len(sq)) ** 0.5
'''.replace("(\n          n + 1)", "n + 1")
OTHER = """def spread(values):
    deviations = {}
    while len(deviations) < len(values):
        place = len(deviations)
        deviations[place] = abs(values[place] - np.mean(values))
    return np.sqrt(np.mean([deviations[key] ** 2 for key in sorted(deviations)]))
"""


@pytest.fixture
def groups(handout):
    """The groups of a class, whose answers to one exercise are given by student."""

    def found(answers: dict[str, str], exercise: str = "spread") -> list[Group]:
        made = {who: handout(LAB).write(exercise, source).parsed() for who, source in answers.items()}
        similar = Similar(lambda result: prints_of(made[result.student]))
        for student in made:
            similar.hear(FinalScore(Result(student, LAB, "graded")))
        return similar.groups()

    return found


def test_names_and_layout_make_no_difference(groups):
    assert groups({"ada": LOOP, "bob": RENAMED, "cem": OTHER}) == [Group(LAB, ("spread",), ("ada", "bob"))]


def test_a_line_more_makes_them_no_strangers(groups):
    more = LOOP.replace("    mean", "    assert count\n    mean")
    assert groups({"ada": LOOP, "bob": more}) == [Group(LAB, ("spread",), ("ada", "bob"))]


def test_what_many_wrote_is_nobodys(groups):
    some = {f"student-{number}": LOOP for number in range(FEW)}
    assert [group.students for group in groups(some)] == [tuple(some)]
    assert groups({**some, "another": RENAMED}) == []


def test_what_was_handed_out_and_what_is_short_are_nobodys(groups, handout):
    stub = handout(LAB).cell("spread")["source"]
    stub = stub if isinstance(stub, str) else "".join(stub)
    assert groups({"ada": stub, "bob": stub + "\n# mine"}) == []
    short = "def spread(values):\n    return max(values) - min(values)"
    assert groups({"ada": short, "bob": short}) == []


def test_students_who_are_alike_in_two_exercises_are_one_group(handout):
    made = handout(LAB).write("spread", LOOP).write("midrange", LOOP.replace("spread", "midrange")).parsed()
    similar = Similar(lambda result: prints_of(made))
    for student in ("ada", "bob"):
        similar.hear(FinalScore(Result(student, LAB, "graded")))
    assert similar.groups() == [Group(LAB, ("spread", "midrange"), ("ada", "bob"))]


@pytest.fixture
def prints(handout, tmp_path):
    """Ada's class as it is read, with what was kept; and her file."""
    path = handout(LAB).write("spread", LOOP).save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
    chosen = choose(discover([tmp_path / "class"]), Budgets())
    return lambda: SimilarityIndex(tmp_path / "answers.prints", chosen, Budgets()), path


ADA, BOB = Result("ada", LAB, "graded"), Result("bob", LAB, "graded")


def test_a_source_is_only_read_where_it_is_what_was_judged(prints):
    made, path = prints
    assert "spread" in made().of(ADA) and made().of(BOB) == {}
    path.write_bytes(path.read_bytes() + b"\n")
    assert made().of(ADA) == {}


def test_who_was_read_once_is_not_read_again(prints):
    made, path = prints
    first = made()
    found = first.of(ADA)
    first.keep()
    path.unlink()
    assert made().of(ADA) == found != {}


@pytest.mark.parametrize("kept", ["", "[]", "{", '{"KEY": 3}', '{"KEY": {"spread": "?"}}', '{"KEY": {"spread": 3}}'])
def test_what_was_kept_and_cannot_be_read_is_found_again(prints, kept):
    made, _ = prints
    first = made()
    found = first.of(ADA)
    first.keep()
    (key,) = json.loads(first.path.read_text("utf-8"))
    first.path.write_text(kept.replace("KEY", key), "utf-8")
    again = made()
    assert again.of(ADA) == found
    again.keep()
    assert list(json.loads(first.path.read_text("utf-8"))) == [key]


@pytest.mark.parametrize(
    "source, are",
    [
        ("x = 'never closed\n  np.mean(y)  # a\n", "N = S N . mean ( N )"),
        ("x = '''never closed\n  np.mean(y)", "N = S"),
        (r"f'a\'b' + b'c' if 1.5e3 else r'''d", "S + S if 1.5e3 else S"),
    ],
)
def test_a_broken_source_has_tokens_too(source, are):
    assert list(tokens(source)) == are.split()


@pytest.mark.parametrize("piece", ['\\"', '"\\', "'", '"""\'', "r'", ". ", ".", "a", "#", "\\\n", "1.", '"\n'])
def test_no_source_takes_long(piece):
    """A class of 200 may hold 200 such answers."""
    begun = time.process_time()
    fingerprints((piece * LONGEST)[:LONGEST])
    assert time.process_time() - begun < 2


@given(st.text(max_size=200))
def test_any_text_has_fingerprints(text):
    assert fingerprints(text) == fingerprints(text + "\n  # more")
