"""Grade with as little work as possible, as a lower bound (floor): `python floors.py CLASS SCORES.json [--draw | --judged]`

One process imports the lab's packages. For each submission, it runs the code cells with `exec`, and then the checks. With `--draw`, it
encodes every picture that a notebook would show; otherwise it draws none. With `--judged`, it skips cells that only display something
and do not affect points.
"""

from __future__ import annotations

import argparse
import io
import json
import os
from collections.abc import Container
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path

os.environ["MPLBACKEND"] = "agg"

import IPython.display
import matplotlib.pyplot as plt
from classroom import LAB, POINTS, ROOT, checks, is_picture
from IPython.core.pylabtools import print_figure

import labkit.student.notebook.examine
from labkit.grade.judge.assemble import reference_cells
from labkit.student.model import course, project
from labkit.student.notebook.figures import NO_PICTURES

project.use(ROOT)
CHECKS = checks()
SHOWS = {
    cell.id
    for cell in reference_cells(project.current(), course.current().labs[LAB])
    if cell.metadata.get("labkit", {}).get("shows")
}
check = labkit.student.notebook.examine.check


def points_of(notebook: dict, draw: bool, left_out: Container[str]) -> tuple[dict[str, int], int]:
    """Grade one notebook. Returns the points for each exercise, and the number of pictures drawn."""
    names: dict = {"__name__": "__main__"}
    shown: list = []
    labkit.student.notebook.examine.check = partial(check, namespace=names)
    IPython.display.display = lambda *what, **_: shown.extend(what)
    with redirect_stdout(io.StringIO()):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code" and cell["id"] not in left_out:
                before = len(shown)
                passes("".join(cell["source"]), names)
                if "widget" in cell["metadata"].get("tags", ()):
                    del shown[before:]  # shown inside a widget, so the notebook would not store it
                shown += pictures_left() if draw else []
                plt.close("all")
        points = {name: POINTS[name] * passes(source, dict(names)) for name, source in CHECKS.items()}
    return points, sum(map(is_picture, shown))


def passes(source: str, names: dict) -> bool:
    try:
        exec(source, names)
    except Exception:
        return False
    return True


def pictures_left() -> list[dict]:
    """Encode the figures that are open at the end of a cell, as the inline backend does."""
    figures = map(plt.figure, plt.get_fignums())
    return [{"image/png": print_figure(each, bbox_inches="tight", base64=True)} for each in figures]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("scores", type=Path)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--draw", action="store_true")
    which.add_argument("--judged", action="store_true")
    given = parser.parse_args()
    if not given.draw:
        os.environ[NO_PICTURES] = "1"
    found = {}
    for path in sorted(given.folder.glob("*/*.ipynb")):
        points, pictures = points_of(json.loads(path.read_text("utf-8")), given.draw, SHOWS if given.judged else ())
        found[path.parent.name] = {"points": points, "pictures": pictures}
    given.scores.write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
