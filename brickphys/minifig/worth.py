"""Worth: what a battle seems worth to each player, by features of the whole battle whose weights were fitted.

The weights lie in ``data/worth.toml``, which names the command and the games that made them. What a figure is worth
follows from them: how much its side loses with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import dist, hypot

import numpy as np

from brickphys.minifig.bot import brick_worth, nearness, survival, unready
from brickphys.minifig.setting import Setting
from brickphys.minifig.sheets import attack_chart, attack_rows, defence_chart, defence_rows
from brickphys.minifig.state import Phase, State
from brickphys.rules.aims import Carry, Hold, RoundLimit
from brickphys.rules.players.worth import FittedWorth
from brickphys.units import Array

_SUMS = (
    "worth",
    "figures",
    "bows",
    "crossbows",
    "spears",
    "attack",
    "defence",
    "riders",
    "dogs",
)
"""What is added up over the figures of a side, each with its chance to live."""
FEATURES = (
    "log_worth",
    "share_of_worth",
    "log_figures",
    "bows",
    "crossbows",
    "spears",
    "attack",
    "defence",
    "riders",
    "dogs",
    "late_lead",
    "on_turn",
    "has_item",
    "item_near",
    "area_held",
)
"""The names of the features, in the order of `features`."""
_BOWS, _DOGS = _SUMS.index("bows"), _SUMS.index("dogs")
_SMALL = 0.5
"""Is added to sums whose logarithms are compared, so that a side without figures has one."""


@lru_cache(maxsize=1 << 14)
def _row(setting: Setting, figure: int, held: tuple[int, ...], rides: bool) -> tuple[float, ...]:
    """Return what a figure adds to the sums of its side."""
    spec = setting.figures[figure]
    arms = (*spec.worn, *(setting.items[item].arm for item in held))
    attack = sum(attack_chart(attack_rows(spec.kind, arms)).values())
    defence = sum(defence_chart(defence_rows(arms)).values())
    shoots = {arm.missile for arm in arms}
    return (
        brick_worth(setting, figure, held, rides),
        1.0,
        float("bow" in shoots),
        float("crossbow" in shoots),
        float("spear" in shoots),
        float(attack * (2 if rides else 1)),
        float(defence + (2 if rides else 0)),
        float(rides),
        float(not spec.kind.hands),
    )


def rows(state: State) -> Array:
    """Return what each living figure adds to the sums of its side, shape (n, 9), in the order of `State.alive`."""
    setting, held, figures = state.setting, state.held, state.figures
    return np.array(
        [
            _row(setting, one, held.get(one, ()), figures[one].horse is not None)
            for one in state.alive
        ]
    ).reshape(-1, len(_SUMS))


@dataclass(frozen=True, eq=False)
class Scales:
    """The sums of one side against those of all others, and the features that do not rest on figures alone."""

    rest: Array
    """Shape (5,): late lead without the share of figures, on turn, and those of aims."""
    lateness: float
    """Share of the rounds that are over, squared; 0 without a limit."""
    start: tuple[float, float]
    """How many figures the side and all others had at the start."""

    def features(self, own: Array, other: Array) -> Array:
        """Return the features of sums of both sides, shapes (..., 9), each row on its own: shape (..., 15)."""
        figures = own[..., 1] + other[..., 1]
        per_figure = (own - other)[..., _BOWS : _DOGS + 1] / np.maximum(figures, 1.0)[..., None]
        lead = self.lateness * (own[..., 1] / self.start[0] - other[..., 1] / self.start[1])
        both = np.maximum(own[..., 0] + other[..., 0], 1e-9)
        first = np.stack(
            [
                np.log((own[..., 0] + _SMALL) / (other[..., 0] + _SMALL)),
                (own[..., 0] - other[..., 0]) / both,
                np.log((own[..., 1] + _SMALL) / (other[..., 1] + _SMALL)),
            ],
            axis=-1,
        )
        last = np.broadcast_to(self.rest, (*np.shape(lead), len(self.rest)))
        return np.concatenate([first, per_figure, lead[..., None], last], axis=-1)


def scales(state: State, team: int) -> Scales:
    """Return what the features of a team rest on besides its figures."""
    setting, start = state.setting, [0, 0]
    for its in setting.figure_teams:
        start[its != team] += 1
    rest = np.array([_on_turn(state, team), *_of_aims(state, team)])
    lasts = _last_round(setting)
    lateness = (min(state.round / lasts, 1.0)) ** 2 if lasts else 0.0
    return Scales(rest, lateness, (max(start[0], 1), max(start[1], 1)))


@lru_cache(maxsize=64)
def _last_round(setting: Setting) -> int:
    return min((aim.rounds for aim in setting.aims if isinstance(aim, RoundLimit)), default=0)


def _on_turn(state: State, team: int) -> float:
    """Return 1 for a team that acts first in the round, a half if it acts now otherwise, minus that for others."""
    if state.turn >= len(state.order):
        return 0.0
    share = 1.0 if state.turn == 0 else 0.5
    return share if state.setting.teams[state.player] == team else -share


def _of_aims(state: State, team: int) -> tuple[float, float, float]:
    """Return how much nearer a team is to its aims than others to theirs: items had, ways of carriers, areas held."""
    setting, found = state.setting, [0.0, 0.0, 0.0]
    for aim, rounds in zip(setting.aims, state.holding or (0,) * len(setting.aims), strict=True):
        if isinstance(aim, RoundLimit):
            continue
        side = 1.0 if aim.team == team else -1.0
        if isinstance(aim, Carry):
            holder = state.items[setting.item_numbers[aim.item]].holder
            if holder is not None and state.team(holder) == aim.team:
                far = dist(state.figures[holder].place_in, aim.area.centre) - aim.area.radius
                size = hypot(setting.width_in, setting.length_in) / 2
                found[0] += side
                found[1] += side * max(1.0 - max(far, 0.0) / size, 0.0)
        elif isinstance(aim, Hold):
            inside = {
                state.team(one)
                for one in state.alive
                if aim.area.contains(state.figures[one].place_in)
            }
            found[2] += side * min((rounds + 0.5 * (inside == {aim.team})) / aim.rounds, 1.0)
    return found[0], found[1], found[2]


def features(state: State) -> Array:
    """Return the features of a state for each player, shape (players, 15): those of its team against all others."""
    of_teams = {
        team: scales(state, team).features(*sums(state, team)) for team in {*state.setting.teams}
    }
    return np.array([of_teams[team] for team in state.setting.teams])


def sums(state: State, team: int, lives: Mapping[int, float] | None = None) -> tuple[Array, Array]:
    """Return the sums of a team, and those of all others, each of shape (9,).

    Parameters
    ----------
    lives
        The chance to live of figures that are in danger.
    """
    found = rows(state)
    if lives:
        found = found * np.array([[lives.get(one, 1.0)] for one in state.alive])
    own = np.array([state.team(one) == team for one in state.alive], dtype=bool)
    return found[own].sum(axis=0), found[~own].sum(axis=0)


def begins_turn(state: State) -> bool:
    """Whether a side's turn begins: none of its figures has acted in the round."""
    if state.pending or state.winners is not None or state.turn >= len(state.order):
        return False
    if state.phase is not Phase.MOVEMENT or state.active is not None:
        return False
    figures, player = state.setting.figures, state.player
    own = sum(figures[one].player == player for one in state.alive)
    return own == sum(1 for _ in state.ready(player))


