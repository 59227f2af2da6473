"""Attacks through file names and files in a student's folder."""

from __future__ import annotations

import os
from pathlib import Path

from handouts import Handout

from attacks.kinds import Planted


def _mine(path: Path, lab: str, solved: bool = True) -> Path:
    """A notebook that differs from all other submissions."""
    return Handout(lab, solved).insert(f"mine = {str(path.parent)!a}").save(path)


def bytes_that_are_no_text(folder: Path, lab: str) -> None:
    _mine(folder / os.fsdecode(b"\xfc.ipynb"), lab)
    (folder / os.fsdecode(b"caf\xe9.txt")).touch()


def only_bytes_that_are_no_text(folder: Path, lab: str) -> None:
    (folder / os.fsdecode(b"caf\xe9.ipynb")).write_text("<html>signed out</html>")


def deep_folders(folder: Path, lab: str) -> None:
    """Make folders nested deeper than Python can recurse. `rm -rf` removes them."""
    _mine(folder / f"{lab}.ipynb", lab)
    here = os.open(folder, os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("a", dir_fd=here)
        above, here = here, os.open("a", os.O_RDONLY, dir_fd=here)
        os.close(above)
    os.close(here)


def a_pipe(folder: Path, lab: str) -> None:
    os.mkfifo(folder / f"{lab}.ipynb")


def three_sparse_gigabytes(folder: Path, lab: str) -> None:
    with open(folder / f"{lab}.ipynb", "wb") as file:
        file.truncate(3 * 2**30)


def a_link(folder: Path, lab: str) -> None:
    (folder / f"{lab}.ipynb").symlink_to("/etc/passwd")


def many_notebooks(folder: Path, lab: str) -> None:
    """Write notebooks that each loop forever, so that grading all of them would take hours."""
    for number in range(150):
        loops = Handout(lab, solved=True).insert(f"while True: {number}", after="setup")
        os.utime(loops.save(folder / f"{lab} ({number}).ipynb"), (1e9, 1e9 + number * 3600))
    os.utime(_mine(folder / f"{lab}.ipynb", lab), (2e9, 2e9))


def the_name_of_a_classmate(folder: Path, lab: str) -> None:
    """A file modified long after all others, under a classmate's name."""
    for path in (folder / "aa-honest.ipynb", folder / "zz-honest" / f"{lab}.ipynb"):
        Handout(lab).insert("raise SystemExit").save(path)
        os.utime(path, (4e9, 4e9))


def the_name_that_others_have(folder: Path, lab: str) -> None:
    Handout(lab, solved=True).save(folder / "homework.ipynb")


def the_copy_that_was_handed_out(folder: Path, lab: str) -> None:
    os.utime(_mine(folder / "mine.ipynb", lab), (1e9, 1e9))
    Handout(lab).save(folder / f"{lab}.ipynb")


def one_that_cannot_be_read(folder: Path, lab: str) -> None:
    os.utime(_mine(folder / "mine.ipynb", lab), (1e9, 1e9))
    (folder / f"{lab}.ipynb").write_bytes(b"<html>signed out</html>")


def too_many_parts(folder: Path, lab: str) -> None:
    (folder / f"{lab}.ipynb").write_bytes(b'{"cells": [' + b"[]," * 400_000 + b"[]]}")


UNREADABLE = ("unreadable",), ("",)
ROW = "damage to other rows"
HAND_INS = {
    "latin-1-name": Planted(bytes_that_are_no_text, finding="A2", gain="damage to the class's reports"),
    "only-a-latin-1-name": Planted(only_bytes_that_are_no_text, costs="all", says=UNREADABLE, finding="A2", gain="damage to the class's reports"),
    "deep-folders": Planted(deep_folders, finding="A10"),
    "pipe": Planted(a_pipe, costs="all", says=UNREADABLE, finding="A11"),
    "sparse-file": Planted(three_sparse_gigabytes, costs="all", says=UNREADABLE, finding="A12"),
    "symbolic-link": Planted(a_link, costs="all", says=UNREADABLE),
    "many-notebooks": Planted(many_notebooks, finding="A13"),
    "named-after-classmates": Planted(the_name_of_a_classmate, costs="all", finding="B3", gain=ROW),
    "twin-1": Planted(the_name_that_others_have, finding="B5", gain=ROW),
    "twin-2": Planted(the_name_that_others_have, finding="B5", gain=ROW),
    "newer-untouched-copy": Planted(the_copy_that_was_handed_out),
    "newer-broken-file": Planted(one_that_cannot_be_read),
    "too-many-json-parts": Planted(too_many_parts, costs="all", says=UNREADABLE, finding="A9"),
}  # fmt: skip
