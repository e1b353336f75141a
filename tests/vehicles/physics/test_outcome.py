"""What a crash tells: words, rows and sums of outcomes and impacts that were made up by hand."""

from dataclasses import replace

import pytest

from brickphys.errors import InvalidValueError
from brickphys.vehicles.scene import Fixture, Unit, Vehicle
from tests.vehicles.physics.made_crashes import ended, impact, made_crash

JEEP = Vehicle("jeep", 5.0, 5.0, 0.0, 10.0, 6.0, speed=3)
WALL = Fixture("wall", ((20.0, 0.0), (21.0, 0.0), (21.0, 9.0), (20.0, 9.0)))


def test_the_row_of_a_thing_has_all_of_it_in_order():
    told = {
        "heading_deg": 30.0,
        "moved_studs": 4.5,
        "tilt_deg": 60.0,
        "was_hit": True,
        "knocked_over": True,
        "thrown_off": False,
        "left_field": True,
        "fell_off": False,
        "settled": False,
    }
    (row,) = ended(Unit("anna", 1.0, 1.0), (2.5, 7.0), **told).rows()
    assert list(row.items()) == [
        ("id", "anna"),
        ("kind", "unit"),
        ("x_studs", 2.5),
        ("y_studs", 7.0),
        *told.items(),
    ]


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ({}, False),
        ({"was_hit": True}, True),
        ({"thrown_off": True}, True),
        ({"settled": False}, True),
        ({"moved_studs": 0.02}, True),
        ({"moved_studs": 0.01}, False),
        ({"left_field": True, "knocked_over": True}, False),
    ],
)
def test_only_what_something_happened_to_is_affected(what, expected):
    assert ended(Unit("a", 1.0, 1.0), **what).is_affected is expected


def test_lines_of_a_thing_and_of_an_impact():
    over = ended(Unit("a", 1.0, 1.0), (2.0, 3.5), moved_studs=2.25, knocked_over=True)
    assert over.line() == "a ends at (2.00, 3.50) studs, moved by 2.25, knocked over"
    met = replace(impact("jeep", "a"), closing_speed_m_s=0.5, time_s=0.25)
    assert met.line() == "jeep hits a at 0.500 m/s, after 0.250 s"
    assert met.rows()[0]["second"] == "a"


def test_a_crash_adds_up_what_it_lost_and_lists_all_things():
    driver = replace(ended(Unit("jeep/driver", 5.0, 5.0)), settled=False)
    impacts = [replace(impact("jeep", "a"), energy_lost_mj=mj) for mj in (1.5, 0.25)]
    found = made_crash([ended(JEEP), ended(Unit("a", 1.0, 1.0))], impacts)
    assert found.energy_lost_mj == 1.75
    assert found.settled
    assert found.line() == "jeep as bodies, at 1 m/s: driven for 1.0 studs, 2 impacts"
    moving = replace(found, riders=(driver,), impacts=())
    assert moving.line().endswith("0 impacts, not at rest")
    assert [row["id"] for row in moving.rows()] == ["jeep", "a", "jeep/driver"]


def test_a_film_of_a_crash_needs_a_name_that_ends_in_gif(tmp_path):
    with pytest.raises(InvalidValueError, match=r"crash\.png: the name must end in \.gif"):
        made_crash([ended(JEEP)]).animate(tmp_path / "crash.png")
    assert not list(tmp_path.iterdir())
