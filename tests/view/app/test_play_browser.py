"""Battles are played in a real browser: a whole duel by clicks; two tabs; a server that dies and comes back."""

import contextlib
import math
import os
import random
import re
import socket
from itertools import combinations
from pathlib import Path

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
pytest.importorskip("playwright", reason="Playwright is not installed")
from playwright.sync_api import TimeoutError as LateError

from benchmarks.app_server import served
from brickphys.units import STUD_MM
from tests.view.browser_tab import tab, wait_until

pytestmark = pytest.mark.slow
PIXEL = """(number) => {
    const place = player.picture.camera.position.clone().set(...player.choices.places[number].at);
    const { x, y } = player.picture.pixel(place);
    const box = player.picture.canvas.getBoundingClientRect();
    return [box.left + x, box.top + y];
}"""
ANY_MARK = f"""(chance) => {{
    const count = player.choices.places.length;
    return count ? ({PIXEL})(Math.floor(chance * count)) : null;
}}"""
"""Where a mark is, in pixels; nothing if there is none at this moment."""
MARKS = "() => player.choices.places.map(({ text, is_attack }) => [text, is_attack])"
READY = """() => {
    const told = document.querySelector(".live-status")?.innerText ?? "";
    const waits = told && !told.includes("thinking");
    return waits && (/after \\d+ action/.test(told) || globalThis.player?.choices?.size_mm > 0);
}"""
"""The words come before the places; while nobody is asked, these have no size."""
NOW, ANSWERED = (
    "() => { globalThis.before = player.choices.places; }",
    "player.choices.places !== before",
)
"""Note the places that are lit now; whether others are lit since."""
NOTED, TOLD = (
    "() => { globalThis.told = document.querySelector('.live-panel').innerText; }",
    "document.querySelector('.live-panel').innerText !== told",
)
"""Note what the panel tells; whether it tells something else since."""
MOST_CLICKS = 150
MARKED = """() => {
    const { picture, choices } = player;
    picture.renderer.render(picture.scene, picture.camera);
    return choices.places.map(({ at }, number) => {
        const place = picture.camera.position.clone().set(...at);
        const radius = choices.mesh.instanceMatrix.array[16 * number];
        return { at, radius, width: 2 * picture.pixelsPerMm(place) * radius };
    });
}"""
"""The marks of places: their middles and radii in mm, and how wide they are on the screen, in pixels."""
WIDE, TINY = 13.5, 8.5
CLEAR = "walk 2,2"
"""A place in front of which nothing stands."""


@pytest.fixture(scope="module")
def address():
    with served() as found:
        yield found


@pytest.fixture
def page(browser):
    with tab(browser) as found:
        yield found
        assert found.troubles == []


def begin(page, address, seed):
    """Begin a duel of BOW against the bot greedy."""
    page.goto(f"{address}/play", wait_until="domcontentloaded")
    page.get_by_role("spinbutton", name="Seed").fill(str(seed))
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(READY)
    assert not OVER.search(status(page)), (
        "the bot has won before a person could choose: take another seed"
    )
    page.wait_for_function("player.choices.places.length > 0")


OVER = re.compile(r"after \d+ action")


def status(page):
    return page.locator(".live-status").inner_text()


OWN = """() => {
    const { places, ringed } = player.choices;
    return places.findIndex(({ at }) => String(at) === String(ringed?.at(-1)?.at));
}"""
"""The place where who acts stands already: a click there does nothing but offer buttons."""


def click(page):
    """Click on an attack or a clear place in the picture, or else on the last button; wait for the answer."""
    marks = page.evaluate(MARKS)
    wanted = [number for number, (_, is_attack) in enumerate(marks) if is_attack]
    own = page.evaluate(OWN)
    wanted += [number for number, (text, _) in enumerate(marks) if text == CLEAR and number != own]
    page.evaluate(NOW)
    if wanted:
        page.mouse.click(*page.evaluate(PIXEL, wanted[0]))
    else:
        page.locator(".live-list button").last.click()
    page.wait_for_function(ANSWERED)
    page.wait_for_function(READY)
    return bool(wanted)


