"""Hostile notebooks opened in an instructor's own tools: code that runs on opening, and output to a terminal."""

from attacks.kinds import HandIn

STEERS = "def answer(*given):\n    raise ValueError('\\x1b]52;c;ZWNobw==\\x07\\u202e')"
RUNS = "open('ran', 'w')"
HAND_INS = {"steers-a-terminal": HandIn(STEERS, cell="number", finding="C6", gain="control over a terminal")}
