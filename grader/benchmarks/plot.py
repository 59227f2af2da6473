"""Draw the figures of grader/docs/benchmarks.md: seconds per submission by tool, by lab, and by class size."""

from __future__ import annotations

import statistics
from pathlib import Path

import matplotlib.pyplot as plt
from classroom import LAB
from matplotlib.ticker import LogLocator
from tools import LABKIT, NBVAL, SAME_TESTS

from labkit.student.notebook.figures import use_style

OURS, FLOOR, OTHER = "#0072B2", "#009E73", "#444444"


def draw(known: dict, path: Path) -> None:
    """Draw the tools compared and labkit's cost by class size, where measured. Writes no file if neither was measured."""
    compared = sorted(
        (part for name, part in known.items() if name.startswith("compare ")), key=lambda part: part["size"]
    )
    scaled = known.get("scale")
    if not (compared or scaled):
        return
    use_style()
    plt.rcParams.update(
        {"svg.hashsalt": "benchmarks", "font.size": 10, "axes.titlesize": 11.5, "axes.titleweight": "bold"}
    )
    figure = plt.figure(figsize=(11, 4.6), facecolor="white")
    figure.get_layout_engine().set(h_pad=0.12)
    left, right = figure.add_gridspec(1, 2, width_ratios=[1.55, 1], wspace=0.1)
    if compared:
        tools_compared(figure.add_subplot(left), compared)
    if scaled:
        upper, lower = right.subgridspec(2, 1, hspace=0.12)
        time_by_size(figure.add_subplot(upper), scaled["sizes"])
        memory_by_size(figure.add_subplot(lower), scaled["sizes"])
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def draw_labs(known: dict, path: Path) -> None:
    """Plot seconds per submission of each lab for labkit, stock nbval and the floor: rings for the smallest class, dots for the largest."""
    parts = [part for name, part in known.items() if name.startswith(("lab ", "compare "))]
    if not any(name.startswith("lab ") for name in known):
        return
    use_style()
    plt.rcParams.update({"svg.hashsalt": "benchmarks", "font.size": 10})
    labs = sorted({part.get("lab", LAB) for part in parts}, reverse=True)
    figure, ax = plt.subplots(figsize=(11, 3.6), facecolor="white")
    sizes = [part["size"] for part in parts]
    for part in parts:
        for tool, colour in ((LABKIT, OURS), (NBVAL, OTHER), (SAME_TESTS, FLOOR)):
            if tool in part["rounds"][0]["costs"]:
                face = colour if part["size"] == max(sizes) else "white"
                ax.plot(
                    each_of(part, tool)[1], labs.index(part.get("lab", LAB)), "o", ms=8, color=colour, mfc=face, mew=1.8
                )
    for tool, colour in ((SAME_TESTS, FLOOR), (LABKIT, OURS), (NBVAL, OTHER)):
        ax.plot([], [], "o", color=colour, label=tool)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, frameon=False)
    ax.set_yticks(range(len(labs)), labs)
    ax.set(xscale="log", ylim=(-0.6, len(labs) - 0.4))
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.minorticks_off()
    ax.set_xlabel(f"seconds per submission   ● class of {max(sizes)}   ○ class of {min(sizes)}")
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def tools_compared(ax, compared: list[dict]) -> None:
    """Plot a row for each tool, slowest on top: a ring for the smaller class, a dot for the larger one."""
    small, large = compared[0], compared[-1]
    measured = {tool: [part for part in compared if tool in part["rounds"][0]["costs"]] for tool in tools_in(compared)}
    ranked = sorted(measured, key=lambda tool: each_of(measured[tool][-1], tool)[1])
    for row, tool in enumerate(ranked):
        colour = OURS if tool == LABKIT else FLOOR if tool in compared[0]["floors"] else OTHER
        for part in reversed(measured[tool]):
            low, middle, high = each_of(part, tool)
            ax.plot([low, high], [row, row], color=colour, lw=5, alpha=0.25, solid_capstyle="round")
            ax.plot(middle, row, "o", ms=8, color=colour, mfc=colour if part is large else "white", mew=1.8)
        furthest = max(each_of(part, tool)[2] for part in measured[tool])
        ax.annotate(
            f"{each_of(measured[tool][-1], tool)[1]:.2g}",
            (furthest, row),
            (9, 0),
            textcoords="offset points",
            va="center",
            color=colour,
        )
    ax.set_yticks(range(len(ranked)), ranked)
    for label, tool in zip(ax.get_yticklabels(), ranked):
        label.set(color=OURS if tool == LABKIT else FLOOR if tool in compared[0]["floors"] else OTHER)
        label.set_weight("bold" if tool == LABKIT else "normal")
    ax.set(xscale="log", ylim=(-0.6, len(ranked) - 0.4), title="Seconds per submission")
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.minorticks_off()
    ax.margins(x=0.12)
    ax.grid(False, axis="y")
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    sizes = f"● class of {large['size']}" + (f"   ○ class of {small['size']}" if small is not large else "")
    ax.set_xlabel(f"{sizes}   shade: lowest to highest round")


def tools_in(compared: list[dict]) -> list[str]:
    """All tools that graded at least one class. A slow tool may be left out of a large class."""
    return list({tool: None for part in compared for tool in part["rounds"][0]["costs"]})


def each_of(part: dict, tool: str) -> tuple[float, float, float]:
    """The lowest, median and highest seconds per submission."""
    walls = [each["costs"][tool]["wall"] / part["size"] for each in part["rounds"]]
    return min(walls), statistics.median(walls), max(walls)


def time_by_size(ax, sizes: list[dict]) -> None:
    by_size(ax, sizes, [each["cost"]["wall"] / each["size"] for each in sizes], OURS, "{:.2g}")
    ax.set(title="labkit: seconds per submission")
    ax.tick_params(labelbottom=False)


def memory_by_size(ax, sizes: list[dict]) -> None:
    for what, name, colour in (("largest", "largest\nprocess", OURS), ("main", "grader's\nown process", OTHER)):
        memory = [each["cost"][what] for each in sizes]
        by_size(ax, sizes, memory, colour, "{:.0f}")
        last = (sizes[-1]["size"], memory[-1])
        ax.annotate(name, last, (15, 0), textcoords="offset points", va="center", color=colour)
    ax.set(title="labkit: peak memory, MiB", xlabel="submissions in the class")


def by_size(ax, sizes: list[dict], values: list[float], colour: str, form: str) -> None:
    places = [each["size"] for each in sizes]
    ax.plot(places, values, "o-", color=colour, ms=5)
    for place, value in zip(places, values):
        ax.annotate(form.format(value), (place, value), (0, 7), textcoords="offset points", ha="center", color=colour)
    ax.set_xscale("log")
    ax.set_xticks(places, [f"{place:,}" for place in places])
    ax.minorticks_off()
    ax.margins(x=0.1)
    ax.set_ylim(0, max(1.35 * max(values), ax.get_ylim()[1]))
