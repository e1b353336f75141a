"""Threat: what every unit may do to every other one in a single turn, by the exact law of its attacks.

A share is the part of the worth of a target that is lost: wounds count by the health that they take, death counts more.
Everything is worked out for many pairs at once: of units, or of a unit and places where it might be. Walls count, by
the tables of `reach`; units and vehicles in between do not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import cos, radians, sin
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brickphys.bow import threat_kernel
from brickphys.bow.actions.movement import is_enclosed
from brickphys.bow.actions.targets import FIRST_STUD, WeaponInUse, hand_weapons, weapons_in_use
from brickphys.bow.field import Field, Stud
from brickphys.bow.reach import (
    AHEAD,
    blocks,
    middles,
    sight_after_walk,
    sight_between,
    steps_from,
)
from brickphys.bow.setting import Setting
from brickphys.bow.sheets.library import EffectKind, OpposedAction, TargetSide, TargetType
from brickphys.bow.sheets.rulebook import COVER_BRICKS, RULER_STUDS, STUDS_PER_SPEED
from brickphys.bow.sheets.sheet import MinifigSheet
from brickphys.bow.state import NOBODY, State, UnitState
from brickphys.bow.terrain import terrain
from brickphys.odds.law import RollLaw
from brickphys.units import Array, Indices, Mask

_MOST_BRICKS = 16
_MOST_HEALTH = 12
_MOST_ATTACKS = 4
_KILLED = 0.6
"""The part of a target's worth that is lost only by its death; the rest is lost by its wounds."""
_ALL_ROUND_DEG = 360
_SHOT: Array = np.array([FIRST_STUD, RULER_STUDS, COVER_BRICKS], float)


class Shares:
    """Damage laws, and the shares of a target's worth that a number of attacks take, for one law of bricks.

    More than 16 bricks, 12 points of health or 4 attacks count as so many.
    """

    def __init__(self, brick_law: RollLaw) -> None:
        counts = range(_MOST_BRICKS + 1)
        rolls = [self._roll(brick_law, bricks) for bricks in counts]
        self._laws = [[_damage(one, other) for other in rolls] for one in rolls]
        shape = (_MOST_BRICKS + 1, _MOST_BRICKS + 1, _MOST_HEALTH + 1, _MOST_ATTACKS + 1)
        self.table = np.zeros(shape)
        for attack in counts[1:]:
            for defence in counts:
                self.table[attack, defence] = _series(self._laws[attack][defence])

    @staticmethod
    def _roll(brick_law: RollLaw, bricks: int) -> Array:
        law = np.zeros(_MOST_BRICKS + 1)
        if not bricks:
            law[0] = 1.0
            return law
        for score, chance in brick_law.roll(bricks).items():
            law[score] += float(chance)
        return law

    def damage(self, attack: int, defence: int) -> Array:
        """Return the chance of 0, 1, 2, ... damage points of an attack, shape (17,)."""
        return self._laws[min(max(attack, 0), _MOST_BRICKS)][min(defence, _MOST_BRICKS)]

    def of(
        self,
        attack: npt.ArrayLike,
        defence: npt.ArrayLike,
        health: npt.ArrayLike,
        attacks: npt.ArrayLike,
    ) -> Array:
        """Return the share that a number of equal attacks take, for arrays of bricks, health and numbers of attacks."""
        found: Array = self.table[
            np.clip(attack, 0, _MOST_BRICKS),
            np.minimum(defence, _MOST_BRICKS),
            np.clip(health, 0, _MOST_HEALTH),
            np.clip(attacks, 0, _MOST_ATTACKS),
        ]
        return found

    @staticmethod
    def lost(damage: int, health: int) -> float:
        """Return the share that is lost with so much damage of the health that is left."""
        done = min(damage, health)
        return (1.0 - _KILLED) * done / health + _KILLED * (done >= health)


def _damage(attack: Array, defence: Array) -> Array:
    both = np.outer(attack, defence)
    law = np.zeros(_MOST_BRICKS + 1)
    law[0] = np.tril(both.T).sum()
    for points in range(1, _MOST_BRICKS + 1):
        law[points] = np.trace(both, -points)
    return law


