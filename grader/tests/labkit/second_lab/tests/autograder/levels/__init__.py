"""Tests and reference of lab 02, levels."""