def test_a_whole_duel_is_played_by_clicks(page, address):
    begin(page, address, 7)
    in_picture = 0
    for _ in range(MOST_CLICKS):
        if OVER.search(status(page)):
            break
        in_picture += click(page)
    assert re.search(r"(wins|a draw) after \d+ actions ", status(page))
    assert in_picture
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Watch it again").click()
    replay = opened.value
    replay.wait_for_function("globalThis.player?.recording.events.length > 3")
    assert "odds: hit" in replay.locator(".lines").inner_text()
    replay.get_by_role("button", name="Analyse luck and choices").click()
    replay.wait_for_function("globalThis.player?.recording.chances")  # after the list below it
    worst = replay.get_by_role("button", name=re.compile("; better: ")).last
    sign = worst.inner_text()[0]
    worst.click()
    at = f"player.recording.chances.signs.find(({{ sign }}) => sign === '{sign}').ms"
    replay.wait_for_function(f"player.clock.ms === {at}")
    assert page.troubles == []
    assert [url for url in page.asked if not re.match(f"{address}|ws:|data:|blob:", url)] == []


def test_pointing_at_a_choice_draws_what_would_come_of_it(page, address):
    begin(page, address, 7)
    number = page.evaluate(
        "player.choices.places.findLastIndex(({ text }) => text.startsWith('walk'))"
    )
    page.evaluate("(number) => player.point(number)", number)
    page.wait_for_function("player.choices.previewed?.length === 1")
    ghost = "player.choices.previewed[0].position.distanceTo({ x, y, z })"
    at = "const [x, y, z] = player.choices.places[player.pointed].at"
    assert page.evaluate(f"() => {{ {at}; return {ghost}; }}") < 1
    assert page.evaluate("player.sketched.marks.map(({ mark }) => mark.sign)") == ["way"]
    assert "ends at" in page.locator(".preview").inner_text()
    page.locator(".live-list button").last.hover()
    page.wait_for_function(f"player.pointed !== {number} && player.previews.has(player.pointed)")


HERE = """() => {
    const { picture, here } = player;
    const { x, y } = picture.pixel(picture.camera.position.clone().set(...here.at));
    const box = picture.canvas.getBoundingClientRect();
    return [box.left + x, box.top + y];
}"""


def test_a_drag_from_a_unit_turns_it_and_not_the_camera(page, address):
    begin(page, address, 7)
    number = page.evaluate("player.choices.places.findIndex(({ text }) => text === 'walk 2,2')")
    page.mouse.click(*page.evaluate(PIXEL, number))
    page.wait_for_function("player.facing.turns.length === 8 && !player.clock.isRunning")
    before = page.evaluate("player.picture.camera.position.toArray()")
    x, y = page.evaluate(HERE)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y, steps=4)  # the board is turned to red, who looks east
    page.wait_for_function("player.words.textContent.includes('facing north')")
    page.mouse.up()
    page.wait_for_function("document.querySelector('.caption').innerText.includes('looks north')")
    assert page.evaluate("player.picture.camera.position.toArray()") == before


def pick(page, box, option):
    """Open a list and click one of its options; one that the page closes again, as it changes, is opened anew."""
    for _ in range(20):
        box.click()
        with contextlib.suppress(LateError):
            return option.first.click(timeout=10_000)
    raise LateError("no list stays open")


def choose(page, label, wanted):
    """Choose what begins with a word from a list."""
    option = page.get_by_role("option", name=re.compile(f"^{wanted}"))
    pick(page, page.get_by_role("combobox", name=label), option)


def begin_at_sea(page, address, scenario, seed):
    """Begin a scenario of Pirate Wars; the first side is a person, the other a bot."""
    page.goto(f"{address}/play", wait_until="domcontentloaded")
    choose(page, "Game", "Pirate Wars")
    page.get_by_role(
        "combobox", name="pirates"
    ).wait_for()  # the lists of the game before are closed now
    choose(page, "Scenario", scenario)
    page.get_by_role("spinbutton", name="Seed").fill(str(seed))
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(READY)


def test_the_set_up_offers_the_game_that_was_played_last(page, address):
    begin_at_sea(page, address, "chase", 5)
    page.get_by_role("button", name="New game").click()
    page.get_by_text("Who plays what?").wait_for()
    assert page.get_by_role("combobox", name="Game").input_value() == "Pirate Wars"


CALM = '.live-list button:not([aria-label^="scuttle"])'
"""Who blows up the own ships has soon lost."""


def click_any(page, chance, share):
    """Click on a mark in the picture, a share of times, or a choice; tell whether it was a mark that answered."""
    mark = page.evaluate(ANY_MARK, chance.random()) if chance.random() < share else None
    page.evaluate(NOTED)
    if mark is None:
        try:
            press_any(page, chance)
        except LateError:
            return False  # the list changed meanwhile
    else:
        page.mouse.click(*mark)
        if not is_told(page):
            return False  # something stands before it, and what that is was told before
    page.wait_for_function(TOLD)
    page.wait_for_function(READY)
    return mark is not None


