"""Counts of what units and vehicles did, in games of a few moves."""

from collections.abc import Sequence
from fractions import Fraction

from brickphys.bow.pilot.conduct import FOOT_COUNTS, VEHICLE_COUNTS, foot_conduct, vehicle_conduct
from brickphys.odds.law import BinomialLaw
from brickphys.rules.game import parse_move
from brickphys.rules.play import play
from brickphys.rules.record import Ending, Record, Step
from brickphys.rules.sources import LawSource
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle

CREW = [
    seated("dora", "driver", "red", "jeep", "driver"),
    seated("gus", "gunner", "red", "jeep", "passenger"),
]


def counts(battle: Battle, *texts: str, player: int = 0) -> dict[str, int]:
    """What is counted of a player, but 0, after some moves."""
    initial, steps = battle.state, list[Step]()
    for text in texts:
        actor, move = GAME.actor(battle.state), parse_move(GAME, battle.state, text)
        battle.do(text)
        steps.append(Step(actor, move, text, battle.state))
    record = Record("bow", "", {}, initial, tuple(steps), Ending.LIMIT, None, ("red", "blue"), 0)
    return {name: count for name, count in vehicle_conduct(record, player).items() if count}


def battle(*others, speed: int = 4, decor: Sequence = (), x: float = 10.0) -> Battle:
    cars = [vehicle("jeep", "jeep", "red", x, 15.0, 0.0, speed)]
    cars += [one for one in others if "sheet" in one and "heading_deg" in one]
    units = [one for one in others if one not in cars]
    field = setup(*CREW, *units, vehicles=cars, width=60, length=30, decor=list(decor))
    return Battle(field)


BERT = unit("bert", "trooper", "blue", 25, 15)
FAR = unit("tom", "trooper", "blue", 55, 2)


def test_every_count_is_told():
    record = Record("bow", "", {}, battle(FAR).state, (), Ending.LIMIT, None, ("red", "blue"), 0)
    assert tuple(vehicle_conduct(record, 0)) == VEHICLE_COUNTS


def test_a_move_and_who_is_run_over():
    moves = "unit dora", "advance", "4 0"
    assert counts(battle(BERT, FAR), *moves, player=1) == {}
    found = counts(battle(BERT, FAR), *moves)
    assert found == {"moves_of_vehicles": 1, "run_overs": 1, "run_over_kills": 1}


def test_an_own_unit_that_is_run_over():
    rob = unit("rob", "trooper", "red", 25, 15)
    found = counts(battle(rob, FAR), "unit dora", "advance", "0 0")
    assert found == {"moves_of_vehicles": 1, "own_run_overs": 1}


def test_a_crash_into_decor():
    wall = {"id": "wall", "block": [25, 5, 2, 20]}
    found = counts(battle(FAR, decor=[wall]), "unit dora", "advance", "0 0")
    assert found == {"moves_of_vehicles": 1, "crashes": 1}


def test_a_ram_counts_once():
    foe = [
        seated("bob", "driver", "blue", "truck", "driver"),
        vehicle("truck", "truck", "blue", 32.0, 15.0),
    ]
    found = counts(battle(*foe, FAR), "unit dora", "advance", "0 0", "0 0")
    assert found == {"moves_of_vehicles": 1, "rams": 1}


def test_who_leaves_the_field():
    found = counts(battle(FAR, x=50.0), "unit dora", "advance")
    assert found["left_the_field"] == 1


def test_stops_exits_and_gifts():
    found = counts(
        battle(FAR),
        "unit dora",
        "speed 0",
        "leave 10,18",
        "end",
        "unit tom",
        "end",
        "unit gus",
        "give gun held dora",
    )
    assert found["stops"] == found["drivers_got_off"] == 1


class Typed:
    """A player that does what is written, and else ends the turn."""

    name = "typed"

    def __init__(self, *texts):
        self._texts = list(texts)

    def choose(self, view, actions, rng):
        if self._texts:
            return GAME.parse_action(self._texts.pop(0))
        ends = [action for action in actions if action.text() == "end"]
        return ends[0] if ends else actions[0]


def test_turns_walks_attacks_and_who_sleeps_are_counted():
    begin = setup(
        unit("a", "swordsman", "red", 5, 5),
        unit("b", "swordsman", "blue", 25, 15, "w"),
        aims=[{"kind": "rounds", "rounds": 2}],
    )
    red = Typed("unit a", "walk 5,5", "face n", "walk 6,5", "face e")
    law = BinomialLaw(Fraction(1, 2))
    record = play(GAME, begin, [red, Typed()], LawSource(law, 3), root=3, max_steps=200)
    found, other = foot_conduct(record, 0), foot_conduct(record, 1)
    assert set(found) == set(other) == set(FOOT_COUNTS)
    assert found["turns_of_units"] == other["turns_of_units"] == 2
    assert found["turns_on_the_spot"] == 1
    assert found["walks"] == 1
    assert (found["units_asleep"], other["units_asleep"]) == (0, 1)  # blue never does anything
    assert (found["turns_held"], other["turns_held"]) == (1, 2)
    assert found["attacks"] == found["gear_moves"] == 0
