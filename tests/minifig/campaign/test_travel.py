"""Marches: miles, squares and what is found in them; lakes, with a machine of questions as the oracle (MF Campaign)."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from brickphys.minifig.campaign.days import (
    BendRoll,
    FindRoll,
    LakeRoll,
    LakeSizeRoll,
    RestOfMarch,
    RiverSideRoll,
    TerrainRoll,
    WaterRoll,
    side_tenths,
)
from brickphys.minifig.campaign.state import (
    Bend,
    Direction,
    River,
    Square,
    SquareGround,
    Weather,
    parse_chart,
)
from tests.cases import few
from tests.minifig.campaign.quest import GAME, SETUPS, after, quest, setup

WIDE = setup(square={"length": 92.0, "width": 92.0})


def entered(*pending, place=(0, 1), side="north", chart="0,0o", **changes):
    """The party has just come to a square."""
    return quest(
        *pending, place=place, heading=Direction(side), chart=parse_chart(chart), **changes
    )


@pytest.mark.parametrize(
    ("face", "ground"), [(2, "open"), (3, "open"), (4, "open"), (5, "woods"), (6, "village")]
)
def test_terrain_of_each_face(face, ground):
    state = after(entered(TerrainRoll()), str(face))
    assert state.chart.squares[0, 1] == Square(SquareGround(ground))


def test_water_is_asked_for_on_a_1():
    state = after(entered(TerrainRoll()), "1")
    assert isinstance(state.first_pending, WaterRoll)


@pytest.mark.parametrize(
    ("face", "follows"),
    [*((face, "pond") for face in (1, 2, 3)), (4, "LakeSizeRoll")]
    + [(face, "RiverSideRoll") for face in (5, 6)],
)
def test_water_of_each_face(face, follows):
    state = after(entered(WaterRoll()), str(face))
    if follows == "pond":
        assert state.chart.squares[0, 1].ground is SquareGround.POND
    else:
        assert type(state.first_pending).__name__ == follows


@pytest.mark.parametrize("face", range(1, 7))
def test_a_river_lies_left_on_odd_and_right_on_even(face):
    river = after(entered(RiverSideRoll()), str(face)).chart.squares[0, 1].river
    assert river == River(Direction.NORTH, Bend.LEFT if face in (1, 3, 5) else Bend.RIGHT)
    assert river.flow is Direction.NORTH


@pytest.mark.parametrize("face", range(1, 11))
def test_bends_of_each_face_of_the_d10(face):
    """1 and 2 left, 3 to 8 straight, 9 and 0 (the face 10) right."""
    bend = Bend.LEFT if face <= 2 else Bend.RIGHT if face >= 9 else Bend.STRAIGHT
    state = after(entered(BendRoll(Bend.LEFT)), str(face))
    assert state.chart.squares[0, 1].river == River(Direction.NORTH, Bend.LEFT, bend)


@pytest.mark.parametrize("side", ["north", "east", "south", "west"])
def test_a_river_is_followed_along_its_flow_and_left_otherwise(side):
    """It flows north and bends to the right, so to the east."""
    found = quest(RestOfMarch(60), chart=parse_chart("0,0rnlr"), heading=Direction(side))
    assert isinstance(found.first_pending, BendRoll if side == "east" else TerrainRoll)


def test_a_river_keeps_its_side_from_square_to_square():
    state = after(quest(chart=parse_chart("0,0rnrs")), "march north", "3")
    assert state.awaited(BendRoll).hand is Bend.RIGHT


@pytest.mark.parametrize(
    ("side", "bend", "towards", "crossed"),
    [
        (side, bend, towards, (side, bend, towards) in {
            ("left", "straight", "west"), ("left", "left", "none"), ("left", "right", "west"),
            ("left", "right", "north"), ("right", "straight", "east"), ("right", "left", "east"),
            ("right", "left", "north"),
        })
        for side, bend, towards in product(
            ("left", "right"), ("left", "straight", "right"), ("north", "east", "south", "west")
        )
    ],
)  # fmt: skip
def test_who_leaves_a_river_across_it_fords_it(side, bend, towards, crossed):
    """It goes north: nobody fords it along its flow, nor back; towards its side, or where it bends across, one does."""
    river = River(Direction.NORTH, Bend(side), Bend(bend))
    assert river.is_crossed(Direction(towards)) == crossed
    state = quest(
        chart=parse_chart(f"0,0{Square(SquareGround.RIVER, river).text}"),
        heading=Direction(towards),
    )
    plain = 36 if towards in ("north", "south") else 34
    assert side_tenths(state) == plain + (20 if crossed else 0)


def test_squares_are_longer_than_wide_and_woods_take_twice_as_long():
    for text, side, tenths in (("0,0o", "north", 36), ("0,0o", "east", 34), ("0,0w", "west", 68)):
        assert side_tenths(quest(chart=parse_chart(text), heading=Direction(side))) == tenths


def test_miles_left_over_are_carried_on():
    """9.6 miles a half-day on the book's squares of 92 miles: the tenth half-day leads into the next one."""
    state = quest(given=WIDE)
    state = after(state, "march north", "2")
    assert (state.place, state.gone_tenths) == ((0, 0), 96)
    state = quest(RestOfMarch(96), given=WIDE, heading=Direction.NORTH, gone_tenths=9 * 96)
    assert isinstance(state.first_pending, TerrainRoll)
    state = after(state, "3")
    assert (state.place, state.gone_tenths) == ((0, 1), 960 - 920)


