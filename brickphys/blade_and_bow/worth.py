"""Worth: what a battle seems worth to each player, by features of the whole battle in one weighted sum.

Losses and all that may become one count as shares of a rout level. What each army can strike now, in its next impulse
or after a move counts by the exact law of the dice (`prospects`). The weights lie in ``data/worth.toml``.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from brickphys.blade_and_bow.bot import COMMANDED, LOOKS, NEAR, gap, raid
from brickphys.blade_and_bow.dice_law import DECISIVE, SACK
from brickphys.blade_and_bow.ground import arc, points, within
from brickphys.blade_and_bow.pieces import Box
from brickphys.blade_and_bow.sheets import FACES, charts
from brickphys.blade_and_bow.state import Phase, State, StatePart, part_of_pieces
from brickphys.blade_and_bow.tactics.prospects import commanded, melees, threat, volleys
from brickphys.blade_and_bow.ways import NOWHERE, march
from brickphys.files import shipped_tables
from brickphys.grid.grid import each
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
_OWN = 7
"""How many features of a player `_matter` has."""
_CAPTIVE, _AWAY = 0.4, 0.2
"""What a captured leader and one who comes back soon count, where a killed one is 1."""


def features(state: State) -> Array:
    """Return the features of a state for each player, shape (2, n)."""
    row = np.array(_row(state))
    return np.stack([row, -row])


@lru_cache(maxsize=1 << 13)
def _matter(part: StatePart) -> tuple[float, ...]:
    """Return the features that rest on the pieces alone, but for losses and the turn: see `_row`."""
    state = part.state
    found: list[float] = []
    for player in (0, 1):
        found += (
            commanded(state, player, melees(state, player)),
            commanded(state, player, volleys(state, player)),
            threat(state, player),
            _places(state, player),
            _raid(state, player),
            _exposed(state, player),
            _guard(state, player),
        )
    return tuple(found)


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
    matter = _matter(part_of_pieces(state))
    first, second = matter[:_OWN], matter[_OWN:]
    now = _on_turn(state)
    for n in range(3):
        share = (0.0, first[n], -second[n])[now]
        row += [_NOW[min(state.actions, 3)] * share, first[n] - second[n] - _USED * share]
    row += [first[n] - second[n] for n in range(3, _OWN)]
    return row


_NOW = (0.0, 1.0, 1.5, 1.8)
"""How much of what a player can strike at once counts, by the actions that are left in the impulse."""
_USED = 0.7
"""Which share of that is not left for the next impulse."""


def _on_turn(state: State) -> int:
    """Return 1 where the first player has actions left in an impulse, 2 where the second has, else 0."""
    if state.phase is not Phase.IMPULSES or not state.actions:
        return 0
    return state.mover + 1


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
    """Return the worth of where units and leaders are: near the enemy, facing him, in command (as in `bot`).

    Who wins if nothing happens need not come near.
    """
    grid, here, value = state.setting.grid, state.at, 0.0
    awaits = state.setting.special.minor_to == player
    for square in each(state.occupied[player]):
        away, enemy = gap(state, here[square])
        value -= 0.0 if awaits else NEAR * away
        if enemy is not None:
            value += LOOKS * (arc(grid, square, state.units[here[square]].facing) >> enemy & 1)
    for number, leader in enumerate(state.leaders):
        spec = state.setting.leaders[number]
        if spec.player == player and leader.square is not None:
            inside = state.occupied[player] & within(grid, leader.square, spec.range_points)
            value += COMMANDED * inside.bit_count()
    return value


def _raid(state: State, player: int) -> float:
    raiders = raid(state, player)
    return -raiders.worth * sum(raiders.far[square] for square in raiders.squares)


class Guard(NamedTuple):
    """Who is nearest to a camp whose loss decides the battle."""

    unit: int
    own: int
    """Points from the unit to the camp."""
    enemy: int
    """Points from the nearest enemy, at least 1, by any way that may be found."""
    far: tuple[int, ...]
    """Points from each square."""

    @property
    def want(self) -> float:
        """How much nearer the enemy is than the guard, 0 to 1.5."""
        return min(self.own / self.enemy, 1.5)


def guard(state: State, player: int) -> Guard | None:
    """Return the unit that is nearest to a player's camp, if its loss decides the battle."""
    setting, camp = state.setting, state.camps[player]
    decides = setting.special.camp_decides[player]
    if camp is None or not decides or state.sacked[player] or not state.occupied[player]:
        return None
    far = march(setting, setting.grid.all_squares & ~setting.closed, camp)
    nearest = min(each(state.occupied[player]), key=far.__getitem__)
    enemies = (far[square] for square in each(state.occupied[1 - player]))
    return Guard(state.at[nearest], far[nearest], max(min(enemies, default=NOWHERE), 1), far)


def _guard(state: State, player: int) -> float:
    found = guard(state, player)
    return 0.0 if found is None else -found.want


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
def weights() -> Array:
    """Return the weight of each feature: the change of the logarithm of the odds to win."""
    found = shipped_tables("brickphys.blade_and_bow", "worth")["weights"]
    return np.array([found[name] for name in FEATURES], dtype=float)


@lru_cache
def _weights() -> tuple[float, ...]:
    return tuple(map(float, weights()))


def lead(state: State, player: int) -> float:
    """Return the logarithm of a player's odds to win, in a battle that is not over."""
    total = sum(w * f for w, f in zip(_weights(), _row(state), strict=True))
    return total if player == 0 else -total


def worth(state: State, player: int) -> float:
    """Return the worth of a state to a player: -1 to 1."""
    if (result := state.result) is not None:
        if result.winner is None:
            return 0.0
        grade = float(charts().grades[result.grade.value])
        return grade if result.winner == player else -grade
    return float(np.tanh(0.5 * lead(state, player)))


def estimate(state: State) -> tuple[float, ...]:
    """Return the worth of a state to both players."""
    first = worth(state, 0)
    return first, -first


def begins_turn(state: State) -> bool:
    """Whether an action begins: the states by which the weights are fitted."""
    return (
        state.phase is Phase.IMPULSES
        and state.activation is None
        and not state.pending
        and state.result is None
    )
