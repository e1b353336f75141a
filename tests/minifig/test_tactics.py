"""Tactics: small positions whose best plan is known."""

from dataclasses import replace
from fractions import Fraction
from math import dist

import numpy as np
import pytest

from brickphys.minifig.game import Minifig
from brickphys.minifig.plans.chances import Chances
from brickphys.minifig.plans.ideas import Idea
from brickphys.minifig.plans.lanes import cover, openings
from brickphys.minifig.plans.outlook import Outlook
from brickphys.minifig.plans.prospects import Known
from brickphys.minifig.plans.turn import Turn
from brickphys.minifig.setting import WallSpec
from brickphys.minifig.state import Deed, Phase
from brickphys.odds.law import BinomialLaw
from brickphys.rules.aims import Carry, Circle, Hold, RoundLimit
from brickphys.rules.plans import HOLDS, LEVELS, Effort
from tests.minifig.small_battle import APART, battle, fighter

GAME, LAW = Minifig(), BinomialLaw(Fraction(29, 100))
THINKER = GAME.thinker(LAW)
ARMOUR = ("sword", "shield", "helmet", "plate")


def plans(state):
    assert THINKER.is_open(state)
    return THINKER.plans(state, Effort(LEVELS["hard"]))


def best(state):
    return plans(state)[0]


def texts(plan):
    return [action.text() for action in plan.actions]


def after(state, plan):
    for action in plan.actions:
        state = GAME.apply(state, action)
    return state


def test_an_archer_shoots_at_who_stands_free():
    found = best(battle(fighter("tom", 5, 5, "bow"), fighter("bob", 15, 5, "axe", player=1)))
    assert texts(found)[1] == "shoot bob"
    assert found.purpose.startswith("shoots at bob (")


def test_an_archer_shoots_at_the_archer_before_the_peasant():
    state = battle(
        fighter("tom", 5, 5, "bow"),
        fighter("bob", 20, 5, "bow", player=1),
        fighter("pat", 20, 12, kind="peasant", player=1),
    )
    assert texts(best(state))[1] == "shoot bob"


def test_nobody_shoots_through_his_own_man():
    """A swordsman has gone into the lane: the only shot would kill him."""
    state = battle(
        fighter("tom", 5, 5, "bow"),
        fighter("sam", 8, 5, *ARMOUR, deed=Deed.MOVED),
        fighter("pat", 25, 5, kind="peasant", player=1),
    )
    assert all("shoot" not in " ".join(texts(plan)) for plan in plans(state))


@pytest.mark.parametrize(("own_y", "shot"), [(4, "shoot pat"), (20, "shoot bob")])
def test_of_two_targets_the_one_without_an_own_man_in_its_lane_is_shot_at(own_y, shot):
    """The axe is worth more than the peasant, but not with the own archer beside the way of the arrow."""
    state = battle(
        fighter("tom", 5, 5, "bow"),
        fighter("sam", 15.5, own_y, "bow", deed=Deed.MOVED),
        fighter("bob", 17.5, 5, "axe", player=1),
        fighter("pat", 11.5, 14, kind="peasant", player=1),
    )
    assert texts(best(state))[1] == shot


@pytest.mark.parametrize(("own_y", "shoots"), [(4, False), (20, True)])
def test_a_shot_that_may_kill_an_own_man_is_left(own_y, shoots):
    """The enemy is far away and does no harm yet: the archer looks for a free lane."""
    state = battle(
        fighter("tom", 5, 5, "crossbow"),
        fighter("sam", 13, own_y, "bow", deed=Deed.MOVED),
        fighter("bob", 24, 5, "axe", player=1),
    )
    assert (texts(best(state))[1] == "shoot bob") is shoots


@pytest.mark.parametrize(
    ("friend", "foe_x", "is_next"),
    [(("sam", 8, 5, "sword"), 25, True), (("sam", 14, 5.7, "sword", "shield"), 27, False)],
    ids=["in the lane", "beside it, where a shot may hit him"],
)
def test_a_friend_clears_the_lane_before_the_shot(friend, foe_x, is_next):
    state = battle(
        fighter("tom", 5, 5, "bow"),
        fighter(*friend),
        fighter("bob", foe_x, 5, "bow", player=1),
    )
    first = best(state)
    assert (first.unit, first.purpose) == ("sam", "clears the lane of tom")
    then = plans(after(state, first))
    shot = then[0] if is_next else next(plan for plan in then if plan.unit == "tom")
    assert texts(shot)[1] == "shoot bob"


