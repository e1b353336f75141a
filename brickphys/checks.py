"""Checks: what was found out about a file, line by line."""

from dataclasses import dataclass

TRUSTED = "taken on trust"
"""How a check begins that tells what nothing else in the file determines."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    what
        What was compared with what, in words; what no recomputation can find begins with `TRUSTED`.
    fault
        What is wrong; None if nothing is.
    """

    what: str
    fault: str | None = None
