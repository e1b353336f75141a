"""Scene files: every fault with its key path, in two passes; nothing is lost in a file."""

import re
import tomllib
from dataclasses import replace
from math import inf, nan

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from brickphys.errors import InvalidValueError, SceneFileError
from brickphys.vehicles import scene_schema
from brickphys.vehicles.collision import resolve
from brickphys.vehicles.scene import Bounds, Fixture, PivotTurn, Scene, Straight, Unit, Vehicle
from brickphys.vehicles.scene_file import parse_scene, read_scene, scene_in, scene_text
from brickphys.vehicles.scene_schema import SceneDocument, scene_of
from brickphys.vehicles.sectors import Scheme
from tests.command_line import brickphys
from tests.jeep_scene import JEEP

TEXT = f"""{JEEP}[[vehicle]]
id = "truck"
x = 30.0
y = 16.0
heading_deg = 180.0
length = 10.0
width = 6.0
[[unit]]
id = "peasant"
x = 18.5
y = 16.0
[[decor]]
id = "wall"
polygon = [[22, 10], [23, 10], [23, 22], [22, 22]]
"""


def test_defaults():
    scene = parse_scene(TEXT)
    assert scene.scheme is Scheme.QUADRANT
    assert [(t.bottom_plates, t.top_plates) for t in scene.things] == [
        (0.0, 12.5),
        (0.0, 15.0),
        (0.0, 9.0),
        (0.0, 9.0),
    ]
    assert scene.vehicles[1].speed == 0


def test_a_scene_may_be_longer_than_all_else_that_people_write(tmp_path):
    path = tmp_path / "many.toml"
    path.write_text(TEXT + "# a comment\n" * 50_000)
    assert path.stat().st_size > 500_000
    assert read_scene(path) == parse_scene(TEXT)


