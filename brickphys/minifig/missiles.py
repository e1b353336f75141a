"""Missiles: what they meet on the table, and what one shot may do, with integer weights (MF Projectiles).

The law of a shot tells who is hit and how, and which brick of a wall. Its weights are those of `brickphys.projectiles`:
the aim law, and for BBs the impact law, over all that stands on the table. A BB ends at the first figure. A stone that
rolls does nothing, and one that bounces or rolls does nothing to a wall. What does nothing is one outcome, `MISS`.
Missiles fly as over level ground: hills hide targets, but do not change a flight (ours).
"""

from cmath import phase
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import cos, dist, hypot, inf, radians, sin
from typing import NamedTuple

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import Point
from brickphys.minifig.ground import is_in_contact, melee
from brickphys.minifig.setting import Setting, WallSpec
from brickphys.minifig.sheets import INCH_MM, MissileRow, charts
from brickphys.minifig.state import State
from brickphys.projectiles import shot
from brickphys.projectiles.standing import Side, Standing
from brickphys.projectiles.target import obstacle, target
from brickphys.projectiles.weapons import Weapon


class PlacedBody(NamedTuple):
    """A figure or thing on the table: its number, the body of a figure, place in inches and facing."""

    number: int
    body: str
    x_in: float
    y_in: float
    facing_deg: float


class Goal(NamedTuple):
    """What is aimed at: a figure, or a brick of a wall; whether the figure is hidden, and thrown at over a wall."""

    figure: int | None = None
    wall: int | None = None
    brick: int | None = None
    is_hidden: bool = False


class MissileTargets(NamedTuple):
    """All that a missile may meet; equal tables have equal laws."""

    figures: tuple[PlacedBody, ...]
    things: tuple[PlacedBody, ...]
    walls: tuple[tuple[int, ...], ...]  # as `State.walls`


def missile_targets(state: State, shooter: int, thing: int | None) -> MissileTargets:
    """Return the table without a shooter and the catapult that it works."""
    figures = tuple(
        PlacedBody(number, state.body(number), *one.place_in, one.facing_deg)
        for number, one in enumerate(state.figures)
        if one.is_alive and number != shooter
    )
    placed = ((number, state.things[number]) for number in state.standing_things())
    things = tuple(
        PlacedBody(number, "", *there.place_in, there.facing_deg)
        for number, there in placed
        if number != thing
    )
    return MissileTargets(figures, things, state.walls)


def standing_figure(placed: PlacedBody) -> Standing:
    """Return a figure as missiles meet it."""
    _, body, x, y, facing = placed
    return Standing(target(body), x * INCH_MM, y * INCH_MM, facing)


def standing_thing(setting: Setting, placed: PlacedBody) -> Standing:
    """Return a horse without rider, a wagon or a catapult: a box that stops missiles (ours)."""
    number, _, x, y, facing = placed
    kind = setting.things[number].kind
    return Standing(obstacle(kind.name, kind.size_mm), x * INCH_MM, y * INCH_MM, facing)


@lru_cache(maxsize=1024)
def standing_bricks(wall: WallSpec, out: tuple[int, ...]) -> tuple[tuple[int, Standing], ...]:
    """Return the bricks of a wall that are not out, each with its number: boxes that stop missiles."""
    turn, found = radians(wall.facing_deg), []
    c, s = cos(turn), sin(turn)
    for number, part in enumerate(wall.target.parts):
        if number not in out:
            u, v, _ = part.centre_mm
            x, y = wall.x_in * INCH_MM + c * u - s * v, wall.y_in * INCH_MM + s * u + c * v
            brick = obstacle("brick", part.size_mm, round(part.low_mm, 6))
            found.append((number, Standing(brick, x, y, wall.facing_deg)))
    return tuple(found)


def aimed_brick(state: State, wall: int, from_in: Point) -> int | None:
    """Return the brick at which a besieger aims: the nearest that stands, of those the highest (ours); None without."""
    bricks = standing_bricks(state.setting.walls[wall], state.walls[wall])
    at_mm = (from_in[0] * INCH_MM, from_in[1] * INCH_MM)

    def order(brick: tuple[int, Standing]) -> tuple[float, float]:
        return round(brick[1].distance_mm(*at_mm), 3), -brick[1].target.height_mm

    return min(bricks, key=order)[0] if bricks else None


