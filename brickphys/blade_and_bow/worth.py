"""Worth: what a battle seems worth to each player, by features of the whole battle in one weighted sum.

Losses and all that may become one count as shares of a rout level. What each army can strike now, in its next impulse
or after a move counts by the exact law of the dice (`prospects`). Plans are compared by the weights in
``data/plans.toml``; those in ``data/worth.toml``, which were fitted, tell the chance to win.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp, tanh
from typing import NamedTuple

import numpy as np

from brickphys.blade_and_bow.bot import (
    COMMANDED,
    LOOKS,
    LOSSES,
    NEAR,
    gap,
    matter,
    prospects,
    raid,
)
from brickphys.blade_and_bow.dice_law import DECISIVE, SACK
from brickphys.blade_and_bow.ground import arc, points, within
from brickphys.blade_and_bow.pieces import Box
from brickphys.blade_and_bow.sheets import FACES, charts
from brickphys.blade_and_bow.state import Phase, State, StatePart, part_of_pieces
from brickphys.blade_and_bow.tactics.prospects import Strike, commanded, melees, threat, volleys
from brickphys.blade_and_bow.tactics.reach import reaches
from brickphys.blade_and_bow.ways import NOWHERE, march
from brickphys.files import shipped_tables
from brickphys.grid.grid import each
from brickphys.rules.players.worth import FittedWorth
from brickphys.units import Array

FEATURES = (
    "losses",
    "disrupted",
    "routed",
    "rallied",
    "leaders",
    "camp",
    "late_margin",
    "default",
    "hand",
    "melee_now",
    "melee_next",
    "volley_now",
    "volley_next",
    "threat_now",
    "threat_next",
    "places",
    "raid",
    "exposed",
    "guard",
)
"""The names of the features, in the order of `features`; each is that of the player less that of the enemy."""
_CAPTIVE, _AWAY = 0.4, 0.2
"""What a captured leader and one who comes back soon count, where a killed one is 1."""


def features(state: State) -> Array:
    """Return the features of a state for each player, shape (2, n)."""
    row = np.array(_row(state))
    return np.stack([row, -row])


class Matter(NamedTuple):
    """What the pieces of a player on the map are worth, but for losses and the turn."""

    melee: float
    """What he can strike as he stands, in shares of a rout level, as the next two."""
    volley: float
    threat: float
    kept: float
    """What is left of his volleys if the enemy, who moves first, goes for the shooters."""
    places: float
    raid: float
    exposed: float
    guard: float
    approach: float
    """How near he is to his goals; it counts in his own plans only."""


@lru_cache(maxsize=1 << 13)
def _matter(part: StatePart) -> tuple[Matter, Matter]:
    return _matter_of(part.state, 0), _matter_of(part.state, 1)


def _matter_of(state: State, player: int) -> Matter:
    shots = volleys(state, player)
    volley = commanded(state, player, shots)
    return Matter(
        commanded(state, player, melees(state, player)),
        volley,
        threat(state, player),
        volley * _kept_share(state, player, shots),
        _places(state, player),
        _raid(state, player),
        _exposed(state, player),
        _guard(state, player),
        _approach(state, player),
    )


_CAUGHT = 0.35
"""Which share of its volleys a unit keeps that the enemy can strike next."""


def _kept_share(state: State, player: int, shots: Sequence[Strike]) -> float:
    """Return the share of volleys that is kept, by the shooters whom the enemy can strike after a move."""
    hit = 0
    for one in reaches(state, 1 - player):
        hit |= one.every
    units = [unit for one in shots for unit in one.units]
    caught = sum(hit >> state.square_of(unit) & 1 for unit in units)
    return 1.0 - (1.0 - _CAUGHT) * caught / len(units) if units else 1.0


def _row(state: State) -> list[float]:
    """Return the features of the first player."""
    both = [_own(state, player) for player in (0, 1)]
    row = [first - second for first, second in zip(*both, strict=True)]
    margins = [state.rout_level(player) - state.losses[player] for player in (0, 1)]
    late, level = lateness(state), max(sum(state.setting.rout_levels) / 2.0, 1.0)
    minor = state.setting.special.minor_to
    default = 0.0 if minor is None else (1.0 if minor == 0 else -1.0)
    lead = (
        0.0 if minor is not None else max(-1.0, min(1.0, 2.0 * (margins[0] - margins[1]) / level))
    )
    row += [late * lead, default * late, (len(state.hands[0]) - len(state.hands[1])) / 5.0]
    first, second = _matter(part_of_pieces(state))
    now, mine, yours = _NOW[min(state.actions, 3)], *_on_turn(state)
    for at_once, later in (("melee", "melee"), ("volley", "kept"), ("threat", "threat")):
        own, other = getattr(first, at_once), getattr(second, at_once)
        row.append(now * (mine * own - yours * other))
        own, other = getattr(first, later), getattr(second, later)
        row.append(own * (1.0 - _USED * mine) - other * (1.0 - _USED * yours))
    row += [one - other for one, other in zip(first[4:8], second[4:8], strict=True)]
    return row


_NOW = (0.0, 1.0, 1.5, 1.8)
"""How much of what a player can strike at once counts, by the actions that are left in the impulse."""
_USED = 0.7
"""Which share of that is not left for the next impulse."""


def _on_turn(state: State) -> tuple[int, int]:
    """Return 1 for the player who has actions left in an impulse, 0 for others."""
    if state.phase is not Phase.IMPULSES or not state.actions:
        return 0, 0
    return int(state.mover == 0), int(state.mover == 1)


def _own(state: State, player: int) -> tuple[float, ...]:
    """Return the first features of a player by himself: what is lost and broken, as shares of the rout level."""
    setting, level = state.setting, max(state.setting.rout_levels[player], 1)
    disrupted = routed = rallied = fallen = 0.0
    for spec, unit in zip(setting.units, state.units, strict=True):
        if spec.player == player:
            disrupted += unit.disrupted and unit.box is Box.MAP
            routed += unit.box is Box.ROUTED
            rallied += unit.box is Box.RALLIED
    for leader_spec, leader in zip(setting.leaders, state.leaders, strict=True):
        if leader_spec.player == player:
            if leader.box is Box.ELIMINATED:
                fallen += DECISIVE if leader_spec.name == setting.special.mortal else 1.0
            elif leader.box is Box.CAPTURED:
                fallen += _CAPTIVE
            elif leader.box is Box.ROUTED:
                fallen += _AWAY
    camp = DECISIVE if setting.special.camp_decides[player] else SACK
    counts = (state.losses[player], disrupted, routed, rallied, fallen, camp * state.sacked[player])
    return tuple(-count / level for count in counts)


def lateness(state: State) -> float:
    """Return how likely the battle ends with this turn or the next few, 0 to 1."""
    return _lateness(state.turn)


@lru_cache
def _lateness(turn: int) -> float:
    goes_on, left = 1.0, 0.0
    for number in range(max(turn, 1), len(charts().ends) + 1):
        left += goes_on
        goes_on *= 1.0 - charts().ends[number - 1] / FACES
    return 1.0 / max(left, 1.0)


def _places(state: State, player: int) -> float:
    """Return the worth of where units and leaders are: facing the enemy, in command (as in `bot`)."""
    grid, here, value = state.setting.grid, state.at, 0.0
    for square in each(state.occupied[player]):
        _, enemy = gap(state, here[square])
        if enemy is not None:
            value += LOOKS * (arc(grid, square, state.units[here[square]].facing) >> enemy & 1)
    for number, leader in enumerate(state.leaders):
        spec = state.setting.leaders[number]
        if spec.player == player and leader.square is not None:
            inside = state.occupied[player] & within(grid, leader.square, spec.range_points)
            value += COMMANDED * inside.bit_count()
    return value


APPROACH = 5.0
"""Weight of a player's approach in his own plans."""
URGENT = 3.0
"""How much more it counts for a player who loses if nothing happens."""


