"""What a choice would do is drawn under the pointer, and a click that costs own men is asked for twice."""

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")

from brickphys.battles.ongoing_game import Waits
from brickphys.rules.players.person import planned_action
from brickphys.rules.players.preview import preview
from brickphys.view.app.battles.preview import drawn
from brickphys.view.battle import LiveBattle
from brickphys.view.document import STEP_MM
from tests.view.app.test_play import new_table, on_table, type_in


def sketch(first, text, **options):
    """Return the preview of an action after a choice, and its drawing."""
    table = new_table("person,greedy", **options)
    while table.waits is Waits.PROGRAM:
        table.go_on()
    table.choose(*planned_action(table.asked, first).actions)
    found = preview(table.asked, planned_action(table.asked, text).actions)
    return found, drawn(found, LiveBattle(table.game, table.record, None, "battle"))


def test_the_jeep_stands_pale_at_its_end_with_a_star_where_it_hits():
    found, drawing = sketch("unit jeep_driver", "advance", setup="chase", seed=5)
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
    assert drawing["words"].startswith("jeep ends at 35.0,14.0")


@on_table("person", "minifig", "skirmish", seed=17)
async def test_a_click_that_is_likelier_to_kill_own_men_is_asked_for(visit):
    await visit.until("left to act")
    type_in(visit, "take archer_2")
    await visit.until("archer 2 has done nothing")
    type_in(visit, "try shoot rider_2")
    await visit.until("own men at risk: sword 2")
    type_in(visit, "do shoot")
    await visit.until(lambda: visit.sees("Red rings: attack") and not visit.sees("Yellow"))
    picture, steps = visit.pages[0]._picture, visit.table.session.steps
    number, at_mm = next(
        (n, at) for n, (one, at) in enumerate(picture.placed) if one.text == "shoot rider_2"
    )
    visit.in_picture("pointed", number)
    await visit.until(lambda: any("sword 2: 9" in code and '"red"' in code for code in visit.sent))
    for nonsense in (None, -1, 10**6, "1", [1], True):
        visit.in_picture("pointed", nonsense)
    before = len(steps)
    visit.in_picture("picked", {"at": list(at_mm[:2]), "thing": ""})
    await visit.until("Sure? This is likelier to kill sword 2 than an enemy.")
    assert len(steps) == before
    visit.click("Do it")
    await visit.until(lambda: len(steps) > before)
    assert steps[before].text == "shoot rider_2"


@on_table("person,greedy", "minifig", "skirmish", seed=3)
async def test_dangers_are_few_lines_and_stay_until_nobody_wants_them(visit):
    await visit.until("left to act")
    visit.in_picture("threatened", True)
    await visit.until("Danger\nBowman 1..4 could shoot at ")
    (words,) = (one for one in visit.texts() if one.startswith("Danger"))
    assert len(words.splitlines()) <= 6
    type_in(visit, "take archer_2")
    await visit.until("archer 2 has done nothing")
    visit.in_picture("threatened", [1])
    await visit.until(lambda: any("warn(null)" in code for code in visit.sent))
    assert not visit.sees(words)
    type_in(visit, "threat")
    await visit.until("Danger\n")


@on_table("person,greedy", "bow", "duel", seed=7)
async def test_a_drag_to_several_actions_asks_which_and_to_nonsense_does_nothing(visit):
    await visit.until("Yellow: ")
    steps = visit.table.session.steps
    before = len(steps)
    for nonsense in (None, 0, [None], ["0"], [-1], [10**6], [[0]], {}, [10**9]):
        visit.in_picture("turned", nonsense)
    visit.in_picture("turned", [0, 1])
    await visit.until("Here")
    assert len(steps) == before
