"""The pages on security: totals for the repository, and a list of every attack. security.py measures what they state."""

import ast
import re
from collections import Counter

from attacks import ATTEMPTS, CHANNELS, HAND_INS, OVERRUNS, SEAMS, channels
from attacks.findings import FINDINGS, LEFT, TESTED

from labkit.grade.sandbox.confine import LAYERS

PAGE = """\
# Security, measured

What did attacks on labkit gain? `python grader/benchmarks/security.py` measured this on {machine}. It made this page from
[security_measured.json](security_measured.json). With `--all FILE`, it lists every attack; the tests run the same attacks.
[Security](security.md) explains the layers.

An attempt is code that runs in a kernel and tries one forbidden thing. The table shows how many succeeded in at least one run (warm or stock
kernels, graded by the superuser or an ordinary user), out of the number in brackets. "Uncounted" are uses of resources that no budget
limits, and "overruns" are ways past the disk budget.

{attempts}

- **Submissions.** {submissions}
- **A class of {size}, {hostile} of them hostile.** {time}
- **Random input.** {fuzz}
- **Channels.** Two submissions that run at the same time can communicate through these: {channels}. `--jobs 1` closes all of them, because
  only one submission runs at a time. Students could pass on their own work, but not the course's solutions, because no kernel contains them.
- **Findings.** {findings} kinds of attack are known. Of these, {left} are accepted in part, each with its reason in
  `grader/tests/labkit/attacks/findings.py`.
"""
EVERYTHING = """\
# Every attack on labkit, and what it gained

## Attempts

{attempts}

{gained}

## Submissions

The column "target" names the file in `grader/tests/labkit/attacks/` that contains the attack. The others show the points and the status.

{submissions}

## Findings

A: stops grading. B: harms another submission. C: affects the machine or leaves something behind. D: earns undeserved points. E: passes
information between kernels.

{findings}

## Channels

A channel is open if all bits arrived in one of five tries.

{channels}

## Accepted

{left}
"""
LAST_LINE = re.compile(r"([\d,]+) \w+, ({.*}); longest (\S+ s); memory grew by (\d+ MiB)")  # what a fuzzer prints


def page(known: dict) -> str:
    """The totals. `known` is security_measured.json."""
    of_class, layers = known["class"], by_layer(known["attempts"])
    return PAGE.format(
        machine=known["machine"], attempts=attempts_table(layers), submissions=submissions_words(known["submissions"]),
        size=of_class["size"], hostile=of_class["hostile"], time=class_words(of_class), fuzz=fuzz_words(known["fuzz"]),
        channels=channels_words(known["channels"]), findings=len(FINDINGS), left=len(LEFT),
    )  # fmt: skip


def everything(known: dict) -> str:
    return EVERYTHING.format(
        attempts=attempts_table(known["attempts"]), gained=gained_words(by_layer(known["attempts"])),
        submissions=submissions_table(known["submissions"]), findings=findings_table(known),
        channels=channels_table(known["channels"]), left="\n".join(f"- {finding}: {why}" for finding, why in LEFT.items()),
    )  # fmt: skip


def by_layer(attempts: dict[str, list[str]]) -> dict[str, list[str]]:
    """The attempts that succeeded in at least one run of each layer."""
    layers = dict.fromkeys(layer_of(title) for title in attempts)
    return {
        each: sorted({name for title, gained in attempts.items() if layer_of(title) == each for name in gained})
        for each in layers
    }


def layer_of(title: str) -> str:
    return title.partition(",")[0]


def attempts_table(found: dict[str, list[str]]) -> str:
    """A row for each group of attempts, and a column for each run or layer."""
    groups = Counter(
        name.partition(":")[0] for name in (*ATTEMPTS, *CHANNELS, *(f"overruns: {name}" for name in OVERRUNS))
    )
    rows = [
        [
            f"{group} ({count})",
            *(str(sum(name.startswith(f"{group}:") for name in gained)) for gained in found.values()),
        ]
        for group, count in groups.items()
    ]
    return table(["attempts", *found], rows)


def table(titles: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (titles, ["---"] * len(titles), *rows))