def crowd(*own):
    """Tom may shoot at a dear enemy beyond others who have moved."""
    return battle(
        fighter("tom", 5, 5, "bow"),
        *(fighter(f"pat{n}", *at, kind="peasant", deed=Deed.MOVED) for n, at in enumerate(own)),
        fighter("bob", 25, 5, "bow", "armour", player=1),
        fighter("bill", 45, 34, "sword", player=1),
    )


def test_nobody_shoots_where_his_own_men_are_likelier_to_fall():
    """Though the enemy is worth more than both of them."""
    clear, crowded = crowd((18, 8), (18, 2)), crowd((18, 5.5), (19, 4.5))
    tells = [
        any(plan.purpose.startswith("shoots at bob") for plan in plans(s)) for s in (clear, crowded)
    ]
    assert tells == [True, False]


def test_a_shot_past_its_target_tells_whom_it_should_hit():
    """Nobody shoots at who fights a friend, but at another one behind him."""
    state = battle(
        fighter("tom", 5, 5, "bow"),
        fighter("sam", 20, 5.62, kind="peasant", deed=Deed.MOVED),
        fighter("bob", 20, 5, "bow", player=1),
        fighter("bill", 26, 5, "sword", player=1),
    )
    assert any(plan.purpose.startswith("shoots at bill to hit bob (") for plan in plans(state))


def test_who_shoots_goes_before_who_charges():
    state = battle(
        fighter("tom", 5, 5, "bow"),
        fighter("sam", 10, 9, "sword"),
        fighter("bob", 14, 5, "axe", player=1),
    )
    assert best(state).unit == "tom"


def test_a_rider_runs_down_an_archer():
    state = battle(
        fighter("kit", 5, 5, "sword", "shield", horse="ash"),
        fighter("bob", 20, 5, "bow", player=1),
        things={"ash": ("horse", 5, 5)},
    )
    found = best(state)
    assert found.purpose.startswith("charges bob")
    assert after(state, found).near


def test_a_peasant_alone_does_not_charge_a_knight():
    state = battle(
        fighter("pat", 5, 5, kind="peasant"),
        fighter("kit", 11, 5, *ARMOUR, player=1),
    )
    found = best(state)
    assert not found.purpose.startswith("charges")


def test_a_swordsman_comes_from_behind():
    """The enemy looks away: the rear is worth a brick."""
    state = battle(
        fighter("sam", 5, 5, "sword"),
        fighter("bob", 9, 5, "sword", "shield", player=1, facing=0.0),
    )
    end = after(state, best(state))
    assert end.figures[0].x_in < 9.0


def test_an_empty_crossbow_is_reloaded_far_from_the_enemy():
    state = battle(
        fighter("tom", 5, 5, "crossbow"), fighter("bob", 40, 5, "sword", player=1)
    ).change_item(0, is_loaded=False)
    assert texts(best(state))[1] == "reload tom_crossbow"


def test_a_spear_is_thrown_at_who_is_near():
    state = battle(fighter("tom", 5, 5, "spear"), fighter("bob", 14, 5, *ARMOUR, player=1))
    assert texts(best(state))[1] == "throw bob"


def test_nobody_dances_in_front_of_the_enemy():
    """Both touch, and nothing is better than the blow: holding is the best plan."""
    state = battle(
        fighter("sam", 5, 5, "sword"),
        fighter("bob", 5 + APART, 5, "sword", player=1, facing=180.0, deed=Deed.NOTHING),
        table=(6.5, 6.0),
    )
    found = best(state)
    assert found.purpose == HOLDS or found.purpose.startswith("charges bob")


def test_in_contact_the_more_valuable_enemy_is_attacked():
    state = battle(
        fighter("sam", 5, 5, "sword", deed=Deed.MOVED),
        fighter("bob", 5 + APART, 5, "bow", player=1, facing=180.0),
        fighter("pat", 5, 5 + APART, kind="peasant", player=1, facing=270.0),
        phase=Phase.COMBAT,
    )
    found = best(state)
    assert found.purpose.startswith("attacks bob")
    assert min(plan.worth for plan in plans(state)) == 0.0


def test_an_archer_does_not_walk_to_a_swordsman():
    state = battle(
        fighter("tom", 5, 5, "bow"),
        fighter("bob", 13, 5, *ARMOUR, player=1),
    )
    found = after(state, best(state))
    assert found.pending or dist(found.figures[0].place_in, (13, 5)) > 8


def engine_battle(**changes):
    return battle(
        fighter("gus", 10, 5, "sword"),
        fighter("sam", 3, 5, "sword"),
        fighter("bob", 10, 25, "sword", "shield", player=1, facing=270.0),
        fighter("ben", 11, 25, "sword", "shield", player=1, facing=270.0),
        things={"ram": ("big_catapult", 10, 5 - 1.6)},
        **changes,
    )


