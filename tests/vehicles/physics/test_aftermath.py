"""What is told after a crash, and when all has come to rest, of crashes that were made up by hand."""

from dataclasses import replace

import numpy as np
import pytest

from brickphys.units import STUD_MM
from brickphys.vehicles.crash_outcome import aftermath_text, last_moving_frame
from brickphys.vehicles.scene import Unit, Vehicle
from tests.vehicles.physics.made_crashes import ended, made_crash

JEEP = Vehicle("jeep", 5.0, 5.0, 0.0, 10.0, 6.0, speed=3)
ANNA, BERT = Unit("anna", 9.0, 5.0), Unit("bert", 9.0, 9.0)
STILL = (9.0, 9.0)


def filmed(places):
    """Return a crash of a jeep whose place in x is that of each frame, in studs; a figure stands beside it."""
    frames = [[(x, 5.0), STILL] for x in places]
    crash = made_crash([ended(JEEP)], things=[JEEP, BERT], frames_studs=frames)
    poses = np.nan_to_num(crash.recording.poses)
    return replace(crash, recording=replace(crash.recording, poses=poses))


@pytest.mark.parametrize(
    ("places", "frame"),
    [
        ([5.0], 0),
        ([5.0, 5.0, 5.0], 0),
        ([0.0, 5.0, 5.0], 1),
        ([0.0, 1.0, 2.0, 3.0, 5.0, 5.0, 5.0], 4),
        ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 5),
        ([5.0, 0.0, 5.0, 5.0], 2),
        ([5.0 - 0.6 / STUD_MM, 5.0 - 0.4 / STUD_MM, 5.0], 1),
    ],
)
def test_nothing_moves_once_all_is_within_half_a_millimetre_of_its_last_place(places, frame):
    assert last_moving_frame(filmed(places)) == frame


def test_what_turns_on_the_spot_moves():
    crash = filmed([5.0] * 4)
    crash.recording.poses[:2, 0, 3] = 1.0
    assert last_moving_frame(crash) == 2


@pytest.mark.parametrize(
    ("anna", "told"),
    [
        ({}, ""),
        ({"was_hit": True}, "still upright: anna"),
        ({"was_hit": True, "knocked_over": True}, "knocked over: anna"),
        ({"knocked_over": True}, ""),
        ({"was_hit": True, "knocked_over": True, "fell_off": True}, "off the table: anna"),
    ],
)
def test_a_figure_fell_off_or_lies_or_stands_if_it_was_hit(anna, told):
    assert aftermath_text(made_crash([ended(JEEP), ended(ANNA, **anna)])) == told


@pytest.mark.parametrize(
    ("bert", "told"),
    [
        ({}, ""),
        ({"thrown_off": True}, "thrown off: bert"),
        ({"thrown_off": True, "fell_off": True}, "off the table: bert"),
    ],
)
def test_crew_fell_off_the_table_or_was_thrown_off(bert, told):
    crash = replace(made_crash([ended(JEEP)]), riders=(ended(BERT, **bert),))
    assert aftermath_text(crash) == told


def test_all_is_told_in_one_line():
    hit = {"was_hit": True}
    figures = [
        ended(Unit(name, 1.0, 1.0), **hit, **more)
        for name, more in (("a", {"fell_off": True}), ("b", {"knocked_over": True}), ("c", {}))
    ]
    crash = made_crash([ended(JEEP, **hit), *figures])
    crash = replace(crash, riders=(ended(BERT, thrown_off=True),))
    assert aftermath_text(crash) == (
        "off the table: a; thrown off: bert; knocked over: b; still upright: c"
    )
