"""How much the request in hand has put out, held to its budgets."""

from __future__ import annotations

from labkit.budgets import Budgets
from labkit.kernel.meter import OverBudget


class Outputs:
    """Counts messages and what is in them while they come. Errors: OverBudget."""

    def __init__(self, budgets: Budgets):
        self.budgets = budgets
        self.begin()

    def begin(self) -> None:
        self._number = self._size = 0

    def count(self, *, size: int = 0, number: int = 0) -> None:
        self._number, self._size = self._number + number, self._size + size
        if self._number > self.budgets.outputs:
            raise OverBudget(f"made more than {self.budgets.outputs:,} outputs in one cell")
        if self._size > self.budgets.output_bytes:
            raise OverBudget(f"wrote more than {self.budgets.output_bytes / 2**20:.0f} MiB in one cell")
