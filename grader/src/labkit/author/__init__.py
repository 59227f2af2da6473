"""One source for each lab in; notebooks, expected data, releases and the site out."""