def _approach(state: State, player: int) -> float:
    """Return how near a player's units are to their goals, at most 0; who wins if nothing happens need not go."""
    if state.setting.special.minor_to == player:
        return 0.0
    return -NEAR * sum(gap(state, state.at[at])[0] for at in each(state.occupied[player]))


def _raid(state: State, player: int) -> float:
    raiders = raid(state, player)
    return -raiders.worth * sum(raiders.far[square] for square in raiders.squares)


class Guard(NamedTuple):
    """Who is nearest to a camp whose loss decides the battle."""

    unit: int
    own: int
    """Points from the unit to the camp."""
    enemy: int
    """Points from the nearest enemy, by any way that may be found."""
    far: tuple[int, ...]
    """Points from each square."""

    def want(self, own: int) -> float:
        """Return how likely the enemy comes first if the guard has so many points to go, 0 to 1."""
        return 1.0 / (1.0 + exp((self.enemy - own) / _CLOSE))


_CLOSE = 10.0
"""Points of the way by which the enemy must be nearer to come first in three of four cases."""
_SACKED = 3.0
"""What it counts that he does, before the weight of the feature."""


def guard(state: State, player: int) -> Guard | None:
    """Return the unit that is nearest to a player's camp, if its loss decides the battle."""
    setting, camp = state.setting, state.camps[player]
    decides = setting.special.camp_decides[player]
    if camp is None or not decides or state.sacked[player] or not state.occupied[player]:
        return None
    far = march(setting, setting.grid.all_squares & ~setting.closed, camp)
    nearest = min(each(state.occupied[player]), key=far.__getitem__)
    enemies = (far[square] for square in each(state.occupied[1 - player]))
    return Guard(state.at[nearest], far[nearest], min(enemies, default=NOWHERE), far)


