"""The mistakes that the checks found in a student's last two graded attempts at a lab.

final_scores.json stores them with each final score. Grading the same files again compares the same two attempts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from labkit.judge.results import Result

Named = tuple[str, str]  # an exercise and a mistake


@dataclass(frozen=True)
class Attempts:
    """The last two graded attempts. An attempt that was not fully graded is skipped, because its mistakes are unknown."""

    digest: str = ""  # digest of the latest attempt's bytes
    mistakes: tuple[Named, ...] = ()  # in the latest attempt
    earlier: tuple[Named, ...] | None = None  # in the previous, different attempt; None if there was none

    def followed_by(self, result: Result) -> Attempts:
        """Return the last two attempts after this result is added."""
        if result.status != "graded":
            return self
        digest = result.submission.digest
        before = self.mistakes if self.digest else None
        return Attempts(digest, mistakes_of(result), self.earlier if digest == self.digest else before)

    @classmethod
    def from_json(cls, stored: Mapping) -> Attempts:
        """Read stored attempts. Errors: KeyError, TypeError, ValueError or AttributeError for malformed data."""
        earlier = stored["earlier"]
        return cls(stored["digest"], _named(stored["mistakes"]), None if earlier is None else _named(earlier))


def mistakes_of(result: Result) -> tuple[Named, ...]:
    """List the mistakes that the checks found, without repetition."""
    found = {(check.exercise, each.mistake) for check in result.checks for each in check.mistakes}
    return tuple(sorted(found))


def _named(pairs: list) -> tuple[Named, ...]:
    return tuple((str(exercise), str(mistake)) for exercise, mistake in pairs)
