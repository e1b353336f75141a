"""Battles of the campaign: who fights, how the foes play, what is left of the party (MF Experience, the rest ours)."""

from math import dist

import numpy as np
import pytest

from brickphys.minifig.campaign.effects import TrialEffect, WoundDraw
from brickphys.minifig.campaign.state import parse_chart
from brickphys.minifig.campaign.trials import (
    FOES,
    PARTY,
    Fighting,
    after_battle,
    battle_moves,
    battle_setup,
    battles,
    foe_action,
    trials,
)
from brickphys.minifig.movement import Go
from brickphys.rules.plans import LEVELS, Effort
from brickphys.rules.record import CHANCE, OVER
from tests.minifig.campaign.quest import GAME, LAW, quest, random_move, setup

TOUCHING = 0.63 + 0.05 + 1e-9
KNIGHTS = [
    {"name": "lead", "arms": ["sword", "shield"], "experience": 7},
    {"name": "mate", "arms": ["axe"], "experience": 3, "horse": True},
    {"name": "rex", "kind": "dog"},
]


def met(foes, *pending, **changes):
    """The party meets foes; other things are pending after the battle."""
    return quest(TrialEffect(f"battle {foes}"), *pending, given=setup(party=KNIGHTS), **changes)


def named(state, foes="dogs"):
    """The names of who stands on the table of a battle."""
    return [one["name"] for one in battle_setup(state, foes)["figure"]]


def wounded(*numbers):
    """The party with some who are wounded."""
    state = quest(given=setup(party=KNIGHTS))
    for number in numbers:
        state = state.change_member(number, is_wounded=True)
    return state


def ended(state, dead, winners):
    """The state after a battle that has ended with these dead and winners: the last figure of the party is done."""
    battle = state.battle
    for name in dead:
        battle = battle.eliminated(battle.setting.figure_numbers[name])
    over = battle.replaced({"winners": winners, "pending": ()})
    assert battles().actor(over) == OVER
    return GAME.proceed(after_battle(state, over))


def test_the_party_stands_against_all_foes_of_the_entry():
    battle = met("raiders").battle
    names = [figure.name for figure in battle.setting.figures]
    assert names == ["lead", "mate", "rex", "raiders_1", "raiders_2", "raiders_3"]
    assert [figure.player for figure in battle.setting.figures] == [PARTY] * 3 + [FOES] * 3
    assert [figure.experience for figure in battle.setting.figures][:3] == [7, 3, 0]
    assert battle.figures[1].horse is not None


def test_a_name_of_the_party_is_not_that_of_a_foe():
    given = setup(party=[{"name": "dogs_1"}, {"name": "dogs_3", "kind": "dog"}])
    assert named(quest(given=given)) == ["dogs_1", "dogs_3", "dogs_2", "dogs_4", "dogs_5"]


def test_who_is_wounded_stays_out_unless_all_are():
    assert named(wounded(0))[:3] == ["mate", "rex", "dogs_1"]
    assert named(wounded(0, 1, 2))[:3] == ["lead", "mate", "rex"]


@pytest.mark.parametrize(("ground", "zones"), [("o", 0), ("w", 2), ("v", 0)])
def test_a_battle_in_woods_has_woods(ground, zones):
    state = quest(chart=parse_chart(f"0,0{ground}"))
    assert len(battles().begin(battle_setup(state, "dogs")).setting.zones) == zones


def test_survivors_gain_one_experience_up_to_seven_and_the_dead_are_gone():
    state = ended(met("dogs"), ["rex", "dogs_1", "dogs_2", "dogs_3"], (PARTY,))
    assert [(one.name, one.experience) for one in state.party] == [("lead", 7), ("mate", 4)]
    assert (state.battle, state.foes) == (None, "")


def test_who_stays_out_gains_nothing():
    begun = GAME.proceed(wounded(1).push_pending(TrialEffect("battle dogs")))
    state = ended(begun, ["dogs_1", "dogs_2", "dogs_3"], (PARTY,))
    assert [one.experience for one in state.party] == [7, 3, 1]


def test_spoils_are_for_winners_only():
    for winners, has_helmet in (((PARTY,), True), ((), False), ((FOES,), False)):
        state = ended(met("dogs", TrialEffect("arms helmet"), WoundDraw()), [], winners)
        assert ("helmet" in state.party[0].arms) == has_helmet
        assert isinstance(state.first_pending, WoundDraw)  # what is no spoil goes on


@pytest.mark.parametrize(
    ("dead", "lost"), [(["lead"], True), (["mate", "rex"], False), (["lead", "mate", "rex"], True)]
)
def test_the_campaign_is_lost_with_the_leader(dead, lost):
    state = ended(met("dogs"), dead, (FOES,))
    assert (state.result == -1) == lost


