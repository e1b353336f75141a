"""States read from text: what play never leads to is refused, whatever it leads to is not."""

import json

import pytest
from battle import GAME, Battle, seated, setup, unit, vehicle
from cases import few
from test_game import random_states

from brickphys.bow.setup.scenario_file import SCENARIOS
from brickphys.errors import InvalidValueError
from brickphys.odds.roll import MAX_BRICKS


def flight() -> Battle:
    """Red's pilot in a moving snowspeeder, one action done of three."""
    return Battle(
        setup(
            seated("pilot", "driver", "red", "car", "pilot"),
            unit("mate", "trooper", "red", 1, 1),
            unit("foe", "trooper", "blue", 59, 39),
            vehicles=[vehicle("car", "snowspeeder", "red", 15.0, 15.0, speed=4)],
            width=60,
            length=40,
        )
    ).do("unit pilot", "speed 5")


def changed(battle: Battle, *path, to) -> str:
    """Return the text of a state in which one entry, or the one at a path, is another."""
    row = json.loads(GAME.format_state(battle.state))
    place = row
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return json.dumps(row, separators=(",", ":"))


PILOT, CAR = ("figures", 0), ("crafts", 0)


@pytest.mark.parametrize(
    ("path", "to", "why"),
    [
        ((*PILOT, 4), None, "the next step is automatic"),  # neither in the seat nor on a stud
        (("actions_left",), 50, "actions_left: 50 of a budget of 3"),
        (("actions_left",), 0, "the next step is automatic"),
        (("active",), -1, "active: no unit is active, but there are actions"),
        ((*PILOT, 3), True, "pilot has been played"),
        (("finished",), [1], "finished: player 1 has units left to play"),
        (("menu",), "walk", "nothing to walk"),
        (("menu",), "dance", "unknown kind of action 'dance'"),
        (("shots",), [[0, 7]], "not from seats"),
        (("driven",), [0], "not vehicles in order that have moved"),
        ((*CAR, 3), 2, "car: speed 2 is not one of 0, 4, 5, 6, 7, 8"),
        ((*CAR, 4), 2, "car: damage 2 of 2"),
        ((*CAR, 0), 1e9, "is not on the field"),
        ((*CAR, 1), -0.5, "is not on the field"),
        ((*CAR, 2), -720.5, "heading -720.5 is not from 0 to 360"),
        ((*CAR, 2), 360.0, "heading 360 is not from 0 to 360"),
        (("pending",), [["StartRoll", [0, 1], []]], "start is in round 0"),
    ],
)
def test_an_impossible_state_is_refused(path, to, why):
    battle = flight()
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state
    with pytest.raises(InvalidValueError, match=why):
        GAME.parse_state(changed(battle, *path, to=to))


def test_it_is_no_units_turn_before_the_first_round():
    start = setup(unit("a", "knight", "red", 5, 5), unit("foe", "trooper", "blue", 6, 5))
    row = json.loads(GAME.format_state(GAME.initial(start))) | {"active": 0, "actions_left": 2}
    row["figures"][0][3] = True  # the mark of a unit that has not been played in round 0
    with pytest.raises(
        InvalidValueError, match="active: 0, but the players still roll for the start"
    ):
        GAME.parse_state(json.dumps(row, separators=(",", ":")))


def test_the_dead_roll_nothing_in_a_turn_of_theirs():
    battle = Battle(
        setup(unit("a", "knight", "red", 5, 5), unit("foe", "trooper", "blue", 6, 5))
    ).do("unit a", "attack foe sword")
    with pytest.raises(InvalidValueError, match="no unit is active"):
        GAME.parse_state(changed(battle, *PILOT, 0, to=None))


@pytest.mark.parametrize("place", [3, 4])
def test_a_pending_roll_has_no_more_bricks_than_can_be_rolled(place):
    battle = Battle(
        setup(unit("a", "knight", "red", 5, 5), unit("foe", "trooper", "blue", 6, 5))
    ).do("unit a", "attack foe sword")
    bricks = ("pending", 0, place)
    for most in (0, MAX_BRICKS):
        text = changed(battle, *bricks, to=most)
        assert GAME.format_state(GAME.parse_state(text)) == text
    for beyond in (-1, MAX_BRICKS + 1):
        with pytest.raises(InvalidValueError, match=f"{beyond}"):
            GAME.parse_state(changed(battle, *bricks, to=beyond))


@pytest.mark.parametrize(
    ("place", "to", "why"),
    [
        (2, -2, "by: -2 is not from -1 to 1"),
        (4, 0, "odd: 0 is not from 1 to 2"),
        (4, 3, "odd: 3 is not from 1 to 2"),
        (5, [0, 0, 1], "units: a unit is named twice"),
        (6, [0, 0], "units: a unit is named twice"),
        (6, [3], "chosen: too many, or not among the units"),
        (6, [0, 1], "chosen: too many, or not among the units"),
    ],
)
def test_an_impossible_sharing_of_damage_is_refused(place, to, why):
    wall = {"id": "wall", "block": [26, 0, 2, 40]}
    wreck = {"vehicle": [{"name": "wreck", "base": "truck", "health": 1, "armor": 0}]}
    seats = ("driver", "mate", "bench_1")
    crew = [seated(seat, "driver", "red", "car", seat) for seat in seats]
    car = vehicle("car", "wreck", "red", 15.0, 15.0, speed=4)
    begin = setup(
        *crew,
        unit("foe", "trooper", "blue", 59, 39),
        vehicles=[car],
        decor=[wall],
        width=60,
        length=40,
        library=wreck,
    )
    battle = Battle(begin).do("unit driver", "advance").roll(3, 0)
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state
    with pytest.raises(InvalidValueError, match=why):
        GAME.parse_state(changed(battle, "pending", 0, place, to=to))


@pytest.mark.parametrize("path", [("menu",), ("result",)])
def test_nothing_is_chosen_or_rolled_besides(path):
    """Of a menu while bricks are to be rolled, and after the battle."""
    battle = Battle(
        setup(unit("a", "knight", "red", 5, 5), unit("foe", "trooper", "blue", 6, 5))
    ).do("unit a", "attack foe sword")
    with pytest.raises(InvalidValueError, match=r"menu|the battle is over"):
        GAME.parse_state(changed(battle, *path, to="walk" if path == ("menu",) else 0))


def test_headings_are_kept_from_0_to_360():
    battle = Battle(
        setup(
            unit("a", "knight", "red", 5, 5),
            unit("foe", "trooper", "blue", 6, 5),
            vehicles=[vehicle("car", "jeep", "red", 20.0, 10.0, -90.0)],
        )
    )
    assert battle.vehicle("car").heading_deg == 270.0
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state


@pytest.mark.parametrize("name", ["ambush", "chase", "flight", "rocket"])
@pytest.mark.parametrize("seed", few(range(2)))
def test_every_state_of_play_reads_back(name, seed):
    for state in random_states(GAME.initial(SCENARIOS[name]), 50 + seed, 300):
        assert GAME.parse_state(GAME.format_state(state)) == state
