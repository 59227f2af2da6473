"""The names of the facts that a message's template tells."""

from string import Formatter


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}
