"""`labkit site`: build the book in each language, the downloads and JupyterLite, and move them into place when complete."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.sax.saxutils import escape

import nbformat

from labkit.author.release import students
from labkit.author.release.students import EPOCH, write_wheel
from labkit.author.site.lite import kernel_wheels, write_lite, write_packages
from labkit.author.site.pages import (
    DOWNLOAD,
    LITE,
    Edition,
    further_page,
    home_page,
    lab_page,
    paths_of,
    solution_page,
    summary_of,
    with_whole_formulas,
    words_of,
)
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

# A package with MathJax's files. As an extension, it would copy them for each language.
MATHJAX = "sphinx-mathjax-offline"
NEEDED = ("sphinx", "myst_nb", "sphinx_book_theme", MATHJAX, "jupyterlite_core", "jupyter_server")
SECONDS = 600
TEX = "tex-chtml.js"  # the combination of MathJax's components that pages load
FAVICON, CARD = "favicon.svg", "card.png"  # in the folder of the site's own pages; the card is for link previews
UNUSED = (".buildinfo", "*.map", "fontawesome.js", "*webpack-macros.html")  # files that Sphinx and the theme add
MARK = ".labkit-site"  # every folder with a site contains a file with this name


def write_site(first: Edition, out: Path, pyodide: Path | None, solutions: bool) -> list[str]:
    """Write the site, completely or not at all. It replaces an earlier site. Returns its languages.

    first: the edition in the first language. pyodide: a folder with a copy of it; None to download it. solutions: include
    pages for instructors. Errors: UserError, OSError.
    """
    project = first.project
    with students.replacing(out, _ours, "labkit site") as made:
        (work := made.with_name("work")).mkdir()
        first = replace(first, archive=_downloads(project, made / DOWNLOAD, work))
        if first.browser:  # before the pages, because a download fails sooner
            wheels = [write_wheel(work), students.write_course_wheel(project, project.course.labs.values(), work)]
            (packages := work / "packages").mkdir()
            start = write_packages(pyodide, wheels, kernel_wheels(), packages)
        editions = [replace(first, language=language) for language in project.languages]
        editions = [edition for edition in editions if edition.labs()]
        languages = [edition.language for edition in editions]

        def pages(edition: Edition) -> None:
            _pages(edition, work / edition.language, made / edition.folder, solutions and not edition.folder)

        with ThreadPoolExecutor(len(editions)) as pool:  # threads mostly wait for kernels and Sphinx
            list(pool.map(pages, editions))
        _copy_mathjax(made / "_static/mathjax")
        if first.address:
            _write_sitemap(first, made)
        if first.browser:
            words = {language: dict(words_of(language)) for language in languages}
            write_lite(project, work / "release/labs", packages, start, words, made / LITE)
        (made / MARK).write_text("Written by `labkit site`; running it again replaces this site.\n", "utf-8")
        (made / ".nojekyll").touch()  # without it GitHub Pages omits names with an underscore
        for broken in broken_links(made):
            raise UserError(f"the site has a broken link: {broken}")
    return languages


def _ours(out: Path) -> list[Path]:
    """All files of an earlier site."""
    return [*out.iterdir()] if (out / MARK).is_file() else []


def _downloads(project: Project, to: Path, work: Path) -> str:
    """Write single notebooks, and the release for students as a zip. Returns the zip's name."""
    labs = list(project.course.labs.values())
    students.copy_labs(project, labs, to)
    release = work / "release"
    students.write_release(project, labs, release)
    name = f"{project.metadata.get('name') or project.package}-{project.version or '0'}"
    with zipfile.ZipFile(to / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in release.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"{name}/{path.relative_to(release).as_posix()}", EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return f"{name}.zip"


def _copy_mathjax(to: Path) -> None:
    """Copy MathJax, once for all languages, without its other combinations of the same components."""
    folder = Path(find_spec(MATHJAX).origin).with_name("static") / "mathjax"
    shutil.copytree(folder, to, ignore=lambda *_: [path.name for path in folder.glob("*.js") if path.name != TEX])


def _write_sitemap(first: Edition, made: Path) -> None:
    pages = [path for paths in paths_of(first.project).values() for path in paths.values()]
    urls = "".join(f"<url><loc>{escape(first.address + page)}</loc></url>\n" for page in pages)
    text = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    (made / "sitemap.xml").write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}', "utf-8")
    (made / "robots.txt").write_text(f"User-agent: *\nAllow: /\nSitemap: {first.address}sitemap.xml\n", "utf-8")


