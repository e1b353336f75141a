"""Law stamp: what a law is computed by."""

from brickphys.stamp import Stamp, stamp_here

LAW_SOURCES = ("base", "calibration", "engines", "geometry", "odds", "shapes", "throws")
"""Folders of the package from which throws are computed and laws made."""


def law_stamp() -> Stamp:
    """Return the stamp of a law that this process computes."""
    return stamp_here().of(LAW_SOURCES)
