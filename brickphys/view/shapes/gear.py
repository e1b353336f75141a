"""Gear: what figures hold, about the hand: x ahead, z up, in mm; things that have no looks of their own are a box."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np

from brickphys.arrays import Triple
from brickphys.reading import shipped_toml
from brickphys.shapes.brick import regular_polygon
from brickphys.view.recording import Shape, Surface
from brickphys.view.shapes.solids import box, merged, moved, prism

RIGHT_HAND_MM: Triple = (4.4, -4.6, 17.8)
LEFT_HAND_MM: Triple = (4.4, 4.6, 17.8)
"""Where the hands of a figure are that stands on height 0 and looks along x."""
HEAD_MM = 28.8
"""Where its head begins."""

_Part = tuple[str, Triple, Triple, str]
_UNKNOWN: tuple[_Part, ...] = (("box", (-1.5, -1.5, -2.0), (1.5, 1.5, 6.0), "dark_grey"),)


@lru_cache
def gear(name: str) -> Shape:
    """Return what a hand holds, by its name; its origin is the hand."""
    parts = _parts().get(name, _UNKNOWN)
    return Shape(f"gear {name}", merged(_surface(*one) for one in parts))


@lru_cache
def _parts() -> Mapping[str, Sequence[_Part]]:
    return shipped_toml(files("brickphys.view.shapes") / "gear.toml")


def _surface(form: str, low: Triple, high: Triple, colour: str) -> Surface:
    """Return a box between two corners, or a round rod: its lower middle, then its radii and its upper end."""
    if form == "box":
        return box(low, high, colour)
    (x, y, bottom), (radius, _, top) = low, high
    return moved(prism(regular_polygon(radius, 8), bottom, top, colour), (x, y, 0.0))


@lru_cache
def shield(colour: str) -> Shape:
    """Return a shield in a colour, before the left hand."""
    rim = regular_polygon(6.5, 16)
    flat, boss = prism(rim, 0.0, 1.0, colour), prism(0.3 * rim, 1.0, 2.0, "pale_grey")
    return Shape(f"shield {colour}", tuple(_upright(one) for one in (flat, boss)))


def _upright(surface: Surface) -> Surface:
    """Return a surface with what was up ahead, and what was ahead down."""
    x, y, z = surface.points_mm.T
    return Surface(surface.colour, np.column_stack([z + 2.0, y, -x]), surface.corners)


@lru_cache
def helmet(colour: str) -> Shape:
    """Return a helmet over the cap of a figure that stands on height 0."""
    bowl = prism(regular_polygon(5.2, 16), HEAD_MM - 3.2, HEAD_MM + 3.4, colour, 0.75)
    return Shape(f"helmet {colour}", (moved(bowl, (-0.6, 0.0, 8.6)),))


@lru_cache
def lying(name: str) -> Shape:
    """Return a thing as it lies on the ground."""
    parts = [
        _upright(one) for one in (shield("white") if name == "shield" else gear(name)).surfaces
    ]
    low = min(float(one.points_mm[:, 2].min()) for one in parts)
    return Shape(f"lying {name}", tuple(moved(one, (0.0, 0.0, -low)) for one in parts))
