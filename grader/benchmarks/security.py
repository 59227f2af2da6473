"""Write grader/docs/security_measured.md. `python grader/benchmarks/security.py [PART ...]` measures these parts (default: all).

Measurements are stored in grader/docs/security_measured.json. A part that is not measured again keeps its earlier measurements.
"""

from __future__ import annotations

import ast
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any

from encoding_labs.rotation_proof import formulas
from labkit.grade.intake import archives, choose, discover, files, notebooks
from labkit.grade.judge import run
from labkit.grade.judge.points import points_by_check
from labkit.grade.kernel import messages, meter
from labkit.grade.kernel.start import start_kernel
from labkit.grade.kernel.submission import SubmissionKernel
from labkit.grade.sandbox import landlock
from labkit.grade.sandbox.confine import CHOICE, LAYERS, available_layers
from labkit.student.calls import axes, wire
from labkit.student.judging import short_answers
from labkit.student.model import project
from labkit.student.model.budgets import Budgets, all_budgets, option
from labkit.student.model.course import Environment

sys.path.insert(0, str(project.current().root / "grader/tests/labkit"))
sys.path.insert(0, str(project.current().root / "grader/tests"))
sys.path.insert(0, str(project.current().root / "grader/benchmarks"))
sys.path.insert(0, str(project.current().root / "tests/course"))
import hostile
import peers
import tiny_course
import users
from attacks import ATTEMPTS, CHANNELS, HAND_INS, OVERRUNS, SEAMS, channels, hostile_class, in_kernels
from attacks.findings import FINDINGS, LEFT, TESTED
from attacks.kinds import TINY, Cells, Channel
from security_page import PEER_WORDS, SANDBOX_WORDS, TEXT

ROOT = project.current().root
PARTS = ("attempts", "channels", "peer", "sandlock", "submissions", "class", "fuzz")
KEPT = ROOT / "grader/docs/security_measured.json"
TRIES = 5  # how often a channel is tried before it counts as closed
PEER, SANDBOX = "pytest-prairielearn-grader", "sandlock"
USERS = (False, True) if os.geteuid() == 0 else (False,)


def measure(part: str) -> dict:
    match part:
        case "attempts":
            return _on_the_tiny_course(attempts)
        case "channels":
            return _on_the_tiny_course(channels_left)
        case "sandlock":
            return _on_the_tiny_course(attempts_in_sandlock)
        case "peer":
            return _on_the_tiny_course(attempts_on_peer)
        case "submissions":
            return _on_the_tiny_course(submissions)
        case "class":
            return hostile.measure(os.cpu_count() or 1)
    return fuzz()


def _on_the_tiny_course(run) -> dict:
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="lk-") as folder:
        os.chmod(folder, 0o755)
        tiny_course.make(course := Path(folder, "tiny"))
        with tiny_course.used(course):
            return run()


def runs() -> Iterable[tuple[str, str, bool, str]]:
    """Yield each combination of layer, kernel and user, with its title."""
    for layer, kernel, user in product(available_layers(), ("warm", "stock"), USERS):
        yield layer, kernel, user, f"{layer}, {kernel}, {'user' if user or os.geteuid() else 'root'}"


def attempts() -> dict:
    """The attempts that succeeded in each run. An overrun succeeds if it is not stopped or leaves something behind."""
    found = {}
    for layer, kernel, user, title in runs():
        gained, overruns, left = in_kernels.run(layer, kernel, user)
        ended = ["filled more than 4 MiB of disk"], ["made a folder that cannot be read"]
        found[title] = sorted([*(name for name, what in gained.items() if what),
                               *(f"overruns: {name}" for name, said in overruns.items() if said not in ended or left)])  # fmt: skip
        print(title, len(found[title]), flush=True)
    return found


def channels_left() -> dict:
    """The known channels through which two kernels can still communicate, by layer and kernel."""
    found = {}
    for layer, kernel in product((layer for layer in available_layers() if layer != "limits"), ("warm", "stock")):
        os.environ[CHOICE] = layer
        budgets = Budgets(stock_kernel=kernel == "stock", notebook_seconds=300)
        with ExitStack() as stack:
            pair = [start_kernel(project.current(), Environment(), budgets) for _ in range(2)]
            for each in pair:
                stack.callback(each.stop)
            found[f"{layer}, {kernel}"] = [name for name, each in channels.LEFT.items() if _is_open(*pair, each)]
        print(layer, kernel, found[f"{layer}, {kernel}"], flush=True)
    return found


