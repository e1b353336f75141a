"""The plans of bots in BOW: legal move by move, ranked against holding, and of sense."""

from dataclasses import replace
from fractions import Fraction
from math import inf
from random import Random

import pytest

from brickphys.bow.plans import BowThinker
from brickphys.odds.law import BinomialLaw
from brickphys.rules.plans import HOLDS, LEVELS, Effort
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle
from tests.cases import all_but

LAW = BinomialLaw(Fraction(3, 10))
THINKER = BowThinker(GAME, LAW)
FAIR = LEVELS["fair"]


def plans(state):
    return list(THINKER.plans(state, Effort(FAIR)))


def best(battle):
    return plans(battle.state)[0]


def texts(plan):
    return [action.text() for action in plan.actions]


def random_states(name, seed, count):
    """States in which plans may begin, from a game of the best plans and random actions."""
    rng, state = Random(seed), GAME.initial(GAME.setups[name])
    found = []
    while len(found) < count:
        if GAME.actor(state) == -2 or state.result is not None:
            break
        if GAME.actor(state) < 0:
            law = GAME.chance(state).law(LAW)
            state = GAME.apply(state, rng.choices(list(law), [float(p) for p in law.values()])[0])
            continue
        if THINKER.is_open(state) and rng.random() < 0.2:
            found.append(state)
        state = GAME.apply(state, rng.choice(list(GAME.actions(state))))
    return found


@pytest.mark.parametrize("name", all_but(sorted(GAME.setups), "flight", "ambush"))
def test_every_plan_is_legal_move_by_move_and_holding_is_among_them(name):
    for state in random_states(name, 5, 3):
        found = THINKER.candidates(state)
        assert [plan.worth for plan in found if plan.purpose == HOLDS] == [0.0]
        for plan in found:
            now = state
            for action in plan.actions:
                assert not GAME.problems(now, action), (plan, action)
                now = GAME.apply(now, action)


def test_the_same_state_has_the_same_plans():
    state = Battle(GAME.setups["skirmish"]).state
    again = BowThinker(GAME, LAW)
    assert plans(state) == list(again.plans(state, Effort(FAIR)))


@pytest.mark.parametrize("name", ["skirmish", "rocket"])
def test_a_budget_bounds_what_is_looked_at_and_more_of_it_looks_at_more(name):
    """Little of it is enough for a plan that is legal; the same budget of states gives the same plans."""
    state, looked_at = Battle(GAME.setups[name]).state, []
    for nodes in (1, 10, 40, 10_000):
        effort = Effort(replace(LEVELS["hard"], nodes=nodes))
        found = THINKER.plans(state, effort)
        assert found == THINKER.plans(state, Effort(replace(LEVELS["hard"], nodes=nodes)))
        assert not GAME.problems(state, found[0].actions[0])
        assert any(plan.purpose == HOLDS for plan in found)
        looked_at.append(effort.nodes)
    assert looked_at == sorted(looked_at)
    assert looked_at[0] <= 2
    assert looked_at[-1] < 10_000


def test_no_time_is_enough_for_a_plan():
    state = Battle(GAME.setups["skirmish"]).state
    effort = Effort(replace(LEVELS["hard"], nodes=inf, seconds=1e-6))
    assert THINKER.plans(state, effort)
    assert effort.nodes <= 2


def test_nothing_is_done_within_a_choice():
    battle = Battle(GAME.setups["skirmish"]).do("unit red_knight_1", "walk 5,5")
    assert not THINKER.is_open(battle.state)
    assert THINKER.is_open(battle.do("face e").state)


def test_who_can_strike_strikes():
    begin = setup(unit("a", "knight", "red", 10, 10), unit("b", "trooper", "blue", 11, 10, "w"))
    assert texts(best(Battle(begin)))[-1].startswith("attack b")


def test_who_cannot_reach_anybody_walks_towards_the_enemy():
    begin = setup(unit("a", "knight", "red", 2, 10), unit("b", "archer", "blue", 28, 10, "w"))
    plan = best(Battle(begin))
    assert any(text.startswith("walk") for text in texts(plan))


def test_one_who_has_shot_with_nothing_left_to_gain_holds():
    """A wall on all sides: nothing is better than to stand still."""
    walls = [
        {"id": "s", "block": [0, 3, 4, 1], "top": 40},
        {"id": "e", "block": [3, 0, 1, 3], "top": 40},
    ]
    begin = setup(
        unit("a", "swordsman", "red", 1, 1), unit("b", "swordsman", "blue", 28, 18), decor=walls
    )
    assert best(Battle(begin)).purpose == HOLDS


def test_the_driver_of_a_jeep_with_the_way_clear_does_not_get_off():
    begin = setup(
        seated("driver", "driver", "red", "jeep", "driver"),
        unit("foe", "trooper", "blue", 45, 15, "w"),
        vehicles=[vehicle("jeep", "jeep", "red", 8.0, 10.0, speed=2)],
        width=60,
        length=30,
    )
    assert not any(text.startswith(("leave", "speed 0")) for text in texts(best(Battle(begin))))


def test_a_carrier_goes_for_its_area():
    begin = setup(
        unit("princess", "basic_trooper", "red", 12, 5, "w"),
        unit("foe", "swordsman", "blue", 28, 15, "w"),
        aims=[{"kind": "reach", "player": "red", "units": ["princess"], "area": [0, 4, 3, 3]}],
    )
    battle = Battle(begin)
    for text in texts(best(battle)):
        battle.do(text)
    x, _ = battle.state.setting.field.xy(battle.state.units[0].stud)
    assert x < 12


def test_a_door_on_the_way_is_opened():
    walls = [
        {"id": "n", "block": [8, 6, 1, 14], "top": 30},
        {"id": "s", "block": [8, 0, 1, 4], "top": 30},
        {"id": "gate", "kind": "door", "block": [8, 4, 1, 2], "top": 30},
    ]
    begin = setup(
        unit("princess", "basic_trooper", "red", 9, 4, "w"),
        unit("foe", "swordsman", "blue", 28, 15, "w"),
        decor=walls,
        aims=[{"kind": "reach", "player": "red", "units": ["princess"], "area": [0, 4, 3, 3]}],
    )
    assert "open gate" in texts(best(Battle(begin)))


def test_a_vehicle_does_not_run_over_a_friend_who_stands_alone_in_its_way():
    begin = setup(
        seated("driver", "driver", "red", "jeep", "driver"),
        unit("friend", "trooper", "red", 20, 10),
        unit("foe", "trooper", "blue", 55, 25, "w"),
        vehicles=[vehicle("jeep", "jeep", "red", 8.0, 10.5, speed=4)],
        width=60,
        length=30,
    )
    battle = Battle(begin).do("unit driver")
    plan = best(battle)
    for text in texts(plan):
        battle.do(text)
    assert not any(type(one).__name__ == "RunOver" for one in battle.state.pending)
