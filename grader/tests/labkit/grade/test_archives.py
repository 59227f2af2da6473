"""Archives are read without extracting them. Hostile or broken ones give a one-line error or a row, and leave no files behind."""

import io
import os
import stat
import struct
import tarfile
import zipfile
from contextlib import suppress

import pytest
from downloads import LAB, PDF, chosen_in, notebook, save, zipped
from hypothesis import given, settings
from hypothesis import strategies as st
from longer import times

from labkit.grade.intake.archives import (
    ALWAYS,
    GIVEN,
    HANDED_IN,
    BadArchive,
    Bounds,
    as_text,
    extraction_directory,
    read_archive,
)
from labkit.grade.intake.discover import MOST_ARCHIVES
from labkit.grade.intake.tree import File
from labkit.student.model.budgets import MIB
from labkit.student.model.errors import UserError

BOMB = ALWAYS + MIB


def tarred(*members: tuple[tarfile.TarInfo, bytes], mode: str = "w:gz") -> bytes:
    to = io.BytesIO()
    with tarfile.open(fileobj=to, mode=mode) as archive:
        for info, content in members:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return to.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, to: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, to
    return info


def info(name: str, mode: int) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.external_attr = (mode | 0o644) << 16
    return made


def encrypted() -> bytes:
    """The start of a zip with a password, which is all that can be read without the password."""
    content = bytearray(zipped({"a.ipynb": b"{}"}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def with_method(method: int) -> bytes:
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", method) as archive:
        archive.writestr("a.ipynb", b"{}")
    return to.getvalue()


def with_a_long_list() -> bytes:
    """A zip whose directory is 17 MiB long and would be read in one go."""
    return bytes(17 * MIB) + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 17 * MIB, 0, 0)


def with_a_long_name() -> bytes:
    """A tar whose header announces a file name of one gigabyte."""
    header = member("././@LongLink", tarfile.GNUTYPE_LONGNAME)
    header.size = 2**30
    return header.tobuf() + bytes(1024)


HOSTILE = {
    "slip.zip": (zipped({"../../etc/cron.d/x.ipynb": b"{}"}), "a path outside the archive"),
    "absolute.zip": (zipped({"/etc/x.ipynb": b"{}"}), "a path outside the archive"),
    "windows.zip": (zipped({"C:\\x.ipynb": b"{}"}), "a path outside the archive"),
    "backslash.zip": (zipped({"..\\..\\x.ipynb": b"{}"}), "a path outside the archive"),
    "slip.tar.gz": (tarred((member("a/../../x.ipynb"), b"{}")), "a path outside the archive"),
    "pipe.zip": (zipped({info("a.ipynb", stat.S_IFIFO): b""}), "not a file"),
    "device.tar": (tarred((member("a.ipynb", tarfile.CHRTYPE), b""), mode="w"), "not a file"),
    "pipe.tgz": (tarred((member("a.ipynb", tarfile.FIFOTYPE), b"")), "not a file"),
    "encrypted.zip": (encrypted(), "is encrypted"),
    "lzma.zip": (with_method(zipfile.ZIP_LZMA), "an unsupported compression method"),
    "truncated.zip": (zipped({f"{n}.ipynb": os.urandom(999) for n in range(20)})[:9000], "cannot be read"),
    "truncated.tar.gz": (tarred((member("a.ipynb"), os.urandom(90_000)))[:40_000], "cannot be read"),
    "empty.zip": (b"", "cannot be read"),
    "empty.tar": (b"", "cannot be read"),
    "html.zip": (b"<html>signed out</html>", "cannot be read"),
    "html.tar.gz": (b"<html>signed out</html>", "cannot be read"),
    "many.zip": (lambda: zipped({f"a{n}/x.txt": b"" for n in range(1100)}), "more than 1,000 entries"),
    "bomb.zip": (lambda: zipped({f"{n}.ipynb": bytes(900_000) for n in range(80)}), "more than 100 times"),
    "bomb.tar.gz": (lambda: tarred((member("a.txt"), bytes(BOMB))), "more than 100 times"),
    "long list.zip": (with_a_long_list, "16 MiB"),
    "long name.tar": (with_a_long_name(), "16 MiB"),
}  # fmt: skip


@pytest.fixture
def room():
    with extraction_directory(MIB) as made:
        yield made


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_is_one_line_as_a_class_and_a_row_as_a_submission(name, tmp_path, room, monkeypatch):
    content, words = HOSTILE[name]
    content = content() if callable(content) else content  # large ones are made only here
    path = tmp_path / name
    path.write_bytes(content)
    save(tmp_path / "class", {f"ada/{LAB}.ipynb": "solved", f"eve/{name}": content})
    with monkeypatch.context() as given, pytest.raises(UserError, match=words) as raised:
        given.setattr("labkit.grade.intake.classes.GIVEN", Bounds(1_000, GIVEN.size))
        chosen_in(room, path)
    assert len(str(raised.value).splitlines()) == 1 and name in str(raised.value)
    ada, eve = chosen_in(room, tmp_path / "class")
    assert ada.refusal is None and eve.refusal.status == "not_a_lab"
    assert name in eve.refusal.reason and words in eve.refusal.reason
    assert sorted(os.listdir(tmp_path)) == sorted(["class", name])


def test_links_lead_nowhere(tmp_path, room):
    path = tmp_path / "class.zip"
    path.write_bytes(zipped({info("eve/a.ipynb", stat.S_IFLNK): b"/etc/passwd", "ada/a.ipynb": notebook("solved")}))
    tar = tmp_path / "class.tar.gz"
    links = (
        (member("eve/a.ipynb", tarfile.SYMTYPE, "/etc/passwd"), b""),
        (member("mal/a.ipynb", tarfile.LNKTYPE, "../x"), b""),
    )
    tar.write_bytes(tarred(*links, (member("eve/a.ipynb/b.ipynb"), b"{}"), (member("ada/a.ipynb"), notebook("solved"))))
    for given_path in (path, tar):
        ada, *others = chosen_in(room, given_path)
        assert ada.refusal is None and {each.refusal.status for each in others} == {"unreadable"}
        assert any("a link" in each.refusal.reason for each in others)
    assert all(os.readlink(each) == "what an archive links to" for each in room.folder.rglob("*") if each.is_symlink())


def test_a_sparse_giant_takes_no_disk_and_its_row_says_its_size(tmp_path, room):
    path = tmp_path / "class.zip"
    path.write_bytes(zipped({"eve/a.ipynb": bytes(100 * MIB), "ada/a.ipynb": notebook("solved")}))
    ada, eve = chosen_in(room, path)
    assert ada.refusal is None and "the file is 100.0 MiB; the limit is 1 MiB" in eve.refusal.reason
    assert sum(each.stat().st_blocks * 512 for each in room.folder.rglob("*")) < 3 * MIB


def test_one_damaged_file_of_a_download_is_one_row(tmp_path, room):
    path = tmp_path / "class.zip"
    path.write_bytes(zipped({"ada/a.ipynb": notebook("solved"), "eve/a.ipynb": notebook("begun")}))
    content = bytearray(path.read_bytes())
    at = content.rindex(b"PK\x03\x04") + 300
    content[at : at + 400] = bytes(400)
    path.write_bytes(content)
    ada, eve = chosen_in(room, path)
    assert ada.refusal is None and eve.refusal.status == "unreadable"


@pytest.mark.parametrize(
    "raw, flag, text",
    [
        (b"M\xfcller", 0, "Müller"),
        (b"M\x81ller", 0, "Müller"),
        ("Ángel Muñoz, Søren".encode("cp850"), 0, "Ángel Muñoz, Søren"),
        ("Müller".encode(), 0, "Müller"),
        ("Мюллер 李".encode(), 0x800, "Мюллер 李"),
        (b"zo\xe9\x1b[2J", 0, "zoé\x1b[2J"),
    ],
)
def test_names_are_text_however_they_are_written(tmp_path, room, raw, flag, text):
    content = bytearray(zipped({"?" * len(raw) + "/a.ipynb": notebook("solved")}))
    for at in (30, content.index(b"PK\x01\x02") + 46):
        content[at : at + len(raw)] = raw
    for at in (6, content.index(b"PK\x01\x02") + 8):
        struct.pack_into("<H", content, at, flag)
    (tmp_path / "class.zip").write_bytes(content)
    [row] = chosen_in(room, tmp_path / "class.zip")
    assert (row.student, row.file) == (text, f"{text}/a.ipynb") and row.refusal is None


@settings(deadline=None)
@given(st.binary(max_size=20))
def test_any_bytes_are_a_name(name):
    as_text(name).encode()


@settings(deadline=None, max_examples=times(25, 200))
@given(st.text(max_size=300), st.sampled_from(["", "a/", "x" * 300 + "/"]))
def test_any_name_is_an_entry_or_a_reason(tmp_path_factory, name, folder):
    path = tmp_path_factory.mktemp("t") / "a.tar"
    path.write_bytes(tarred((member(f"{folder}{name}.ipynb"), b"{}"), mode="w"))
    with extraction_directory(MIB) as room:
        try:
            read_archive(File("a.tar", path, "a.tar"), room, GIVEN)
        except BadArchive as problem:
            assert str(problem)
        assert all(each.resolve().is_relative_to(room.folder.resolve()) for each in room.folder.rglob("*"))


@settings(deadline=None, max_examples=times(25, 200))
@given(st.binary(max_size=400), st.sampled_from(["a.zip", "a.tar", "a.tgz"]), st.integers(0, 400))
def test_any_bytes_are_an_archive_or_a_reason(tmp_path_factory, noise, name, at):
    mode = "w:gz" if name == "a.tgz" else "w"
    whole = zipped({"a/b.ipynb": b"{}"}) if name == "a.zip" else tarred((member("a/b.ipynb"), b"{}"), mode=mode)
    path = tmp_path_factory.mktemp("t") / name
    path.write_bytes(whole[:at] + noise + whole[at + len(noise) :])
    with extraction_directory(MIB) as room, suppress(BadArchive, OSError):
        read_archive(File(name, path, name), room, HANDED_IN)


def test_an_archive_in_place_of_a_students_folder_is_opened(tmp_path, room):
    inner = zipped({"my lab/a.ipynb": notebook("solved"), "__MACOSX/my lab/._a.ipynb": b"x", "my lab/data.csv": b""})
    save(tmp_path / "class", {"ada/lab.zip": inner, "bob/notes.zip": zipped({"a.txt": b""})})
    save(tmp_path / "class", {"eve/lab.zip": zipped({"again.zip": inner})} | {f"many/{n}.zip": inner for n in range(5)})
    ada, bob, eve, many = chosen_in(room, tmp_path / "class")
    assert (ada.file, ada.submitted_at) == ("ada/lab.zip/my lab/a.ipynb", "2023-11-14T22:13:20Z")
    assert "contains no notebook" in bob.refusal.reason and eve.file == "eve/lab.zip/again.zip/my lab/a.ipynb"
    assert len(many.passed_over) == MOST_ARCHIVES - 1
    flat = save(tmp_path / "flat", {"lovelaceada_1_2_lab.zip": inner, "born.zip": inner})
    assert [(each.student, each.lab) for each in chosen_in(room, flat)] == [("born", LAB), ("lovelaceada_1", LAB)]


def test_a_class_in_place_of_a_student_is_not_graded_as_one_student(tmp_path, room):
    several = zipped({f"{name}/a.ipynb": notebook("solved") for name in ("ada", "bob")})
    _, row = chosen_in(room, save(tmp_path / "class", {"class.zip": several, "ada.ipynb": notebook("solved")}))
    assert "has several students' submissions: grade it by itself" in row.refusal.reason
    assert [each.student for each in chosen_in(room, tmp_path / "class/class.zip")] == ["ada", "bob"]
    alone = save(tmp_path / "alone", {"class.zip": several})
    assert [each.student for each in chosen_in(room, alone)] == ["ada", "bob"]


def test_nothing_is_left_behind_however_it_ends(tmp_path, temporary, labkit):
    for name, content, code in (
        ("class.zip", zipped({f"ada/{LAB}.ipynb": notebook("solved"), "eve/a.pdf": PDF}), 0),
        ("bad.zip", HOSTILE["bomb.zip"][0](), 2),
    ):
        (tmp_path / name).write_bytes(content)
        options, environment = ("--out", "out", "--allow-unsandboxed"), {**os.environ, "TMPDIR": str(temporary)}
        done = labkit("grade", name, *options, cwd=tmp_path, env=environment)
        assert done.returncode == code, done.stderr
        assert [*temporary.iterdir()] == []
