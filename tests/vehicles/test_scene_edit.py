"""Edits of a scene: one thing changes, all others stay, and what is impossible is refused."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.geometry.sweep import overlap
from brickphys.vehicles.scene import Bounds, Fixture, ThingType
from brickphys.vehicles.scene_edit import (
    box_studs,
    changed,
    moved,
    thing_of,
    values_of,
    with_new,
    without,
)
from brickphys.vehicles.scene_file import read_scene

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def scene():
    return read_scene(DOCS / "crash.toml")


@pytest.mark.parametrize("name", ["jeep", "truck", "guard", "tree", "wall"])
def test_a_thing_goes_a_way_and_the_others_stay(scene, name):
    after = moved(scene, name, 1.5, -0.5)
    before_values, after_values = values_of(thing_of(scene, name)), values_of(thing_of(after, name))
    assert after_values == pytest.approx(
        {
            **before_values,
            "x_studs": before_values["x_studs"] + 1.5,
            "y_studs": before_values["y_studs"] - 0.5,
        }
    )
    assert [one for one in after.things if one.id != name] == [
        one for one in scene.things if one.id != name
    ]


@pytest.mark.parametrize("name", ["jeep", "wall", "tree"])
@pytest.mark.parametrize("turn_deg", [15.0, 90.0, 180.0, -135.0])
def test_a_turn_there_and_back_changes_nothing(scene, name, turn_deg):
    there = moved(scene, name, 0.0, 0.0, turn_deg)
    back = moved(there, name, 0.0, 0.0, -turn_deg)
    assert values_of(thing_of(back, name)) == pytest.approx(values_of(thing_of(scene, name)))
    assert thing_of(there, name).prism.footprint.area_studs2 == pytest.approx(
        thing_of(scene, name).prism.footprint.area_studs2
    )


def test_a_full_circle_in_steps_leaves_a_wall_where_it_was(scene):
    there = scene
    for _ in range(24):
        there = moved(there, "wall", 0.0, 0.0, 15.0)
        assert box_studs(thing_of(there, "wall")) == (1.0, 12.0)
    ends, starts = (np.array(thing_of(one, "wall").corners_studs) for one in (there, scene))
    assert ends == pytest.approx(starts)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("first", range(4))
def test_the_heading_of_a_box_is_that_of_its_first_edge_whichever_way_round(order, first):
    corners = [(40.0, 3.0), (41.0, 3.0), (41.0, 15.0), (40.0, 15.0)]
    turned = corners[first:] + corners[:first]
    wall = Fixture("wall", tuple(turned if order > 0 else turned[:1] + turned[:0:-1]))
    assert wall.heading_deg == pytest.approx([0.0, 90.0, 180.0, -90.0][first])
    assert box_studs(wall) == ((1.0, 12.0) if first % 2 == 0 else (12.0, 1.0))


def test_what_is_no_rectangle_has_no_length(scene):
    shapes = (((0, 0), (4, 0), (0, 4)), ((0, 0), (4, 0), (6, 2), (2, 2)))
    for corners in shapes:
        assert box_studs(Fixture("hill", tuple((float(x), float(y)) for x, y in corners))) is None
    assert "length_studs" not in values_of(Fixture("hill", ((0.0, 0.0), (4.0, 0.0), (0.0, 4.0))))


def test_values_are_set_as_they_are_read(scene):
    after = changed(scene, "wall", heading_deg=30.0, length_studs=3.0, x_studs=20.0, top_plates=6.0)
    found = values_of(thing_of(after, "wall"))
    assert found == pytest.approx(
        {
            "x_studs": 20.0,
            "y_studs": 9.0,
            "heading_deg": 30.0,
            "length_studs": 3.0,
            "width_studs": 12.0,
            "bottom_plates": 0.0,
            "top_plates": 6.0,
        }
    )


def test_another_name_of_the_mover_is_also_that_of_the_move(scene):
    after = changed(scene, "jeep", id="car")
    assert after.mover_id == "car"
    assert after.mover == replace(scene.mover, id="car")


@pytest.mark.parametrize(
    ("kind", "model"),
    [
        (ThingType.VEHICLE, "jeep"),
        (ThingType.VEHICLE, None),
        (ThingType.UNIT, None),
        (ThingType.DECOR, "tree"),
        (ThingType.DECOR, None),
    ],
)
def test_new_things_have_names_of_their_own_and_room(scene, kind, model):
    after = scene
    for _ in range(3):
        after, name = with_new(after, kind, model)
        new = thing_of(after, name)
        assert new.type is kind
        assert not any(overlap(new.prism, one.prism) for one in after.things if one is not new)
    assert len(after.things) == len(scene.things) + 3


def test_a_full_field_takes_one_more_in_its_middle(scene):
    full = changed(scene, "tree", x_studs=24.0, y_studs=16.0, length_studs=60.0, width_studs=60.0)
    _, name = with_new(full, ThingType.UNIT)
    assert name == "figure"


def test_what_is_taken_out_is_gone(scene):
    after = without(scene, "truck")
    assert {one.id for one in after.things} == {one.id for one in scene.things} - {"truck"}


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda scene: without(scene, "jeep"), "jeep makes the move"),
        (lambda scene: without(scene, "ghost"), "unknown thing 'ghost'"),
        (lambda scene: moved(scene, "truck", 500.0, 0.0), "outside the field"),
        (lambda scene: moved(scene, "guard", 0.0, 0.0, 15.0), "has no heading"),
        (lambda scene: changed(scene, "truck", id="jeep"), "is also the id of"),
        (lambda scene: changed(scene, "truck", speed=13), "13 is not from 0 to 12"),
        (lambda scene: changed(scene, "wall", length_studs=0.0), "polygon"),
        (lambda scene: changed(scene, "wall", x_studs=float("nan")), "polygon"),
        (lambda scene: with_new(scene, ThingType.DECOR, "jeep"), "model of a decor"),
    ],
)
def test_what_is_impossible_is_refused(scene, edit, said):
    with pytest.raises(InvalidValueError, match=said):
        edit(scene)


@pytest.mark.parametrize("size", [60.0, 400.0, 3000.0])
def test_a_new_thing_finds_room_beside_what_is_in_the_middle_of_any_field(scene, size):
    made = replace(scene, bounds=Bounds(size, size))
    made = changed(
        made, "tree", x_studs=size / 2, y_studs=size / 2, length_studs=20.0, width_studs=20.0
    )
    after, name = with_new(made, ThingType.UNIT)
    new = thing_of(after, name)
    assert not any(overlap(new.prism, one.prism) for one in after.things if one is not new)