@lru_cache
def fitted() -> FittedWorth:
    """Return the weights that ship."""
    return FittedWorth.shipped("brickphys.minifig", FEATURES)


def estimate(state: State) -> tuple[float, ...]:
    """Return for each player what the battle seems worth, -1 to 1 and a little for places.

    Figures count with their chance not to be eliminated soon; see `brickphys.minifig.bot`.
    """
    lives, values = survival(state), dict[int, float]()
    for team in dict.fromkeys(state.setting.teams):
        found = scales(state, team).features(*sums(state, team, lives))
        values[team] = float(fitted().values(found)) + nearness(state, team)
    for team, change in unready(state):
        values[team] += change
    return tuple(values[team] for team in state.setting.teams)


USUAL = 2.0
"""The mean worth of a figure in `figure_worths`."""
_LEAST_SHARE = 0.05
"""No figure is worth less than this share of a usual one."""


def figure_worths(state: State, team: int) -> tuple[dict[int, float], float]:
    """Return how much the loss of each living figure changes the battle for a team, and its unit.

    The first are in units of half a usual figure, so that their mean is `USUAL`; the second is that unit in the scale
    of returns.
    """
    alive, each, scale = state.alive, rows(state), scales(state, team)
    own = np.array([state.team(one) == team for one in alive], dtype=bool)
    ours, theirs = each[own].sum(axis=0), each[~own].sum(axis=0)
    mine = np.where(own[:, None], ours - each, ours)
    others = np.where(own[:, None], theirs, theirs - each)
    found, now = scale.features(mine, others), scale.features(ours, theirs)
    _without_items(state, found)
    worths = np.abs(fitted().values(now) - fitted().values(found))
    unit = max(float(worths.mean()), 1e-6) / USUAL
    worths = np.maximum(worths / unit, _LEAST_SHARE * USUAL)
    return dict(zip(alive, worths.tolist(), strict=True)), unit


def _without_items(state: State, found: Array) -> None:
    """Take from rows of features what is lost with figures that carry an item to where it wins."""
    setting = state.setting
    has, near = FEATURES.index("has_item"), FEATURES.index("item_near")
    for aim in setting.aims:
        if isinstance(aim, Carry):
            holder = state.items[setting.item_numbers[aim.item]].holder
            if holder is not None and state.team(holder) == aim.team:
                row = state.alive.index(holder)
                found[row, [has, near]] = 0.0
