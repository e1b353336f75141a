"""Checks: the results of checks of a file, one line each."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from brickphys.text import listed

if TYPE_CHECKING:
    from brickphys.stamp import Stamp

TRUSTED = "taken on trust"
"""How a check begins that tells what nothing else in the file determines."""
WARNING = "warning"
"""How a check begins that tells what is no fault of the file, but of what it says."""
NO_STAMP = "no stamp"
"""How a check begins that tells that a file does not say what computed it."""


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


def stamp_check(stamp: "Stamp | None", here: "Stamp | None" = None) -> Check:
    """Return what a stamp says of the numbers of a file; other sources than those at hand are no fault.

    Only the sources that the stamp names are compared: a law does not depend on those of games.

    Parameters
    ----------
    stamp
        That of the file; None if it has none, as files of earlier versions.
    here
        That of this process; made if None.
    """
    from brickphys.stamp import stamp_here

    if stamp is None:
        return Check(f"{NO_STAMP}: the file does not say what computed it")
    changes = stamp.differences((here or stamp_here()).of(stamp.sources))
    told = f"not by these sources: {listed(changes)}" if changes else "by these sources"
    return Check(f"stamp {stamp.digest}: computed {told}")
