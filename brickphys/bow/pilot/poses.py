"""Poses: what it is worth for a vehicle and its crew to be somewhere, for many poses at once; for bots, no rule.

A crew counts as if each of it stood under the middle of the vehicle, as far as it can be hit there; the vehicle as a
target of its own. Worths are cost points.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from brickphys.bow.actions.movement import is_enclosed
from brickphys.bow.outlook import PARTS, Outlook
from brickphys.bow.pilot.errands import stud_under
from brickphys.bow.reach import steps_from
from brickphys.bow.state import State, VehicleState
from brickphys.bow.threat import Marks, Ways, strike
from brickphys.bow.worth import Worth
from brickphys.units import Array, Indices, Mask

Table = TypeVar("Table", Ways, Marks)
"""A table with a row for each way or mark."""

_SHARED = 0.25
"""The part that counts of what an enemy could as well do to somebody else."""


class PoseWorths:
    """What poses of a vehicle are worth in a state by what its crew can do there, and what can be done to it."""

    def __init__(self, state: State, vehicle: int, worth: Worth) -> None:
        self._state, self._vehicle, self._worth = state, vehicle, worth
        now = Outlook.of(state)
        ways, marks = now.forces.ways, now.forces.marks
        crew = state.occupants(vehicle)
        team = state.setting.team(crew[0]) if crew else state.setting.teams[state.player]
        teams = np.array(state.setting.unit_teams)
        worths = now.mark_values
        hostile = now.forces.mark_teams != team
        self._prey = _picked(marks, np.flatnonzero(hostile))
        self._prey_worths = worths[hostile]
        own = np.isin(marks.unit, [one for one in crew if not is_enclosed(state, one)])
        own |= marks.vehicle == vehicle
        self._own, self._own_worths = _picked(marks, np.flatnonzero(own)), worths[own]
        self._crew = _picked(ways, np.flatnonzero(np.isin(ways.owner, crew)))
        enemies = (
            np.flatnonzero(teams[ways.owner] != team) if len(ways.owner) else np.array([], int)
        )
        self._enemies = _picked(ways, enemies)
        gains = now.forces.pairs(worth.shares) * worths[None, :]
        elsewhere = gains[np.ix_(enemies, np.flatnonzero(~hostile & ~own))]
        self._elsewhere = elsewhere.max(axis=1, initial=0.0)
        self._haste = np.array(
            [
                1.0 if state.is_unplayed(one) else PARTS["played"]
                for one in self._enemies.owner.tolist()
            ]
        )

    def values(self, poses: Sequence[VehicleState]) -> Array:
        """Return the worth of poses by dangers and chances, in cost points, shape (poses,)."""
        studs = np.array([stud_under(self._state, pose) for pose in poses], dtype=np.intp)
        chances, dangers = self._chances(poses, studs), self._dangers(poses, studs)
        weights = self._worth.weights
        found: Array = weights["later"] * chances - weights["next"] * dangers
        return found

    def _dangers(self, poses: Sequence[VehicleState], studs: Indices) -> Array:
        """Return what enemies take from crew and vehicle, shape (poses,)."""
        enemies, own = self._enemies, self._own
        if not len(enemies.owner) or not len(own.unit):
            return np.zeros(len(poses))
        terrain = self._state.board.terrain
        steps = np.stack([steps_from(terrain, 1 << int(at))[studs] for at in enemies.stud])
        count = len(own.unit)
        places = np.array([[pose.x_studs, pose.y_studs] for pose in poses]).repeat(count, axis=0)
        marks = _each(own, lambda column: np.tile(column, len(poses)))._replace(
            stud=studs.repeat(count),
            x=places[:, 0],
            y=places[:, 1],
            in_air=self._in_air(poses).repeat(count),
        )
        each_steps = steps.repeat(count, axis=1).astype(float)
        found = strike(self._worth.shares, self._state, enemies, marks, each_steps)
        found = found.reshape(len(enemies.owner), len(poses), count)
        best = (found * self._own_worths).max(axis=2)
        elsewhere = self._elsewhere[:, None]
        extra = np.maximum(best - elsewhere, 0.0) + _SHARED * np.minimum(best, elsewhere)
        taken = _of_owners(enemies.owner, extra * self._haste[:, None]).sum(axis=0)
        points: Array = np.minimum(taken, self._own_worths.sum())
        return points

    def _in_air(self, poses: Sequence[VehicleState]) -> Mask:
        """Return whether the vehicle is in the air, shape (poses,)."""
        flying = self._state.setting.vehicles[self._vehicle].sheet.flying
        return np.array([flying and pose.speed > 0 for pose in poses], dtype=bool)

    def _chances(self, poses: Sequence[VehicleState], studs: Indices) -> Array:
        """Return what the crew takes from enemies, shape (poses,)."""
        crew, prey = self._crew, self._prey
        if not len(crew.owner) or not len(prey.unit):
            return np.zeros(len(poses))
        terrain, now = self._state.board.terrain, self._state.vehicles[self._vehicle]
        steps = np.stack([steps_from(terrain, 1 << int(at))[studs] for at in prey.stud], axis=-1)
        count = len(crew.owner)
        places = np.tile([[pose.x_studs, pose.y_studs] for pose in poses], (count, 1))
        turns = np.radians([pose.heading_deg - now.heading_deg for pose in poses])
        c, s = np.tile(np.cos(turns), count), np.tile(np.sin(turns), count)
        ways = _each(crew, lambda column: column.repeat(len(poses)))
        ways = ways._replace(
            stud=np.tile(studs, count),
            x=places[:, 0],
            y=places[:, 1],
            in_air=np.tile(self._in_air(poses), count),
            ahead_x=c * ways.ahead_x - s * ways.ahead_y,
            ahead_y=s * ways.ahead_x + c * ways.ahead_y,
        )
        each_steps = np.tile(steps, (count, 1)).astype(float)
        found = strike(self._worth.shares, self._state, ways, prey, each_steps)
        found = found.reshape(count, len(poses), len(prey.unit))
        best = (found * self._prey_worths).max(axis=2)
        points: Array = _of_owners(crew.owner, best).sum(axis=0)
        return points


def _each(table: Table, change: Callable[[Any], Any]) -> Table:
    """Return a table with all its columns changed alike."""
    columns: list[Any] = [change(column) for column in table]
    return type(table)(*columns)


def _picked(table: Table, rows: Indices) -> Table:
    return _each(table, lambda column: column[rows])


def _of_owners(owners: Indices, gains: Array) -> Array:
    """Return the best way of each unit, shape (units, poses)."""
    names = np.unique(owners)
    return np.stack([gains[owners == one].max(axis=0) for one in names])