def press_any(page, chance):
    """Press a button of the list, or one of the first closed list."""
    page.locator(f".live-more, {CALM}").first.wait_for(timeout=10_000)
    buttons, fold = page.locator(CALM), page.locator(".live-more .q-item").first
    count = buttons.count()
    if not count or (chance.random() < 0.5 and fold.count()):
        fold.click(timeout=10_000)
        buttons = page.locator(".live-more .live-list button")
        buttons.first.wait_for(timeout=10_000)
        count = buttons.count()
    buttons.nth(chance.randrange(count)).click(timeout=10_000)


def is_told(page):
    """Whether the panel tells something else, soon."""
    with contextlib.suppress(LateError):
        page.wait_for_function(TOLD, timeout=10_000)
        return True
    return False


def check_marks(marks):
    """Check that marks have a width that one can hit, or else have no room; only the smallest lie over others."""
    assert max(one["width"] for one in marks) > WIDE
    for one, other in combinations([one for one in marks if one["width"] > TINY], 2):
        assert one["radius"] + other["radius"] < math.dist(one["at"], other["at"]) + 0.01


def begin_to_turn_on_a_phone(page, address):
    begin_at_sea(page, address, "duel", 7)
    page.wait_for_function("player.choices.places.length > 5 && !player.clock.isRunning")
    page.wait_for_function("player.picture.glide.to === undefined")
    page.evaluate("player.look(player.recording.views.length - 1)")  # places near to each other
    page.evaluate("player.picture.canvas.scrollIntoView({ block: 'center' })")


def tap(page, number):
    page.touchscreen.tap(*page.evaluate(PIXEL, number))


def test_a_finger_that_may_mean_several_places_is_told_which_and_touches_it_again(browser, address):
    with tab(browser, **PHONE) as page:
        begin_to_turn_on_a_phone(page, address)
        check_marks(page.evaluate(MARKED))
        words = page.evaluate("player.choices.places[5].text")
        before = status(page)
        tap(page, 5)
        page.locator(".tag", has_text=f"{words}: tap again").wait_for()
        tap(page, 7)
        page.wait_for_function("player.choices.touched === 7")
        assert status(page) == before
        page.evaluate(NOW)
        tap(page, 7)
        page.wait_for_function(ANSWERED)
        page.wait_for_function(READY)
        assert page.troubles == []


def test_a_finger_beside_a_place_that_stands_alone_means_it(browser, address):
    with tab(browser, **PHONE) as page:
        begin_to_turn_on_a_phone(page, address)
        page.evaluate("player.light(player.choices.places.slice(3, 4), player.choices.size_mm)")
        x, y = page.evaluate(PIXEL, 0)
        page.evaluate(NOW)
        page.touchscreen.tap(x + 9, y + 5)
        page.wait_for_function(ANSWERED)
        assert page.troubles == []


def test_a_chase_at_sea_is_played_to_its_end_by_clicks(browser, address):
    chance = random.Random(5)
    with tab(browser) as page:
        begin_at_sea(page, address, "chase", 5)
        marks = 0
        page.wait_for_function("player.choices.places.length > 0")
        check_marks(page.evaluate(MARKED))
        for _ in range(MOST_CLICKS):
            if OVER.search(status(page)):
                break
            marks += click_any(page, chance, 0.5 if marks >= 2 else 1.0)
        assert OVER.search(status(page))
        assert marks >= 2
        assert page.troubles == []


def test_two_tabs_have_games_of_their_own(browser, address):
    with tab(browser) as one, tab(browser) as other:
        begin(one, address, 7)
        begin(other, address, 7)
        one.get_by_role("button", name="do walk", exact=True).click()
        one.get_by_text("walk: ").first.wait_for()
        assert other.get_by_text("walk: ").count() == 0


def kept_game():
    """Return the game that this disk has kept last; nothing if it has kept none."""
    paths = Path(os.environ["XDG_STATE_HOME"], "brickphys", "view").glob("*.json")
    newest = max(paths, key=lambda one: one.stat().st_mtime, default=None)
    return newest and newest.read_bytes()


