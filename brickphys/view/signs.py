"""Signs: the way of a vehicle or a ship, what its hull sweeps over, and stars where it hits, drawn alike everywhere."""

from collections.abc import Iterator, Sequence

from brickphys.geometry.polygon import Point
from brickphys.rules.scene import Way
from brickphys.text import spoken
from brickphys.view.recording import Sign

WAY, LATER, STAR = "white", "#9fb3c8", "orange"
"""Colours of a way, of one that comes later, and of what is hit."""
Signed = tuple[Sign, Sequence[Point], str, str]
"""A sign, its places on the field, its colour and its text."""


def way_signs(way: Way) -> Iterator[Signed]:
    """Yield the signs of a way: the way itself, the hulls, and a star for each hit."""
    colour = LATER if way.is_later else WAY
    yield Sign.WAY, [pose.centre_studs for pose in way.poses], colour, ""
    for outline in way.swept:
        yield Sign.AREA, outline, STAR if way.hits else colour, ""
    for name, at, side in way.hits:
        yield Sign.HIT, [at], STAR, f"{spoken(name)}{side and f', {side}'}"
