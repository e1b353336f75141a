"""Morale: a test per row of the chart, and per figure of the book and of the decisions; sharks (PW Morale)."""

from dataclasses import replace

import pytest

from brickphys.pirate_wars.damage import overboard
from brickphys.pirate_wars.morale import (
    EffectQuestion,
    MoraleEffect,
    MoraleRoll,
    SharkRoll,
    Suffer,
    causes,
    effects_of_gravest,
    holding_faces_text,
    is_out_of_range,
    is_passed,
    is_spared,
    morale_chart,
    morale_rolls,
    officers,
    shark_rolls,
    suffer,
    target,
    target_number,
)
from brickphys.pirate_wars.sheets import Role
from brickphys.pirate_wars.state import Boarding, Fate, Life, MoraleCause, Phase, State
from brickphys.pirate_wars.turns import CODEC, PhaseEnd, positions, shares_left, state_problems
from brickphys.rules.turn_state import FollowUp
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import ended, listed, told, why_not

CREW = (Role.CAPTAIN, Role.PIRATE, Role.PIRATE, Role.SAILOR)
IMPERIAL = (Role.CAPTAIN, Role.LIEUTENANT, Role.MARINE, Role.MARINE, Role.SAILOR)


def pair(apart: float = 60.0, crew=CREW, **changes) -> State:
    """Two ships side by side, 12 studs wide, in the fifth turn."""
    a, b = boat(x=100, y=100, crew=crew), boat(x=100, y=100 + apart, player=1)
    return fleet(a, b, **{"phase": Phase.MORALE, "round": 5, **changes})


def failed(state: State, *causes: MoraleCause, face: int = 5) -> State:
    for cause in causes:
        state = state.with_cause(0, cause)
    return MoraleRoll(0).settle(state, (face,))


@pytest.mark.parametrize(
    ("cause", "modifier", "effects"),
    [
        (MoraleCause.ADRIFT, -1, (MoraleEffect.ABANDON, MoraleEffect.SURRENDER)),
        (MoraleCause.BOARDING, -2, (MoraleEffect.SURRENDER,)),
        (MoraleCause.CAPTAIN, -2, (MoraleEffect.FLEE,)),
        (MoraleCause.HALF_CREW, -2, (MoraleEffect.MUTINY,)),
    ],
)
def test_the_morale_chart(cause, modifier, effects):
    assert morale_chart()[cause] == (modifier, effects)
    state = pair().with_cause(0, cause)
    assert target(state, 0) == 5 + modifier
    assert effects_of_gravest(causes(state, 0)) == list(effects)
    assert morale_rolls(state) == [MoraleRoll(0)]


@pytest.mark.parametrize(
    ("crew", "best"),
    [(CREW, 5), (CREW[1:], 3), (CREW[3:], 2), (IMPERIAL[1:], 5), (IMPERIAL[2:], 4)],
)
def test_the_target_is_the_highest_attack_aboard(crew, best):
    assert target(pair(crew=crew), 0) == best


def test_a_woman_counts_with_her_bonus():
    assert target(pair(crew=CREW[1:], women=("a_pirate",)), 0) == 4


def test_the_dead_and_those_overboard_do_not_count():
    assert target(pair().lost(0), 0) == 3


def test_modifiers_of_several_causes_are_summed():
    state = pair().with_cause(0, MoraleCause.ADRIFT).with_cause(0, MoraleCause.CAPTAIN)
    assert target(state, 0) == 5 - 1 - 2
    assert morale_rolls(state) == [MoraleRoll(0)]
    assert effects_of_gravest(causes(state, 0)) == [MoraleEffect.FLEE]


def test_what_holds_is_told_to_people():
    """A woman who is captain has Attack 6, and yet a 6 fails."""
    assert holding_faces_text(target_number(6, [])) == "5 or less holds"
    assert holding_faces_text(target_number(1, [MoraleCause.ADRIFT])) == "nothing holds"


