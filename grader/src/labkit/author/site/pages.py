"""Make the sources of the book's pages: each released lab with the figures that it shows when run unedited, and a home page."""

from __future__ import annotations

import copy
import html
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

import nbformat

from labkit.author.release.students import heading_of
from labkit.author.source import percent
from labkit.student.judging.words import words_in
from labkit.student.model.course import Lab
from labkit.student.model.project import Project

Words = Mapping[str, str]
LITE, DOWNLOAD = "lite", "download"
# An inline formula and the punctuation after it, but no code, display formula or sum of money.
PUNCTUATED = re.compile(r"(?<![\\$`\w])\$(?=[^\s$])[^$`\n]*[^\s$`\\]\$[.,;:?!)]+(?!\w)")
HERE = '<script>if (location.protocol === "file:") document.querySelectorAll(".labkit-by-disk").forEach(p => { p.hidden = false; });</script>'


@dataclass(frozen=True)
class Source:
    """The public repository and git reference from which Colab and Binder open notebooks."""

    repository: str  # OWNER/NAME
    reference: str = "main"


@dataclass(frozen=True)
class Edition:
    """The pages in one language, and their links."""

    project: Project
    language: str
    source: Source | None = None
    browser: bool = True  # whether the site has JupyterLite
    archive: str = ""  # the zip with the release for students, in the download folder
    address: str = ""  # where the site will be published, ending with a slash; "" if it is unknown

    @property
    def words(self) -> Words:
        return words_of(self.language)

    @property
    def folder(self) -> str:
        """The folder of the pages in the site; "" for the first language."""
        return "" if self.language == self.project.languages[0] else f"{self.language}/"

    @property
    def top(self) -> str:
        """The relative path from this language's home page to the folder of the site."""
        return "../" if self.folder else ""

    def labs(self) -> dict[str, Path]:
        """The notebooks of this language, by lab."""
        editions = {name: self.project.editions_of(name).get(self.language) for name in self.project.course.names}
        return {name: path for name, path in editions.items() if path}

    def further(self) -> dict[str, Path]:
        """The Markdown pages next to the home page, by name."""
        return {path.stem: path for path in sorted((self.project.site / self.language).glob("*.md"))}


def paths_of(project: Project) -> dict[str, dict[str, str]]:
    """The path of each page in each language, by the page's name."""
    paths: dict[str, dict[str, str]] = {}
    for edition in (Edition(project, language) for language in project.languages):
        labs = edition.labs()
        for name in ("index", *(f"labs/{lab}" for lab in labs), *edition.further()) if labs else ():
            paths.setdefault(name, {})[edition.language] = f"{edition.folder}{name}.html"
    return paths


def summary_of(text: str) -> str:
    """What a page is about, as plain text: the goals that it starts with, or else its first paragraph."""
    goals = re.findall(r"^\d+\. (.+(?:\n {2,}.+)*)", text, re.MULTILINE)
    paragraphs = [part for part in text.split("\n\n") if part.strip() and part[0] not in "#<"]
    plain = re.sub(r"\[([^\]]+)\]\([^)]*\)|[*`$]|<[^>]+>", r"\1", " ".join(goals or paragraphs[:1]))
    return " ".join(plain.split())


@cache
def words_of(language: str) -> Words:
    """The site's words in a language, or in English if there are none."""
    known = words_in(Path(__file__).parent)
    return known.get(language, known["en"])


def lab_page(edition: Edition, lab: str, path: Path) -> nbformat.NotebookNode:
    """Make a lab's page, with links below its title and the figures from an unedited run. Errors: UserError."""
    notebook = with_figures(edition.project, nbformat.read(path, 4), edition.words["figure"])
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _in_first_language(edition, cell.source)
    _add_links(notebook, _links(edition, path, f"../{edition.top}"))
    notebook.cells[0].source += f"\n\n{_by_disk(edition)}"
    return notebook


def _add_links(notebook: nbformat.NotebookNode, links: Sequence[str]) -> None:
    """Add a line of links below the title."""
    line = f'<p class="labkit-links">{" ".join(links)}</p>' if links else ""
    first = notebook.cells[0]
    first.source = re.sub(r"^# .+$", lambda title: f"{title[0]}\n\n{line}\n", first.source, count=1, flags=re.MULTILINE)


