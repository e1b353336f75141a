"""Small positions with a known best plan: a player who misses one of these would be laughed at."""

from dataclasses import replace

import pytest

from brickphys.pirate_wars.boarding import BoardingOrder, Crossing, Riposte, StrikeBack
from brickphys.pirate_wars.damage import Casualty, CasualtyGroup
from brickphys.pirate_wars.firing import Fire, Shoot
from brickphys.pirate_wars.helm.courses import courses
from brickphys.pirate_wars.helm.plans import PirateThinker, reply
from brickphys.pirate_wars.morale import EffectQuestion, MoraleEffect
from brickphys.pirate_wars.sailing import begin_move
from brickphys.pirate_wars.sheets import Ammunition, Role, ShipPlace
from brickphys.pirate_wars.state import Boarding, MoraleCause, Phase
from brickphys.pirate_wars.tasks import Done
from brickphys.rules.aims import Circle, Reach
from brickphys.rules.plans import LEVELS, Effort
from tests.pirate_wars.battle import GAME, LAW
from tests.pirate_wars.fleet import boat, fleet

THINKER = PirateThinker(LAW)
STRONG = (Role.CAPTAIN, *[Role.PIRATE] * 15)
WEAK = (Role.CAPTAIN, *[Role.PIRATE] * 5)


def best(state):
    return THINKER.plans(state, Effort(LEVELS["hard"]))[0]


def after(state, plan):
    for action in plan.actions:
        state = GAME.apply(state, action)
    return state


def moving(*boats, **changes):
    """The first ship after its first leap, about to choose its first turn."""
    return begin_move(fleet(*boats, **changes), 0)


def writing(*boats, **changes):
    return fleet(*boats, phase=Phase.TASKS, **changes)


def at_gun(state, minifig, gun):
    return state.change_minifig(minifig, place=ShipPlace.GUN, gun=gun)


def pearl(**given):
    return boat("black_pearl", **{"crew": STRONG, **given})


def test_a_ship_rams_an_enemy_that_lies_across_its_way():
    state = moving(pearl(x=100, y=100), pearl(x=170, y=100, heading=90, player=1, crew=WEAK))
    assert after(state, best(state)).lashed == ((0, 1),)


def test_a_ship_turns_to_ram_an_enemy_abeam():
    state = moving(pearl(x=60, y=100), pearl(x=100, y=150, player=1, crew=WEAK), wind=0.0)
    assert best(state).purpose.startswith("rams")


def test_a_weak_ship_does_not_come_alongside_a_strong_one():
    state = moving(pearl(x=100, y=100, crew=WEAK, hull=2, sails=2), pearl(x=150, y=130, player=1))
    end = after(state, best(state))
    assert not end.lashed
    assert end.ships[0].y_studs < 125


@pytest.mark.parametrize(("x", "y", "heading"), [(360, 150, 0), (200, 260, 90), (80, 150, 180)])
def test_nobody_leaves_the_sea(x, y, heading):
    state = moving(pearl(x=x - 20, y=y, heading=heading), pearl(x=200, y=60, player=1), wind=90.0)
    assert after(state, best(state)).ships[0].is_afloat


def test_a_carrier_sails_into_its_area():
    aims = (Reach(0, Circle((220.0, 100.0), 15.0), (0,)),)
    state = fleet(pearl(x=140, y=100), pearl(x=120, y=250, player=1))
    state = begin_move(with_aims(state, aims), 0)
    end = after(state, best(state)).ships[0]
    assert (end.x_studs - 220) ** 2 + (end.y_studs - 100) ** 2 <= 15**2 + 1e-6


def with_aims(state, aims):
    setting = replace(state.setting, aims=aims)
    return state.replaced({"setting": setting, "holding": (0,) * len(aims)})


@pytest.mark.parametrize(
    ("own", "other", "more", "action"),
    [
        ({}, {"crew": WEAK}, (), BoardingOrder("a", "b")),
        ({"crew": WEAK}, {}, (), Done()),
        ({}, {"crew": ()}, (pearl(x=350, y=250, player=1),), BoardingOrder("a", "b")),
    ],
    ids=["the strong crew the weak one", "not the weak one the strong one", "a prize without one"],
)
def test_who_boards_whom(own, other, more, action):
    ships = pearl(x=100, y=100, **own), pearl(x=120, y=126, heading=270, player=1, **other)
    assert best(writing(*ships, *more, lashed=((0, 1),))).actions == (action,)


def test_a_gun_that_bears_fires():
    state = at_gun(writing(pearl(x=100, y=100), pearl(x=100, y=117, player=1)), 1, 0)
    plan = best(state)
    assert Fire("a", 0, Ammunition.BALL, "b") in plan.actions or (
        Fire("a", 0, Ammunition.SHOT, "b") in plan.actions
    )
    assert plan.purpose.startswith("fires 1 gun at b")


def test_a_gun_that_points_at_a_friend_does_not_fire():
    state = at_gun(
        writing(
            pearl(x=100, y=100), pearl(x=100, y=117), pearl(x=300, y=200, player=1)
        ),
        1,
        0,
    )  # fmt: skip
    assert not any(isinstance(action, Fire) for action in best(state).actions)


def test_marines_shoot_at_a_ship_four_studs_away():
    crew = (Role.CAPTAIN, *[Role.MARINE] * 8, *[Role.SAILOR] * 6)
    state = writing(
        boat("imperial_flagship", x=100, y=100, crew=crew), pearl(x=100, y=113, player=1)
    )
    shots = [action for action in best(state).actions if isinstance(action, Shoot)]
    assert len(shots) == 9  # the captain can be spared: seven hands are left for five sails


