"""The picture in a browser: names beside units, units behind scenery, and a camera that keeps who acts in sight."""

from base64 import b64decode
from io import BytesIO
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from brickphys.battles.battle import play
from brickphys.view.battle import LiveBattle
from brickphys.view.document import write_page

pytestmark = pytest.mark.slow
NAMES = """() => [...document.querySelectorAll(".tags .tag:not([hidden])")].map((span) => {
    const { left, top, right, bottom } = span.getBoundingClientRect();
    return [left, top, right, bottom];
})"""
GROUND = """() => {
    const { picture, things, tags } = player;
    return tags.tagged.map(({ thing }) => picture.pixel(things.placeOf(thing.id))).map(({ x, y }) => [
        x / picture.element.clientWidth, y / picture.element.clientHeight,
    ]);
}"""
SEEN = """(place) => {
    const { picture } = player;
    const { x, y } = picture.camera.position.clone().set(...place).project(picture.camera);
    return Math.max(Math.abs(x), Math.abs(y));
}"""
ATTEND = (
    "(place) => player.picture.glide.attend(player.picture.camera.position.clone().set(...place))"
)
AT_REST = "player.picture.glide.to === undefined"
SHADES = """(shown) => player.picture.scene.traverse((one) => {
    if (one.userData.isShade) one.visible = shown;
})"""
CANVAS = "() => { player.picture.paint(); return player.picture.canvas.toDataURL(); }"
FAR = [4.0, 4.0, 0.0]
"""A corner of the field, in mm."""


def opening(tmp_path, name, setup):
    """Write the page of a battle as it is when its first player is asked."""
    played = play(name, setup, "random", seed=3, max_steps=1)
    live = LiveBattle(played.game, played.record, None, "a battle")
    return write_page(live.whole(), tmp_path / f"{setup}.html")


@pytest.mark.parametrize(
    ("name", "setup", "share"),
    [
        ("bow", "skirmish", 1.0),
        ("minifig", "siege", 1.0),
        ("minifig", "skirmish", 0.7),
        ("blade_and_bow", "plataea", 0.7),
        ("pirate_wars", "two_against_two", 1.0),
    ],
)
def test_at_first_names_avoid_each_other_and_units_fill_the_picture(
    opened, tmp_path, name, setup, share
):
    page = opened(opening(tmp_path, name, setup), viewport={"width": 1280, "height": 800}).page
    page.wait_for_function("globalThis.player")
    names = page.evaluate(NAMES)
    for one, other in combinations(names, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    places = page.evaluate(GROUND)
    assert len(names) >= share * len(places)
    assert all(0 < x < 1 and 0 < y < 1 for x, y in places)
    widths = [max(axis) - min(axis) for axis in zip(*places, strict=True)]
    assert max(widths) > 0.55


def shaded(page):
    """Return how many pixels clearly differ where units are drawn through what stands before them, and where not."""
    seen = []
    for shown in (True, False):
        page.evaluate(SHADES, shown)
        png = b64decode(page.evaluate(CANVAS).partition(",")[2])
        seen.append(np.asarray(Image.open(BytesIO(png)).convert("RGB"), int))
    return int((np.abs(seen[0] - seen[1]).sum(axis=2) > 90).sum())


def test_a_unit_behind_a_house_is_seen_through_it(opened, tmp_path):
    page = opened(opening(tmp_path, "bow", "chase"), viewport={"width": 1280, "height": 800}).page
    page.wait_for_function("globalThis.player")
    assert shaded(page) > 200


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_camera_keeps_who_acts_in_sight_unless_it_was_just_moved(opened, tmp_path, motion):
    path = opening(tmp_path, "bow", "skirmish")
    page = opened(path, viewport={"width": 1280, "height": 800}, reduced_motion=motion).page
    page.wait_for_function("globalThis.player")
    page.evaluate("player.picture.zoom(3)")
    assert page.evaluate(SEEN, FAR) > 1
    page.evaluate(ATTEND, FAR)
    assert page.evaluate(AT_REST)
    assert page.evaluate(SEEN, FAR) > 1
    page.evaluate("player.picture.glide.restedMs = -1e6")
    at_once = page.evaluate(f"(place) => {{ ({ATTEND})(place); return ({SEEN})(place); }}", FAR)
    assert (at_once < 0.65) == (motion == "reduce")
    page.wait_for_function(AT_REST)
    assert page.evaluate(SEEN, FAR) < 0.65
    page.evaluate(
        "player.picture.glide.isOn = false; player.picture.glide.attend(player.picture.controls.target)"
    )
    assert page.evaluate(AT_REST)
