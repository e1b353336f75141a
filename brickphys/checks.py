"""Checks: the results of checks of a file, one line each."""

from collections.abc import Callable, Mapping
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
    """One thing that was looked at."""

    what: str
    """What was compared with what, in words; what no recomputation can find begins with `TRUSTED`."""
    fault: str | None = None
    """What is wrong; None if nothing is."""


def stamp_check(
    stamp: "Stamp | None",
    here: "Stamp | None" = None,
    *,
    again: Callable[[], Mapping[str, str]] = dict,
    same: str = "",
) -> Check:
    """Return what a stamp says of the numbers of a file; another program than this one is no fault.

    Only the sources that the stamp names are compared: a law does not depend on those of games.

    Parameters
    ----------
    stamp
        That of the file; None if it has none, as files of earlier versions.
    here
        That of this process; made if None.
    again
        Computes the fixed results of the stamp by this program; called if another one computed the file.
    same
        What of the whole file came out the same by this program, in words.
    """
    from brickphys.stamp import stamp_here

    if stamp is None:
        return Check(f"{NO_STAMP}: the file does not say what computed it")
    changes = stamp.differences((here or stamp_here()).of(stamp.sources))
    told, found = "by these sources", again() if changes and stamp.results else {}
    if found and not (others := stamp.other_results(found)):
        same = f"all {sum(map(len, found.values())):,} fixed results ({', '.join(found)}) come out the same"
    elif found:
        changes = [*others, *changes]
    if changes:
        told = f"not by these sources, but {same}" if same else "not by these sources"
        told += f": {listed(changes)}"
    return Check(f"stamp {stamp.digest}: computed {told}")
