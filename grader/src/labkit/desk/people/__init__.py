"""The instructor's additions to results, such as deadlines and points given by hand. Raw results are not changed."""