def gained_words(found: dict[str, list[str]]) -> str:
    return "\n".join(f"- With `{layer}`: {'; '.join(gained) or 'none'}." for layer, gained in found.items())


def isolated(submissions: dict) -> dict:
    return {title: run for title, run in submissions.items() if layer_of(title) != "limits"}


def submissions_words(found: dict) -> str:
    held = isolated(found)
    gained = sorted({f"{title}: {name}: {what}" for title, run in held.items() for name, what in run["gained"].items()})
    largest = max(run["largest"] for run in held.values())
    return (
        f"{max(len(run['rows']) for run in held.values())} hostile and honest submissions were graded in {len(held)} isolated runs. The hostile ones "
        f"gained {'; '.join(gained) or 'nothing'}, and the honest ones got full points. The grader's largest process used {largest} MiB."
    )


def submissions_table(found: dict) -> str:
    """A row for each submission, and a column for each layer with warm kernels."""
    first = {layer_of(title): title for title in reversed(found)}
    shown = dict(sorted(first.items(), key=lambda each: LAYERS.index(each[0])))
    rows = [
        [name, target_of(name), *(found[title]["rows"].get(name, "") for title in shown.values())]
        for name in found[next(iter(found))]["rows"]
    ]
    return table(["submission", "target", *shown], rows)


def target_of(name: str) -> str:
    return next(seam for seam, module in SEAMS.items() if name in module.HAND_INS)


def class_words(found: dict) -> str:
    faults = (
        "; ".join(found["faults"]) or "No hostile one earned a point for what it attacked, and nothing was left behind"
    )
    ratio = found["hostile seconds"] / found["honest seconds"]
    return (
        f"{faults}. With `{found['layer']}` and {found['jobs']} jobs, grading took {ratio:.1f} times as long as an honest class of "
        f"that size ({found['hostile seconds']:.0f} s instead of {found['honest seconds']:.0f} s)."
    )


def fuzz_words(found: dict) -> str:
    said = []
    for name, each in found.items():
        inputs, kinds, longest, grown = LAST_LINE.fullmatch(each["said"]).groups()
        assert sum(ast.literal_eval(kinds).values()) == int(inputs.replace(",", ""))
        said.append(f"`{name}.py` tried {inputs} inputs; the longest took {longest}, and memory grew by {grown}")
    return ". ".join(said) + ". Every one was judged or refused."


def channels_words(found: dict) -> str:
    return "; ".join(name for name in channels.LEFT if any(name in names for names in found.values()))


def channels_table(found: dict) -> str:
    """Whether each channel is open, by layer and kind of kernel."""
    rows = [[name, *("open" if name in names else "closed" for names in found.values())] for name in channels.LEFT]
    return table(["channel", *found], rows)


def findings_table(known: dict) -> str:
    """What each finding gains now in isolating layers, and which attacks and tests cover it."""
    failed = {name for title, gained in known["attempts"].items() if layer_of(title) != "limits" for name in gained}
    failed |= {name for run in isolated(known["submissions"]).values() for name in run["gained"]}
    failed |= {fault.partition(":")[0] for fault in known["class"]["faults"]}
    of: dict[str, list[str]] = {}
    for prefix, several in (("", ATTEMPTS), ("", CHANNELS), ("overruns: ", OVERRUNS), ("", HAND_INS)):
        for name, attack in several.items():
            of.setdefault(attack.finding, []).append(f"{prefix}{name}")
    rows = [
        [finding, tried, gains(finding, of, failed), covered_by(finding, of)] for finding, tried in FINDINGS.items()
    ]
    return table(["", "finding", "gains now", "attacks and tests"], rows)


def gains(finding: str, of: dict[str, list[str]], failed: set[str]) -> str:
    if finding not in of and finding not in TESTED:
        return "accepted"
    gained = "; ".join(name for name in of.get(finding, ()) if name in failed) or "nothing"
    return f"{gained}; the rest is accepted" if finding in LEFT else gained


def covered_by(finding: str, of: dict[str, list[str]]) -> str:
    tests = (f"`{test.rpartition('/')[2]}`" for test in TESTED.get(finding, ()))
    return "; ".join((*of.get(finding, ()), *tests)) or "see the accepted ones, below"