def test_too_many_things_are_refused_with_a_way_out(tmp_path, monkeypatch):
    monkeypatch.setattr(scene_schema, "MOST_THINGS", 3)
    path = tmp_path / "many.toml"
    path.write_text(TEXT)
    fault = f"{path}: 4 things, more than 3; leave out what the move cannot reach"
    with pytest.raises(SceneFileError, match=re.escape(fault)):
        read_scene(path)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("speed = 2", "spede = 2", "vehicle[0].spede: unknown key, did you mean 'speed'?"),
        ("speed = 2", "speed = 13", "vehicle[0].speed: 13 is not from 0 to 12 (id 'jeep')"),
        ("speed = 2", "speed = 2.5", "vehicle[0].speed: 2.5 should be a valid integer"),
        ('id = "peasant"\n', "", "unit[0].id: missing"),
        ('"peasant"', '"wall"', "decor[0].id: 'wall' is also the id of unit[0]"),
        ('"truck"', '"jeep"', "vehicle[1].id: 'jeep' is also the id of vehicle[0]"),
        ('vehicle = "jeep"', 'vehicle = "jep"', "move.vehicle: unknown vehicle 'jep': did you"),
        ("x = 18.5", "x = nan", "unit[0].x: nan should be a finite number"),
        ("x = 18.5", "x = 48.5", "unit[0]: outside the field of 48 x 32 studs"),
        ("x = 18.5", 'x = "18"', "unit[0].x: '18' should be a valid number"),
        ("x = 30.0", "x = 1e9", "vehicle[1].x: 1000000000.0 is not from -10000 to 10000"),
        ("[23, 22]", "[23, 1e5]", "decor[0].polygon[2]: (23.0, 100000.0) is beyond 10000"),
        (
            "[23, 22], [22, 22]",
            "[22, 22], [23, 22]",
            "decor[0].polygon: its edges cross or run back over each other",
        ),
        ("[22, 10], [23, 10], ", "", "decor[0].polygon: a polygon needs 3 corners, here are 2"),
        ("[23, 22]", "[23, 10]", "decor[0].polygon: corner 1 lies on the next one"),
        ("[23, 22]", "[23]", "decor[0].polygon[2]: "),
        (  # the box around it reaches into the field, and it does not
            "[22, 10], [23, 10], [23, 22], [22, 22]",
            "[50, 31], [50, 39], [40, 39]",
            "decor[0]: outside the field of 48 x 32 studs (id 'wall')",
        ),
        ("length = 10.0", "length = -10.0", "vehicle[0].length: -10.0 is not from 0.001 to 10000"),
        ("width = 48", "width = inf", "field.width: inf should be a finite number"),
        ("[field]\nwidth = 48\nheight = 32\n", "", "field: missing"),
        ('[move]\nvehicle = "jeep"\n', "", "move: missing"),
        (
            'vehicle = "jeep"',
            'vehicle = "jeep"\nsectors = "round"',
            "move.sectors: unknown scheme of sectors 'round': known: quadrant, corner, contact",
        ),
        (
            'vehicle = "jeep"',
            'vehicle = "jeep"\npiece = { ahead = 1.0 }',
            "move.piece: one table, where an array of tables is wanted: [[move.piece]]",
        ),
        ("[[decor]]", "[[dekor]]", "dekor: unknown key, did you mean 'decor'?"),
        ("[field]", "[[field]]", "field: [{'width': 48, 'height': 32}] should be a table"),
        ('id = "peasant"', 'id = ""', "unit[0].id: '' is not 1 to 100 printable characters"),
        ('id = "peasant"', f'id = "{"p" * 999}"', f"id: '{'p' * 60}...' is not 1 to 100"),
        ("speed = 2", f"{'s' * 999} = 2", f"vehicle[0].'{'s' * 60}...': unknown key"),
        ("x = 18.5", f"x = {'9' * 5000}", "a number of more than 1000 digits"),
        ('"peasant"', '"pea\\nsant"', r"unit[0].id: 'pea\nsant' has control characters"),
        ('"peasant"', '"pea\\u00a0sant"', r"unit[0].id: 'pea\xa0sant' is not 1 to 100 printable"),
        ("x = 18.5", 'x = 18.5\n"a\\nb" = 1', r"unit[0].'a\nb': unknown key, known: id, x, y"),
        ("speed = 2", "bottom = 9", "vehicle[0].top: 9 is not above bottom, 9"),
        ("[field]", "[field", "not TOML"),
    ],
)
def test_every_fault_is_named_with_its_place(old, new, fault):
    assert old in TEXT
    with pytest.raises(SceneFileError) as error:
        parse_scene(TEXT.replace(old, new, 1))
    assert fault in str(error.value)


def test_an_answer_is_no_scene_and_a_scene_may_have_an_id():
    answer = resolve(parse_scene(TEXT)).document()
    with pytest.raises(SceneFileError, match="scene: this looks like an answer, not a scene"):
        scene_in(answer)
    assert parse_scene(f"id = 7\n{TEXT}") == parse_scene(TEXT)


def faults_of(*changes):
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(SceneFileError) as error:
        parse_scene(text, "my.toml")
    assert str(error.value).startswith("my.toml: ")
    return str(error.value).removeprefix("my.toml: ").split("; ")


FORM = [
    ("speed = 2", "spede = 2"),
    ("x = 18.5", "x = nan"),
    ('"peasant"', "3"),
    ("heading_deg = 180.0", 'heading_deg = "west"'),
]
MEANING = [
    ("x = 30.0", "x = 300.0\nspeed = 15\nbottom = 20"),
    ('"truck"', '"jeep"'),
    ('vehicle = "jeep"', 'vehicle = "horse"'),
    ("[23, 22]", "[22.5, 5]"),
]


def test_all_faults_of_form_are_listed_together():
    assert faults_of(*FORM, *MEANING) == [
        "vehicle[0].spede: unknown key, did you mean 'speed'? (id 'jeep')",
        "vehicle[1].heading_deg: 'west' should be a valid number (id 'jeep')",
        "unit[0].id: 3 should be a valid string",
        "unit[0].x: nan should be a finite number",
    ]


