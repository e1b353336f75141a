"""Tests of all rooms share the small games."""
