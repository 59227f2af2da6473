"""The numbered findings of a red team that attacked the grader.

For each finding there is an attack in this package, a test elsewhere, or a reason why the risk is accepted.
"""

FINDINGS = {
    "A1": "a lone surrogate in a message", "A2": "file names that are not UTF-8",
    "A3": "deep folders with an unreadable one at the bottom", "A4": "a full disk, through deleted open files or reserved space",
    "A5": "keys with colliding hashes", "A6": "combining marks in a compared output",
    "A7": "thousands of flushed prints", "A8": "thousands of differing lines", "A9": "memory of the grading process",
    "A10": "a folder nested deeper than Python's recursion limit", "A11": "a pipe named like a notebook",
    "A12": "a sparse file of several gigabytes", "A13": "a huge number of notebooks from one student",
    "A14": "memory in sockets and pipes, which counts toward no process's limit",
    "A15": "disk space of files open in one thread only, or in flight over a socket",
    "A16": "a small disk, filled by one submission",
    "B1": "leases on files that all kernels read", "B2": "using up the machine's threads",
    "B3": "files and folders named after classmates", "B4": "a file replaced during grading",
    "B5": "identical files from two students", "B6": "taking processor time from other submissions",
    "B7": "memory of another submission", "B8": "files that a kernel inherits", "B9": "inotify watches, which are limited per user",
    "B10": "abstract socket names",
    "B11": "resources limited per user or machine: I/O contexts, timers, queued signals, locks",
    "C1": "attributes of outside files, set with new system calls",
    "C2": "files that cannot be removed from the disk", "C3": "a kernel that outlives its server",
    "C4": "facts about the machine", "C5": "a symbolic link that an outside tool follows",
    "C6": "attacks on the instructor's other tools", "D1": "short answers that can be found by guessing",
    "D2": "a rounding error that can be computed", "D3": "a shift computed without the table",
    "D4": "the grader's own tools inside a kernel", "D5": "values read off the locked module", "D6": "figures that show nothing or something else",
    "D7": "points for an answer that only raises errors", "D8": "memory shared between two calls and hidden from the check", "D9": "a proof with wrong steps",
    "D10": "predictable hidden calls",
    "E1": "locks on files that two kernels read", "E2": "which pages of a file are in memory, and who mapped them",
    "E3": "a futex in a file that two kernels map", "E4": "names of sockets and folders",
    "E5": "flags of a file that two kernels inherited", "E6": "counters that the system keeps per user or machine",
    "E7": "names and process ids of other kernels in the memory of a fork",
}  # fmt: skip

_EARNED = "tests/course/test_points_not_earned.py"
TESTED = {
    "A1": ["grader/tests/labkit/desk/test_reports.py::test_reports_are_written_for_any_content"],
    "A10": ["grader/tests/labkit/grade/test_intake.py::test_folders_may_be_deep"],
    "A13": ["grader/tests/labkit/grade/test_intake.py::test_with_too_many_files_the_newest_are_read_and_the_row_names_the_rest"],
    "A4": ["grader/tests/labkit/grade/test_machine_faults.py::test_a_full_disk_for_results_loses_nothing"],
    "A16": ["grader/tests/labkit/grade/test_machine_faults.py::test_a_disk_that_a_submission_fills_is_its_own_result"],
    "B2": ["grader/tests/labkit/grade/test_machine_faults.py::test_threads_of_one_submission_cost_no_other_its_row"],
    "B4": ["grader/tests/labkit/grade/test_machine_faults.py::test_a_file_that_changes_during_grading_is_not_graded_in_anothers_place"],
    "B5": ["grader/tests/labkit/desk/test_reports.py::test_the_same_bytes_are_each_students_own"],
    "B6": ["grader/tests/labkit/grade/test_clock.py::test_a_right_answer_that_waits_for_a_processor_is_not_out_of_time"],
    "B7": ["grader/tests/labkit/grade/test_forked_kernel.py::test_nothing_passes_from_one_kernel_to_the_next"],
    "C1": ["grader/tests/labkit/grade/test_isolation.py::test_system_calls_not_listed_are_refused"],
    "C6": ["grader/tests/labkit/cli/test_cli.py::test_check_requires_consent_where_submissions_cannot_be_isolated",
           "grader/tests/labkit/cli/test_cli.py::test_text_from_an_answer_cannot_control_a_terminal"],
    "D1": [_EARNED], "D2": [_EARNED], "D3": [f"{_EARNED}::test_it_is_not_earned"], "D7": [f"{_EARNED}::test_it_is_not_earned"],
    "D6": ["grader/tests/labkit/student/test_axes.py::test_invisible_artists_are_not_in_the_drawing"],
    "D9": ["tests/course/test_labs_in_kernels.py::test_a_hostile_proof_earns_nothing_and_costs_only_its_own_points",
           "tests/course/test_identities.py::test_a_power_never_matches_another_formula"],
    "D10": ["grader/tests/labkit/grade/test_hidden_channels.py::test_a_folder_keeps_its_seed_and_another_draws_its_own"],
    "E7": ["grader/tests/labkit/grade/test_forked_kernel.py::test_the_memory_of_a_fork_has_no_folder_name_but_its_own",
           "grader/tests/labkit/grade/test_forked_kernel.py::test_bubblewrap_has_no_proc"],
}  # fmt: skip

# Accepted risks.
LEFT = {
    "C4": "A kernel can find out the type of processor and system, how full its disk is, and which process ids are in use.",
    "D1": "The four numbers of lab 01's `by_hand` can be found by trying all numbers with four decimals against their stored digests, "
          "which the notebook's check needs. This is worth 1 point. All other points for short answers depend on drawn arguments.",
    "D4": "The code of a lab's own checks can be imported, because its `check` needs it; the folders of labs that do not share their kernels "
          "cannot. No function there computes lab 01's table or frequencies. But its recognizers, which name the mistake in a student's "
          "table, also name the mistakes in the tables of `name_the_mistake`, for its 2 points.",
    "D5": "Labs after the first import the table that lab 01 asks students to build. In these labs a copied table, or a formula "
          "derived from it, looks like one that a student wrote.",
    "D6": "A figure is graded by the contents of its Axes: data, positions, colours, texts, and whether they are on the page. The "
          "check ignores anything drawn on top. To report false data to its advantage, a kernel must already know the right data.",
    "D8": "One point rewards a good habit: two calls of an answer must not share memory. This is checked inside the kernel, where an answer "
          "can hide shared memory. The answer must still be right in all other ways.",
    "E6": "Two submissions that run at the same time can signal to each other through shared resources, such as the time that a call takes, "
          "free disk space and the ids of new threads; in `landlock`, also how many threads and open files the other one has. The two can "
          "exchange their own work, but not the course's answers.",
}  # fmt: skip
