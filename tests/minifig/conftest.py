"""Tests of all rooms share `small_battle`."""
