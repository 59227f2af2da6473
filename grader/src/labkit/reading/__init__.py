"""Written answers, regrade requests, and the people who read them: on a local page, or in a spreadsheet."""
