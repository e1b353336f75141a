"""Plans in seats: legal move by move, holding among them, and the best one in small positions."""

from dataclasses import replace
from itertools import islice

import pytest

from brickphys.bow.outlook import Outlook
from brickphys.bow.pilot.plans import SeatPlans
from brickphys.bow.state import NOBODY, State
from brickphys.bow.threat import forces
from brickphys.bow.worth import Worth
from brickphys.odds.law_file import default_law
from brickphys.rules.plans import HOLDS, Plan
from brickphys.rules.record import CHANCE, OVER
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle
from tests.bow.driven_games import drive, rough_setup
from tests.cases import few

LAW = default_law()
WORTH = Worth(LAW)


def plans(state: State) -> list[Plan]:
    return SeatPlans(state, WORTH, GAME.apply, lambda after: []).of_unit()


def best(battle: Battle, name: str) -> Plan:
    return plans(battle.do(f"unit {name}").state)[0]


def words(plan: Plan) -> list[str]:
    return [action.text() for action in plan.actions]


def seats(seed: int):
    """States of a game in which a unit in a seat is to act."""
    for state in drive(rough_setup(seed), seed, 300):
        if GAME.actor(state) in (CHANCE, OVER) or state.pending or state.menu:
            continue
        if state.active != NOBODY and state.me.rides:
            yield state


@pytest.mark.parametrize("seed", few(range(20)))
def test_every_plan_is_legal_move_by_move_and_holding_is_zero(seed):
    for state in islice(seats(seed), 0, 8, 4):
        found = plans(state)
        assert [plan.worth for plan in found if plan.purpose == HOLDS] == [0.0]
        assert found == plans(state)
        for plan in found:
            after = state
            for action in plan.actions:
                assert GAME.problems(after, action) == [], plan
                after = GAME.apply(after, action)


def field(*units, **more) -> Battle:
    return Battle(setup(*units, width=60, length=30, **more))


def jeep(*crew: str, speed: int = 2, x: float = 15.0, heading_deg: float = 0.0):
    seats = zip(("driver", "passenger"), crew, strict=False)
    names = [seated(f"red_{seat}", sheet, "red", "jeep", seat) for seat, sheet in seats]
    return names, [vehicle("jeep", "jeep", "red", x, 15.0, heading_deg, speed)]


def test_a_driver_does_not_leave_the_field():
    crew, vehicles = jeep("driver", x=52.0)
    battle = field(*crew, unit("bert", "trooper", "blue", 5, 15), vehicles=vehicles)
    found = best(battle, "red_driver")
    assert found.worth > 0.0
    state = battle.state
    for action in found.actions:
        state = GAME.apply(state, action)
    assert not state.vehicles[0].gone


def test_a_driver_does_not_crash_where_there_is_room():
    wall = {"id": "wall", "block": [22, 10, 2, 10]}
    crew, vehicles = jeep("driver")
    battle = field(*crew, unit("bert", "trooper", "blue", 50, 15), vehicles=vehicles, decor=[wall])
    assert "crash" not in best(battle, "red_driver").purpose


def test_a_driver_runs_over_who_stands_in_the_open():
    crew, vehicles = jeep("basic_trooper", speed=4)
    battle = field(*crew, unit("bert", "wizard", "blue", 30, 15), vehicles=vehicles)
    assert "runs over bert" in best(battle, "red_driver").purpose


def test_a_driver_does_not_run_over_its_own():
    crew, vehicles = jeep("driver", speed=4)
    friend = unit("rob", "knight", "red", 28, 15)
    battle = field(*crew, friend, unit("bert", "trooper", "blue", 50, 15), vehicles=vehicles)
    state = battle.do("unit red_driver").state
    found = plans(state)[0]
    for action in found.actions:
        state = GAME.apply(state, action)
    assert not any("rob" in str(pending) for pending in state.pending)


@pytest.mark.parametrize("speed", [2, 3])
def test_a_driver_steers_away_from_its_own_side(speed):
    # so slow a ram hurts nobody
    crew, vehicles = jeep("basic_trooper", speed=speed)
    vehicles.append(vehicle("cart", "jeep", "red", 26.0, 15.0, 0.0, 0))
    friend = seated("rob", "basic_trooper", "red", "cart", "driver")
    battle = field(*crew, friend, unit("bert", "trooper", "blue", 34, 20), vehicles=vehicles)
    state = battle.do("unit red_driver").state
    found, rams = plans(state), set[str]()
    for plan in found:
        after = state
        for action in plan.actions:
            after = GAME.apply(after, action)
        if any("cart" in str(pending) for pending in after.pending):
            rams.add(plan.purpose)
    assert rams == {HOLDS}
    assert found[0].purpose != HOLDS


