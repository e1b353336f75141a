"""Benchmarks: most print ratios against a peer that is measured in the same run, some a table of the docs."""