def test_who_turns_begins_a_new_way_and_who_camps_keeps_it():
    state = quest(given=WIDE, heading=Direction.NORTH, gone_tenths=96)
    assert after(state, "march east", "2").gone_tenths == 96
    assert after(state, "march north", "2").gone_tenths == 192
    assert after(state, "camp").gone_tenths == 96


@pytest.mark.parametrize(
    ("weather", "tenths"),
    [("dry", 96), ("wet", 72), ("hot", 72), ("snow", 48), ("freezing snow", 48)],
)
def test_weather_slows_a_march(weather, tenths):
    state = quest(given=WIDE, weather=Weather(weather))
    assert after(state, "march north", "2").gone_tenths == tenths


def test_a_march_over_known_land_goes_on_square_by_square():
    state = quest(chart=parse_chart("0,0o 0,1o 0,2o 0,3o"))
    state = after(state, "march north", "2")
    assert (state.place, state.gone_tenths) == ((0, 2), 96 - 72)


def test_a_known_lake_is_not_entered():
    state = quest(chart=parse_chart("0,0s 0,1l"))
    march = GAME.parse_action("march north")
    assert GAME.problems(state, march) == ["a lake lies to the north (MF Campaign, Terrain)"]
    texts = [GAME.format_action(action) for action in GAME.actions(state)]
    assert texts == ["march east", "march south", "march west", "camp"]


def test_a_march_ends_where_it_comes_upon_a_lake_ahead():
    state = quest(RestOfMarch(200), chart=parse_chart("0,0o 0,1s 0,2l"), heading=Direction.NORTH)
    assert (state.place, state.gone_tenths) == ((0, 1), 0)


def test_what_is_found_is_asked_for_before_the_march_goes_on():
    state = after(quest(), "march north", "6")
    for number in range(1, 5):
        assert state.place == (0, number)
        assert isinstance(state.first_pending, FindRoll)
        state = after(state, "3")
    assert state.gone_tenths == 144 - 4 * 36


def test_the_shipped_campaigns_start_on_open_land():
    for given in SETUPS.values():
        state = GAME.initial(given)
        assert state.chart == parse_chart("0,0o")
        assert state.place == (0, 0)


@pytest.mark.parametrize(("tenths", "faults"), [(100_000, 0), (100_001, 1)])
def test_nobody_marches_ten_thousand_miles(tenths, faults):
    assert len(RestOfMarch(tenths).problems(quest(heading=Direction.NORTH))) == faults
    assert len(RestOfMarch(tenths).problems(quest(heading=None))) == 1


