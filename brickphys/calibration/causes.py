"""Causes: what is uncertain of a thrown brick, each as a uniform distribution: table, mould, edges and throw."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

from brickphys.calibration.throwers import ThrowCell
from brickphys.shapes.brick import EDGE_RADIUS_MM
from brickphys.shapes.catalogue import rounded_name
from brickphys.shapes.dimensions import default_dimensions
from brickphys.throws.conditions import HAND_SPEED_M_S, HAND_SPIN_RAD_S, Conditions
from brickphys.throws.surfaces import ContactCoefficients, Surface

THROW_FACTOR = 1.5
"""Players throw with up to this factor more or less height than the preset, and, where no reports give a range, speed
and spin: an assumption."""
EDGE_RADIUS_RANGE_MM = (0.1, 0.3)
"""Edge radius of real bricks: a supposition, since no measurement was found (``docs/models.md``)."""
LEAST_HEIGHT = 1.02
"""Least height of release over the largest radius of the body: no brick may start inside the floor."""


@dataclass(frozen=True)
class Cause:
    """An uncertain cause; any value of its range is equally likely.

    Attributes
    ----------
    low, high
        Ends of its range.
    move
        Function that returns a cell with the cause set to a value.
    """

    low: float
    high: float
    move: Callable[[ThrowCell, float], ThrowCell]


def causes(cell: ThrowCell, surface: Surface) -> Mapping[str, Cause]:
    """Return the uncertain causes of a thrown brick or plate by name: table, mould, edges and throw.

    A shape whose name states an edge radius other than the usual one has exactly that. A body of a body file has no
    mould; its edge radius has the range that its file states.
    """
    conditions = cell.conditions
    low_mm, high_mm = conditions.height_mm
    # the whole range is scaled, but never below the least height
    lowest = max(1 / THROW_FACTOR, LEAST_HEIGHT * cell.body.radius_mm / low_mm)
    middle_mm = (low_mm + high_mm) / 2
    speed = _per_axis(conditions, conditions.speed_m_s, HAND_SPEED_M_S, 2)
    spin = _per_axis(conditions, conditions.spin_rad_s, HAND_SPIN_RAD_S, 3)
    found = {
        "friction": Cause(*surface.friction, _friction),
        "restitution": Cause(*surface.restitution, _restitution),
        **(_mould(cell) if cell.file is None else {}),
        "edge_radius_mm": Cause(*_edges_of(cell), _edge_radius),
        "height_mm": Cause(lowest * middle_mm, THROW_FACTOR * middle_mm, _height),
        "speed_m_s": Cause(*speed, _condition("speed_m_s")),
        "spin_rad_s": Cause(*spin, _condition("spin_rad_s")),
    }
    return {name: cause for name, cause in found.items() if cause.low < cause.high}


def _edges_of(cell: ThrowCell) -> tuple[float, float]:
    """Return the range of the edge radius; one that the name of the shape states has no range."""
    if cell.file is not None:
        return cell.file.edge_radius_mm
    stated = cell.body.edge_radius_mm
    return EDGE_RADIUS_RANGE_MM if stated == EDGE_RADIUS_MM else (stated, stated)


def _mould(cell: ThrowCell) -> dict[str, Cause]:
    """Return the lengths of a brick, around the fitted ones, over the range that calipers find.

    Walls have 1.2 to 1.5 mm, tops from 1.0, studs 1.6 to 1.8 (see `BrickDimensions`).
    """
    mould = cell.dimensions or default_dimensions(cell.shape)
    return {
        "wall_mm": Cause(mould.wall_mm - 0.2, mould.wall_mm + 0.1, _dimension("wall_mm")),
        "top_mm": Cause(mould.top_mm - 0.1, mould.top_mm + 0.4, _dimension("top_mm")),
        "stud_height_mm": Cause(1.6, 1.8, _dimension("stud_height_mm")),
    }


def _per_axis(
    conditions: Conditions, value: float, reported: tuple[float, float], axes: int
) -> tuple[float, float]:
    """Return the range of a root mean square on each axis: as reported in all, or around a value on each axis."""
    if conditions.preset == "hand":
        return reported[0] / sqrt(axes), reported[1] / sqrt(axes)
    return value / THROW_FACTOR, value * THROW_FACTOR


def _friction(cell: ThrowCell, value: float) -> ThrowCell:
    return replace(cell, contact=ContactCoefficients(value, cell.contact.restitution))


def _restitution(cell: ThrowCell, value: float) -> ThrowCell:
    return replace(cell, contact=ContactCoefficients(cell.contact.friction, value))


def _dimension(name: str) -> Callable[[ThrowCell, float], ThrowCell]:
    def move(cell: ThrowCell, value: float) -> ThrowCell:
        mould = cell.dimensions or default_dimensions(cell.shape)
        return replace(cell, dimensions=replace(mould, **{name: value}))

    return move


def _edge_radius(cell: ThrowCell, value: float) -> ThrowCell:
    if cell.file is not None:
        return replace(cell, file=cell.file.rounded(value))
    return replace(cell, shape=rounded_name(cell.shape, value))


def _height(cell: ThrowCell, middle_mm: float) -> ThrowCell:
    low, high = cell.conditions.height_mm
    scale = 2 * middle_mm / (low + high)
    return replace(cell, conditions=replace(cell.conditions, height_mm=(low * scale, high * scale)))


def _condition(name: str) -> Callable[[ThrowCell, float], ThrowCell]:
    def move(cell: ThrowCell, value: float) -> ThrowCell:
        changed: dict[str, Any] = {name: value}
        return replace(cell, conditions=replace(cell.conditions, **changed))

    return move
