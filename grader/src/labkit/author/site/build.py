"""`labkit site`: build the book in each language, the downloads and JupyterLite, and move them into place when complete."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat

from labkit.author.release import students
from labkit.author.release.wheels import EPOCH, project_table, write_core_wheel
from labkit.author.site.book import write_book
from labkit.author.site.links import broken_links
from labkit.author.site.lite import write_lite
from labkit.author.site.pages import (
    DOWNLOAD,
    LITE,
    Edition,
    Source,
    home_page,
    lab_page,
    solution_page,
    with_whole_formulas,
    words_of,
)
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

MARK = ".labkit-site"  # every folder with a site contains a file with this name


def write_site(
    project: Project, out: Path, source: Source | None, pyodide: str | None, browser: bool, solutions: bool
) -> list[str]:
    """Write the site into an existing folder, completely or not at all. It replaces an earlier site. Returns its languages.

    browser: include JupyterLite. solutions: include pages for instructors. Errors: UserError, OSError.
    """
    with tempfile.TemporaryDirectory(prefix=".labkit-site-", dir=out) as making:
        made, former, work = (Path(making, name) for name in ("new", "former", "work"))
        for folder in (made, former, work):
            folder.mkdir()
        archive = _downloads(project, made / DOWNLOAD, work)
        editions = [Edition(project, language, source, browser, archive) for language in project.languages]
        editions = [edition for edition in editions if edition.labs()]
        languages = [edition.language for edition in editions]

        def pages(edition: Edition) -> None:
            _pages(edition, work / edition.language, made / edition.folder, solutions and not edition.folder)

        with ThreadPoolExecutor(len(editions)) as pool:  # threads mostly wait for kernels and Sphinx
            list(pool.map(pages, editions))
        if browser:
            words = {language: dict(words_of(language)) for language in languages}
            notebooks = work / "release/labs"
            wheels = [write_core_wheel(work), students.course_wheel(project, project.course.labs.values(), work)]
            write_lite(project, notebooks, wheels, pyodide, words, made / LITE)
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
