"""Models in scene files: sizes by default, names that are checked, and nothing lost on the way."""

import pytest

from brickphys.errors import SceneFileError
from brickphys.shapes.assembly import assembly
from brickphys.vehicles.scene_file import parse_scene, scene_text
from tests.jeep_scene import jeep_scene

JEEP = jeep_scene('model = "jeep"\n')
TEXT = f"""{JEEP}[[vehicle]]
id = "flyer"
model = "snowspeeder"
x = 30.0
y = 16.0
heading_deg = 0.0
length = 11.0
[[unit]]
id = "peasant"
model = "minifig"
x = 18.5
y = 16.0
[[decor]]
id = "wall"
model = "wall"
polygon = [[22, 10], [23, 10], [23, 22], [22, 22]]
"""


def test_sizes_are_those_of_the_model_unless_given():
    jeep, flyer = parse_scene(TEXT).vehicles
    built = assembly("jeep")
    sizes = (jeep.length_studs, jeep.width_studs, jeep.bottom_plates, jeep.top_plates)
    assert sizes == (built.length_studs, built.width_studs, 0.0, built.top_plates)
    assert (flyer.length_studs, flyer.width_studs) == (11.0, 8.0)
    assert (flyer.bottom_plates, flyer.top_plates) == (13.0, 19.0)


def test_models_survive_the_way_to_a_file_and_back():
    scene = parse_scene(TEXT)
    assert parse_scene(scene_text(scene)) == scene
    assert [thing.model for thing in scene.things] == ["minifig", "wall", "jeep", "snowspeeder"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            '"snowspeeder"',
            '"snowspeder"',
            "vehicle[1].model: unknown model of a vehicle 'snowspeder'",
        ),
        ('"snowspeeder"', '"tree"', "vehicle[1].model: unknown model of a vehicle 'tree'"),
        ('"minifig"', '"jeep"', "unit[0].model: unknown model of a figure 'jeep'"),
        ('model = "wall"', 'model = "jeep"', "decor[0].model: unknown model of a decor 'jeep'"),
        ('model = "jeep"', "", "vehicle[0].length: missing"),
        ('model = "jeep"', "model = 3", "vehicle[0].model: 3 should be a valid string"),
    ],
)
def test_faults_are_told_with_their_place(old, new, fault):
    with pytest.raises(SceneFileError) as raised:
        parse_scene(TEXT.replace(old, new, 1))
    assert fault in str(raised.value)
