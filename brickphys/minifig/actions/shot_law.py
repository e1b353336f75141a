"""Shot law: what one shot may do, with integer weights: who is hit and how, and which brick of a wall (MF Projectiles).

The weights are those of `brickphys.projectiles`: the aim law, and for BBs the impact law, over all that stands on the
table. A BB ends at the first figure. A stone that rolls does nothing, and one that bounces or rolls does nothing to a
wall. What does nothing is one outcome, `MISS`.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import Point
from brickphys.minifig.actions.missile_targets import (
    Goal,
    Placed,
    Table,
    standing_bricks,
    standing_figure,
    standing_thing,
    table,
)
from brickphys.minifig.sheets.charts import INCH_MM, MissileRow, charts
from brickphys.minifig.state.setting import Setting
from brickphys.minifig.state.state import State
from brickphys.projectiles.aim.aim_law import PHASES, AimLaw, aim_law
from brickphys.projectiles.aim.fan import COARSE, NODES
from brickphys.projectiles.aim.sight import STEP_MM
from brickphys.projectiles.aim.standing import Standing
from brickphys.projectiles.bodies.catalogue import target
from brickphys.projectiles.bodies.silhouette import Side
from brickphys.projectiles.shot import ShotLaw, shot_law
from brickphys.projectiles.weapons import Weapon

MISS = "miss"
HIT, KNOCKED_OVER, BRICK = "hit", "knocked over", "brick"
"""What a BB does to a figure, which a stone hits in one of `PHASES`; and what a big stone hits of a wall."""
TOTAL = 1_000_000
"""Sum of the weights of a shot."""
_, BOUNCED, _ = PHASES
_DIRECT = PHASES.index("direct")
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

    Parameters
    ----------
    state
        The battle.
    missile
        A row of the chart of missiles.
    shooter, thing
        The figure that shoots, and the catapult that it works.
    goal
        Its target, which can be shot at.
    """
    at_in = (state.figures[shooter] if thing is None else state.things[thing]).place_in
    return _weights(state.setting, missile, at_in, goal, table(state, shooter, thing))


@lru_cache(maxsize=1024)
def _weights(
    setting: Setting, missile: str, at_in: Point, goal: Goal, on_table: Table
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
    nodes: tuple[int, int] = NODES,
    *,
    is_hidden: bool = False,
) -> tuple[tuple[str, int], ...]:
    """Return the weights of a shot at a body that stands alone, and that they call by its name; see `shot_weights`.

    With `is_hidden` the scatter is that of a shot over a wall, without the wall.

    Raises
    ------
    InvalidValueError
        If the missile cannot be aimed there.
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
    nodes: tuple[int, int] = NODES,
) -> tuple[tuple[str, int], ...]:
    """Return the weights of a shot at targets: first figures, by their names; others by number, if they are bricks."""
    if row.knocks_over:
        bb_law = shot_law(flight, at_mm, standing, aimed, nodes=nodes)
        return _whole(_bb_shares(bb_law, names))
    law = aim_law(flight, at_mm, standing, aimed, nodes=nodes)
    return _whole(_stone_shares(row, law, names, bricks if row.besieges else {}))


def _bb_shares(law: ShotLaw, names: Sequence[str]) -> dict[str, float]:
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
    row: MissileRow, law: AimLaw, names: Sequence[str], bricks: Mapping[int, str]
) -> dict[str, float]:
    """Return the shares of a stone: the figures for whom bricks are thrown, or the brick of a wall."""

    def hit(number: int, phase: int) -> str:
        if number < len(names):
            return f"{names[number]} {PHASES[phase]}" if row.bricks_after(PHASES[phase]) else ""
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
    there = standing_figure(Placed(figure, state.body(figure), *one.place_in, one.facing_deg))
    at_mm = (from_in[0] * INCH_MM, from_in[1] * INCH_MM)
    steps = max(round(there.distance_mm(*at_mm) / STEP_MM), 1)
    return _kill_chance(missile, state.body(figure), there.side(*at_mm), steps)


@lru_cache(maxsize=8192)
def _kill_chance(missile: str, body: str, side: Side, steps: int) -> float:
    try:
        weights = alone(missile, body, side, steps * STEP_MM, COARSE)
    except InvalidValueError:
        return 0.0
    stands = 1.0 - ON_SIDE
    falls = (w * (1.0 - stands ** bricks_of(missile, hit.partition(" ")[2])) for hit, w in weights)
    return float(sum(falls)) / TOTAL


def bricks_of(missile: str, how: str) -> float:
    """Return the bricks for a figure that was hit somehow: none if it was not (``""``), infinite if knocked over."""
    if how == KNOCKED_OVER:
        return inf
    return charts().missiles[missile].bricks_after(PHASES[0] if how == HIT else how) if how else 0