def _series(law: Array) -> Array:
    """Return the shares of a target by its health and the number of attacks, shape (13, 5)."""
    healths = np.arange(_MOST_HEALTH + 1)
    step = np.zeros((len(healths), len(healths)))
    for health in healths.tolist():
        for points, chance in enumerate(law.tolist()):
            step[health, max(0, health - points)] += chance
    lost = 1.0 - healths[None, :] / np.maximum(healths[:, None], 1)
    worth = (1.0 - _KILLED) * np.clip(lost, 0.0, 1.0)
    worth[:, 0] += _KILLED
    worth[0] = 0.0
    found = np.zeros((len(healths), _MOST_ATTACKS + 1))
    after = np.eye(len(healths))
    for attacks in range(1, _MOST_ATTACKS + 1):
        after = after @ step
        found[:, attacks] = (after * worth).sum(axis=1)
    return found


class Ways(NamedTuple):
    """Ways to attack, one a row: each unit with each of its weapons, and each vehicle that may run over somebody.

    Attributes
    ----------
    owner : ndarray of int
        The unit.
    stud, x, y, radius
        Where it is, and how far its body reaches from there, in studs.
    bricks, reach, is_shot
        Of the weapon.
    move, most_walks, actions
        How far it goes with one action, how often, and how many actions it has.
    ahead_x, ahead_y
        What it looks at; both 0 for all around.
    in_air
        Whether it shoots from a vehicle in the air, over what stands on the ground.
    bolt_studs
        The range of a custom action that damages (BOW B.3); 0 for weapons.
    is_run
        Whether it is a vehicle that runs over units.
    """

    owner: Indices
    stud: Indices
    x: Array
    y: Array
    radius: Array
    bricks: Indices
    reach: Array
    is_shot: Mask
    move: Array
    most_walks: Array
    actions: Array
    ahead_x: Array
    ahead_y: Array
    in_air: Mask
    bolt_studs: Array
    is_run: Mask


class Marks(NamedTuple):
    """What may be attacked, one a row: units that are not inside a vehicle, then vehicles.

    Attributes
    ----------
    unit, vehicle : ndarray of int
        The number of the unit or of the vehicle, else -1.
    stud, x, y, radius
        Where it is, and how far its body reaches from there, in studs.
    defence, health
        Bricks that resist, and the health that is left.
    on_foot
        Whether a vehicle may run it over.
    in_air
        Whether it is a vehicle in the air or rides on one: what stands on the ground hides it from nobody.
    """

    unit: Indices
    vehicle: Indices
    stud: Indices
    x: Array
    y: Array
    radius: Array
    defence: Indices
    health: Indices
    on_foot: Mask
    in_air: Mask


@dataclass(frozen=True, eq=False)
class Forces:
    """Who can attack whom in a state, as arrays; made by `forces`."""

    state: State
    ways: Ways
    marks: Marks

    @cached_property
    def places(self) -> dict[int, Stud]:
        """The stud of each unit in play; of one that rides, the one under the middle of its vehicle."""
        return {unit: place(self.state, unit) for unit, _ in self.state.in_play()}

    def pairs(self, shares: Shares) -> Array:
        """Return the share that each way takes from each mark in a turn, shape (ways, marks); 0 among friends."""
        ways, marks, state = self.ways, self.marks, self.state
        if not len(ways.owner) or not len(marks.unit):
            return np.zeros((len(ways.owner), len(marks.unit)))
        ground, teams = terrain(state.setting.field, state.open_ids), state.setting.unit_teams
        steps = [steps_from(ground, 1 << stud)[ways.stud] for stud in marks.stud.tolist()]
        found = strike(shares, state, ways, marks, np.array(steps, float).T.copy())
        hostile: Mask = np.array(teams)[ways.owner][:, None] != self.mark_teams[None, :]
        return found * hostile

    @cached_property
    def mark_teams(self) -> Indices:
        """The team of each mark: of a vehicle, that of its crew, or else of who drove it last."""
        setting, state = self.state.setting, self.state
        units, vehicles = self.marks.unit.tolist(), self.marks.vehicle.tolist()
        return np.array(
            [
                setting.team(unit) if unit != NOBODY else vehicle_team(state, vehicle)
                for unit, vehicle in zip(units, vehicles, strict=True)
            ],
            dtype=np.intp,
        )


