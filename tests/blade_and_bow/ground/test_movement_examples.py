"""The six movement examples of BB 7, with their points, on a map that fits their text."""

from brickphys.blade_and_bow.ground import zones
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.ways import ways
from brickphys.grid.grid import FACING_NAMES
from tests.blade_and_bow.battle import battle, square, unit

EAST_HILL = "\n".join(["." * 17 + "^" * 4] * 8 + ["." * 21] * 4)
"""A hill from R1 to U8."""
BLUE, RED = "greeks", "persians"
BEFORE = (
    f"{RED} heavy_cavalry S1 w",
    f"{RED} light_cavalry T5 sw",
    f"{RED} peltast S6 se as=far",
    f"{RED} peltast Q9 w as=near",
    f"{RED} peltast T9 n as=rear",
    f"{BLUE} hoplite O9 e",
    f"{BLUE} spears O8 e as=left",
    f"{BLUE} spears U8 nw as=right",
    f"{BLUE} psiloi O10 e",
)
START = battle(EAST_HILL, *BEFORE)
AFTER = START.change_unit(unit(START, "light_cavalry"), square=square(START, "Q8")).change_unit(
    unit(START, "heavy_cavalry"), square=square(START, "Q5")
)
"""The battle after the moves of red, who activates first."""


def ends(state: State, name: str, more: int = 0) -> dict[str, int]:
    """The ends of a unit as text -> points."""
    number = unit(state, name)
    found = ways(state, number, state.side(number).movement + more)
    names = state.setting.squares
    return {
        f"{names[place]} {FACING_NAMES[facing]}": way.cost for (place, facing), way in found.items()
    }


def way(state: State, name: str, place: str, facing: str) -> tuple[int, str]:
    """The points of a way, and the squares that it enters."""
    number = unit(state, name)
    found = ways(state, number, state.side(number).movement)
    cost, squares, disrupted = found[square(state, place), FACING_NAMES.index(facing)]
    assert disrupted == ()
    return cost, " ".join(state.setting.squares[entered] for entered in squares)


def test_1_heavy_cavalry_spends_15_points_and_would_halt_at_the_slope():
    """Two directions, three squares across sides, one direction, a corner, one direction, a side: 2+6+1+3+1+2."""
    assert way(START, "heavy_cavalry", "Q5", "w") == (15, "S2 S3 S4 R5 Q5")
    with_more = ends(START, "heavy_cavalry", 2)
    assert with_more["Q5 w"] == 15
    assert not {end for end in with_more if end[0] < "Q"}


def test_2_light_cavalry_passes_a_peltast_and_halts_at_the_slope_after_9_points():
    assert way(START, "light_cavalry", "Q8", "sw") == (9, "S6 R7 Q8")
    beyond = ends(START, "light_cavalry")
    assert not {end for end in beyond if end[0] < "Q"}
    assert START.side(unit(START, "light_cavalry")).movement > 9


def test_3_a_hoplite_halts_in_a_strong_zone_after_2_points_and_does_not_turn():
    assert zones(AFTER, 1).strong >> square(AFTER, "P9") & 1
    found = ends(AFTER, "hoplite")
    assert {end: cost for end, cost in found.items() if end.startswith("P9")} == {"P9 e": 2}


def test_4_spears_halt_in_a_weak_square_that_two_units_share_and_cannot_leave_it():
    assert ends(AFTER, "left")["P8 e"] == 2
    assert zones(AFTER, 1).strong >> square(AFTER, "P8") & 1
    alone = AFTER.change_unit(unit(AFTER, "light_cavalry"), disrupted=True)
    assert zones(alone, 1).weak >> square(alone, "P8") & 1
    there = AFTER.change_unit(unit(AFTER, "left"), square=square(AFTER, "P8"))
    assert ends(there, "left") == {}


def test_5_psiloi_halt_in_a_zone_and_turn_by_one_direction():
    found = ends(AFTER, "psiloi")
    cheap = {end for end, cost in found.items() if end.startswith("P10") and cost < 8}
    assert cheap == {"P10 e", "P10 ne", "P10 se"}  # with 8 points it comes from elsewhere
    assert all(found[end] == 2 for end in cheap)


def test_6_spears_leave_a_weak_zone_freely_and_halt_in_the_next():
    """The next is that of the peltast in S6."""
    assert zones(AFTER, 1).weak >> square(AFTER, "U8") & 1
    found = ends(AFTER, "right")
    assert found["T7 nw"] == 3
    free = AFTER.change_unit(unit(AFTER, "far"), disrupted=True)
    assert ends(free, "right")["T6 n"] == 6
    assert "T6 n" not in found
