"""Small positions with a best plan that anybody sees: what a unit does first."""

from fractions import Fraction
from typing import Any

import pytest

from brickphys.bow.actions.attack import AttackEnemy
from brickphys.bow.actions.driving import ChangeDirection
from brickphys.bow.actions.movement import ChangeFacing, Walk
from brickphys.bow.pilot.drives import drives
from brickphys.bow.plans import BowThinker
from brickphys.odds.law import BinomialLaw
from brickphys.rules.plans import LEVELS, Effort, Plan
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle

THINKER = BowThinker(GAME, BinomialLaw(Fraction(3, 10)))
AREA = [0, 4, 3, 3]
AIM = [{"kind": "reach", "player": "red", "units": ["hero"], "area": AREA}]
WALL = {"id": "wall", "block": [10, 2, 1, 6], "top": 20}


def best(battle: Battle) -> Plan[Any]:
    return THINKER.plans(battle.state, Effort(LEVELS["fair"]))[0]


def first(*units: dict[str, Any], **more: Any) -> tuple[str, list[str]]:
    """Return the unit that is played, and what it does, without its choice."""
    plan = best(Battle(setup(*units, **more)))
    return plan.actions[0].name, [action.text() for action in plan.actions[1:]]


def test_the_weaker_of_two_within_reach_is_struck():
    _who, does = first(
        unit("a", "knight", "red", 10, 10),
        unit("strong", "knight", "blue", 11, 11, "w"),
        unit("weak", "trooper", "blue", 11, 9, "w"),
    )
    assert does[0].startswith("attack weak")


def test_one_who_can_strike_is_played_before_one_who_can_only_walk():
    who, _ = first(
        unit("far", "knight", "red", 2, 2),
        unit("near", "swordsman", "red", 15, 10),
        unit("foe", "trooper", "blue", 16, 10, "w"),
    )
    assert who == "near"


def test_an_archer_shoots_rather_than_charge():
    _, does = first(
        unit("archer", "archer", "red", 5, 10), unit("foe", "swordsman", "blue", 16, 10, "w")
    )
    assert does[0].startswith("attack foe bow")


def test_a_walk_leads_within_reach_where_that_is_enough():
    _, does = first(unit("a", "knight", "red", 10, 10), unit("foe", "trooper", "blue", 14, 10, "w"))
    assert does[0].startswith("walk")
    assert does[-1].startswith("attack foe")


def test_the_attack_comes_before_the_walk_out_of_reach():
    """A shot and a step behind the wall: the sword on the other side cannot strike back."""
    battle = Battle(
        setup(
            unit("archer", "archer", "red", 9, 8, "e"),
            unit("foe", "knight", "blue", 18, 9, "w"),
            decor=[WALL],
        )
    )
    plan = best(battle)
    assert [action.text() for action in plan.actions][1].startswith("attack foe")


def test_a_carrier_within_a_walk_of_its_area_wins_at_once():
    who, does = first(
        unit("hero", "basic_trooper", "red", 6, 5, "w"),
        unit("b", "knight", "red", 20, 10),
        unit("foe", "trooper", "blue", 21, 10, "w"),
        aims=AIM,
    )
    assert who == "hero"
    assert does[0].startswith("walk")


def test_the_pursuer_strikes_the_carrier_before_another():
    _, does = first(
        unit("a", "knight", "red", 10, 10),
        unit("hero", "basic_trooper", "blue", 11, 11, "w"),
        unit("other", "basic_trooper", "blue", 11, 9, "w"),
        aims=[{"kind": "reach", "player": "blue", "units": ["hero"], "area": AREA}],
    )
    assert does[0].startswith("attack hero")


def test_who_is_alone_on_its_stud_does_not_turn_for_nothing():
    """Both look at each other over a wall that nobody passes: nothing is gained by a turn."""
    walls = [{"id": "wall", "block": [10, 0, 2, 20], "top": 40}]
    _, does = first(
        unit("a", "swordsman", "red", 8, 10),
        unit("foe", "swordsman", "blue", 14, 10, "w"),
        decor=walls,
    )
    assert not any(text.startswith(("put", "switch")) for text in does)


def test_a_stronger_weapon_on_the_ground_is_taken():
    _, does = first(
        unit("a", "basic_trooper", "red", 5, 5),
        unit("foe", "knight", "blue", 28, 15, "w"),
        objects=[{"item": "sword", "x": 6, "y": 5}],
    )
    assert any(text.startswith(("grab sword", "walk", "drop")) for text in does)