def strike(shares: Shares, state: State, ways: Ways, marks: Marks, steps: Array) -> Array:
    """Return the share that each way takes from each mark in one turn, shape (ways, marks).

    The same unit may be at many places in the ways and marks; `steps` are those between them, of the same shape. The
    state tells where doors are open.
    """
    ground = terrain(state.setting.field, state.open_ids)
    most = int(np.max(ways.move, where=ways.is_shot, initial=0.0))
    seen = sight_between(ground)
    then = sight_after_walk(ground, most) if most else seen
    rows, columns = np.array(ways, float).T.copy(), np.array(marks, float).T.copy()
    of_stud = blocks(ground).of_stud
    return threat_kernel.pairs(rows, columns, steps, of_stud, seen, then, shares.table, _SHOT)


def place(state: State, unit: int) -> Stud:
    """Return the stud of a unit; of one that rides, the one under the middle of its vehicle."""
    stud = state.units[unit].stud
    if stud is not None:
        return stud
    seat = state.units[unit].seat
    assert seat is not None
    return vehicle_place(state, seat[0])


def vehicle_place(state: State, vehicle: int) -> Stud:
    """Return the stud under the middle of a vehicle, or the nearest one on the field."""
    field, now = state.setting.field, state.vehicles[vehicle]
    x = min(max(now.x_studs, 0.0), field.width - 1e-3)
    y = min(max(now.y_studs, 0.0), field.length - 1e-3)
    return field.square_at(x, y)


def vehicle_team(state: State, vehicle: int) -> int:
    """Return the team of the crew of a vehicle; of an empty one, that of who drove it last."""
    crew = state.occupants(vehicle)
    setting = state.setting
    return setting.team(crew[0]) if crew else setting.teams[state.vehicles[vehicle].driver]


def vehicle_radius(state: State, vehicle: int) -> float:
    """Return half the mean side of a vehicle in studs."""
    size = state.setting.vehicles[vehicle].sheet.footprint
    return (size.length_studs + size.width_studs) / 4.0


@lru_cache(maxsize=512)
def forces(state: State) -> Forces:
    """Return who can attack whom in a state."""
    ways = [row for unit, _ in state.in_play() for row in unit_ways(state, unit)]
    rows = np.array(ways, float).reshape(-1, len(Ways._fields))
    kinds: dict[str, type] = dict.fromkeys(("owner", "stud", "bricks"), np.intp)
    kinds |= dict.fromkeys(("is_shot", "in_air", "is_run"), bool)
    columns = zip(Ways._fields, rows.T, strict=True)
    arrays: list[npt.NDArray[Any]] = [row.astype(kinds.get(name, float)) for name, row in columns]
    return Forces(state, Ways._make(arrays), _marks(state))


def unit_ways(state: State, unit: int) -> Sequence[tuple[float, ...]]:
    """Return the ways of a unit to attack, as rows of `Ways`."""
    if state.units[unit].on_foot:
        return _foot_ways(state.setting, unit, state.units[unit])
    return tuple(_seat_ways(state, unit))


@lru_cache(maxsize=4096)
def _foot_ways(setting: Setting, unit: int, now: UnitState) -> tuple[tuple[float, ...], ...]:
    assert now.stud is not None
    sheet, (xs, ys) = now.sheet, middles(setting.field)
    actions = max(0, sheet.action_budget - now.held_up)
    ahead_x, ahead_y = AHEAD[now.facing].tolist()
    here = unit, now.stud, float(xs[now.stud]), float(ys[now.stud]), 0.0
    move, walks = float(sheet.move), float(actions)
    ways = [
        (weapon.bricks, weapon.reach_studs, weapon.is_shot, weapon.shots_per_turn, 0.0)
        for weapon in hand_weapons(sheet)
    ]
    ways += [(bricks, 0, True, None, studs) for bricks, studs in bolts(setting, sheet)]
    return tuple(
        (
            *here, bricks, reach, is_shot, move, walks,
            actions if shots is None else min(actions, shots + walks),
            ahead_x, ahead_y, False, bolt_studs, False,
        )
        for bricks, reach, is_shot, shots, bolt_studs in ways
    )  # fmt: skip


