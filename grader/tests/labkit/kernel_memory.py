"""Grade one submission and search the memory of its kernels for needles: given texts and numbers.

`python kernel_memory.py FILE SEED NEEDLE… [--stock]`, in a course's folder, prints as JSON which kernel contained which needles.
Run it as superuser. Each kernel's memory is read just before the kernel is stopped, after all its code has run.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

from labkit.grade.judge import judge, recheck, reference_values
from labkit.grade.kernel.forked import ForkedKernel
from labkit.grade.kernel.stock import StockKernel
from labkit.grade.sandbox.privileges import as_kernels_user
from labkit.student.model import project
from labkit.student.model.budgets import Budgets

CHUNK = 2**24


def forms_of(needle: str) -> list[bytes]:
    """The byte sequences to search for: the needle as text and, if it is a number, also as a number.

    A number is stored in memory as 8 bytes, or as the digits of a Python int. Text is stored with one or four bytes per character;
    zero bytes are dropped here and in the searched memory, so that one sequence matches both.
    """
    forms = [needle.encode()]
    if needle.isdigit():
        number = int(needle)
        digits = [number >> 30 * place & 2**30 - 1 for place in range((number.bit_length() + 29) // 30)]
        forms += [struct.pack("<Q", number), struct.pack(f"<{len(digits)}I", *digits)]
    return [form.translate(None, b"\0") for form in forms]


def held(process: int, needles: list[str]) -> list[str]:
    """The needles found anywhere in this process's memory."""
    if not needles:
        return []
    found, forms = set(), {needle: forms_of(needle) for needle in needles}
    longest = 4 * max(map(len, needles))
    with as_kernels_user():
        maps, memory = open(f"/proc/{process}/maps"), open(f"/proc/{process}/mem", "rb", buffering=0)
    with maps, memory:
        for line in maps:
            places, rights, *_ = line.split()
            if rights[0] != "r" or line.rstrip().endswith(("[vvar]", "[vvar_vclock]", "[vsyscall]")):
                continue
            begin, end = (int(place, 16) for place in places.split("-"))
            for start in range(begin, end, CHUNK):
                memory.seek(start)
                try:
                    data = memory.read(min(CHUNK + longest, end - start)).translate(None, b"\0")
                except OSError:  # a page beyond a file's end
                    continue
                found |= {needle for needle in needles if any(form in data for form in forms[needle])}
    return sorted(found)


def main(file: str, seed: str, *needles: str) -> None:
    stock, needles = "--stock" in needles, [needle for needle in needles if needle != "--stock"]
    kernels, references, phase = [], set(), ["first"]
    for kind in (ForkedKernel, StockKernel):
        stop = kind.stop

        def searched(self, stop=stop) -> None:
            if id(self) not in (each["id"] for each in kernels):
                what = "reference" if id(self) in references else phase[0] if self.supply is None else "again"
                kernels.append({"id": id(self), "what": what, "held": held(self.meter.watch.process, needles)})
                alive.append(self)
            stop(self)

        kind.stop = searched

    alive = []  # keeps them alive, so that ids are not reused
    made = reference_values.ReferenceValues.__init__

    def noted(self, *arguments) -> None:
        made(self, *arguments)
        start = self.run.open_kernel

        def started():
            kernel = start()
            references.add(id(kernel))
            return kernel

        self.run.open_kernel = started

    reference_values.ReferenceValues.__init__ = noted
    drawn = recheck._pictures

    def draws(*arguments):
        phase[0] = "picture"
        return drawn(*arguments)

    recheck._pictures = draws
    result = judge.judge_file(
        project.current(), Path(file), "ada", int(seed), Budgets(stock_kernel=stock, cell_seconds=60)
    )
    checks = [[check.exercise, check.outcome] for check in result.checks]
    print(json.dumps({"kernels": kernels, "checks": checks, "pictures": [*result.pictures], "status": result.status}))


if __name__ == "__main__":
    project.current()
    main(*sys.argv[1:])
