"""The page of scenes, as the server sees it: every edit, what is refused, files, and what a tab keeps."""

from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from brickphys.vehicles.scene_edit import thing_of
from brickphys.vehicles.scene_file import parse_scene, read_scene
from brickphys.view.app.scene_fields import fault_words
from brickphys.view.app.scene_page import scene_page
from tests.view.visits import as_test, tells, visited

DOCS = Path(__file__).parents[3] / "docs"
SCENE = read_scene(DOCS / "crash.toml")


def on_page(check, scene=SCENE, kept=None):
    async def begun(visit):
        await visit.until(lambda: visit.shown)
        await check(visit)

    visited(lambda: scene_page(scene), begun, kept)


on_scene = as_test(on_page)
"""Let a visitor of the page do a test, once the scene is shown."""


def kept_scene(visit):
    (text,) = visit.kept.values()
    return parse_scene(text)


async def edited(visit, does):
    """Do something, wait until the picture has changed, and return the scene then."""
    count = len(visit.shown)
    does()
    await visit.until(lambda: len(visit.shown) > count)
    return kept_scene(visit)


def fault(visit):
    return next(one.text for one in visit.elements(ui.label) if one.props.get("role") == "alert")


def placed(visit, **detail):
    return lambda: visit.in_picture("placed", detail)


@pytest.mark.slow
@on_scene
async def test_the_scene_is_shown_with_its_hits_in_order(visit):
    (first,) = visit.shown
    assert first["arrange"]["chosen"] == "jeep"
    assert set(first["arrange"]["ids"]) == {one.id for one in SCENE.things}
    assert set(first["arrange"]["turns"]) == {"jeep", "truck", "tree", "wall"}
    tables = visit.html()
    places = [tables[0].index(name) for name in ("1. guard", "2. miller", "3. smith", "4. truck")]
    assert places == sorted(places)
    assert "17.0 studs</td><td>left</td><td>6" in tables[0]


@on_scene
async def test_things_are_dragged_and_turned_and_it_is_undone(visit):
    after = await edited(visit, placed(visit, id="truck", x=1.5, y=-2, deg=15))
    assert thing_of(after, "truck").centre_studs == (35.5, 17.0)
    assert thing_of(after, "truck").heading_deg == 95.0
    assert await edited(visit, lambda: visit.click("Undo")) == SCENE


@on_scene
async def test_a_scene_that_was_started_again_comes_back_by_undo(visit):
    mine = await edited(visit, lambda: visit.enter("Speed, points", 3))
    assert await edited(visit, lambda: visit.click("Start again")) == SCENE
    assert any("Undo brings yours back" in one for one in visit.user.notify.messages)
    assert await edited(visit, lambda: visit.click("Undo")) == mine


@pytest.mark.slow
@on_scene
async def test_fields_set_the_values_of_the_chosen_thing(visit):
    after = await edited(visit, lambda: visit.enter("Speed, points", 3))
    assert after.mover.speed == 3
    await edited(visit, lambda: visit.choose("Thing", "wall"))
    after = await edited(visit, lambda: visit.enter("Heading, degrees", 30))
    assert thing_of(after, "wall").heading_deg == pytest.approx(30.0)
    after = await edited(visit, lambda: visit.enter("Name", "fence", ui.input))
    assert thing_of(after, "fence").model == "wall"


@pytest.mark.slow
@on_scene
async def test_things_are_added_and_taken_out(visit):
    visit.choose("New", "vehicle tank")
    after = await edited(visit, lambda: visit.click("Add"))
    assert thing_of(after, "tank").model == "tank"
    assert visit.shown[-1]["arrange"]["chosen"] == "tank"
    after = await edited(visit, lambda: visit.click("Take out"))
    assert after == SCENE


@pytest.mark.slow
@on_scene
async def test_a_course_is_made_and_swept(visit):
    await edited(visit, lambda: visit.click("Add a turn"))
    after = await edited(visit, lambda: visit.enter("Turn, degrees", -20))
    assert [piece.turn_deg for piece in after.course] == [-20.0]
    after = await edited(visit, lambda: visit.click("Add a straight piece"))
    assert len(after.course) == 2
    visit.click("Crash as rigid bodies")
    await tells(visit.user, "driven for ")


IMPOSSIBLE = {
    ("Speed, points", 13): "speed of jeep: 13 is not from 0 to 12. The scene stays as it was.",
    ("Speed, points", 2.5): "2.5 is not a whole number",
    ("x, studs", None): "x, studs: a number is missing",
    ("x, studs", 1e9): "x of jeep: 1000000000.0 is not from",
    ("Field along x, studs", 0): "Field along x: 0.0 is not from",
    ("Width, studs", -1): "width of jeep: -1.0 is not from",
}
NONSENSE = (
    {},
    {"id": "ghost", "x": 1, "y": 1, "deg": 0},
    {"id": ["jeep"], "x": 1, "y": 1, "deg": 0},
    {"id": "jeep", "x": "1", "y": None, "deg": 0},
    {"id": "jeep", "x": float("nan"), "y": 0, "deg": 0},
    {"id": "jeep", "x": 1e300, "y": 0, "deg": 0},
    {"id": "guard", "x": 0, "y": 0, "deg": 15},
)


