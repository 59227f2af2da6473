"""Grade written answers and answer regrade requests, on a local page or in a spreadsheet."""
