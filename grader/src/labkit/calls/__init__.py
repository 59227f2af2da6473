"""One answer called, and carried out of a kernel nobody trusts."""
