"""Prospects: the places where a figure may end its round, and what it does and risks there.

The arrays rest on the places and the gear of all figures, not on what a side has decided in the turn; so they are
worked out once for figures whose surroundings have not changed.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np

from brickphys.geometry.polygon import Point, unit_vector
from brickphys.minifig.ground import SLACK_IN, height_bricks, opponents
from brickphys.minifig.plans import paths
from brickphys.minifig.plans.chances import attack_total, defence_total, lead
from brickphys.minifig.plans.outlook import Outlook
from brickphys.minifig.reach import MoveEnd, spots
from brickphys.minifig.sheets import BASE_RADIUS_IN, TOUCH_IN
from brickphys.minifig.state import NEAR_IN, State
from brickphys.units import Array, Mask

_TOUCHES_IN = 2 * BASE_RADIUS_IN + TOUCH_IN + 1e-9
_KEPT = 4096
_WORTH_SHOOTING = 0.1
"""Least chance of a shot for which a figure stays with an engine."""


@dataclass(frozen=True, eq=False)
class Prospects:
    """What a figure can do this turn.

    Attributes
    ----------
    places_in : ndarray, shape (k, 2)
        Where it may end; the first is where it stands.
    hits : ndarray, shape (k, n)
        Chance that its attack this turn eliminates each enemy, 0 where it does not touch it.
    dangers : ndarray, shape (k, n)
        Chance that each enemy eliminates it there in its next turn, if it lives and does nothing else.
    chances : ndarray, shape (k, n)
        Chance that it eliminates each enemy from there in its own next turn.
    ways_in : ndarray, shape (k,)
        How far it is from there to its goals, or to the nearest enemy; who works an engine that reaches enemies need
        not go.
    """

    figure: int
    ends: tuple[MoveEnd, ...]
    places_in: Array
    hits: Array
    touching: Mask
    dangers: Array
    chances: Array
    ways_in: Array
    has_goal: bool


class Known:
    """Prospects that were worked out before, by what they rest on."""

    def __init__(self) -> None:
        self._ends: OrderedDict[Any, tuple[MoveEnd, ...]] = OrderedDict()
        self._found: OrderedDict[Any, Prospects] = OrderedDict()

    def ends(
        self, state: State, figure: int, most_in: float, also_in: tuple[Point, ...] = ()
    ) -> tuple[MoveEnd, ...]:
        """Return the places worth going to, and others; see `brickphys.minifig.reach.spots`."""
        key = _surroundings(state, figure, most_in), also_in
        if key not in self._ends:
            _keep(self._ends, key, spots(state, figure, most_in, also_in))
        return self._ends[key]

    def of(self, look: Outlook, figure: int, ends: tuple[MoveEnd, ...]) -> Prospects:
        """Return the prospects of a figure that may go to some places."""
        state = look.state
        loaded = [state.items[item].is_loaded for item in state.held.get(figure, ())]
        key = (look.foes_key, look.gears[figure], str(loaded), ends, str(look.goals_in[figure]))
        if key not in self._found:
            _keep(self._found, key, _prospects(look, figure, ends))
        return self._found[key]


def _keep(known: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    known[key] = value
    if len(known) > _KEPT:
        known.popitem(last=False)


def _surroundings(state: State, figure: int, most_in: float) -> tuple[Any, ...]:
    """Return what the places that a figure may go to rest on."""
    now = state.figures[figure]
    apart = np.hypot(*(state.bases[:, :2] - now.place_in).T)
    near = state.bases[apart <= most_in + 2.5]
    foes = tuple(
        (other.x_in, other.y_in, other.facing_deg)
        for other in map(state.figures.__getitem__, state.enemies(figure))
    )
    items = tuple(item.at_in for item in state.items if item.at_in is not None)
    things = state.bases[len(state.alive) :].tobytes()
    place = (now.x_in, now.y_in, now.facing_deg, now.horse)
    return state.setting, figure, most_in, place, near.tobytes(), foes, items, things, state.walls


def _prospects(look: Outlook, figure: int, ends: tuple[MoveEnd, ...]) -> Prospects:
    places = np.array([end.place_in for end in ends]).reshape(-1, 2)
    hits = _hits(look, figure, ends, places)
    touching: Mask = np.any(hits > 0.0, axis=1)
    ways = look.ways_in(places)
    # who eliminates the only enemy that it touches is free
    engaged = np.where((hits > 0.0).sum(axis=1) == 1, 1.0 - hits.max(axis=1, initial=0.0), touching)
    chances = look.strikes_from(figure, places, ways, engaged)
    works = np.zeros(len(ends), dtype=bool)
    for engine, there in look.engine_at(figure, places):
        by_engine = look.engine_chances(engine, figure)
        if by_engine.max(initial=0.0) > _WORTH_SHOOTING:
            chances[there] = np.maximum(chances[there], by_engine)
            works |= there
    aims = look.goals_in[figure]
    nearest = _nearest(look, aims, places, ways)
    return Prospects(
        figure,
        ends,
        places,
        hits,
        touching,
        look.strikes_on(figure, places, ways, engaged),
        chances,
        np.where(works, nearest.min(), nearest),
        bool(aims),
    )


def _nearest(
    look: Outlook, goals_in: list[tuple[float, float]], places: Array, ways: Array
) -> Array:
    """Return how far places are from the nearest goal, or enemy if there is none: at most the size of the table."""
    setting = look.setting
    if goals_in:
        ways = paths.ways_in(setting, look.state.walls, np.array(goals_in), places)
    most = float(np.hypot(setting.width_in, setting.length_in))
    nearest: Array = np.minimum(ways.min(axis=1), most)
    return nearest


def _hits(look: Outlook, figure: int, ends: tuple[MoveEnd, ...], places: Array) -> Array:
    """Return the exact chances of the attacks of a figure from places, shape (k, n)."""
    found = np.zeros((len(ends), len(look.foes)))
    apart = np.hypot(*(look.foe_at[None] - places[:, None]).transpose(2, 0, 1))
    for row, column in np.argwhere(apart <= NEAR_IN).tolist():
        foe = look.foes[column]
        if apart[row, column] <= _TOUCHES_IN:
            found[row, column] = _hit(look, figure, foe, ends[row].place_in, over_wall=False)
        elif look.setting.walls:
            there = look.state.figures[figure].at(*ends[row])
            moved = look.state.with_figure(figure, there)
            if foe in opponents(moved, figure):
                found[row, column] = _hit(look, figure, foe, ends[row].place_in, over_wall=True)
    return found


def _hit(
    look: Outlook, figure: int, foe: int, place_in: tuple[float, float], *, over_wall: bool
) -> float:
    """Return the chance of an attack from a place on an enemy (MF Resolving Combat)."""
    other, setting = look.state.figures[foe], look.setting
    x, y = unit_vector(other.facing_deg)
    ahead = (place_in[0] - other.x_in) * x + (place_in[1] - other.y_in) * y
    up = height_bricks(setting, place_in) - height_bricks(setting, other.place_in)
    one, two = look.gears[figure], look.gears[foe]
    attack = attack_total(one, wall=over_wall, downward=up >= 1, rear=ahead < -SLACK_IN)
    defence = defence_total(two, wall=over_wall, higher=up <= -1)
    return look.chances.fight(attack, defence, lead(one, two))
