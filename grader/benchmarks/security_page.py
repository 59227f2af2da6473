"""The words of grader/docs/security.md. Its tables are measured: see security.py."""

PEER_WORDS = """The columns {title} are version 0.3.1, which is built as labkit is: the tests outside, the student's code in another
process. There {gained} of {tried} attempts succeeded with the modules and builtins that it allows by default, and {after_one_line} after
`scope['__builtins__'] = importlib.import_module('builtins')`, since it forbids five modules by name and `importlib` is none of them. The
process was started by its own fixture, as an ordinary user. In PrairieLearn it stands in a container besides, one for each
submission, which holds what is outside; the tests and the results are in that container too. Overruns were not tried: it
bounds no disk."""

SANDBOX_WORDS = """The column {title} is a sandbox for any program, with Landlock, seccomp and a supervisor of its own. The process was started by an
ordinary user with the folders to read and to write that labkit's kernels have, no network and no further process; for the rest its
defaults held. {gained} of {tried} attempts succeeded, namely {names}. It can be told to refuse further calls by
name, which was not tried."""

TEXT = """\
# What holds a submission in

`python grader/benchmarks/security.py` made this page, on {machine}. It runs hostile code for real; the tests do the same.
`python grader/benchmarks/security.py PART` measures a part again ({parts}), and keeps what it finds in [security.json](security.json).

## The protocol comes first

The process that runs a submission never gets an expected value, the reference's code or an assertion. Inputs go in, plain
data come out, and another process compares them. So a submission that patches NumPy, prints "all passed" or overwrites the
kernel's own code changes only what it sends, and what it sends is judged as an answer. What keeps the answers themselves out of
reach is the layer.

An answer that lost points and uses an earlier wrong one is checked again, with the reference's values for the earlier one. The
student's kernel gets values and no code: where it calls the earlier answer, it asks the grader. A second kernel, which runs the
solution and nothing of the student's, has answered the same check before, and the grader gives only the values that the solution's
own later answer asked for there, any part of such an array, and those of public calls. At other arguments there is no value: an
answer that needs them is right by itself and yet earns nothing. So what a submission learns, and what it could carry to another one,
does not help with the drawn checks of the earlier exercise. Only whether a failed check passes then is kept; outputs of that kernel
are dropped. A
test searches the memory and the files of every kernel that runs student code for the solution, the reference, the hidden tests
and the seed, as text and compiled, during the first check, the second one and while a figure is drawn.

A figure that lost points is drawn for its student's page, in a kernel of its own, before anything is checked again. That kernel sends pixels, as
many as are asked for, and the PNG is made outside: no picture is decoded that a submission encoded, and what drawing does, hangs on or
ends, costs and gains no point.

## Layers

`labkit doctor` names the layer in force and tries it out. The best one that works is taken.

| layer | what holds | needs |
|---|---|---|
| bubblewrap | namespaces: no network, no other process, a file system with nothing but system, interpreter, labkit and the workdir; and all of the next row. Where Linux has no Landlock, each kernel has a process and a view of its own, and no /proc | Linux, the program `bwrap`, and for ordinary users user namespaces |
| landlock | Landlock: only the workdir is written, only system, interpreter and labkit are read. seccomp: no process, no socket but the kernel's own, no signal to another, no tracing, no mounting, no hold on files of others, no files in flight, no call newer than the filter | Linux 5.13 or newer on x86-64 or ARM; no privileges |
| limits | POSIX limits, a workdir and an environment of its own, an ordinary user in place of the superuser | any Unix |

The weakest layer stops accidents, not attacks: there a submission can read the solutions and hand them in. `labkit grade` then wants `--allow-unsandboxed`, except for `examples/class`. It also wants it where an attempt that the layer must refuse succeeds: it
makes the doctor's attempts once, before it runs a submission.
`LABKIT_LAYER=landlock` or `limits` asks for a weaker layer than the best.

## Attempts from inside a kernel

The targets are set up so that only the layer protects them: the file outside may be written by everybody, and the other
processes belong to the kernel's own user. A number says how many attempts succeeded.

{attempts}

{successes}

## Submissions that try to earn points or to stop the class

Each is a lab of the tests' tiny course with hostile code in the cell of one exercise, or a folder with something odd in it; honest
ones are graded in the same run, in a warm kernel as the superuser or whoever this is. Points of the lab's, and the row's status. A
number that is not 0 is for what was solved beside the attack, or in spite of it:

{submissions}

{others}

## What was found, one by one

A red team's list, by its numbers: A stops the class, B harms another submission, C reaches outside or stays, D earns points. What
each gains now is what the runs above say of its attacks; where a test alone holds it, that test says it.

{findings}

## A class of 200, 60 of them hostile

{hostile}

## Budgets

A submission that uses one up is stopped there, its row says which, and exercises that do without the culprit are still judged.

| budget | default | option | held by |
|---|---|---|---|
{budgets}

**All kernels together** get no more memory than there is: of what the machine, the container or the control group has left, each worker and
the command keep their part, and the rest is shared out before anything runs. `--jobs` follows from it where there is too little, and says
so. Where a share is less than the budget, a submission that wants more is ended alone and is `not_judged`, with that reason: fewer `--jobs`
leave it more. `labkit doctor` says how many have room.

## Bounds

What a submission sends is read, compared and reported by the grader, outside of the layer. There no comparison costs more than in
proportion to what is sent, but for sorting; a difference between outputs is not explained; and what is sent is bounded:

| what | most | what is more |
|---|---|---|
{bounds}

A worker that uses more processor time for a submission than `--judging-seconds` is ended, and the row says that judging it took too
long; an answer that takes more memory than `--judging-mib` is judged as none, and outputs that do end their kernel. Nobody else's row waits for either.
A worker that has grown by more than 75 MiB makes room for a fresh one before it takes up the next submission.

`python grader/tests/labkit/fuzz_replies.py` mutates 100,000 replies and has each read, judged and named: none may raise, take a second or
200 MiB. `python grader/tests/labkit/fuzz.py` reads and assembles 10,000 mutated notebooks: none may raise, take 2 seconds or a GiB. The
tests run both for some seconds. In full:

{fuzz}

## What is not held

- Landlock does not hide that a file exists: `os.stat` answers for any path. In bubblewrap the path is not there.
- Files that the system shows to everybody in `/usr` can be read, and the sources of labkit, which hold no answers.
- A superuser whose Python is in a folder closed to others (`/root`) leaves kernels the right to read past file modes. Landlock
  says what may be read; in the layer `limits` nothing does. There, use a Python that everybody can read, or be an ordinary user.
- Memory of all kernels together is divided when grading begins: how many run at once, and what each may have, follows from what
  the machine, the container or the control group has left then. What other programs take later, and a second grader beside the
  first, is not counted.
- Faults of the Linux kernel itself. For those use a virtual machine.

**Two submissions that run at the same time** and want to talk to each other. What told one kernel exactly what another one did is
closed: locks, advice on files, which pages are in memory, addresses where both wait, names, inherited flags, counts of the user and of
the machine. Left is what honest code needs: how long a call or the reading of a page takes, how busy the processor is, and these:

{channels}

They carry work of one student to another, and no answer of the course: no kernel has one. An answer that is checked again gets
reference values only where the solution's own later answer asks for them, which the drawn checks of the earlier exercise do not;
`grader/tests/labkit/test_collusion.py` has two accomplices try it. `--jobs 1` runs one submission at a time; then only what was read before,
by another submission, can be told from the time that it takes.

Left as it is, by decision:

{left}

## Thought of, and not tried

- **macOS, and Linux on ARM.** Nobody ran the attacks there. On macOS nothing but POSIX limits holds, and `labkit grade` asks first. The
  numbers of system calls on ARM are compared with libseccomp's where that is installed, and no filter was loaded on such a machine.
- **Other file systems.** fs-verity was refused by the one here, so that the request itself is refused is known from the filter
  alone. Overlay and network file systems count blocks and changes of their own.
- **Side channels of the processor**, such as core scheduling, caches shared by two kernels, and the time that a call takes. Two
  submissions of one run can tell that another one runs, and might learn some of its answer.
- **Work that the system does for a process that has ended.** A fork server waits for a kernel that it ends. One whose files are just
  being written to a slow disk would hold its others up meanwhile. `sync` does nothing.
- **Memory in sockets and pipes** belongs to no process. A kernel may have 128 open files, which hold 26 MiB at most as Linux comes;
  a machine that was told to give sockets larger buffers (`net.core.wmem_default`) loses more.
- **Memory that others take later.** Shares follow from what is left when grading begins. Where another program takes it afterwards, the
  system may end the largest process, and that row is not judged: fewer `--jobs` leave more room.
- **Faults in NumPy, IPython, pytest and Python** that only a certain input shows. The fuzzers go through our own readers and
  recognizers. A parser that breaks ends a worker, and the row of that submission says so.
- **The grader's own supply**: whoever can write in the clone, the virtual environment or `--out` is trusted.
- **Two hostile students together**, one of whom marks time for the other by processor load or by reading pages that are not in
  memory yet. Reading pages carried 16 bits from one kernel to the next in every try.
"""
