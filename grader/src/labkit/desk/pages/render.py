"""Fill in the templates of pages and of Markdown, and highlight students' Python code.

Each page is one file that loads nothing and runs no script except its own. Templates escape all values. If a page had one that is
not escaped, its Content-Security-Policy would still block other scripts, styles and requests. Markdown reads well as plain text,
and is harmless as HTML.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache
from html import escape
from keyword import kwlist
from pathlib import Path
from re import Match

import jinja2
from markupsafe import Markup

from labkit.student.model.text import in_points, legible
from labkit.student.notebook.messages import coded

TEMPLATES = Path(__file__).with_name("templates")

# Characters of tags, entities and Markdown. A lone < or &, and _ inside a name, are harmless and stay.
ACTIVE = re.compile(r"<(?=[A-Za-z/!?])|&(?=#|[A-Za-z]\w*;)|[\\`*\[\]]|(?<!\w)_|_(?!\w)")
ESCAPES = {"<": "&lt;", "&": "&amp;"}
BLOCK = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[-+>#=~|]))")  # the start of a list or heading

Run = tuple[str, str]  # a piece of code: its class ("" for plain) and its text
KEYWORDS = frozenset(kwlist)
NAMING = ("def", "class")  # keywords that come before a defined name

# An unclosed string ends with its line or the source, so no position is read twice and the time stays linear. Pygments took 3 s
# for 10,000 characters of hostile input ('%000…).
TOKEN = re.compile(
    r"""\#[^\n]*"""
    r"""|(?P<text>[rbfuRBFU]{0,2}(?:"{3}[\s\S]*?(?:"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z)"""
    r"""|"(?:\\[\s\S]|[^"\\\n])*+"?|'(?:\\[\s\S]|[^'\\\n])*+'?))"""
    r"""|(?P<dotted>\.\s*[^\W\d]\w*)|(?P<name>[^\W\d]\w*)|\d[\w.]*|\S"""
)


class Compiled(jinja2.FileSystemBytecodeCache):
    """Compiled templates, in `__pycache__` next to them if it can be written: compiling takes longer than a small class's pages."""

    def get_source_checksum(self, source: str) -> str:
        return super().get_source_checksum(source + Path(__file__).read_text("utf-8"))

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        with suppress(OSError):
            Path(self.directory).mkdir(exist_ok=True)
            super().dump_bytecode(bucket)


@cache
def environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        bytecode_cache=Compiled(str(TEMPLATES / "__pycache__")),
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


@lru_cache(maxsize=500)  # the class report and the student's page show the same answers
def runs(code: str) -> tuple[Run, ...]:
    """Split code into pieces with a class: k for keywords, f for defined names, s for strings, c for comments, n for numbers."""
    code = legible(code.strip("\n").rstrip())
    found: list[Run] = []
    done, before = 0, ""
    for token in TOKEN.finditer(code):
        word = token[0]
        if kind := _class_of(token, word, before):
            found += [("", code[done : token.start()]), (kind, word)]
            done = token.end()
        before = word
    return tuple(run for run in (*found, ("", code[done:])) if run[1])


def as_html(code: str) -> Markup:
    return Markup("".join(f"<i class={kind}>{escape(text)}</i>" if kind else escape(text) for kind, text in runs(code)))


def _class_of(token: Match[str], word: str, before: str) -> str:
    if token["name"]:
        return "k" if word in KEYWORDS else "f" if before in NAMING else ""
    if token["text"]:
        return "s"
    return "c" if word[0] == "#" else "n" if word[0].isdigit() else ""