@pytest.mark.parametrize("mended", [8.0, 9.0], ids=["as it was", "another"])
@on_scene
async def test_a_fault_goes_when_the_number_is_right_or_something_else_is_done(visit, mended):
    await edited(visit, partial(visit.enter, "x, studs", None))
    await edited(visit, partial(visit.enter, "x, studs", mended))
    assert fault(visit) == ""
    await edited(visit, partial(visit.enter, "x, studs", None))
    visit.click("Crash as rigid bodies")
    await visit.until(lambda: fault(visit) == "")
    visit.click("Cancel")


@on_scene
async def test_a_wall_over_the_edge_of_the_field_is_told(visit):
    await edited(visit, placed(visit, id="wall", x=7.5, y=0, deg=0))
    await tells(visit.user, "Partly over the edge of the field: wall")


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("unit[0].id: 'a' is also the id of unit[1] (id 'a')", "id of a: 'a' is also the id of unit[1]"),
        ("decor[2]: outside the field of 48 x 32 studs (id 'wall')", "wall: outside the field of 48 x 32 studs"),
        ("move.piece[0].direction_deg: 1e9 is not from 0 to 1", "drift of piece 1: 1e9 is not from 0 to 1"),
    ],
)  # fmt: skip
def test_faults_are_told_in_the_words_of_the_fields(fault, told):
    assert fault_words(fault) == told


@on_scene
async def test_what_is_impossible_is_told_and_the_scene_stays(visit):
    for (label, value), said in IMPOSSIBLE.items():
        assert await edited(visit, partial(visit.enter, label, value)) == SCENE
        assert said in fault(visit)
    assert visit.one(ui.number, "x, studs").value == 8.0
    for detail in NONSENSE:
        placed(visit, **detail)()
    assert await edited(visit, lambda: visit.click("Start again")) == SCENE
    assert not visit.one(ui.button, "Undo").enabled
    assert not visit.user.notify.messages


async def sent(visit, name, content):
    await visit.open_file(".toml", name, content)


@on_scene
async def test_a_wrong_file_is_told_to_be_no_scene(visit):
    await sent(visit, "notes.txt", b"Dear all")
    await visit.until(lambda: fault(visit).startswith("This is not a saved scene: notes.txt: "))


@pytest.mark.slow
@on_scene
async def test_a_file_is_loaded_and_the_saved_file_is_the_same_scene(visit):
    course = read_scene(DOCS / "course.toml")
    await sent(visit, "course.toml", (DOCS / "course.toml").read_bytes())
    await visit.until(lambda: kept_scene(visit) == course)
    visit.click("Save")
    answer = await visit.user.download.next(timeout=60)
    assert parse_scene(answer.text) == course


MANY = b"".join(b'[[unit]]\nid = "u%d"\nx = 1\ny = 1\n' % number for number in range(400))
FOREIGN = {
    b"": "field: missing",
    b"\xff\xfe": "UTF-8",
    b"GIF89a": "TOML",
    b"[field]\nwidth = 3\n": "field.height: missing",
    b"a = " + 400 * b"[" + 400 * b"]": "within each other",
    600_000 * b"#": "at most 0.5 MB",
    (DOCS / "crash.toml").read_bytes() + MANY: "more than the 300",
}


@pytest.mark.slow
@on_scene
async def test_a_foreign_file_is_refused_in_one_line_and_the_scene_stays(visit):
    for content, said in FOREIGN.items():
        await sent(visit, "foreign.toml", content)
        await visit.until(lambda said=said: said in fault(visit))
        assert "\n" not in fault(visit)
        assert kept_scene(visit) == SCENE


@pytest.mark.slow
def test_a_tab_goes_on_with_its_scene_after_the_server_was_away():
    kept = {}

    async def edit(visit):
        await edited(visit, placed(visit, id="guard", x=2, y=0, deg=0))

    async def look(visit):
        assert thing_of(kept_scene(visit), "guard").x_studs == 19.5

    async def look_in_another_tab(visit):
        assert kept_scene(visit) == SCENE

    on_page(edit, kept=kept)
    on_page(look, kept=kept)
    on_page(look_in_another_tab)


@pytest.mark.slow
def test_nonsense_that_a_tab_has_kept_is_not_taken():
    kept = {}

    async def nothing(visit):
        pass

    async def look(visit):
        assert kept_scene(visit) == SCENE
        assert "what this tab has kept" in fault(visit)

    on_page(nothing, kept=kept)
    on_page(look, kept=dict.fromkeys(kept, "[field]"))


@pytest.mark.slow
@on_scene
async def test_a_crash_is_shown_and_another_one_is_cancelled(visit):
    count = len(visit.shown)
    visit.click("Crash as rigid bodies")
    await visit.until(lambda: len(visit.shown) > count)
    await tells(visit.user, "jeep as bodies, at 0.6 m/s: driven for ")
    assert visit.shown[-1]["arrange"] is None
    visit.click("Crash as rigid bodies")
    await visit.until(lambda: visit.one(ui.button, "Cancel").visible)
    visit.click("Cancel")
    await tells(visit.user, "Cancelled.")
