"""Names: lists of names of units, and names of directions."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from string import digits

from brickphys.grid.directions import SIDE_NAMES, nearest_facing


def names_text(names: Iterable[str]) -> str:
    """Write names, those that differ only by consecutive numbers as one: ``hind_sailor_2..5``."""
    return ", ".join(_grouped(names))


def compass(heading_deg: float) -> str:
    """Return the direction of a heading in words: ``north-east``."""
    return SIDE_NAMES[nearest_facing(heading_deg)]


def _grouped(names: Iterable[str]) -> Iterator[str]:
    """Yield names, runs of consecutive numbers as one."""
    parts = [(name.rstrip(digits), name) for name in names]
    numbered = enumerate((stem, int(name[len(stem) :] or -1)) for stem, name in parts)
    for (stem, _), run in groupby(numbered, lambda entry: (entry[1][0], entry[1][1] - entry[0])):
        numbers = [number for _, (_, number) in run]
        if numbers[0] < 0:
            yield stem
        else:
            yield f"{stem}{numbers[0]}" + f"..{numbers[-1]}" * (len(numbers) > 1)
