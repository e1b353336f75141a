"""Victory: the last side, and the aims of a scenario; what each side has destroyed."""

from dataclasses import dataclass

from brickphys.bow.field.field import Studs
from brickphys.bow.state.state import NOBODY, State
from brickphys.rules.aims.aims import count_held, is_time_up, leader, winner


@dataclass(frozen=True, slots=True)
class UnitPositions:
    """Where the units of a battle are and what they have, as `brickphys.rules.aims.aims.Positions`; areas are studs."""

    state: State

    def units_in(self, area: Studs) -> list[int]:
        """Return the units that stand on some studs; occupants of vehicles stand on none."""
        return [
            unit
            for unit, unit_state in self.state.in_play()
            if unit_state.stud is not None and area >> unit_state.stud & 1
        ]

    def team(self, unit: int) -> int:
        """Return the team of a unit."""
        return self.state.setting.team(unit)

    def has(self, unit: int, item: str) -> bool:
        """Tell whether a unit has an object of that name, in hand or anywhere else."""
        return any(thing.name == item for _, thing in self.state.units[unit].sheet.gear.items())


def standing_result(state: State) -> int | None:
    """Return the team that has won just now: the last one with units, or one that meets its aim; None if none has."""
    if not state.round:
        return None
    last = state.last_team()
    if last is not None:
        return last
    return winner(state.setting.aims, state.holding, UnitPositions(state))


def held(state: State) -> tuple[int, ...]:
    """Return for how many rounds in a row each aim has been held, at the end of a round."""
    return count_held(state.setting.aims, state.holding, UnitPositions(state))


def round_result(state: State) -> int | None:
    """Return the team that has won now that a round has ended; `NOBODY` for a draw, None if the battle goes on."""
    result = standing_result(state)
    if result is None and is_time_up(state.setting.aims, state.round):
        best = leader(destroyed_points(state))
        return NOBODY if best is None else best
    return result


def destroyed_points(state: State) -> dict[int, int]:
    """Return for each team the cost points that its players have destroyed (BOW A.4)."""
    points = dict.fromkeys(sorted(set(state.setting.teams)), 0)
    for team, destroyed in zip(state.setting.teams, state.destroyed, strict=True):
        points[team] += destroyed
    return points