AIM = {"kind": "carry", "player": "red", "item": "chest", "area": [50, 10, 8, 10]}


PORTER = {"unit": [{"name": "porter", "base": "basic_trooper", "held": ["chest"], "worn": []}]}


def courier(**more) -> Battle:
    """A jeep whose passenger has the chest, far from the enemy."""
    crew, vehicles = jeep("driver", "porter", **more)
    enemy = unit("bert", "archer", "blue", 2, 2)
    return field(*crew, enemy, vehicles=vehicles, aims=[AIM], library=PORTER)


def test_a_carrier_is_driven_to_its_aim():
    found = best(courier(speed=1), "red_driver")
    assert "speed 4" in words(found)
    assert found.purpose.startswith("drives")


def test_a_vehicle_stops_where_its_carrier_gets_off():
    assert words(best(courier(speed=4, x=28.0), "red_driver"))[-2:] == ["speed 0", "end"]


def test_a_carrier_stays_in_while_it_is_far():
    assert "gets off" not in best(courier(speed=0), "red_passenger").purpose


def test_a_gunner_stays_at_its_gun_and_shoots():
    crew = [
        seated("dan", "driver", "red", "tank", "driver"),
        seated("gus", "gunner", "red", "tank", "gunner"),
    ]
    tank = [vehicle("tank", "tank", "red", 15.0, 15.0)]
    battle = field(*crew, unit("bert", "trooper", "blue", 30, 15), vehicles=tank)
    assert best(battle, "gus").purpose.startswith("shoots at bert")


def test_the_driver_gets_the_gun_with_which_it_shoots_more():
    crew, vehicles = jeep("driver", "gunner", speed=0)
    battle = field(*crew, unit("bert", "trooper", "blue", 40, 15), vehicles=vehicles)
    found = [plan for plan in plans(battle.do("unit red_passenger").state) if plan.worth > 0.0]
    assert any(plan.purpose == "gives gun to red driver" for plan in found)


def test_a_passenger_takes_the_wheel_of_a_vehicle_without_a_driver():
    crew, vehicles = jeep("driver", "gunner", speed=0)
    battle = field(crew[1], unit("bert", "knight", "blue", 40, 15), vehicles=vehicles)
    state = battle.do("unit red_passenger").state
    found = plans(state)
    assert any("changes the seat" in plan.purpose and plan.worth > 0.0 for plan in found)
    for plan in found:
        after = state
        for action in plan.actions:
            assert GAME.problems(after, action) == [], plan
            after = GAME.apply(after, action)


def test_a_driver_in_the_open_does_not_head_out_of_the_field():
    crew, vehicles = jeep("driver", x=30.0, heading_deg=270.0)
    state = field(*crew, unit("bert", "archer", "blue", 30, 28), vehicles=vehicles).state
    out, along = (
        state.with_vehicle(0, replace(state.vehicles[0], y_studs=4.0, heading_deg=heading))
        for heading in (270.0, 0.0)
    )
    assert Outlook.of(out).course_loss(0) > 0.0
    assert Outlook.of(along).course_loss(0) == 0.0


def flyer(y_studs: float = 15.0, speed: int = 4) -> Battle:
    crew = [seated("ace", "driver", "red", "falcon", "pilot")]
    crew.append(seated("gus", "gunner", "red", "falcon", "gunner"))
    wall = {"id": "wall", "block": [28, 0, 2, 30], "top": 12.0}
    craft = [vehicle("falcon", "snowspeeder", "red", 15.0, y_studs, 0.0, speed)]
    enemy = unit("bert", "rocketeer", "blue", 45, 15, "w")
    return field(*crew, enemy, vehicles=craft, decor=[wall])


def test_no_wall_on_the_ground_hides_who_flies():
    in_air, landed = flyer().state, flyer(speed=0).state
    shares = [forces(state).pairs(WORTH.shares).max() for state in (in_air, landed)]
    assert shares[0] > shares[1]


def test_a_flyer_does_not_land_before_the_enemy():
    found = best(flyer(), "ace")
    assert "speed 0" not in words(found)
