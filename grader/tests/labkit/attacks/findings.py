"""A red team's findings by number: the attack, its tests outside this folder, or why the risk is accepted."""

FINDINGS = {
    "A1": "half a surrogate pair in what is told", "A2": "names of files that are no UTF-8",
    "A3": "deep folders with a closed one at the bottom", "A4": "a full disk, by files without names and space set aside",
    "A5": "keys that collide when they are looked up", "A6": "combining marks in an output that is compared",
    "A7": "thousands of flushed prints", "A8": "thousands of lines that differ", "A9": "memory of the process that judges",
    "A10": "a class with a folder deeper than Python recurses", "A11": "a pipe named like a notebook",
    "A12": "a file of gigabytes without content", "A13": "very many notebooks of one student",
    "A14": "memory in sockets and pipes, which belongs to no process",
    "A15": "disk held by files of one thread alone, or on their way through a socket",
    "A16": "a small disk that one submission fills for all",
    "B1": "leases on files that all kernels read", "B2": "all threads that the machine has",
    "B3": "files and folders named after classmates", "B4": "a file exchanged while the class is graded",
    "B5": "the same bytes handed in by two", "B6": "processor time that others wait for",
    "B7": "memory of another submission", "B8": "files that a kernel inherits", "B9": "watches on files, which are few for each user",
    "B10": "a socket with a name and no file",
    "B11": "stores that a machine or a user has once: contexts, timers, queued signals, locks",
    "C1": "attributes of files outside, by new calls",
    "C2": "what stays on the disk for ever", "C3": "a kernel that outlives its server",
    "C4": "what the system tells of the machine", "C5": "a link that a tool outside follows",
    "C6": "the instructor's other tools", "D1": "short answers that can be guessed through",
    "D2": "an error of rounding that can be computed", "D3": "a shift computed without the table",
    "D4": "the grader's own tools inside a kernel", "D5": "values read off the locked module", "D6": "figures that show nothing or something else",
    "D7": "points for refusing alone", "D8": "memory shared between two calls, and hidden", "D9": "a proof of wrong steps",
    "D10": "hidden calls that can be known beforehand",
    "E1": "locks on files that two kernels read", "E2": "which pages of a file are in memory, and who has them",
    "E3": "an address in a file where two kernels wait for each other", "E4": "names of sockets and of folders",
    "E5": "flags of a file that two kernels inherited", "E6": "what the system counts by user or for the whole machine",
}  # fmt: skip

_EARNED = "tests/course/test_points_not_earned.py"
TESTED = {
    "A1": ["grader/tests/labkit/test_reports.py::test_reports_are_written_whatever_is_in_them"],
    "A10": ["grader/tests/labkit/test_intake.py::test_folders_may_be_deep"],
    "A13": ["grader/tests/labkit/test_intake.py::test_of_too_many_files_the_newest_are_read_and_the_row_names_the_rest"],
    "A4": ["grader/tests/labkit/test_machine_faults.py::test_a_full_disk_for_results_loses_nothing"],
    "A16": ["grader/tests/labkit/test_machine_faults.py::test_a_disk_that_a_submission_fills_is_its_own_result"],
    "B2": ["grader/tests/labkit/test_machine_faults.py::test_threads_of_one_submission_cost_no_other_its_row"],
    "B4": ["grader/tests/labkit/test_machine_faults.py::test_a_file_that_changes_during_grading_is_not_graded_in_anothers_place"],
    "B5": ["grader/tests/labkit/test_reports.py::test_the_same_bytes_are_each_students_own"],
    "B6": ["grader/tests/labkit/test_clock.py::test_a_right_answer_that_waits_for_a_processor_is_not_out_of_time"],
    "B7": ["grader/tests/labkit/test_forked_kernel.py::test_nothing_passes_from_one_kernel_to_the_next"],
    "C1": ["grader/tests/labkit/test_system_calls.py::test_system_calls_not_listed_are_refused"],
    "C6": ["grader/tests/labkit/test_consent.py::test_check_requires_consent_where_submissions_cannot_be_isolated",
           "grader/tests/labkit/test_consent.py::test_what_an_answer_says_cannot_steer_a_terminal"],
    "D1": [_EARNED], "D2": [_EARNED], "D3": [f"{_EARNED}::test_it_is_not_earned"], "D7": [f"{_EARNED}::test_it_is_not_earned"],
    "D6": ["grader/tests/labkit/test_axes.py::test_invisible_artists_are_not_in_the_drawing"],
    "D9": ["tests/course/test_labs_in_kernels.py::test_a_hostile_proof_earns_nothing_and_costs_only_its_own_points",
           "tests/course/test_identities.py::test_no_power_makes_another_formula_of_it"],
    "D10": ["grader/tests/labkit/test_seed.py::test_a_folder_keeps_its_seed_and_another_draws_its_own"],
}  # fmt: skip

# Accepted on purpose.
LEFT = {
    "C4": "A kernel can ask for the kind of processor and system, how full its disk is, and which process numbers are in use.",
    "D4": "The sources of the checks are beside the labs, because a lab's own check needs them. They hold no answers, but tools that "
          "help to make one, and a kernel that is graded sees what a lab sees.",
    "D5": "Labs after the first import the table that the first one asks students to build. A copied table cannot be told from a "
          "built one; the same goes for formulas that follow from it.",
    "D6": "A figure is graded by what its Axes hold: data, places, colours, texts, and whether they are on the paper. What covers it is "
          "not considered, and a kernel that lies about its data has to know the right data.",
    "D8": "Whether an answer shares memory between two calls is checked inside the kernel, where an answer can hide it. It has to "
          "be right in all else, and the point is for a habit.",
    "E6": "Two submissions that run at the same time can signal through what both need: how long a call takes, how full the "
          "disk is, how many threads exist. They can share their own work, and no answer of the course.",
}  # fmt: skip
