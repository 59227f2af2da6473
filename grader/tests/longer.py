"""A pytest plugin: tests marked as long, with a reason, run only with `make test LONG=1`.

A test is long if it is slow and only repeats another test with other combinations, another installation, or more random examples.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import product

import pytest

LONG = bool(os.environ.get("LABKIT_LONG"))
_left_out: dict[str, str] = {}  # the reason why a test is long, by its id


def times(few: int, many: int) -> int:
    return many if LONG else few


def every(step: int, items: Sequence, start: int = 0, why: str = "another case of the same kind") -> list:
    """Parameters for parametrize: every `step`-th one always runs; the others are long. A tuple has one value per parameter."""
    return [_parameter(item, (place - start) % step == 0, why) for place, item in enumerate(items)]


def each_value_once(*axes: Sequence, why: str = "another combination") -> list:
    """Parameters for a few combinations that include each value of each axis; all other combinations are long."""
    chosen = {tuple(turn % len(axis) for axis in axes) for turn in range(max(map(len, axes)) if all(axes) else 0)}
    places = product(*(range(len(axis)) for axis in axes))
    return [_parameter(tuple(axis[at] for axis, at in zip(axes, place)), place in chosen, why) for place in places]


def _parameter(item: object, always: bool, why: str):
    values = item if isinstance(item, tuple) else (item,)
    return pytest.param(*values, marks=() if always else pytest.mark.long(why))


@pytest.hookimpl(trylast=True)  # tests deselected by -k are not counted
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    long = {item: mark.args[0] for item in items if not LONG and (mark := item.get_closest_marker("long"))}
    if long:
        _left_out.update({item.nodeid: why for item, why in long.items()})
        config.hook.pytest_deselected(items=[*long])
        items[:] = [item for item in items if item not in long]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # an xdist worker, which collects tests itself
        session.config.workeroutput["long"] = _left_out


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    _left_out.update(getattr(node, "workeroutput", {}).get("long", {}))


def pytest_terminal_summary(terminalreporter) -> None:
    if _left_out:
        terminalreporter.line(
            f"{len(_left_out)} long tests left out: `make test LONG=1` (LABKIT_LONG=1) runs them, -v lists them"
        )
    if terminalreporter.config.get_verbosity() > 0:
        for test, why in _left_out.items():
            terminalreporter.line(f"  {test}: {why}")
