"""The command that names the mistake in anybody's positional encoding."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import encodings_of_others as others
import numpy as np
import pytest
from needs import needs

from autograder.shipped import SHIPPED
from autograder.wrong_tables import WRONG_TABLES
from encoding_labs import COURSE
from encoding_labs.diagnose.__main__ import main
from encoding_labs.diagnose.foreign import Unreadable, turns_rows
from encoding_labs.diagnose.page import MOST, answer
from encoding_labs.diagnose.pasted import diagnose_text
from encoding_labs.diagnose.verdict import CONVENTIONS, TURNED, judge_rope, judge_table, properties
from labkit.student.notebook import language as notebook_language
from minimodel.positional.sinusoidal import sinusoidal_pe

pytestmark = pytest.mark.filterwarnings("ignore")
FILE = Path(others.__file__)


@pytest.mark.parametrize("each", SHIPPED, ids=lambda each: each.where)
def test_each_mistake_of_a_public_program_is_named(each):
    judged, conventions = (judge_rope, TURNED) if each.exercise == "rope" else (judge_table, CONVENTIONS)
    verdict = judged(each.answer)
    odd = {"odd-d-accepted"} & {*each.mistakes}
    assert {*verdict.mistakes} == {*each.mistakes} - odd
    assert any("odd-d-accepted" in line for line in verdict.lines) == bool(odd)
    assert verdict.kind == ("convention" if {*verdict.mistakes} <= {*conventions} else "wrong")


@pytest.mark.parametrize("function", others.PAPERS, ids=lambda each: each.__name__)
def test_the_papers_encoding_is_right_however_it_is_written(function):
    assert judge_table(function).kind == "right"


@pytest.mark.parametrize("function", others.CONVENTIONS, ids=lambda each: each.__name__)
def test_another_convention_is_right_and_its_properties_are_listed(function):
    verdict = judge_table(function)
    assert (verdict.kind, {*verdict.mistakes}) == ("convention", others.CONVENTIONS[function]) and verdict.fine
    assert [line.split(":")[0].strip() for line in verdict.lines[2:6]] == ["holds"] * 4
    assert verdict.lines[7].strip().startswith("does not hold")


def test_there_are_enough_styles():
    assert len(others.PAPERS) + len(others.CONVENTIONS) >= 20


def test_rotary_encodings_are_recognized_and_right():
    assert all(map(turns_rows, (others.rotate_every_two, others.heads_as_complex_numbers, others.rotate_half)))
    assert not any(map(turns_rows, [*others.PAPERS, *others.CONVENTIONS]))
    assert judge_rope(others.rotate_every_two).kind == judge_rope(others.heads_as_complex_numbers).kind == "right"
    assert judge_rope(others.rotate_half).mistakes == ("halves-layout",) and judge_rope(others.rotate_half).fine


def test_an_unknown_mistake_has_no_name_but_a_place():
    verdict = judge_table(lambda T, d: sinusoidal_pe(T, d) ** 2, "squared")
    assert (verdict.kind, verdict.mistakes) == ("unknown", ()) and not verdict.fine
    assert "squared(64, 32)" in verdict.lines[1] and "row" in verdict.lines[1]


@pytest.mark.parametrize(
    "function, problem",
    [
        (
            lambda T, d: np.zeros((d, 3)),
            r"no call gives a table of 64 positions and 32 dimensions; it returned ndarray",
        ),
        (lambda config, mask, heads: None, "config and mask"),
        (lambda: None, "no call gives"),
        (lambda T, d: 1 / 0, "ZeroDivisionError"),
        ("a text", "not a function"),
    ],
)
def test_what_cannot_be_judged_is_refused_with_the_reason(function, problem):
    with pytest.raises(Unreadable, match=problem):
        judge_table(function)


def test_properties_are_computed_from_the_numbers():
    right = sinusoidal_pe(64, 32)
    assert all(properties(right, right).values())
    noise = properties(np.random.default_rng(1).normal(size=(64, 32)), right)
    assert [text for text, holds in noise.items() if holds] == ["no two rows are equal"]
    found = properties(np.floor(right * 3), right)
    assert not found["all rows have the same length"] and not found["a shift by one position is one linear map"]


def run(*words: object) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "encoding_labs.diagnose", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_the_command_says_what_is_wrong_draws_it_and_exits_with_1(tmp_path):
    file = tmp_path / "model.py"
    file.write_text(
        "import numpy as np\n"
        "def encode(length, depth):\n"
        "    angles = np.arange(length)[:, None] / 10000 ** (np.arange(depth // 2) / depth)\n"
        "    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(length, depth)\n"
    )
    done = run(f"{file}:encode")
    assert done.returncode == 1 and "exponent-k-over-d" in done.stdout and "encode(64, 32)" in done.stdout, done.stderr
    assert len(done.stdout.splitlines()[-1].split("   ")) == 2 and not done.stderr
    picture = tmp_path / "picture.png"
    assert main([f"{file}:encode", "--picture", str(picture)]) == 1
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "name, code, said",
    [
        ("with_a_div_term", 0, "Right."),
        ("AnnotatedEncoding", 0, "Right."),
        ("get_timing_signal_1d", 0, "exponent-d-minus-2"),
        ("rotate_half", 0, "halves-layout"),
        ("rotate_halves", 2, "did you mean rotate_half?"),
    ],
)
def test_the_command_exits_with_0_if_it_is_right_and_with_2_if_it_is_not_there(capsys, name, code, said):
    assert main([f"{FILE}:{name}"]) == code
    told = capsys.readouterr()
    assert said in (told.err if code == 2 else told.out) and len(told.err.splitlines()) == (code == 2)


@pytest.mark.parametrize(
    "text, asked, said",
    [
        ("f = 1", "f", "not a function"),
        ("import no_such_package", "f", "ModuleNotFoundError"),
        ("raise SystemExit(0)", "f", "SystemExit"),
        ("def f(:", "f", "SyntaxError"),
        ("f = 1", "", "name a file and a function"),
    ],
)
def test_the_command_explains_in_a_line_what_it_cannot_judge(tmp_path, capsys, text, asked, said):
    (tmp_path / "model.py").write_text(text)
    assert main([f"{tmp_path / 'model.py'}:{asked}"]) == 2
    told = capsys.readouterr()
    assert said in told.err and len(told.err.splitlines()) == 1 and not told.out


TORCH = """
import math
import torch
from torch import nn

