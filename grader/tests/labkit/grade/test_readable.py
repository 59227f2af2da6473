"""Files are read in any encoding or format that can be recovered, and the row states what was assumed. Unreadable files get a reason."""

import json
import time
import tracemalloc

import pytest
from downloads import LAB, chosen_in, save, zipped
from hypothesis import given
from hypothesis import strategies as st

from labkit.grade.intake.archives import ALWAYS, extraction_directory
from labkit.grade.intake.files import without_outputs
from labkit.grade.intake.notebooks import Notebook, Refusal, notebook_in, parse_notebook
from labkit.grade.judge.judge import judge_file
from labkit.student.judging.finding import Finding
from labkit.student.model import project
from labkit.student.model.budgets import MIB, Budgets

WORDS = "Porque la distancia se eleva al cuadrado: «más», ½ — “sí”."


@pytest.fixture
def room():
    with extraction_directory(5 * MIB) as made:
        yield made


@pytest.fixture
def solved(handout):
    """The solution, with an answer whose letters differ between encodings."""
    return handout(LAB, solved=True).write("robust", WORDS)


def text_of(copy) -> str:
    return json.dumps(copy.notebook, ensure_ascii=False)


def parsed(content: bytes, stem: str = "") -> Notebook | Refusal:
    return parse_notebook(project.current(), content, stem)


@pytest.mark.parametrize(
    "encoding, named",
    [("utf-8", ""), ("utf-8-sig", ""), ("cp1252", "cp1252"), ("utf-16", "UTF-16"), ("utf-16-be", "UTF-16-BE")],
)
def test_another_encoding_is_read_and_noted(solved, encoding, named):
    found = parsed(text_of(solved).encode(encoding, "replace"))  # the lab has letters that cp1252 lacks
    assert WORDS in {cell.source for cell in found.cells}
    assert found.notes == ((Finding("read-as", {"encoding": named}),) if named else ())


def test_latin_1_is_read_with_the_same_letters(handout):
    words = "Größe \x81 año"  # \x81 is undefined in cp1252
    content = text_of(handout(LAB).write("robust", words)).encode("latin-1", "replace")
    assert words in {cell.source for cell in parsed(content).cells}


def test_one_damaged_letter_does_not_make_utf_8_another_encoding(solved):
    found = parsed(text_of(solved).encode().replace("½".encode(), b"\xbd"))
    assert WORDS.replace("½", "\ufffd") in {cell.source for cell in found.cells}
    assert found.notes == (Finding("damaged-text", {"count": 1}),)


def test_several_notes_are_one_reason(tmp_path, solved):
    solved.cells.append(None)
    (tmp_path / f"{LAB}.ipynb").write_bytes(text_of(solved).encode("cp1252", "replace"))
    result = judge_file(project.current(), tmp_path / f"{LAB}.ipynb", "ada")
    assert result.score == result.max_score == 6 and result.written == {"robust": WORDS}
    assert "read as cp1252" in result.why() and "1 of the notebook's cells" in result.why()


