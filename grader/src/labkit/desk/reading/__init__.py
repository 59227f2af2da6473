"""Written answers and the people who read them: on a local page, or in a spreadsheet."""
