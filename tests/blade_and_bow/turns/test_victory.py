"""Who wins, and how decisively (BB 5.6, 12, 14.2 to 14.4)."""

from typing import Any

import pytest

from brickphys.blade_and_bow.pieces import BattleResult, Box, Grade
from brickphys.blade_and_bow.setting import Special
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.turns import last_result, result_at_once, result_of_turn
from tests.blade_and_bow.battle import battle

THERMOPYLAE = Special(mortal="xerxes", camp_decides=("end_of_turn", ""), minor_to=0)
MYCALE = Special(camp_decides=("", "at_once"))


def field(special: Special | None = None, **changes: Any) -> State:
    return battle(
        "....",
        "greeks hoplite A1 e",
        "persians spears D1 w",
        "persians leader xerxes D1 1-6-3/white",
        "greeks camp A1",
        "persians camp D1",
        special=special,
        tie_breaker=1,
        **changes,
    )


def outcome(result: BattleResult | None) -> tuple[int | None, Grade]:
    assert result is not None
    return result.winner, result.grade


@pytest.mark.parametrize(
    ("losses", "winner", "grade"),
    [
        ((6, 7), 0, Grade.MAJOR),
        ((7, 0), 1, Grade.MAJOR),
        ((7, 9), 0, Grade.MARGINAL),  # the second player holds the tie-breaker
    ],
)
def test_an_army_routs_at_its_level_5_6(losses: tuple[int, int], winner: int, grade: Grade) -> None:
    assert outcome(result_of_turn(field(losses=losses))) == (winner, grade)


def test_below_the_level_the_battle_goes_on_5_6() -> None:
    assert result_of_turn(field(losses=(6, 6))) is None


def test_a_lost_camp_lowers_the_level_by_one_12() -> None:
    result = result_of_turn(field(losses=(6, 6), sacked=(True, False)))
    assert outcome(result) == (1, Grade.MAJOR)


@pytest.mark.parametrize(
    ("losses", "sacked", "winner", "grade"),
    [
        ((2, 3), (False, False), 0, Grade.MINOR),
        ((3, 2), (False, False), 1, Grade.MINOR),
        ((2, 3), (True, False), 0, Grade.MARGINAL),  # both are 4 from rout: fewer losses
        ((2, 2), (False, False), None, Grade.MARGINAL),
    ],
)
def test_by_the_last_turn_the_army_further_from_rout_wins_5_6(
    losses: tuple[int, int], sacked: tuple[bool, bool], winner: int | None, grade: Grade
) -> None:
    result = last_result(field(losses=losses, sacked=sacked))
    assert outcome(result) == (winner, grade)
    swapped = last_result(field(losses=losses[::-1], sacked=sacked[::-1]))
    assert outcome(swapped) == (None if winner is None else 1 - winner, grade)
    assert swapped.why == result.why


def test_thermopylae_is_decided_by_xerxes_and_by_the_greek_camp_14_2() -> None:
    state = field(THERMOPYLAE)
    dead = state.change_leader(0, box=Box.ELIMINATED, square=None)
    lost = {"sacked": (True, False)}
    for after, winner, grade in (
        (dead, 0, Grade.MAJOR),
        (state.replaced(lost), 1, Grade.MAJOR),
        (dead.replaced(lost), 0, Grade.MINOR),
    ):
        assert outcome(result_of_turn(after)) == (winner, grade)
    assert result_of_turn(state.replaced({"sacked": (False, True)})) is None
    assert result_of_turn(state.change_leader(0, box=Box.CAPTURED, square=None)) is None
    assert outcome(last_result(state.replaced({"losses": (4, 0)}))) == (0, Grade.MINOR)


@pytest.mark.parametrize(
    ("losses", "grade"), [((1, 2), Grade.MAJOR), ((2, 2), Grade.MINOR), ((3, 2), Grade.MINOR)]
)
def test_mycale_ends_at_once_with_the_persian_camp_14_4(
    losses: tuple[int, int], grade: Grade
) -> None:
    result = result_at_once(field(MYCALE, losses=losses, sacked=(False, True)))
    assert outcome(result) == (0, grade)
    assert result_at_once(field(MYCALE, losses=losses, sacked=(True, False))) is None
