"""Questions about students' own code, on printed pages."""
