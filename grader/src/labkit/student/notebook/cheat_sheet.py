"""Show a lab's cheat sheet when all checks of the lab pass."""

from __future__ import annotations

from labkit.student.judging.finding import Finding
from labkit.student.judging.words import load, say, stored_in, title
from labkit.student.model.course import current
from labkit.student.notebook.examine import not_right
from labkit.student.notebook.language import spoken
from labkit.student.notebook.messages import card, laid_out, paragraphs, tell

PAGE = "cheat_sheet.en.md"


def cheat_sheet(lab: str, *, language: str | None = None) -> None:
    """Show a lab's cheat sheet if all its checks passed in this session; otherwise show what is missing.

    `lab` is the lab's number. The page is `cheat_sheet.en.md` in the lab's folder, or its translation.
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
    page = stored_in(folder).get(language, {}).get("cheat_sheet")
    if page is None and not (folder / PAGE).exists():
        raise FileNotFoundError(f"{PAGE} is missing from {folder.name}/: write the lab's cheat sheet there")
    text = f"## {heading}\n\n{(page or (folder / PAGE).read_text('utf-8')).strip()}"
    tell(text, text, "text/markdown")
