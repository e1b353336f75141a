"""The page on vehicles shows a scene that can be read, and the faults of one that cannot."""

import re
from pathlib import Path

import pytest

from brickphys.errors import SceneFileError
from brickphys.vehicles.course import resolve
from brickphys.vehicles.scene import PivotTurn, Straight
from brickphys.vehicles.scene_file import parse_scene, read_scene

PAGE = (Path(__file__).parents[2] / "docs" / "vehicles.md").read_text()
SCENE, COURSE = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
(FAULTS,) = re.findall(r"```\nbrickphys: (scene\.toml: .*?)\n```", PAGE)


def test_the_scene_of_the_page_is_one() -> None:
    move = resolve(parse_scene(SCENE))
    assert (move.stopped_by, move.travelled_studs) == (("wall",), 7.0)


def test_the_course_of_the_page_is_one() -> None:
    course = parse_scene(SCENE + COURSE).course
    assert course == (Straight(8.0), PivotTurn(60.0, (-4.0, 0.0)), Straight(6.0, 20.0))
    picture = read_scene(Path(__file__).parents[2] / "docs" / "course.toml")
    assert picture.course[:3] == course
    assert picture.lashed == ("prize",)


def test_faults_are_listed_as_the_page_shows() -> None:
    spoilt = SCENE.replace("speed = 2", "speed = 13").replace("[2", "[52")
    with pytest.raises(SceneFileError) as error:
        parse_scene(spoilt, "scene.toml")
    assert str(error.value) == FAULTS
