"""Markdown and formulas as a tree of allowed elements: students' text stays text."""

import json

import pytest
from desks import words
from hypothesis import given
from hypothesis import strategies as st

from labkit.desk.reading.markup import LONGEST, MATH, MATH_ATTRIBUTES, SAME, inline_of, tree_of

TAGS = {*MATH, *SAME.values(), "br", "hr", "code", "pre", "span"}
FORMULAS = (
    "$", "$$", "\\frac", "{", "}", "^", "_", "\\begin{matrix}", "\\end{matrix}", "&", "\\\\", "\\text{<b>}", "<script>",
)  # fmt: skip
MARKDOWN = ["*", "**", "`", ">", "-", "1.", "#", "|", "[a](javascript:b)", "![a](b)", "<http://x.y>", "a"]
PIECES = st.sampled_from([*FORMULAS, *MARKDOWN, "\n", " ", "```\n"])


def elements(nodes: list):
    for node in nodes:
        if not isinstance(node, str):
            yield node[0], node[1]
            yield from elements(node[2:])


def test_markdown_and_formulas_are_elements():
    nodes = tree_of("A *clock*, $\\omega_k$:\n\n- one\n- `x<y`\n\n$$\\frac{1}{2}$$")
    assert nodes[0] == [
        "p", {}, "A ", ["em", {}, "clock"], ", ",
        ["math", {"display": "inline"}, ["mrow", {}, ["msub", {}, ["mi", {}, "ω"], ["mi", {}, "k"]]]], ":",
    ]  # fmt: skip
    assert nodes[1] == ["ul", {}, ["li", {}, "one"], ["li", {}, ["code", {}, "x<y"]]]
    assert nodes[2][0] == "math" and nodes[2][1] == {"display": "block"}
    assert inline_of("so $p$, or **not**")[0] == "so "


@given(st.lists(PIECES, max_size=40).map("".join), st.booleans())
def test_only_listed_elements_without_addresses_styles_or_handlers_occur(text, breaks):
    nodes = tree_of(text, breaks)
    for tag, attributes in elements(nodes):
        assert tag in TAGS and attributes.keys() <= MATH_ATTRIBUTES
    json.dumps(nodes)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("[1]: a source of mine", "[1]: a source of mine"),
        ("[x](javascript:alert(1))", "[x](javascript:alert(1))"),
        ("[x](http://a.b/c)", "x (http://a.b/c)"),
        ("$\\href{javascript:alert(1)}{y}$", "y"),
        ("$\\phantom{hidden}$", "hidden"),
        ("$\\sin x$, $\\sin(x)$", "sin\u2009x, sin(x)"),
        ("$\\text{<b>}$", "<b>"),
        ("one $5 alone", "one $5 alone"),
        ("$\\frac$", "\\frac"),
        ("a\u202eb", "a\\u202eb"),
        ("$" + "{" * 600 + "$", "{" * 600),
        ("x" * (LONGEST + 1), "x" * (LONGEST + 1)),
    ],
)
def test_text_that_is_not_markup_is_shown_verbatim(text, shown):
    assert words(tree_of(text)) == shown


def test_a_line_ends_where_the_source_does_if_wanted():
    assert tree_of("a\nb", breaks=True) == [["p", {}, "a", ["br", {}], "b"]]
    assert tree_of("a\nb") == [["p", {}, "a", "\n", "b"]]


def test_many_brackets_or_formulas_take_no_more_than_their_length_allows():
    """Each text is close to the maximum length, so quadratic code would exceed the tests' time limit."""
    for piece in ("[", "*a ", "$a$ ", "![[", "`", "> ", "|a"):
        assert tree_of(piece * (LONGEST // len(piece)), breaks=True)
