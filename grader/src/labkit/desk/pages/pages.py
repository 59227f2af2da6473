"""Make pages from templates. Each page is one file that loads nothing and runs no script except its own.

Templates escape all values. If one were not escaped, the page's Content-Security-Policy would still block other scripts,
styles and requests.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from labkit.desk.pages.highlight import as_html
from labkit.student.model.text import in_points, legible
from labkit.student.notebook.messages import coded

TEMPLATES = Path(__file__).with_name("templates")


@cache
def environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # templates do not change during a run
        finalize=lambda value: legible(value) if type(value) is str else value,  # markup made by templates is unchanged
    )
    made.filters |= {
        "highlighted": as_html,
        "coded": lambda text: Markup(coded(legible(text))),
        "points": points,
        "percent": lambda share: f"{100 * share:.0f} %",
    }
    return made


def page(
    template: str, *, styles: tuple[str, ...], scripts: tuple[str, ...] = (), pictures: bool = False, **facts: object
) -> Iterator[str]:
    """Yield the page in pieces. With `pictures`, it may show embedded pictures."""
    style = "".join(_read(name) for name in styles)
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
    return environment().get_template(template).generate(**own, policy="; ".join(policy), **facts)


def points(number: float) -> str:
    """Write points with at most two decimals, without trailing zeros."""
    return in_points(number, 2)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _read(name: str) -> str:
    return (TEMPLATES / name).read_text("utf-8")