@pytest.mark.parametrize(("attack", "passing"), [(4, 4), (5, 5), (6, 5), (0, 0), (-2, 0)])
def test_a_roll_of_the_target_or_less_passes_and_6_never(attack, passing):
    highest = target_number(attack, [])
    assert [is_passed(face, highest) for face in range(1, 7)] == [
        face <= passing for face in range(1, 7)
    ]


def test_a_crew_that_passes_goes_on():
    state = pair().with_cause(0, MoraleCause.ADRIFT)
    assert failed(state, face=4) == state


def test_equal_effects_are_chosen_by_the_owner():
    state = failed(pair(), MoraleCause.CAPTAIN, MoraleCause.HALF_CREW)
    question = state.awaited(EffectQuestion)
    assert question.player(state) == 0
    assert '"pending":[["Despair",0]]' in CODEC.format(state)
    assert [action.text() for action in Suffer.legal(state)] == ["suffer flee", "suffer mutiny"]
    (problem,) = Suffer(MoraleEffect.SURRENDER).problems(state)
    assert problem == "surrender is not an effect of the gravest causes: flee or mutiny (PW Morale)"
    fled = Suffer(MoraleEffect.FLEE).apply(state)
    assert fled.ships[0].is_fleeing
    assert not fled.pending


def test_equal_causes_of_one_effect_leave_no_choice():
    state = failed(pair(), MoraleCause.ADRIFT, MoraleCause.BOARDING)
    assert state.ships[0].fate is Fate.STRUCK


def test_a_ship_strikes_if_no_enemy_is_in_contact():
    state = failed(pair(), MoraleCause.BOARDING)
    assert state.ships[0].fate is Fate.STRUCK
    assert {minifig.life for minifig in state.minifigs[: len(CREW)]} == {Life.PRISONER}
    assert state.ships[0].owner == 0


def test_a_crew_adrift_abandons_ship_or_surrenders_as_its_owner_chooses():
    """PW, Morale Chart. Adrift and alone: the crew is in the water, and the hull still there."""
    state = failed(pair(), MoraleCause.ADRIFT)
    assert state.awaited(EffectQuestion).player(state) == 0
    assert [each.text() for each in Suffer.legal(state)] == ["suffer abandon", "suffer surrender"]
    after = Suffer(MoraleEffect.ABANDON).apply(state)
    assert [minifig.swims for minifig in after.minifigs[: len(CREW)]] == [True] * len(CREW)
    assert after.ships[0] == replace(state.ships[0], is_abandoned=True)
    assert not list(state_problems(after))


def test_an_abandoned_ship_is_cast_off_and_its_boarders_swim_with_the_others():
    state = pair(apart=12.0).lash(0, 1).replaced({"boardings": (Boarding(0, 1),)})
    state = state.change_minifig(1, ship=1)
    after = suffer(state.change_ship(0, fled_round=4), 0, MoraleEffect.ABANDON)
    assert all(minifig.swims for minifig in after.minifigs[: len(CREW)])
    assert after.lashed == after.boardings == ()
    assert after.ships[0].is_abandoned
    assert not after.ships[0].is_fleeing


def test_who_has_boarded_a_ship_takes_it_when_its_crew_abandons_it():
    state = pair(apart=12.0).lash(0, 1).replaced({"boardings": (Boarding(1, 0),)})
    boarder = len(CREW)
    state = state.with_entry("minifigs", boarder, replace(state.minifigs[boarder], ship=0))
    after = suffer(state, 0, MoraleEffect.ABANDON)
    assert (after.ships[0].owner, after.ships[0].is_abandoned) == (1, False)
    assert after.crews[0] == (boarder,)
    assert all(minifig.swims for minifig in after.minifigs[: len(CREW)])