def _seat_ways(state: State, unit: int) -> Iterator[tuple[float, ...]]:
    """Yield the ways to attack of a unit in a seat, or beside its vehicle."""
    now = state.units[unit]
    at, field = place(state, unit), state.setting.field
    xs, ys = middles(field)
    actions = max(0, now.sheet.action_budget - now.held_up)
    (vehicle, seat), move, walks = state.seat_of(unit), 0.0, 0.0
    radius, is_high = vehicle_radius(state, vehicle), state.flies(vehicle)
    sheet = state.setting.vehicles[vehicle].sheet
    if seat.pilot:
        move, walks = float(STUDS_PER_SPEED * sheet.speed), 1.0
    x, y = float(xs[at]), float(ys[at])
    for weapon in weapons_in_use(state, unit):
        ahead = _ahead(state, unit, weapon)
        most = actions if weapon.shots_per_turn is None else weapon.shots_per_turn + walks
        yield (
            unit, at, x, y, radius, weapon.bricks, weapon.reach_studs, weapon.is_shot,
            move, walks, min(actions, most), *ahead, is_high, 0.0, False,
        )  # fmt: skip
    if seat.pilot and actions and not sheet.flying:
        heading = radians(state.vehicles[vehicle].heading_deg)
        yield (
            unit, at, x, y, radius, sheet.speed, 0, False,
            move, 1.0, actions, cos(heading), sin(heading), False, 0.0, True,
        )  # fmt: skip


def bolts(setting: Setting, sheet: MinifigSheet) -> Iterator[tuple[int, float]]:
    """Yield the bricks and the range in studs of custom actions that damage enemy units (BOW B.3)."""
    for action in setting.actions.values():
        if (
            isinstance(action, OpposedAction)
            and action.effect.kind is EffectKind.DAMAGE
            and action.target is not TargetSide.FRIEND
            and TargetType.UNIT in action.on
            and action.can_act(sheet)
        ):
            yield sheet.ability(action.acting), float(max(action.range_studs, 1))


def _ahead(state: State, unit: int, weapon: WeaponInUse) -> tuple[float, float]:
    if weapon.arc_deg >= _ALL_ROUND_DEG:
        return 0.0, 0.0
    heading = radians(state.heading_deg(unit) + weapon.axis_deg)
    return cos(heading), sin(heading)


def _marks(state: State) -> Marks:
    xs, ys = middles(state.setting.field)
    rows = []
    for unit, now in state.in_play():
        if now.on_foot:
            rows.append(_foot_mark(state.setting.field, unit, now))
        elif not is_enclosed(state, unit):
            assert now.seat is not None
            at, radius = place(state, unit), vehicle_radius(state, now.seat[0])
            defence, health = now.sheet.dodge_armor + now.guard, now.sheet.health - now.damage
            is_high = state.flies(now.seat[0])
            rows.append((unit, NOBODY, at, xs[at], ys[at], radius, defence, health, False, is_high))
    for vehicle in state.vehicles_left:
        at, sheet = vehicle_place(state, vehicle), state.setting.vehicles[vehicle].sheet
        health = sheet.health - state.vehicles[vehicle].damage
        radius = vehicle_radius(state, vehicle)
        is_high = state.flies(vehicle)
        rows.append(
            (NOBODY, vehicle, at, xs[at], ys[at], radius, sheet.armor, health, False, is_high)
        )
    columns = np.array(rows, float).reshape(-1, len(Marks._fields)).T
    kinds = [np.intp, np.intp, np.intp, float, float, float, np.intp, np.intp, bool, bool]
    return Marks._make((row.astype(kind) for row, kind in zip(columns, kinds, strict=True)))


@lru_cache(maxsize=4096)
def _foot_mark(field: Field, unit: int, now: UnitState) -> tuple[float, ...]:
    """Return a unit on foot as a row of `Marks`."""
    assert now.stud is not None
    (xs, ys), at, sheet = middles(field), now.stud, now.sheet
    defence, health = sheet.dodge_armor + now.guard, sheet.health - now.damage
    x, y = float(xs[at]), float(ys[at])
    return unit, NOBODY, at, x, y, 0.0, defence, health, True, False
