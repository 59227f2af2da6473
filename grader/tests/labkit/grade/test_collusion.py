"""Reference values given to a kernel that checks an answer a second time reach no page and no classmate."""

import base64
import io
import os
import random
from pathlib import Path

import numpy as np
import pytest
from attacks import collusion, hostile_class
from handouts import Handout
from longer import every, times
from needs import ABSENT, WALLS, skip_without
from PIL import Image

from labkit.grade.sandbox.confine import CHOICE

LAB = "02_levels"
LARGE = 2**24


def rarely_read() -> Path:
    """A large file that every kernel may read."""
    found = (path for path in Path("/usr/lib").glob("*/*") if path.is_file() and path.stat().st_size > LARGE)
    path = max(found, key=lambda path: path.stat().st_size, default=None)
    return path or skip_without("a large file")


def forget(path: Path) -> None:
    """Drop the file from the page cache."""
    with open(path, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def bits_in(picture: str) -> list[int]:
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture))).convert("L"))
    rows, columns = pixels.shape
    return [int(pixels[rows // 2, (2 * bit + 1) * columns // 32] > 127) for bit in range(16)]


@pytest.mark.parametrize("layer", [*every(2, WALLS, why="the same with another isolation layer"), *ABSENT])
def test_no_picture_shows_a_value_of_the_reference(handout, judged, monkeypatch, layer):
    monkeypatch.setenv(CHOICE, layer)
    path, shown = rarely_read(), []
    for turn in range(rounds := times(2, 20)):
        values = tuple(float(each) for each in random.Random(turn).sample(range(16), 6))
        source = collusion.DRAWN.replace("@facts@", repr((str(path), 1 + turn, values)))
        forget(path)
        result = judged(handout(LAB).write("levels", collusion.LEAKS["levels"]).write("draw_levels", source))
        bits = bits_in(result.pictures["draw_levels"])
        shown.append(bits == [int(bit in values) for bit in range(16)])
    assert len(shown) == rounds and not any(shown)


@pytest.mark.long("grades a class many times; the test above covers a single kernel")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("layer", [*WALLS, *ABSENT])
def test_no_classmate_earns_points_by_values_of_the_reference(tmp_path_factory, layer):
    gained = []
    for _ in range(20):
        folder = tmp_path_factory.mktemp("collusion")
        leaks = Handout(LAB)
        for name in ("levels", "draw_levels"):
            leaks.write(name, collusion.LEAKS[name])
        leaks.save(folder / "class" / "aa-leaks" / f"{LAB}.ipynb")
        Handout(LAB).write("levels", collusion.ASKS).save(folder / "class" / "ab-asks" / f"{LAB}.ipynb")
        budgets = {"cell-seconds": 10, "notebook-seconds": 60}
        gained.append(hostile_class.grade(folder, layer, jobs=2, budgets=budgets).rows["ab-asks"]["score"])
    assert not any(gained)
