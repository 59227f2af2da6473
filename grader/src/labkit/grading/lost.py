"""One rule for a submission whose grading process died: grade it again, or give it a row that says why.

On this machine a grading process has one submission; on a cluster a worker has a batch, and starts such processes.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass

# How often it is graded at most, by cause.
TRIES = {
    "machine": 2,  # the process reports a fault of the machine; a killed fork server is replaced by then
    "process": 2,  # the process ended
    "worker": 3,  # a cluster's worker was lost with its batch, or failed on it
    "time": 1,  # it would take as long again
    "error": 1,  # the process reports that it failed
}
NO_MEMORY = 127  # how glibc ends a process whose thread has no memory
BROKE = (
    -signal.SIGABRT,
    -signal.SIGSEGV,
    -signal.SIGBUS,
    NO_MEMORY,
)  # exit codes of a process that broke on what it was sent


@dataclass(frozen=True)
class Lost:
    """Why there is no answer, how often that happened, and the exit code or the reported reason."""

    cause: str  # a key of TRIES
    times: int = 1
    code: int | None = None
    said: str = ""

    @classmethod
    def by_exit(cls, code: int | None, times: int) -> Lost:
        """A process that used up its processor time took too long."""
        return cls("time" if code == -signal.SIGXCPU else "process", times, code)

    @property
    def is_tried_again(self) -> bool:
        return self.times < TRIES[self.cause]

    def outcome(self, memory_is_whole: bool = True) -> tuple[str, str]:
        """The status and reason of a row that is given up.

        Breaking the process twice is the submission's own result, unless a limit leaves that process too little memory.
        """
        match self.cause:
            case "time":
                return "timed_out", "judging it took too long"
            case "process" if self.code in BROKE and memory_is_whole:
                return "crashed", "judging it ended the grader's own process twice"
            case "process":  # killed from outside, or for lack of memory
                return "not_judged", "the grader's own process died on it twice"
            case "worker":
                return "not_judged", f"{self.times} workers of the cluster were lost with it, or failed on it"
        return "not_judged", f"the grader failed, please report this: {self.said}"
