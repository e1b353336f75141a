"""Answers of the crash source, and what takes up room after a crash, of crashes made up by hand."""

from dataclasses import dataclass, replace

import pytest

from brickphys.errors import InvalidValueError
from brickphys.rules.events import Measured
from brickphys.vehicles import crash_source
from brickphys.vehicles.crash_outcome import Impact, standing
from brickphys.vehicles.crash_source import CrashSource
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Unit, Vehicle
from tests.vehicles.physics.made_crashes import ended, made_crash

CAR = Vehicle("car", 5.0, 5.0, 0.0, 10.0, 6.0)
TRUCK = Vehicle("truck", 30.0, 5.0, 90.0, 10.0, 6.0)
HIT, MISSED = Unit("hit", 12.5, 5.5), Unit("missed", 50.5, 5.5)
WALL = Fixture("wall", ((40.0, 0.0), (41.0, 0.0), (41.0, 9.0)))
THINGS = (CAR, HIT, MISSED, WALL, TRUCK)
ENDS = {"car": (8.1, 5.2), "hit": (14.25, 6.5), "missed": (50.5, 5.5), "wall": (40.7, 3.0),
        "truck": (33.0, 6.0)}  # fmt: skip
"""Centres of mass at the end."""
FRAMES = [
    [(5.0, 5.0), (12.5, 5.5), (50.5, 5.5), (40.0, 0.0), (30.0, 5.0)],
    [(7.0, 5.0), (13.5, 5.5), (50.5, 5.5), (40.0, 0.0), (31.0, 5.0)],
    [(8.0, 5.0), (14.0, 6.0), (50.5, 5.5), (40.0, 0.0), (32.0, 5.5)],
]
"""Frames of the things, three of them: those of vehicles have their origin at the centre of the footprint."""


def crashed():
    """Return a crash in which the truck is knocked over and the car and one figure are moved."""
    told = {
        "car": {"heading_deg": -30.0, "was_hit": True},
        "hit": {"was_hit": True},
        "missed": {},
        "wall": {"was_hit": True},
        "truck": {"heading_deg": 100.0, "knocked_over": True},
    }
    outcomes = [ended(thing, ENDS[thing.id], **told[thing.id]) for thing in THINGS]
    return made_crash(outcomes, (), THINGS, FRAMES)


def test_all_but_figures_that_were_hit_take_up_room_where_they_ended():
    assert standing(crashed()) == [
        replace(CAR, x_studs=8.0, y_studs=5.0, heading_deg=-30.0),
        MISSED,
        WALL,
        replace(TRUCK, x_studs=32.0, y_studs=5.5, heading_deg=100.0),
    ]


def test_a_crash_is_written_without_its_recording():
    assert "Recording" not in repr(crashed())


@dataclass(frozen=True)
class Asked:
    quantities: tuple[tuple[str, float, float], ...]
    subject: object

    def noted(self, numbers, note):
        return Measured(numbers, note)


SCENE = Scene(Bounds(60.0, 20.0), "car", (CAR, TRUCK), (HIT, MISSED), (WALL,))


def answer(monkeypatch, *quantities):
    monkeypatch.setattr(crash_source, "crash", lambda scene: {id(SCENE): crashed()}[id(scene)])
    return CrashSource().answer(Asked(quantities, SCENE), ())


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("car", (8.0, 5.0, 330.0)),  # the centre of its footprint
        ("truck", (33.0, 6.0, 100.0)),  # that of its mass: it lies on its side
        ("hit", (14.25, 6.5, 0.0)),
        ("missed", (50.5, 5.5, 0.0)),
    ],
)
def test_numbers_are_those_of_footprints_and_of_centres_of_mass(monkeypatch, name, place):
    names = [f"{name} {what}" for what in ("x_studs", "y_studs", "heading_deg")]
    assert answer(monkeypatch, *((one, 0.0, 360.0) for one in names)) == place


def test_numbers_are_rounded_to_thousandths_and_put_on_their_limits(monkeypatch):
    ends = ENDS | {"hit": (14.25049, 6.49951)}
    monkeypatch.setitem(ENDS, "hit", ends["hit"])
    asked = [("hit x_studs", 0.0, 60.0), ("hit y_studs", 0.0, 60.0)]
    assert answer(monkeypatch, *asked) == (14.25, 6.5)
    asked = [("hit x_studs", 20.0, 60.0), ("hit y_studs", 0.0, 5.0), ("hit heading_deg", 0.0, 0.0)]
    assert answer(monkeypatch, *asked) == (20.0, 5.0, 0.0)


def test_a_note_tells_how_hard_each_thing_was_hit_first_and_what_fell(monkeypatch):
    """Of decor nothing is told, nor of what stands where it stood; further impacts of a thing are not told."""
    impacts = (
        hit_of("car", "hit", (0.125, 0.5)),
        hit_of("car", "wall", (0.375, 0.0)),
        hit_of("truck", "hit", (0.25, 0.75)),
    )
    found = replace(crashed(), impacts=impacts)
    monkeypatch.setattr(crash_source, "crash", lambda _: found)
    told = CrashSource().answer(Asked((("car x_studs", 0.0, 60.0),), SCENE), ())
    assert told == (8.0,)
    assert told.note == (
        "car delta-v 0.12 m/s; hit delta-v 0.50 m/s; truck delta-v 0.25 m/s, knocked over"
    )


def hit_of(first, second, delta_v_m_s):
    place = ((0.0, 0.0), 0.0, (1.0, 0.0, 0.0))
    return Impact(first, second, 0.0, None, *place, 0.3, delta_v_m_s, 1.0, 0.0)


@pytest.mark.parametrize("event", [SCENE, None, Asked((), CAR)], ids=["scene", "none", "no scene"])
def test_what_measures_no_scene_is_refused(event):
    with pytest.raises(InvalidValueError, match="a source of crashes measures scenes, not"):
        CrashSource().answer(event, ())
