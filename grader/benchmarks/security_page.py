"""The text of grader/docs/security_measured.md. security.py measures its tables."""

PEER_WORDS = """**pytest-prairielearn-grader** (version 0.3.1), like labkit, runs the tests in one process and the student's code in another. The tool's own fixture
started the process, as an ordinary user.

- With the modules and builtins that the tool allows by default, {gained} of {tried} attempts succeeded.
- The line `scope['__builtins__'] = importlib.import_module('builtins')` gives student code all builtins, because the tool forbids five
  modules by name, and `importlib` is not one of them. After this line, {after_one_line} attempts succeeded.

In PrairieLearn, each submission also runs in its own container, but that container includes the tests and the results. We did not try the
overruns, because this tool does not limit disk space."""

SANDBOX_WORDS = """**{title}** is a sandbox for arbitrary programs, built on Landlock, seccomp and a supervisor. We ran it as an ordinary user, without network
and without permission to start other processes. The process could read and write the same folders as labkit's kernels, and all other
settings were sandlock's defaults. {gained} of {tried} attempts succeeded:

{names}

Sandlock can also refuse system calls by name. We did not try that."""

TEXT = """\
# Security, measured

This page lists the attacks that we ran against labkit and what each one gained, followed by all budgets and limits of the grader.
[Security](security.md) explains the isolation layers and what they guarantee.

`python grader/benchmarks/security.py` made this page on {machine}. The tests run the same
attacks. To measure only one part again, run `python grader/benchmarks/security.py PART`, where `PART` is one of {parts}. The results are
stored in [security_measured.json](security_measured.json).

## Attempts from inside a kernel

An attempt is a piece of code that runs in a kernel, the process for a student's code, and tries to do one forbidden thing. The table shows
how many attempts succeeded in each group, out of the number in brackets. In the first column, "uncounted" stands for resources that no
budget limits, "channels" for ways to pass information to another kernel, and "overruns" for ways to exceed the disk budget. An empty cell
means that the group was not tried.

For labkit, a column's title names the isolation layer, the kind of kernel and the user who runs `labkit`. A warm kernel is forked from
a running process. A stock kernel is a new process (`labkit grade --stock-kernel`). The last three columns are other tools, for comparison;
the text below the table describes them.

Nothing but the isolation layer protects the targets of the attempts: the file outside the kernel's folder is writable by every user, and
the other processes belong to the same user as the kernel.

{attempts}

{successes}

## Submissions that try to earn points or to stop grading

Each submission in this table is either a lab with hostile code in one exercise or a folder with an odd file in it. The lab belongs to
a tiny course that the tests use. The column "target" names the part of the grader under attack, and the attacks on each target are in
the file of that name in `grader/tests/labkit/attacks/`.

We graded the hostile submissions together with honest ones, in warm and in stock kernels. For each layer, with
warm kernels, the table shows the points for the lab and the status in the gradebook row. With `bubblewrap` and `landlock`, all points come from correct answers, not from the attack.

{submissions}

{others}

## Findings, one by one

The identifiers in the first column are those of the red team, which attacked labkit and reported what it found. The letter says what
such an attack does:

- A: stops grading
- B: harms another submission
- C: affects the machine outside the kernel, or leaves something behind
- D: earns undeserved points
- E: passes information between kernels

The column "gains now" shows what the attacks gained in the runs above, in layers other than `limits`. For a finding marked "tested", the
result comes from the test in the last column.

{findings}

## A class of 200, 60 of them hostile

{hostile}

## Budgets

When a submission exceeds a budget, labkit stops it, and the submission's row names the budget. Exercises that do not need the stopped code
are still graded. To change a budget, use its option of `labkit grade`.

| budget | default | option | enforced by |
|---|---|---|---|
{budgets}

## Bounds

The grader reads, compares and reports a submission's replies outside the isolation layer, where a huge reply could exhaust the grader
itself. So the grader limits the size of everything that it reads. Apart from sorting, the time for a comparison grows at most linearly
with the size of the reply.

| what | at most | beyond that |
|---|---|---|
{bounds}

Workers, the processes that check answers, are limited too, so one submission cannot delay the others:

- If checking a submission exceeds `--judging-seconds`, the worker is stopped, and the row says that grading took too long.
- If reading an answer needs more memory than `--judging-mib`, the answer counts as unanswered. If reading a cell's outputs needs
  more, the kernel is stopped.
- If a worker's memory has grown by more than 75 MiB, a new worker takes over before the next submission.

Two fuzzers look for input that breaks the grader. The tests run each one for a few seconds.

- `python grader/tests/labkit/fuzz_replies.py` mutates replies from a kernel, reads and grades each one, and compares it with the named
  mistakes. No reply may raise an unexpected error or take a second of processor time, and memory may grow by at most 200 MiB in the whole run.
- `python grader/tests/labkit/fuzz.py` mutates notebooks, and reads and assembles each one. No notebook may raise an error or take 2 seconds
  of processor time, and the whole run must fit in 1 GiB of memory.

These are the last full runs:

{fuzz}

## Channels that stay open

Two submissions that run at the same time can pass information to each other through the channels in this table. labkit does not close
them, because honest code needs the same resources, or because Linux shows them to every process. A channel is open if all bits arrived in
one of five tries. Submissions can also vary how long a call takes or how busy the processor is.

{channels}

The number of open files carries about 300 bits a second, and the next thread id about 100, so an answer fits into a submission's time.
Through these channels, students can share their own work, but not the course's solutions, because no kernel contains them. Only
[follow-through](security.md#only-values-enter-a-students-process) puts values of the reference into a kernel: some values of an earlier
exercise that this student got wrong. A later check may need the same values as a hidden check of that exercise, so the grader
cannot refuse them. They help only a submission that runs at the same time and has the same seed. The test
`grader/tests/labkit/grade/test_collusion.py` runs two submissions that try to pass such values on.

Closed are locks, `fadvise`, pages in memory, shared addresses, names, inherited flags, limits and counters per user, questions about
the threads and the processor time of other processes, and what the memory of a fork contains about other kernels. To close more channels, use one of these options of `labkit grade`:

- `--jobs 1` closes all of them, because only one submission runs at a time. The price is the time saved by the other processors.
- `--stock-kernel`, under `bubblewrap`, gives each kernel its own process namespace, in which it sees no other process. The price is
  [time](benchmarks.md): each kernel imports its packages itself.

## Accepted risks

We know these risks and accept them. The identifiers are those of the [findings](#findings-one-by-one).

{left}

## Considered, not tried

- **macOS, and Linux on ARM.** We did not run the attacks on these systems. A test compares labkit's table of ARM system call numbers with
  that of libseccomp, where libseccomp is installed, but we never loaded the filter on an ARM machine.
- **Other file systems.** The file system of our machine does not support fs-verity, so an attempt to use fs-verity would fail there even
  without labkit. From the rules of labkit's filter, we know that labkit blocks fs-verity too. Overlay and network file systems count
  blocks and changes differently from ours.
- **Side channels of the processor**, such as core scheduling and shared caches. Through them, a submission can detect that another one is
  running, and might learn part of the other's answer.
- **Work that the system does after a process has ended.** A fork server, the process that warm kernels are forked from, waits until each
  kernel that it stops has ended. If a stopped kernel's files are still being written to a slow disk, the server's other kernels wait too.
- **Memory in sockets and pipes.** This memory does not count toward any process's limit. With Linux's defaults, the 128 open files of a
  kernel can hold at most 26 MiB. If `net.core.wmem_default` was raised, they can hold more.
- **Memory that other programs take after grading has begun.** If the machine runs out of memory, Linux may end the largest process. The
  submission in that process gets the status `not_judged`; grade it again with fewer `--jobs`.
- **Bugs in NumPy, IPython, pytest and Python** that only particular input triggers. Our fuzzers cover labkit's own readers and recognizers.
  If a parser crashes, a worker ends, and the row of the submission reports that.
- **Two accomplices** that communicate through the load on the processor, or by reading pages of a file that are not in memory yet. Reading
  pages carried 16 bits from one kernel to the next every time we tried.
"""
