"""Tests of all rooms share `battle`."""
