"""Build the book with Sphinx. Warnings are errors."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from labkit.student.model.errors import UserError

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
