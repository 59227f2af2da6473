"""Limit what submitted code may read, write and do."""