def _in_first_language(edition: Edition, text: str) -> str:
    """Replace links to labs that are missing in this language with links to the first language's pages."""

    def link(found: re.Match[str]) -> str:
        here = found[2] in edition.labs()
        return found[0] if here else f'<a href="../{edition.top}labs/{found[2]}.html">{html.escape(found[1])}</a>'

    return re.sub(r"\[([^\]]+)\]\((\d\d_\w+)\.ipynb\)", link, text)


def with_figures(project: Project, notebook: nbformat.NotebookNode, fold: str = "") -> nbformat.NotebookNode:
    """Run the unedited notebook and keep only its figures.

    fold: the title of a fold for figures that need an answer or follow a guess; "" to leave these out.
    """
    answered = _answered(project, notebook) if fold else {}
    notebook = percent.execute(notebook, project.labs, project.source)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            figures = _figures(cell) if "reveal(" not in cell.source else []
            if not figures and (drawn := answered.get(cell.id)):
                shown = "\n".join(output.data["text/html"] for output in drawn)
                folded = f"<details><summary>{html.escape(fold)}</summary>\n{shown}\n</details>"
                figures = [nbformat.v4.new_output("display_data", {"text/html": folded})]
            cell.outputs, cell.execution_count = figures, None
    return notebook


def _answered(project: Project, notebook: nbformat.NotebookNode) -> dict[str, list[nbformat.NotebookNode]]:
    """The figures of each cell when the exercises have the solution's answers, by the cell's id."""
    solution = nbformat.read(project.solutions / f"{notebook.metadata['labkit']['lab']}.ipynb", 4)
    if percent.language_of(notebook) != percent.language_of(solution):
        answers = {cell.id: cell.source for cell in solution.cells if "exercise" in cell.metadata.get("labkit", {})}
        solution = copy.deepcopy(notebook)
        for cell in solution.cells:
            cell.source = answers.get(cell.id, cell.source)
        solution = percent.execute(solution, project.labs, project.source)
    return {cell.id: _figures(cell) for cell in solution.cells if cell.cell_type == "code"}


def _figures(cell: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    shown = [(output, output.get("data", {}).get("text/html", "")) for output in cell.outputs]
    return [output for output, text in shown if "<img " in text or "data-scene" in text]


def solution_page(project: Project, lab: Lab, words: Words) -> nbformat.NotebookNode:
    """Make the page with a lab's executed solution, marked as for instructors only."""
    notebook = nbformat.read(project.solutions / f"{lab.name}.ipynb", 4)
    title = f"# {words['solutions']}: "
    notebook.cells[0].source = re.sub(r"^# ", title, notebook.cells[0].source, count=1, flags=re.MULTILINE)
    notebook.cells[0].source += f"\n\n**{words['for-instructors']}**"
    return notebook


def with_whole_formulas(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Keep each formula on one line with the punctuation after it. Otherwise browsers may start a line with a full stop."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = PUNCTUATED.sub(r'<span class="labkit-whole">\g<0></span>', cell.source)
    return notebook


def home_page(edition: Edition, solutions: Sequence[str] = ()) -> nbformat.NotebookNode:
    """Make the course's home page in this language, with the list of labs and a link to the zip."""
    own = edition.project.site / edition.language / "index.py"
    if own.is_file():
        import jupytext

        notebook = jupytext.reads(own.read_text("utf-8"), fmt="py:percent")
        notebook.metadata["labkit"] = {"lab": f"{edition.language}/index"}
        notebook = with_figures(edition.project, notebook)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.metadata["tags"] = ["remove-input"]
    else:
        english = edition.project.metadata.get("description") or edition.project.package
        title = edition.project.translated(edition.language, "description", english)
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(f"# {title}")])
    _add_links(notebook, _in_other_languages(edition, edition.top))
    notebook.cells += [nbformat.v4.new_markdown_cell(text) for text in _lists(edition, solutions)]
    return notebook


