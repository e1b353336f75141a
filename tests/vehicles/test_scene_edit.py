"""Edits of a scene: one thing changes, all others stay, and what is impossible is refused."""

from dataclasses import replace
from itertools import product
from math import dist, remainder
from pathlib import Path

import numpy as np
import pytest
from shapely import Polygon

from brickphys.errors import InvalidValueError
from brickphys.geometry.sweep import overlap
from brickphys.shapes.assembly import assembly
from brickphys.vehicles.scene import Bounds, Fixture, Scene, ThingType, Unit, Vehicle
from brickphys.vehicles.scene_edit import (
    _places,
    box_studs,
    built_as,
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


@pytest.mark.parametrize("name", ["jeep", "truck", "wall"])
@pytest.mark.parametrize("turn_deg", [15.0, -15.0, 101.0, 180.0, -540.0, 725.0])
def test_a_turn_is_added_to_the_heading_up_to_half_a_turn_either_way(scene, name, turn_deg):
    before = values_of(thing_of(scene, name))["heading_deg"]
    after = values_of(thing_of(moved(scene, name, 0.0, 0.0, turn_deg), name))["heading_deg"]
    assert -180.0 < after <= 180.0
    assert remainder(after - before - turn_deg, 360.0) == pytest.approx(0.0, abs=1e-6)


def test_decor_that_is_no_rectangle_keeps_its_shape_and_turns_about_its_middle(scene):
    """The middle goes from (12, 4) to (15, 5), and a quarter of a turn takes (x, y) to (-y, x)."""
    hill = Fixture("hill", ((10.0, 2.0), (16.0, 2.0), (10.0, 8.0)), top_plates=6.0)
    there = moved(replace(scene, decor=(hill,)), "hill", 3.0, 1.0, 90.0)
    after = thing_of(there, "hill")
    assert after.corners_studs == ((17.0, 3.0), (17.0, 9.0), (11.0, 3.0))
    assert (after.bottom_plates, after.top_plates) == (0.0, 6.0)


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


def test_what_is_no_rectangle_has_no_length():
    shapes = (
        ((0, 0), (4, 0), (0, 4)),
        ((0, 0), (4, 0), (6, 2), (2, 2)),
        ((0, 0), (4, 0), (4, 2.0001), (0, 2)),
        ((0, 0), (4, 0), (4, 2), (2, 2.5), (0, 2)),
    )
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


def lashed(*names):
    """Return a scene whose mover has a vehicle on its left and on its right, lashed to it in some order."""
    sides = [Vehicle(name, 20.0, y, 0.0, 8.0, 4.0) for name, y in (("left", 21.0), ("right", 11.0))]
    mover = Vehicle("mover", 20.0, 16.0, 0.0, 10.0, 6.0)
    return Scene(Bounds(48.0, 32.0), "mover", (mover, *sides), lashed=names)


def test_what_is_lashed_keeps_its_new_name_and_is_let_go_when_it_is_taken_out():
    made = lashed("right", "left")
    assert changed(made, "left", id="prize").lashed == ("right", "prize")
    assert changed(made, "mover", id="tug").lashed == ("right", "left")
    assert without(made, "right").lashed == ("left",)
    assert without(lashed("left"), "right").lashed == ("left",)


# --- models ---


@pytest.mark.parametrize(
    ("name", "model"), [("truck", "tank"), ("jeep", "horse"), ("wall", "tree")]
)
def test_a_thing_takes_the_size_of_its_model_where_it_stands(scene, name, model):
    built, before = assembly(model), values_of(thing_of(scene, name))
    after = thing_of(built_as(scene, name, model), name)
    sizes = ("length_studs", "width_studs", "bottom_plates", "top_plates")
    assert after.model == model
    assert values_of(after) == pytest.approx(before | {key: getattr(built, key) for key in sizes})


def test_what_has_no_length_takes_the_heights_of_a_model_and_a_figure_not_even_these(scene):
    hill = Fixture("hill", ((10.0, 2.0), (16.0, 2.0), (10.0, 8.0)), 1.0, 2.0)
    made = replace(scene, decor=(hill,), units=(Unit("tall", 20.5, 2.5, 1.0, 30.0),))
    tree = assembly("tree")
    heights = {"bottom_plates": tree.bottom_plates, "top_plates": tree.top_plates}
    assert thing_of(built_as(made, "hill", "tree"), "hill") == replace(
        hill, model="tree", **heights
    )
    tall = thing_of(built_as(made, "tall", "minifig"), "tall")
    assert tall == replace(made.units[0], model="minifig")


@pytest.mark.parametrize("name", ["jeep", "wall"])
def test_a_thing_without_its_model_is_a_block_of_the_same_size(scene, name):
    after = thing_of(built_as(scene, name, None), name)
    assert after == replace(thing_of(scene, name), model=None)


# --- new things ---


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


@pytest.mark.parametrize(
    ("kind", "model", "names"),
    [
        (ThingType.VEHICLE, "jeep", ["jeep 2", "jeep 3"]),
        (ThingType.VEHICLE, None, ["vehicle", "vehicle 2"]),
        (ThingType.UNIT, "minifig", ["minifig", "minifig 2"]),
        (ThingType.UNIT, None, ["figure", "figure 2"]),
        (ThingType.DECOR, "tree", ["tree 2", "tree 3"]),
        (ThingType.DECOR, None, ["wall 2", "wall 3"]),
    ],
)
def test_new_things_are_numbered_and_have_the_size_of_their_model_or_the_usual_one(
    scene, kind, model, names
):
    usual = {"vehicle": (10.0, 6.0, 0.0, 9.0), "unit": (0.0, 12.5), "decor": (8.0, 1.0, 0.0, 15.0)}
    sizes = usual[kind.value]
    if model and kind is not ThingType.UNIT:
        built = assembly(model)
        sizes = (built.length_studs, built.width_studs, built.bottom_plates, built.top_plates)
    for name in names:
        scene, found = with_new(scene, kind, model)
        new = thing_of(scene, name)
        values = values_of(new)
        assert (found, new.model) == (name, model)
        assert (values.pop("heading_deg", 0.0), values.pop("speed", 0)) == (0.0, 0)
        assert tuple(values.values())[2:] == sizes


@pytest.mark.parametrize("size", [(48.0, 32.0), (11.0, 30.0), (9.5, 4.0)])
@pytest.mark.parametrize("kind", ThingType)
def test_no_place_in_every_second_row_and_column_is_nearer_to_the_middle(kind, size):
    """Every place is tried with Shapely; of two that are equally near the one of the smaller x, then y is taken."""
    middle = (size[0] / 2, size[1] / 2)
    mover = Vehicle("mover", *middle, 20.0, 2.5, 1.5)
    after, name = with_new(Scene(Bounds(*size), "mover", (mover,)), kind)
    new, taken = thing_of(after, name), Polygon(mover.prism.footprint.vertices_studs)
    place = new.prism.footprint.centroid_studs
    shape = new.prism.footprint.vertices_studs - place

    def is_free(there):
        return Polygon(shape + there).intersection(taken).area < 1e-9

    places = product(*([0.5 + 2.0 * n for n in range(int(end // 2))] for end in size))
    free = [there for there in places if is_free(there)]
    expected = min(free, key=lambda there: (dist(there, middle), there), default=middle)
    assert place == pytest.approx(expected)


@pytest.mark.parametrize("size", [(89.0, 170.0), (400.0, 400.0), (9_000.0, 10_000.0)])
def test_at_most_four_thousand_places_are_tried_all_over_the_field(scene, size):
    places = np.array(list(_places(replace(scene, bounds=Bounds(*size)))))
    assert 3_000 < len(places) <= 4_000
    step = max(2.0, (size[0] * size[1] / 4000) ** 0.5)
    assert (places.min(axis=0) == 0.5).all()
    assert (places.max(axis=0) > np.array(size) - 2 * step).all()
    assert (places.max(axis=0) < size).all()


def test_a_full_field_takes_one_more_in_its_middle(scene):
    full = changed(scene, "tree", x_studs=24.0, y_studs=16.0, length_studs=60.0, width_studs=60.0)
    after, name = with_new(full, ThingType.UNIT)
    assert thing_of(after, name) == Unit("figure", 24.0, 16.0)


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
        (lambda scene: built_as(scene, "truck", "trcuk"), "unknown model of a vehicle 'trcuk'"),
        (lambda scene: built_as(scene, "guard", "jeep"), "unknown model of a figure 'jeep'"),
    ],
)
def test_what_is_impossible_is_refused(scene, edit, said):
    with pytest.raises(InvalidValueError, match=said):
        edit(scene)
