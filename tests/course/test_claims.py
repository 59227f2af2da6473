"""The claims tested in test_claims_LAB.py belong to cells of the lab, are listed in docs/claims.md and cover the lab's numbers."""

import ast
import re

import claims
import nbformat
import pytest

from encoding_labs import COURSE
from labkit.author.source import percent, texts
from labkit.student.model import project
from labkit.student.model.course import folder_of
from labkit.student.notebook.examine import PAGE

CODE = re.compile(r"<code>.*?</code>|`[^`]*`", re.DOTALL)
DIGITS = r"\d{1,3}(?:,\d{3})+|\d+"
MEASURED = re.compile(rf"(?<![\w.,/])(?<!section )(?:{DIGITS})(?:(?<=,\d\d\d)|\.\d+|(?= ?(?:%|percent)))(?!\w)")


@pytest.mark.parametrize("name", COURSE.names)
def test_every_claim_belongs_to_a_cell(name):
    cells = {cell.id for cell in nbformat.read(project.current().solutions / f"{name}.ipynb", 4).cells}
    made = list(claims.claims_of(name))
    assert len(made) >= 8 and {claim.cell for claim in made} <= cells


def numbers_told(name):
    """The numbers with decimals, thousands or a percent sign in a lab's cells, figures, reasons and cheat sheet, code aside."""
    here, lab = project.current(), COURSE.labs[name]
    source = percent.read_source(here.solutions / f"{name}.py", lab)
    said = [cell.source for cell in source.cells if cell.cell_type == "markdown"]
    said += [each.english for each in texts.lab_part(here, lab, source).texts() if each.context in (None, PAGE)]
    return {number for each in said for number in MEASURED.findall(CODE.sub("", each.replace("{,}", ",")))}


def numbers_tested(name):
    """The numbers in the code of the tests of a lab's claims, without docstrings and comments."""
    tests = ast.parse((claims.TESTS / f"test_claims_{folder_of(name)}.py").read_text("utf-8"))
    for node in ast.walk(tests):
        if isinstance(node, ast.Module | ast.FunctionDef) and ast.get_docstring(node):
            del node.body[0]
    return {value(number) for number in re.findall(rf"(?:{DIGITS})(?:\.\d+)?(?:e-?\d+)?", ast.unparse(tests))}


def value(number):
    return float(number.replace(",", ""))


@pytest.mark.parametrize("name", COURSE.names)
def test_every_number_that_a_lab_states_is_in_the_code_of_a_test(name):
    told, tested = numbers_told(name), numbers_tested(name)
    assert told
    missing = [number for number in sorted(told) if not {value(number), value(number) / 100} & tested]
    assert not missing, f"compute these numbers of {name} in test_claims_{folder_of(name)}.py"
