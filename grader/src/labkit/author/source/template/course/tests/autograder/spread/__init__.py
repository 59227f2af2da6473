"""Tests and reference of lab 01, spread."""
