"""Named obstacles: in which order a move meets them, and that changed ones are as if prepared anew."""

import pytest

from brickphys.geometry.motion import Translation
from brickphys.geometry.polygon import TOLERANCE
from brickphys.vehicles.course import NamedObstacles
from brickphys.vehicles.scene import Bounds, Fixture, Unit, Vehicle

FIELD = Bounds(60.0, 60.0)
AHEAD = Translation(30.0, (1.0, 0.0))


def car(name="car", x=10.0, y=30.0, heading=0.0):
    return Vehicle(name, x, y, heading, 8.0, 12.0)


def post(name, x, y):
    return Fixture(name, ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)))


def met(obstacles, *parts, besides=()):
    body = tuple(part.prism for part in parts)
    found = obstacles.met(body, AHEAD, frozenset(besides))
    return [(obstacles.things[touch.number].id, round(touch.at, 9)) for touch in found]


def test_what_is_met_at_once_comes_by_type_and_name():
    """The car's front is at 14; posts, figures and a car begin at 20, two of them by a rounding later."""
    near = 20.0 + 5e-10
    things = [
        car("b", 24.0, 38.0, 180.0),
        car("a", 24.0, 22.0, 180.0),
        post("d", 20.0, 27.0),
        post("c", near, 25.0),
        Unit("f", 20.5, 33.5),
        Unit("e", near + 0.5, 31.5),
        Unit("later", 22.5, 30.0),
        Unit("first", 16.5, 30.0),
    ]
    found = met(NamedObstacles.of(FIELD, things), car())
    assert [name for name, _ in found] == ["first", "e", "f", "c", "d", "a", "b", "later"]
    assert [at for _, at in found] == [2.0, *[6.0] * 6, 8.0]


@pytest.mark.parametrize(("behind", "at_once"), [(TOLERANCE, True), (2 * TOLERANCE, False)])
def test_what_is_met_up_to_the_tolerance_later_is_met_at_once(behind, at_once):
    """The car's front is at 0, where numbers are as fine as that."""
    things = [post("q", 0.0, 31.0), post("p", behind, 26.0)]
    obstacles = NamedObstacles.of(FIELD, things)
    touches = obstacles.met((car(x=-4.0).prism,), AHEAD, ())
    names = "".join(obstacles.things[touch.number].id for touch in touches)
    assert names == ("pq" if at_once else "qp")
    assert (touches[0].at == touches[1].at) is at_once


def test_the_mover_and_what_rides_with_it_are_left_out():
    mover = car()
    obstacles = NamedObstacles.of(FIELD, [Unit("rider", 12.0, 30.0), mover, Unit("other", 20, 30)])
    assert met(obstacles, mover, besides=("car",)) == [("rider", 0.0), ("other", 5.5)]
    assert met(obstacles, mover, besides=("car", "rider")) == [("other", 5.5)]
    touches = obstacles.touches(mover, 5.0)
    assert [obstacles.things[touch.number].id for touch in touches] == ["rider"]
    assert len(obstacles.touches(mover, 6.0)) == 2


def test_of_several_parts_the_first_that_touches_counts():
    """The car's front is at 14, that of the car beside it at 16; the posts begin at 20, 21 and 18."""
    both = Fixture("both", ((20.0, 30.0), (21.0, 30.0), (21.0, 48.0), (20.0, 48.0)))
    obstacles = NamedObstacles.of(FIELD, [both, post("mine", 21.0, 30.0), post("its", 18.0, 44.0)])
    beside = car("beside", 12.0, 42.5)
    assert met(obstacles, car(), beside) == [("its", 2.0), ("both", 4.0), ("mine", 7.0)]
    assert met(obstacles, beside, car()) == [("its", 2.0), ("both", 4.0), ("mine", 7.0)]
    (touch, *_) = obstacles.met((car().prism, beside.prism), AHEAD, ())
    assert (touch.number, touch.part) == (2, 1)


def test_of_several_parts_one_that_overlaps_at_the_start_is_before_one_that_touches():
    """The post touches the front of the car, at 14, and is within the one beside it, from 8 to 16."""
    post = Fixture("post", ((14.0, 34.0), (15.0, 34.0), (15.0, 38.0), (14.0, 38.0)))
    beside = car("beside", 12.0, 42.5)
    obstacles = NamedObstacles.of(FIELD, [post])
    for parts, part in (((car(), beside), 1), ((beside, car()), 0)):
        (touch,) = obstacles.met(tuple(one.prism for one in parts), AHEAD, ())
        assert (touch.at, touch.overlaps_at_start, touch.part) == (0.0, True, part)


def test_changed_obstacles_are_as_if_prepared_anew():
    """Things leave, come and move, and others keep their places."""
    first = NamedObstacles.of(FIELD, [Unit(name, 20.0 + n, 30.0) for n, name in enumerate("abcd")])
    one = first.updated({"b", "none"}, [post("e", 18.0, 30.0)])
    two = one.replaced(Unit("c", 40.0, 33.0))
    for changed, names in ((first, "abcd"), (one, "acde"), (two, "acde")):
        assert [thing.id for thing in changed.things] == list(names)
        assert changed.numbers == {name: number for number, name in enumerate(names)}
        assert met(changed, car()) == met(NamedObstacles.of(FIELD, changed.things), car())
    assert met(two, car()) == [("e", 4.0), ("a", 5.5), ("d", 8.5), ("c", 25.5)]
    assert met(first, car()) == [("a", 5.5), ("b", 6.5), ("c", 7.5), ("d", 8.5)]
