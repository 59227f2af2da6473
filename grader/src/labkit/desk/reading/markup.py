"""Convert Markdown with formulas to a tree. The page builds one element per node, so text is never parsed as HTML.

A node is a string or `[tag, attributes, node, …]`. Only the tags and attributes listed here occur. Formulas become MathML.
markdown-it and latex2mathml parse. The tree is our own because libraries write HTML, which a sanitizer and the page would parse again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import unescape
from types import MappingProxyType
from typing import Any
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.dollarmath import dollarmath_plugin

from labkit.student.model.text import legible

Node = str | list[Any]  # a string, or a list of tag, attributes and nodes

LONGEST, LONGEST_FORMULA, FORMULAS = 20_000, 500, 100  # characters of a text and of a formula; formulas per text
SAME = {  # HTML tags by markdown-it's node types
    "paragraph": "p", "em": "em", "strong": "strong", "s": "s", "bullet_list": "ul", "ordered_list": "ol", "list_item": "li",
    "blockquote": "blockquote", "table": "table", "thead": "thead", "tbody": "tbody", "tr": "tr", "th": "th", "td": "td",
}  # fmt: skip
MATH = {
    "math", "mi", "mn", "mo", "mtext", "mspace", "mrow", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover",
    "munderover", "mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mtd", "mstyle", "mpadded",
}  # fmt: skip
MATH_ATTRIBUTES = {
    "display", "displaystyle", "mathvariant", "stretchy", "fence", "form", "linethickness", "columnalign", "accent", "movablelimits",
}  # fmt: skip

PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
PARSER.disable("reference")  # otherwise `[1]: …` would disappear from the text
PARSER.use(dollarmath_plugin, allow_labels=False, double_inline=True)


def tree_of(text: str, breaks: bool = False, pictures: Mapping[str, str] = MappingProxyType({})) -> list[Node]:
    """Convert Markdown to nodes. With `breaks`, line breaks are kept. Very long text is not parsed.

    `pictures` has the attached pictures as data URLs by name. Other pictures are only named.
    """
    text = legible(text)
    if len(text) > LONGEST:
        return [["pre", {}, text]]
    try:
        return [*_Tree(breaks, pictures).nodes(SyntaxTreeNode(PARSER.parse(text)))]
    except (RecursionError, ValueError):  # nested too deep, or an invalid link
        return [["pre", {}, text]]


def inline_of(text: str) -> list[Node]:
    """Convert one paragraph of Markdown to nodes without the <p> around them, for use in a button."""
    match tree_of(text):
        case [["p", _, *nodes]]:
            return nodes
    return [legible(text)]


class _Tree:
    """Converts one text to nodes."""

    def __init__(self, breaks: bool, pictures: Mapping[str, str]):
        self.breaks, self.pictures, self.formulas = breaks, pictures, FORMULAS

    def nodes(self, parent: SyntaxTreeNode) -> Iterator[Node]:
        for node in parent.children:
            match node.type:
                case "text":
                    yield node.content
                case "inline":
                    yield from self.nodes(node)
                case "paragraph" if node.hidden:  # in a list without blank lines
                    yield from self.nodes(node)
                case "softbreak" if not self.breaks:
                    yield "\n"
                case "softbreak" | "hardbreak":
                    yield ["br", {}]
                case "hr":
                    yield ["hr", {}]
                case "code_inline":
                    yield ["code", {}, node.content]
                case "fence" | "code_block":
                    yield ["pre", {}, ["code", {}, node.content]]
                case "heading":  # it must not become a heading of the page
                    yield ["p", {}, ["strong", {}, *self.nodes(node)]]
                case "link":  # shown but not clickable
                    shown, address = [*self.nodes(node)], str(node.attrs.get("href", ""))
                    yield from shown if shown == [address] else [*shown, f" ({address})"]
                case "image":
                    data = self.pictures.get(str(node.attrs.get("src", "")).removeprefix("attachment:"))
                    named = node.content or "image"
                    yield ["img", {"src": data, "alt": named}] if data else f"[{named}]"
                case "math_inline" | "math_inline_double" | "math_block":
                    yield self._formula(node.content, node.type != "math_inline")
                case kind if kind in SAME:
                    yield [SAME[kind], {}, *self.nodes(node)]
                case _:
                    yield ["span", {}, *self.nodes(node)] if node.children else node.content

    def _formula(self, source: str, block: bool) -> Node:
        self.formulas -= 1
        return _formula(source, block) if self.formulas >= 0 else ["code", {}, source]


@lru_cache(maxsize=2_000)  # several regrade requests may show the same question
def _formula(source: str, block: bool) -> Node:
    """Convert a formula to MathML, or to code if the converter does not support it."""
    if len(source) > LONGEST_FORMULA:
        return ["code", {}, source]
    try:
        found = convert_to_element(source.strip(), display="block" if block else "inline")
        return _element(found)
    except Exception:  # the converter raises many types of errors for invalid TeX
        return ["code", {}, source]


def _element(element: Element) -> list[Any]:
    """Convert a MathML element, keeping only layout attributes: no addresses, colours, classes or sizes."""
    tag = element.tag.rpartition("}")[2]
    attributes = {name: value for name, value in element.attrib.items() if name in MATH_ATTRIBUTES}
    text = [unescape(element.text)] if element.text else []  # the converter writes entities such as `&#x003B4;`
    return [tag if tag in MATH else "mrow", attributes, *text, *_spaced([_element(each) for each in element])]


def _spaced(nodes: list[list[Any]]) -> Iterator[Node]:
    """Insert a thin space between a function's name and its argument."""
    for node, following in zip(nodes, [*nodes[1:], ["mo"]]):
        yield node
        if node[0] == "mi" and len(node[-1]) > 1 and following[0] != "mo":
            yield ["mtext", {}, "\u2009"]