def test_the_crew_of_an_engine_shoots():
    found = best(engine_battle())
    assert found.unit == "gus"
    assert texts(found)[1].startswith("launch ")


def test_an_empty_engine_is_reloaded():
    state = engine_battle().change_thing(0, is_loaded=False)
    assert texts(next(plan for plan in plans(state) if plan.unit == "gus"))[1] == "reload ram"


def test_somebody_goes_to_an_engine():
    state = battle(
        fighter("gus", 10, 8, "club", kind="peasant"),
        fighter("bob", 10, 30, "sword", "shield", player=1, facing=270.0),
        things={"ram": ("big_catapult", 10, 4)},
    )
    end = after(state, best(state)).figures[0].place_in
    assert dist(end, (10, 4)) < 1.7


def sieges(courses):
    """Return what it is worth to break each of two walls across the table that have so many courses."""
    walls = tuple(
        WallSpec(f"w{number}", 2.519 + 5.039 * number, 15.0, 270.0, 16, courses)
        for number in range(2)
    )
    state = battle(
        fighter("gus", 5, 5, "sword"),
        *(fighter(f"sam{number}", 2 * number + 1, 9, "sword") for number in range(4)),
        fighter("bob", 1, 27, "sword", player=1),
        things={"ram": ("big_catapult", 5, 5 - 1.6)},
        walls=walls,
        table=(10.08, 28.0),
    )
    turn = Turn(Outlook(state, 0, Chances(LAW)), Known(), Effort(LEVELS["hard"]))
    return [idea.gain for idea in turn.ideas[0] if idea.purpose.startswith("breaks w")]


def test_an_engine_breaks_a_wall_for_the_way_that_opens():
    """The fewer bricks to a breach, the more each of them is worth; a wall that is walked over is worth nothing."""
    high, low = sieges(4), sieges(2)
    assert len(high) == len(low) == 2
    assert 0.0 < min(high) <= max(high) < min(low)
    assert max(sieges(1)) == 0.0


def with_aims(state, *aims):
    setting = replace(state.setting, aims=aims)
    return state.replaced({"setting": setting, "holding": (0,) * len(aims)})


def test_a_figure_fetches_what_its_side_must_carry():
    state = battle(
        fighter("tom", 5, 5),
        fighter("bob", 40, 30, "sword", player=1),
        lying={"relic": ("sword", 10, 5)},
    )
    state = with_aims(state, Carry(0, Circle((0.0, 5.0), 2.0), "relic"), RoundLimit(12))
    found = best(state)
    assert found.purpose == "fetches relic"
    assert after(state, found).held[0]


def test_what_lies_beside_it_is_left_there():
    """A shield lies where the relic does: the figure takes the relic, with what it has in its hands put down."""
    state = battle(
        fighter("tom", 5, 5, "axe", "shield"),
        fighter("bob", 40, 30, "sword", player=1),
        lying={"buckler": ("shield", 10, 5), "relic": ("sword", 10, 5)},
    )
    state = with_aims(state, Carry(0, Circle((0.0, 5.0), 2.0), "relic"), RoundLimit(12))
    assert "relic" in texts(best(state))[-1]


def test_a_rider_beside_it_takes_it_and_mounts_again():
    state = battle(
        fighter("kit", 10, 5, "axe", horse="ash"),
        fighter("bob", 40, 30, "sword", player=1),
        things={"ash": ("horse", 10, 5)},
        lying={"relic": ("sword", 10, 5.8)},
    )
    state = with_aims(state, Carry(0, Circle((0.0, 5.0), 2.0), "relic"), RoundLimit(12))
    assert [text.split()[0] for text in texts(best(state))[1:]] == ["dismount", "pick_up", "mount"]


def test_who_carries_it_goes_home():
    state = battle(
        fighter("tom", 20, 5, "sword"),
        fighter("bob", 40, 30, "sword", player=1),
    )
    state = with_aims(state, Carry(0, Circle((0.0, 5.0), 2.0), "tom_sword"), RoundLimit(12))
    found = best(state)
    assert found.purpose == "goes for its aim"
    assert after(state, found).figures[0].x_in == pytest.approx(12.0, abs=0.1)


