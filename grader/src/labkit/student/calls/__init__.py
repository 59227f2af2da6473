"""Call an answer in an untrusted kernel and return its value."""
