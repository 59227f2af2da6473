"""The command: python -m encoding_labs.diagnose FILE.py:FUNCTION, or the name of a file with a table of numbers.

Exits with 0 if the encoding is right, in the paper's layout or another; with 1 if it is wrong; with 2 if it can't be judged.
"""

from __future__ import annotations

import argparse
import sys
from functools import reduce
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np

from encoding_labs.diagnose.foreign import Unreadable, turns_rows
from encoding_labs.diagnose.pasted import numbers_in
from encoding_labs.diagnose.verdict import Verdict, judge_numbers, judge_rope, judge_table
from labkit.student.model.text import did_you_mean, in_a_line

SHADES = " ░▒▓█"
ROWS, COLUMNS = 12, 24


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m encoding_labs.diagnose",
        description="Say which mistake is in a sinusoidal or rotary positional encoding.",
        epilog="Exits with 0 if it is right, with 1 if it is wrong, and with 2 if it can't be judged.",
    )
    parser.add_argument(
        "function",
        metavar="FILE.py:FUNCTION",
        help="a function, class or module of any library, or a file with a table of numbers",
    )
    parser.add_argument(
        "--rotary", action="store_true", help="f(x, positions) turns the rows x; told by its names if left out"
    )
    parser.add_argument("--picture", metavar="FILE", help="draw it next to the right one, as PNG, SVG or PDF")
    options = parser.parse_args(arguments)
    try:
        verdict = _judged(options.function, options.rotary)
        if options.picture:
            draw(verdict, options.picture)
    except (Unreadable, OSError, ValueError) as error:
        print(f"{options.function}: {in_a_line(error)}", file=sys.stderr)
        return 2
    print(*verdict.lines, sep="\n")
    if not (verdict.fine or options.picture):
        print(*sketch(verdict), sep="\n")
    return 0 if verdict.fine else 1


def _judged(stated: str, rotary: bool) -> Verdict:
    """Judge a table in a file of numbers, or a function in a Python file. Errors: Unreadable, OSError, ValueError."""
    if Path(stated).is_file() and not stated.endswith(".py"):
        return judge_numbers(*numbers_in(Path(stated).read_text("utf-8")))
    function, name = load(stated)
    return (judge_rope if rotary or turns_rows(function) else judge_table)(function, name)


def load(stated: str) -> tuple[object, str]:
    """Run the file, and return what it names. Errors: Unreadable."""
    file, _, name = stated.rpartition(":")
    path = Path(file)
    if not file or not name:
        raise Unreadable("name a file and a function in it, such as model.py:positional_encoding")
    if not path.is_file():
        raise Unreadable(f"there is no file {path}")
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise Unreadable(f"{path.name} is not a Python file")
    module = module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except BaseException as error:  # whatever the file does
        raise Unreadable(f"{path.name} stops with {in_a_line(error)}") from None
    try:
        return reduce(getattr, name.split("."), module), name
    except AttributeError:
        raise Unreadable(f"{path.name} has no {name}{did_you_mean(name, vars(module))}") from None


def draw(verdict: Verdict, file: str) -> None:
    """Draw the values, the right ones and the difference. Errors: OSError, ValueError for an unknown format."""
    import matplotlib

    matplotlib.use("Agg")
    from labkit.student.notebook.look import beside

    seen = verdict.observation
    figure, _ = (seen.exercise.look or beside)(seen, "en")
    figure.savefig(file)


def sketch(verdict: Verdict) -> list[str]:
    """A picture in characters: the first rows and columns, given and right. Darker is larger."""
    seen = verdict.observation
    if np.shape(seen.actual) != np.shape(seen.expected):
        return []
    given, right = (np.nan_to_num(np.asarray(each, dtype=float)) for each in (seen.actual, seen.expected))
    width = min(COLUMNS, right.shape[1])
    head = [f"{'this':{width}}   right"]
    return head + [
        f"{_shaded(one[:width])}   {_shaded(other[:width])}" for one, other in zip(given[:ROWS], right[:ROWS])
    ]


def _shaded(row: np.ndarray) -> str:
    places = np.clip((row + 1) / 2 * len(SHADES), 0, len(SHADES) - 1).astype(int)
    return "".join(SHADES[place] for place in places)


if __name__ == "__main__":
    sys.exit(main())
