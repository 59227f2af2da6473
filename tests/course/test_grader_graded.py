"""Test the grader on sample answers: right ones get full points; wrong ones lose points and their mistakes are named.

The check in the notebook must agree. Each test takes up to `MOST` samples from one file and lists everything that is wrong.
"""

import warnings
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import pytest
from in_process import InProcess, answers_beside_right_ones, handle_of, verdicts_on

from autograder.samples import UNKNOWN, UNSEEN, Sample, all_samples, formulas
from encoding_labs import COURSE
from labkit.model.course import folder_of
from labkit.student.judging.diagnosis import diagnose
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation
from labkit.student.judging.words import say, say_all
from labkit.student.model import project
from labkit.student.notebook.expected import known_mistakes

SAMPLES = all_samples()
MOST = 20  # samples per test, few enough that test workers finish at about the same time


def in_groups() -> dict[str, list[Sample]]:
    """Group the samples by file and exercise, and split large groups into numbered ones."""
    found = defaultdict(list)
    for module, sample in SAMPLES:
        found[f"{module}-{sample.exercise}"].append(sample)
    return {
        f"{name}-{start // MOST + 1}": samples[start : start + MOST]
        for name, samples in found.items()
        for start in range(0, len(samples), MOST)
    }


GROUPS = in_groups()


def complaints(sample: Sample) -> Iterator[str]:
    answers = answers_beside_right_ones(sample.exercise, sample.answer)
    found = getattr(answers, sample.exercise).findings  # what the check in the notebook finds
    graded = [*verdicts_on(answers, sample.exercise)]
    asked = {*sample.mistakes} - {UNKNOWN, UNSEEN}

    seen = {finding.mistake for finding in found if finding.mistake}
    hidden = UNSEEN in sample.mistakes
    if bool(found) != bool(sample.mistakes and not hidden) or seen != (set() if hidden else asked):
        yield f"the notebook's check names {sorted(seen)}: {say_all(sample.exercise, found) or 'nothing wrong'}"
    named = {mistake for each in graded for mistake in each.mistakes}
    if named != asked:
        yield f"grading names {sorted(named)}"
    points, most = sum(each.points for each in graded), sum(each.most for each in graded)
    if all(each.passed for each in graded) == bool(sample.mistakes) or (points != most and not sample.mistakes):
        yield f"it earns {points:g} of {most:g} points; tests passed: {[each.passed for each in graded]}"
    for finding in (*found, *(finding for each in graded for finding in each.findings if finding not in found)):
        yield from faults_in_words(sample.exercise, finding)


def faults_in_words(exercise: str, finding: Finding) -> Iterator[str]:
    english, spanish = (say(exercise, finding, language) for language in ("en", "es"))
    if not english or not spanish or english == spanish:
        yield f"{finding.id} needs a message in each language: {english!r}, {spanish!r}"
    if "{" in english + spanish:
        yield f"{finding.id} leaves a field unfilled: {english!r}, {spanish!r}"
    if "an array of shape" in spanish or "is there a return" in spanish:
        yield f"{finding.id} has English words in Spanish: {spanish!r}"


@pytest.mark.parametrize("group", GROUPS)
def test_points_and_names(group):
    found = []
    for sample in GROUPS[group]:
        with warnings.catch_warnings():  # reset for each sample, because Python warns only once per line of code
            warnings.simplefilter("ignore")  # wrong answers divide by zero, and some right ones warn
            try:
                said = [*complaints(sample)]
            except Exception as error:  # a bug in the grader; continue with the other samples
                said = [f"examining it raises {type(error).__name__}: {error}"]
        found += [f"{sample.style} ({', '.join(sample.mistakes) or 'right'}): {each}" for each in said]
    assert not found, "\n".join(found)


def test_every_sample_is_in_a_group():
    assert sum(map(len, GROUPS.values())) == len(SAMPLES) > 1_000


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", COURSE.names)
def test_the_notebooks_check_names_every_formula(name):
    """The samples have one formula of each exercise. Grading finds mistakes in the same way, so the check is enough for the others."""
    found = []
    for sample in formulas(folder_of(name)):
        answer = handle_of(sample.exercise, sample.answer)
        if {finding.mistake for finding in answer.findings} != {*sample.mistakes}:
            found.append(
                f"{sample.exercise}, {sample.style}: {say_all(sample.exercise, answer.findings) or 'nothing wrong'}"
            )
    assert not found, "\n".join(found)


def test_an_answer_that_changes_its_arguments_spoils_no_other():
    exercise = COURSE.exercises["name_the_mistake"]

    def sums(tables, spoil=False):
        found = {letter: float(np.abs(table).sum()) for letter, table in tables.items()}
        for table in tables.values() if spoil else ():
            table[:] = 0
        return found

    first = InProcess(lambda tables: sums(tables, spoil=True)).ask(exercise, exercise.probes[0])
    assert first == InProcess(sums).ask(exercise, exercise.probes[0]) and any(first.values())


def test_there_are_enough_right_styles():
    right = [sample for _, sample in SAMPLES if not sample.mistakes]
    assert len(right) >= 200 and sum(sample.exercise in ("frequencies", "sinusoidal_pe") for sample in right) >= 25


@pytest.mark.parametrize("name", COURSE.names)
def test_every_mistake_of_the_catalogue_has_a_sample(name):
    asked = {exercise.name for exercise in COURSE.labs[name].exercises}
    known = {id for exercise in asked for id in known_mistakes(project.current(), exercise)}
    answers = [*formulas(folder_of(name)), *(sample for _, sample in SAMPLES if sample.exercise in asked)]
    made = {id for sample in answers for id in sample.mistakes} - {UNKNOWN, UNSEEN}
    assert known == made


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("answer", [[2.0], [0.5], [0.0], [np.nan], [1.0, 2.0], [], [[1.0]], 3.0, 0])
def test_a_single_frequency_tells_no_law_from_another(answer):
    actual = np.array(answer) if isinstance(answer, list) else answer
    seen = Observation(COURSE.exercises["frequencies"], (2,), actual, np.array([1.0]), public=False)
    assert len(diagnose(COURSE, [seen])) == 1