def contact_fault(state: State, figure: int) -> str | None:
    """Return that nobody shoots who touches an enemy, or at who does, if the option forbids it; None if it does not."""
    if state.setting.options.no_missiles_in_contact and is_in_contact(state, figure):
        name = state.setting.figures[figure].name
        return f"{name} touches an enemy: no missile is shot by or at it (option no_missiles_in_contact)"
    return None


def may_be_struck(state: State, figure: int) -> tuple[int, ...]:
    """Return whom a missile may strike that comes to a figure: it alone, or by the option any of its melee (ours)."""
    if state.setting.options.no_missiles_in_contact:
        return (figure,)
    return melee(state, figure)


def aim_fault(state: State, missile: str, from_in: Point, goal: Goal) -> str | None:
    """Return why a missile from a place cannot be aimed at something: it is too near or too far; None if it can."""
    weapon = charts().missiles[missile].weapon
    if goal.figure is not None:
        one, body = state.figures[goal.figure], state.body(goal.figure)
        apart_mm = dist(from_in, one.place_in) * INCH_MM
        if target(body).inner_mm < apart_mm <= weapon.range_in * INCH_MM:
            return _aim_fault(missile, body, round(apart_mm / shot.STEP_MM))
        there = standing_figure(PlacedBody(goal.figure, body, *one.place_in, one.facing_deg))
    else:
        assert goal.wall is not None
        wall, out = state.setting.walls[goal.wall], state.walls[goal.wall]
        there = next(one for number, one in standing_bricks(wall, out) if number == goal.brick)
    at_mm = (from_in[0] * INCH_MM, from_in[1] * INCH_MM)
    return _fault(weapon, at_mm, there)


@lru_cache(maxsize=4096)
def _aim_fault(missile: str, body: str, steps: int) -> str | None:
    """Return why a missile cannot be aimed at a body so many half inches away; None if it can."""
    there = Standing(target(body), steps * shot.STEP_MM, 0.0, 0.0)
    return _fault(charts().missiles[missile].weapon, (0.0, 0.0), there)


def _fault(weapon: Weapon, at_mm: tuple[float, float], there: Standing) -> str | None:
    try:
        shot.place_of_aim(weapon, at_mm, there)
    except InvalidValueError as error:
        return str(error)
    return None


MISS = "miss"
HIT, KNOCKED_OVER, BRICK = "hit", "knocked over", "brick"
"""What a BB does to a figure, which a stone hits in one of `PHASES`; and what a big stone hits of a wall."""
TOTAL = 1_000_000
"""Sum of the weights of a shot."""
_, BOUNCED, _ = shot.PHASES
_DIRECT = shot.PHASES.index("direct")
_FACING_DEG = {Side.FRONT: 180.0, Side.SIDE: 90.0, Side.REAR: 0.0}
"""How a target stands to the right of its shooter that turns a side to it."""
ON_SIDE = 0.29
"""Chance that a brick stops on a side, for the estimates of bots."""


def shot_weights(
    state: State, missile: str, shooter: int, thing: int | None, goal: Goal
) -> tuple[tuple[str, int], ...]:
    """Return (outcome, weight) of a shot; the weights sum to `TOTAL`.

    Outcomes are hits with commas between them, each a figure and ``hit``, ``knocked over``, ``direct`` or ``bounced``,
    or a wall and ``brick N``; or `MISS`.

    The missile is a row of the chart; the thing is the catapult that the shooter works. The goal can be shot at.
    """
    at_in = (state.figures[shooter] if thing is None else state.things[thing]).place_in
    every = missile_targets(state, shooter, thing)
    return _weights(
        state.setting, missile, at_in, goal, _in_lane(state, missile, at_in, goal, every)
    )


_BESIDE_MM = 5.0
"""Things are looked at that are at most so far beyond the spread of a shot."""


