"""Scenes with outlines of any form: concave, with holes, round, of named parts."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brickphys
from brickphys.errors import InvalidValueError
from brickphys.geometry.rings import wkt_of
from brickphys.vehicles.collision import resolve
from brickphys.vehicles.scene_edit import moved, values_of
from brickphys.vehicles.scene_file import (
    parse_scene,
    scene_geojson,
    scene_in,
    scene_tables,
    scene_text,
)
from brickphys.vehicles.validation.validate import validate_scene
from tests.command_line import assert_refused, run
from tests.command_line import brickphys as command
from tests.geometry.many.test_shapes import star

pytest.importorskip("shapely")


def outline(rng, x, y, size, name=""):
    """An outline as a scene file has it."""
    kind, head = rng.integers(4), {"name": name} if name else {}
    if kind == 0:
        return {**head, "circle": [x, y], "radius": float(rng.uniform(0.3, 0.6) * size)}
    if kind == 1:
        end = [x + float(rng.uniform(0.3, 1) * size), y + float(rng.uniform(-1, 1) * size)]
        return {**head, "capsule": [[x, y], end], "radius": float(rng.uniform(0.1, 0.4) * size)}
    ring = star(rng, x, y, size, int(rng.integers(5, 10)))
    hole = (0.4 * (ring - (x, y)) + (x, y)).tolist()
    return {**head, "polygon": ring.tolist(), **({"holes": [hole]} if kind == 2 else {})}


def random_tables(seed):
    """A vehicle of two parts on a straight move or a course, among six things of other forms and a car."""
    rng = np.random.default_rng(seed)
    spots = [(float(x), float(y)) for x, y in rng.uniform(4, 46, (8, 2))]
    truck = [outline(rng, 0.0, 0.0, 3.0, "body"), outline(rng, 2.5, 0.5, 2.0, "arm")]
    turns = [
        {"ahead": 12.0},
        {"turn_deg": float(rng.uniform(-200, 200)), "pivot": [-2.0, 1.0]},
        {"ahead": 9.0},
    ]
    decor = [
        {"id": f"thing {n}", **outline(rng, *spots[n], 4.0)}
        if n % 2
        else {
            "id": f"thing {n}",
            "part": [
                outline(rng, *spots[n], 3.0, "a"),
                outline(rng, spots[n][0] + 1, spots[n][1], 3.0, "b"),
            ],
        }
        for n in range(5)
    ]
    return {
        "field": {"width": 50, "height": 50},
        "move": {"vehicle": "truck", **({"piece": turns} if rng.integers(2) else {})},
        "vehicle": [
            {
                "id": "truck",
                "x": 25.0,
                "y": 25.0,
                "heading_deg": float(rng.uniform(0, 360)),
                "speed": 5,
                "part": truck,
            },
            {
                "id": "car",
                "x": spots[6][0],
                "y": spots[6][1],
                "heading_deg": 30.0,
                "length": 8.0,
                "width": 4.0,
            },
        ],
        "unit": [{"id": "guard", "x": spots[5][0], "y": spots[5][1]}],
        "decor": decor,
    }


@given(st.integers(0, 10**6))
def test_bisection_of_whole_outlines_finds_the_same_move(seed):
    """Shapely takes each outline as the file gives it, knows no convex parts, and steps where nothing is near."""
    scene = scene_in(random_tables(seed))
    wrong, counts = validate_scene(scene)
    assert wrong == []
    assert counts["legs"] >= 1


BLOCKS = [
    [(0, 0), (6, 0), (6, 2), (2, 2), (2, 6), (0, 6)],
    [(0, 0), (6, 0), (6, 5), (4, 5), (4, 2), (2, 2), (2, 5), (0, 5)],
    [(0, 0), (2, 0), (2, 2), (4, 2), (4, 4), (0, 4)],
    [(0, 0), (4, 0), (2, 2), (4, 4), (0, 4)],
]


def block(rng):
    """A concave block on whole studs, turned by right angles."""
    corners = np.array(BLOCKS[rng.integers(len(BLOCKS))], float)
    for _ in range(rng.integers(4)):
        corners = np.column_stack([-corners[:, 1], corners[:, 0]])
    return corners


def lattice_tables(seed):
    """All on whole studs and multiples of 45 degrees: slides, flush starts, and notches as wide as the mover."""
    rng = np.random.default_rng(seed)
    turn = {
        "turn_deg": float(rng.choice([90, -90, 180, 45])),
        "pivot": rng.integers(-3, 4, 2).tolist(),
    }
    pieces = [{"ahead": float(rng.integers(1, 12))}, turn, {"ahead": 5.0}]
    x, y = rng.integers(10, 30, 2).tolist()
    mover = {
        "id": "box",
        "x": x,
        "y": y,
        "heading_deg": float(rng.choice([0, 90, 180, 270, 45])),
        "speed": 5,
    }
    own = (
        {"part": [{"polygon": (block(rng) - (3, 3)).tolist()}]}
        if rng.integers(2)
        else {"length": 4, "width": 2}
    )
    decor = [
        {"circle": rng.integers(4, 36, 2).tolist(), "radius": float(rng.integers(1, 3))}
        if rng.integers(4) == 0
        else {"polygon": (block(rng) + rng.integers(4, 34, 2)).tolist()}
        for _ in range(8)
    ]
    return {
        "field": {"width": 40, "height": 40},
        "move": {"vehicle": "box", **({"piece": pieces} if rng.integers(2) else {})},
        "vehicle": [{**mover, **own}],
        "decor": [{"id": f"thing {n}", **one} for n, one in enumerate(decor)],
    }


@given(st.integers(0, 10**6))
def test_bisection_finds_the_same_move_on_whole_studs(seed):
    wrong, _ = validate_scene(scene_in(lattice_tables(seed)))
    assert wrong == []


def test_the_referee_takes_its_own_answers_for_right_and_finds_others_wrong(tmp_path):
    lines, answers = tmp_path / "scenes.jsonl", tmp_path / "answers.jsonl"
    lines.write_text("".join(json.dumps({"id": n, **random_tables(n)}) + "\n" for n in range(40)))
    run("collide", lines, "--out", answers)
    found = json.loads(run("validate", "collisions", lines, "--answers", answers, "--json").stdout)
    assert found["right"] == found["checked"] == 40
    rows = [json.loads(line) for line in answers.read_text().splitlines()]
    struck = next(
        row
        for row in rows
        if row["hits"] and row["hits"][-1]["distance"] and row["hits"][-1]["distance"] > 2
    )
    struck["hits"][-1]["distance"] -= 1.0
    late = next(row for row in rows if len(row["hits"]) > 1 and row is not struck)
    late["hits"].pop(0)
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows))
    judged = command("validate", "collisions", lines, "--answers", answers, "--json")
    assert {fault["scene"] for fault in json.loads(judged.stdout)["faults"]} == {
        struck["id"],
        late["id"],
    }


@pytest.mark.parametrize("seed", range(4))
def test_a_scene_is_the_same_after_its_file_and_after_geojson(seed):
    scene = scene_in(random_tables(seed))
    for again in (
        parse_scene(scene_text(scene)),
        scene_in(scene_geojson(scene)),
        scene_in({**scene_tables(scene)}),
    ):
        assert again == scene
        assert resolve(again).document() == resolve(scene).document()


YARD = "POLYGON ((1 1, 59 1, 59 39, 1 39, 1 1), (2 2, 2 38, 58 38, 58 2, 2 2))"
TRUCK = {
    "id": "truck",
    "x": 12,
    "y": 20,
    "heading_deg": 0,
    "speed": 6,
    "part": [
        {"name": "bed", "polygon": [[-6, -3], [3, -3], [3, 3], [-6, 3]]},
        {"name": "hook", "capsule": [[3, 0], [6, 0]], "radius": 0.5},
    ],
}


def tables(*decor, **truck):
    return {
        "field": {"width": 60, "height": 40},
        "move": {"vehicle": "truck"},
        "vehicle": [{**TRUCK, **truck}],
        "decor": [{"id": f"d{n}", **one} for n, one in enumerate(decor)],
    }


def test_a_single_part_without_a_name_is_a_plain_outline():
    corners = [[30, 10], [40, 10], [40, 30], [30, 30]]
    one, other = (
        brickphys.scene(tables(how))
        for how in ({"part": [{"polygon": corners}]}, {"polygon": corners})
    )
    assert one == other == brickphys.scene(scene_tables(one))


def test_hits_tell_the_parts_that_meet():
    house = {
        "part": [
            {"name": "porch", "circle": [30, 20], "radius": 2},
            {"name": "wall", "polygon": "POLYGON ((31 10, 40 10, 40 30, 31 30))"},
        ]
    }
    found = resolve(tables(house, {"polygon": YARD}), clearance_studs=9)
    (hit,) = found.document()["hits"]
    assert (hit["part"], hit["struck_part"], hit["distance"]) == ("porch", "hook", 9.5)
    assert (hit["point"], hit["normal"], hit["impact_deg"]) == ([28, 20], [-1, 0], 90)
    assert "porch" in found.text()
    assert "hook" in found.text()
    (miss,) = found.document()["clearances"]
    assert (miss["id"], miss["clearance"]) == ("d1", 4)
    assert resolve(tables({"polygon": YARD}, speed=12)).move.stopped_by == ("d0",)


def test_a_vehicle_is_as_long_as_its_parts_and_is_hit_on_the_face_that_is_touched():
    scene = brickphys.scene(tables())
    assert (scene.mover.length_studs, scene.mover.width_studs) == (12.5, 6)
    car = {
        "id": "car",
        "x": 40,
        "y": 20,
        "heading_deg": 90,
        "part": [{"polygon": [[-4, -2], [4, -2], [0, 0], [4, 2], [-4, 2]]}],
    }
    raw = tables()
    raw["vehicle"].append(car)
    hit = resolve(raw, sectors="contact").document()["hits"][0]
    assert (hit["sector"], hit["distance"], hit["edge"]) == ("left", 19.5, [[38, 24], [38, 16]])


def test_geojson_has_points_lines_and_outlines_with_holes():
    def feature(geometry, **properties):
        return {"type": "Feature", "properties": properties, "geometry": geometry}

    import shapely

    yard = json.loads(shapely.to_geojson(shapely.from_wkt(YARD)))
    corners = [
        [3, 17],
        [12, 17],
        [12, 14],
        [15, 14],
        [15, 26],
        [12, 26],
        [12, 23],
        [3, 23],
        [3, 17],
    ]
    raw = {
        "type": "FeatureCollection",
        "field": {"width": 60, "height": 40},
        "move": {"vehicle": "truck"},
        "features": [
            feature(
                {"type": "Polygon", "coordinates": [corners]},
                kind="vehicle",
                id="truck",
                x=9,
                y=20,
                heading_deg=0,
                speed=6,
            ),
            feature(yard, id="yard"),
            feature({"type": "Point", "coordinates": [30, 30]}, id="tree", radius=4.5),
            feature({"type": "LineString", "coordinates": [[40, 5], [40, 15]]}, id="log", radius=1),
        ],
    }
    (hit,) = resolve(raw).hits
    assert (hit.id, hit.distance_studs) == ("tree", 30 - (4.5**2 - 4**2) ** 0.5 - 15)
    assert resolve(resolve(raw).geojson()).document() == resolve(raw).document()


def test_decor_may_be_several_polygons_as_wkt():
    squares = [[[x, y], [x + 2, y], [x + 2, y + 2], [x, y + 2]] for x, y in ((30, 10), (34, 10))]
    text = wkt_of([[ring] for ring in squares])
    parts = [{"polygon": ring} for ring in squares]
    assert brickphys.scene(tables({"polygon": text})) == brickphys.scene(tables({"part": parts}))
    with pytest.raises(InvalidValueError, match="a part is one POLYGON: give several as parts"):
        brickphys.scene(tables({"part": [{"polygon": text}]}))


def test_decor_of_parts_is_moved_and_turned_whole():
    scene = brickphys.scene(tables({"capsule": [[30, 10], [30, 20]], "radius": 2}))
    again = moved(scene, "d0", 4.0, 1.0, 90.0)
    (part,) = again.decor[0].parts
    assert np.array(part.spine_studs) == pytest.approx(np.array([(39, 16), (29, 16)]))
    assert values_of(again.decor[0])["x_studs"] == pytest.approx(34)
    assert moved(again, "d0", -4.0, -1.0, -90.0).decor[0].parts[0].radius_studs == 2


BAD = {
    "decor[0]: give one of polygon, circle and capsule": {},
    "decor[0]: radius 0 is not 0.001 or more": {"circle": [3, 3], "radius": 0},
    "decor[0]: a circle needs a radius in studs": {"circle": [3, 3]},
    "decor[0].polygon: its edges cross": {"polygon": [[1, 1], [9, 9], [9, 1], [1, 9]]},
    "decor[0]: hole lies outside shell": {
        "polygon": [[1, 1], [9, 1], [9, 9]],
        "holes": [[[20, 20], [21, 20], [20, 21]]],
    },
    "decor[0]: part porch: all corners lie on one line": {
        "part": [
            {"circle": [9, 9], "radius": 1},
            {"name": "porch", "polygon": [[1, 1], [2, 2], [3, 3]]},
        ]
    },
    "decor[0].part: two parts have the name 'a'": {
        "part": [{"circle": [9, 9], "radius": 1, "name": "a"}] * 2
    },
    "decor[0]: polygon: 'LINE' is not a POLYGON": {"polygon": "LINE"},
    "decor[0]: outside the field": {"circle": [99, 3], "radius": 1},
}


@pytest.mark.parametrize("message", BAD)
def test_a_bad_outline_is_told_in_one_line(message):
    with pytest.raises(InvalidValueError) as raised:
        brickphys.scene(tables(BAD[message]))
    assert message in str(raised.value)


def test_tuples_are_as_good_as_lists_in_python_and_names_of_parts_are_told_apart():
    raw = tables({"polygon": ((30, 10), (40, 10), (40, 30), (30, 30))})
    listed = tables({"polygon": [[30, 10], [40, 10], [40, 30], [30, 30]]})
    assert brickphys.scene({**raw, "decor": tuple(raw["decor"])}) == brickphys.scene(listed)
    with pytest.raises(InvalidValueError, match="outline 0: two parts have the name 'a'"):
        brickphys.outlines([{"part": [{"circle": (9, 9), "radius": 1, "name": "a"}] * 2}])


def test_rigid_bodies_have_convex_outlines(tmp_path):
    file = tmp_path / "scene.json"
    file.write_text(json.dumps(tables()))
    assert_refused(command("collide", file, "--physics"), "'truck' has another one")


def test_pictures_show_outlines(tmp_path):
    file, plot, page = tmp_path / "scene.json", tmp_path / "scene.png", tmp_path / "scene.html"
    file.write_text(json.dumps(tables({"polygon": YARD}, {"circle": [30, 29], "radius": 2})))
    run("collide", file, "--clearance", 9, "--plot", plot, "--html", page)
    assert plot.stat().st_size > 10_000
    assert page.stat().st_size > 10_000
