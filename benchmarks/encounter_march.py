"""March: encounters of two vehicles that move in time, by shapely's distances of whole outlines.

A gap narrows no faster than the fastest points of both bodies move, so a body that is clear stays clear for as long as
that takes. Whether there is a contact at all is asked with one body drawn in by a share of the tolerance, as
`brickphys.vehicles.validation.bisection` asks it.
"""

from collections.abc import Iterator
from math import inf, isfinite, isnan, nan, radians, sqrt
from typing import Any, NamedTuple

import numpy as np

from brickphys.geometry.polygon import TOLERANCE
from brickphys.vehicles.encounter import encounters_of
from brickphys.vehicles.scene import Scene, Vehicle
from brickphys.vehicles.validation.bisection import (
    UNDECIDED,
    Leg,
    _inset,
    _least,
    _turned,
    cores_of,
    shapely,
)

_MOST_STEPS = 20_000
_TOUCH = 1e-12
_ROOM = 1e-3
"""Studs: gaps are known to be no smaller than is told, but for this."""


class _Piece(NamedTuple):
    """What a body does from a time on: a leg, its extent, speed and acceleration; how far it was turned and shifted."""

    begin: float
    end: float
    leg: Leg | None
    speed: float
    growth: float
    turn: complex
    shift: complex
    fastest: float


class Body:
    """A vehicle on its trajectory, its sides drawn in by a length."""

    def __init__(self, scene: Scene, vehicle: Vehicle, less_studs: float = 0.0) -> None:
        self.cores = [_inset(core, less_studs) for core in cores_of(vehicle)]
        self.pieces = list(_pieces(scene, vehicle, self.cores))

    def at(self, t: float) -> tuple[list[tuple[Any, float]], float, float]:
        """Return its parts at a time, how fast any point of it may be from then on, and until when."""
        piece = next(one for one in self.pieces if t < one.end)
        turn, shift = piece.turn, piece.shift
        if piece.leg:
            late = t - piece.begin
            share = min((piece.speed + piece.growth * late / 2) * late / piece.leg.extent, 1.0)
            shift = piece.leg.moved(shift, share)
            turn *= np.exp(1j * piece.leg.angle_rad * share)
        parts = [
            (shapely().transform(core, lambda flat: _turned(flat, turn, shift)), radius)
            for core, radius in self.cores
        ]
        return parts, piece.fastest, piece.end


def _pieces(scene: Scene, vehicle: Vehicle, cores: list[tuple[Any, float]]) -> Iterator[_Piece]:
    """Yield what a vehicle does, worked out in complex numbers; at last it stands."""
    t, turn, shift = 0.0, 1.0 + 0j, 0j
    centre, heading = complex(*vehicle.centre_studs), vehicle.heading_deg
    corners = [
        complex(x, y) for core, _ in cores for x, y in shapely().get_coordinates(core).tolist()
    ]
    for timed in vehicle.trajectory:
        leg = Leg(scene, 0, timed.piece, centre, heading) if timed.piece else None
        needs, fastest = timed.wait_s, 0.0
        if leg:
            last = sqrt(timed.speed**2 + 2 * timed.acceleration * leg.extent)
            needs, fastest = 2 * leg.extent / (timed.speed + last), max(timed.speed, last)
            if leg.angle_rad:
                arms = [abs(corner * turn + shift - leg.pivot) for corner in corners]
                fastest = radians(fastest) * (max(arms) + max(radius for _, radius in cores))
        yield _Piece(t, t + needs, leg, timed.speed, timed.acceleration, turn, shift, fastest)
        t += needs
        if leg:
            turn, shift = turn * np.exp(1j * leg.angle_rad), leg.moved(shift, 1.0)
            centre, heading = leg.after(1.0)
    yield _Piece(t, inf, None, 0.0, 0.0, turn, shift, 0.0)


def first_so_near(one: Body, other: Body, gap_studs: float = 0.0) -> float:
    """Return when the gap of two bodies is first as small as this; infinite if it never is, nan if too many steps."""
    t = 0.0
    for _ in range(_MOST_STEPS):
        (ours, fast, end), (theirs, their_fast, their_end) = one.at(t), other.at(t)
        room, until = _least(ours, theirs) - gap_studs, min(end, their_end)
        if room <= _TOUCH:
            return t
        if until == inf and fast + their_fast == 0.0:
            return inf
        t = min(t + room / (fast + their_fast), until) if fast + their_fast else until
    return nan


def faults(scene: Scene) -> tuple[list[str], int]:
    """Return what is wrong with the encounters of a scene of two vehicles, and how many questions are undecided."""
    one, other = scene.in_time
    (told,) = (encounters_of(scene) or encounters_of(scene)).found  # type: ignore[union-attr]
    bodies = [Body(scene, one, less) for less in (0.0, *(share * TOLERANCE for share in UNDECIDED))]
    still = Body(scene, other)
    touch, maybe, sure = (first_so_near(body, still) for body in bodies)
    contact = inf if told["time_s"] is None else told["time_s"]
    if any(map(isnan, (touch, maybe, sure))):
        return [], 1
    if isfinite(maybe) != isfinite(sure):
        return [], 1
    if isfinite(contact) != isfinite(sure):
        return [f"contact at {contact!r} s, by marching {touch!r} to {sure!r}"], 0
    found = []
    if isfinite(contact):
        gap = _least(bodies[0].at(contact)[0], still.at(contact)[0])
        if not (touch - 1e-9 <= contact <= maybe + 1e-9 and gap < 1e-9):
            found.append(
                f"contact at {contact!r} s, by marching {touch!r} to {maybe!r}, gap {gap:.3g}"
            )
        return found, 0
    if told["gap_studs"] is None or "gap_studs" in told["undecided"]:
        return [], 1
    there = _least(bodies[0].at(told["gap_at_s"])[0], still.at(told["gap_at_s"])[0])
    if abs(there - told["gap_studs"]) > 2e-9:
        found.append(
            f"gap {told['gap_studs']!r} studs at {told['gap_at_s']!r} s, by shapely {there!r}"
        )
    if told["gap_studs"] > _ROOM and isfinite(
        first_so_near(bodies[0], still, told["gap_studs"] - _ROOM)
    ):
        found.append(f"gap {told['gap_studs']!r} studs: a smaller one was found")
    return found, 0
