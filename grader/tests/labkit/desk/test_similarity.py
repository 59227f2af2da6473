"""Answers are similar if they differ only in names and layout, and are neither released code nor common solutions."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.desk.pages.similarity import FEW, Group, Similar, fingerprints, tokens
from labkit.desk.people.final_score import FinalScore, Person
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import LONGEST_CODE, Result
from labkit.student.model import project

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
      n = n + 1
  m = s / n

  sq = [(x - m) ** 2 for x in xs if x is not None]
  return (sum(sq) / len(sq)) ** 0.5
'''
OTHER = """def spread(values):
    deviations = {}
    while len(deviations) < len(values):
        place = len(deviations)
        deviations[place] = abs(values[place] - np.mean(values))
    return np.sqrt(np.mean([deviations[key] ** 2 for key in sorted(deviations)]))
"""


def groups(answers: dict[str, str], *exercises: str) -> list[Group]:
    """The groups in a class, from each student's answer to the exercises."""
    here = project.current()
    similar = Similar(here)
    for student, source in answers.items():
        code = {exercise: source.replace("spread", exercise) for exercise in exercises or ("spread",)}
        similar.add(FinalScore(Result.of(here, Submission(student, LAB), "graded", code=code)))
    return similar.groups()


SHORT = "def spread(values):\n    return max(values) - min(values)"


@pytest.mark.parametrize(
    "answers, exercises, students",
    [
        ((LOOP, RENAMED, OTHER), ["spread"], ("0", "1")),
        ((LOOP, LOOP.replace("    mean", "    assert count\n    mean")), ["spread"], ("0", "1")),
        ((LOOP, RENAMED), ["spread", "midrange"], ("0", "1")),  # several similar answers form one group
        ([LOOP] * FEW, ["spread"], tuple(map(str, range(FEW)))),
        ([LOOP] * FEW + [RENAMED], ["spread"], ()),  # many wrote it
        ((SHORT, SHORT), ["spread"], ()),
    ],
)
def test_similar_answers_differ_only_in_names_layout_or_a_line(answers, exercises, students):
    found = groups({str(number): source for number, source in enumerate(answers)}, *exercises)
    assert found == ([Group(LAB, tuple(exercises), students)] if students else [])


def test_handed_out_code_is_not_similarity(handout):
    stub = "".join(handout(LAB).cell("spread")["source"])
    assert groups({"ada": stub, "bob": stub + "\n# mine"}) == []


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
    """A class of 200 may contain 200 such answers."""
    begun = time.process_time()
    fingerprints((piece * LONGEST_CODE)[:LONGEST_CODE])
    assert time.process_time() - begun < 2


@given(st.text(st.characters(codec=None), max_size=200))
def test_any_text_has_fingerprints(text):
    assert fingerprints(text) == fingerprints(text + "\n  # more")


def heard(*students: tuple[str, str, str, str]) -> list[tuple[str, ...]]:
    """The groups of similar answers. `students`: each one's name, group in the roster, kind of download, and file."""
    here = project.current()
    similar = Similar(here)
    for student, group, by, file in students:
        result = Result.of(here, Submission(student, LAB, file=file, by=by), "graded", code={"spread": LOOP})
        similar.add(FinalScore(result, Person(student, group=group)))
    return [each.students for each in similar.groups()]


def test_students_who_submitted_together_are_alike_only_with_others():
    mates = [(name, "Alpha", "folder", "bob/a.ipynb") for name in ("ada", "bob")]
    both = [(name, "", "gradescope", "submission_1/a.ipynb") for name in ("cem", "dan")]
    assert heard(*mates) == heard(*both) == []
    assert heard(*mates, ("eve", "", "folder", "eve/a.ipynb")) == [("ada", "bob", "eve")]
    assert heard(*mates, *both) == [("ada", "bob", "cem", "dan")]
    apart = [(name, "", "gradescope", f"submission_{name}/a.ipynb") for name in ("cem", "dan")]
    assert heard(*apart) == [("cem", "dan")]


def test_a_large_group_does_not_make_an_answer_common():
    """Each group counts once; otherwise an answer shared by a group of six and one other student would count as common."""
    members = [(f"member-{number}", "Alpha", "folder", "bob/a.ipynb") for number in range(FEW + 1)]
    [found] = heard(*members, ("zoe", "", "folder", "zoe/a.ipynb"))
    assert len(found) == FEW + 2