def further_page(edition: Edition, path: Path) -> str:
    """A further page's text, with links to the labs' pages instead of their notebooks, and to scripts where Sphinx copies them."""
    text = path.read_text("utf-8").replace('<script type="module" src="../', '<script type="module" src="_static/')
    for lab, notebook in edition.labs().items():
        text = text.replace(f"]({os.path.relpath(notebook, path.parent)})", f"](labs/{lab}.ipynb)")
    return text


def _lists(edition: Edition, solutions: Sequence[str]) -> Iterator[str]:
    words, labs = edition.words, edition.labs()
    rows = {path: _facts(path) for path in labs.values()}
    facts = list(dict.fromkeys(name for row in rows.values() for name in row))
    lines = [[words["lab"], *facts, *[words["run"]] * edition.browser], ["---"] * (1 + len(facts) + edition.browser)]
    for path, row in rows.items():
        cells = [f"[{heading_of(path)}](labs/{path.stem}.ipynb)", *(row.get(name, "") for name in facts)]
        lines.append(cells + [_open(edition, path, edition.top)] * edition.browser)
    yield f"## {words['labs']}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)
    if edition.archive:
        link = f'<a href="{edition.top}{DOWNLOAD}/{quote(edition.archive)}" download>{html.escape(edition.archive)}</a>'
        yield words["all"].format(link=link) + f"\n\n{_by_disk(edition)}"
    entries = "\n".join(f"labs/{lab}" for lab in labs)
    yield f"```{{toctree}}\n:hidden:\n:caption: {words['labs']}\n\n{entries}\n```"
    if further := edition.further():
        yield "```{toctree}\n:hidden:\n\n" + "\n".join(further) + "\n```"
    if solutions:
        entries = "\n".join(f"solutions/{lab}" for lab in solutions)
        yield f"```{{toctree}}\n:hidden:\n:caption: {words['solutions']}\n\n{entries}\n```"


def _facts(path: Path) -> dict[str, str]:
    """What a lab's first cell says of its time and difficulty, or of whatever it names first."""
    return dict(re.findall(r"\*\*([^*\n]+)\*\* ([^·\n]+?) ·", nbformat.read(path, 4).cells[0].source)[:2])


def _in_other_languages(edition: Edition, top: str, page: str = "index") -> list[str]:
    """Links to a page in the other languages. `top`: the path to the site's home page."""
    paths = paths_of(edition.project)[page]
    return [
        f'<a href="{top}{path}" lang="{language}" hreflang="{language}">{html.escape(words_of(language)["name"])}</a>'
        for language, path in paths.items()
        if language != edition.language
    ]


def _links(edition: Edition, path: Path, top: str) -> list[str]:
    """The links below a lab's title. `top`: the path to the site's home page."""
    words, file = edition.words, path.relative_to(edition.project.labs).as_posix()
    links = [_open(edition, path, top)] if edition.browser else []
    links.append(f'<a href="{top}{DOWNLOAD}/{quote(file)}" download>{words["download"]}</a>')
    if edition.source:
        below = (edition.project.labs / file).relative_to(edition.project.root).as_posix()
        at = f"{edition.source.repository}/blob/{edition.source.reference}/{quote(below)}"
        links.append(f'<a href="https://colab.research.google.com/github/{at}">{words["colab"]}</a>')
        at = f"{edition.source.repository}/{edition.source.reference}?labpath={quote(below, safe='')}"
        links.append(f'<a href="https://mybinder.org/v2/gh/{at}">{words["binder"]}</a>')
    return links + _in_other_languages(edition, top, f"labs/{path.stem}")


def _open(edition: Edition, path: Path, top: str) -> str:
    file = quote(path.relative_to(edition.project.labs).as_posix())
    address = f"{top}{LITE}/notebooks/index.html?path={file}"
    return f'<a class="labkit-open" href="{address}">{edition.words["open"]}</a>'


def _by_disk(edition: Edition) -> str:
    if not edition.browser:
        return ""
    return f'<p class="labkit-by-disk" hidden>{html.escape(edition.words["by-disk"])}</p>{HERE}\n\n'
