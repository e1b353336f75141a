"""Pages in a real browser, opened from disk: they play, are scrubbed by keys, and report no error."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.command_line import brickphys

DOCS = Path(__file__).parents[2] / "docs"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def throw_page(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "throw.html"
    assert brickphys("drop", "2x2", "--throws", "40", "--seed", "2", "--html", path).returncode == 0
    return path


@pytest.fixture(scope="module")
def duel_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    words = ("play", "bow", "duel", "--bots", "random", "--seed", "7", "--max-steps", "60")
    assert brickphys(*words, "--html", folder / "duel.html").returncode == 0
    return folder / "duel.html"


def ready(opened):
    opened.page.wait_for_function("globalThis.player !== undefined")
    return opened.page


def clock(page):
    return page.evaluate("player.clock.ms")


def test_a_page_from_disk_plays_and_asks_for_nothing(opened, throw_page):
    one = opened(throw_page)
    page = ready(one)
    page.get_by_role("button", name="Play").last.click()
    page.wait_for_function("player.clock.ms > 50")
    page.keyboard.press("Space")
    assert not page.evaluate("player.clock.isRunning")
    assert one.troubles == []
    assert [url for url in one.asked if not url.startswith(("file:", "data:"))] == []


def test_what_is_heard_is_what_touches_and_nothing_until_it_is_wanted(opened, throw_page):
    page = ready(opened(throw_page))
    recording, times = page.evaluate("[player.recording, player.sound.times]")
    touches = [one["ms"] for one in recording["events"] if one["text"].startswith("Touch")]
    assert abs(times[0] - touches[0]) <= 8  # a picture before it; in the air nothing is heard
    assert all(min(abs(ms - touch) for touch in touches) <= 8 for ms in times)
    for is_wanted in (False, True):
        page.reload()  # a browser remembers it
        page.wait_for_function("globalThis.player !== undefined")
        sound = page.get_by_role("button", name="Sound on or off")
        assert sound.get_attribute("aria-pressed") == str(is_wanted).lower()
        page.get_by_role("button", name="Play").last.click()
        page.wait_for_function("(ms) => player.clock.ms > ms", arg=times[0] + 50)
        assert page.evaluate("player.sound.context !== undefined") == is_wanted
        page.keyboard.press("m")


def test_keys_scrub_through_the_events(opened, duel_page):
    page = ready(opened(duel_page))
    times = page.evaluate("player.recording.events.map((event) => event.ms)")
    for expected in times[1:4]:
        page.keyboard.press("ArrowRight")
        assert clock(page) == expected
    page.keyboard.press("ArrowLeft")
    assert clock(page) == times[2]
    page.keyboard.press("End")
    assert clock(page) == page.evaluate("player.clock.endMs")
    page.keyboard.press("Home")
    assert clock(page) == 0


def test_the_caption_and_the_story_follow_the_time(opened, duel_page):
    page = ready(opened(duel_page))
    line = page.locator(".lines button").nth(3)
    line.click()
    assert line.get_attribute("aria-current") == "step"
    assert line.inner_text() in page.locator(".caption p").first.inner_text()


def test_a_screen_reader_hears_a_heading_once_and_each_event_below_it_alone(opened, duel_page):
    page = ready(opened(duel_page))
    page.keyboard.press("Home")
    heard = [
        page.evaluate("(ms) => (player.go(ms), player.story.spoken.textContent)", ms)
        for ms in page.evaluate("player.story.times")
    ]
    events = page.evaluate("player.recording.events")
    for said, before, event in zip(heard[1:], events, events[1:], strict=False):
        assert said.endswith(event["text"])
        is_new = event["heading"] and event["heading"] != before["heading"]
        assert said.startswith(event["heading"]) if is_new else said == event["text"]


def test_the_body_in_the_picture_is_where_the_engine_has_it(opened, throw_page):
    page = ready(opened(throw_page))
    found = page.evaluate(
        """() => {
            const { recording, things, clock } = player;
            const { thing, node } = things.nodes.get("body 0");
            return thing.ms.map((ms, number) => {
                clock.seek(ms);
                const want = [0, 1, 2].map((axis) => thing.at[3 * number + axis] * recording.step_mm);
                return Math.max(...node.position.toArray().map((value, axis) => Math.abs(value - want[axis])));
            });
        }"""
    )
    assert max(found) < 1e-6


def test_something_is_seen(opened, throw_page):
    page = ready(opened(throw_page))
    page.wait_for_function("player.picture.renderer.info.render.triangles > 0")
    colours = page.evaluate(
        """() => {
            const { renderer, scene, camera } = player.picture;
            renderer.render(scene, camera);
            const gl = renderer.getContext();
            const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
            const pixels = new Uint8Array(4 * width * height);
            gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
            const seen = new Set();
            for (let n = 0; n < pixels.length; n += 4) seen.add(pixels.slice(n, n + 3).join());
            return seen.size;
        }"""
    )
    assert colours > 100


def test_the_camera_turns_and_zooms_by_keys_and_by_the_mouse(opened, throw_page):
    page = ready(opened(throw_page))
    place = "player.picture.camera.position.toArray()"
    before = page.evaluate(place)
    for key in ("d", "w", "q"):
        page.keyboard.press(key)
    by_keys = page.evaluate(place)
    assert by_keys != before
    box = page.locator(".picture canvas").bounding_box()
    page.mouse.move(box["x"] + 50, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 150, box["y"] + 80)
    page.mouse.up()
    assert page.evaluate(place) != by_keys


def test_who_looks_elsewhere_knows_at_once_where_things_are(opened, throw_page):
    """A finger may come before the next frame is drawn."""
    page = ready(opened(throw_page))
    at_once, drawn = page.evaluate(
        """() => {
            const { picture, things } = player;
            const where = () => Object.values(picture.pixel(things.placeOf("body 0")));
            player.look(player.recording.views.length - 1);
            const atOnce = where();
            picture.paint();
            return [atOnce, where()];
        }"""
    )
    assert at_once == drawn


def test_the_wheel_zooms_only_after_a_click_in_the_picture_or_with_ctrl(opened, throw_page):
    page = ready(opened(throw_page))
    turn = """(ctrlKey) => {
        const { canvas, camera } = player.picture;
        const before = camera.position.toArray().join();
        const event = new WheelEvent("wheel", { deltaY: 100, ctrlKey, bubbles: true, cancelable: true });
        canvas.dispatchEvent(event);
        return [event.defaultPrevented, camera.position.toArray().join() !== before];
    }"""
    assert page.evaluate(turn, False) == [False, False]
    assert page.evaluate(turn, True) == [True, True]
    page.locator(".picture canvas").click(position={"x": 50, "y": 250})
    assert page.evaluate(turn, False) == [True, True]


def test_a_line_of_the_story_leads_to_the_body_after_somebody_has_zoomed(opened, throw_page):
    page = ready(opened(throw_page))
    page.evaluate("player.picture.isMoved = true")
    place = "player.picture.camera.position.toArray()"
    before = page.evaluate(place)
    line = page.locator(".lines button", has_text="Touch 2")
    line.click()
    assert page.evaluate(place) == before
    page.evaluate("player.picture.orbit(100, 0); player.picture.zoom(50)")
    page.evaluate("player.picture.controls.target.x += 2000; player.picture.controls.update()")
    line.click()
    assert page.evaluate("player.picture.sees(player.things.placeOf('body 0'))")


NAMED = """(number) => {
    const { recording, picture } = player;
    player.look(number);
    picture.camera.updateMatrixWorld();
    player.tags.show();
    const unit = recording.ruler.unit * recording.step_mm;
    const point = picture.controls.target.clone();
    const where = (axis, number, across) => {
        const at = [across * recording.ruler[axis ? "width" : "length"] * unit, (number + 0.5) * unit];
        return picture.pixel(point.set(at[1 - axis], at[axis], 0));
    };
    return [...document.querySelectorAll(".place:not([hidden])")].map((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        const box = document.querySelector(".picture").getBoundingClientRect();
        const key = [...player.tags.spans].find(([, { node }]) => node === one)[0];
        const axis = Number(key.split(" ")[1]);
        const [near, far] = [0, 1].map((across) => where(axis, Number(one.textContent), across));
        const [x, y] = [left - box.left + width / 2, top - box.top + height / 2];
        // how far beside the line between the ends of its column or row
        const [a, b] = [far.x - near.x, far.y - near.y];
        return [axis, Math.abs((x - near.x) * b - (y - near.y) * a) / Math.hypot(a, b)];
    });
}"""


def test_the_numbers_at_the_edges_are_in_line_with_their_studs_in_every_view(opened, duel_page):
    page = ready(opened(duel_page))
    for number in range(page.evaluate("player.recording.views.length")):
        found = page.evaluate(NAMED, number)
        assert {axis for axis, _ in found} == {0, 1}
        assert max(away for _, away in found) < 2  # pixels


def test_the_compass_turns_with_the_camera(opened, duel_page):
    page = ready(opened(duel_page))
    names = page.evaluate("player.recording.views.map((view) => view.name)")
    place = """([view, side]) => {
        player.look(view);
        player.tags.show();
        const one = [...document.querySelectorAll(".compass .side")].find((one) => one.textContent === side);
        return ["x", "y"].map((axis) => Math.round(Number(one.getAttribute(axis)) / 10));
    }"""
    for view, side, expected in (
        ("from the south", "N", [0, -2]),
        ("from the south", "E", [2, 0]),
        ("from the north", "N", [0, 2]),
        ("from the west", "N", [-2, 0]),
    ):
        assert page.evaluate(place, [names.index(view), side]) == expected


CROWD = """() => {
    const { tags } = player;
    const over = (one, other) =>
        one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
    const boxes = tags.written.filter(({ thing }) => thing);
    const covers = ({ thing, box }) => tags.bodies.some((other) => other.thing !== thing && over(box, other.box));
    const hidden = tags.bodies.filter(({ thing }) => !boxes.some((one) => one.thing === thing));
    return { written: boxes.length, covering: boxes.filter(covers).length, hidden: hidden.map(({ box }) => box) };
}"""


def test_names_cover_no_figures_in_a_crowd_and_that_under_the_pointer_is_told(opened, tmp_path):
    path = tmp_path / "crowd.html"
    words = ("play", "minifig", "skirmish", "--bots", "random", "--seed", "7", "--max-steps", "20")
    assert brickphys(*words, "--html", path).returncode == 0
    page = ready(opened(path, **PHONE))
    found = page.evaluate(CROWD)
    assert found["written"] > 3
    assert found["covering"] == 0
    picture = page.locator(".picture").bounding_box()
    left, top, right, low = found["hidden"][0]
    page.mouse.move(picture["x"] + (left + right) / 2, picture["y"] + (top + low) / 2)
    page.wait_for_function(
        "player.tags.pointed && player.tags.written.some(({ thing }) => thing === player.tags.pointed)"
    )


def test_the_curve_of_a_throw_has_its_values_times_and_barrier_at_its_edges(opened, throw_page):
    page = ready(opened(throw_page))
    assert page.locator(".plot .level").count() >= 3
    assert page.locator(".plot .level").first.inner_text().endswith(" mm")
    assert page.locator(".plot .moment").first.inner_text() == "0 s"
    assert page.locator(".plot .limit-name").inner_text() == "barrier"
    boxes = [one.bounding_box() for one in page.locator(".plot .level").all()]
    assert all(low["y"] - high["y"] > 9 for high, low in pairwise(boxes))


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "narrow"])
def test_the_curve_stays_to_the_end_covers_nothing_and_tells_when_it_crosses_the_barrier(
    opened, throw_page, options
):
    page = ready(opened(throw_page, **options))
    decided = page.evaluate("player.recording.events.find((one) => one.text.startsWith('Decided'))")
    page.evaluate("player.clock.seek(player.clock.endMs)")
    curve, picture, plot, name = (
        page.locator(one).bounding_box()
        for one in (".gauge", ".picture", ".plot", ".plot .limit-name")
    )
    assert curve["x"] >= picture["x"] + picture["width"] or (
        curve["y"] >= picture["y"] + picture["height"]
    )
    assert name["x"] > plot["x"] + plot["width"]
    told = page.locator(".gauge figcaption").inner_text()
    assert told.endswith(f"below from {decided['ms'] / 1000:.2f} s")
    assert page.locator(".gauge line.below").count() == 1


def test_the_keys_stand_in_the_middle_of_the_page(opened, duel_page):
    page = ready(opened(duel_page))
    page.keyboard.press("?")
    box, size = page.get_by_role("dialog").bounding_box(), page.viewport_size
    assert abs(box["x"] + box["width"] / 2 - size["width"] / 2) < 2
    assert abs(box["y"] + box["height"] / 2 - size["height"] / 2) < 2
    words = page.get_by_role("dialog").get_by_role("heading").bounding_box()
    assert words["x"] - box["x"] > 12


def test_every_control_has_a_name_and_every_view_is_shown(opened, duel_page):
    one = opened(duel_page)
    page = ready(one)
    for number in range(page.evaluate("player.recording.views.length")):
        page.keyboard.press(str(number + 1))
    names = page.locator("button, select, input").evaluate_all(
        "all => all.map((one) => one.getAttribute('aria-label') || one.textContent.trim())"
    )
    assert all(names)
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    assert one.troubles == []


def test_a_phone_shows_it_without_a_bar_below(opened, duel_page):
    one = opened(duel_page, **PHONE)
    page = ready(one)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".picture").bounding_box()["height"] > 250
    assert one.troubles == []


def test_without_webgl_the_story_stays(opened, duel_page, tmp_path):
    text = duel_page.read_text()
    broken = "<script>HTMLCanvasElement.prototype.getContext = () => null;</script>\n<header>"
    path = tmp_path / "without.html"
    path.write_text(text.replace("<header>", broken, 1))
    page = opened(path).page
    page.wait_for_selector("#missing:not([hidden])")
    assert page.locator("#text li").count() > 5


@pytest.fixture(scope="module")
def judged_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    duel = ("play", "pirate_wars", "duel", "--bots", "random", "--seed", "1")
    assert brickphys(*duel, "--replay", folder / "duel.jsonl").returncode == 0
    words = ("replay", folder / "duel.jsonl", "--analyse", "--bot", "easy")
    assert brickphys(*words, "--html", folder / "duel.html").returncode == 0
    return folder / "duel.html"


@pytest.mark.parametrize("how", [{}, PHONE], ids=["desk", "phone"])
def test_a_click_on_the_chance_to_win_leads_to_what_happened_then(opened, judged_page, how):
    one = opened(judged_page, **how)
    page = ready(one)
    chances = page.evaluate("player.recording.chances")
    plot = page.locator(".chances-plot")
    box, end = plot.bounding_box(), page.evaluate("player.clock.endMs")
    number = len(chances["ms"]) // 2
    middle = sum(chances["ms"][number : number + 2]) / 2
    plot.click(position={"x": box["width"] * middle / end, "y": box["height"] - 4})
    assert clock(page) == chances["ms"][number]
    told = [f"{one['name']} {100 * one['values'][number]:.0f} %" for one in chances["lines"]]
    assert page.locator(".chances figcaption").inner_text() == f"Chance to win: {', '.join(told)}"
    assert one.troubles == []


def test_a_sign_tells_what_it_is_about_and_leads_there_by_keyboard_too(opened, judged_page):
    page = ready(opened(judged_page))
    signs = sorted(page.evaluate("player.recording.chances.signs"), key=lambda one: one["ms"])
    buttons = page.locator(".chances-plot button")
    assert buttons.all_inner_texts() == [one["sign"] for one in signs]
    buttons.first.focus()
    page.keyboard.press("Enter")
    assert clock(page) == signs[0]["ms"]
    assert page.locator(".chances figcaption").inner_text() == signs[0]["text"]
    page.locator("canvas").focus()
    assert page.locator(".chances figcaption").inner_text().startswith("Chance to win: crown ")
