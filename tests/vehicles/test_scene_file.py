"""Scene files: every fault with its key path, and nothing lost on the way to a file and back."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError, SceneFileError
from brickphys.vehicles.scene import Decor, Field, Scene, Unit, Vehicle
from brickphys.vehicles.scene_file import parse_scene, read_scene, scene_text
from brickphys.vehicles.sectors import Scheme

TEXT = """
[field]
width = 48
height = 32
[move]
vehicle = "jeep"
[[vehicle]]
id = "jeep"
x = 10.0
y = 16.0
heading_deg = 0.0
length = 10.0
width = 6.0
speed = 2
[[vehicle]]
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
    assert [(t.bottom_plates, t.top_plates) for _, _, t in scene.things()] == [
        (0.0, 12.5),
        (0.0, 15.0),
        (0.0, 9.0),
        (0.0, 9.0),
    ]
    assert scene.vehicles[1].speed == 0


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("speed = 2", "spede = 2", "vehicle[0].spede: unknown key, did you mean 'speed'?"),
        ("speed = 2", "speed = 13", "vehicle[0].speed: 13 should be less than or equal to 12"),
        ("speed = 2", "speed = 2.5", "vehicle[0].speed: 2.5 should be a valid integer"),
        ("speed = 2", "speed = 2.0", "vehicle[0].speed: 2.0 should be a valid integer"),
        ("speed = 2", "speed = true", "vehicle[0].speed: True should be a valid integer"),
        ("speed = 2", "speed = -1", "vehicle[0].speed: -1 should be greater than or equal to 0"),
        ('id = "peasant"\n', "", "unit[0].id: missing"),
        ('"peasant"', '"wall"', "decor[0].id: 'wall' is also the id of unit[0]"),
        ('"truck"', '"jeep"', "vehicle[1].id: 'jeep' is also the id of vehicle[0]"),
        ('vehicle = "jeep"', 'vehicle = "jep"', "move.vehicle: unknown vehicle 'jep': did you"),
        ('vehicle = "jeep"', 'vehicle = "wall"', "move.vehicle: unknown vehicle 'wall'"),
        ("x = 18.5", "x = nan", "unit[0].x: nan should be a finite number"),
        ("x = 18.5", "x = 48.5", "unit[0]: outside the field of 48 x 32 studs"),
        ("x = 18.5", 'x = "18"', "unit[0].x: '18' should be a valid number"),
        ("x = 30.0", "x = -1", "vehicle[1]: outside the field"),
        (
            "[23, 22], [22, 22]",
            "[22, 22], [23, 22]",
            "decor[0].polygon: its edges cross or run back over each other",
        ),
        ("[22, 10], [23, 10], ", "", "decor[0].polygon: a polygon needs 3 corners, here are 2"),
        ("[23, 22]", "[23, 10]", "decor[0].polygon: corner 1 lies on the next one"),
        ("[23, 22]", "[23]", "decor[0].polygon[2]: "),
        (
            "[22, 10], [23, 10], [23, 22], [22, 22]",
            "[48, 1], [49, 1], [49, 2]",
            "decor[0]: outside",
        ),
        ("length = 10.0", "length = -10.0", "vehicle[0].length: -10.0 should be greater"),
        ("length = 10.0", "length = 0", "vehicle[0].length: 0 should be greater"),
        ("width = 48", "width = inf", "field.width: inf should be a finite number"),
        ("[field]\nwidth = 48\nheight = 32\n", "", "field: missing"),
        ('[move]\nvehicle = "jeep"\n', "", "move: missing"),
        (
            'vehicle = "jeep"',
            'vehicle = "jeep"\nsectors = "round"',
            "move.sectors: 'round' is none",
        ),
        ("[[decor]]", "[[dekor]]", "dekor: unknown key, did you mean 'decor'?"),
        ("[[unit]]", "[unit]", "unit: "),
        ("speed = 2", "bottom = 9", "vehicle[0].top: 9 is not above bottom, 9"),
        ("[field]", "[field", "not TOML"),
    ],
)
def test_every_fault_is_named_with_its_place(old, new, fault):
    assert old in TEXT
    with pytest.raises(SceneFileError) as error:
        parse_scene(TEXT.replace(old, new, 1))
    assert fault in str(error.value)


def test_faults_of_all_kinds_are_listed_together():
    text = TEXT
    for old, new in [
        ("speed = 2", "spede = 2"),
        ("x = 18.5", "x = nan"),
        ('"truck"', '"wall"'),
        ("x = 30.0", "x = 300.0"),
        ('vehicle = "jeep"', 'vehicle = "horse"'),
        ("[23, 22]", "[22.5, 12]"),
    ]:
        text = text.replace(old, new, 1)
    with pytest.raises(SceneFileError) as error:
        parse_scene(text, "my.toml")
    for fault in ("my.toml: ", "spede", "unit[0].x", "polygon", "vehicle[1]: outside", "'horse'"):
        assert fault in str(error.value)


def test_file_that_is_not_there(tmp_path):
    with pytest.raises(SceneFileError, match="No such file"):
        read_scene(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SceneFileError, match=r"binary\.toml"):
        read_scene(tmp_path / "binary.toml")


ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
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
    decor = Decor(names[2], ((x, y), (x + 3, y), (x, y + 2)), low, high)
    return Scene(
        Field(40.0, 40.0), car.id, (car,), (unit,), (decor,), draw(st.sampled_from(Scheme))
    )


@given(scenes())
def test_scene_written_and_read_is_the_same(scene):
    assert parse_scene(scene_text(scene)) == scene


def test_scene_made_in_python_is_checked_likewise():
    with pytest.raises(InvalidValueError, match=r"vehicle\[0\].speed: 13 is not from 0 to 12"):
        Scene(Field(40, 40), "a", (Vehicle("a", 1, 1, 0, 4, 2, speed=13),))
    with pytest.raises(InvalidValueError, match=r"unit\[0\]: outside the field of 40 x 40 studs"):
        Scene(Field(40, 40), "a", (Vehicle("a", 1, 1, 0, 4, 2),), (Unit("u", 41, 1),))


def test_command_line_says_the_faults_in_one_line_and_writes_no_picture(tmp_path):
    scene, picture = tmp_path / "scene.toml", tmp_path / "scene.png"
    scene.write_text(TEXT.replace("speed = 2", "spede = 2"))
    result = subprocess.run(
        [sys.executable, "-m", "brickphys", "collide", str(scene), "--plot", str(picture)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "did you mean 'speed'?" in result.stderr
    assert not picture.exists()
