"""Show a lab's cheat sheet when all checks of the lab pass."""

from __future__ import annotations

import re

from labkit.student.judging.finding import Finding
from labkit.student.judging.words import load, say, title
from labkit.student.model.course import current
from labkit.student.notebook.examine import not_right
from labkit.student.notebook.language import spoken
from labkit.student.notebook.messages import card, laid_out, paragraphs, tell

ORIGIN = re.compile(r"\A<!-- english=.*? -->\n")  # a translated page's first line, with a digest of the English page


def cheat_sheet(lab: str, *, language: str | None = None) -> None:
    """Show a lab's cheat sheet if all its checks passed in this session; otherwise show what is missing.

    `lab` is the lab's number. The page is `cheat_sheet.<language>.md` in the lab's folder, or else the English one.
    Errors: LookupError, FileNotFoundError.
    """
    course, language = current(), spoken(language)
    load(course)
    name = course.numbered(lab)
    heading = say("", Finding("cheat-sheet", {"lab": title(name, language)}), language)
    if missing := not_right(course.labs[name]):
        titles = [title(each, language) for each in missing]
        text = say("", Finding("cheat-sheet-closed", {"titles": titles}), language)
        word = say("", Finding("badge-closed"), language)
        tell(laid_out(text), card("open", word, heading, paragraphs(text), language))
        return
    folder = course.expected_of(name).parent
    pages = [folder / f"cheat_sheet.{each}.md" for each in (language, "en")]
    page = next((each for each in pages if each.exists()), None)
    if page is None:
        raise FileNotFoundError(f"{pages[-1].name} is missing from {folder.name}/: write the lab's cheat sheet there")
    text = f"## {heading}\n\n{ORIGIN.sub('', page.read_text('utf-8')).strip()}"
    tell(text, text, "text/markdown")
