"""Missile targets: what missiles meet on the table, as `brickphys.projectiles` sees it.

Missiles fly as over level ground: hills hide targets, but do not change a flight (ours).
"""

from functools import lru_cache
from math import cos, dist, radians, sin
from typing import NamedTuple

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import Point
from brickphys.minifig.field.contact import is_in_contact, melee
from brickphys.minifig.sheets.charts import INCH_MM, charts
from brickphys.minifig.state.setting import Setting
from brickphys.minifig.state.state import State
from brickphys.minifig.state.wall import WallSpec
from brickphys.projectiles.aim.aim_law import place_of_aim
from brickphys.projectiles.aim.sight import STEP_MM
from brickphys.projectiles.aim.standing import Standing
from brickphys.projectiles.bodies.catalogue import target
from brickphys.projectiles.bodies.obstacle import obstacle
from brickphys.projectiles.weapons import Weapon


class Placed(NamedTuple):
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


class Table(NamedTuple):
    """All that a missile may meet; equal tables have equal laws."""

    figures: tuple[Placed, ...]
    things: tuple[Placed, ...]
    walls: tuple[tuple[int, ...], ...]  # as `State.walls`


def table(state: State, shooter: int, thing: int | None) -> Table:
    """Return the table without a shooter and the catapult that it works."""
    figures = tuple(
        Placed(number, state.body(number), *one.place_in, one.facing_deg)
        for number, one in enumerate(state.figures)
        if one.is_alive and number != shooter
    )
    placed = ((number, state.things[number]) for number in state.standing_things())
    things = tuple(
        Placed(number, "", *there.place_in, there.facing_deg)
        for number, there in placed
        if number != thing
    )
    return Table(figures, things, state.walls)


def standing_figure(placed: Placed) -> Standing:
    """Return a figure as missiles meet it."""
    _, body, x, y, facing = placed
    return Standing(target(body), x * INCH_MM, y * INCH_MM, facing)


def standing_thing(setting: Setting, placed: Placed) -> Standing:
    """Return a horse without rider, a wagon or a catapult: a box that stops missiles (ours)."""
    number, _, x, y, facing = placed
    kind = setting.things[number].kind
    return Standing(obstacle(kind.name, kind.size_mm), x * INCH_MM, y * INCH_MM, facing)


@lru_cache(maxsize=1024)
def standing_bricks(wall: WallSpec, out: tuple[int, ...]) -> tuple[tuple[int, Standing], ...]:
    """Return the bricks of a wall that are not out, each with its number: boxes that stop missiles."""
    turn, gone, found = radians(wall.facing_deg), set(out), []
    c, s = cos(turn), sin(turn)
    for number, part in enumerate(wall.target.parts):
        if number not in gone:
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
            return _aim_fault(missile, body, round(apart_mm / STEP_MM))
        there = standing_figure(Placed(goal.figure, body, *one.place_in, one.facing_deg))
    else:
        assert goal.wall is not None
        wall, out = state.setting.walls[goal.wall], state.walls[goal.wall]
        there = next(one for number, one in standing_bricks(wall, out) if number == goal.brick)
    at_mm = (from_in[0] * INCH_MM, from_in[1] * INCH_MM)
    return _fault(weapon, at_mm, there)


@lru_cache(maxsize=4096)
def _aim_fault(missile: str, body: str, steps: int) -> str | None:
    """Return why a missile cannot be aimed at a body so many half inches away; None if it can."""
    there = Standing(target(body), steps * STEP_MM, 0.0, 0.0)
    return _fault(charts().missiles[missile].weapon, (0.0, 0.0), there)


def _fault(weapon: Weapon, at_mm: tuple[float, float], there: Standing) -> str | None:
    try:
        place_of_aim(weapon, at_mm, there)
    except InvalidValueError as error:
        return str(error)
    return None
