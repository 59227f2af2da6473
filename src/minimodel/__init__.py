"""The parts of a small model that the labs use."""
