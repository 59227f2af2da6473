"""Find and read submissions, and identify their students."""
