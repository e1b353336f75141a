"""Where rule and bodies differ: whom the mover reaches through whom, and who falls off the table."""

import pytest
from made_crashes import ended, impact, made_crash

from brickphys.geometry.contact import ContactPoint
from brickphys.geometry.motion import Translation
from brickphys.geometry.pose import Pose
from brickphys.vehicles.course import Hit, MoveResult, PieceResult
from brickphys.vehicles.physics.differences import differences
from brickphys.vehicles.scene import Fixture, Unit, Vehicle

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
    pairs = [impact(*pair.split()) for pair in impacts]
    return [str(one) for one in differences(move, made_crash(outcomes, pairs))]


HITS = "is hit by the rule, but is"
MORE = "is not hit by the rule, but is hit as bodies"


@pytest.mark.parametrize(
    ("rule", "impacts", "expected"),
    [
        ([], [], []),
        (["a", "truck"], ["jeep a", "jeep truck"], []),
        (["a", "truck"], ["jeep truck", "a jeep"], []),
        (["a"], [], [f"a {HITS} not hit as bodies"]),
        (["truck"], ["jeep a"], [f"a {MORE}", f"truck {HITS} not hit as bodies"]),
        ([], ["jeep a", "jeep wall"], [f"a {MORE}", f"wall {MORE}"]),
        (["a", "wall"], ["jeep a", "a wall"], [f"wall {HITS} hit through a as bodies"]),
        (["a", "b"], ["jeep a", "b a"], [f"b {HITS} hit through a as bodies"]),
        # thrown against something that the rule does not name
        (["a"], ["jeep a", "a b", "b wall"], []),
        (
            ["a", "truck"],
            ["jeep a", "a b", "b c", "c truck"],
            [f"truck {HITS} hit through a and b and c as bodies"],
        ),
        # as few as possible, whatever came first
        (
            ["a", "truck"],
            ["jeep a", "a b", "b truck", "a truck"],
            [f"truck {HITS} hit through a as bodies"],
        ),
        (["a", "truck"], ["jeep a", "a truck", "jeep truck"], []),
        # a vehicle does not pass a hit on
        (["truck", "wall"], ["jeep truck", "truck wall"], [f"wall {HITS} not hit as bodies"]),
        (["truck"], ["jeep wall", "wall truck"], [f"truck {HITS} not hit as bodies", f"wall {MORE}"]),
    ],
)  # fmt: skip
def test_who_is_hit_and_through_whom(rule, impacts, expected):
    assert told(by_rule(*rule), impacts) == expected


@pytest.mark.parametrize("leaves", [True, False])
def test_what_falls_off_the_table_is_a_difference_unless_the_mover_leaves_by_the_rule(leaves):
    def falls(name):
        return f"{name} stays on the table by the rule, but falls off the table as bodies"

    move = by_rule(leaves_field=leaves)
    assert told(move, [], jeep=True) == ([] if leaves else [falls("jeep")])
    assert told(move, [], a=True) == [falls("a")]
