"""Worth: what a battle is worth to each team, one sum over the whole state, in cost points.

Its parts, each as own minus enemy, but `near`:

- `units`, `hulls`: what is left. A vehicle without a pilot or crew is worth less than one that can drive.
- `aims`: carriers of aims, by the rounds of the real way that they still have.
- `near`: own units that are nearer to an enemy, by the real way, can act sooner. What the enemy gains by it is left
  out: else nobody would ever go first.
- `next`, `later`: what each side may take with one turn of each of its units (`threat`): the team that moves next comes
  first. One target after the other: nobody dies twice.
- `clock`: the lead in points that were destroyed, as the last round comes near.

Plans are compared by this sum alone, on foot, in seats and at the wheel, with the weights in ``data/parts.toml``, where
it also is of what the parts are made. The estimate of the game is the same sum with the weights in ``data/worth.toml``,
which were fitted to games and foresee their winners; there, being near counts for both sides.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import tanh

import numpy as np

from brickphys.bow import threat_kernel
from brickphys.bow.bot import EMPTY
from brickphys.bow.outlook import PARTS, Outlook
from brickphys.bow.state import NOBODY, State
from brickphys.bow.threat import Forces, Shares, vehicle_team
from brickphys.files import shipped_tables
from brickphys.odds.law import BinomialLaw, RollLaw
from brickphys.rules.players.worth import FittedWorth
from brickphys.units import Array, Indices

FEATURES = ("units", "hulls", "aims", "near", "next", "later", "clock")
"""The parts, in order."""
FITTED = FittedWorth.shipped("brickphys.bow", FEATURES)
"""The weights of the parts in clear wins, for the logarithm of the odds to win."""
PLAN_SLOPE: float = shipped_tables("brickphys.bow", "worth")["made"]["plan_slope"]
"""How many times the logarithm of the odds to win grows with that by which plans are compared."""
WEIGHTS: Mapping[str, float] = shipped_tables("brickphys.bow", "parts")["plans"]
"""What a cost point of each part counts in plans."""


class Worth:
    """The worth of states, for one law of attacks; `weights` are what each part counts, by name."""

    def __init__(self, brick_law: RollLaw, weights: Mapping[str, float] = WEIGHTS) -> None:
        self.brick_law = brick_law
        self.shares = Shares(brick_law)
        self.weights = weights

    def parts(
        self, state: State, team: int, next_team: int, *, only_own_near: bool = True
    ) -> dict[str, float]:
        """Return the parts of the worth of an unfinished battle to a team, in cost points.

        The team `next_team` is to move next. With `only_own_near`, what the enemy gains by being near is left out.
        """
        now, team_of = Outlook.of(state), state.setting.unit_teams
        mine, near = dict.fromkeys(WEIGHTS, 0.0), now.nearness
        for unit, value in now.unit_values.items():
            sign = 1.0 if team_of[unit] == team else -1.0
            mine["units"] += sign * value
            if sign > 0.0 or not only_own_near:
                mine["near"] += sign * near[unit]
        for vehicle in dict.fromkeys(vehicle for vehicle, _ in state.unloaded):
            mine["units"] += EMPTY if vehicle_team(state, vehicle) != team else -EMPTY
        for unit, value in now.aim_values.items():
            mine["aims"] += value if team_of[unit] == team else -value
        for vehicle, value in now.hull_values.items():
            left = value - now.course_loss(vehicle)
            mine["hulls"] += left if vehicle_team(state, vehicle) == team else -left
        for owner, value in now.area_values():
            mine["aims"] += value if owner == team else -value
        for attacker, points in self.takes(now).items():
            sign = 1.0 if attacker == team else -1.0
            mine["next" if attacker == next_team else "later"] += sign * points
        mine["clock"] = now.clock(team)
        return mine

    def points(self, state: State, team: int, next_team: int | None = None) -> float:
        """Return the worth of an unfinished battle to a team, in cost points.

        `next_team` is to move next: that of the player whose turn it is, if None.
        """
        if next_team is None:
            next_team = state.setting.teams[state.player]
        parts = self.parts(state, team, next_team)
        return sum(self.weights[name] * value for name, value in parts.items())

    def returns(self, state: State, team: int, next_team: int | None = None) -> float:
        """Return the worth of a state to a team in the scale of returns, -1 to 1; of one that is over, its return."""
        if state.result is not None:
            return 0.0 if state.result == NOBODY else 1.0 if state.result == team else -1.0
        return tanh(self.points(state, team, next_team) / scale(state))

    def takes(self, now: "Outlook") -> dict[int, float]:
        """Return what each team may take from all others with one turn of each of its units, in cost points."""
        setting, state = now.state.setting, now.state
        found = dict.fromkeys(sorted(set(setting.teams)), 0.0)
        owners, rows = self.rows(now.forces)
        if not len(owners):
            return found
        likely = [1.0 if state.is_unplayed(unit) else PARTS["played"] for unit in owners.tolist()]
        points = threat_kernel.taken(rows, now.mark_values, np.array(likely))
        for unit, taken in zip(owners.tolist(), points.tolist(), strict=True):
            found[setting.team(unit)] += taken
        return found

    def rows(self, now: Forces) -> tuple[Indices, Array]:
        """Return the units that can attack, and the share that each takes from each mark by its best way."""
        owners = now.ways.owner
        if not len(owners) or not len(now.marks.unit):
            return np.zeros(0, np.intp), np.zeros((0, 0))
        units, firsts = np.unique(owners, return_index=True)
        best: Array = np.maximum.reduceat(now.pairs(self.shares), firsts, axis=0)
        return units, best


def features(state: State) -> Array:
    """Return the parts for each player as shares of a clear win, for bricks of a common chance, shape (players, 7).

    What one of two teams has is minus what the other has.
    """
    teams, whole = state.setting.teams, scale(state)
    worth, next_team, rows = _of_common_bricks(), teams[state.player], dict[int, Array]()
    sides = sorted(set(teams))
    for team in sides:
        if len(sides) == 2 and rows:
            rows[team] = -rows[sides[0]]
        else:
            parts = worth.parts(state, team, next_team, only_own_near=False)
            rows[team] = np.array([parts[name] / whole for name in FEATURES])
    return np.array([rows[team] for team in teams])


def estimate(state: State) -> tuple[float, ...]:
    """Return the worth of an unfinished battle to each player by the weights that were fitted, -1 to 1."""
    return tuple(FITTED.values(features(state)).tolist())


def plan_estimate(state: State) -> float:
    """Return the worth of an unfinished battle, as plans are compared, to the player whose turn it is, -1 to 1."""
    return _of_common_bricks().returns(state, state.setting.teams[state.player])


@lru_cache(maxsize=1)
def _of_common_bricks() -> Worth:
    return Worth(BinomialLaw(Fraction(29, 100)))


def scale(state: State) -> float:
    """Return the cost points that make a clear win: in proportion to both armies, the more to what is left of them."""
    now = Outlook.of(state)
    left = sum(now.unit_values.values()) + sum(now.hull_values.values())
    return PARTS["scale_left"] * left + PARTS["scale_begin"] * sum(state.setting.army_costs)
