"""Tests and reference of lab 00, blank."""
