"""Decide what to do about a submission whose grading process died: grade it again, or report the failure in its row.

On this machine, a grading process has one submission at a time. On a cluster, a worker has a batch and starts grading processes for it.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass

# How often a submission is graded at most, by cause of failure.
TRIES = {
    "machine": 2,  # the process reports that the machine failed; by the next try, a killed fork server has been replaced
    "process": 2,  # the process ended
    "worker": 3,  # a cluster's worker was lost with its batch, or failed on it
    "time": 1,  # another try would take as long
    "error": 1,  # the process reports an error
}
NO_MEMORY = 127  # glibc's exit code for a process in which a thread got no memory
BROKE = (
    -signal.SIGABRT,
    -signal.SIGSEGV,
    -signal.SIGBUS,
    NO_MEMORY,
)  # exit codes of a process that crashed on its input


@dataclass(frozen=True)
class Lost:
    """Why there is no answer, how often this happened, and the exit code or the reported reason."""

    cause: str  # a key of TRIES
    times: int = 1
    code: int | None = None
    reason: str = ""

    @classmethod
    def by_exit(cls, code: int | None, times: int) -> Lost:
        """Derive the cause from an exit code. A process that used up its processor time counts as too slow."""
        return cls("time" if code == -signal.SIGXCPU else "process", times, code)

    @property
    def is_tried_again(self) -> bool:
        return self.times < TRIES[self.cause]

    def outcome(self, memory_is_whole: bool = True) -> tuple[str, str]:
        """The status and reason to report for a submission that is not tried again.

        A submission that crashed the process twice is to blame, unless a limit left the process too little memory.
        """
        match self.cause:
            case "time":
                return "timed_out", "grading it took too long"
            case "process" if self.code in BROKE and memory_is_whole:
                return "crashed", "grading it crashed the grader's own process twice"
            case "process":  # killed from outside, or for lack of memory
                return "not_judged", "the grader's own process died twice while grading it"
            case "worker":
                return "not_judged", f"{self.times} cluster workers died or failed while grading this submission"
        return "not_judged", f"the grader failed; please report this error: {self.reason}"
