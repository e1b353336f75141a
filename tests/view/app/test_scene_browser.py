"""A scene is put together in a real browser: by the mouse, by keys, and it crashes."""

from pathlib import Path

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from benchmarks.app_server import served
from brickphys.vehicles.scene_edit import thing_of
from brickphys.vehicles.scene_file import parse_scene
from tests.view.browser_tab import tab, wait_until

DOCS = Path(__file__).parents[3] / "docs"
PIXEL = """(id) => {
    const box = player.picture.canvas.getBoundingClientRect();
    const place = player.things.placeOf(arrange.chosen);
    if (id === "knob") arrange.knob.getWorldPosition(place);
    else player.things.placeOf(id, place);
    const { x, y } = player.picture.pixel(place);
    return [box.left + x, box.top + y];
}"""
KEPT = (
    "sessionStorage.getItem(Object.keys(sessionStorage).find((key) => key.startsWith('brickphys')))"
)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address():
    with served(DOCS / "crash.toml") as found:
        yield found


@pytest.fixture
def page(browser, address):
    with tab(browser) as found:
        found.goto(f"{address}/file", wait_until="domcontentloaded")
        found.wait_for_function("globalThis.arrange !== undefined")
        yield found


def kept(page):
    return parse_scene(page.evaluate(KEPT))


def changed(page, does):
    """Do something, wait until the picture has changed, and return the scene then."""
    page.evaluate("globalThis.before = globalThis.player")
    does()
    page.wait_for_function("globalThis.player !== globalThis.before && globalThis.arrange")
    return kept(page)


def drag(page, what, right, down):
    x, y = page.evaluate(PIXEL, what)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right / 2, y + down / 2)
    page.mouse.move(x + right, y + down)
    page.mouse.up()


def test_a_figure_is_dragged_out_of_the_way(page):
    before = kept(page)
    camera = page.evaluate("player.picture.camera.position.toArray()")
    after = changed(page, lambda: drag(page, "miller", 60, 40))
    (x, y), (old_x, old_y) = (thing_of(one, "miller").centre_studs for one in (after, before))
    assert x > old_x + 1
    assert y < old_y - 1
    assert [thing for thing in after.things if thing.id != "miller"] == [
        thing for thing in before.things if thing.id != "miller"
    ]
    assert page.get_by_role("rowheader", name="miller").count() == 0
    assert page.evaluate("player.picture.camera.position.toArray()") == camera
    assert page.troubles == []


def test_a_vehicle_is_turned_by_its_knob(page):
    after = changed(page, lambda: drag(page, "knob", 0, -90))
    assert after.mover.heading_deg > 20
    assert after.mover.centre_studs == (8.0, 14.0)


def test_the_frame_turns_and_drives_with_the_chosen_vehicle(page):
    jeep, frame = "player.things.nodes.get('jeep').node", "arrange.signs.children[0]"
    corners = f"[...{frame}.box.min.toArray(), ...{frame}.box.max.toArray()]"
    before = page.evaluate(corners)
    changed(page, lambda: drag(page, "knob", 0, -90))
    assert page.evaluate(corners) == pytest.approx(before)
    page.evaluate("player.clock.seek(player.clock.endMs)")
    page.evaluate("player.picture.paint()")
    way = f"{jeep}.position.distanceTo({frame}.parent.getWorldPosition({jeep}.position.clone()))"
    assert page.evaluate(way) == pytest.approx(0.0)
    assert page.troubles == []


def test_everything_goes_by_keys(page):
    canvas = page.get_by_role("img")
    canvas.focus()
    page.keyboard.press("PageDown")
    page.wait_for_function("arrange.chosen === 'miller' || arrange.chosen === 'truck'")
    name = page.evaluate("arrange.chosen")
    before = thing_of(kept(page), name)

    for key in ("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowUp"):
        page.keyboard.press(key)
    x, y = before.x_studs + 1.0, before.y_studs + 0.5
    wait_until(page, lambda: thing_of(kept(page), name).centre_studs == (x, y))
    assert canvas.evaluate("one => one === document.activeElement")
    speed = page.get_by_role("spinbutton", name="x, studs", exact=True)
    speed.focus()
    moved = thing_of(changed(page, lambda: speed.press("ArrowUp")), name)
    assert moved.x_studs == x + 0.5
    assert speed.evaluate("one => one === document.activeElement")
    assert page.troubles == []


def test_the_move_is_made_by_rigid_bodies_and_the_scene_comes_back(page):
    page.get_by_role("button", name="Crash as rigid bodies").click()
    page.wait_for_function("player.recording.is_physical")
    page.get_by_role("img").press("End")
    assert "Knocked over: guard, miller, smith" in page.locator(".caption").inner_text()
    page.get_by_role("button", name="Back to the scene").click()
    page.wait_for_function("globalThis.arrange && !player.recording.is_physical")
    assert page.troubles == []


def test_a_file_is_loaded_and_saved(page):
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Load a scene file").click()
    changed(page, lambda: chooser.value.set_files(DOCS / "course.toml"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a scene file").click()
    saved = Path(download.value.path()).read_text()
    assert parse_scene(saved) == parse_scene((DOCS / "course.toml").read_text())


def test_a_page_says_that_its_server_is_away_and_goes_on_when_it_is_back(browser):
    with tab(browser) as page:
        with served() as address:
            page.goto(f"{address}/scene", wait_until="domcontentloaded")
            page.wait_for_function("globalThis.arrange !== undefined")
            edited = changed(
                page, lambda: page.get_by_role("button", name="Add", exact=True).click()
            )
        page.get_by_role("alert").get_by_text("Connection lost").wait_for()
        with served(port=int(address.rpartition(":")[2])) as again:
            assert again == address
            page.wait_for_function("globalThis.arrange !== undefined && arrange.ids.has('figure')")
            assert kept(page) == edited