class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000, scale=-1.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (scale * math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2], pe[:, 0, 1::2] = torch.sin(position * div_term), torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(0)])

class Upwards(PositionalEncoding):
    def __init__(self, d_model, max_len=5000):
        super().__init__(d_model, max_len=max_len, scale=1.0)

class Added(nn.Module):
    def forward(self, x):
        batch, length, d = x.shape
        return x + PositionalEncoding(d, max_len=length).pe[:, 0]

class Frozen(nn.Embedding):
    def __init__(self, num_positions, embedding_dim):
        super().__init__(num_positions, embedding_dim)
        self.weight.data = PositionalEncoding(embedding_dim, max_len=num_positions).pe[:, 0]

def timestep_embedding(timesteps, dim, max_period=10000):
    half = dim // 2
    args = timesteps[:, None].float() * torch.exp(-math.log(max_period) * torch.arange(half) / half)[None]
    return torch.cat([torch.cos(args), torch.sin(args)], dim=-1)

def in_bfloat16(length, d_model):
    return PositionalEncoding(d_model, max_len=length).pe.bfloat16()

def angles_in_bfloat16(length, d_model):
    angles = torch.arange(length).bfloat16()[:, None] * (10000 ** (-torch.arange(0, d_model, 2) / d_model)).bfloat16()
    return torch.stack([angles.float().sin(), angles.float().cos()], dim=-1).flatten(1)

def apply_rotary(x, positions):
    half = x.shape[-1] // 2
    angles = positions[:, None].float() * 10000 ** (-torch.arange(half) / half)
    cos, sin = angles.cos().repeat(1, 2), angles.sin().repeat(1, 2)
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], dim=-1) * sin
"""


@needs("PyTorch")
@pytest.mark.long("imports PyTorch; the NumPy styles above take the same roads")
@pytest.mark.parametrize(
    "name, code, said",
    [
        ("PositionalEncoding", 0, "Right."),
        ("Added", 0, "Right."),
        ("Frozen", 0, "Right."),
        ("in_bfloat16", 0, "bfloat16"),
        ("timestep_embedding", 0, "halves-swapped"),
        ("apply_rotary", 0, "halves-layout"),
        ("Upwards", 1, "missing-minus"),
        ("angles_in_bfloat16", 1, "low-precision"),
    ],
)
def test_tensors_of_pytorch(tmp_path, capsys, name, code, said):
    (tmp_path / "model.py").write_text(TORCH)
    assert main([f"{tmp_path / 'model.py'}:{name}"]) == code
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    "written",
    [
        lambda table: "\n".join(",".join(map(repr, row)) for row in table.astype(float).tolist()),
        lambda table: "a;b;c;d;e;f;g;h\n" + "\n".join(";".join(map(repr, row)) for row in table.astype(float).tolist()),
        lambda table: json.dumps(table.astype(float).tolist()),
        lambda table: "tensor(" + np.array2string(table, separator=", ", precision=4) + ", dtype=torch.float64)",
        lambda table: repr(table),
        lambda table: np.array2string(table.astype(np.float64), precision=8, suppress_small=False),
    ],
    ids=["csv", "semicolons and a head", "json", "four decimals of a tensor", "repr", "eight decimals"],
)
def test_a_pasted_table_is_judged_as_precisely_as_it_is_written(written):
    right = sinusoidal_pe(20, 8)
    assert diagnose_text(written(right)).kind == "right"
    verdict = diagnose_text(written(np.roll(right, 1, axis=0)))
    assert not verdict.fine and "the table (20, 8)" in verdict.lines[1].lower()


@pytest.mark.parametrize("id", ["exponent-k-over-d", "degrees", "halves-layout", "raw-column-j", "cos-of-sin"])
@pytest.mark.parametrize("size", [(50, 16), (64, 32), (7, 4)])
def test_a_pasted_table_of_any_size_with_all_its_digits_gets_the_name_of_its_mistake(id, size):
    table = WRONG_TABLES[id][0](*size)
    verdict = diagnose_text(json.dumps(table.tolist()))
    assert verdict.mistakes == (id,) and (verdict.kind == "convention") == (id in CONVENTIONS)


FOUR_DECIMALS = """
    exponent-k-over-d degrees lost-log frequencies-reversed wrong-base halves-layout swapped-sin-cos positions-from-one
    rows-reversed negative-position raw-column-j raw-column-2j cos-of-sin same-function-twice
