"""Victory: armies that rout, and what scenarios decide (BB 5.6, 14.2 to 14.4)."""

from brickphys.blade_and_bow.state.pieces import Box, Grade, Result
from brickphys.blade_and_bow.state.state import State
from brickphys.text import spoken


def result_at_once(state: State) -> Result | None:
    """Return how the battle ends without delay: by the loss of a camp that decides it (BB 14.4); None if it goes on."""
    for player, when in enumerate(state.setting.special.camp_decides):
        if when == "at_once" and state.sacked[player]:
            is_major = state.losses[player] > state.losses[1 - player]
            grade = Grade.MAJOR if is_major else Grade.MINOR
            return Result(1 - player, grade, f"the camp of {state.player_name(player)} is lost")
    return None


def result_of_turn(state: State) -> Result | None:
    """Return how the battle ends with a turn, by special rules or by rout; None if it goes on."""
    decided = _special_results(state)
    if len(decided) > 1:  # the book's case (BB 14.2): both sides have what they fought for
        return Result(state.setting.special.minor_to, Grade.MINOR, "both sides have met their aims")
    if decided:
        return decided[0]
    players = range(len(state.setting.players))
    routed = [player for player in players if state.losses[player] >= state.rout_level(player)]
    if len(routed) > 1:
        return Result(1 - state.setting.tie_breaker, Grade.MARGINAL, "both armies rout")
    if routed:
        why = f"the army of {state.player_name(routed[0])} routs"
        return Result(1 - routed[0], Grade.MAJOR, why)
    return None


def _special_results(state: State) -> list[Result]:
    """Return the major victories that special rules give at the end of a turn."""
    setting, found = state.setting, []
    for spec, leader in zip(setting.leaders, state.leaders, strict=True):
        if spec.name == setting.special.mortal and leader.box is Box.ELIMINATED:
            found.append(Result(1 - spec.player, Grade.MAJOR, f"{spoken(spec.name)} is killed"))
    for player, when in enumerate(setting.special.camp_decides):
        if when == "end_of_turn" and state.sacked[player]:
            why = f"the camp of {state.player_name(player)} is lost"
            found.append(Result(1 - player, Grade.MAJOR, why))
    return found


def last_result(state: State) -> Result:
    """Return how a battle ends that nobody has won by its last turn (BB 5.6)."""
    if (winner := state.setting.special.minor_to) is not None:
        return Result(winner, Grade.MINOR, "the battle is over, and the enemy has not won")
    first, second = (state.rout_level(player) - state.losses[player] for player in (0, 1))
    if first != second:
        return Result(int(second > first), Grade.MINOR, "its army is further from rout")
    first, second = state.losses
    if first != second:
        return Result(int(second < first), Grade.MARGINAL, "its army has fewer losses")
    return Result(None, Grade.MARGINAL, "both armies are as far from rout, with equal losses")
