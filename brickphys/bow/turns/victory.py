"""Victory: the last side, and the aims of a scenario; how much has been destroyed."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache

from brickphys.bow.field.field import Studs
from brickphys.bow.sheets.cost import minifig_cost, vehicle_cost
from brickphys.bow.state.setting import Setting
from brickphys.bow.state.state import NOBODY, State


@dataclass(frozen=True)
class Aim(ABC):
    """A way for a team to win; `team` is `NOBODY` for an aim of all."""

    team: int

    @abstractmethod
    def is_met(self, state: State, held_rounds: int) -> bool:
        """Tell whether the team wins now, given for how many rounds it has held what it should."""

    def is_held(self, state: State) -> bool:  # noqa: ARG002 - most aims need no holding
        """Tell whether what should be held is held at the end of this round."""
        return False


@dataclass(frozen=True)
class Reach(Aim):
    """Units reach some studs: all that are named, or else any so many of the team's."""

    studs: Studs
    units: tuple[int, ...] = ()
    count: int = 1

    def is_met(self, state: State, held_rounds: int) -> bool:  # noqa: ARG002
        """Tell whether they are there."""
        there = [unit for unit, figure in state.in_play() if _stands_in(figure.stud, self.studs)]
        if self.units:
            return set(self.units) <= set(there)
        return sum(state.setting.team(unit) == self.team for unit in there) >= self.count


@dataclass(frozen=True)
class Carry(Aim):
    """A unit of the team is on some studs with an object (rescue and carry)."""

    studs: Studs
    item: str

    def is_met(self, state: State, held_rounds: int) -> bool:  # noqa: ARG002
        """Tell whether somebody has brought it there."""
        return any(
            state.setting.team(unit) == self.team
            and _stands_in(figure.stud, self.studs)
            and any(item.name == self.item for _, item in figure.sheet.gear.items())
            for unit, figure in state.in_play()
        )


@dataclass(frozen=True)
class Hold(Aim):
    """At the end of so many rounds in a row, only units of the team stand on some studs."""

    studs: Studs
    rounds: int

    def is_held(self, state: State) -> bool:
        """Tell whether the team, and nobody else, is there."""
        setting = state.setting
        there = {
            setting.team(unit)
            for unit, figure in state.in_play()
            if _stands_in(figure.stud, self.studs)
        }
        return there == {self.team}

    def is_met(self, state: State, held_rounds: int) -> bool:  # noqa: ARG002
        """Tell whether it has held for long enough."""
        return held_rounds >= self.rounds


@dataclass(frozen=True)
class Rounds(Aim):
    """After so many rounds the team that has destroyed the most cost points wins; it ends every battle."""

    rounds: int

    def is_met(self, state: State, held_rounds: int) -> bool:  # noqa: ARG002
        """Tell nothing: it is judged at the end of a round."""
        return False


def standing_result(state: State) -> int | None:
    """Return the team that has won just now: the last one with units, or one that meets its aim; None if none has."""
    if not state.round:
        return None
    setting = state.setting
    teams = state.teams_in_play()
    if len(teams) < 2:
        return next(iter(teams), NOBODY)
    for aim, rounds in zip(setting.aims, state.holding, strict=True):
        if aim.is_met(state, rounds):
            return aim.team
    return None


def held(state: State) -> tuple[int, ...]:
    """Return for how many rounds in a row each aim has been held, at the end of a round."""
    pairs = zip(state.setting.aims, state.holding, strict=True)
    return tuple(rounds + 1 if aim.is_held(state) else 0 for aim, rounds in pairs)


def round_result(state: State) -> int | None:
    """Return the team that has won now that a round has ended; `NOBODY` for a draw, None if the battle goes on."""
    result = standing_result(state)
    if result is not None:
        return result
    for aim in state.setting.aims:
        if isinstance(aim, Rounds) and state.round >= aim.rounds:
            destroyed = destroyed_points(state)
            best = max(destroyed.values())
            winners = [team for team, points in destroyed.items() if points == best]
            return winners[0] if len(winners) == 1 else NOBODY
    return None


def destroyed_points(state: State) -> dict[int, int]:
    """Return, for each team, the cost points of what its enemies have lost to damage (BOW A.4).

    What has left the field is not destroyed.
    """
    setting = state.setting
    lost = dict.fromkeys(sorted(set(setting.teams)), 0)
    unit_costs, vehicle_costs = costs(setting)
    for unit, figure in enumerate(state.figures):
        if not figure.plays and figure.is_dead:
            lost[setting.team(unit)] += unit_costs[unit]
    for vehicle, craft in enumerate(state.crafts):
        parked = setting.vehicles[vehicle]
        if craft.gone and craft.damage >= parked.sheet.health:
            lost[setting.teams[parked.player]] += vehicle_costs[vehicle]
    total = sum(lost.values())
    return {team: total - points for team, points in lost.items()}


def strength(state: State) -> dict[int, float]:
    """Return what each team still has: cost points, each unit's and vehicle's in proportion to its health left."""
    setting = state.setting
    left = dict.fromkeys(sorted(set(setting.teams)), 0.0)
    unit_costs, vehicle_costs = costs(setting)
    units = zip(setting.unit_teams, state.figures, unit_costs, strict=True)
    for team, figure, cost in units:
        if figure.plays:
            left[team] += cost * (1.0 - figure.damage / figure.sheet.health)
    for vehicle in state.vehicles_left:
        parked = setting.vehicles[vehicle]
        share = 1.0 - state.crafts[vehicle].damage / parked.sheet.health
        left[setting.teams[parked.player]] += vehicle_costs[vehicle] * share
    return left


@lru_cache(maxsize=64)
def costs(setting: Setting) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cost points of all units and of all vehicles."""
    units = tuple(minifig_cost(unit.sheet) for unit in setting.units)
    return units, tuple(vehicle_cost(vehicle.sheet) for vehicle in setting.vehicles)


def _stands_in(stud: int | None, studs: Studs) -> bool:
    return stud is not None and bool(studs >> stud & 1)
