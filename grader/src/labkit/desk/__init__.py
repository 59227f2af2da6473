"""Facts in; final scores, pages and files for an LMS out."""