def _is_open(sender: SubmissionKernel, receiver: SubmissionKernel, channel: Channel) -> bool:
    """Whether one of several tries transfers all bits. A single one may fail, because other programs use the disk too."""
    return any(in_kernels.talk(sender, receiver, channel) for _ in range(TRIES))


def attempts_on_peer() -> dict:
    """The attempts that succeeded in another tool's process for students: with the tool's defaults, and after a line that restores all builtins."""
    words = ["nobody"] if os.geteuid() == 0 else []
    said = _said_by(PEER, "prairielearn_attempts.py", words, users.reached_by_users if words else list)
    found = [sorted(name for name, what in each.items() if what) for each in said]
    return {**dict(zip((PEER, f"{PEER}, after one line"), found, strict=True)), "tried": sorted(ATTEMPTS)}


def attempts_in_sandlock() -> dict:
    """The attempts that succeeded in a process isolated by sandlock, run as an ordinary user."""
    said = _said_by(SANDBOX, "sandlock_attempts.py", [], users.as_user if os.geteuid() == 0 else list)
    return {f"{SANDBOX} 0.9": sorted(name for name, what in said.items() if what), "tried": sorted(ATTEMPTS)}


def _said_by(peer: str, program: str, words: list[str], as_whom: Callable[[list[str]], list[str]]) -> Any:
    peers.install(peer)
    command = as_whom(peers.command(peer, ["python", str(ROOT / "grader/benchmarks" / program), *words]))
    path = os.pathsep.join(str(ROOT / folder) for folder in ("grader/tests", "grader/tests/labkit"))
    own = {"PYTHONPATH": path, "TMPDIR": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, env={**os.environ, **own}, capture_output=True, text=True, timeout=3600)
    if done.returncode:
        raise RuntimeError(done.stderr[-3000:])
    return json.loads(done.stdout)


def submissions() -> dict:
    """For each run, every hostile submission's points and status, and what the attacks gained, if anything."""
    found, cells = {}, Cells.of(TINY)
    names = hostile_class.chosen(TINY)
    for layer, kernel, user, title in runs():
        if user or layer == "limits" and kernel == "stock":
            continue  # the tests cover ordinary users; one run with `limits` is enough, because it isolates nothing
        folder = Path(tempfile.mkdtemp(prefix="lk-class-", dir="/tmp"))
        try:
            folder.chmod(0o755)
            hostile_class.build(folder / "class", names, cells)
            graded = hostile_class.grade(folder, layer, kernel == "stock", user)
        finally:
            subprocess.run(["rm", "-rf", folder], timeout=60)
        rows = {name: f"{graded.rows[name]['score']:g}, {graded.rows[name]['status']}" for name in names}
        gained = hostile_class.gained(graded, names, _points, cells)
        found[title] = {"rows": rows, "gained": gained, "seconds": round(graded.seconds), "largest": graded.largest}
        print(title, found[title]["seconds"], gained, flush=True)
    return found


def _points(lab: str, exercise: str) -> float:
    return sum(worth for worth, of in points_by_check(project.current(), lab).values() if of == exercise)


def fuzz() -> dict:
    """Run the fuzzers. Returns each one's last line of output, and how many seconds it took."""
    found = {}
    for name in ("fuzz_replies", "fuzz"):
        started = time.monotonic()
        command = [sys.executable, ROOT / "grader/tests/labkit" / f"{name}.py"]
        path = os.pathsep.join(str(ROOT / folder) for folder in ("grader/tests", "grader/tests/labkit"))
        done = subprocess.run(
            command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=7200
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-3000:])
        found[name] = {"said": done.stdout.splitlines()[-1], "seconds": round(time.monotonic() - started)}
        print(found[name], flush=True)
    return found


