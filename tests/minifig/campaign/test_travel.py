"""Marches: miles, squares and what is found in them (MF Campaign, Terrain and Movement)."""

from itertools import product

import pytest

from brickphys.minifig.campaign.days import (
    BendRoll,
    FindRoll,
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