def test_without_any_all_faults_of_meaning_are():
    assert faults_of(*MEANING) == [
        "decor[0].polygon: its edges cross or run back over each other near (22.3529, 10) (id 'wall')",
        "vehicle[1].top: 9 is not above bottom, 20 (id 'jeep')",
        "vehicle[1].speed: 15 is not from 0 to 12 (id 'jeep')",
        "vehicle[1].id: 'jeep' is also the id of vehicle[0] (id 'jeep')",
        "move.vehicle: unknown vehicle 'horse': known: jeep, jeep",
    ]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ([("length = 10.0", "lenght = 10.0")], "vehicle[0].lenght: unknown key, did you mean"),
        ([("length = 10.0\nwidth = 6.0", 'model = "jep"')], "vehicle[0].model: unknown model"),
        ([("width = 48", "width = -1"), ("x = 18.5", "x = 400")], "field.width: -1.0 is not from"),
        ([("x = 18.5", "x = 1e400")], "unit[0].x: inf should be a finite number"),
        ([("[22, 10]", '["a", 10]')], "decor[0].polygon[0][0]: 'a' should be a valid number"),
    ],
)
def test_one_mistake_is_one_fault(changes, fault):
    (found,) = faults_of(*changes)
    assert found.startswith(fault)


@pytest.mark.parametrize(
    ("vehicles", "fault"),
    [
        ([1], "vehicle[0]: 1 should be a table"),
        ([], "move.vehicle: unknown vehicle 'jeep': none is known"),
    ],
)
def test_vehicles_that_are_none_are_reported(vehicles, fault):
    with pytest.raises(InvalidValueError) as error:
        scene_of({**tomllib.loads(TEXT), "vehicle": vehicles})
    assert str(error.value) == fault


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(st.data())
def test_no_value_anywhere_breaks_the_check(data):
    raw = tomllib.loads(TEXT)
    for _ in range(3):
        table = data.draw(st.sampled_from(["field", "move", "vehicle", "unit", "decor"]))
        part = raw[table]
        if isinstance(part, list) and part and isinstance(part[0], dict):
            part = part[0]
        if isinstance(part, dict) and part and data.draw(st.booleans()):
            part[data.draw(st.sampled_from(sorted(part)))] = data.draw(values)
        else:
            raw[table] = data.draw(values)
    message = ""
    try:
        assert scene_of(raw).problems() == []
    except InvalidValueError as error:
        message = str(error)
    assert message.isprintable()


def test_mark_of_an_editor_before_the_text_is_no_fault(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_text(TEXT, encoding="utf-8-sig")
    assert read_scene(path) == parse_scene(TEXT)


@pytest.mark.parametrize(("reach", "is_on"), [(-1e-6, False), (0.5e-9, False), (2e-9, True)])
def test_decor_reaches_into_the_field_by_more_than_the_tolerance(reach, is_on):
    x = 48 - reach
    corners = ((x, 10.0), (x + 1, 10.0), (x + 1, 22.0), (x, 22.0))
    assert Bounds(48.0, 32.0).overlaps(Fixture("wall", corners).prism.footprint) is is_on
    wide = ((-10.0, -10.0), (60.0, -10.0), (60.0, 40.0), (-10.0, 40.0))  # no corner is on the field
    assert Bounds(48.0, 32.0).overlaps(Fixture("plain", wide).prism.footprint)


def test_file_that_is_not_there(tmp_path):
    with pytest.raises(SceneFileError, match="No such file"):
        read_scene(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SceneFileError, match=r"binary\.toml"):
        read_scene(tmp_path / "binary.toml")


ids = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)
inside = st.floats(0, 30)
heights = st.tuples(st.floats(-5, 5), st.floats(6, 40))


@st.composite
def scenes(draw):
    names = draw(st.lists(ids, min_size=3, max_size=3, unique=True))
    low, high = draw(heights)
    size = (draw(st.floats(0.1, 20)), draw(st.floats(0.1, 20)))
    car = Vehicle(
        names[0], draw(inside), draw(inside), draw(st.floats(-360, 360)), *size, low, high,
        draw(st.integers(0, 12)),
    )  # fmt: skip
    unit = Unit(names[1], draw(inside), draw(inside), low, high)
    x, y = draw(inside), draw(inside)
    decor = Fixture(names[2], ((x, y), (x + 3, y), (x, y + 2)), low, high)
    return Scene(
        Bounds(40.0, 40.0), car.id, (car,), (unit,), (decor,), draw(st.sampled_from(Scheme))
    )


