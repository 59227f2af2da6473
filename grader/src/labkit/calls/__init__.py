"""Call one answer and carry its value out of an untrusted kernel."""
