"""Documentation pages: links work, pages are short, the index lists every page, and an example of adjustments is valid."""

import re
from pathlib import Path

import pytest

from labkit.desk.people import adjustments
from labkit.student.model import project

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("grader/*.md"), *ROOT.glob("grader/docs/*.md")]
)
INDEX = ROOT / "docs/README.md"
LONGEST = 1_200  # words
GENERATED = re.compile(
    r"`(python [\w/]+\.py|make bench)[^`]*`,? (made|makes) this page|[Mm]ade by `(python [\w/]+\.py|make bench)"
)
WORKFLOW = "../../actions/workflows/"  # links to a workflow's runs and badge on GitHub
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|(?:href|src)=\"([^\"]+)\"")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def links(page: Path) -> list[str]:
    return [markdown or html for markdown, html in LINK.findall(page.read_text("utf-8"))]


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes for a page's headings."""
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page):
    broken = []
    for target in links(page):
        if "://" in target or target.startswith("mailto:"):
            continue
        path, _, anchor = target.partition("#")
        if path.startswith(WORKFLOW):
            path = ".github/workflows/" + path.removeprefix(WORKFLOW).partition("/")[0]
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_is_short_or_names_its_generator(page):
    text = page.read_text("utf-8")
    assert len(text.split()) <= LONGEST or GENERATED.search(text)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_row_belongs_to_a_table(page):
    """A blank line between rows would show the later ones as text."""
    blocks = re.split(r"\n(?!\|)", page.read_text("utf-8"))
    tables = [block.split("\n|") for block in blocks if "\n|" in block]
    assert [rows[1] for rows in tables if not re.fullmatch(r"[-: |]+", rows[min(2, len(rows) - 1)])] == []


def test_the_index_lists_every_page():
    listed = {(INDEX.parent / target.partition("#")[0]).resolve() for target in links(INDEX)}
    missing = [name(page) for page in PAGES if "docs/" in name(page) and page != INDEX and page not in listed]
    assert missing == []


def test_the_page_on_docker_shows_the_dockerfile():
    shown = re.search(r"```dockerfile\n(.+?)```", (ROOT / "grader/docs/docker.md").read_text("utf-8"), re.DOTALL)
    assert shown and (ROOT / "Dockerfile").read_text("utf-8").partition("\n")[2] == shown[1]


def test_the_example_of_adjustments_works(tmp_path):
    page = (project.current().root / "grader/docs/adjusting.md").read_text("utf-8")
    [example] = re.findall(r"```csv\n(student,lab,.*?)```", page, re.DOTALL)
    (tmp_path / adjustments.NAME).write_text(example)
    given = adjustments.read(project.current(), tmp_path / adjustments.NAME)
    assert [student for student, _ in given] == ["ada", "bob", "cem", "dan", "eve"]
    (first, *_), *_, (last, *_) = given.values()
    assert first.set == 2 and last.excused
