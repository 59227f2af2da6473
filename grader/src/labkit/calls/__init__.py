"""Call one answer and return its value from an untrusted kernel."""