@given(scenes())
def test_scene_written_and_read_is_the_same(scene):
    assert parse_scene(scene_text(scene)) == scene


CAR = Vehicle("a", 1.0, 1.0, 0.0, 4.0, 2.0)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"heading_deg": nan}, "vehicle[0].heading_deg: nan is not from -36000 to 36000"),
        ({"width_studs": inf}, "vehicle[0].width: inf is not from 0.001 to 10000"),
        ({"id": ""}, "vehicle[0].id: '' is not 1 to 100 printable characters"),
        ({"model": "jep"}, "vehicle[0].model: unknown model of a vehicle 'jep'"),
        ({"id": "b"}, "move.vehicle: unknown vehicle 'a': known: b"),
    ],
)
def test_scene_made_in_python_is_checked_by_the_same_rules(change, fault):
    with pytest.raises(InvalidValueError) as error:
        Scene(Bounds(40.0, 40.0), "a", (replace(CAR, **change),))
    assert fault in str(error.value)


SIZE = [0.0009, 0.001, 10_000.0, 10_000.5]
SPAN = [-36_000.5, -36_000.0, 36_000.0, 36_000.5]


@pytest.mark.parametrize(
    ("what", "name", "values"),
    [
        (CAR, "heading_deg", SPAN),
        (CAR, "length_studs", SIZE),
        (CAR, "width_studs", SIZE),
        (CAR, "bottom_plates", [-10_000.5, -10_000.0, 8.9, 9.0]),  # its top is at 9
        (CAR, "top_plates", [0.0, 0.1, 10_000.0, 10_000.5]),
        (CAR, "speed", [-1, 0, 12, 13]),
        (Straight(5.0), "ahead_studs", SIZE),
        (Straight(5.0), "direction_deg", SPAN),
        (PivotTurn(5.0), "turn_deg", [-360.5, -360.0, 360.0, 360.5]),
        (Bounds(40.0, 40.0), "width_studs", [0.9, 1.0, 10_000.0, 10_000.5]),  # the car is at 1
        (Bounds(40.0, 40.0), "height_studs", [0.9, 1.0, 10_000.0, 10_000.5]),
    ],
)
def test_limits_of_a_number_are_allowed_and_what_is_beyond_is_not(what, name, values):
    def made(value):
        one = replace(what, **{name: value})
        bounds = one if isinstance(one, Bounds) else Bounds(40.0, 40.0)
        car = one if isinstance(one, Vehicle) else CAR
        course = (one,) if isinstance(one, Straight | PivotTurn) else ()
        return Scene(bounds, car.id, (car,), course=course)

    below, least, most, above = values
    for within in (least, most):
        made(within)
    for beyond in (below, above):
        with pytest.raises(InvalidValueError, match=r"is not from|is not above bottom|outside"):
            made(beyond)


def test_places_and_turns_at_their_limits():
    far = Bounds(10_000.0, 10_000.0)
    Scene(far, "a", (replace(CAR, x_studs=10_000.0, y_studs=10_000.0),))
    Scene(far, "a", (CAR,), decor=(Fixture("d", ((9.0, 9.0), (10_000.0, 9.0), (9.0, 10_000.0))),))
    with pytest.raises(InvalidValueError, match="a turn of 0 degrees"):
        Scene(far, "a", (CAR,), course=(PivotTurn(1e-9),))
    Scene(far, "a", (CAR,), course=(PivotTurn(5.0, (10_000.0, -10_000.0)),))
    for pivot in ((10_000.5, 0.0), (0.0, -10_000.5)):
        with pytest.raises(InvalidValueError, match="is beyond 10000"):
            Scene(far, "a", (CAR,), course=(PivotTurn(5.0, pivot),))
    Scene(far, "a", (CAR,), course=(PivotTurn(-2e-9),))
    Scene(far, "b" * 100, (replace(CAR, id="b" * 100),))
    with pytest.raises(InvalidValueError, match="is not 1 to 100 printable characters"):
        Scene(far, "b" * 101, (replace(CAR, id="b" * 101),))


