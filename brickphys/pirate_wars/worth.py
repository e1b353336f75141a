"""Worth: what a battle is worth to a team, as one sum over all ships and crews, by weights that were fitted.

The sum is the logarithm of the odds to win: the logarithms of what the team has of each kind against all others have,
and a few features of places and time. Plans go by the weights in ``data/plans.toml``, the chance to win by those in
``data/worth.toml``, which names the command and the games that made them. What a line, a minifig or a gun is worth
follows from them: how much its side loses with it.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import dist, exp, log, tanh
from operator import add, mul, sub
from typing import TYPE_CHECKING, NamedTuple, Self

from brickphys.files import shipped_tables
from brickphys.geometry.pose import Pose, turn_deg
from brickphys.pirate_wars.sailing import is_in_irons, way_studs
from brickphys.pirate_wars.setting import Setting
from brickphys.pirate_wars.sheets import data, sailing_chart
from brickphys.pirate_wars.state import Phase, State
from brickphys.rules.aims import Circle, Reach, last_round

if TYPE_CHECKING:
    from brickphys.units import Array

FEATURES = ("points", "race_points", "lead", "late_lead", "aim_open", "aim_near", "steady")
"""The names of the features, in the order of `features`; more of each is better.

`points` is the logarithm of the points of a side against those of all others; where a side can win by reaching an area,
`race_points` is that, and `points` is 0. `lead` is the share of lines and minifigs that is left more than others have,
by which a battle is judged at its last turn, `late_lead` the same times the share of turns that are over, squared.
`aim_open` and `aim_near` tell who can reach an area, and how near it is. `steady` counts ships of others that flee, and
own ones against it.
"""
_POINTS = data("points")["points"]
RETURNS, EMPTY = float(_POINTS["returns"]), float(_POINTS["empty"])
"""Probability that a crew that flees returns, and share of its ship that counts; share of a ship without a crew, and
of a minifig in the water, that counts."""
_HULL, _SAILS, _MELEE, _HANDS, _GUNS = (
    float(_POINTS[kind]) for kind in ("hull", "sails", "melee", "hands", "guns")
)
_ROUNDS = 3.0
"""An aim that is so many turns away counts by 1/e."""
_MET = 20.0
"""Odds of an aim that is met."""
_SMALL = 1.0
"""Is added to points whose logarithms are compared."""


class Sums(NamedTuple):
    """What the ships and crews of a side add up to."""

    hull: float = 0.0
    """Open hull lines."""
    sails: float = 0.0
    """Open sail lines."""
    melee: float = 0.0
    """Melee of the crews."""
    hands: float = 0.0
    """Minifigs of the crews."""
    guns: float = 0.0
    """Guns that are left."""

    @property
    def points(self) -> float:
        """The points of all of it."""
        hull, sails, melee, hands, guns = self
        return _HULL * hull + _SAILS * sails + _MELEE * melee + _HANDS * hands + _GUNS * guns

    @property
    def score(self) -> float:
        """Lines and minifigs, by which a battle is judged at its last turn."""
        return self[0] + self[1] + self[3]

    def plus(self, other: "Sums", share: float = 1.0) -> "Sums":
        """Return the sums with a share of others added."""
        return Sums(*map(add, self, other if share == 1.0 else other.times(share)))

    def times(self, share: float) -> "Sums":
        """Return a share of the sums."""
        return Sums(*(share * one for one in self))

    def minus(self, other: "Sums") -> "Sums":
        """Return the sums without others, at least 0 of each."""
        return Sums(*(one if one > 0.0 else 0.0 for one in map(sub, self, other)))


NOTHING = Sums()
"""The sums of nobody."""


PLAN_SLOPE: float = shipped_tables("brickphys.pirate_wars", "worth")["made"]["plan_slope"]
"""How many times the logarithm of the odds to win grows with that by which plans are compared."""


@lru_cache
def weights(table: str = "plans") -> tuple[float, ...]:
    """Return the weights of a table that ships: ``plans``, or ``worth`` for chances to win."""
    from brickphys.rules.players.worth import FittedWorth  # loads NumPy

    return tuple(FittedWorth.shipped("brickphys.pirate_wars", FEATURES, table).weights.tolist())


class Balance(NamedTuple):
    """What a team has against all others."""

    own: Sums
    """What its ships and crews add up to."""
    other: Sums
    """What all others have."""
    start: tuple[float, float]
    """Lines and minifigs of the team and of all others at the start."""
    lateness: float
    """Share of the turns that are over, squared; 0 without a limit."""
    rest: tuple[float, ...]
    """The other features, in the order of `FEATURES`."""
    odds: float
    """The logarithm of the odds that these bring; `_MET` more for an aim that is met."""
    weights: tuple[float, ...]
    """The weights of the features."""

    def moved(self, state: State, team: int) -> Self:
        """Return the balance after ships have moved, and nothing else has happened."""
        rest, odds = _rest(state, team, self.weights)
        return self._replace(rest=rest, odds=odds)

    @classmethod
    def of(cls, state: State, team: int, by: tuple[float, ...] | None = None) -> Self:
        """Return the balance of a team, no contact counted, by the weights of plans or others."""
        by = weights() if by is None else by
        setting = state.setting
        own, others = Sums(), Sums()
        for each, its in team_sums(state).items():
            if each == team:
                own = its
            else:
                others = others.plus(its)
        lasts, starts = last_round(setting.aims), setting.points_at_start
        lateness = min(state.round / lasts, 1.0) ** 2 if lasts else 0.0
        start = starts[team], max(sum(starts.values()) - starts[team], 1.0)
        return cls(own, others, start, lateness, *_rest(state, team, by), by)

    def features(self) -> list[float]:
        """Return the features, in the order of `FEATURES`."""
        return [*self._of(self.own, self.other), *self.rest]

    def _of(self, own: Sums, other: Sums) -> tuple[float, float, float, float]:
        lead = own.score / self.start[0] - other.score / self.start[1]
        late = self.lateness * lead
        logs = log((own.points + _SMALL) / (other.points + _SMALL))
        return (0.0, logs, lead, late) if self.rest[0] else (logs, 0.0, lead, late)

    def worth_of(self, own: Sums, other: Sums) -> float:
        """Return the worth to the team if both sides had something else, -1 to 1; who has nobody left has lost."""
        if own[3] <= 0.0 or other[3] <= 0.0:
            return float((own[3] > 0.0) - (other[3] > 0.0))
        return tanh(0.5 * (self.odds + sum(map(mul, self._of(own, other), self.weights))))

    @property
    def worth(self) -> float:
        """The worth to the team, -1 to 1."""
        return self.worth_of(self.own, self.other)

    def less(self, own: Sums = NOTHING, other: Sums = NOTHING) -> float:
        """Return the worth to the team if it and others lost something."""
        return self.worth_of(self.own.minus(own), self.other.minus(other))


def _rest(state: State, team: int, by: tuple[float, ...]) -> tuple[tuple[float, ...], float]:
    """Return the features of a team that are no sums, and the logarithm of the odds that they bring."""
    steady, open_, near, met = 0.0, 0.0, 0.0, 0.0
    for number, ship in state.afloat:
        sign = 1.0 if state.team(number) == team else -1.0
        steady -= sign * ship.is_fleeing
    for aim in state.setting.aims:
        if isinstance(aim, Reach):
            found = aim_nearness(state, aim)
            sign = 1.0 if aim.team == team else -1.0
            open_ += sign * (found > 0.0)
            near += sign * found
            met += sign * (found >= 1.0)
    rest = open_, near, steady
    return rest, _MET * met + sum(map(mul, rest, by[-len(rest) :]))


def aim_nearness(state: State, aim: Reach[Circle]) -> float:
    """Return how near a team is to an aim, 1 in its area; 0 if it cannot reach it any more."""
    setting = state.setting
    ships = aim.units or range(len(setting.ships))
    found = sorted(
        (
            ship_nearness(state, ship, aim)
            for ship in ships
            if setting.teams[setting.ships[ship].player] == aim.team
            and state.ships[ship].is_afloat
            and state.team(ship) == aim.team
            and state.crews[ship]
        ),
        reverse=True,
    )
    wanted = len(aim.units) or aim.count
    return sum(found[:wanted]) / wanted if len(found) >= wanted else 0.0


def ship_nearness(state: State, ship: int, aim: Reach[Circle]) -> float:
    """Return how near a ship is to the area of an aim: 1 in it, 1/e about three turns away."""
    now = state.ships[ship]
    if dist(now.centre_studs, aim.area.centre) <= aim.area.radius:
        return 1.0
    way = way_studs(state.setting.wind_deg)(leapt_studs(state, ship), aim.area.centre)
    speed = max(float(state.sheet(ship).chart.speed_studs(now.damage)), 8.0)
    return exp(-(0.5 + max(way - aim.area.radius, 0.0) / speed) / _ROUNDS)


def leapt_studs(state: State, ship: int) -> tuple[float, float]:
    """Return where the middle of a ship is after half of its next leap; one in irons falls off before it, if it may."""
    sheet, now, wind_deg = state.sheet(ship), state.ships[ship], state.setting.wind_deg
    studs = min(sheet.length_studs, float(sheet.chart.speed_studs(now.damage)))
    off_deg, heading_deg = turn_deg(wind_deg, now.heading_deg), now.heading_deg
    if is_in_irons(state, ship):
        if state.phase is Phase.FALLING_OFF and ship in state.done:
            return now.centre_studs  # it drifts in the next turn
        limit_deg = sailing_chart().half_speed_deg
        heading_deg = wind_deg + (limit_deg if off_deg > 0.0 else -limit_deg)
    return Pose(now.x_studs, now.y_studs, heading_deg).on_field((studs / 2, 0.0))


def ship_sums(state: State, number: int) -> Sums:
    """Return what a ship adds without its crew."""
    ship = state.ships[number]
    if not ship.hull:
        return Sums()
    guns = sum(not gun.is_lost for gun in ship.guns)
    share = RETURNS if ship.is_fleeing else 1.0
    if not state.crews[number]:
        share = EMPTY
    return Sums(share * ship.hull, share * ship.sails, guns=share * guns)


def crew_sums(setting: Setting, minifigs: Iterable[int]) -> Sums:
    """Return what minifigs add."""
    values = [setting.minifigs[one].sheet.melee for one in minifigs]
    return Sums(melee=float(sum(values)), hands=float(len(values)))


Aboard = dict[tuple[int | None, int], tuple[int, int]]
_LAST: list[tuple[object, Aboard]] = []
"""The minifigs for which `aboard` was asked last: most states that are compared have the same ones."""


def aboard(state: State) -> Aboard:
    """Return the Melee and the number of living minifigs by (ship, team); the ship is None in the water."""
    if _LAST and _LAST[0][0] is state.minifigs:
        return _LAST[0][1]
    found: Aboard = {}
    setting = state.setting
    for team, spec, now in zip(
        setting.minifig_teams, setting.minifigs, state.minifigs, strict=True
    ):
        if now.is_alive:
            melee, hands = found.get((now.ship, team), (0, 0))
            found[now.ship, team] = melee + spec.sheet.melee, hands + 1
    _LAST[:] = [(state.minifigs, found)]
    return found


def team_sums(state: State) -> dict[int, Sums]:
    """Return what each team has, no contact counted."""
    left = dict.fromkeys(sorted(set(state.setting.teams)), NOTHING)
    for (ship, team), (melee, hands) in aboard(state).items():
        crew = Sums(melee=melee, hands=hands)
        left[team] = left[team].plus(crew, 1.0 if ship is not None else EMPTY)
    for number, _ in state.afloat:
        team = state.team(number)
        left[team] = left[team].plus(ship_sums(state, number))
    return left


def features(state: State) -> "Array":
    """Return the features of a state for each player, shape (players, 7): those of its team against all others."""
    import numpy as np

    teams = state.setting.teams
    found = {team: Balance.of(state, team).features() for team in {*teams}}
    return np.array([found[team] for team in teams])
