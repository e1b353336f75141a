"""Benchmarks: each prints a table of ratios against a peer that is measured in the same run."""