@pytest.mark.parametrize(("order", "shoots"), [((0, 1), False), ((1, 0), True)])
def test_nobody_shoots_while_an_equal_enemy_may_still_board(order, shoots):
    crew = (Role.CAPTAIN, *[Role.MARINE] * 8, *[Role.SAILOR] * 10)
    state = writing(
        boat("imperial_flagship", x=100, y=100, crew=crew),
        boat("imperial_flagship", x=100, y=110, player=1, crew=crew),
        order=order, turn=order.index(0),
    )  # fmt: skip
    actions = best(state).actions
    assert any(isinstance(one, Shoot) for one in actions) is shoots
    assert shoots or actions == (BoardingOrder("a", "b"),)  # else the enemy shoots


def test_a_ship_keeps_off_the_border_to_leeward():
    state = moving(pearl(x=100, y=200), pearl(x=350, y=60, player=1), wind=90.0, sea=(400.0, 260.0))
    assert after(state, best(state)).ships[0].y_studs < 225.0


@pytest.mark.parametrize(
    ("y", "enemy"),
    [(100, {"x": 360, "y": 80, "crew": WEAK}), (40, {"x": 300, "y": 200, "heading": 270})],
)
def test_a_ship_turns_away_from_the_border_while_it_still_can(y, enemy):
    """A course of more promise ends near the border, still on the sea, but the next leap would lead off it."""
    state = moving(pearl(x=340, y=y), pearl(player=1, **enemy))
    assert after(state, best(state)).ships[0].x_studs < 370.0


@pytest.mark.parametrize(
    "enemy",
    [{"x": 200, "y": 160, "heading": 180}, {"x": 180, "y": 140, "heading": 180}],
)
def test_a_weak_ship_does_not_show_its_side_to_a_strong_one_that_may_ram(enemy):
    """A turn across runs from where the enemy is now; the enemy moves next, and would ram the side that it sees."""
    state = moving(pearl(x=100, y=150, crew=WEAK), pearl(player=1, **enemy), wind=180.0)
    end = after(state, best(state))
    assert end.active == 1
    assert not any(course.end.lashed for course in courses(end, 1, Effort(LEVELS["hard"])))


def test_nobody_who_is_needed_at_the_sails_shoots():
    crew = (Role.CAPTAIN, *[Role.PIRATE] * 6)
    state = writing(pearl(x=100, y=100, crew=crew), pearl(x=100, y=113, player=1))
    assert not any(isinstance(action, Shoot) for action in best(state).actions)


def test_sails_are_not_stripped_to_man_guns():
    crew = (Role.CAPTAIN, *[Role.PIRATE] * 6)
    state = writing(pearl(x=100, y=100, crew=crew), pearl(x=100, y=150, player=1))
    assert best(state).actions == (Done(),)


def test_hands_whom_the_sails_can_spare_man_guns_near_an_enemy():
    state = writing(pearl(x=100, y=100), pearl(x=100, y=150, player=1))
    assert best(state).purpose == "mans guns"


def test_gunners_who_point_at_nobody_go_to_sails_that_want_hands():
    crew = (Role.CAPTAIN, *[Role.PIRATE] * 6)
    state = at_gun(writing(pearl(x=100, y=100, crew=crew), pearl(x=300, y=250, player=1)), 1, 0)
    assert best(state).purpose == "sends hands to the sails"


def test_a_friend_ahead_is_not_rammed():
    state = moving(
        pearl(x=60, y=100), pearl(x=170, y=100, heading=90), pearl(x=350, y=250, player=1),
        wind=0.0,
    )  # fmt: skip
    assert not after(state, best(state)).lashed


def test_the_captain_is_lost_last():
    state = fleet(pearl(x=100, y=100), pearl(x=300, y=100, player=1))
    asked = state.push_pending(Casualty(0, 1, CasualtyGroup.CREW))
    assert reply(asked).minifig != "a_captain"


def test_nobody_crosses_into_a_fight():
    state = fleet(
        pearl(x=100, y=100), pearl(x=120, y=126, heading=270, player=1),
        lashed=((0, 1),), boardings=(Boarding(0, 1),),
    )  # fmt: skip
    assert reply(state.push_pending(Crossing(0, 1))).word == "hold"


def test_a_stronger_defender_strikes_back():
    state = fleet(
        pearl(x=100, y=100, crew=WEAK), pearl(x=120, y=126, heading=270, player=1),
        lashed=((0, 1),), boardings=(Boarding(0, 1),),
    )  # fmt: skip
    assert reply(state.push_pending(Riposte(0, 1))) == StrikeBack()


def test_a_crew_that_despairs_flees_rather_than_surrenders():
    causes = ((0, MoraleCause.BOARDING), (0, MoraleCause.HALF_CREW))
    state = fleet(pearl(x=100, y=100), pearl(x=200, y=100, player=1), causes=causes)
    assert reply(state.push_pending(EffectQuestion(0))).effect is MoraleEffect.MUTINY


def test_holding_is_worth_nothing_and_is_always_there():
    state = moving(pearl(x=100, y=100), pearl(x=250, y=200, player=1))
    found = THINKER.plans(state, Effort(LEVELS["hard"]))
    assert [plan.worth for plan in found if plan.is_holding] == [0.0]
