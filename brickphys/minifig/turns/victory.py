"""Victory: the last team in the battle, the aims of a scenario, and who leads at the limit of rounds."""

from brickphys.minifig.state.state import State
from brickphys.rules.aims.aims import count_held, is_time_up, leader, winner
from brickphys.rules.aims.circle import CirclePositions


def positions(state: State) -> CirclePositions:
    """Return where the living figures are, and what they hold."""
    setting = state.setting
    places = {number: state.figures[number].place_in for number in state.alive}
    teams = [setting.teams[figure.player] for figure in setting.figures]
    held = {
        figure: [setting.items[item].name for item in items] for figure, items in state.held.items()
    }
    return CirclePositions(places, teams, held)


def last_team(state: State) -> tuple[int, ...] | None:
    """Return the only team with a living figure; none if all are dead, None if several teams fight on."""
    pairs = zip(state.setting.teams, state.strength, strict=True)
    teams = {team for team, count in pairs if count}
    return tuple(teams) if len(teams) < 2 else None


def winners_of_turn(state: State) -> tuple[int, ...] | None:
    """Return the team that has met an aim now that a player's turn has ended; None while the battle goes on."""
    if not state.setting.aims:
        return None
    team = winner(state.setting.aims, state.holding, positions(state))
    return None if team is None else (team,)


def winners_of_round(state: State) -> tuple[int, ...] | None:
    """Return the teams that have won now that a round has ended, none in a draw; None while the battle goes on."""
    found = winners_of_turn(state)
    if found is None and is_time_up(state.setting.aims, state.round):
        best = leader(shares_left(state))
        return () if best is None else (best,)
    return found


def held(state: State) -> tuple[int, ...]:
    """Return for how many rounds in a row each aim has been held, at the end of a round."""
    return count_held(state.setting.aims, state.holding, positions(state))


def shares_left(state: State) -> dict[int, float]:
    """Return for each team the living figures as a share of those at the start."""
    setting = state.setting
    began, left = dict.fromkeys(sorted({*setting.teams}), 0), dict.fromkeys(setting.teams, 0)
    for spec, figure in zip(setting.figures, state.figures, strict=True):
        began[setting.teams[spec.player]] += 1
        left[setting.teams[spec.player]] += figure.is_alive
    return {team: left[team] / count for team, count in began.items()}