def test_things_made_in_python_stand_on_the_ground_with_the_usual_heights():
    post = Fixture("d", ((1.0, 1.0), (2.0, 1.0), (2.0, 2.0)))
    heights = [(t.bottom_plates, t.top_plates) for t in (CAR, Unit("u", 1.0, 1.0), post)]
    assert heights == [(0.0, 9.0), (0.0, 12.5), (0.0, 15.0)]
    assert CAR.speed == 0
    assert Unit("u", 3.5, 2.5).prism.footprint.vertices_studs.tolist() == [
        [3.0, 2.0], [4.0, 2.0], [4.0, 3.0], [3.0, 3.0]
    ]  # fmt: skip


@pytest.mark.parametrize("corner", [(nan, 1.0), (1.0, nan), (1.0, inf), (1.0, 20_000.0)])
def test_corners_of_decor_made_in_python_are_checked_too(corner):
    wall = Fixture("wall", ((1.0, 1.0), (3.0, 1.0), corner))
    with pytest.raises(InvalidValueError, match=r"^decor\[0\]\.polygon\[2\]: .* is beyond 10000"):
        Scene(Bounds(40.0, 40.0), "a", (CAR,), (), (wall,))


def test_command_line_says_the_faults_in_one_line_and_writes_no_picture(tmp_path):
    scene, picture = tmp_path / "scene.toml", tmp_path / "scene.png"
    scene.write_text(TEXT.replace("speed = 2", "spede = 2"))
    result = brickphys("collide", scene, "--plot", picture)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "did you mean 'speed'?" in result.stderr
    assert not picture.exists()


def test_command_line_shows_control_characters_escaped(tmp_path):
    result = brickphys("collide", str(tmp_path / "\x1b[31mred.toml"))
    assert result.returncode == 2
    assert "\\x1b[31mred.toml: cannot be read: No such file" in result.stderr


@pytest.mark.parametrize(
    ("change", "is_valid"),
    [
        ("", True),
        ('model = "jeep"\n', True),
        ("length = 9.0\n", False),
        ("width = 9.0\n", False),
        ('model = "jeep"\nwidth = 9.0\n', True),
        ("length = 9.0\nwidth = 9.0\nspeed = 1.5\n", False),
        (None, False),
    ],
)
def test_a_vehicle_needs_a_model_or_both_sizes_by_the_json_schema_too(change, is_valid):
    """None: without a heading."""
    sizes, heading = "length = 10.0\nwidth = 6.0\nspeed = 2\n", "heading_deg = 0.0\n"
    text = TEXT.replace(sizes, change or sizes) if change is not None else TEXT.replace(heading, "")
    validator = Draft202012Validator(SceneDocument.model_json_schema())
    assert validator.is_valid(tomllib.loads(text)) is is_valid
    if is_valid:
        parse_scene(text)


# --- courses ---

COURSE = """
[field]
width = 48
height = 32
[move]
vehicle = "jeep"
lashed = ["prize"]
[[move.piece]]
ahead = 4.0
[[move.piece]]
turn_deg = -30.0
pivot = [-5.0, 0.0]
[[move.piece]]
ahead = 3.0
direction_deg = 90.0
[[vehicle]]
id = "jeep"
x = 10.0
y = 16.0
heading_deg = 0.0
length = 10.0
width = 6.0
[[vehicle]]
id = "prize"
x = 10.0
y = 21.0
heading_deg = 0.0
length = 8.0
width = 4.0
"""


