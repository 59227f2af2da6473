"""What a course imports to define its labs: see `course`."""
