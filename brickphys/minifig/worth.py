"""Worth: what a battle seems worth to each player, by features of the whole battle whose weights were fitted.

The weights lie in ``data/worth.toml``, which names the command and the games that made them. What a figure is worth
follows from them: how much its side loses with it.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import log, tanh
from operator import mul, sub
from typing import NamedTuple

import numpy as np

from brickphys.minifig.bot import brick_worth, nearness, survival, unready
from brickphys.minifig.setting import Setting
from brickphys.minifig.state import State
from brickphys.rules.aims import NEARNESS, Hold, last_round
from brickphys.rules.players.worth import FittedWorth
from brickphys.units import Array

_SUMS = ("worth", "figures", "shooters", "spears", "riders")
"""What is added up over the figures of a side, each with its chance to live: worths by hand, and numbers."""
FEATURES = (
    "log_worth",
    "shooters_of_few",
    "shooters",
    "spears",
    "riders",
    "late_lead",
    "on_turn",
    "area_held",
)
"""The names of the features, in the order of `features`. Numbers of figures are shares of all that live; those of bows
and crossbows count more among few figures, of whom nobody runs the archers down."""
_FEW = 8.0
"""Among so many figures shooters of few count in full, among more in proportion less."""
_SMALL = 0.5
"""Is added to sums whose logarithms are compared, so that a side without figures has one."""


@lru_cache(maxsize=1 << 14)
def _row(setting: Setting, figure: int, held: tuple[int, ...], rides: bool) -> tuple[float, ...]:
    """Return what a figure adds to the sums of its side."""
    shoots = {setting.items[item].arm.missile for item in held}
    return (
        brick_worth(setting, figure, held, rides),
        1.0,
        float(not shoots.isdisjoint(_SHOT)),
        float("spear" in shoots),
        float(rides),
    )


_SHOT = {"bow", "crossbow"}


Sums = tuple[float, ...]
"""What the figures of a side add up to, in the order of `_SUMS`."""
Gears = tuple[tuple[int, tuple[int, ...], bool], ...]
"""As `State.gears`."""


def rows(state: State) -> list[Sums]:
    """Return what each living figure adds to the sums of its side, in the order of `State.alive`."""
    return [_row(state.setting, *gear) for gear in state.gears]


@lru_cache(maxsize=1 << 12)
def _sums(setting: Setting, gears: Gears, team: int) -> tuple[Sums, Sums]:
    """Return the sums of a team, and those of all others, if all live."""
    sides: tuple[list[Sums], list[Sums]] = [], []
    for gear in gears:
        sides[setting.figure_teams[gear[0]] != team].append(_row(setting, *gear))
    own, other = (tuple(map(sum, zip(_NOTHING, *side, strict=True))) for side in sides)
    return own, other


_NOTHING = (0.0,) * len(_SUMS)


class Scales(NamedTuple):
    """What the features of a team rest on besides the sums of its figures and of all others."""

    rest: tuple[float, ...]
    """Those of whose turn it is, and of aims."""
    lateness: float
    """Share of the rounds that are over, squared; 0 without a limit."""
    start: tuple[int, int]
    """How many figures the team and all others had at the start."""

    def features(self, own: Sums, other: Sums) -> list[float]:
        """Return the features of the sums of both sides, in the order of `FEATURES`."""
        figures = max(own[1] + other[1], 1.0)
        shooters, spears, riders = (
            (one - two) / figures for one, two in zip(own[2:], other[2:], strict=True)
        )
        return [
            log((own[0] + _SMALL) / (other[0] + _SMALL)),
            shooters * min(1.0, _FEW / figures),
            shooters,
            spears,
            riders,
            self.lateness * (own[1] / self.start[0] - other[1] / self.start[1]),
            *self.rest,
        ]

    def log_odds(self, own: Sums, other: Sums) -> float:
        """Return the logarithm of the odds that the team wins."""
        odds: float = sum(map(mul, self.features(own, other), _weights()))
        return odds


def scales(state: State, team: int) -> Scales:
    """Return what the features of a team rest on besides its figures."""
    setting, start = state.setting, [0, 0]
    for its in setting.figure_teams:
        start[its != team] += 1
    rest = (_on_turn(state, team), _area_held(state, team))
    lasts = last_round(setting.aims)
    lateness = (min(state.round / lasts, 1.0)) ** 2 if lasts else 0.0
    return Scales(rest, lateness, (max(start[0], 1), max(start[1], 1)))


def _on_turn(state: State, team: int) -> float:
    """Return 1 for a team that acts first in the round, a half if it acts now otherwise, minus that for others."""
    if state.turn >= len(state.order):
        return 0.0
    share = 1.0 if state.turn == 0 else 0.5
    return share if state.setting.teams[state.player] == team else -share


def _area_held(state: State, team: int) -> float:
    """Return how much longer a team has held its areas than others theirs, as shares of what they need."""
    setting, found = state.setting, 0.0
    for aim, rounds in zip(setting.aims, state.holding or (0,) * len(setting.aims), strict=True):
        if isinstance(aim, Hold):
            inside = {
                state.team(one)
                for one in state.alive
                if aim.area.contains(state.figures[one].place_in)
            }
            held = min((rounds + 0.5 * (inside == {aim.team})) / aim.rounds, 1.0)
            found += held if aim.team == team else -held
    return found


def features(state: State) -> Array:
    """Return the features of a state for each player, shape (players, 8): those of its team against all others."""
    of_teams = {
        team: scales(state, team).features(*sums(state, team)) for team in {*state.setting.teams}
    }
    return np.array([of_teams[team] for team in state.setting.teams])


def sums(state: State, team: int, lives: Mapping[int, float] | None = None) -> tuple[Sums, Sums]:
    """Return the sums of a team, and those of all others.

    `lives` has the chance to live of figures that are in danger.
    """
    found = _sums(state.setting, state.gears, team)
    if not lives:
        return found
    own, other = map(list, found)
    for gear in state.gears:
        life = lives.get(gear[0], 1.0)
        if life < 1.0:
            side = own if state.team(gear[0]) == team else other
            for index, each in enumerate(_row(state.setting, *gear)):
                side[index] -= (1.0 - life) * each
    return tuple(own), tuple(other)


@lru_cache
def _weights() -> tuple[float, ...]:
    return tuple(FittedWorth.shipped("brickphys.minifig", FEATURES).weights.tolist())


def estimate(state: State) -> tuple[float, ...]:
    """Return for each player what the battle seems worth, -1 to 1 and a little for places: of two teams what one gains.

    Figures count with their chance not to be eliminated soon, and the side whose turn it is with how near it is to its
    goals; see `brickphys.minifig.bot`.
    """
    lives, small = survival(state), _small(state)
    teams = tuple(dict.fromkeys(state.setting.teams))
    values = dict[int, float]()
    for team in teams:
        if len(teams) == 2 and values:
            values[team] = -values[teams[0]]
        else:
            worth = tanh(0.5 * scales(state, team).log_odds(*sums(state, team, lives)))
            values[team] = worth + max(1.0 - worth**2, _LEAST_OPEN) * small[team]
    return tuple(values[team] for team in state.setting.teams)


def _small(state: State) -> dict[int, float]:
    """Return for each team what `bot.unready` finds, and how near the side whose turn it is is to its goals.

    What one team gains so the others lose in equal shares.
    """
    teams = {*state.setting.teams}
    changes = list(unready(state))
    if state.turn < len(state.order):
        team = state.setting.teams[state.player]
        changes.append((team, 2.0 * NEARNESS + nearness(state, team)))
    found = dict.fromkeys(teams, 0.0)
    for team, change in changes:
        for other in teams:
            found[other] += change if other == team else -change / max(len(teams) - 1, 1)
    return found


_LEAST_OPEN = 0.02
"""Least weight of places where a battle is all but decided."""
USUAL = 2.0
"""The mean worth of a figure in `figure_worths`."""
_LEAST_SHARE = 0.05
"""No figure is worth less than this share of a usual one."""


def figure_worths(state: State, team: int) -> tuple[dict[int, float], float]:
    """Return how much the loss of each living figure changes the battle for a team, and its unit.

    The first are in units of half a usual figure, so that their mean is `USUAL`; the second is that unit in the scale
    of returns.
    """
    scale, now = scales(state, team), _sums(state.setting, state.gears, team)
    value = tanh(0.5 * scale.log_odds(*now))
    worths = {}
    for gear in state.gears:
        own, other = now
        lost = _row(state.setting, *gear)
        if state.team(gear[0]) == team:
            own = tuple(map(sub, own, lost))
        else:
            other = tuple(map(sub, other, lost))
        worths[gear[0]] = abs(value - tanh(0.5 * scale.log_odds(own, other)))
    unit = max(sum(worths.values()) / len(worths), 1e-6) / USUAL
    least = _LEAST_SHARE * USUAL
    return {one: max(worth / unit, least) for one, worth in worths.items()}, unit