def test_course_is_read_and_written():
    scene = parse_scene(COURSE)
    assert scene.course == (Straight(4.0), PivotTurn(-30.0, (-5.0, 0.0)), Straight(3.0, 90.0))
    assert [vehicle.id for vehicle in scene.lashed_vehicles] == ["prize"]
    assert parse_scene(scene_text(scene)) == scene
    centred = parse_scene(COURSE.replace("pivot = [-5.0, 0.0]\n", ""))
    assert centred.course[1] == PivotTurn(-30.0, (0.0, 0.0))


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("ahead = 4.0", "ahead = 0.0", "move.piece[0].ahead: 0.0 is not from 0.001 to 10000"),
        ("-30.0", "360.5", "move.piece[1].turn_deg: 360.5 is not from -360 to 360"),
        ("-30.0", "5.0\ndirection_deg = 1.0", "move.piece[1]: a direction_deg without ahead"),
        ("-30.0", "5e-10", "move.piece[1].turn_deg: a turn of 0 degrees"),
        ("[-5.0, 0.0]", "[-5.0]", "move.piece[1].pivot: 1 value where at least 2 are needed"),
        ("[-5.0, 0.0]", "[2e4, 0.0]", "move.piece[1].pivot: 20000 is beyond 10000"),
        ("ahead = 4.0", "", "move.piece[0]: a piece has either turn_deg or ahead"),
        ("ahead = 4.0", "ahead = 4.0\nturn_deg = 5.0", "a piece has either turn_deg or ahead"),
        ("ahead = 4.0", "ahead = 4.0\npivot = [1.0, 0.0]", "a pivot without turn_deg"),
        ("direction_deg = 90.0", "direction = 90.0", "did you mean 'direction_deg'?"),
        ("y = 21.0", "y = 21.1", "move.lashed: 'jeep' falls apart: nothing joins 'prize' to it"),
        (
            '["prize"]',
            '["price"]',
            "move.lashed[0]: unknown vehicle 'price': did you mean 'prize'?",
        ),
        ('["prize"]', '["jeep"]', "move.lashed[0]: 'jeep' is lashed to it already"),
        ('["prize"]', '["prize", "prize"]', "move.lashed[1]: 'prize' is lashed to it already"),
    ],
)
def test_faults_of_a_course_are_told_with_their_place(old, new, fault):
    with pytest.raises(SceneFileError) as error:
        parse_scene(COURSE.replace(old, new), "scene.toml")
    assert fault in str(error.value)
    assert "\n" not in str(error.value)


def test_scene_of_a_thousand_faults_tells_the_first_and_their_number():
    units = "".join(f'[[unit]]\nid = "u{n}"\nx = 99.0\ny = 5.0\n' for n in range(1_000))
    with pytest.raises(SceneFileError) as error:
        parse_scene(COURSE + units)
    assert str(error.value).endswith("; and 995 more")
    assert str(error.value).count("outside the field") == 5


def test_a_scenario_of_a_battle_is_told_once():
    text = 'title = "duel"\nplayers = []\nmap = "..."\n[legend]\n'
    with pytest.raises(SceneFileError) as caught:
        parse_scene(text, "mine.toml")
    assert str(caught.value) == (
        "mine.toml: this looks like a scenario, for `brickphys scenario` and `brickphys play`"
    )


@pytest.mark.parametrize(
    "polygon", ["[22, 10], [23, 10], [23, 22], [22, 22]", "[22, 10], [23, 22]"]
)
def test_a_polygon_may_be_a_closed_ring(polygon):
    """As WKT, GeoJSON and shapely write it: its first corner is also its last one."""
    ring = "[22, 10], [23, 10], [23, 22], [22, 22]"
    closed = TEXT.replace(ring, f"{polygon}, [22, 10]")
    if polygon == ring:
        assert parse_scene(closed) == parse_scene(TEXT)
        assert parse_scene(closed).decor[0].heading_deg == 0.0
    else:
        with pytest.raises(SceneFileError, match="a polygon needs 3 corners, here are 2"):
            parse_scene(closed)


def test_a_fixture_takes_the_corners_of_shapely():
    corners = tuple(shapely.box(22, 10, 23, 22).exterior.coords)
    assert len(corners) == 5
    assert Fixture("wall", corners) == Fixture("wall", corners[:-1])
