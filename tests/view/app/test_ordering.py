"""Several units get one goal in the browser: chosen in the picture or by kind, shown, and done after a click."""

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")

from brickphys.rules.players.orders import Orders
from tests.view.app.test_play import on_table, type_in


@on_table("person,random", "minifig", "skirmish", seed=3)
async def test_orders_are_shown_first_and_done_as_at_the_keyboard(visit):
    await visit.until("left to act")
    visit.in_picture("selected", ["archer_2", "archer_3"])
    await visit.until("archer 2, archer 3")
    visit.in_picture("selected", ["archer_3"])
    await visit.until(lambda: not visit.sees("archer 2, archer 3"))
    for nonsense in (None, 1, [], [1], ["nobody"], ["archer_2"] * 1000):
        visit.in_picture("selected", nonsense)
    steps = visit.table.session.steps
    before = len(steps)
    type_in(visit, "archers: dance")
    await visit.until("has a plan for 'dance'; goals now: ")
    type_in(visit, "archers: shoot nearest")
    expected = Orders(visit.table.asked, "archers: shoot nearest")
    await visit.until("Do it")
    for line in expected.lines:
        assert visit.sees(line.strip())
    assert len(steps) == before
    await visit.until(lambda: any("sketch(" in one and '"arrow"' in one for one in visit.sent))
    visit.click("Do it")
    await visit.until(lambda: len(visit.table.session.steps) >= before + 3 * len(expected.plans))
    own = [step.text for step in visit.table.session.steps[before:] if step.actor == 0]
    assert [text for text in own if text.startswith("take")] == [
        f"take {unit.replace(' ', '_')}" for unit in expected.plans
    ]


@on_table("person,random", "minifig", "skirmish", seed=3)
async def test_orders_stop_where_they_cannot_go_on_and_say_why(visit):
    await visit.until("left to act")
    type_in(visit, "all: shoot nearest")
    await visit.until("Do it")
    type_in(visit, "yes")
    await visit.until("Orders: 1 of ")
    await visit.until("all: shoot nearest stops: ")


@on_table("person,random", "minifig", "skirmish", seed=3)
async def test_orders_without_rolls_are_one_click_and_sure_ones_are_not_asked_for(visit):
    await visit.until("left to act")
    steps, sent = visit.table.session.steps, len(visit.sent)
    before, units = len(steps), len(Orders(visit.table.asked, "archers: hold").plans)
    type_in(visit, "archers: hold!")
    await visit.until(lambda: len(steps) == before + 2 * units)
    await visit.until("left to act")
    assert units > 2
    drawn = sum("extend(" in one for one in visit.sent[sent:])
    assert drawn <= 2  # of these orders one; the picture of the move before may come late
    visit.click("Undo")
    await visit.until(lambda: len(steps) == before)
