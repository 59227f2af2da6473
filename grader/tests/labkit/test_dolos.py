"""The zip for Dolos: one program for each student of a lab, and info.csv with the columns that Dolos reads."""

import csv
import io
import zipfile

from desks import keep_code, leave, result, roster

CODE = {"midrange": "def midrange(values):\n    return 1\n\n", "spread": "def spread(values):\n    return 2  # ñ"}
PEOPLE = {"ada": ("Ada L", ""), "=bob": ("=1+1", ""), "cem": ("Cem", "g"), "dan": ("Dan", "g"), "eve": ("Eve", "")}


def graded(out):
    people = {who: {"id": who, "name": name, "section": "s1", "group": group} for who, (name, group) in PEOPLE.items()}
    leave(out, map(result, PEOPLE), whose=roster(**people))
    keep_code(out, {who: CODE for who in PEOPLE if who != "eve"})
    return out


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_each_student_has_one_program_and_what_was_handed_out_is_ignored(tmp_path, labkit):
    done = labkit("export", graded(tmp_path / "out"), "--to", "dolos", "--out", tmp_path / "d.zip")
    assert done.returncode == 0, done.stderr
    assert "3 student programs" in done.stdout and "another group member has the file (1): dan" in done.stdout
    assert "no code of theirs is stored: they wrote none, or need to be graded again (1): eve" in done.stdout
    found = members(tmp_path / "d.zip")
    rows = {row["filename"]: row for row in csv.DictReader(io.StringIO(found.pop("info.csv")))}
    assert rows.keys() == found.keys() and [name for name, row in rows.items() if row["ignored"] == "true"] == [
        "template.py"
    ]
    ada = rows["students/ada.py"]
    assert (ada["id"], ada["full_name"], ada["status"], ada["labels"]) == ("ada", "Ada L", "graded", "s1")
    assert {row["full_name"] for row in rows.values()} == {"", "Ada L", "'=1+1", "Cem"}
    spread, midrange = (found["students/ada.py"].index(f"# {name}\ndef {name}") for name in ("spread", "midrange"))
    assert spread < midrange and "NotImplementedError" in found["template.py"]
    compile(found["students/ada.py"], "ada.py", "exec")
    again = labkit("export", tmp_path / "out", "--to", "dolos", "--out", tmp_path / "e.zip")
    assert again.returncode == 0 and (tmp_path / "d.zip").read_bytes() == (tmp_path / "e.zip").read_bytes()


def test_without_kept_code_nothing_is_written(tmp_path, labkit):
    leave(tmp_path / "out", [result()])
    done = labkit("export", tmp_path / "out", "--to", "dolos", "--out", tmp_path / "d.zip")
    assert (
        done.returncode == 2
        and "has no code from any of the students" in done.stderr
        and not (tmp_path / "d.zip").exists()
    )
