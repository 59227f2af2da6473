"""`labkit site`: build the book in each language, the downloads and JupyterLite, and move them into place when complete."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat

from labkit.author.release import students
from labkit.author.release.parts import EPOCH, project_table, write_wheel
from labkit.author.site.lite import kernel_wheels, write_lite
from labkit.author.site.lockfile import write_packages
from labkit.author.site.pages import (
    DOWNLOAD,
    LITE,
    Edition,
    Source,
    further_page,
    home_page,
    lab_page,
    solution_page,
    with_whole_formulas,
    words_of,
)
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

NEEDED = ("sphinx", "myst_nb", "sphinx_book_theme", "jupyterlite_core", "jupyter_server")
MATHJAX = "sphinx-mathjax-offline"  # both the Sphinx extension and the package with MathJax
SECONDS = 600
SETTINGS = {
    "extensions": ["myst_nb", "sphinx.ext.mathjax", MATHJAX],
    "nb_execution_mode": "off",
    "myst_enable_extensions": ["amsmath", "dollarmath"],
    "html_theme": "sphinx_book_theme",
    "html_css_files": ["labkit.css"],
    "html_static_path": ["_static"],
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_show_sphinx": False,
    "html_use_index": False,  # labs define no index entries
    "html_show_search_summary": False,  # summaries would show formulas as TeX
    "mathjax3_config": {"chtml": {"mtextInheritFont": True}},  # MathJax's own font has no accented letters
    "html_context": {"default_mode": "auto"},
    "exclude_patterns": ["conf.py"],
}
THEME = {
    "home_page_in_toc": True,
    "use_download_button": False,
    "use_fullscreen_button": False,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "footer_content_items": [],
    "navbar_persistent": [],  # the search is in the sidebar
}
NO_PAGES = ("lite", "_static")  # folders with HTML that scripts fill in
MARK = ".labkit-site"  # every folder with a site contains a file with this name


def write_site(
    project: Project, out: Path, source: Source | None, pyodide: Path | None, browser: bool, solutions: bool
) -> list[str]:
    """Write the site into an existing folder, completely or not at all. It replaces an earlier site. Returns its languages.

    pyodide: a folder with a copy of it; None to download it. browser: include JupyterLite. solutions: include pages for
    instructors. Errors: UserError, OSError.
    """
    with tempfile.TemporaryDirectory(prefix=".labkit-site-", dir=out) as making:
        made, former, work = (Path(making, name) for name in ("new", "former", "work"))
        for folder in (made, former, work):
            folder.mkdir()
        archive = _downloads(project, made / DOWNLOAD, work)
        if browser:  # before the pages, because a download fails sooner
            wheels = [write_wheel(work), students.course_wheel(project, project.course.labs.values(), work)]
            (packages := work / "packages").mkdir()
            start = write_packages(pyodide, wheels, kernel_wheels(), packages)
        editions = [Edition(project, language, source, browser, archive) for language in project.languages]
        editions = [edition for edition in editions if edition.labs()]
        languages = [edition.language for edition in editions]

        def pages(edition: Edition) -> None:
            _pages(edition, work / edition.language, made / edition.folder, solutions and not edition.folder)

        with ThreadPoolExecutor(len(editions)) as pool:  # threads mostly wait for kernels and Sphinx
            list(pool.map(pages, editions))
        if browser:
            words = {language: dict(words_of(language)) for language in languages}
            write_lite(project, work / "release/labs", packages, start, words, made / LITE)
        (made / MARK).write_text("Written by `labkit site`; running it again replaces this site.\n", "utf-8")
        (made / ".nojekyll").touch()  # without it GitHub Pages omits names with an underscore
        for broken in broken_links(made):
            raise UserError(f"the site has a broken link: {broken}")
        if (out / MARK).is_file():
            for path in [path for path in out.iterdir() if path != Path(making)]:
                path.rename(former / path.name)
        for path in sorted(made.iterdir()):
            path.rename(out / path.name)
    return languages


def may_be_written(out: Path) -> None:
    """Check that the folder contains only an earlier site. Errors: UserError."""
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise UserError(f"{out}: not empty, and not written by `labkit site`; choose a new folder")


def _downloads(project: Project, to: Path, work: Path) -> str:
    """Write single notebooks, and the release for students as a zip. Returns the zip's name."""
    labs = list(project.course.labs.values())
    students.copy_labs(project, labs, to)
    release = work / "release"
    release.mkdir()
    students.write_release(project, labs, release)
    name = f"{project_table(project).get('name') or project.package}-{project.version or '0'}"
    with zipfile.ZipFile(to / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in release.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"{name}/{path.relative_to(release).as_posix()}", EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return f"{name}.zip"


def _pages(edition: Edition, work: Path, out: Path, solutions: bool) -> None:
    sources, pages = work / "sources", work / "pages"  # MyST-NB also writes files next to the pages
    for name, notebook in _sources(edition, [*edition.labs()] if solutions else []):
        path = sources / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(with_whole_formulas(notebook), path)
    for name, path in edition.further().items():
        (sources / f"{name}.md").write_text(further_page(edition, path), "utf-8")
    for picture in edition.project.site.glob("*.png"):
        shutil.copy(picture, work)  # the pages of all languages share it, as ../NAME.png
    home = nbformat.read(sources / "index.ipynb", 4)
    title = next(line[2:] for line in home.cells[0].source.splitlines() if line.startswith("# "))
    write_book(sources, pages, title, edition.language, edition.words["search"])
    shutil.rmtree(pages / "_sources", ignore_errors=True)
    (pages / ".buildinfo").unlink(missing_ok=True)
    shutil.copytree(pages, out, dirs_exist_ok=True)


def _sources(edition: Edition, solutions: Sequence[str]) -> Iterator[tuple[str, nbformat.NotebookNode]]:
    yield "index", home_page(edition, solutions)
    for lab, path in edition.labs().items():
        yield f"labs/{lab}", lab_page(edition, lab, path)
    for lab in solutions:
        yield f"solutions/{lab}", solution_page(edition.project, edition.project.course.labs[lab], edition.words)


def missing() -> list[str]:
    """List the packages that a site needs and that are not installed."""
    return [name for name in NEEDED if not find_spec(name)]


def write_book(sources: Path, out: Path, title: str, language: str, search: str) -> None:
    """Build the pages of one language, with our style and conf.py; `search` labels the search box. Errors: UserError."""
    static = sources / "_static"
    static.mkdir(exist_ok=True)
    style = Path(__file__).with_name("book.css").read_text("utf-8")
    (static / "labkit.css").write_text(style, "utf-8")
    theme = THEME | {"search_bar_text": search}
    settings = SETTINGS | {"project": title, "html_title": title, "language": language, "html_theme_options": theme}
    (sources / "conf.py").write_text("".join(f"{name} = {value!r}\n" for name, value in settings.items()), "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-E", "-b", "html", "-W", "--keep-going"]
    command += ["-d", sources.with_name(f"{sources.name}-doctrees"), sources, out]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=SECONDS)
    if done.returncode:
        problems = [line for line in done.stderr.splitlines() if re.search(r"WARNING|ERROR|error:", line)]
        first = (problems or done.stderr.splitlines()[-1:] or ["Sphinx failed"])[0]
        raise UserError(f"the book in {language} could not be built: {first.replace(f'{sources}/', '')}")


class _Page(HTMLParser):
    """Collects the links and anchors of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.places: set[str] = {"", "top"}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.places.add(value)


def broken_links(site: Path) -> Iterator[str]:
    """Yield a line for each internal link that has no target, and for each absolute path that leaves the site."""
    paths = [path for path in sorted(site.rglob("*.html")) if not {*NO_PAGES} & {*path.relative_to(site).parts}]
    pages = {path.resolve(): _read(path) for path in paths}
    root = site.resolve()
    for path, page in pages.items():
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            where = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            where = where / "index.html" if where.is_dir() else where
            inside = where.is_relative_to(root) and not parts.path.startswith("/")
            known = where not in pages or unquote(parts.fragment) in pages[where].places
            if not inside or not where.is_file() or not known:
                yield f"{path.relative_to(root)}: {link} has no target"


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text("utf-8"))
    return page
