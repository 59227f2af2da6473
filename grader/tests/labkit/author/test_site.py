"""The site, without Sphinx and JupyterLite: pages, links, and Pyodide's lock file with the course."""

import hashlib
import json
import os
import re
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path

import nbformat
import pytest
from course_copy import CourseCopy
from needs import skip_without

from labkit.author.release.students import write_course_wheel, write_wheel
from labkit.author.site import lite
from labkit.author.site.build import CARD, FAVICON, broken_links, missing, write_site
from labkit.author.site.pages import (
    Edition,
    Source,
    further_page,
    home_page,
    lab_page,
    summary_of,
    with_figures,
    with_whole_formulas,
    words_of,
)
from labkit.student.model import project
from labkit.student.model.errors import UserError

LAB, NEXT = "01_spread", "02_levels"


@pytest.fixture
def pyodide(tmp_path) -> Path:
    """A folder that looks like Pyodide with a few packages, all of them fake."""
    folder = tmp_path / "a pyodide"
    folder.mkdir()
    depends = {"numpy": [], "matplotlib": ["numpy", "pyparsing"], "pillow": [], "ipython": ["prompt_toolkit"]}
    packages = {}
    for name in (*depends, "prompt-toolkit", "pyparsing", "micropip", "ssl", "sqlite3", "jedi", "scipy", "sympy"):
        tag = "cp312-wasm32" if name in ("numpy", "matplotlib", "pillow", "scipy") else "py3-none-any"
        file = folder / f"{name}-1-{tag}.whl"
        file.write_text(name)
        packages[name] = {"name": name, "file_name": file.name, "depends": depends.get(name, []), "imports": []}
        packages[name]["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    for name in {*lite.DIGESTS} - {lite.LOCK}:
        (folder / name).write_text(name)
    (folder / lite.LOCK).write_text(json.dumps({"info": {"version": "0"}, "packages": packages}))
    return folder


@pytest.fixture
def wheels(tmp_path) -> list[Path]:
    (tmp_path / "wheels").mkdir()
    own = project.current()
    return [write_wheel(tmp_path / "wheels"), write_course_wheel(own, own.course.labs.values(), tmp_path / "wheels")]


def lock_in(folder: Path) -> dict:
    return json.loads((folder / lite.LOCK).read_text("utf-8"))["packages"]


def test_imports_of_a_lab_bring_its_packages(pyodide, wheels, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    start = lite.write_packages(pyodide, wheels, [], out)
    packages = lock_in(out)
    labkit, of_the_course = packages["nblabkit"], packages[lite.entry_of(wheels[1])["name"]]
    assert labkit["imports"] == ["labkit"] and of_the_course["imports"] == ["ruler", "tiny_labs"]
    assert (
        {"numpy", "matplotlib", "pillow"} <= {*labkit["depends"]}
        and not {"click", "nbformat", "pytest"} & packages.keys()
        and "nblabkit" in of_the_course["depends"]
    )
    assert {labkit["name"], of_the_course["name"]} <= {*start}
    for entry in packages.values():
        assert (out / entry["file_name"]).is_file()
        assert all(lite.canonicalize_name(name) in packages for name in entry["depends"])
    content = (out / labkit["file_name"]).read_bytes()
    assert labkit["sha256"] == hashlib.sha256(content).hexdigest()


@pytest.fixture
def address(pyodide, monkeypatch, tmp_path):
    """Serve the fake Pyodide at the default address, and start with an empty cache."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            asked.append(self.path)

    asked = []
    digests = {name: hashlib.sha256((pyodide / name).read_bytes()).hexdigest() for name in lite.DIGESTS}
    monkeypatch.setattr(lite, "DIGESTS", digests)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=pyodide)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(lite, "ADDRESS", f"http://127.0.0.1:{server.server_port}")
        yield asked
        server.shutdown()


def written(pyodide: Path | None, wheels: list[Path], out: Path) -> dict[str, bytes]:
    out.mkdir()
    lite.write_packages(pyodide, wheels, [], out)
    return {path.name: path.read_bytes() for path in out.iterdir()}


def test_a_site_has_all_of_pyodide_that_its_labs_need_and_no_more(pyodide, wheels, tmp_path):
    files = written(pyodide, wheels, tmp_path / "out")
    packages = lock_in(tmp_path / "out")
    assert {*lite.DIGESTS} <= files.keys() == {*lite.DIGESTS, *(each["file_name"] for each in packages.values())}
    assert "scipy" not in packages and "prompt-toolkit" in packages, "a dependency with another spelling is missing"
    for entry in packages.values():
        assert hashlib.sha256(files[entry["file_name"]]).hexdigest() == entry["sha256"]
        assert "/" not in entry["file_name"], "browsers must find it next to the lock file, at any address"


def test_a_downloaded_pyodide_gives_the_same_site_as_a_copy_and_is_downloaded_once(address, pyodide, wheels, tmp_path):
    copied = written(pyodide, wheels, tmp_path / "copied")
    assert address == []
    assert written(None, wheels, tmp_path / "downloaded") == copied
    assert {*address} == {f"/{name}" for name in copied if (pyodide / name).exists()} and len(address) == len(
        {*address}
    )
    address.clear()
    assert written(None, wheels, tmp_path / "again") == copied and address == []
    (found,) = (tmp_path / "cache").rglob("numpy*")
    found.write_text("truncated")
    assert written(None, wheels, tmp_path / "repaired") == copied and len(address) == 1


def test_wrong_and_missing_files_of_pyodide_are_refused(address, pyodide, wheels, tmp_path):
    (numpy,) = pyodide.glob("numpy*")
    numpy.write_text("another")
    for place in (None, pyodide):
        with pytest.raises(UserError, match=rf"{numpy.name}: its SHA-256 is not the expected one"):
            written(place, wheels, tmp_path / f"changed {place is None}")
    numpy.unlink()
    for place, says in ((None, "404"), (pyodide, "is missing")):
        with pytest.raises(UserError, match=rf"{numpy.name}.*{says}"):
            written(place, wheels, tmp_path / f"missing {place is None}")
    (pyodide / lite.LOCK).write_text("{}")
    with pytest.raises(UserError, match="pyodide-lock.json is not one of Pyodide's"):
        lite.read_lock(pyodide)


def test_pure_packages_come_from_this_environment_unless_pyodides_own_packages_need_them(pyodide, wheels, tmp_path):
    (tmp_path / "out").mkdir()
    lite.write_packages(pyodide, wheels, [], tmp_path / "out")
    packages = lock_in(tmp_path / "out")
    comm = packages["comm"]  # the kernel needs it
    assert "comm/__init__.py" in zipfile.ZipFile(tmp_path / "out" / comm["file_name"]).namelist()
    assert packages["pyparsing"]["file_name"] == "pyparsing-1-py3-none-any.whl"
    known = json.loads((pyodide / lite.LOCK).read_text())["packages"]
    chosen = lite._chosen(known, {"labs": {"depends": ["sympy"]}}, tmp_path / "out")
    assert chosen["sympy"]["version"] == version("sympy") and "mpmath" in chosen
    for name, says in (("numpy", "is compiled"), ("no-such-thing", "pip install no-such-thing")):
        with pytest.raises(UserError, match=says):
            lite._installed(name, tmp_path)


def test_without_a_network_the_site_fails_before_its_pages_are_made(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(lite, "ADDRESS", "http://127.0.0.1:9/full")
    monkeypatch.setattr("labkit.author.site.build.kernel_wheels", list)  # they are part of the extra `site`
    monkeypatch.setattr("labkit.author.site.build._pages", lambda *_: pytest.fail("the pages come later"))
    with pytest.raises(UserError, match=r"pyodide-lock\.json: cannot be downloaded .*--pyodide.*--book-only"):
        write_site(Edition(project.current(), "en"), tmp_path / "out", None, False)
    assert [*(tmp_path / "out").iterdir()] == []


def spanish(folder: Path) -> project.Project:
    """The course with one lab that also exists in Spanish."""
    copy = CourseCopy(folder)
    (copy / "labs/es").mkdir()
    text = (copy / f"labs/{LAB}.ipynb").read_text("utf-8")
    (copy / f"labs/es/{LAB}.ipynb").write_text(text, "utf-8")
    return project.read(copy.folder)


def test_a_labs_page_links_to_each_way_to_open_it(tmp_path, monkeypatch):
    monkeypatch.setattr("labkit.author.site.pages.with_figures", lambda project, notebook, fold: notebook)
    here = spanish(tmp_path / "course")
    for language, top, file in (("en", "../", f"{LAB}.ipynb"), ("es", "../../", f"es/{LAB}.ipynb")):
        edition = Edition(here, language, Source("owner/name", "v1"))
        page = lab_page(edition, LAB, edition.labs()[LAB]).cells[0].source
        assert page.startswith("# ")
        for link in (
            f'"{top}lite/notebooks/index.html?path={file}"',
            f'"{top}download/{file}" download',
            f'"https://colab.research.google.com/github/owner/name/blob/v1/labs/{file}"',
            f'"https://mybinder.org/v2/gh/owner/name/v1?labpath=labs%2F{file.replace("/", "%2F")}"',
            f'"{top}{"es/" if language == "en" else ""}labs/{LAB}.html"',
        ):
            assert f"href={link}" in page, page
    plain = lab_page(Edition(here, "en", browser=False), LAB, here.labs / f"{LAB}.ipynb").cells[0].source
    assert "lite/" not in plain and "colab" not in plain and "download/" in plain


def test_a_link_to_a_lab_that_is_not_translated_yet_leads_to_the_first_language(tmp_path, monkeypatch):
    monkeypatch.setattr("labkit.author.site.pages.with_figures", lambda project, notebook, fold: notebook)
    here = spanish(tmp_path / "course")
    path = here.editions_of(LAB)["es"]
    notebook = nbformat.read(path, 4)
    notebook.cells[0].source += f"\n\n[one]({LAB}.ipynb) [two]({NEXT}.ipynb)"
    nbformat.write(notebook, path)
    page = lab_page(Edition(here, "es"), LAB, path).cells[0].source
    assert f"[one]({LAB}.ipynb)" in page and f'<a href="../../labs/{NEXT}.html">two</a>' in page


def test_pages_next_to_the_home_page_are_in_the_contents_and_lead_to_the_labs_pages(tmp_path):
    here = spanish(tmp_path / "course")
    (here.site / "es").mkdir(parents=True)
    up = os.path.relpath(here.labs, here.site / "es")
    script = '<script type="module" src="{}/further.js"></script>'
    linked = f"# Further\n\n[one]({up}/es/{LAB}.ipynb) [picture](../one.png)\n\n{script.format('..')}\n"
    (here.site / "es/further.md").write_text(linked)
    edition = Edition(here, "es")
    assert "{toctree}\n:hidden:\n\nfurther\n" in "\n".join(cell.source for cell in home_page(edition).cells)
    text = further_page(edition, edition.further()["further"])
    assert f"[one](labs/{LAB}.ipynb) [picture](../one.png)" in text and script.format("_static") in text
    assert not Edition(here, "en").further()


def test_the_home_page_lists_the_labs_with_what_they_say_of_themselves(tmp_path):
    here = spanish(tmp_path / "course")
    path = here.editions_of(NEXT)["en"]
    notebook = nbformat.read(path, 4)
    notebook.cells[
        0
    ].source += "\n\n**Time** 70 minutes · **Level** ★☆☆ · **You need** [two](02_levels.ipynb) and\nmore"
    nbformat.write(notebook, path)
    text = "\n".join(cell.source for cell in home_page(Edition(here, "en", browser=False, archive="labs.zip")).cells)
    assert text.startswith("# ") and '"es/index.html"' in text and '"download/labs.zip"' in text
    assert "| Lab | Time | Level |\n|" in text and f"](labs/{NEXT}.ipynb) | 70 minutes | ★☆☆ |" in text
    assert re.search(rf"\]\(labs/{LAB}\.ipynb\) \| [^|]+ \|  \|", text), "this lab does not state its level"
    text = "\n".join(cell.source for cell in home_page(Edition(here, "es", archive="labs.zip")).cells)
    assert words_of("fr") == words_of("en")
    assert "Laboratorios" in text and '"../index.html"' in text and '"../download/labs.zip"' in text
    assert f"../lite/notebooks/index.html?path=es/{LAB}.ipynb" in text and NEXT not in text, "not translated"


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        (
            "# T\n\n**Time** 9\n\n1. Plot `x`, as in\n   [02 · B](b.ipynb);\n2. prove $y$.",
            "Plot x, as in 02 · B; prove y.",
        ),
        ('# T\n\n<p class="a"><a href="b">Run</a></p>\n\nOne <em>\ntwo</em>.\n\nThree.', "One two."),
        ("# T", ""),
    ],
)
def test_a_pages_summary_is_its_goals_or_its_first_paragraph(text, summary):
    assert summary_of(text) == summary


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a base $b$, or $c$ (or $d$).", "a base {$b$,} or $c$ (or {$d$).}"),
        ("alone\n\n$$x$$.\n", "alone\n\n$$x$$.\n"),
        ("`$HOME$.` costs $5, or $6.", "`$HOME$.` costs $5, or $6."),
        ("$a$-th and $n$.shape", "$a$-th and $n$.shape"),
    ],
)
def test_punctuation_stays_with_the_formula_before_it(text, shown):
    whole = shown.replace("{", '<span class="labkit-whole">').replace("}", "</span>")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text), nbformat.v4.new_code_cell(text)])
    assert [cell.source for cell in with_whole_formulas(notebook).cells] == [whole, text]


def test_only_figures_stay_of_an_untouched_labs_outputs():
    shown = 'from IPython.display import HTML, display; display(HTML(\'<img alt="x" src="data:,">\'))'
    cells = [shown, "print(1)", f"def reveal(guess): pass\n{shown}\nreveal(None)"]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in cells], metadata={"labkit": {"lab": LAB}}
    )
    ran = with_figures(project.current(), notebook)
    assert [len(cell.outputs) for cell in ran.cells] == [1, 0, 0]


def test_figures_that_need_an_answer_or_follow_a_guess_are_folded():
    here = project.current()
    notebook = nbformat.read(here.labs / f"{LAB}.ipynb", 4)
    notebook.metadata["labkit"]["language"] = "es"  # so the answers run in this notebook
    exercise = next(cell.metadata["labkit"]["exercise"] for cell in notebook.cells if "labkit" in cell.metadata)
    shown = 'from IPython.display import HTML, display\n\ndef draw(): display(HTML(\'<img alt="x" src="data:,">\'))\n'
    unanswered = f"try:\n    {exercise}([1, 2]), draw()\nexcept NotImplementedError: pass"
    cells = [f"{shown}draw()", unanswered, "def reveal(guess): pass\ndraw(), draw()\nreveal(None);"]
    notebook.cells += [nbformat.v4.new_code_cell(source) for source in cells]
    open_, *folded = [cell.outputs[0].data["text/html"] for cell in with_figures(here, notebook, "F & G").cells[-3:]]
    assert "<details>" not in open_
    assert [text.count("<img") for text in folded] == [1, 2]
    assert all(text.startswith("<details><summary>F &amp; G</summary>\n") for text in folded)


def test_broken_links_are_found(tmp_path):
    (tmp_path / "labs").mkdir()
    (tmp_path / "lite").mkdir()
    (tmp_path / "lite/index.html").write_text('<a href="../labs/one.html"><a href="nowhere">')
    (tmp_path / "index.html").write_text(
        '<a href="labs/one.html#here">1</a> <a href="labs/">2</a> <a href="https://elsewhere/">3</a> <a href="#top">4</a>'
        '<a href="lite/index.html?path=x.ipynb">5</a>'
    )
    (tmp_path / "labs/one.html").write_text('<p id="here"><img src="../figure.png"> <a href="/index.html">root</a>')
    (tmp_path / "labs/index.html").write_text('<a href="one.html#there">1</a> <a href="../../outside.html">2</a>')
    assert [*broken_links(tmp_path)] == [
        "labs/index.html: one.html#there has no target",
        "labs/index.html: ../../outside.html has no target",
        "labs/one.html: ../figure.png has no target",
        "labs/one.html: /index.html has no target",  # not under a prefix
        "lite/index.html: nowhere has no target",
    ]


def test_wrong_use_is_one_line_and_nothing_is_written(tmp_path, labkit):
    if absent := missing():
        done = labkit("site", "--out", tmp_path / "new")
        assert done.returncode == 2 and absent[0] in done.stderr and "nblabkit[site]" in done.stderr
        assert done.stderr.count("\n") == 1 and not (tmp_path / "new").exists()
        return
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs/index.html").touch()
    for words, says in (
        (["--out", tmp_path / "theirs"], "not empty, and not written by `labkit site`"),
        (["--out", tmp_path / "new", "--source", "no repository"], "is not OWNER/NAME"),
        (["--out", tmp_path / "new", "--address", "example.org/labs"], "is not an address such as"),
        (["--out", tmp_path / "new", "--book-only", "--pyodide", "x"], "takes no --pyodide"),
    ):
        done = labkit("site", *words)
        assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert not (tmp_path / "new").exists()


def test_the_book_has_a_head_for_search_engines_a_footer_and_mathjax_once(tmp_path):
    if missing():
        skip_without("the extra site")
    here, out, top = spanish(tmp_path / "course"), tmp_path / "site", "https://example.org/some/prefix/"
    here.site.mkdir(parents=True)
    for name in (FAVICON, CARD):
        (here.site / name).write_text("<svg/>")
    (here.root / "pyproject.toml").write_text('[project]\nname = "tiny"\nversion = "1.2"\nlicense = "CC-BY-4.0"\n')
    write_site(Edition(here, "en", Source("owner/name"), browser=False, address=top), out, None, False)
    page = (out / f"es/labs/{LAB}.html").read_text("utf-8")
    for expected in (
        f'<link rel="canonical" href="{top}es/labs/{LAB}.html" />',
        f'<link rel="alternate" hreflang="en" href="{top}labs/{LAB}.html"/>',
        f'<meta property="og:image" content="{top}_static/{CARD}"/>',
        '<meta name="description"',
        f'<link rel="icon" href="../_static/{FAVICON}"/>',
        "tiny · 1.2 · CC-BY-4.0",
        '<a href="https://github.com/owner/name/issues/new?title=',
    ):
        assert expected in page, expected
    assert "hreflang" not in (out / f"labs/{NEXT}.html").read_text("utf-8").replace('hreflang="en"', "")
    assert "fontawesome" not in page and not [*out.rglob("fontawesome*.js"), *out.rglob("*.map")]
    assert [*out.rglob("tex-chtml*.js")] == [out / "_static/mathjax/tex-chtml.js"]
    for sheet in out.rglob("*.css"):
        for file in re.findall(r"url\((?!data:)([^)'\"?#]+)", sheet.read_text("utf-8")):
            assert (sheet.parent / file).is_file(), f"{sheet}: {file}"
    title = re.search(r"<title>(.*)</title>", (out / "index.html").read_text("utf-8"))[1]
    assert "—" not in title and "&#8212;" not in title, "the home page's title is the course's, once"
    listed = re.findall(r"<loc>(.*)</loc>", (out / "sitemap.xml").read_text("utf-8"))
    pages = [path for path in out.rglob("*.html") if path.name not in ("404.html", "search.html")]
    assert sorted(listed) == sorted(f"{top}{path.relative_to(out).as_posix()}" for path in pages)
    assert f"Sitemap: {top}sitemap.xml" in (out / "robots.txt").read_text("utf-8")
    lost = (out / "404.html").read_text("utf-8")
    assert lost.index(f'<base href="{top}"/>') < lost.index("_static/")
    assert len(re.findall("Link to this heading", (out / "es/index.html").read_text("utf-8"))) == 0