def attempts_table(found: dict, *others: dict) -> tuple[str, str]:
    """Return a table with a row per group and a column per run (other tools last), and a list of successes by layer."""
    tried = {title: set(each.get("tried", ())) for each in others for title in each if title != "tried"}
    shown = {**found, **{title: each[title] for each in others for title in each if title != "tried"}}
    groups: dict[str, int] = {}
    for name in (*ATTEMPTS, *CHANNELS, *(f"overruns: {name}" for name in OVERRUNS)):
        groups[name.partition(":")[0]] = groups.get(name.partition(":")[0], 0) + 1
    lines = ["| attempts | " + " | ".join(shown) + " |", "|---" * (len(shown) + 1) + "|"]
    for group, count in groups.items():
        counts = [
            sum(name.startswith(f"{group}:") for name in gained)
            if title in found or any(name.startswith(f"{group}:") for name in tried[title])
            else ""
            for title, gained in shown.items()
        ]
        lines.append(f"| {group} ({count}) | " + " | ".join(map(str, counts)) + " |")
    words = []
    for layer in dict.fromkeys(title.split(",")[0] for title in found):
        names = sorted({name for title, gained in found.items() if title.startswith(layer) for name in gained})
        words.append(
            f"With `{layer}`, {len(names)} attempts succeeded in at least one run:\n\n{_by_group(names)}"
            if names
            else f"With `{layer}`, no attempt succeeded in any run."
        )
    for title, told in ((PEER, PEER_WORDS), (f"{SANDBOX} 0.9", SANDBOX_WORDS)):
        if title in shown:
            after = len(shown.get(f"{title}, after one line", ()))
            words.append(told.format(title=title, tried=len(tried[title]), gained=len(shown[title]), after_one_line=after,
                                     names=_by_group(shown[title])))  # fmt: skip
    return "\n".join(lines), "\n\n".join(words)


def _by_group(names: Iterable[str]) -> str:
    """List attempts, with one line per group."""
    pairs = [name.split(": ", 1) for name in names]
    groups = dict.fromkeys(group for group, _ in pairs)
    return "\n".join(f"- **{group}**: {'; '.join(name for of, name in pairs if of == group)}" for group in groups)


def channels_words(found: dict) -> str:
    """Make a table of the layers and kernels in which each channel works."""
    cells = {name: ["open" if name in names else "closed" for names in found.values()] for name in channels.LEFT}
    lines = ["| channel | " + " | ".join(found) + " |", "|---" * (len(found) + 1) + "|"]
    return "\n".join((*lines, *(f"| {name} | {' | '.join(row)} |" for name, row in cells.items())))


def submissions_table(found: dict) -> tuple[str, str]:
    first = {title.split(",")[0]: title for title in reversed(found)}
    shown = dict(sorted(first.items(), key=lambda each: LAYERS.index(each[0])))
    lines = ["| submission | target | " + " | ".join(shown) + " |", "|---" * (len(shown) + 2) + "|"]
    for name in found[next(iter(found))]["rows"]:
        cells = " | ".join(found[title]["rows"].get(name, "") for title in shown.values())
        lines.append(f"| {name} | {seam_of(name)} | {cells} |")
    held = {title: run for title, run in found.items() if not title.startswith("limits")}
    gained = {f"{title}: {name}: {what}" for title, run in held.items() for name, what in run["gained"].items()}
    said = (
        f"There were {len(held)} runs in which submissions were isolated ({'; '.join(held)}). In all of them, the hostile submissions gained "
        f"{'; '.join(sorted(gained)) or 'nothing'}, the honest ones got full points, and nothing was left behind. The grader's own "
        f"largest process used {max(run['largest'] for run in held.values())} MiB."
    )
    return "\n".join(lines), said


def seam_of(name: str) -> str:
    return next(seam for seam, module in SEAMS.items() if name in module.HAND_INS)


def findings_table(attempts: dict, submissions: dict, hostile: dict) -> str:
    """Make a table of findings: what was tried, what this gains now in isolating layers, and which attacks and tests cover it."""
    walls = {title: set(gained) for title, gained in attempts.items() if not title.startswith("limits")}
    failed = {name for gained in walls.values() for name in gained}
    failed |= {name for title, run in submissions.items() if not title.startswith("limits") for name in run["gained"]}
    failed |= {fault.partition(":")[0] for fault in hostile["faults"]}
    of: dict[str, list[str]] = {}
    for prefix, several in (("", ATTEMPTS), ("", CHANNELS), ("overruns: ", OVERRUNS), ("", HAND_INS)):
        for name, attack in several.items():
            of.setdefault(attack.finding, []).append(f"{prefix}{name}")
    lines = ["| | finding | gains now | attacks and tests |", "|---|---|---|---|"]
    for finding, tried in FINDINGS.items():
        gained = "; ".join(name for name in of.get(finding, ()) if name in failed) or "nothing"
        if finding not in of:
            gained = "nothing (tested)" if finding in TESTED else ""
        if finding in LEFT:
            gained = f"{gained}; the rest is accepted" if gained else "accepted"
        names = [*of.get(finding, ()), *(f"`{test.rpartition('/')[2]}`" for test in TESTED.get(finding, ()))]
        lines.append(f"| {finding} | {tried} | {gained} | {'; '.join(names) or 'see accepted risks, below'} |")
    return "\n".join(lines)


