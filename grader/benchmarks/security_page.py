"""The text of grader/docs/security_measured.md. security.py measures its tables."""

PEER_WORDS = """The columns {title} show version 0.3.1. Like labkit, it runs the tests in one process and the student's code in another.
We started the process with the tool's own fixture, as an ordinary user. With the modules and builtins that it allows by default,
{gained} of {tried} attempts succeeded. After `scope['__builtins__'] = importlib.import_module('builtins')`, {after_one_line} succeeded,
because the tool forbids five modules by name, and `importlib` is not one of them. PrairieLearn also runs each submission in its own container,
but that container includes the tests and the results. We did not try overruns, because this grader does not limit disk space."""

SANDBOX_WORDS = """The column {title} shows a sandbox for arbitrary programs, built on Landlock, seccomp and a supervisor. We started
the process as an ordinary user, with the same readable and writable folders as labkit's kernels. It had no network and could not start
other processes; otherwise, we used the defaults. {gained} of {tried} attempts succeeded:

{names}

Sandlock can also refuse system calls by name, which we did not try."""

TEXT = """\
# Security, measured

`python grader/benchmarks/security.py` made this page on {machine}. It runs the real attacks, and so do the tests.
`python grader/benchmarks/security.py PART` measures one part again ({parts}). The results are in
[security_measured.json](security_measured.json). [Security](security.md) explains the layers and what isolation guarantees.

## Attempts from inside a kernel

Only the isolation layer protects the targets: any user may write to the target file outside the kernel's folder, and the other
processes belong to the kernel's own user. Each number counts the attempts that succeeded.

{attempts}

{successes}

## Submissions that try to earn points or to stop grading

Each submission is a lab with hostile code in one exercise, or a folder with an odd file in it. The lab is from a tiny course that the
tests use. These submissions are graded together with honest ones, in a warm kernel. The table shows the lab's points and the row's status. In bubblewrap and
landlock, all points come from correct answers, not from attacks.

{submissions}

{others}

## Findings, one by one

A red team attacked labkit and numbered its findings. The letter is what such an attack does: A stops grading, B harms another submission,
C affects the machine outside the kernel or leaves something behind, D earns undeserved points, E passes information between kernels.
"Gains now" is the result of the runs above. If only a test covers a finding, the last column names the test.

{findings}

## A class of 200, 60 of them hostile

{hostile}

## Budgets

When a submission exceeds a budget, labkit stops it, and its row names the budget. Exercises that do not need the stopped code are still
graded.

| budget | default | option | enforced by |
|---|---|---|---|
{budgets}

## Bounds

The grader reads, compares and reports a submission's replies outside the isolation layer. So it limits the size of everything it reads.
Apart from sorting, the time for a comparison grows at most linearly with the size of the reply.

| what | at most | beyond that |
|---|---|---|
{bounds}

A worker that exceeds `--judging-seconds` on a submission is stopped, and the row says that grading took too long. If an answer takes
more memory than `--judging-mib`, it counts as unanswered; if a cell's outputs take more, the kernel is stopped. Other submissions are not
delayed. A worker whose memory has grown by more than 75 MiB is replaced before the next submission.

`python grader/tests/labkit/fuzz_replies.py` makes 100,000 mutated replies. It reads and grades each one, and compares it with the named mistakes. No reply
may raise an error, or take a second or 200 MiB. `python grader/tests/labkit/fuzz.py` reads and assembles 10,000 mutated notebooks. None
may raise an error, or take 2 seconds or a GiB. The tests run both for a few seconds. The last full runs, with the number of inputs for each outcome:

{fuzz}

## Channels that stay open

Two submissions that run at the same time can pass information through these channels. They can also do so by varying how long a call
takes or how busy the processor is.

{channels}

In this way students can share their own work, but not the course's answers, because no kernel has them. `grader/tests/labkit/test_collusion.py` runs
two submissions that try to exchange information.

## Accepted risks

{left}

## Considered, not tried

- **macOS, and Linux on ARM.** We did not run the attacks there. A test compares ARM's system call numbers with libseccomp's where that is
  installed, but we loaded no filter on such a machine.
- **Other file systems.** Ours does not support fs-verity, so the attempt would fail there without labkit; we only know from the rules of
  labkit's filter that it blocks fs-verity too. Overlay and network file systems count blocks and changes differently from ours.
- **Side channels of the processor**, such as core scheduling and shared caches. A submission can detect that another
  one is running, and might learn part of its answer.
- **Work that the system does for a process that has ended.** A fork server waits until each kernel that it stops has ended. If the
  kernel's files are still being written to a slow disk, the server's other kernels wait too.
- **Memory in sockets and pipes** does not count toward any process's limit. A kernel's 128 open files can hold at most 26 MiB with Linux's defaults, and
  more if `net.core.wmem_default` was raised.
- **Memory that other programs take after grading has begun.** If the machine runs out of memory, the system may end the largest
  process. The submission that this process was running gets the status `not_judged`. Use fewer `--jobs`.
- **Bugs in NumPy, IPython, pytest and Python** that only certain input triggers. The fuzzers cover our own readers and recognizers. If a
  parser crashes, it ends a worker, and that submission's row reports it.
- **Two accomplices** that communicate through processor load, or by reading file pages that are not in memory yet. Reading pages
  carried 16 bits from one kernel to the next every time we tried.
"""
