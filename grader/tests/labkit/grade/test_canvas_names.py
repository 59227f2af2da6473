"""Canvas names with two readings: a display name may end in a classmate's number, and then no one's work is replaced."""

import pytest
from downloads import LAB, chosen, joined, save

ADA = "lovelaceada_12345_99600_my.ipynb"
MALLORY = "lovelaceada_12345_99666_99777_my.ipynb"  # who is called "lovelaceada_12345"
BOB = "bornbob_12346_99601_01_spread.ipynb"
CANVAS = """Student,ID,SIS Login ID,Section
"Lovelace, Ada",12345,ada,A
"Born, Bob",12346,bob,A
"""
PLAIN = "id,name\n1,Ada Lovelace\n2,Bob Born\n3,Mallory M\n"


def desk_of(folder, roster=None) -> tuple[dict, list[str]]:
    """The file that counts for each row, and the lines about the class."""
    path = folder.parent / "roster.csv"
    path.write_text(roster or "", "utf-8")
    rows, desk = joined(path if roster else None, folder)
    return {each.student: each.file for each in rows}, [*desk.notes, *desk.strangers]


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize(
    "roster, ada, bob",
    [
        (None, "lovelaceada_12345", "bornbob_12346"),
        (PLAIN, "1", "2"),
        (CANVAS + '"lovelaceada 12345",99666,mallory,A\n', "12345", "12346"),
    ],
)
def test_a_display_name_that_ends_in_a_number_takes_no_ones_row(tmp_path, own, roster, ada, bob):
    files = {MALLORY: "begun", BOB: "solved", **({ADA: "solved"} if own else {})}
    rows, lines = desk_of(save(tmp_path / "class", files), roster)
    assert rows["lovelaceada_12345_99666"] == MALLORY and rows[bob] == BOB
    assert rows.get(ada, "") == (ADA if own else "")
    assert any("two readings" in line and "lovelaceada_12345_99666" in line for line in lines)


def test_a_gradebook_of_canvas_tells_which_reading_is_right(tmp_path):
    dated = "bornbob_12346_99601_20240_lab.ipynb"
    rows, lines = desk_of(save(tmp_path / "class", {ADA: "solved", dated: "solved"}), CANVAS)
    assert rows == {"12345": ADA, "12346": dated} and lines == []


@pytest.mark.parametrize(
    "files",
    [
        [f"student{n}_{n}_9960{n}_01_spread.ipynb" for n in range(4)],
        [f"student{n}_{n}_9960{n}_2024_lab.ipynb" for n in range(4)],
        [f"student{n}_{n}_9960{n}_99700_lab.ipynb" for n in range(4)],  # as the instructor asked
        [f"student{n}_LATE_{n}_9960{n}_{n}_lab.ipynb" for n in range(4)],
    ],
)
def test_an_ordinary_file_name_has_one_reading(tmp_path, files):
    rows, lines = desk_of(save(tmp_path / "class", dict.fromkeys(files, "solved")))
    assert [*rows] == [f"student{n}_{n}" for n in range(4)] and lines == []


def test_an_accomplice_cannot_hide_the_second_reading(tmp_path):
    others = {f"student{n}_{n}_9960{n}_a.ipynb": "solved" for n in range(3)}
    rows, _ = desk_of(
        save(tmp_path / "class", {**others, MALLORY: "begun", "pal_7_99650_99777_a.ipynb": "begun", ADA: "solved"})
    )
    assert rows["lovelaceada_12345"] == ADA and rows["lovelaceada_12345_99666"] == MALLORY
    assert {each.lab for each in chosen(tmp_path / "class")} == {LAB}
