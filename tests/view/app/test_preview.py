"""What a choice would do is drawn under the pointer, and a click that costs own men is asked for twice."""

import json

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")

from brickphys.battles.ongoing_game import Waits
from brickphys.rules.players.person import planned_action
from brickphys.rules.players.preview import preview
from brickphys.view.app.battles.preview import drawn
from brickphys.view.battle import LiveBattle
from brickphys.view.document import STEP_MM
from tests.view.app.test_play import new_table, on_table, type_in


def table_of(*words, **options):
    """Return a table at which a person has done what words say."""
    table = new_table("person,greedy", **options)
    for text in ("", *words):
        while table.waits is Waits.PROGRAM or (table.waits is Waits.CHOICE and table.only):
            table.take_only() if table.waits is Waits.CHOICE else table.go_on()
        if text:
            table.choose(*planned_action(table.asked, text).actions)
    return table


def sketch(table, text):
    """Return the preview of an action, and its drawing."""
    found = preview(table.asked, planned_action(table.asked, text).actions)
    return found, drawn(found, LiveBattle(table.game, table.record, None, "battle"))


def test_the_jeep_stands_pale_at_its_end_with_a_star_where_it_hits():
    found, drawing = sketch(table_of("unit jeep_driver", setup="chase", seed=5), "advance")
    (way,) = found.ways
    (ghost,) = drawing["ghosts"]
    x, y, heading_deg = way.poses[-1]
    assert (ghost["id"], ghost["deg"]) == ("vehicle jeep", heading_deg)
    assert ghost["at"][:2] == (8 * x, 8 * y)
    (star,) = (mark for mark in drawing["marks"] if mark["sign"] == "hit")
    assert [part * STEP_MM for part in star["at"][:2]] == pytest.approx(
        [8 * part for part in way.hits[0][1]], abs=STEP_MM
    )
    assert {mark["sign"] for mark in drawing["marks"]} == {"way", "area", "hit"}
    assert json.loads(json.dumps(drawing))["words"].startswith("jeep ends at 35.0,14.0")


def test_own_men_in_the_lane_are_red():
    shooter = table_of("take archer_2", name="minifig", setup="skirmish", seed=17)
    found, drawing = sketch(shooter, "shoot rider_2")
    assert {"sword_2"} == {*found.own}
    red = {mark["text"]: mark["sign"] for mark in drawing["marks"] if mark["colour"] == "red"}
    assert red == {"": "arrow", f"sword 2: {found.own['sword_2']}": "hit"}


@on_table("person", "minifig", "skirmish", seed=17)
async def test_a_click_that_is_likelier_to_kill_own_men_is_asked_for(visit):
    await visit.until("left to act")
    type_in(visit, "take archer_2")
    await visit.until("archer 2 has done nothing")
    type_in(visit, "do shoot")
    await visit.until("Click a red ring")
    picture, steps = visit.pages[0]._picture, visit.table.session.steps
    number, at_mm = next(
        (n, at) for n, (one, at) in enumerate(picture.placed) if one.text == "shoot rider_2"
    )
    visit.in_picture("pointed", number)
    await visit.until(lambda: any(".preview(" in code for code in visit.sent))
    for nonsense in (None, -1, 10**6, "1", [1], True):
        visit.in_picture("pointed", nonsense)
    before = len(steps)
    visit.in_picture("picked", {"at": list(at_mm[:2]), "thing": ""})
    await visit.until("Sure? This is likelier to kill sword 2 than an enemy.")
    visit.click("Leave it")
    await visit.until(lambda: not visit.sees("Sure?"))
    assert len(steps) == before
    visit.in_picture("picked", {"at": list(at_mm[:2]), "thing": ""})
    await visit.until("Sure?")
    visit.click("Do it")
    await visit.until(lambda: len(steps) > before)
    assert steps[before].text == "shoot rider_2"


@on_table("person", "minifig", "skirmish", seed=17)
async def test_who_types_is_not_asked(visit):
    await visit.until("left to act")
    type_in(visit, "take archer_2")
    await visit.until("archer 2 has done nothing")
    type_in(visit, "shoot rider_2")
    await visit.until(lambda: any(s.text == "shoot rider_2" for s in visit.table.session.steps))


@on_table(setup="chase", seed=5)
async def test_try_is_answered_beside_the_picture(visit):
    await visit.until("your next unit")
    type_in(visit, "try advance by jeep_driver")
    await visit.until("jeep ends at 35.0,14.0")
