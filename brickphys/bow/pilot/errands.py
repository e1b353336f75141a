"""Errands: in how many rounds a vehicle brings a carrier to its aim, or comes near an enemy's carrier; no rule.

The route of an enemy's carrier is foreseen as the best one that it has. A hunter goes where it can be as soon as the
carrier: that is what cutting off means.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, radians, sin

import numpy as np

from brickphys.bow.field import Stud, Studs
from brickphys.bow.pilot.routes import FAR_ROUNDS, Rates, Roads, roads
from brickphys.bow.reach import FAR, members, middles, steps_from
from brickphys.bow.sheets.sheet import move_studs
from brickphys.bow.state import NOBODY, State, VehicleState
from brickphys.bow.terrain import Terrain
from brickphys.bow.threat import place
from brickphys.units import Array

GET_OFF_ROUNDS = 0.6
"""What stopping and getting off takes."""
_NEAR_STUDS = 9.0
"""A hunter that is no farther from a carrier has caught it up."""
_BLOCK_STUDS = 4
"""The place of a carrier counts by blocks of so many studs."""
_FORESEEN = (0, 1, 2, 3)
"""After how many rounds it is foreseen where a carrier is."""


def rounds_with(
    state: State, vehicle: int, unit: int, area: Studs, poses: Sequence[VehicleState]
) -> Array:
    """Return the rounds in which a unit aboard comes to an area, if its vehicle is at some poses; with getting off.

    Returns
    -------
    ndarray, shape (poses,)
    """
    sheet, terrain = state.units[unit].sheet, state.board.terrain
    pace = max(1, sheet.move * sheet.action_budget)
    found, walk = roads(state, vehicle), _walk(terrain, area, pace)
    still, moving = _carrying(found, terrain, area, pace)
    is_driven = state.pilot(vehicle) != NOBODY
    rounds = []
    for pose in poses:
        at = found.index(pose.x_studs, pose.y_studs, pose.heading_deg)
        stud = stud_under(state, pose)
        best = float(walk[stud]) + (1.0 if pose.speed else 0.0)
        if is_driven:
            best = min(best, float((moving if pose.speed else still)[at]))
        rounds.append(FAR_ROUNDS if pose.gone else best)
    return np.array(rounds)


@lru_cache(maxsize=64)
def _walk(terrain: Terrain, area: Studs, pace: int) -> Array:
    """Return the rounds that a unit needs that gets off over each stud, shape (studs,)."""
    steps = steps_from(terrain, area)
    rounds: Array = np.where(steps >= FAR, FAR_ROUNDS, GET_OFF_ROUNDS + steps / pace)
    field = terrain.field
    grid = rounds.reshape(field.length, field.width)
    padded = np.pad(grid, 2, constant_values=FAR_ROUNDS)
    for up in range(5):
        for right in range(5):  # no figure can stand there, but a vehicle may be over it
            near = padded[up : up + field.length, right : right + field.width]
            grid = np.minimum(grid, near + 0.1)
    return grid.reshape(-1)


@lru_cache(maxsize=64)
def _carrying(found: Roads, terrain: Terrain, area: Studs, pace: int) -> tuple[Rates, Rates]:
    still = found.rates(_walk(terrain, area, pace))
    return still, found.moved(still)


def rounds_to_prey(
    state: State, vehicle: int, prey: int, area: Studs, poses: Sequence[VehicleState]
) -> Array:
    """Return the rounds in which a vehicle at some poses cuts an enemy's carrier off, or catches it up.

    Returns
    -------
    ndarray, shape (poses,)
    """
    found = roads(state, vehicle)
    rates = _hunting(found, way_of(state, prey, area))
    rounds = [
        FAR_ROUNDS
        if pose.gone
        else float(rates[found.index(pose.x_studs, pose.y_studs, pose.heading_deg)])
        for pose in poses
    ]
    return np.array(rounds)


@lru_cache(maxsize=256)
def _hunting(found: Roads, places: tuple[Stud, ...]) -> Rates:
    best = np.full(found.free.shape, FAR_ROUNDS, np.float32)
    for rounds, at in zip(_FORESEEN, places, strict=True):
        x, y = (part // _BLOCK_STUDS * _BLOCK_STUDS for part in found.field.xy(at))
        rates = _near(found, x, y)
        late = np.maximum(rates, np.float32(rounds)) + np.float32(0.1) * rates
        best = np.minimum(best, late)
    return best


@lru_cache(maxsize=512)
def _near(found: Roads, x: int, y: int) -> Rates:
    """Return the rounds in which a vehicle comes near a block of studs, given its first column and row."""
    xs, ys = middles(found.field)
    half = _BLOCK_STUDS / 2
    away = np.hypot(xs - x - half, ys - y - half)
    return found.rates(np.maximum(away - _NEAR_STUDS, 0.0) / 10.0)


def way_of(state: State, unit: int, area: Studs) -> tuple[Stud, ...]:
    """Return where a carrier will be now, and after each of the next rounds, if it hurries to its aim."""
    now, terrain, at = state.units[unit], state.board.terrain, place(state, unit)
    sheet = now.sheet
    pace = max(1, sheet.move * sheet.action_budget)
    if now.rides and now.seat is not None and state.pilot(now.seat[0]) != NOBODY:
        vehicle = now.seat[0]
        found, there = roads(state, vehicle), state.vehicles[vehicle]
        rates = _carrying(found, terrain, area, pace)[0]
        pose, places = found.index(there.x_studs, there.y_studs, there.heading_deg), [at]
        for _ in _FORESEEN[1:]:
            pose = found.best_after(rates, pose)
            places.append(int(np.flatnonzero(found.cell_of_stud == pose[1])[0]))
        return tuple(places)
    return _walk_of(terrain, area, at, pace)


@lru_cache(maxsize=64)
def _walk_of(terrain: Terrain, area: Studs, at: Stud, pace: int) -> tuple[Stud, ...]:
    steps, field = steps_from(terrain, area), terrain.field
    xs, ys = middles(field)
    studs = members(field, area)
    to = studs[np.argmin(np.hypot(xs[studs] - xs[at], ys[studs] - ys[at]))]
    straight = np.hypot(xs - xs[to], ys - ys[to])
    places = [at]
    for count in range(_FORESEEN[-1] * pace):
        x, y = field.xy(at)
        near = [
            field.stud(x + dx, y + dy)
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            if field.contains(x + dx, y + dy)
        ]
        at = min(near, key=lambda stud: (int(steps[stud]), float(straight[stud])))
        if (count + 1) % pace == 0:
            places.append(at)
    return tuple(places)


def heads_out(state: State, pose: VehicleState) -> bool:
    """Tell whether a vehicle at a pose leaves the field by its next move, if nothing stops it and nobody steers."""
    if pose.gone or not pose.speed:
        return False
    field, angle = state.setting.field, radians(pose.heading_deg)
    far = move_studs(pose.speed)
    x, y = pose.x_studs + far * cos(angle), pose.y_studs + far * sin(angle)
    return not (0.0 <= x <= field.width and 0.0 <= y <= field.length)


def stud_under(state: State, pose: VehicleState) -> Stud:
    """Return the stud under the middle of a pose, or the nearest one on the field."""
    field = state.setting.field
    x = min(max(int(pose.x_studs), 0), field.width - 1)
    y = min(max(int(pose.y_studs), 0), field.length - 1)
    return y * field.width + x
