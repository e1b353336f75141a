"""Intervals: what 95 % means, written once."""

Z95 = 1.959963984540054
"""A normal variable lies within so many standard deviations of its mean in 95 % of cases."""