def _in_lane(
    state: State, missile: str, at_in: Point, goal: Goal, every: MissileTargets
) -> MissileTargets:
    """Return what a shot may meet: what stands elsewhere changes nothing, and equal lanes have equal laws."""
    setting, row = state.setting, charts().missiles[missile]
    flight = row.flight(is_hidden=goal.is_hidden)
    if goal.figure is not None:
        aim = state.figures[goal.figure].place_in
    else:
        assert goal.wall is not None
        bricks = dict(standing_bricks(setting.walls[goal.wall], every.walls[goal.wall]))
        there = bricks[goal.brick or 0]
        aim = there.x_mm / INCH_MM, there.y_mm / INCH_MM
    ahead = complex(aim[0] - at_in[0], aim[1] - at_in[1])
    spread = radians(shot.WIDE * flight.scatter.azimuth_deg)
    radius = flight.projectile.radius_mm + _BESIDE_MM

    def meets(x_in: float, y_in: float, reach_mm: float) -> bool:
        away = complex(x_in - at_in[0], y_in - at_in[1])
        far_mm = max(abs(away) * INCH_MM, 1.0)
        return abs(phase(away / ahead)) < spread + (reach_mm + radius) / far_mm

    def thing_reach(placed: PlacedBody) -> float:
        length, width, _ = setting.things[placed.number].kind.size_mm
        return hypot(length, width) / 2

    figures = (one for one in every.figures if meets(one.x_in, one.y_in, target(one.body).reach_mm))
    things = (one for one in every.things if meets(one.x_in, one.y_in, thing_reach(one)))
    walls = (
        out if meets(wall.x_in, wall.y_in, wall.half_mm) else wall.every_brick
        for wall, out in zip(setting.walls, every.walls, strict=True)
    )
    return MissileTargets(tuple(figures), tuple(things), tuple(walls))


@lru_cache(maxsize=1024)
def _weights(
    setting: Setting, missile: str, at_in: Point, goal: Goal, on_table: MissileTargets
) -> tuple[tuple[str, int], ...]:
    """Return the weights of a shot from a place in a situation."""
    row, at_mm = charts().missiles[missile], (at_in[0] * INCH_MM, at_in[1] * INCH_MM)
    names = [setting.figures[placed.number].name for placed in on_table.figures]
    standing = [standing_figure(placed) for placed in on_table.figures]
    standing += [standing_thing(setting, placed) for placed in on_table.things]
    numbers = [placed.number for placed in on_table.figures]
    aimed = 0 if goal.figure is None else numbers.index(goal.figure)
    bricks: dict[int, str] = {}
    for number, (wall, out) in enumerate(zip(setting.walls, on_table.walls, strict=True)):
        for brick, there in standing_bricks(wall, out):
            if (goal.wall, goal.brick) == (number, brick):
                aimed = len(standing)
            bricks[len(standing)] = f"{wall.name} {BRICK} {brick}"
            standing.append(there)
    flight = row.flight(is_hidden=goal.is_hidden)
    return _outcomes(row, flight, at_mm, standing, aimed, names, bricks)


def alone(
    missile: str,
    body: str,
    side: Side,
    away_mm: float,
    nodes: tuple[int, int] = shot.NODES,
    *,
    is_hidden: bool = False,
) -> tuple[tuple[str, int], ...]:
    """Return the weights of a shot at a body that stands alone, and that they call by its name; see `shot_weights`.

    With `is_hidden` the scatter is that of a shot over a wall, without the wall. InvalidValueError if the missile
    cannot be aimed there.
    """
    there = [Standing(target(body), away_mm, 0.0, _FACING_DEG[side])]
    row = charts().missiles[missile]
    return _outcomes(row, row.flight(is_hidden=is_hidden), (0.0, 0.0), there, 0, [body], {}, nodes)


def _outcomes(
    row: MissileRow,
    flight: Weapon,
    at_mm: tuple[float, float],
    standing: Sequence[Standing],
    aimed: int,
    names: Sequence[str],
    bricks: Mapping[int, str],
    nodes: tuple[int, int] = shot.NODES,
) -> tuple[tuple[str, int], ...]:
    """Return the weights of a shot at targets: first figures, by their names; others by number, if they are bricks."""
    if row.knocks_over:
        bb_law = shot.shot_law(flight, at_mm, standing, aimed, nodes=nodes)
        return _whole(_bb_shares(bb_law, names))
    law = shot.aim_law(flight, at_mm, standing, aimed, nodes=nodes)
    return _whole(_stone_shares(row, law, names, bricks if row.besieges else {}))


