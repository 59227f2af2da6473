"""Fill in the templates of pages and of Markdown. Each page is one file that loads nothing and runs no script except its own.

Templates escape all values. If a page had one that is not escaped, its Content-Security-Policy would still block other
scripts, styles and requests. Markdown reads well as plain text, and is harmless as HTML.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from labkit.desk.pages.python_code import as_html
from labkit.student.model.text import in_points, legible
from labkit.student.notebook.messages import coded

TEMPLATES = Path(__file__).with_name("templates")

# Characters of tags, entities and Markdown. A lone < or &, and _ inside a name, are harmless and stay.
ACTIVE = re.compile(r"<(?=[A-Za-z/!?])|&(?=#|[A-Za-z]\w*;)|[\\`*\[\]]|(?<!\w)_|_(?!\w)")
ESCAPES = {"<": "&lt;", "&": "&amp;"}
BLOCK = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[-+>#=~|]))")  # the start of a list or heading


@cache
def environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=lambda name: str(name).endswith(".html"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # templates do not change during a run
        finalize=_harmless,
    )
    made.filters |= {
        "highlighted": as_html,
        "coded": lambda text: Markup(coded(legible(text))),
        "points": points,
        "percent": lambda share: f"{100 * share:.0f} %",
    }
    return made


@jinja2.pass_eval_context
def _harmless(context: jinja2.nodes.EvalContext, value: object) -> object:
    """Make a value of a template harmless: Jinja escapes HTML after this. Markup made by templates is unchanged."""
    if type(value) is not str:
        return value
    return legible(value) if context.autoescape else plain(value)


@lru_cache(maxsize=1_000)  # every page repeats the same phrases
def plain(text: str) -> str:
    """Escape text for Markdown, in one line, so that it stays plain text."""
    line = legible(" ".join(text.split()))
    return BLOCK.sub(r"\1\\", ACTIVE.sub(lambda found: ESCAPES.get(found[0], "\\" + found[0]), line))


def page(name: str, scripts: tuple[str, ...] = (), pictures: bool = False, **facts: object) -> Iterator[str]:
    """Yield the page in pieces, from its template and its style. With `pictures`, it may show embedded pictures."""
    style = _read("base.css") + _read(f"{name}.css")
    script = "".join(map(_read, scripts))
    own = {"style": Markup(style), "script": Markup(script)}
    policy = [
        "default-src 'none'",
        f"style-src {_hash(style)}",
        f"script-src {_hash(script)}" if script else "script-src 'none'",
        *(["img-src data:"] if pictures else []),
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return environment().get_template(f"{name}.html").generate(**own, policy="; ".join(policy), **facts)


def points(number: float) -> str:
    """Write points with at most two decimals, without trailing zeros."""
    return in_points(number, 2)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _read(name: str) -> str:
    return (TEMPLATES / name).read_text("utf-8")