def test_a_game_goes_on_when_the_server_is_back(browser):
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = str(one.getsockname()[1])
    with tab(browser) as page:
        with served("--port", port) as address:
            begin(page, address, 7)
            kept = kept_game()
            click(page)
            wait_until(page, lambda: kept_game() != kept)
            before = status(page)
            page.evaluate("() => { globalThis.isOld = true; }")
        page.get_by_text("Connection lost").wait_for()
        with served("--port", port):
            page.wait_for_function("globalThis.isOld === undefined")
            page.wait_for_function(READY)
            assert status(page) == before


FOCUSED = "() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText ?? ''"
CHOICES = "() => [...document.querySelectorAll('.live-list button')].map((one) => one.className)"
ON_CHOICE = "() => document.activeElement?.closest('.live-list, .live-more') !== null"


def tab_to(page, text, most=60):
    """Press Tab until something whose text begins so, in a line of its own, has the keyboard."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if re.match(rf"\s*{re.escape(text)}( \(|\n|$)", page.evaluate(FOCUSED)):
            return
    raise AssertionError(f"Tab does not come to {text!r}")


def choose_by_keys(page):
    """Take an attack if there is one, else the last choice; the keyboard is on the first one."""
    page.wait_for_function(ON_CHOICE)
    kinds = page.evaluate(CHOICES)
    wanted = next((n for n, kind in enumerate(kinds) if "aims" in kind), len(kinds) - 1)
    for _ in range(wanted):
        page.keyboard.press("Tab")
    page.evaluate(NOW)
    page.keyboard.press("Enter")
    page.wait_for_function(ANSWERED)
    page.wait_for_function(READY)


def test_a_duel_is_played_from_the_start_page_with_the_keyboard_alone(page, address):
    page.goto(address, wait_until="domcontentloaded")
    tab_to(page, "Play")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    tab_to(page, "Seed")
    page.keyboard.type("7")
    tab_to(page, "Play")
    page.keyboard.press("Enter")
    page.wait_for_function(READY)
    for _ in range(MOST_CLICKS):
        if OVER.search(status(page)):
            break
        choose_by_keys(page)
    assert re.search(r"(wins|a draw) after \d+ actions ", status(page))
    page.wait_for_function(f"({FOCUSED})().includes('Play again')")


def test_a_place_of_a_closed_list_is_chosen_by_keys_and_shown_pale_with_its_facings(page, address):
    begin(page, address, 7)
    page.get_by_role("button", name="do walk", exact=True).press("Enter")
    page.wait_for_function(f"({FOCUSED})().includes('walk: ')")
    assert not page.locator(".live-more button").count()
    page.keyboard.press("Enter")
    page.locator(".live-more .live-list button").first.wait_for()
    tab_to(page, "walk 5,6")
    page.evaluate(NOW)
    page.keyboard.press("Enter")
    page.wait_for_function(ANSWERED)
    page.wait_for_function(READY)
    assert "which side does red trooper face" in status(page)
    pale = "player.choices.pale.position.toArray().slice(0, 2)"
    assert page.evaluate(pale) == [5.5 * STUD_MM, 6.5 * STUD_MM]
    page.get_by_role("button", name="face N", exact=True).hover()
    page.wait_for_function("player.choices.previewed?.length === 1")
    assert page.evaluate("player.choices.previewed[0].rotation.z") == pytest.approx(math.pi / 2)
    assert page.evaluate("player.choices.pale.visible") is False


def test_ground_in_danger_is_hatched_once_where_threats_overlap(page, address):
    page.goto(f"{address}/play", wait_until="domcontentloaded")
    choose(page, "Scenario", "skirmish")
    page.get_by_role("spinbutton", name="Seed").fill("3")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(READY)
    page.keyboard.press("t")
    page.wait_for_function("player.warned?.marks.length > 0")
    areas = "player.warned.marks.filter(({ mark }) => mark.sign === 'area')"
    materials = page.evaluate(
        f"{areas}.map(({{ node }}) => [node.material.uuid, Boolean(node.material.map)])"
    )
    assert len(materials) > 1
    assert len({uuid for uuid, is_hatched in materials if is_hatched}) == 1
    assert page.evaluate(f"{areas}[0].node.material.stencilWrite")


ON_THING = """([name, share]) => {
    const { thing, node } = [...player.things.nodes.values()].find(({ thing }) => thing.label === name);
    const shape = player.things.geometryOf(thing)[0].geometry;
    shape.computeBoundingBox();
    const { min, max } = shape.boundingBox;
    const place = node.localToWorld(min.clone().lerp(max, 0.5).setZ(min.z + share * (max.z - min.z)));
    const { x, y } = player.picture.pixel(place);
    const box = player.picture.canvas.getBoundingClientRect();
    return [box.left + x, box.top + y];
}"""


def test_a_click_hits_what_stands_up_and_not_the_ground_behind_it(page, address):
    begin(page, address, 7)
    page.mouse.click(*page.evaluate(ON_THING, ["tree", 0.1]))
    page.get_by_text("You clicked a part of the field: tree.").wait_for()
    page.mouse.click(*page.evaluate(ON_THING, ["blue trooper", 0.7]))
    page.locator(".brickphys-fault", has_text="BOW 2.4").wait_for()
    assert "2 actions left" in status(page)


def test_a_click_on_a_door_is_one_on_the_door(page, address):
    page.goto(f"{address}/play", wait_until="domcontentloaded")
    choose(page, "Scenario", "princess")
    page.get_by_text("The Baron").first.wait_for()
    page.get_by_role("spinbutton", name="Seed").fill("3")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(READY)
    line = page.get_by_label("Or type")
    line.fill("unit princess")
    line.press("Enter")
    page.locator(".live-status", has_text="3 actions left").wait_for()
    page.wait_for_function("player.choices.places.length > 0")
    page.mouse.click(*page.evaluate(ON_THING, ["door 2", 0.5]))
    told = re.compile(r"(door|window) \d is not close to princess")  # a window stands before it
    page.locator(".brickphys-fault", has_text=told).wait_for()


def test_a_click_on_a_name_counts_as_a_click_on_who_has_it(page, address):
    begin(page, address, 7)
    own = page.evaluate("player.tags.written.find(({ thing }) => thing === 'blue_trooper').box")
    picture = page.locator(".picture canvas").bounding_box()
    page.mouse.click(picture["x"] + own[0] + 2, picture["y"] + own[1] + 2)
    page.locator(".brickphys-fault", has_text="attack blue trooper: ").wait_for()


LIT = "player.choices.mesh.visible"


def test_the_places_of_now_are_put_out_while_the_past_is_seen(page, address):
    begin(page, address, 7)
    page.wait_for_function("!player.clock.isRunning")
    now = page.get_by_role("button", name="Back to now")
    assert page.evaluate(LIT)
    assert not now.is_visible()
    buttons = page.evaluate(BUTTONS)
    places = page.evaluate(PIXEL, 0)
    page.keyboard.press("Home")
    now.wait_for()
    assert not page.evaluate(LIT)
    assert page.evaluate(BUTTONS) == buttons
    before = page.locator(".live-panel").inner_text()
    page.mouse.click(*places)
    now.click()
    now.wait_for(state="hidden")
    assert page.evaluate(f"{LIT} && player.clock.ms === player.clock.endMs")
    assert page.locator(".live-panel").inner_text() == before


def test_names_of_choices_that_are_gone_are_under_no_pointer(page, address):
    begin(page, address, 7)
    page.wait_for_function("!player.clock.isRunning")
    page.evaluate("player.choices.places[0].ring = 8; player.point(0); player.tags.show()")
    named = "player.tags.written.filter(({ number }) => number !== undefined).length"
    assert page.evaluate(named)
    assert page.evaluate(f"player.light([], 8), {named}") == 0


PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
BUTTONS = """() => [...document.querySelectorAll(".live-panel :is(button, .live-tables)")]
    .filter((one) => one.offsetParent).flatMap((one) => {
    const { left, top } = one.getBoundingClientRect();
    return [left, top + document.querySelector(".live-panel").scrollTop];
})"""
"""Where the buttons are in the panel."""
TOO_WIDE = """() => [...document.querySelectorAll(".live-tables, .live-tables *")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline").length"""
SCROLLED = ".live-panel { padding-right: calc(0.9rem + 15px) !important; }"
"""Room for a bar to scroll the panel, which this browser does not show."""
SEEN = """() => {
    const { top, bottom, height } = document.querySelector(".live-status + .brickphys-line").getBoundingClientRect();
    return height > 30 && top >= 0 && bottom <= innerHeight;
}"""


DESK = {"viewport": {"width": 1280, "height": 800}}
SHARE = """() => {
    const area = ({ width, height }) => width * height / innerWidth / innerHeight;
    const boxes = (those) => [...document.querySelectorAll(those)].map((one) => one.getBoundingClientRect());
    const [[picture], [hand], cards] = [".picture", ".live-hand", ".live-hand li"].map(boxes);
    return area(picture) - cards.reduce((sum, { width }) => sum + area({ width, height: hand.height }), 0);
}"""
"""The share of the window that the picture takes, less what cards cover of it."""


@pytest.mark.parametrize("options", [DESK, PHONE])
@pytest.mark.parametrize(
    ("game", "scenario"),
    [
        ("bow", "skirmish"),
        ("Minifig", "skirmish"),
        ("Pirate Wars", "chase"),
        ("Blade & Bow", "mycale"),
    ],
)
def test_a_fault_is_seen_and_moves_no_button_and_no_table_is_too_wide(
    browser, address, options, game, scenario
):
    with tab(browser, **options) as page:
        page.goto(f"{address}/play", wait_until="domcontentloaded")
        if game != "bow":
            choose(page, "Game", game)
        choose(page, "Scenario", scenario)
        page.get_by_role("spinbutton", name="Seed").fill("7")
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_function(READY)
        page.wait_for_function(ON_CHOICE)
        if options is DESK:
            assert page.evaluate(SHARE) >= 0.65
        page.add_style_tag(content=SCROLLED)
        assert page.evaluate(TOO_WIDE) == 0
        before = page.evaluate(BUTTONS)
        typed = page.get_by_role("textbox", name="Or type")
        typed.fill("nonsense")
        typed.press("Enter")
        page.locator(".brickphys-fault", has_text="nonsense").wait_for()
        assert page.evaluate(SEEN)
        assert page.evaluate(BUTTONS) == before
        assert page.troubles == []


APART = """() => {
    const boxes = [".picture", ".live-panel", ".controls", ".live-list button"].map((one) =>
        document.querySelector(`.live-page ${one}`).getBoundingClientRect());
    const [picture, panel, controls, choice] = boxes;
    const isBeside = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1
        || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
    return isBeside(picture, panel) && isBeside(picture, controls) && isBeside(controls, panel)
        && picture.top >= 0 && choice.bottom <= Math.min(panel.bottom, innerHeight)
        && document.documentElement.scrollWidth <= innerWidth;
}"""
"""Whether picture, panel and bar lie beside each other, and the first choice is in sight."""


@pytest.mark.parametrize(
    "options",
    [PHONE, *({"viewport": {"width": w, "height": h}} for w, h in [(1024, 768), (1280, 800)])],
)
def test_the_picture_and_the_first_choice_are_in_view_and_nothing_overlaps(
    browser, address, options
):
    with tab(browser, **options) as page:
        page.goto(f"{address}/play", wait_until="domcontentloaded")
        page.get_by_role("spinbutton", name="Seed").fill("7")
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_function(READY)
        page.wait_for_function(ON_CHOICE)
        page.wait_for_function(APART)
        page.reload()
        page.wait_for_function(READY)
        page.wait_for_function(ON_CHOICE)
        page.wait_for_function(APART)
        assert page.troubles == []


def test_the_question_before_a_game_is_left_is_answered_by_keys(page, address):
    begin(page, address, 7)
    page.get_by_role("button", name="do walk", exact=True).click()
    page.get_by_text("walk: ").first.wait_for()
    before = status(page)
    page.get_by_role("button", name="New game").press("Enter")
    page.get_by_role("dialog", name="This game is not saved.").wait_for()
    page.wait_for_function(f"({FOCUSED})().includes('Stay')")
    page.keyboard.press("Escape")
    page.get_by_text("This game is not saved.").wait_for(state="hidden")
    assert status(page) == before
    page.get_by_role("button", name="New game").press("Enter")
    page.wait_for_function(f"({FOCUSED})().includes('Stay')")
    page.get_by_role("button", name="Leave", exact=True).press("Enter")
    page.get_by_text("Who plays what?").wait_for()


def test_a_throw_plays_at_once_unless_little_motion_is_wanted(browser, address):
    for motion in ("no-preference", "reduce"):
        with tab(browser, reduced_motion=motion) as page:
            page.goto(f"{address}/throw", wait_until="domcontentloaded")
            page.wait_for_function("globalThis.player?.recording")  # of a brick that lies
            page.evaluate("() => { globalThis.before = player.recording; }")
            page.get_by_role("button", name="Throw one").click()
            page.wait_for_function("player.recording !== before")
            if motion == "reduce":
                assert page.evaluate("player.clock.ms") == 0
                assert page.evaluate("player.clock.isRunning") is False
            else:
                page.wait_for_function("player.clock.ms > 0")
            assert page.troubles == []
