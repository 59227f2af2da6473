"""Check that every link within the site has a target."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

NO_PAGES = ("lite", "_static")  # folders with HTML that scripts fill in


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
