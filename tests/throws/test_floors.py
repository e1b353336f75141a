import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.seeds import uniforms
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import PRESETS, SURFACES, Conditions
from brickphys.throws.release import BASEPLATE, FLOORS, PLANE, TRAY, floor, release

BRICK = parse_shape("2x2")


def test_a_misspelt_floor_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InvalidValueError, match="did you mean 'baseplate'"):
        floor("basplate")


@pytest.mark.parametrize("name", FLOORS)
def test_every_floor_is_made_of_a_known_surface(name: str) -> None:
    assert floor(name).surface in SURFACES


def test_only_walls_stop_a_flight() -> None:
    position, velocity = np.array([[0.0, 0.0, 100.0]]), np.array([[1.0, -2.0, 0.0]])
    for form in (PLANE, BASEPLATE):
        assert form.wall_time(position, velocity, 10.0)[0] == np.inf
        assert not form.near_wall(position, 1000.0).any()


def test_a_flight_to_the_wall_takes_distance_over_speed() -> None:
    """Against bisection on the position itself, for flights in all directions."""
    u = uniforms(1, (), 0, 200, 4)
    position = np.column_stack([200 * u[:, :2] - 100, np.full(200, 50.0)])
    velocity = np.column_stack([4 * u[:, 2:] - 2, np.zeros(200)])
    time = TRAY.wall_time(position, velocity, 10.0)
    there = position + 1000 * velocity * time[:, None]
    assert np.abs(there[:, :2]).max(axis=1) == pytest.approx(125.0 - 10.0)
    assert (time > 0).all()


def test_in_reach_of_a_wall_or_at_rest() -> None:
    position = np.array([[116.0, 0.0, 5.0], [0.0, -116.0, 5.0], [114.0, 0.0, 5.0]])
    velocity = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    assert TRAY.near_wall(position, 10.0).tolist() == [True, True, False]
    assert TRAY.wall_time(position, velocity, 10.0).tolist() == [0.0, 0.0, np.inf]


def test_no_place_between_studs_is_preferred_and_nothing_else_changes() -> None:
    plane = release(BRICK, PRESETS["drop"], 1, (4,), 0, 4000)
    studs = release(BRICK, PRESETS["drop"], 1, (4,), 0, 4000, BASEPLATE)
    shift = (studs.position_mm - plane.position_mm)[:, 0]
    assert (shift[:, 2] == 0).all()
    counts, _, _ = np.histogram2d(shift[:, 0], shift[:, 1], bins=4, range=[[0, 8], [0, 8]])
    assert counts.sum() == 4000
    assert ((counts - 250) ** 2 / 250).sum() < 44.3  # chi2 with 15 degrees of freedom, 1e-4
    for name in ("quaternion", "velocity_m_s", "spin_rad_s"):
        assert np.array_equal(getattr(plane, name), getattr(studs, name))


def test_a_hand_that_does_not_fit_into_the_tray_is_refused() -> None:
    many = Conditions((100.0, 300.0), 1.0, 30.0, bricks=60)
    with pytest.raises(InvalidValueError, match="do not fit into the tray"):
        release(parse_shape("2x4"), many, 1, (), 0, 1, TRAY)