@given(st.binary(max_size=200), st.sampled_from([b"", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xff\xfe\0\0"]))
def test_any_bytes_in_any_encoding_are_refused_with_a_line(noise, mark):
    refusal = parsed(mark + noise)
    assert isinstance(refusal, Refusal) and refusal.reason and "\n" not in refusal.reason


@pytest.mark.parametrize("name", ["lab.json", "lab.ipynb.json", "lab.ipynb.txt", "LAB.JSON"])
def test_a_notebook_named_json_is_a_notebook(tmp_path, room, solved, name):
    files = {f"ada/{name}": solved.as_bytes()}
    save(tmp_path, {"class.zip": zipped(files), **{f"class/{path}": content for path, content in files.items()}})
    for path in ("class", "class.zip", f"class/ada/{name}"):
        [row] = chosen_in(room, tmp_path / path)
        assert (row.lab, row.refusal) == (LAB, None) and row.file.endswith(name)


@pytest.mark.parametrize(
    "dump",
    [
        lambda notebook: json.dumps(notebook, indent=1, sort_keys=True).encode(),
        lambda notebook: json.dumps({key: notebook[key] for key in ("nbformat", "metadata", "cells")}).encode(),
        lambda notebook: json.dumps({key: notebook[key] for key in ("metadata", "nbformat", "cells")}).encode(),
        lambda notebook: json.dumps(notebook).encode("utf-16"),
        lambda notebook: json.dumps(notebook).encode("utf-8-sig"),
    ],
)  # fmt: skip
def test_json_is_recognised_as_a_notebook_by_its_beginning(tmp_path, room, solved, dump):
    [row] = chosen_in(room, save(tmp_path, {"ada/lab.json": dump(solved.notebook)}))
    assert (row.lab, row.refusal) == (LAB, None)


def test_other_json_is_no_submission(tmp_path, room, solved):
    """A cloned repository has many JSON files. None of them becomes a row, and none is extracted from an archive."""
    other = (b'{"name": "x"}', b'{"cells": [1, 2]}', b"[]", b"", b'{"metadata": {"cells": []}}')
    files = {"ada/lab.ipynb": solved.as_bytes()} | {f"ada/{n}.json": content for n, content in enumerate(other)}
    (tmp_path / "class.zip").write_bytes(zipped(files))
    for path in (save(tmp_path / "class", files), tmp_path / "class.zip"):
        [row] = chosen_in(room, path)
        assert row.refusal is None and row.passed_over == ()
    assert [path.name for path in room.folder.rglob("*") if path.is_file()] == ["lab.ipynb"]
    [row] = chosen_in(room, save(tmp_path / "only", {"eve/package.json": other[0]}))
    assert row.refusal.status == "not_a_lab" and "package.json" in row.refusal.reason


def nested(times: int, content: bytes) -> bytes:
    for number in range(times):
        content = zipped({f"a{number}.zip" if number else "a.ipynb": content})
    return content


def test_an_archive_in_an_archive_is_read(tmp_path, room, solved):
    folder = save(tmp_path, {f"ada{times}/lab.zip": nested(times, solved.as_bytes()) for times in (1, 2, 3)})
    assert [(row.lab, row.refusal) for row in chosen_in(room, folder)] == [(LAB, None)] * 3
    (tmp_path / "class.zip").write_bytes(zipped({"ada/lab.zip": nested(2, solved.as_bytes())}))
    [row] = chosen_in(room, tmp_path / "class.zip")
    assert row.refusal is None and row.file == "ada/lab.zip/a1.zip/a.ipynb"


def test_archives_too_deep_too_many_or_too_large_are_one_row_that_says_so(tmp_path, room, solved):
    bomb = zipped({f"{n}.ipynb": bytes(900_000) for n in range(80)})
    save(tmp_path, {"bomb/lab.zip": zipped({"inner.zip": bomb}), "deep/lab.zip": nested(4, solved.as_bytes())})
    many = {f"{n}.zip": zipped({"a.txt": b""}) for n in range(5)}
    folder = save(tmp_path, {"broken/lab.zip": zipped({"inner.zip": b"no archive"}), "many/lab.zip": zipped(many)})
    rows = {row.student: row.refusal.reason for row in chosen_in(room, folder)}
    assert "inner.zip, which unpacks to more than 100 times its size" in rows["bomb"]
    assert "inner.zip, which cannot be read" in rows["broken"]
    assert "deep/lab.zip/a3.zip/a2.zip/a1.zip, which was not opened" in rows["deep"]
    assert "many/lab.zip/3.zip, which was not opened" in rows["many"]


def test_archives_in_an_archive_share_its_bytes(tmp_path, room, monkeypatch):
    """Each of the three bombs is below the limit for one archive; together they exceed it."""
    from labkit.grade.intake import discover as discovering

    each = zipped({f"{n}.ipynb": bytes(MIB) for n in range(20)})
    asked = []
    whole = discovering.read_archive
    monkeypatch.setattr(discovering, "read_archive", lambda *given: asked.append(given[2]) or whole(*given))
    save(tmp_path, {"eve/lab.zip": zipped({f"{n}.zip": each for n in range(3)})})
    chosen_in(room, tmp_path)
    sizes = [bounds.size for bounds in asked]
    assert len(sizes) == 4 and sizes == sorted(sizes, reverse=True) and sizes[0] - sizes[-1] > 40 * MIB < ALWAYS


PICTURE = {"output_type": "display_data", "metadata": {}, "data": {"image/png": "iVBORw0KGgo" * 100_000}}


def with_outputs(copy, number: int):
    """Give every code cell several pictures of 1.1 MB, attach a picture to a text cell, and add widget state."""
    for cell in copy.cells:
        if cell["cell_type"] == "code":
            cell["outputs"] = [PICTURE] * number
    copy.cells[0]["attachments"] = {"a.png": {"image/png": "x" * MIB}}
    copy.notebook["metadata"]["widgets"] = {"state": [{"outputs": ["x" * MIB]}]}
    return copy


@pytest.mark.long("writes and grades two notebooks with 30 MiB of outputs; tests below read smaller ones")
def test_outputs_do_not_count_in_the_size_of_a_notebook(tmp_path, labkit, solved):
    """Notebooks with 30 MiB of outputs, in a folder and in an archive, are graded within a worker's memory."""
    content = with_outputs(solved, 5).as_bytes()
    assert 30 * MIB < len(content) < 100 * MIB
    save(tmp_path / "class", {f"ada/{LAB}.ipynb": content, "bob/lab.zip": zipped({"lab.ipynb": content})})
    done = labkit("grade", "class", "--out", "out", "--allow-unsandboxed", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "out/results.json").read_text("utf-8"))
    assert [(row["student"], row["score"], row["reason"]) for row in rows] == [("ada", 6, ""), ("bob", 6, "")]


def test_a_notebook_without_its_outputs_is_the_same_submission(solved):
    plain = parsed(solved.as_bytes())
    for content in (solved.as_bytes(), json.dumps(with_outputs(solved, 1).notebook, indent=1).encode()):
        lean = without_outputs([content[at : at + 997] for at in range(0, len(content), 997)], len(content))
        assert parsed(lean) == plain and len(lean) < 60_000
        assert all(cell.get("outputs") in (None, []) for cell in json.loads(lean)["cells"])


texts = st.text(alphabet='ab[]{}"\\:, é\n', max_size=6)
trees = st.recursive(
    st.none() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts | st.just("outputs"), inner, max_size=3),
)


@given(trees, trees, st.integers(1, 9), st.sampled_from([None, 1]))
def test_only_outputs_are_left_out_wherever_the_chunks_end(tree, output, size, indent):
    def content(outputs) -> bytes:
        cell = {"cell_type": "code", "source": tree, "outputs": outputs, "id": '"outputs": ['}
        return json.dumps({"cells": [cell, tree]}, indent=indent, ensure_ascii=False).encode()

    whole = content([output])
    lean = without_outputs([whole[at : at + size] for at in range(0, len(whole), size)], len(whole))
    assert json.loads(lean)["cells"][0]["outputs"] == []
    assert json.loads(lean)["cells"][0]["id"] == '"outputs": ['
    if "outputs" not in json.dumps(tree):
        assert json.loads(lean) == json.loads(content([]))


def test_a_text_that_a_chunk_ends_in_keeps_its_brackets():
    """Python 3.11.0 to 3.11.4 once matched too much here, so such notebooks were not JSON without their outputs."""
    whole = json.dumps({"cells": [{"source": ["a", "{b"], "outputs": [["}c", "]"]]}, {"id": '\\"['}]}).encode()
    for end in range(len(whole)):
        lean = without_outputs([whole[:end], whole[end:]], len(whole))
        assert json.loads(lean) == {"cells": [{"source": ["a", "{b"], "outputs": []}, {"id": '\\"['}]}, end


def test_outputs_of_many_small_texts_take_little_memory():
    """Every text without a bracket is a repetition that the pattern could go back to."""
    content = b'{"a": 1, ' + b'"a":"b",' * 10**6
    tracemalloc.start()
    lean = without_outputs([content], len(content))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lean == content and most < 5 * len(content)


@pytest.mark.parametrize("content", [b"[" * 10**6, b'"' * 10**6, b'"\\' * 10**6, b"[]" * 10**6, bytes(10**6)])
def test_stripping_outputs_from_malformed_json_is_quick(content):
    started = time.process_time()
    without_outputs([content], 10**6)
    assert time.process_time() - started < 5  # linear code takes a tenth of a second, quadratic code many minutes


@pytest.mark.parametrize("size", ["kept", "whole"])
def test_a_notebook_too_large_names_the_option(tmp_path, solved, size):
    path = tmp_path / f"{LAB}.ipynb"
    solved.write("robust", "x" * 2 * MIB) if size == "kept" else with_outputs(solved, 3)
    path.write_bytes(solved.as_bytes())
    refusal = notebook_in(project.current(), path, Budgets(submission_bytes=MIB))
    assert refusal.status == "unreadable" and "the limit is 1 MiB" in refusal.reason
    assert "--submission-mib" in refusal.reason


def test_a_merge_conflict_names_its_line(solved):
    text = json.dumps(solved.notebook, indent=1)
    lines = text.splitlines()
    lines[40:41] = ["<<<<<<< HEAD", lines[40], "=======", lines[40], ">>>>>>> origin/main"]
    refusal = parsed("\n".join(lines).encode())
    assert refusal.status == "unreadable"
    assert refusal.reason == "the file has an unresolved merge conflict at line 41: resolve it and submit again"