AROUND = ((0, 1), (1, 0), (0, -1), (-1, 0))


def lake_state(size, chart="0,-1o"):
    """The party stands at 0,0, where it has come upon a lake from the south."""
    state = quest(LakeSizeRoll(), place=(0, 0), heading=Direction.NORTH, chart=parse_chart(chart))
    return after(state, str(size - 2))


def squares(state):
    wet = (SquareGround.LAKE, SquareGround.SHORE)
    return frozenset(at for at, square in state.chart.squares.items() if square.ground in wet)


def questions(size, known, answers):
    """Play the questions as the book tells them, by hand; return the lake and what was asked for.

    Round after round: all sides of the first square, then those of the second, and so on; no place twice in a round.
    """
    lake, asked = [(0, 0)], []
    while len(lake) < size:
        done, number = set(), 0
        before = len(asked)
        while number < len(lake) and len(lake) < size:
            x, y = lake[number]
            for dx, dy in AROUND:
                at = (x + dx, y + dy)
                if at in known or at in lake or at in done or len(lake) == size:
                    continue
                done.add(at)
                asked.append(at)
                answer = next(answers, None)
                if answer is None:
                    return lake, asked
                if answer:
                    lake.append(at)
            number += 1
        if len(asked) == before:
            break
    return lake, asked


@pytest.mark.parametrize("size", few((5, 8, 3, 4, 6, 7), 2))
def test_lakes_are_those_of_the_questions(size):
    """A hundred lakes of each size, with known squares here and there."""
    rng = np.random.default_rng(size)
    for _ in range(100):
        known = {(0, -1)} | {(int(x), int(y)) for x, y in rng.integers(-3, 4, (6, 2))} - {(0, 0)}
        state = lake_state(size, " ".join(f"{x},{y}o" for x, y in sorted(known)))
        faces, asked = [], []
        while isinstance(state.first_pending, LakeRoll):
            x, y = GAME.chance(state).reason.rpartition(" ")[2].split(",")
            asked.append((int(x), int(y)))
            faces.append(int(rng.integers(1, 7)))
            state = after(state, str(faces[-1]))
        lake, wanted = questions(size, known, iter(face % 2 == 0 for face in faces))
        assert (squares(state), asked) == (frozenset(lake), wanted)
        assert len(lake) == size or set_round(lake) <= known


def set_round(lake):
    """All squares that touch a lake along a side."""
    return {(x + dx, y + dy) for x, y in lake for dx, dy in AROUND} - {*lake}


def shapes(state, weight, found, least):
    """Sum up the chances of lakes by brute force, until a branch has less than `least`."""
    if weight < least:
        return
    if not isinstance(state.first_pending, LakeRoll):
        found[squares(state)] += weight
        return
    for face in ("1", "2"):  # odd and even are as likely
        shapes(after(state, face), weight / 2, found, least)


def test_the_law_of_lakes_of_three_squares():
    """All lakes that are complete after ten answers, by brute force on both sides."""
    most, known, wanted = 10, {(0, -1)}, Counter()
    for answers in product((False, True), repeat=most):
        lake, _ = questions(3, known, iter(answers))
        if len(lake) == 3:
            wanted[frozenset(lake)] += Fraction(1, 2**most)
    found = Counter()
    shapes(lake_state(3), Fraction(1), found, Fraction(1, 2**most))
    assert found == wanted
    assert Fraction(9, 10) < sum(found.values()) < 1


def test_a_lake_without_room_stays_smaller():
    state = lake_state(8, "-1,0o 0,-1o 1,0o -1,1o 1,1o 0,2o")
    state = after(
        state, "1", "1", "2"
    )  # only the north is unknown: it is asked for until it is wet
    assert squares(state) == {(0, 0), (0, 1)}
    assert not isinstance(state.first_pending, LakeRoll)


def test_the_party_stands_on_the_shore():
    state = after(lake_state(3), "2", "2")
    assert state.chart.squares[0, 0].ground is SquareGround.SHORE
    assert state.chart.is_open((0, 0))
    assert not state.chart.is_open((0, 1))
