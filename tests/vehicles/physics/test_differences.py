"""Where rule and bodies differ: whom the mover reaches through whom, and who falls off the table."""

import pytest

from brickphys.geometry.motion import ContactPoint, Translation
from brickphys.geometry.pose import Pose
from brickphys.vehicles.course import Hit, MoveResult, PieceResult
from brickphys.vehicles.crash_outcome import differences
from brickphys.vehicles.scene import Fixture, Unit, Vehicle
from tests.vehicles.physics.made_crashes import ended, impact, made_crash

JEEP = Vehicle("jeep", 5.0, 5.0, 0.0, 10.0, 6.0, speed=2)
THINGS = {
    "jeep": JEEP,
    "a": Unit("a", 12.5, 5.5),
    "b": Unit("b", 14.5, 5.5),
    "c": Unit("c", 16.5, 5.5),
    "truck": Vehicle("truck", 30.0, 5.0, 0.0, 10.0, 6.0),
    "wall": Fixture("wall", ((40.0, 0.0), (41.0, 0.0), (41.0, 9.0))),
}
AHEAD, START = Translation(10.0, (1.0, 0.0)), Pose(5.0, 5.0, 0.0)


def by_rule(*hit, leaves_field=False):
    contact = ContactPoint((0.0, 0.0), (1.0, 0.0), None, on_face=False)
    hits = tuple(Hit(THINGS[name], 0, AHEAD, START, 1.0, contact, 0) for name in hit)
    piece = PieceResult(AHEAD, 10.0, START, (), leaves_field)
    return MoveResult("jeep", (), (piece,), START, hits)


def told(move, impacts, **fallen):
    outcomes = [ended(thing, fell_off=name in fallen) for name, thing in THINGS.items()]
    pairs = [_impact(*pair.split()) for pair in impacts]
    return [
        (one.id, one.rule, one.bodies) for one in differences(move, made_crash(outcomes, pairs))
    ]


def _impact(first, second, impulse_mn_s="1"):
    return impact(first, second, float(impulse_mn_s))


def missed(name):
    return (name, "is hit", "is not hit")


def more(name):
    return (name, "is not hit", "is hit")


def through(name, *between):
    return (name, "is hit", f"is hit through {' and '.join(between)}")


@pytest.mark.parametrize(
    ("rule", "impacts", "expected"),
    [
        ([], [], []),
        (["a", "truck"], ["jeep a", "jeep truck"], []),
        (["a", "truck"], ["jeep truck", "a jeep"], []),
        (["a"], [], [missed("a")]),
        (["truck"], ["jeep a"], [more("a"), missed("truck")]),
        ([], ["jeep a", "jeep wall"], [more("a"), more("wall")]),
        (["a", "wall"], ["jeep a", "a wall"], [through("wall", "a")]),
        (["a", "b"], ["jeep a", "b a"], [through("b", "a")]),
        # thrown against something that the rule does not name
        (["a"], ["jeep a", "a b", "b wall"], []),
        (
            ["a", "truck"],
            ["jeep a", "a b", "b c", "c truck"],
            [through("truck", "a", "b", "c")],
        ),
        # the figure that is squeezed, not one that is thrown against the thing, whatever came first
        (
            ["a", "b", "wall"],
            ["jeep a 9", "jeep b 7", "a wall 0.1", "b wall 8"],
            [through("wall", "b")],
        ),
        (["a", "truck"], ["jeep a", "a b", "b truck", "a truck 2"], [through("truck", "a")]),
        (["a", "truck"], ["jeep a", "a b", "a truck", "truck b 2"], [through("truck", "a", "b")]),
        # a figure is reached through as few others as possible, however hard they hit it
        (["a", "c"], ["jeep a", "a b 9", "b c 9", "a c"], [through("c", "a")]),
        (["a", "truck"], ["jeep a", "a truck", "jeep truck"], []),
        # a vehicle does not pass a hit on
        (["truck", "wall"], ["jeep truck", "truck wall"], [missed("wall")]),
        (["truck"], ["jeep wall", "wall truck"], [missed("truck"), more("wall")]),
    ],
)  # fmt: skip
def test_who_is_hit_and_through_whom(rule, impacts, expected):
    assert told(by_rule(*rule), impacts) == expected


@pytest.mark.parametrize("leaves", [True, False])
def test_what_falls_off_the_table_is_a_difference_unless_the_mover_leaves_by_the_rule(leaves):
    def falls(name):
        return (name, "stays on the table", "falls off the table")

    move = by_rule(leaves_field=leaves)
    assert told(move, [], jeep=True) == ([] if leaves else [falls("jeep")])
    assert told(move, [], a=True) == [falls("a")]


@pytest.mark.parametrize(
    ("what", "state"),
    [
        ({}, "upright"),
        ({"left_field": True}, "upright, beyond the border"),
        ({"left_field": True, "fell_off": True}, "off the table"),
        ({"knocked_over": True, "left_field": True}, "knocked over, beyond the border"),
        ({"thrown_off": True, "settled": False}, "thrown off, still moving"),
    ],
)
def test_the_end_of_a_thing_in_words(what, state):
    assert ended(Unit("a", 1.0, 1.0), **what).state == state
