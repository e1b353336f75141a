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

from brickphys.bow.actions.movement import is_enclosed
from brickphys.bow.actions.targets import FIRST_STUD, WeaponInUse, weapons_in_use
from brickphys.bow.field import Stud
from brickphys.bow.reach import (
    AHEAD,
    COVERED,
    FAR,
    HIDDEN,
    OPEN,
    blocks,
    middles,
    sight_after_walk,
    sight_between,
    steps_from,
)
from brickphys.bow.rulebook import COVER_BRICKS, RULER_STUDS, STUDS_PER_SPEED
from brickphys.bow.sheets.library import EffectKind, OpposedAction, TargetSide, TargetType
from brickphys.bow.sheets.sheet import MinifigSheet
from brickphys.bow.state import NOBODY, State
from brickphys.odds.law import RollLaw
from brickphys.units import Array, Indices, Mask

_MOST_BRICKS = 16
_MOST_HEALTH = 12
_MOST_ATTACKS = 4
_KILLED = 0.6
"""The part of a target's worth that is lost only by its death; the rest is lost by its wounds."""
_ALL_ROUND_DEG = 360


class Shares:
    """Damage laws, and the shares of a target's worth that a number of attacks take, for one law of bricks.

    More than 16 bricks, 12 points of health or 4 attacks count as so many.
    """

    def __init__(self, brick_law: RollLaw) -> None:
        counts = range(_MOST_BRICKS + 1)
        rolls = [self._roll(brick_law, bricks) for bricks in counts]
        self._laws = [[_damage(one, other) for other in rolls] for one in rolls]
        shape = (_MOST_BRICKS + 1, _MOST_BRICKS + 1, _MOST_HEALTH + 1, _MOST_ATTACKS + 1)
        self._table = np.zeros(shape)
        for attack in counts[1:]:
            for defence in counts:
                self._table[attack, defence] = _series(self._laws[attack][defence])

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
        found: Array = self._table[
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
        terrain, teams = state.board.terrain, np.array(state.setting.unit_teams)
        rows = np.stack([steps_from(terrain, 1 << int(stud)) for stud in marks.stud], axis=1)
        found = strike(
            shares,
            state,
            Ways._make(column[:, None] for column in ways),
            marks,
            rows[ways.stud].astype(float),
        )
        hostile: Mask = teams[ways.owner][:, None] != self.mark_teams[None, :]
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
    """Return the shares that ways take from marks in one turn, by broadcasting; places may stand for either.

    Parameters
    ----------
    shares
        The shares of attacks.
    state
        Where doors are open.
    ways, marks
        Arrays that can be broadcast against each other.
    steps
        The steps between them.
    """
    terrain = state.board.terrain
    of_stud = blocks(terrain).of_stud
    dx, dy = marks.x - ways.x, marks.y - ways.y
    air = np.hypot(dx, dy)
    is_all_round = (ways.ahead_x == 0.0) & (ways.ahead_y == 0.0)
    is_ahead = is_all_round | (ways.ahead_x * dx + ways.ahead_y * dy >= -1e-6)
    turn = np.where(is_ahead, 0.0, 1.0)
    need = np.maximum(0.0, steps - ways.reach - ways.radius - marks.radius)
    walks = np.where(need > 0.0, np.ceil(need / np.maximum(ways.move, 0.1)), turn)
    walks = np.where(walks > np.maximum(ways.most_walks, turn), 99.0, walks)
    best = shares.of(
        ways.bricks, marks.defence, marks.health, np.maximum(ways.actions - walks, 0).astype(int)
    )
    if np.any(ways.is_shot):
        here, there = of_stud[ways.stud], of_stud[marks.stud]
        is_high = ways.in_air | marks.in_air
        seen = np.where(is_high, OPEN, sight_between(terrain)[here, there])
        shot = _shot(shares, ways, marks, air, ways.actions - turn, seen)
        most = int(np.max(np.where(ways.is_shot, ways.move, 0.0)))
        if most > 0:
            seen = np.where(is_high, OPEN, sight_after_walk(terrain, most)[here, there])
            left = ways.actions - np.where(ways.most_walks > 0, 1.0, 99.0)
            nearer = np.maximum(1.0, air - 0.8 * ways.move)
            moved = _shot(shares, ways, marks, nearer, left, seen)
            shot = np.maximum(shot, 0.9 * moved)
        best = np.where(ways.is_shot, shot, best)
    if np.any(ways.is_run):
        runs = marks.on_foot & (is_all_round | (ways.ahead_x * dx + ways.ahead_y * dy >= 0.5 * air))
        runs = runs & (air <= ways.move + ways.radius) & (steps < FAR)
        ran = 0.7 * shares.of(ways.bricks, marks.defence, marks.health, 1)
        best = np.where(ways.is_run, np.where(runs, ran, 0.0), best)
    return best


def _shot(
    shares: Shares,
    ways: Ways,
    marks: Marks,
    studs: Array,
    attacks: Array,
    seen: npt.NDArray[np.uint8],
) -> Array:
    is_bolt = ways.bolt_studs > 0.0
    lost = np.ceil((studs + FIRST_STUD) / RULER_STUDS - 1e-9).astype(int) - 1
    lost = np.where(is_bolt, np.where(studs <= ways.bolt_studs, 0, _MOST_BRICKS), lost)
    covered = (seen == COVERED) * COVER_BRICKS
    found = shares.of(
        np.maximum(ways.bricks - lost, 0),
        np.where(is_bolt, 0, marks.defence + covered),
        marks.health,
        np.maximum(attacks, 0).astype(int),
    )
    visible: Mask = (seen != HIDDEN) & ~(is_bolt & (marks.vehicle != NOBODY))
    return found * visible


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
    columns: Sequence[Sequence[float]] = (
        list(zip(*ways, strict=True)) if ways else [()] * len(Ways._fields)
    )
    kinds: dict[str, type] = dict.fromkeys(("owner", "stud", "bricks"), np.intp)
    kinds |= dict.fromkeys(("is_shot", "in_air", "is_run"), bool)
    arrays: list[npt.NDArray[Any]] = [
        np.array(column, dtype=kinds.get(name, float))
        for name, column in zip(Ways._fields, columns, strict=True)
    ]
    return Forces(state, Ways._make(arrays), _marks(state))


def unit_ways(state: State, unit: int) -> Iterator[tuple[float, ...]]:
    """Yield the ways of a unit to attack, as rows of `Ways`."""
    now = state.units[unit]
    at, field = place(state, unit), state.setting.field
    xs, ys = middles(field)
    actions = max(0, now.sheet.action_budget - now.held_up)
    move, walks, radius = float(now.sheet.move), float(actions), 0.0
    is_pilot, vehicle, is_high = False, NOBODY, False
    if now.seat is not None:
        vehicle, seat = state.seat_of(unit)
        is_pilot, radius = seat.pilot, vehicle_radius(state, vehicle)
        is_high = state.flies(vehicle)
        move, walks = 0.0, 0.0
        if is_pilot:
            move = float(STUDS_PER_SPEED * state.setting.vehicles[vehicle].sheet.speed)
            walks = 1.0
    x, y = float(xs[at]), float(ys[at])
    for weapon in weapons_in_use(state, unit):
        ahead = _ahead(state, unit, weapon)
        most = actions if weapon.shots_per_turn is None else weapon.shots_per_turn + walks
        yield (
            unit, at, x, y, radius, weapon.bricks, weapon.reach_studs, weapon.is_shot,
            move, walks, min(actions, most), *ahead, is_high, 0.0, False,
        )  # fmt: skip
    if now.on_foot:
        for bricks, studs in bolts(state, now.sheet):
            x_ahead, y_ahead = AHEAD[now.facing]
            yield (
                unit, at, x, y, 0.0, bricks, 0, True,
                move, walks, actions, float(x_ahead), float(y_ahead), False, studs, False,
            )  # fmt: skip
    if is_pilot and actions and not state.setting.vehicles[vehicle].sheet.flying:
        sheet = state.setting.vehicles[vehicle].sheet
        heading = radians(state.vehicles[vehicle].heading_deg)
        yield (
            unit, at, x, y, radius, sheet.speed, 0, False,
            move, 1.0, actions, cos(heading), sin(heading), False, 0.0, True,
        )  # fmt: skip


def bolts(state: State, sheet: MinifigSheet) -> Iterator[tuple[int, float]]:
    """Yield the bricks and the range in studs of custom actions that damage enemy units (BOW B.3)."""
    for action in state.setting.actions.values():
        if (
            isinstance(action, OpposedAction)
            and action.effect.kind is EffectKind.DAMAGE
            and action.target is not TargetSide.FRIEND
            and TargetType.UNIT in action.on
            and action.can_act(sheet)
        ):
            yield sheet.ability(action.acting), float(max(action.range_studs, 1))


def _ahead(state: State, unit: int, weapon: WeaponInUse) -> tuple[float, float]:
    now = state.units[unit]
    if now.seat is None:
        x, y = AHEAD[now.facing]
        return float(x), float(y)
    if weapon.arc_deg >= _ALL_ROUND_DEG:
        return 0.0, 0.0
    heading = radians(state.heading_deg(unit) + weapon.axis_deg)
    return cos(heading), sin(heading)


def _marks(state: State) -> Marks:
    xs, ys = middles(state.setting.field)
    rows = []
    for unit, now in state.in_play():
        if not is_enclosed(state, unit):
            at = place(state, unit)
            radius = vehicle_radius(state, now.seat[0]) if now.seat is not None else 0.0
            defence, health = now.sheet.dodge_armor + now.guard, now.sheet.health - now.damage
            is_high = now.seat is not None and state.flies(now.seat[0])
            rows.append(
                (unit, NOBODY, at, xs[at], ys[at], radius, defence, health, now.on_foot, is_high)
            )
    for vehicle in state.vehicles_left:
        at, sheet = vehicle_place(state, vehicle), state.setting.vehicles[vehicle].sheet
        health = sheet.health - state.vehicles[vehicle].damage
        radius = vehicle_radius(state, vehicle)
        is_high = state.flies(vehicle)
        rows.append(
            (NOBODY, vehicle, at, xs[at], ys[at], radius, sheet.armor, health, False, is_high)
        )
    columns: Sequence[Sequence[float]] = (
        list(zip(*rows, strict=True)) if rows else [()] * len(Marks._fields)
    )
    kinds = [np.intp, np.intp, np.intp, float, float, float, np.intp, np.intp, bool, bool]
    return Marks._make(
        (np.array(column, dtype=kind) for column, kind in zip(columns, kinds, strict=True))
    )