def test_an_enemy_boards_an_abandoned_hull_without_dice():
    """It is a prize until then: its crew does not swim back, and nobody counts it."""
    state = suffer(pair(apart=12.0, phase=Phase.TASKS), 0, MoraleEffect.ABANDON)
    assert why_not(state, "swim a_captain a") == [
        "a is abandoned, a prize for an enemy (PW Morale Chart)"
    ]
    assert not [text for text in listed(state) if text.startswith("swim")]
    assert shares_left(state)[0] == 0.0
    assert positions(state).places.keys() == {1}
    taken = ended(told(state.replaced({"turn": 1}), "board b a", "done"), "hold")
    assert (taken.ships[0].owner, taken.ships[0].is_abandoned) == (1, False)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_crews_are_tested_in_the_order_of_initiative(order):
    """Of two that fail in contact, the latter holds the other's ship when it strikes itself: no seat is always that."""
    state = (
        pair(apart=12.0, order=order)
        .with_cause(0, MoraleCause.ADRIFT)
        .with_cause(1, MoraleCause.ADRIFT)
    )
    assert [roll.ship for roll in morale_rolls(state)] == list(order)


def test_an_enemy_in_contact_takes_a_ship_that_surrenders():
    state = failed(pair(apart=12.0), MoraleCause.BOARDING)
    assert state.ships[0].is_afloat
    assert state.ships[0].owner == 1
    assert {minifig.life for minifig in state.minifigs[: len(CREW)]} == {Life.PRISONER}


def test_the_ship_in_a_boarding_comes_before_other_enemies():
    boats = [boat(x=100, y=100 + off, player=p) for off, p in ((0, 0), (12, 1), (-12, 2))]
    state = fleet(*boats, phase=Phase.MORALE, round=5)
    state = state.lash(0, 2).replaced({"boardings": (Boarding(2, 0),)})
    assert suffer(state, 0, MoraleEffect.SURRENDER).ships[0].owner == 2


def test_an_ally_in_contact_takes_no_ship():
    state = failed(pair(apart=12.0, teams=(0, 0)), MoraleCause.BOARDING)
    assert state.ships[0].fate is Fate.STRUCK


def test_a_ship_flees_and_is_cast_off():
    state = pair(apart=12.0).lash(0, 1).replaced({"boardings": (Boarding(1, 0),)})
    after = failed(state, MoraleCause.CAPTAIN)
    assert after.ships[0].fled_round == 5
    assert after.lashed == after.boardings == ()
    assert after.ships[0].owner == 0


@pytest.mark.parametrize(
    ("crew", "thrown"),
    [
        (CREW, ["a_captain", "a_pirate1"]),
        (IMPERIAL, ["a_captain", "a_lieutenant1"]),
        (IMPERIAL[1:], ["a_lieutenant"]),
        (IMPERIAL[:1] + IMPERIAL[2:], ["a_captain", "a_marine1"]),
        (IMPERIAL[2:], ["a_marine"]),
        ((Role.CAPTAIN,), ["a_captain"]),
    ],
)
def test_a_mutiny_throws_captain_and_first_mate_overboard(crew, thrown):
    """The first mate is the lieutenant, else the highest Attack below the captain's, or of all without a captain."""
    state = failed(pair(crew=crew), MoraleCause.HALF_CREW, face=6)
    names = [spec.name for spec in state.setting.minifigs]
    assert [names[number] for number in officers(pair(crew=crew), 0)] == thrown
    assert [name for name, now in zip(names, state.minifigs, strict=True) if now.swims] == thrown
    assert state.ships[0].is_fleeing


@pytest.mark.parametrize(("face", "returns"), [(5, True), (6, False)])
def test_a_crew_may_return_in_the_next_turn(face, returns):
    state = pair(round=6).change_ship(0, fled_round=5)
    assert morale_rolls(state) == [MoraleRoll(0)]
    assert MoraleRoll(0).settle(state, (face,)).ships[0].is_fleeing is not returns


@pytest.mark.parametrize("round_number", [5, 7])
def test_it_may_not_return_at_once_nor_later(round_number):
    assert morale_rolls(pair(round=round_number).change_ship(0, fled_round=5)) == []