def _bb_shares(law: shot.ShotLaw, names: Sequence[str]) -> dict[str, float]:
    """Return the shares of a BB: the first figure that it meets is knocked over or only hit."""
    hits, knocked = law.aim.hit.tolist(), law.knocked.share.sum(axis=1).tolist()
    first = list(hits)
    for (_, _, other, _), share in law.aim.pairs.items():
        first[other] -= share
    shares = {}
    for number, name in enumerate(names):
        if hits[number] > 0.0:
            over = knocked[number] / hits[number] * first[number]
            shares[f"{name} {KNOCKED_OVER}"] = over
            shares[f"{name} {HIT}"] = first[number] - over
    return shares


def _stone_shares(
    row: MissileRow, law: shot.AimLaw, names: Sequence[str], bricks: Mapping[int, str]
) -> dict[str, float]:
    """Return the shares of a stone: the figures for whom bricks are thrown, or the brick of a wall."""

    def hit(number: int, phase: int) -> str:
        if number < len(names):
            return (
                f"{names[number]} {shot.PHASES[phase]}"
                if row.bricks_after(shot.PHASES[phase])
                else ""
            )
        return bricks.get(number, "") if phase == _DIRECT else ""

    alone, shares = law.by_phase.copy(), dict[str, float]()
    for (one, how, other, then), share in law.pairs.items():
        alone[one, how] -= share
        alone[other, then] -= share
        hits = ", ".join(filter(None, (hit(one, how), hit(other, then))))
        shares[hits] = shares.get(hits, 0.0) + share
    for number, how in np.argwhere(alone > 0.0).tolist():
        name = hit(number, how)
        shares[name] = shares.get(name, 0.0) + float(alone[number, how])
    shares.pop("", None)
    return shares


def _whole(shares: Mapping[str, float]) -> tuple[tuple[str, int], ...]:
    """Return shares, and the rest as `MISS`, as weights that sum to `TOTAL`, by the largest remainders."""
    every = {**shares, MISS: 1.0 - sum(shares.values())}
    exact = {name: TOTAL * max(share, 0.0) for name, share in every.items()}
    weights = {name: int(value) for name, value in exact.items()}
    by_rest = sorted(exact, key=lambda name: weights[name] - exact[name])
    for name in by_rest[: TOTAL - sum(weights.values())]:
        weights[name] += 1
    return tuple((name, weight) for name, weight in weights.items() if weight)


def kill_chance(state: State, missile: str, from_in: Point, figure: int) -> float:
    """Return about the chance that a shot from a place eliminates a figure, for the estimates of bots.

    As if nothing else stood on the table, in half inches, from a table that is filled as it is used; 0 where the
    missile does not reach. The chance of a brick on its side is that of a hand on wood.
    """
    one = state.figures[figure]
    there = standing_figure(PlacedBody(figure, state.body(figure), *one.place_in, one.facing_deg))
    at_mm = (from_in[0] * INCH_MM, from_in[1] * INCH_MM)
    steps = max(round(there.distance_mm(*at_mm) / shot.STEP_MM), 1)
    return _kill_chance(missile, state.body(figure), there.side(*at_mm), steps)


@lru_cache(maxsize=8192)
def _kill_chance(missile: str, body: str, side: Side, steps: int) -> float:
    try:
        weights = alone(missile, body, side, steps * shot.STEP_MM, shot.COARSE)
    except InvalidValueError:
        return 0.0
    stands = 1.0 - ON_SIDE
    falls = (w * (1.0 - stands ** bricks_of(missile, hit.partition(" ")[2])) for hit, w in weights)
    return float(sum(falls)) / TOTAL


def bricks_of(missile: str, how: str) -> float:
    """Return the bricks for a figure that was hit somehow: none if it was not (``""``), infinite if knocked over."""
    if how == KNOCKED_OVER:
        return inf
    return (
        charts().missiles[missile].bricks_after(shot.PHASES[0] if how == HIT else how) if how else 0
    )