def test_the_clock_runs_against_whose_enemy_holds_an_area_and_who_has_less_left():
    sides = [fighter("sam", 5, 5, "axe"), fighter("kit", 20, 5, *ARMOUR, player=1)]
    state = with_aims(battle(*sides), Hold(1, Circle((20.0, 5.0), 3.0), 10), RoundLimit(20))
    held = state.replaced({"holding": (9, 0)})
    assert [Outlook(held, player, Chances(LAW)).urgency for player in (0, 1)] == [0.9, 0.0]
    assert Outlook(state, 0, Chances(LAW)).urgency == 0.0
    three = battle(*sides, fighter("ken", 20, 7, player=1))
    late = with_aims(three, RoundLimit(20)).eliminated(1).replaced({"round": 15})
    assert [Outlook(late, player, Chances(LAW)).urgency for player in (0, 1)] == [0.0, 0.75]


def test_a_man_mounts_to_reach_his_prey():
    state = battle(
        fighter("kit", 10 + APART, 10, *ARMOUR),
        fighter("bob", 24, 10, "bow", player=1, facing=0.0),
        things={"ash": ("horse", 10, 10)},
    )
    assert texts(best(state))[1] == "mount ash"


def test_a_man_steps_before_an_archer_who_has_shot():
    """Who stands in the middle of a lane takes the arrow: all but one in fifty."""
    state = battle(
        fighter("tom", 5, 10, "bow", deed=Deed.OTHER),
        fighter("sam", 6, 14, "club", kind="peasant"),
        fighter("bob", 29, 10, "bow", player=1, facing=180.0),
    )
    end = after(state, best(state)).figures[1].place_in
    assert cover(np.array([29.0, 10.0]), np.array([[5.0, 10.0]]), np.array([end]))[0, 0] > 0.9


def planned(state):
    return Turn(Outlook(state, 0, Chances(LAW)), Known(), Effort(LEVELS["hard"]))


def test_a_shot_spares_who_shoots():
    """It is worth more than what it gains: an archer who falls shoots no more."""
    turn = planned(battle(fighter("tom", 3, 7, "bow"), fighter("bob", 29, 7, "bow", player=1)))
    choice = turn.best(0, turn.look.alive_chance, turn.style)
    assert choice.kind == "shot"
    assert choice.worth > choice.idea.gain


def test_who_touches_an_enemy_does_not_shoot():
    turn = planned(
        battle(fighter("tom", 10, 5, "bow"), fighter("kit", 15, 5, *ARMOUR, player=1, facing=180))
    )
    found = turn.prospects[0]
    assert found.chances[found.touching].max() < 0.3
    assert found.chances[~found.touching].max() > 0.8


def test_riders_wait_out_of_reach_for_a_crowd_that_comes():
    """Whoever lets them come strikes first."""
    riders = [fighter(f"kit{n}", 4, 6 + 3 * n, "sword", "shield", horse=f"h{n}") for n in range(3)]
    crowd = [
        fighter(f"pat{n}", 27, 4 + 2 * n, "club", kind="peasant", player=1, facing=180.0)
        for n in range(8)
    ]
    things = {f"h{n}": ("horse", 4, 6 + 3 * n) for n in range(3)}
    turn = planned(battle(*riders, *crowd, things=things))
    for choice in turn.style.first.values():
        assert choice.prospects.dangers[choice.row].max() == 0.0


def test_who_is_nearer_to_the_prize_is_worth_more():
    """A rider who has the relic wins by bringing it home; the fewer enemies are left, the surer it is."""
    rider = fighter("kit", 30, 5, "sword", horse="ash")
    foes = [fighter(f"bob{n}", 40, 20 + n, "axe", player=1) for n in range(2)]
    prizes = []
    for left in (1, 2):
        state = battle(rider, *foes[:left], things={"ash": ("horse", 30, 5)})
        state = with_aims(state, Carry(0, Circle((0.0, 5.0), 2.0), "kit_sword"), RoundLimit(12))
        near, far = Outlook(state, 0, Chances(LAW)).prizes(0, np.array([10.0, 30.0]))
        assert near > far > 0.0
        prizes.append(far / near)
    assert prizes[1] < prizes[0]


def test_a_shot_at_a_wall_asks_nobody_to_step_aside():
    """The best shot may be at no enemy: then no lane is opened for it, however much it gains."""
    state = battle(
        fighter("gus", 5, 5, "bow"),
        fighter("sam", 5, 9, "sword"),
        fighter("bob", 5, 27, "sword", player=1),
    )
    turn = Turn(Outlook(state, 0, Chances(LAW)), Known(), Effort(LEVELS["hard"]))
    at_wall = {**turn.ideas, 0: [Idea(0, "shot", "breaks w0", (), 9.0)]}
    assert openings(turn.look, turn.prospects, at_wall) == {}