def test_a_medic_treats_a_wounded_knight_in_contact():
    battle = Battle(
        setup(
            unit("medic", "medic", "red", 5, 5),
            unit("knight", "knight", "red", 6, 5),
            unit("foe", "archer", "blue", 16, 5, "w"),
        ),
        starter=1,
    )
    battle.do("unit foe", "attack knight bow", "2 1", "end")
    state = battle.state
    assert state.units[1].damage == 1
    plans = THINKER.candidates(state)
    assert any("treat" in plan.purpose for plan in plans if plan.unit == "medic")


def test_a_driver_in_an_empty_street_drives_on():
    battle = Battle(
        setup(
            seated("driver", "driver", "red", "jeep", "driver"),
            unit("foe", "swordsman", "blue", 52, 12, "w"),
            vehicles=[vehicle("jeep", "jeep", "red", 8.0, 10.5, speed=3)],
            width=60,
            length=24,
        )
    )
    for action in best(battle).actions:
        battle.do(action.text())
    assert battle.state.vehicles[0].x_studs > 15.0


def test_a_gunner_in_a_tank_shoots_at_who_is_in_range():
    battle = Battle(
        setup(
            seated("driver", "driver", "red", "tank", "driver"),
            seated("gunner", "driver", "red", "tank", "gunner"),
            unit("foe", "trooper", "blue", 20, 12, "w"),
            vehicles=[vehicle("tank", "tank", "red", 8.0, 10.5)],
            width=40,
            length=24,
        )
    )
    plan = best(battle)
    assert plan.actions[1].text().startswith("attack foe")


def test_who_can_run_over_the_last_enemy_does():
    battle = Battle(
        setup(
            seated("driver", "driver", "red", "jeep", "driver"),
            unit("foe", "basic_trooper", "blue", 20, 10, "w"),
            vehicles=[vehicle("jeep", "jeep", "red", 8.0, 10.5, speed=4)],
            width=60,
            length=24,
        )
    )
    plan = best(battle)
    words = [action.text().split()[0] for action in plan.actions[1:]]
    assert words[0] in ("advance", "end", "attack")


@pytest.mark.parametrize("facing", ["w", "e"])
def test_the_facing_after_a_walk_looks_at_the_enemy(facing):
    _, does = first(
        unit("a", "knight", "red", 2, 10, facing), unit("foe", "trooper", "blue", 28, 10, "w")
    )
    assert does[-1] in ("face e", "face ne", "face se")


def test_a_unit_within_reach_of_three_swords_walks_away_or_strikes():
    _, does = first(
        unit("archer", "archer", "red", 10, 10),
        *(unit(f"s{n}", "swordsman", "blue", 14, 8 + 2 * n, "w") for n in range(3)),
    )
    assert does[0].startswith(("attack", "walk"))


def test_behind_a_wall_nobody_is_shot_and_nothing_is_better():
    walls = [
        {"id": "w1", "block": [6, 4, 1, 12], "top": 40},
    ]
    battle = Battle(
        setup(
            unit("a", "trooper", "red", 3, 10),
            *(unit(f"b{n}", "archer", "blue", 20, 8 + 2 * n, "w") for n in range(3)),
            decor=walls,
        )
    )
    for action in best(battle).actions:
        battle.do(action.text())
    x, y = battle.state.setting.field.xy(battle.state.units[0].stud)
    assert x < 6
    assert 4 <= y < 16


def test_a_wizard_throws_fire_at_who_is_in_range():
    begin = GAME.setups["ambush"]
    state = Battle(begin, starter=1).state
    found = THINKER.candidates(state)
    assert any("firebolt" in plan.purpose for plan in found if plan.unit == "wizard")


@pytest.mark.parametrize(
    ("gaps", "y", "foe_y"),
    [((9, 12), 4, 3), ((9, 12), 4, 12), ((9,), 16, 3), ((3, 12), 1, 12), ((9,), 1, 3)],
)
def test_a_shooter_goes_where_it_really_sees_somebody_through_a_gap_in_a_wall(gaps, y, foe_y):
    """A shot after a walk is planned if, and only if, some walk leads to where a shot is legal."""
    wall = [{"id": f"wall{k}", "block": [14, k, 1, 1], "top": 20} for k in {*range(20)} - {*gaps}]
    armies = unit("archer", "archer", "red", 16, y), unit("foe", "knight", "blue", 4, foe_y)
    start = Battle(setup(*armies, decor=wall)).do("unit archer").state
    walked = [GAME.apply(GAME.apply(start, walk), ChangeFacing(4)) for walk in Walk.legal(start)]
    shots = [state for state in walked if state.active == 0 and any(AttackEnemy.legal(state))]
    plans = THINKER.candidates(start)
    assert any("attacks foe" in plan.purpose for plan in plans) == bool(shots)


