"""Tests of all rooms share `bb_battle`."""
