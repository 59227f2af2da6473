"""The text of grader/docs/security_measured.md. security.py measures its tables."""

PEER_WORDS = """The columns {title} show version 0.3.1. It is built like labkit, with the tests in one process and the student's code in
another. {gained} of {tried} attempts succeeded with the modules and builtins it allows by default, and {after_one_line} after
`scope['__builtins__'] = importlib.import_module('builtins')`, because it forbids five modules by name and `importlib` is not among them. Its
own fixture started the process, as an ordinary user. In PrairieLearn a container per submission surrounds it; the tests and the
results are in that container too. Overruns were not tried, because it bounds no disk."""

SANDBOX_WORDS = """The column {title} shows a sandbox for any program, with Landlock, seccomp and a supervisor. An ordinary user started the
process with the folders that labkit's kernels may read and write, no network and no further process, and defaults for the rest. {gained} of
{tried} attempts succeeded: {names}. It can refuse more system calls by name, which was not tried."""

TEXT = """\
# Security, measured

`python grader/benchmarks/security.py` made this page, on {machine}. It runs the attacks for real; so do the tests.
`python grader/benchmarks/security.py PART` measures one part again ({parts}) and keeps the result in
[security_measured.json](security_measured.json). [Security](security.md) explains the layers and what isolation promises.

## Attempts from inside a kernel

Only the layer protects the targets: everyone may write to the file outside, and the other processes belong to the
kernel's own user. Each number counts the attempts that succeeded.

{attempts}

{successes}

## Submissions that try to earn points or to stop the class

Each is a lab of the tests' tiny course with hostile code in one exercise, or a folder with something odd in it. Honest submissions are
graded in the same run, in a warm kernel. The table shows the lab's points and the row's status. Points other than 0 are for exercises that
were solved beside the attack or in spite of it.

{submissions}

{others}

## Findings, one by one

The numbers are a red team's: A stops the class, B harms another submission, C reaches outside or persists, D earns points, E passes
information between kernels. The third column is what the runs above measured; where only a test covers a finding, the last column names it.

{findings}

## A class of 200, 60 of them hostile

{hostile}

## Budgets

A submission that exceeds a budget is stopped there, and its row says which one. Exercises that do not need the stopped code are still graded.

| budget | default | option | enforced by |
|---|---|---|---|
{budgets}

## Bounds

The grader reads, compares and reports what a submission sends, outside the layer. Except for sorting, no comparison costs more than
proportionally to what was sent, differences between outputs are not explained, and sizes are bounded:

| what | at most | beyond that |
|---|---|---|
{bounds}

A worker that exceeds `--judging-seconds` on a submission is ended, and the row says that grading it took too long. An answer that takes more memory
than `--judging-mib` counts as no answer; outputs that do end their kernel. No other row waits for either. A worker that has grown by more
than 75 MiB is replaced before the next submission.

`python grader/tests/labkit/fuzz_replies.py` mutates 100,000 replies, and each is read, graded and named: none may raise, take a second, or take
200 MiB. `python grader/tests/labkit/fuzz.py` reads and assembles 10,000 mutated notebooks: none may raise, take 2 seconds, or take a GiB. The tests
run both for a few seconds. In full:

{fuzz}

## Channels that stay open

Two submissions that run at the same time can use these, beside the time that a call takes and the load of the processor:

{channels}

They carry one student's work to another. They carry no answer of the course, because no kernel has one;
`grader/tests/labkit/test_collusion.py` lets two accomplices try.

## Left by decision

{left}

## Considered, not tried

- **macOS, and Linux on ARM.** The attacks were not run there. ARM's system call numbers are compared with libseccomp's where that is
  installed, but no filter was loaded on such a machine.
- **Other file systems.** The one here refused fs-verity, so only the filter shows that the request itself is refused. Overlay and network file systems
  count blocks and changes in their own way.
- **Side channels of the processor**, such as core scheduling and shared caches. Two submissions of one run can tell that another
  one runs, and might learn part of its answer.
- **Work that the system does for a process that has ended.** A fork server waits for a kernel that it ends. If that kernel's files are being
  written to a slow disk, the server's other kernels wait too.
- **Memory in sockets and pipes** belongs to no process. A kernel's 128 open files hold at most 26 MiB with Linux's defaults, and more
  where `net.core.wmem_default` was raised.
- **Memory that other programs take later.** The system may then end the largest process; that row is `not_judged`, and fewer `--jobs` help.
- **Faults in NumPy, IPython, pytest and Python** that only certain input shows. The fuzzers cover our own readers and recognizers. A
  parser that breaks ends a worker, and the row of that submission says so.
- **Two accomplices** where one marks time for the other by processor load, or by reading pages that are not in memory yet. Reading pages
  carried 16 bits from one kernel to the next in every try.
"""