def _guard(state: State, player: int) -> float:
    found = guard(state, player)
    return 0.0 if found is None else -_SACKED * found.want(found.own)


SAFE = 6
"""Points between the enemy and a leader who decides the battle, up to which this counts."""


def _exposed(state: State, player: int) -> float:
    """Return how near the enemy is to a leader whose death decides the battle, at most 0."""
    setting, grid = state.setting, state.setting.grid
    worst = 0.0
    for spec, leader in zip(setting.leaders, state.leaders, strict=True):
        is_mortal = spec.name == setting.special.mortal and spec.player == player
        if is_mortal and leader.square is not None:
            enemies = each(state.occupied[1 - player])
            near = (points(grid, leader.square, square) for square in enemies)
            worst = -max(SAFE - min(near, default=SAFE), 0) / SAFE
    return worst


@lru_cache
def weights() -> Sequence[float]:
    """Return the weight of each feature by which plans are compared: a change of the logarithm of the odds to win."""
    found: Mapping[str, float] = shipped_tables("brickphys.blade_and_bow", "plans")["weights"]
    return [found[name] for name in FEATURES]


@lru_cache
def _fitted() -> Sequence[float]:
    """Return the weights that foresee best who wins."""
    weights: list[float] = FittedWorth.shipped("brickphys.blade_and_bow", FEATURES).weights.tolist()
    return weights


PLAN_SLOPE: float = shipped_tables("brickphys.blade_and_bow", "worth")["made"]["plan_slope"]
"""How many times the logarithm of the odds to win grows with that by which plans are compared."""
LOSS = weights()[FEATURES.index("losses")]
"""Worth of a whole rout level in the logarithm of odds: what attacks bring is counted in it."""


def lead(state: State, player: int) -> float:
    """Return the logarithm of a player's odds to win, for plans: nearness counts for who comes near alone.

    The battle is not over.
    """
    total = _total(state, weights())
    return (total if player == 0 else -total) + approach(state, player)


def approach(state: State, player: int) -> float:
    """Return what a player's nearness to his goals counts in his own plans, at most 0, in the logarithm of odds."""
    weight = APPROACH * (URGENT if state.setting.special.minor_to == 1 - player else 1.0)
    return weight * _matter(part_of_pieces(state))[player].approach


def _total(state: State, by: Sequence[float]) -> float:
    return sum(w * f for w, f in zip(by, _row(state), strict=True))


def estimate(state: State) -> tuple[float, ...]:
    """Return the worth of a battle to both players, -1 to 1; their sum is 0."""
    return _estimate(matter(state))


@lru_cache(maxsize=4096)
def _estimate(part: StatePart) -> tuple[float, float]:
    first = tanh(0.5 * (_total(part.state, _fitted()) + _course(part.state)))
    return first, -first


def _course(state: State) -> float:
    """Return what actions that are chosen but not yet done should bring the first player, less the second."""
    if state.activation is None:
        return 0.0
    before = state.replaced({"activation": None, "combat": None})
    return LOSS / LOSSES * (prospects(state) - prospects(before))