def test_a_new_cause_makes_the_return_harder():
    state = pair(round=6).change_ship(0, fled_round=5).with_cause(0, MoraleCause.ADRIFT)
    assert target(state, 0) == 4
    assert not failed(state, face=4).ships[0].is_fleeing
    assert Suffer(MoraleEffect.SURRENDER).apply(failed(state, face=5)).ships[0].fate is Fate.STRUCK


@pytest.mark.parametrize(("gap", "is_out"), [(12.0, False), (12.01, True)])
def test_a_ship_that_flees_is_gone_beyond_12_studs_of_every_enemy(gap, is_out):
    """The hulls are 12 studs wide."""
    state = pair(apart=12.0 + gap).change_ship(0, fled_round=1)
    assert is_out_of_range(state, 0) is is_out
    state = state.replaced({"phase": Phase.SHARKS, "turn": 0}).push_pending(PhaseEnd())
    first = state.pending[0]
    assert isinstance(first, FollowUp)
    after = first.happen(state.pop_pending())
    assert (after.ships[0].fate is Fate.FLED) is is_out


def test_a_ship_that_flees_is_not_gone_before_its_crew_may_return():
    state = pair(apart=100.0, round=5, phase=Phase.SHARKS, turn=0).change_ship(0, fled_round=5)
    after = PhaseEnd().happen(state)
    assert after.ships[0].is_afloat
    assert after.round == 6


def test_nobody_aboard_makes_no_test():
    state = pair().with_cause(0, MoraleCause.CAPTAIN)
    for number in state.crews[0]:
        state = state.lost(number)
    assert MoraleRoll(0).lapses(state)


def wet(state: State, *names: str) -> State:
    for name in names:
        state = overboard(state, state.setting.minifig_numbers[name])
    return state


def two_crews(sheet: str = "black_seas_barracuda", **changes) -> State:
    return fleet(boat(sheet, x=100, y=100), boat(sheet, x=200, y=100, player=1), **changes)


@pytest.mark.parametrize("face", range(1, 7))
def test_a_minifig_is_eaten_on_5_and_6(face):
    state = wet(two_crews(), "a_pirate3")
    (roll,) = shark_rolls(state)
    assert roll.event(state).dice == 1
    after = roll.settle(state, (face,))
    assert after.minifigs[roll.minifig].is_alive == (face < 5)


def test_nobody_aboard_is_rolled_for():
    assert shark_rolls(two_crews()) == []
    assert SharkRoll(3).lapses(two_crews())


def test_the_pirate_captain_is_rolled_for_last_and_spared_while_a_pirate_of_his_side_swims():
    state = wet(two_crews(), "a_captain", "a_pirate1", "a_pirate2", "b_pirate1")
    names = [state.setting.minifigs[roll.minifig].name for roll in shark_rolls(state)]
    assert names == ["a_pirate1", "a_pirate2", "b_pirate1", "a_captain"]
    captain = state.setting.minifig_numbers["a_captain"]
    for name, spared in (("a_pirate1", True), ("a_pirate2", False)):
        state = state.lost(state.setting.minifig_numbers[name])
        assert is_spared(state, captain) == spared
        assert SharkRoll(captain).lapses(state) == spared


def test_an_ally_in_the_water_spares_him_too():
    state = wet(two_crews(teams=(0, 0)), "a_captain", "b_pirate1")
    assert is_spared(state, state.setting.minifig_numbers["a_captain"])


def test_an_imperial_captain_is_not_spared():
    state = wet(two_crews("caribbean_clipper"), "a_captain", "a_pirate1")
    assert not is_spared(state, state.setting.minifig_numbers["a_captain"])


def test_two_captains_do_not_spare_each_other():
    state = wet(two_crews(teams=(0, 0)), "a_captain", "b_captain")
    for name in ("a_captain", "b_captain"):
        assert not is_spared(state, state.setting.minifig_numbers[name])