def _pages(edition: Edition, work: Path, out: Path, solutions: bool) -> None:
    sources, pages = work / "sources", work / "pages"  # MyST-NB also writes files next to the pages
    summaries = {}
    for name, notebook in _sources(edition, [*edition.labs()] if solutions else []):
        path = sources / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(with_whole_formulas(notebook), path)
        summaries[name] = summary_of(notebook.cells[0].source)
    for name, path in edition.further().items():
        text = further_page(edition, path)
        (sources / f"{name}.md").write_text(text, "utf-8")
        summaries[name] = summary_of(text)
    for picture in edition.project.site.glob("*.[ps][nv]g"):
        shutil.copy(picture, work)  # the pages of all languages share it, as ../NAME.png
    write_book(edition, sources, pages, summaries)
    shutil.rmtree(pages / "_sources", ignore_errors=True)
    for path in {path for name in UNUSED for path in pages.rglob(name)}:
        path.unlink()
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


def write_book(edition: Edition, sources: Path, out: Path, summaries: Mapping[str, str]) -> None:
    """Build the pages of one language, with our style, templates and conf.py. Errors: UserError."""
    project, words = edition.project, edition.words
    static = sources / "_static"
    static.mkdir(exist_ok=True)
    own = [path for name in (FAVICON, CARD, "*.js") for path in project.site.glob(name)]
    for path in (Path(__file__).with_name("labkit.css"), *own):
        shutil.copy(path, static)
    title = students.heading_of(sources / "index.ipynb")
    if edition.address and not edition.folder:
        text = f"---\norphan: true\n---\n\n# {words['lost']}\n\n{words['lost-text']} [{title}](index.ipynb)\n"
        (sources / "404.md").write_text(text, "utf-8")
    context = {
        "default_mode": "auto",
        "address": edition.address,
        "card": CARD if (static / CARD).is_file() else "",
        "course": project.metadata,
        "paths": paths_of(project),
        "repository": edition.source.repository if edition.source else "",
        "summaries": summaries,
        "words": dict(words),
    }
    known = tomllib.loads(Path(__file__).with_name("book.toml").read_text("utf-8"))
    settings = known | {
        "project": title,
        "html_title": title,
        "html_baseurl": edition.address and f"{edition.address}{edition.folder}",
        "html_context": context,
        "html_favicon": f"_static/{FAVICON}" if (static / FAVICON).is_file() else None,
        "html_theme_options": known["html_theme_options"] | {"search_bar_text": words["search"]},
        "language": edition.language,
        "templates_path": [str(Path(__file__).with_name("templates"))],
        "mathjax_path": f"{'../../_static/' if edition.folder else ''}mathjax/{TEX}",
    }
    (sources / "conf.py").write_text("".join(f"{name} = {value!r}\n" for name, value in settings.items()), "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-E", "-b", "html", "-W", "--keep-going"]
    command += ["-d", sources.with_name(f"{sources.name}-doctrees"), sources, out]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=SECONDS)
    if done.returncode:
        problems = [line for line in done.stderr.splitlines() if re.search(r"WARNING|ERROR|error:", line)]
        first = (problems or done.stderr.splitlines()[-1:] or ["Sphinx failed"])[0]
        raise UserError(f"the book in {edition.language} could not be built: {first.replace(f'{sources}/', '')}")


class _Page(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.places: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.places.add(value)


def broken_links(site: Path) -> Iterator[str]:
    """Yield a line for each internal link that has no target, and for each absolute path that leaves the site."""
    pages = {path.resolve(): _Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
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
