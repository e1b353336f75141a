"""Victory: the last team in the battle, the aims of a scenario, and who leads at the limit of rounds."""

from functools import lru_cache

from brickphys.pirate_wars.state.setting import Setting
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.rules.aims.aims import count_held, is_time_up, leader, winner
from brickphys.rules.aims.circle import CirclePositions


def positions(state: State) -> CirclePositions:
    """Return where the ships of a battle are; one that was taken or abandoned counts for no aim."""
    teams = state.setting.teams
    began = [teams[spec.player] for spec in state.setting.ships]
    own = {
        number: ship.centre_studs
        for number, ship in state.afloat()
        if teams[ship.owner] == began[number] and not ship.is_abandoned
    }
    return CirclePositions(own, began)


def winners(state: State) -> tuple[int, ...] | None:
    """Return the teams that have won just now; none in a draw, None while the battle goes on.

    A team is in the battle while it has a ship with a crew aboard that does not flee for good.
    """
    team = winner(state.setting.aims, state.holding, positions(state))
    if team is not None:
        return (team,)
    teams = {
        state.setting.teams[ship.owner]
        for number, ship in state.afloat()
        if state.crews[number] and (not ship.is_fleeing or may_return(state, number))
    }
    return tuple(teams) if len(teams) < 2 else None


def may_return(state: State, ship: int) -> bool:
    """Tell whether the crew of a ship that flees has its test in the next turn still before it (PW Morale)."""
    next_test = state.round + (state.phase is Phase.SHARKS)
    return next_test <= state.ships[ship].fled_round + 1


def winners_of_turn(state: State) -> tuple[int, ...] | None:
    """Return the teams that have won now that a turn has ended, see `winners`."""
    found = winners(state)
    if found is None and is_time_up(state.setting.aims, state.round):
        best = leader(shares_left(state))
        return () if best is None else (best,)
    return found


def held(state: State) -> tuple[int, ...]:
    """Return for how many turns in a row each aim has been held, at the end of a turn."""
    return count_held(state.setting.aims, state.holding, positions(state))


def shares_left(state: State) -> dict[int, float]:
    """Return for each team its hull, sails and crew in the battle, as a share of those at the start.

    A hull that was abandoned counts for nobody (ours).
    """
    left = dict.fromkeys(sorted(set(state.setting.teams)), 0)
    for number, ship in state.afloat():
        if not ship.is_abandoned:
            points = ship.hull + ship.sails + len(state.crews[number])
            left[state.setting.teams[ship.owner]] += points
    return {team: points / _at_start(state.setting)[team] for team, points in left.items()}


@lru_cache(maxsize=64)
def _at_start(setting: Setting) -> dict[int, int]:
    points = dict.fromkeys(setting.teams, 0)
    for ship, crew in zip(setting.ships, setting.crews, strict=True):
        chart = ship.sheet.chart
        points[setting.teams[ship.player]] += chart.hull + chart.sails + len(crew)
    return points
