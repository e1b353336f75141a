"""Boarding and scuttling (PW Boarding, PW Firing)."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from brickphys.odds.law import BinomialLaw
from brickphys.pirate_wars import boarding
from brickphys.pirate_wars.damage import Casualty, CasualtyGroup
from brickphys.pirate_wars.prompt import forecasts
from brickphys.pirate_wars.sentences import results, roll_clause
from brickphys.pirate_wars.setting import Options
from brickphys.pirate_wars.sheets import DamageChart, Role
from brickphys.pirate_wars.state import Boarding, Life, MoraleCause, State
from brickphys.pirate_wars.tasks import Done
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import at, ended, listed, number, settled, tasks, told, why_not

LAW = BinomialLaw(Fraction(3, 10))
"""No bricks are rolled."""

PIRATES = (Role.CAPTAIN, *[Role.PIRATE] * 9)
"""Melee 13."""
MARINES = (Role.CAPTAIN, Role.LIEUTENANT, *[Role.MARINE] * 2, *[Role.SAILOR] * 6)
"""Melee 20."""


def pair(a=PIRATES, b=PIRATES, off_studs: float = 0.0, **changes) -> State:
    """Two ships side by side, so far apart."""
    sheet = "caribbean_clipper" if Role.LIEUTENANT in a else "black_seas_barracuda"
    apart = off_studs + (12 if sheet == "black_seas_barracuda" else 11)
    boats = boat(sheet, x=100, y=100, crew=a), boat(x=100, y=100 + apart, player=1, crew=b)
    return tasks(fleet(*boats, **changes))


def boarded(state: State, *moves: str) -> State:
    """Ship a boards b; the moves come at the end of the phase."""
    return ended(told(state, "board a b", "done"), *moves)


def answered(state: State) -> State:
    """Whom the owners lose is of no importance."""
    while state.pending and isinstance(state.pending[0], Casualty):
        state = told(state, listed(state)[-1])
    return state


def lossless(state: State, *moves: str) -> State:
    """The state after the losses, some answers, and whatever is asked last."""
    state = told(answered(state), *moves)
    return told(state, "hold") if state.pending else state


def left(state: State) -> tuple[int, int]:
    return len(state.crews[0]), len(state.crews[1])


def test_a_ship_in_contact_can_be_boarded():
    assert "board a b" in listed(pair())
    assert "board a b" not in listed(pair(off_studs=0.01))
    assert why_not(pair(off_studs=0.01), "board a b") == ["a does not touch b (PW Boarding)"]


def worked(state: State, *moves: str) -> State:
    """The state in which b, with a pirate at gun 2 on the side of a, has done its tasks and a boards it then."""
    return boarded(told(at(state, "b_pirate1", gun=2).replaced({"order": (1, 0)}), *moves))


@pytest.mark.parametrize(
    ("moves", "fighting"),
    [
        (("fire b gun2 ball a", "done", "0 3 0"), 12),
        (("move b_pirate5 castle", "move b_pirate6 castle", "done"), 11),
        (("move b_captain castle", "done"), 9),
        (("done",), 13),
    ],
)
def test_who_fired_or_worked_in_the_turn_does_not_fight_when_boarded_later_in_it(moves, fighting):
    """PW Tasks: one task a turn. All are there to be lost, and fight in the next turn (PW Boarding)."""
    state = worked(pair(), *moves)
    assert boarding.strength(state, 0) == 13
    assert boarding.strength(state, 1) == fighting
    assert roll_clause(state, (2,)).text.startswith(f"fights b with 13 against {fighting} and")
    state = told(state, "1", "1")
    assert state.awaited(Casualty).count == 1 + 13 - fighting
    assert len(state.awaited(Casualty).candidates(state)) == len(PIRATES)
    assert boarding.strength(state.replaced({"busy": frozenset()}), 1) == 13


def test_a_crew_of_whom_all_have_worked_is_boarded_with_nothing_to_set_against_it():
    state = pair(b=(Role.CAPTAIN, Role.PIRATE))
    state = worked(state, "move b_captain castle", "move b_pirate1 castle", "done")
    assert boarding.strength(state, 1) == 0
    assert roll_clause(told(state, "1"), (3,)).text == (
        "fights a with 0 against 13 (2 minifigs of its own at other tasks) and rolls 3: "
        "a loses 3 minifigs and b loses 2 minifigs (PW Boarding)"
    )


def test_a_captain_who_scuttles_does_not_fight():
    """PW Tasks: his one task is the powder."""
    state = pair(turn=1).lash(0, 1).replaced({"boardings": (Boarding(0, 1),)})
    state = ended(told(state, "scuttle b", "done"))
    assert roll_clause(state, (2,)).text == "fights b with 13 against 9 and rolls 2 (PW Boarding)"


def test_lashed_ships_can_do_nothing_but_board_or_scuttle():
    """PW Movement: so it is after a ram."""
    state = pair(off_studs=3.0).lash(0, 1)
    assert listed(state) == ["board a b", "done"]
    assert why_not(state, "move a_captain cabin") == [
        "a is lashed to another ship: its crew can only board (PW Boarding)"
    ]
    assert not why_not(state, "scuttle a")


def test_all_board_or_none():
    state = told(pair(), "move a_captain cabin")
    assert why_not(state, "board a b") == [
        "the crew of a has other orders, and all must board or none (PW Boarding)"
    ]
    assert why_not(told(pair(), "board a b"), "move a_captain cabin") == [
        "a_captain already has an order: one task per turn (PW Tasks)"
    ]


def test_the_defender_has_no_orders_any_more():
    state = told(pair(), "board a b", "done")
    assert state.lashed == ((0, 1),)
    assert state.boardings == (Boarding(0, 1),)
    assert listed(state) == ["scuttle b", "done"]
    assert why_not(state, "board b a") == ["b is already in a boarding (PW Boarding)"]


@pytest.mark.parametrize(
    ("a", "attack", "defence", "lost_by_a", "lost_by_b"),
    [
        (PIRATES, 3, 5, 5, 3),
        (PIRATES, 4, 4, 4, 4),
        (MARINES, 1, 3, 3, 8),  # 20 against 13: the bonus is 7
        (MARINES, 2, 6, 6, 9),
        ((Role.CAPTAIN, *[Role.PIRATE] * 6), 2, 1, 4, 2),  # 10 against 13: the defender's is 3
    ],
)
def test_each_loses_what_the_other_rolls_and_its_bonus(a, attack, defence, lost_by_a, lost_by_b):
    state = answered(boarded(pair(a), str(attack), str(defence)))
    assert left(state) == (len(a) - lost_by_a, 10 - lost_by_b)


def test_the_sum_of_attack_is_an_option():
    assert boarding.strength(pair(MARINES), 0) == 4 + 4 + 2 * 3 + 6 * 1
    state = pair(MARINES, options=Options(boarding_by_attack=True), women=("b_pirate1",))
    assert boarding.strength(state, 0) == 5 + 5 + 2 * 4 + 6 * 2
    assert boarding.strength(state, 1) == 5 + 9 * 3 + 1


@pytest.mark.parametrize("a", [PIRATES, MARINES, PIRATES[:6]])
def test_an_ordered_boarding_has_the_odds_of_its_round(a):
    """PW Boarding: each of the 36 pairs of dice is rolled, and what follows is counted."""
    before = pair(a)
    after = told(before, "board a b")
    found = Counter[str]()
    for faces in product("123456", repeat=2):
        state = answered(ended(told(after, "done"), *faces))
        gone = [name for name, crew in zip("ab", left(state), strict=True) if not crew]
        asked = {boarding.Crossing: "a wins", boarding.Riposte: "b wins"}.get(
            type(state.first_pending), "equal"
        )
        found[f"{' and '.join(gone)} destroyed" if gone else asked] += 1
    (ordered,) = forecasts(before, boarding.BoardingOrder("a", "b"), LAW)
    (done,) = forecasts(after, Done(), LAW)
    assert done.text == "done: board a b"
    assert ordered.outcomes == done.outcomes == {k: Fraction(n, 36) for k, n in found.items()}


def test_a_boarding_that_goes_on_has_odds_for_both_sides():
    state = told(pair(), "board a b", "done")
    for player in (0, 1):
        (found,) = forecasts(state.replaced({"turn": player}), Done(), LAW)
        assert found.question == (
            "a round of boarding, 13 against 13, a with 10 loses 1 to 6, b with 10 loses 1 to 6"
        )
    assert forecasts(state.replaced({"boardings": ()}), Done(), LAW) is None


def test_the_attacker_wins_and_may_cross():
    state = answered(boarded(pair(), "5", "2"))
    assert state.first_pending == boarding.Crossing(0, 1)
    assert state.causes == ((1, MoraleCause.HALF_CREW), (1, MoraleCause.BOARDING))
    assert listed(state) == ["hold", "cross a_captain", "cross a_pirate3"]
    state = told(state, "cross a_pirate9", "cross a_captain")
    assert list(state.boarders(1)) == [0, 9]
    assert why_not(state, "cross a_captain") == [
        "a_captain is not in the crew aboard a (PW Boarding)"
    ]
    state = told(state, "hold")
    assert not state.pending
    assert state.boardings == (Boarding(0, 1),)
    assert boarding.strength(state, 0) == 4 + 7


def test_the_defender_wins_and_throws_the_boarders_back():
    state = told(answered(boarded(pair(), "5", "2")), "cross a_pirate9", "hold")
    state = answered(ended(state.replaced({"causes": ()}), "1", "6"))
    assert state.first_pending == boarding.Riposte(0, 1)
    assert not list(state.boarders(1))
    assert (0, MoraleCause.BOARDING) in state.causes
    assert state.first_pending.player(state) == 1
    attacks, flees = told(state, "attack"), told(state, "flee")
    assert (attacks.boardings, attacks.lashed) == ((Boarding(1, 0),), ((0, 1),))
    assert (flees.boardings, flees.lashed) == ((), ())


def test_equal_losses_have_no_winner_and_the_boarding_goes_on():
    state = answered(boarded(pair(), "4", "4"))
    assert not state.pending
    assert state.boardings == (Boarding(0, 1),)
    assert MoraleCause.BOARDING not in {cause for _, cause in state.causes}
    assert settled(ended(state)).first_pending.attacker == 0  # one round in the next turn


def test_a_side_that_is_destroyed_loses_its_ship():
    few = (Role.CAPTAIN, Role.PIRATE)
    state = boarded(pair(b=few), "6", "1")
    state = answered(state)
    assert state.ships[1].owner == 0
    assert (state.boardings, state.lashed) == ((), ())
    assert not [cause for cause in state.causes if cause[0] == 1]
    state = told(state, "cross a_pirate3", "hold")
    assert [state.setting.minifigs[n].name for n in state.crews[1]] == ["a_pirate3"]


def test_a_ship_without_a_crew_is_taken_without_dice():
    (found,) = forecasts(pair(b=()), boarding.BoardingOrder("a", "b"), LAW)
    assert found.outcomes == {"taken without dice": 1}
    state = boarded(pair(b=()))
    assert state.ships[1].owner == 0
    assert left(state) == (10, 0)
    assert state.first_pending == boarding.Crossing(0, 1)


def test_a_defender_who_destroys_the_attacker_takes_his_ship():
    state = answered(boarded(pair(a=(Role.PIRATE,)), "1", "6"))
    assert state.ships[0].owner == 1
    assert state.first_pending == boarding.Crossing(1, 0)


def test_both_destroyed_ends_the_boarding():
    state = boarded(pair((Role.PIRATE,), (Role.PIRATE,)), "6", "6")
    assert not state.pending
    assert (state.boardings, state.lashed) == ((), ())
    assert [ship.owner for ship in state.ships] == [0, 1]


def test_losses_are_taken_from_those_aboard_either_ship():
    state = told(answered(boarded(pair(), "5", "2")), "cross a_pirate8", "cross a_pirate9", "hold")
    state = ended(state, "1", "3")
    while state.first_pending.player(state) == 1:
        state = told(state, listed(state)[-1])
    assert state.first_pending.ship == 0
    assert state.first_pending.among is CasualtyGroup.FIGHTERS
    assert state.minifigs[number(state, "a_pirate9")].ship == 1
    assert not why_not(state, "lose a_pirate9")


FEW = (Role.CAPTAIN, Role.LIEUTENANT, Role.MARINE)
"""Melee 11."""


def boarded_by_few(*women: str) -> State:
    """Nine pirates, Melee 9, lose six men; of the three others, who lose one, the marine dies."""
    state = boarded(pair(FEW, (Role.PIRATE,) * 9, women=women), "4", "1")
    men = [f"lose b_pirate{number or ''}" for number in range(6)]
    return told(state, *men, "lose a_marine2")


def lives(state: State, *names: str) -> list[Life]:
    return [state.minifigs[number(state, name)].life for name in names]


def test_women_among_the_pirates_surrender_to_a_lieutenant():
    """PW, Morale Chart."""
    women = ("b_pirate7", "b_pirate8")
    before = told(boarded_by_few(*women, "a_captain"), "cross a_captain")
    assert lives(before, *women) == [Life.ALIVE] * 2
    state = told(before, "cross a_lieutenant1")
    assert ("b", "pirate7, pirate8 surrender to the lieutenant (PW Morale Chart)") in [
        (ship, text.replace("pirate7..8", "pirate7, pirate8"))
        for ship, text in results(before, state)
    ]
    assert lives(state, *women) == [Life.PRISONER] * 2
    assert lives(state, "a_captain", "b_pirate6") == [Life.ALIVE] * 2
    assert state.ships[1].owner == 1


def test_a_ship_whose_last_women_surrender_is_taken():
    state = boarded_by_few("b_pirate6", "b_pirate7", "b_pirate8")
    state = told(state, "cross a_lieutenant1")
    assert state.ships[1].owner == 0
    assert len(state.crews[1]) == 1
    assert state.first_pending == boarding.Crossing(0, 1)
    assert state.first_pending.player(state) == 0


def test_a_ship_that_others_board_is_taken_with_its_boarders():
    state = pair().lash(0, 1).replaced({"boardings": (Boarding(1, 0),)})
    state = state.change_minifig(13, ship=0)
    state = boarding.capture(state, 1, 0)
    assert state.minifigs[13].life is Life.PRISONER
    assert (state.ships[1].owner, state.crews[1]) == (0, ())


def test_boarders_go_back_if_a_third_ship_takes_their_prize():
    state = fleet(boat(x=50, y=50), boat(x=50, y=62, player=1), boat(x=50, y=74, player=2))
    state = state.lash(0, 1).replaced({"boardings": (Boarding(0, 1),)})
    state = state.change_minifig(3, ship=1)
    state = boarding.capture(state, 1, 2)
    assert (state.minifigs[3].ship, state.ships[1].owner) == (0, 2)
    assert not list(state.boarders(1))


def test_women_in_a_prize_crew_do_not_surrender_to_their_own_lieutenant():
    state = pair((*FEW, Role.PIRATE), women=("a_pirate3",))
    ships = (*state.setting.ships, replace(state.setting.ships[1], name="c", player=0))
    who = replace(state.setting.minifigs[3], ship=2)
    minifigs = (*state.setting.minifigs[:3], who, *state.setting.minifigs[4:])
    setting = replace(state.setting, ships=ships, minifigs=minifigs)
    state = state.replaced({"setting": setting, "ships": (*state.ships, state.ships[1])})
    state = told(boarding.capture(state, 1, 0), "cross a_pirate3", "cross a_lieutenant1")
    assert lives(state, "a_pirate3") == [Life.ALIVE]


def test_women_who_are_no_pirates_fight_on():
    state = pair(FEW, women=("b_pirate7",))
    setting = state.setting
    clipper = replace(setting.ships[1], sheet=setting.ships[0].sheet)
    setting = replace(setting, ships=(setting.ships[0], clipper))
    state = state.replaced({"setting": setting}).push_pending(boarding.Crossing(0, 1))
    assert lives(told(state, "cross a_lieutenant1"), "b_pirate7") == [Life.ALIVE]


def test_breaking_off_brings_the_boarders_back():
    state = pair().lash(0, 1).replaced({"boardings": (Boarding(0, 1),)})
    state = boarding.break_off(state.change_minifig(3, ship=1), 1)
    assert state.minifigs[3].ship == 0
    assert (state.lashed, state.boardings) == ((), ())


def test_ships_that_were_rammed_and_not_boarded_are_lashed_no_longer():
    assert ended(pair().lash(0, 1)).lashed == ()


def test_ships_in_a_boarding_neither_reload_nor_lose_sails():
    state = pair().change_gun(0, 0, loads=0)
    state = answered(boarded(state, "4", "4"))
    assert [ship.sails for ship in state.ships] == [7, 7]
    assert state.ships[0].guns[0].loads == 0


@pytest.mark.parametrize("moves", [("4", "4"), ("4", "1"), ("1", "4", "flee")])
def test_crews_that_boarded_do_nothing_else_in_that_turn(moves):
    """Not even if the boarding has ended, or if it was a ram and nobody has boarded (PW Movement)."""
    state = pair().change_gun(1, 0, loads=0)
    state = at(state, "b_pirate1", gun=0).change_ship(0, sails=2)
    assert ended(state).ships[1].guns[0].loads == 1
    assert ended(state).ships[0].sails == 4
    for after in (ended(state.lash(0, 1)), lossless(boarded(state, *moves[:2]), *moves[2:])):
        assert after.ships[1].guns[0].loads == 0
        assert after.ships[0].sails == 2


def test_a_ship_that_is_taken_keeps_its_sails_in_that_turn():
    state = answered(boarded(pair(b=(Role.PIRATE,)), "4", "1"))
    after = told(state, "hold")
    assert after.ships[1].owner == 0
    assert after.ships[1].sails == 7


@pytest.mark.parametrize(("crossed", "boarders_left"), [(0, 0), (4, 0), (8, 2), (15, 9)])
def test_a_scuttled_ship_loses_its_hull_and_as_many_of_its_crew_and_of_the_boarders(
    crossed, boarders_left
):
    """HF 6: so many of each die; half of it, 3, hits the boarding ship as ball."""
    many = (Role.CAPTAIN, *[Role.PIRATE] * 15)
    state = pair(many, many).lash(0, 1).replaced({"boardings": (Boarding(0, 1),)})
    for boarder in range(1, crossed + 1):
        state = state.change_minifig(boarder, ship=1)
    state = answered(
        boarding.Scuttle.deed(
            state, **boarding.Scuttle("b").order(state.replaced({"turn": 1})).given
        )
    )
    assert (state.ships[1].hull, state.ships[1].sails) == (0, 0)
    assert (state.ships[0].hull, state.ships[0].sails) == (5, 5)
    assert left(state) == (max(16 - crossed - 3, 0), 10)
    assert len(list(state.boarders(1))) == boarders_left


def test_half_of_an_odd_hull_is_rounded_up():
    state = pair().lash(0, 1).replaced({"boardings": (Boarding(1, 0),)})
    sheet = replace(state.setting.ships[0].sheet, name="odd")
    odd = replace(sheet, chart=DamageChart(5, 7, 8))
    setting = replace(
        state.setting, ships=(replace(state.setting.ships[0], sheet=odd), state.setting.ships[1])
    )
    state = state.replaced({"setting": setting}).change_ship(0, hull=2)
    state = boarding.Scuttle.deed(state, **boarding.Scuttle("a").order(state).given)
    assert (state.ships[1].hull, state.ships[1].sails) == (5, 5)
    assert [(one.ship, one.count) for one in state.pending] == [(1, 3), (0, 5)]


def test_a_captain_who_is_dead_or_has_fired_scuttles_nothing():
    state = pair()
    assert why_not(state.lost(0), "scuttle a") == [
        "a has no captain aboard to scuttle it (PW Firing)"
    ]
    fired = state.change_minifig(0, is_loaded=False)
    assert why_not(fired, "scuttle a") == [
        "the pistol of the captain of a is not loaded (PW Reloading)"
    ]
    state = told(state, "scuttle a", "done")
    assert ended(state).ships[0].hull == 0
    assert ended(state.lost(0)).ships[0].hull == 6
    assert ended(state).orders == ()


def test_a_minifig_aboard_an_enemy_fights_there():
    state = pair().change_minifig(3, ship=1)
    assert why_not(state, "move a_pirate3 cabin") == [
        "a_pirate3 has boarded b, and fights there (PW Boarding)"
    ]