def hostile_words(found: dict) -> str:
    budgets = Budgets()
    limit = 2 * found["honest seconds"] + found["right"]
    left = any("left" in fault for fault in found["faults"])
    return (
        f"How much can hostile submissions delay a class? `python grader/benchmarks/security.py class` made a class of {found['size']} submissions "
        f"to this course's labs, {found['hostile']} of them hostile or broken. Together, these cover every finding that a submission can exploit "
        f"({', '.join(sorted(found['findings'], key=lambda name: (name[0], int(name[1:]))))}). The class was graded with `{found['layer']}`, the "
        f"default budgets and {found['jobs']} jobs. Before and after it, we graded a class of {found['size']} honest submissions.\n\n"
        f"- **Results.** All {found['size']} submissions got a row; {'; '.join(found['faults']) or 'every honest submission got full points, and no hostile submission got a point for the exercise that it attacked'}.\n"
        f"- **Time.** Grading took {found['hostile seconds']:.0f} s on a busy machine, {found['hostile seconds'] / found['honest seconds']:.1f} times the average of the two honest classes ({found['honest seconds']:.0f} s). "
        f"The most that we allow is {limit:,.0f} s: twice the honest average, plus the budgets of the {found['hostile']} hostile submissions "
        f"({budgets.notebook_seconds:g} s for the notebook and {budgets.judging_seconds} s for checking) divided by {found['jobs']} jobs.\n"
        f"- **Memory and leftovers.** The grader's own largest process used {found['largest']} MiB.{'' if left else ' No process or temporary file was left behind.'}"
    )


OUTCOMES = {
    "wrong": "graded as wrong", "right or unwritten": "right or unanswered", "NoMessage": "not a message", "OverBudget": "over a budget",
    "Notebook": "read", "Refusal": "refused",
}  # fmt: skip
LAST_LINE = re.compile(r"([\d,]+ \w+), ({.*}); longest (\S+ s); memory grew by (\d+ MiB)")  # what a fuzzer prints


def fuzz_words(found: dict) -> str:
    """Make a table of the fuzzers' last lines of output."""
    lines = ["| fuzzer | inputs | outcomes | longest time for an input | memory growth | whole run |", "|---" * 6 + "|"]
    for name, each in found.items():
        inputs, kinds, longest, grown = LAST_LINE.fullmatch(each["said"]).groups()
        outcomes = "; ".join(f"{count:,} {OUTCOMES.get(kind, kind)}" for kind, count in ast.literal_eval(kinds).items())
        lines.append(f"| `{name}.py` | {inputs} | {outcomes} | {longest} | {grown} | {each['seconds']:,} s |")
    return "\n".join(lines)


def budgets_table() -> str:
    rows = []
    for budget in all_budgets():
        what, value = budget.metadata["what"], budget.default / budget.metadata["unit"]
        rows.append(f"| {what} | {value:,g} | `--{option(budget)}` | {budget.metadata['held']} |")
    return "\n".join(rows)


