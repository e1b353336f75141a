"""Sea room: what it says of a ship alone is what the game lets it do."""

import numpy as np
import pytest

from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.sailing import (
    FallOff,
    Sailor,
    Swing,
    begin_move,
    can_fall_off,
    drift_turn_deg,
    has_room,
    is_adrift,
)
from brickphys.pirate_wars.state import Phase, State
from tests.pirate_wars.fleet import boat, fleet

SEA = (120.0, 100.0)


def stays(state: State, wind: float) -> bool:
    """Whether some of the turns that are tried keep the ship afloat to the end of the phase of movement."""
    ship = state.ships[0]
    if not ship.is_afloat:
        return False
    if state.active is None:
        turns = {0.0, drift_turn_deg(ship.heading_deg, wind)} if can_fall_off(state, 0) else {0.0}
        falling = state.replaced({"phase": Phase.FALLING_OFF, "active": 0})
        return any(FallOff(turn).apply(falling).ships[0].is_afloat for turn in turns)
    most = state.may_turn_deg
    return any(stays(Swing(turn).apply(state), wind) for turn in (0.0, most, -most))


@pytest.mark.parametrize("sheet", ["caribbean_clipper", "renegade_runner_modified"])
def test_it_agrees_with_the_game_for_a_turn(sheet):
    rng, found = np.random.default_rng(4), []
    for _ in range(60):
        x, y, heading, wind = rng.uniform(0, (*SEA, 360.0, 360.0))
        state = fleet(boat(sheet, x=x, y=y, heading=heading), sea=SEA, wind=wind)
        state = state.change_ship(0, is_adrift=is_adrift(state, 0))
        chart = state.setting.ships[0].sheet.chart
        length = state.setting.ships[0].sheet.length_studs
        speed = float(chart.speed_studs(state.ships[0].damage))
        sailor = Sailor(state.setting.sea, wind, length, speed)
        found.append(has_room(sailor, state.ships[0].pose, 1))
        assert found[-1] is stays(begin_move(state, 0), wind)
    assert {*found} == {False, True}


def test_a_ship_that_cannot_turn_in_time_has_no_room():
    """Its first leap of 32 studs ends 1 stud before the border, or beyond it; in the corner it has room no longer."""
    sea = fleet(boat(x=1, y=1), sea=SEA).setting.sea
    sailor = Sailor(sea, wind_deg=0.0, length_studs=32.0, speed_studs=32.0)
    assert has_room(sailor, Pose(87.0, 50.0, 0.0), 2)
    assert not has_room(sailor, Pose(89.0, 50.0, 0.0), 2)
    adrift = sailor._replace(speed_studs=0.0)
    assert has_room(adrift, Pose(104.0, 50.0, 0.0), 2)
    assert not has_room(adrift, Pose(105.0, 50.0, 0.0), 2)
