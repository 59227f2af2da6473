"""One rule for a submission whose grading process died: grade it again, or give it a row that says why.

Its judge is a process of this machine; on a cluster a worker has a batch of submissions, and starts such processes itself.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass

# How often it is judged at most, by the cause.
TRIES = {
    "machine": 2,  # the judge reports a fault of the machine: by then a killed fork server has a successor
    "process": 2,  # the judge ended
    "worker": 3,  # a worker of a cluster was lost with its batch, or failed on it
    "time": 1,  # it would take as long again
    "error": 1,  # the judge reports that it failed
}
NO_MEMORY = 127  # how glibc ends a process whose thread finds none
BROKE = (
    -signal.SIGABRT,
    -signal.SIGSEGV,
    -signal.SIGBUS,
    NO_MEMORY,
)  # ends of a process that broke on what it was sent


@dataclass(frozen=True)
class Lost:
    """Why there is no answer, how often it happened, and the process's exit code, or what the judge said."""

    cause: str  # a key of TRIES
    times: int = 1
    code: int | None = None
    said: str = ""

    @classmethod
    def by_exit(cls, code: int | None, times: int) -> Lost:
        """A process that used up its processor time is one that took too long."""
        return cls("time" if code == -signal.SIGXCPU else "process", times, code)

    @property
    def is_tried_again(self) -> bool:
        return self.times < TRIES[self.cause]

    def outcome(self, memory_is_whole: bool = True) -> tuple[str, str]:
        """The status and the reason of the row of one that is given up.

        Breaking the process twice is the submission's result, unless a limit leaves that process less than its memory.
        """
        match self.cause:
            case "time":
                return "timed_out", "judging it took too long"
            case "process" if self.code in BROKE and memory_is_whole:
                return "crashed", "judging it ended the grader's own process twice"
            case "process":  # killed from outside, or for want of the machine's memory
                return "not_judged", "the grader's own process died on it twice"
            case "worker":
                return "not_judged", f"{self.times} workers of the cluster were lost with it, or failed on it"
        return "not_judged", f"the grader failed, please report this: {self.said}"