REFUSED = "for an archive on the command line, a one-line error; a submitted archive is not a submission"
BOUNDS = (
    ("files read per student and lab, and files without a lab", choose.MOST, "the row names the rest"),
    ("entries of an archive on the command line", archives.GIVEN.entries, "nothing is graded, and a one-line error says why"),
    ("bytes extracted from an archive on the command line", archives.GIVEN.size, "nothing is graded, and a one-line error says why"),
    ("bytes extracted from all archives of a run", archives.ALL, REFUSED),
    ("bytes per compressed byte of any archive, above 64 MiB", archives.RATIO, REFUSED),
    ("bytes read at once from an archive, its index or one of its names", archives.AT_ONCE, REFUSED),
    ("archives opened in a student's folder or in another archive", discover.MOST_ARCHIVES, "the others do not count as submissions"),
    ("archives nested in one another", discover.DEEPEST_ARCHIVE, "the others do not count as submissions; all extracted bytes count for the outermost archive"),
    ("entries of a submitted archive", archives.HANDED_IN.entries, "the archive is not a submission, and the row says why"),
    ("bytes extracted from a submitted archive", archives.HANDED_IN.size, "the archive is not a submission, and the row says why"),
    ("size of a notebook including its outputs (which are skipped), as a multiple of `--submission-mib`", files.WITH_OUTPUTS, "the file is refused"),
    ("brackets read while skipping outputs", files.STEPS, "the file is refused"),
    ("cells of a notebook", notebooks.MAX_CELLS, "the file is refused"),
    ("commas and brackets in a notebook's JSON", notebooks.MAX_PARTS, "the file is refused"),
    ("characters of a cell that is parsed for the names it defines", notebooks.MAX_SOURCE, "the cell is recognised only by its id"),
    ("characters of all cells that are parsed for names", notebooks.MAX_SOURCES, "the cells are recognised only by their ids"),
    ("bytes of one message from a kernel", messages.MAX_MESSAGE, "the kernel is stopped"),
    ("commas and brackets in a message, or in all outputs of a cell", meter.MAX_PARTS, "the kernel is stopped"),
    ("printed characters of a cell that are compared", meter.KEPT, "the rest is counted and dropped"),
    ("bytes of an array in an answer", wire.MAX_BYTES, "counts as unanswered"),
    ("characters of a text in an answer", wire.MAX_TEXT, "counts as unanswered"),
    ("values in an answer, over all its containers", wire.MAX_ITEMS, "counts as unanswered"),
    ("entries of a set or dict in an answer", wire.MAX_KEYS, "counts as unanswered"),
    ("nested containers in an answer", wire.MAX_DEPTH, "counts as unanswered"),
    ("items of a short answer", short_answers.MOST, "the answer does not count as a short answer"),
    ("images, lines or legend entries of a figure", axes.MAX_PARTS, "counts as unanswered"),
    ("characters of a label in a figure", axes.MAX_LABEL, "counts as unanswered"),
    ("nodes of a formula, in lab 03 of this course", formulas.MAX_NODES, "counts as unanswered"),
    ("characters of stored replies for one submission", run.MAX_KEPT, "the call is made again when needed"),
    ("kernels started for one submission", run.MAX_STARTS, "the remaining calls count as unanswered"),
    ("characters of a written answer", run.LONGEST_TEXT, "the rest is dropped"),
)  # fmt: skip


def bounds_table() -> str:
    return "\n".join(f"| {what} | {most:,} | {then} |" for what, most, then in BOUNDS)


NOT_YET = "Not measured yet: `python grader/benchmarks/security.py {}`."


def page(known: dict) -> str:
    """Return the page's text. Parts without measurements are marked as not measured yet."""
    attempted, successes = attempts_table(known["attempts"], known.get("peer", {}), known.get("sandlock", {}))
    handed_in, others = NOT_YET.format("submissions"), ""
    if "submissions" in known:
        handed_in, others = submissions_table(known["submissions"])
    return TEXT.format(
        machine=known["machine"], parts=", ".join(PARTS), attempts=attempted, successes=successes, submissions=handed_in, others=others,
        findings=findings_table(known["attempts"], known.get("submissions", {}), known["class"]), hostile=hostile_words(known["class"]),
        channels=channels_words(known["channels"]) if "channels" in known else NOT_YET.format("channels"),
        fuzz=fuzz_words(known["fuzz"]) if "fuzz" in known else NOT_YET.format("fuzz"),
        left="\n".join(f"- {finding}: {why}" for finding, why in LEFT.items()), budgets=budgets_table(), bounds=bounds_table(),
    )  # fmt: skip


def main() -> None:
    if unknown := set(sys.argv[1:]) - {*PARTS, "none"}:
        sys.exit(
            f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}, and none to write the page only"
        )
    parts = sys.argv[1:] or PARTS
    if len(parts) > 1:
        for part in parts:  # each in its own process, because a part's tiny course stays imported
            subprocess.run([sys.executable, __file__, part], check=True)
        return
    if parts[0] != "none":
        keep(parts[0], measure(parts[0]))
    KEPT.with_suffix(".md").write_text(page(json.loads(KEPT.read_text("utf-8"))), "utf-8")
    print(KEPT.with_suffix(".md"))


def keep(part: str, found: dict) -> None:
    """Store a part's measurements without changing the other parts."""
    known = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    layers = ", ".join(layer for layer in LAYERS if layer in available_layers())
    machine = f"Linux {platform.release()}, Landlock ABI {landlock.abi()}, Python {platform.python_version()}, with the layers {layers}"
    KEPT.write_text(json.dumps({**known, part: found, "machine": machine}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
