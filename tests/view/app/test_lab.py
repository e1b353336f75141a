"""The throw lab, visited without a browser: it throws, counts, compares, saves, and says what is wrong."""

import asyncio
import json
from base64 import b64encode
from threading import Event

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from brickphys.calibration.throw import throw
from brickphys.odds.law_file import parse_law
from brickphys.signals import check_cancelled
from brickphys.view.app import throw_fields, throw_page
from brickphys.view.app.throw_fields import OwnThings, ThrowFields
from tests.view.visits import hides, in_app, tells, visited

HEAD, POSES = 'name = "a"\nsource = "x"\n', "[poses]\nw = [[0, 0, -1]]\n"


async def is_done(user, name):
    """Wait until what a button has begun is done."""
    (button,) = user.find(name).elements
    while "loading" in button.props:
        await asyncio.sleep(0.01)


async def lab(user):
    await user.open("/throw")
    await tells(user, "Throw ten thousand")


def field(user, kind, label):
    return next(one for one in user.find(kind=kind).elements if one.props.get("label") == label)


@pytest.fixture
def few(monkeypatch):
    """Throw three hundred where a person would throw ten thousand."""
    monkeypatch.setattr(throw_page, "MANY", 300)


@pytest.mark.slow
@in_app
async def test_throws_are_counted_as_by_the_public_function_and_saved_as_a_law(user, few):
    await lab(user)
    field(user, ui.number, "Seed").value = 4
    user.find("Throw ten thousand").click()
    found = throw("2x2", 300, seed=4, progress=False)
    await tells(user, "300 throws (seed 4), side in", f"{found.counts['side']:,}")
    user.find("Save as a law").click()
    await tells(user, "2x2-wood.json is saved")
    while not user.download.http_responses:
        await asyncio.sleep(0.01)
    assert parse_law(user.download.http_responses[-1].text).counts == found.counts


@pytest.mark.slow
@in_app
async def test_two_tables_are_compared(user, few):
    await lab(user)
    user.find("Beside a second table").click()
    user.find("Throw ten thousand").click()
    await tells(user, "wood minus glass: ", "2x2 on glass: 300 throws (seed 1)")
    field(user, ui.select, "Second surface").value = "wood"
    user.find("Throw ten thousand").click()
    await tells(user, "the second table is the same as the first one")


@pytest.mark.slow
@in_app
async def test_a_count_is_cancelled_and_keeps_what_was_thrown(user, monkeypatch):
    monkeypatch.setattr(throw_page, "MANY", 50_000_000)
    await lab(user)
    user.find("Throw ten thousand").click()
    await tells(user, "throws (seed 1), side in", "left.")
    user.find("Cancel").click()
    await tells(user, "Save as a law")
    await hides(user, "left.")


@in_app
async def test_a_cancelled_throw_is_not_waited_for_however_long_it_takes(user, monkeypatch):
    goes_on = Event()

    def slow(counts):
        goes_on.wait()
        return {}

    monkeypatch.setattr(throw_page, "_next", slow)
    try:
        await lab(user)
        user.find("Throw ten thousand").click()
        await tells(user, "Throwing ...")
        user.find("Cancel").click()
        await tells(user, "Cancelled before anything was thrown.")
        await is_done(user, "Throw ten thousand")
    finally:
        goes_on.set()


@in_app
async def test_a_throw_ends_soon_after_its_visitor_has_gone(user, monkeypatch):
    is_over = Event()

    def endless(counts):
        try:
            while True:
                check_cancelled()
        finally:
            is_over.set()

    monkeypatch.setattr(throw_page, "_next", endless)
    await lab(user)
    user.find("Throw ten thousand").click()
    await tells(user, "Throwing ...")
    with user:
        ui.context.client.delete()
    assert await asyncio.to_thread(is_over.wait, 60)


@in_app
async def test_what_was_thrown_is_not_shown_to_a_visitor_who_has_gone(user, monkeypatch):
    shown, gone, is_over = [], Event(), Event()
    counted = throw_page._next

    def some(counts):
        found = counted(counts)
        gone.wait()
        return found

    def over(lab, *words, **options):
        set_busy(lab, *words, **options)
        if not options["busy"]:
            is_over.set()

    set_busy = throw_page.ThrowLab._set_busy
    monkeypatch.setattr(throw_page, "_next", some)
    monkeypatch.setattr(throw_page.ThrowLab, "_show", lambda *_: shown.append(1))
    monkeypatch.setattr(throw_page.ThrowLab, "_set_busy", over)
    await lab(user)
    user.find("Throw ten thousand").click()
    await tells(user, "Throwing ...")
    with user:
        client = ui.context.client
    client.delete()
    gone.set()
    assert await asyncio.to_thread(is_over.wait, 60)
    assert not shown


@pytest.mark.parametrize(
    ("label", "value", "fault"),
    [
        ("Together", 1e9, "Together: 1,000,000,000 is outside 1 to 12"),
        ("Together", 0, "Together: 0 is outside 1 to 12"),
        ("Together", 2.5, "Together: give a whole number from 1 to 12"),
        ("Seed", -5, "Seed: -5 is outside 0 to"),
        ("Seed", None, "Seed: give a whole number"),
        ("Friction", 9, "friction 9 is outside"),
        pytest.param("Restitution", -1, "restitution -1 is outside", marks=pytest.mark.slow),
    ],
)
@in_app
async def test_a_number_outside_its_limits_is_refused_not_changed(user, label, value, fault):
    await lab(user)
    number = field(user, ui.number, label)
    number.value = value
    number.sanitize()  # as NiceGUI does when somebody leaves the field
    user.find("Throw one").click()
    await tells(user, fault)
    assert number.value == value