def test_foes_who_kill_all_who_fight_end_the_campaign():
    begun = GAME.proceed(wounded(0).push_pending(TrialEffect("battle dogs")))
    assert ended(begun, ["mate", "rex"], (FOES,)).result == -1


def test_the_text_of_a_battle_reads_back():
    state = met("rider")
    found = GAME.parse_state(GAME.format_state(state))
    assert found == state
    assert found.battle == state.battle
    assert isinstance(found.first_pending, Fighting)


def test_a_battle_is_played_within_the_campaign():
    """Its rolls and actions are those of the campaign; foes are never asked."""
    state, rng, asked = met("dogs"), np.random.default_rng(2), set()
    while state.battle is not None:
        asked.add(GAME.actor(state))
        if GAME.actor(state) == CHANCE:
            assert GAME.chance(state) == battles().chance(state.battle)
        else:
            assert GAME.actions(state) == battles().actions(state.battle)
            assert GAME.only_action(state) == battles().only_action(state.battle)
            assert GAME.first_choice(state) == battles().first_choice(state.battle)
        state = GAME.apply(state, random_move(state, rng))
    assert asked == {CHANCE, PARTY}


def test_bots_plan_the_battle_as_they_plan_any_battle():
    """Where the battle is open for plans, so is the campaign; plans can be played there."""
    state, thinker, rng = met("dogs"), GAME.thinker(LAW), np.random.default_rng(2)
    while GAME.actor(state) == CHANCE:
        state = GAME.apply(state, random_move(state, rng))
    assert thinker.is_open(state)
    plans = thinker.plans(state, Effort(LEVELS["hard"]))
    assert plans == battles().thinker(LAW).plans(state.battle, Effort(LEVELS["hard"]))
    for plan in plans:
        assert GAME.problems(state, plan.actions[0]) == []
    assert not thinker.is_open(quest())


def test_on_the_march_no_action_has_odds_a_purpose_or_a_waste():
    march = quest()
    action = GAME.actions(march)[0]
    assert GAME.forecasts(march, action, LAW) is None
    assert (GAME.waste(march, action), GAME.purpose(march, action)) == ("", "")


def turns_of_foes(foes, most=40):
    """Yield the states of random battles in which a foe acts, with its action and what it leads to."""
    rng, count = np.random.default_rng(1), 0
    while count < most:
        state = met(foes)
        while state.battle is not None:
            move = random_move(state, rng)
            for battle, action, then in battle_moves(state.battle, move):
                if battles().actor(battle) == FOES:
                    yield battle, action, then
                    count += 1
            state = GAME.apply(state, move)


@pytest.mark.parametrize("foes", sorted(trials().foes))
def test_foes_do_the_same_in_the_same_state_and_nothing_illegal(foes):
    for battle, action, then in turns_of_foes(foes):
        assert foe_action(battle) == action
        assert battles().problems(battle, action) == []
        assert then == battles().apply(battle, action)


def near(battle, place_in):
    """How far the nearest of the party is."""
    figures, specs = battle.figures, battle.setting.figures
    party = (figures[number] for number in battle.alive if specs[number].player == PARTY)
    return min(dist(place_in, one.place_in) for one in party)


def test_dogs_charge_whom_they_reach_and_else_come_nearer():
    """A dog moves 14 inches by the shortest way."""
    charges = 0
    for battle, action, then in turns_of_foes("dogs"):
        if action.word == "go":
            dog = battle.active
            touched = [
                go for go in Go.legal(battle) if near(battle, (go.x_in, go.y_in)) <= TOUCHING
            ]
            now = near(then, then.figures[dog].place_in)
            assert now <= TOUCHING if touched else now <= near(battle, battle.figures[dog].place_in)
            charges += bool(touched)
    assert charges > 10


def test_a_foe_comes_from_behind_if_it_can():
    """The leader looks away from a dog beside nobody else."""
    battle = battles().begin(battle_setup(quest(given=setup(party=KNIGHTS[:1])), "dogs"))
    places = (12.0, 10.0), *((6.0 + 4 * n, 16.0) for n in range(3))
    figures = (one.at(at, 270.0) for one, at in zip(battle.figures, places, strict=True))
    changes = {"figures": tuple(figures), "pending": (), "order": (FOES, PARTY), "active": 1}
    go = foe_action(battle.replaced(changes))
    assert go.word == "go"
    assert go.y_in > 10.0
    assert dist((go.x_in, go.y_in), (12.0, 10.0)) <= 0.68 + 1e-9


def test_an_archer_shoots_whom_it_cannot_reach():
    state = met("poachers")
    battle = state.battle.replaced({"pending": (), "order": (FOES, PARTY), "active": 3})
    shot = foe_action(battle)
    at = [figure.place_in for figure in battle.figures]
    nearest = min(range(3), key=lambda number: dist(at[3], at[number]))
    assert (shot.word, shot.target) == ("shoot", KNIGHTS[nearest]["name"])
