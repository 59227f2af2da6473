"""The reference table as an argument of test calls."""

from dataclasses import dataclass

from labkit.model.course import SymbolicArgument


@dataclass(frozen=True)
class Table(SymbolicArgument):
    """A symbolic argument for the table of T positions in d dimensions, of shape (T, d)."""

    T: int
    d: int
    base: float = 10000.0

    def build(self):
        from minimodel.positional.sinusoidal import sinusoidal_pe

        return sinusoidal_pe(self.T, self.d, base=self.base)

    def __str__(self) -> str:
        return f"sinusoidal_pe({self.T}, {self.d})"