def test_own_bodies_and_surfaces_are_read_by_the_readers_of_files():
    own = OwnThings()
    text = (
        'name = "jeep"\nsource = "x"\nmodel = "jeep"\nscores = ["w"]\n[poses]\nw = [[0, 0, -1]]\n'
    )
    assert own.add("body", text, {}) == "jeep"
    assert own.body("jeep").scoring == ("w",)
    surface = 'name = "felt"\nfriction = [0.5, 0.8]\nrestitution = [0.1, 0.3]\nsource = "x"\n'
    assert own.add("surface", surface, {}) == "felt"
    assert own.surface("felt")[0].nominal.friction == pytest.approx(0.65)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "name"),
        ("name = ", "not TOML"),
        (f'{HEAD}mesh = "/etc/passwd"\nmass_g = 1\n{POSES}', "open this file together"),
        (f'{HEAD}model = "../../secret.toml"\n{POSES}', "open this file together"),
        (f'{HEAD}model = "nothing"\n{POSES}', "unknown thing"),
        ("x" * 600_000, "0.5 MB"),
    ],
)
def test_a_bad_body_is_one_line_and_opens_nothing(text, fault):
    with pytest.raises(ValueError, match=fault) as caught:
        OwnThings().add("body", text, {})
    assert "\n" not in str(caught.value)


SURFACE = 'name = "felt"\nfriction = [0.5, 0.8]\nrestitution = [0.1, 0.3]\nsource = "x"\n'
AS_TYPED = {"Together": 3, "Seed": 99, "Friction": 0.5, "Restitution": None}


def lab_fields(visitor):
    return {label: visitor.one(ui.number, label).value for label in AS_TYPED}


def test_the_form_is_there_again_where_the_page_is_loaded_again():
    kept, forms = {}, []

    def fill():
        forms.append(ThrowFields())

    async def type_it(visitor):
        await visitor.until(lambda: not visitor.elements(ui.timer, None))
        visitor.one(ui.textarea, "Definition of the surface (TOML)").value = SURFACE
        visitor.click("Use this surface")
        await visitor.until(lambda: visitor.one(ui.select, "Surface").value == "felt")
        visitor.one(ui.select, "Body").set_options(["2x2", "d6:12"], value="d6:12")
        visitor.choose("Throw", "drop")
        visitor.one(ui.checkbox).value = True
        for label, value in AS_TYPED.items():
            visitor.one(ui.number, label).value = value
        await visitor.until(lambda: "99" in "".join(kept.values()))

    async def come_again(visitor):
        await visitor.until(lambda: lab_fields(visitor) == AS_TYPED)
        assert visitor.one(ui.checkbox).value is True
        assert forms[1].throws() == forms[0].throws()

    for check in (type_it, come_again):
        visited(fill, check, kept)


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "[]",
        "[1]",
        "{}",
        '{"kind": "body", "text": "", "files": {"a": "?"}}\n' + "[0]" * 9,
    ],
)
def test_nonsense_that_a_tab_has_kept_is_not_taken(text):
    async def check(visitor):
        await visitor.until(lambda: not visitor.elements(ui.timer, None))
        assert lab_fields(visitor) == {
            "Together": 1,
            "Seed": 1,
            "Friction": None,
            "Restitution": None,
        }
        assert visitor.one(ui.select, "Body").value == "2x2"
        visitor.one(ui.number, "Seed").value = 77
        await visitor.until(lambda: "77" in kept["brickphys-throw"])

    kept = {"brickphys-throw": text}
    visited(ThrowFields, check, kept)


def test_definitions_are_kept_with_their_files_up_to_a_size():
    own, again = OwnThings(), OwnThings()
    body = f'{HEAD}mesh = "a.stl"\n'
    mesh = b64encode(b"\x00mesh").decode()
    own.lines["body", "a"] = json.dumps({"kind": "body", "text": body, "files": {"a.stl": mesh}})
    kept = throw_fields._Definition.model_validate_json(own.lines["body", "a"])
    assert (kept.text, kept.files) == (body, {"a.stl": b"\x00mesh"})
    own.add("surface", SURFACE, {})
    own.lines["body", "b"] = "x" * 300_000
    assert len(own.kept_lines()) == 2
    assert again.add_line(own.kept_lines()[1]) == ("surface", "felt")
    assert again.surfaces == own.surfaces


def test_no_file_of_a_request_is_opened(tmp_path):
    path = tmp_path / "body.toml"
    path.write_text("")
    with pytest.raises(ValueError, match="open the body file"):
        OwnThings().body(str(path))


@in_app
async def test_each_throw_takes_the_next_seed_and_one_throw_tells_its_pose_alone(user):
    await lab(user)
    seed = field(user, ui.number, "Seed")
    for number in (1, 2):
        user.find("Throw one").click()
        found = throw("2x2", 1, seed=number, progress=False)
        (pose,) = (name for name, count in found.counts.items() if count)
        await tells(user, f"2x2 on wood: 1 throw (seed {number}): {pose.replace('_', ' ')}.")
        await is_done(user, "Throw one")
        assert seed.value == number + 1
        await hides(user, "Save as a law")
        await hides(user, "side in")


@in_app
async def test_the_colours_of_a_hundred_have_a_legend_with_counts(user, monkeypatch):
    monkeypatch.setattr(throw_page, "HUNDRED", 5)
    await lab(user)
    user.find("Throw a hundred").click()
    found = throw("2x2", 5, seed=1, progress=False)
    await tells(user, *(f"{name.replace('_', ' ')} {n}" for name, n in found.counts.items() if n))