def test_no_turn_is_made_that_changes_nothing():
    """The enemy is as good as ahead: a turn towards it would be of one degree."""
    crew = seated("driver", "driver", "red", "jeep", "driver")
    foe = unit("foe", "trooper", "blue", 50, 10, "w")
    jeep = vehicle("jeep", "jeep", "red", 8.0, 10.0, speed=1)
    start = Battle(setup(crew, foe, vehicles=[jeep], width=60)).do("unit driver").state
    turns = [
        action.angle_deg
        for drive in drives(start, 0, towards=[(50.5, 10.5)])
        for action in drive.actions
        if isinstance(action, ChangeDirection)
    ]
    assert min(map(abs, turns)) >= 2.0


def reach(*area: int, **who: Any) -> list[dict[str, Any]]:
    return [{"kind": "reach", "player": "blue", "area": [*area], **who}]


@pytest.mark.parametrize(("hero_x", "guard_y"), [(34, 15), (34, 4), (28, 15)])
def test_a_guard_stands_in_the_gap_through_which_a_carrier_must_come(hero_x, guard_y):
    walls = [
        {"id": f"wall{y}", "block": [14, y, 2, size], "top": 20} for y, size in ((0, 9), (10, 10))
    ]
    who, does = first(
        unit("hero", "basic_trooper", "blue", hero_x, 9, "w"),
        unit("other", "trooper", "blue", 37, 19, "w"),
        unit("guard", "swordsman", "red", 8, guard_y),
        unit("knight", "knight", "red", 1, 19),
        width=40,
        decor=walls,
        aims=reach(0, 8, 2, 3, units=["hero"]),
    )
    assert who == "guard"
    assert does[-2] in ("walk 14,9", "walk 15,9")


@pytest.mark.parametrize("places", [((12, 1), (12, 5)), ((13, 2), (13, 4)), ((14, 2), (14, 4))])
def test_guards_take_the_studs_on_which_two_scouts_must_stand(places):
    guards = [unit(f"g{n}", "trooper", "red", *place, "w") for n, place in enumerate(places)]
    scouts = [unit(f"s{n}", "swordsman", "blue", 1, 2 + 2 * n) for n in range(2)]
    road = reach(15, 2, 1, 3, count=2)
    plan = best(Battle(setup(*guards, *scouts, width=16, length=7, aims=road)))
    assert plan.purpose == "bars the way"
    assert plan.actions[-2].text().startswith("walk 15,")


def test_a_man_cuts_off_a_carrier_instead_of_running_after_it():
    """The carrier goes west along y = 30, and the man goes for where they can meet."""
    _, does = first(
        unit("hero", "basic_trooper", "blue", 44, 30, "w"),
        unit("other", "trooper", "blue", 49, 0, "w"),
        unit("man", "swordsman", "red", 20, 10),
        width=50,
        length=40,
        aims=reach(0, 28, 2, 4, units=["hero"]),
    )
    x, y = map(int, does[-2].split()[1].split(","))
    assert x <= 26
    assert y == 20


def answered(battle: Battle) -> Plan[Any]:
    """Return the best plan if the enemy's answer is looked at."""
    return THINKER.plans(battle.state, Effort(LEVELS["hard"]))[0]


@pytest.mark.parametrize("foe", ["knight", "swordsman"])
def test_an_archer_whom_a_sword_would_reach_next_runs_before_it_shoots(foe):
    """The shot kills a knight with 5 %; the charge after it would kill the archer with more than 50 %."""
    armies = unit("archer", "archer", "red", 8, 12), unit("foe", foe, "blue", 13, 8, "w")
    does = [action.text() for action in answered(Battle(setup(*armies))).actions[1:]]
    assert does[0].startswith("walk")
    assert not does[-1].startswith("attack")


@pytest.mark.parametrize(("place", "foe"), [((7, 6), (16, 13)), ((8, 11), (17, 14))])
def test_nobody_walks_to_a_sword_without_an_action_left_to_strike(place, foe):
    """Two walks lead to the enemy's side, where it strikes first."""
    battle = Battle(
        setup(unit("a", "swordsman", "red", *place), unit("foe", "swordsman", "blue", *foe, "w"))
    )
    for action in answered(battle).actions:
        battle.do(action.text())
    x, _ = battle.at("a")
    assert x < foe[0] - 4