"""


@pytest.mark.parametrize("id", FOUR_DECIMALS.split())
def test_four_decimals_are_enough_to_name_most_mistakes(id):
    for table in (WRONG_TABLES[id][0](20, 8), WRONG_TABLES[id][0](50, 16)):
        assert diagnose_text(str(np.round(table, 4))).mistakes == (id,)


def test_too_few_digits_are_mentioned_where_they_may_hide_the_mistake():
    verdict = diagnose_text(str(np.round(WRONG_TABLES["wrong-stack-axis"][0](10, 6), 4)))
    assert verdict.kind == "unknown" and any("more digits" in line for line in verdict.lines)


def test_pasted_source_is_run_and_its_last_function_that_can_be_judged_is_judged():
    text = "import math\nclass Helper:\n    def __init__(self, config): ...\n" + textwrap.dedent(
        """
        def f(n, d):
            return [[(math.cos if j % 2 else math.sin)(p / 100 ** ((j - j % 2) / d)) for j in range(d)] for p in range(n)]

        def helper(config, other):
            return None
        """
    )
    assert diagnose_text(text).mistakes == ("exponent-k-over-d",)


@pytest.mark.parametrize(
    "text, problem",
    [
        ("[[0. 1. ... 0. 1.]\n [0.8 0.5 ... 0. 1.]]", "leaves numbers out"),
        ("1, 2\n3", r"rows of \[1, 2\] numbers"),
        ("what is wrong?", "no table of numbers"),
        ("0 1\n1 0\n0 1", "3 rows of 2 numbers"),
        ("import no_such_package", "ModuleNotFoundError"),
        ("import math", "no function"),
    ],
)
def test_pasted_text_that_cannot_be_judged_is_refused_with_the_reason(text, problem):
    with pytest.raises(Unreadable, match=problem):
        diagnose_text(text)


def test_the_command_judges_a_file_of_numbers(tmp_path, capsys):
    file = tmp_path / "table.csv"
    np.savetxt(file, sinusoidal_pe(12, 6)[:, [0, 2, 4, 1, 3, 5]], delimiter=",")
    assert main([str(file)]) == 0 and "halves-layout" in capsys.readouterr().out


@pytest.fixture
def answered(monkeypatch):
    """Judge text as the site's page does."""
    monkeypatch.setattr(notebook_language, "_spoken", "en")  # restored after the test
    return lambda text, language="en": json.loads(answer(text, language))


def test_a_page_gets_the_verdict_in_its_language_and_the_numbers_to_draw(answered):
    text = "\n".join(" ".join(map(str, row)) for row in sinusoidal_pe(101, 8)[1:].tolist())
    english, spanish = answered(text), answered(text, "es")
    assert english["kind"] == spanish["kind"] == "wrong" and english["mistakes"] == spanish["mistakes"]
    assert not {*english["lines"], english["place"]} & {*spanish["lines"], spanish["place"]}
    assert english["first"] == [0, 0] and "row 0, column 0" in english["place"]
    assert np.shape(english["given"]) == np.shape(english["right"]) == (MOST, 8)
    assert english["lab"] == COURSE.names[0] and english["exercise"] != spanish["exercise"]


def test_a_page_draws_the_rows_around_the_first_difference(answered):
    table = sinusoidal_pe(200, 4)
    table[150, 3] += 1
    told = answered(json.dumps(table.tolist()))
    row, column = (place - start for place, start in zip(told["first"], told["start"]))
    assert told["first"] == [150, 3] and told["wrong"] == 1
    assert told["given"][row][column] == pytest.approx(told["right"][row][column] + 1, abs=1e-3)


@pytest.mark.parametrize("text", ["nothing", "import no_such_package", "def f(n, d): raise SystemExit(3)", "1 2\n3"])
def test_a_page_gets_the_reason_in_its_language_if_text_cannot_be_judged(answered, text):
    english, spanish = answered(text), answered(text, "es")
    assert {*english} == {*spanish} == {"problem"} and english != spanish


def test_a_page_gets_json_for_infinite_numbers(answered):
    told = answered("def f(n, d): return np.full((n, d), np.inf)")
    assert told["given"][0][0] is None and told["first"] == [0, 0]
