"""Tables in the app as the server sees them, with simulated browsers: two seats and one who watches."""

import asyncio
import json
import random
from dataclasses import replace
from unittest.mock import patch

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui
from nicegui.testing import User

from brickphys.blade_and_bow.pieces import HIDDEN
from brickphys.errors import InvalidValueError
from brickphys.rules.game import open_actions
from brickphys.rules.record import NOBODY
from brickphys.rules.registry import game
from brickphys.seeds import generator
from brickphys.text import spoken
from brickphys.view.app import tables
from brickphys.view.app.access import TABLE
from brickphys.view.app.battles import replay
from brickphys.view.app.battles.picture import described
from brickphys.view.app.battles.shared import shared_table
from brickphys.view.app.battles.table_page import table_page
from tests.view import visits
from tests.view.app.test_play import new_table


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(tables, "_open", {})
    monkeypatch.setattr(tables, "chosen_root", lambda _: 5)
    monkeypatch.setattr("brickphys.view.app.battles.shared._shared", {})
    return tmp_path / "brickphys" / "tables"


def laid(name="bow", setup="duel", players="person", clock=""):
    """Lay a table, and return the keys of its seats, then that of who watches."""
    found = game(name)
    links = tables.laid_table(found, found.setups[setup], players, clock)
    return [path.removeprefix(TABLE) for path in links.values()]


async def is_ready(visit):
    """Wait until a page shows its table, or why there is none."""
    await visit.until(
        lambda: visit.texts() and not (visit.sees("Loading") or visit.sees("is loaded"))
    )


def at_table(keys, check):
    """Let visitors sit down by their keys, one after the other, and check what they see."""
    waiting = iter(keys)

    async def run():
        async with visits.simulated(lambda: table_page(next(waiting))) as first:
            users = [first, *(User(first.http_client) for _ in keys[1:])]
            found = [visits.Visit(user, {}) for user in users]
            for one in found:
                await one.open()
                await is_ready(one)
            try:
                await check(*found)
            finally:  # else the loop waits for them for ever
                for one in found:
                    one.user.client.outbox.stop()

    asyncio.run(run())


def table():
    (found,) = tables.open_tables()
    return found


def type_in(visit, text):
    field = visit.one(ui.input, "Or type: an action, a place, a name")
    field.value = text
    visit.tell(field, "keydown.enter")


def seats(red, blue):
    """Return the visitor who is to act, and the other one."""
    return (red, blue) if table().ongoing.session.actor == 0 else (blue, red)


def test_a_choice_at_one_seat_is_seen_at_all(folder):
    async def check(red, blue, watching):
        acts, waits = seats(red, blue)
        await waits.until(": choosing ...")
        type_in(acts, "walk 5,6")
        await acts.until("which side does")
        assert waits.sees(": choosing ...")
        texts = [step.text for step in table().ongoing.session.steps]
        assert texts[-1] == "walk 5,6"
        assert not watching.elements(ui.button, "Give up")
        type_in(waits, "end")
        await asyncio.sleep(0.2)
        assert [step.text for step in table().ongoing.session.steps] == texts  # out of turn

    at_table(laid(), check)


def test_what_several_say_at_once_is_kept():
    async def check(red, blue, watching):
        shared = await shared_table(table().watch_key)
        await asyncio.gather(*(shared.talk(lambda: None) for _ in range(20)))

    at_table(laid(), check)


def test_a_game_that_is_given_up_is_told_once_with_its_winner(monkeypatch):
    monkeypatch.setattr(replay, "_played", {})

    async def check(red, blue, watching):
        red.click("Give up")
        await red.until("Play on")
        red.tell(red.elements(ui.button, "Give up")[-1], "click")
        for visit in (red, blue, watching):
            await visit.until("Watch it again")
        assert [
            one["title"].rpartition(": ")[0].endswith("red gives up") for one in replay.told()
        ] == [True]
        (played,) = replay._played.values()
        shown = replay._document(played, False, None, None, None)
        assert "Red gives up: blue wins." in shown
        assert "broken off" not in shown

    at_table(laid(), check)


def test_a_click_on_what_was_asked_before_is_refused():
    async def check(red, blue):
        shared = await shared_table(table().watch_key)
        with pytest.raises(InvalidValueError, match="has gone on since"):
            await shared.change(lambda: pytest.fail("it is done"), shared.number - 1)

    at_table(laid()[:2], check)


def test_people_talk_have_names_and_agree_on_a_draw():
    async def check(red, blue, watching):
        red.enter("Your name", "Anna", ui.input)
        red.tell(red.one(ui.input, "Your name"), "blur")
        await blue.until("red (Anna)")
        blue.one(ui.input, "Say something").value = "<b>Hi</b>"
        blue.tell(blue.one(ui.input, "Say something"), "keydown.enter")
        await watching.until("blue: <b>Hi</b>")
        red.click("Offer a draw")
        await blue.until("red (Anna): a draw?")
        assert not watching.elements(ui.button, "Agree")
        blue.click("Agree")
        for one in (red, blue, watching):
            await one.until("A draw by agreement after")
        red.click("Play again")
        await blue.until("another game?")
        blue.click("Agree")
        await watching.until(": choosing ...")

    at_table(laid(), check)


def test_a_bot_plays_for_who_is_away_and_the_seat_is_given_back():
    async def check(red, blue):
        acts, waits = seats(red, blue)
        acts.click("Let a bot play")
        await waits.until("(a bot, fair)")
        await waits.until(lambda: not waits.sees(": choosing ..."))
        await acts.until("Play myself")
        acts.click("Play myself")
        await waits.until(lambda: not waits.sees("(a bot, fair)"))
        assert len(table().ongoing.persons) == 2

    at_table(laid("bow", "skirmish")[:2], check)


def test_a_seat_has_one_window():
    async def check(first, second):
        await first.until("This seat is taken in another window.")
        first.click("Play here")
        await second.until("This seat is taken in another window.")
        await is_ready(first)

    key = laid()[0]
    at_table([key, key], check)


def test_who_has_no_time_left_loses():
    async def check(red, blue):
        await blue.until("has no time left: ")
        await red.until("has no time left: ")

    at_table(laid(clock="0.02")[:2], check)


def test_the_time_that_is_left_is_kept_while_nobody_acts(folder, monkeypatch):
    monkeypatch.setattr("brickphys.view.app.battles.shared._KEPT_S", 0.1)

    def kept_s():
        (path,) = folder.glob("*.json")
        return sum(json.loads(json.loads(path.read_text())[1])["clock"][2:])

    async def check(red, _):
        await is_ready(red)
        before = kept_s()
        await red.until(lambda: kept_s() < before - 0.3)

    at_table(laid(clock="20")[:2], check)


def check_told(ongoing, sent):
    """Check that no step is told as a whole to who may not know all of it."""
    tell, record, differ = ongoing.game.tell, ongoing.record, 0
    for before, step in zip(record.states, record.steps, strict=False):
        whole = tell(before, step)
        for viewer, text in zip((0, 1, NOBODY), sent, strict=True):
            if whole and tell(before, step, viewer) != whole:
                differ += 1
                assert whole.rstrip(".") not in text
    assert differ > 10


def test_nobody_is_sent_what_a_seat_may_not_see():
    """Hidden ranks are in what is sent to their owner, and in nothing that is sent to others."""

    async def check(*visitors):
        chance, shared = random.Random(3), await shared_table(table().watch_key)
        for _ in range(40):
            ongoing = table().ongoing
            seat = ongoing.seen_from(ongoing.session.actor)
            action = chance.choice(open_actions(ongoing.game, ongoing.state))
            await shared.change(lambda seat=seat, action=action: seat.choose(action))
        state = table().ongoing.state
        seen = table().ongoing.game.observe(state, 1).units
        labels = {
            f"{spoken(spec.name)} +{unit.ranks}"
            for spec, unit, other in zip(state.setting.units, state.units, seen, strict=True)
            if other.ranks == HIDDEN and unit.ranks
        }
        sent = [" ".join([*one.sent, *one.texts(), *one.html()]) for one in visitors]
        found = [{one for one in labels if one in text} for text in sent]
        assert found[0] == labels
        assert labels
        assert found[1:] == [set(), set()]
        check_told(table().ongoing, sent)

    at_table(laid("blade_and_bow", "marathon"), check)


def test_who_watches_reads_what_all_players_may_know_and_no_more():
    chance, watched = (
        random.Random(3),
        new_table("person", "blade_and_bow", "marathon").seen_from(None),
    )
    for _ in range(60):
        if watched.session.actor < 0:
            watched.go_on()
        else:
            watched.choose(chance.choice(open_actions(watched.game, watched.state)))
    told, steps = described(watched), watched.session.steps
    assert all(word in told for word in ("Turn 2", "morale", "losses", "miltiades"))
    last, others = steps[-1], set()
    for number in range(20):  # what is hidden from one player is not told to all
        other = watched.game.alternative(last.after, number % 2, generator(number))
        steps[-1] = replace(last, after=other)
        others.add(other)
        assert described(watched) == told
    assert len(others) > 10


def test_bots_alone_play_while_nobody_watches_and_their_table_rests_then():
    async def check(_):
        (key,) = laid(players="greedy")
        shared = await shared_table(key)
        await shared.change()
        while tables.open_tables():
            await asyncio.sleep(0.05)
        assert sum(tables.find_table(key).points) == 1

    visits.visited(lambda: None, check)


def test_a_link_to_nothing_is_told():
    async def check(visit):
        assert visit.sees("There is no such table here any more")

    at_table(["x.y"], check)


def test_a_table_goes_on_after_the_server_was_stopped_and_a_changed_file_is_refused(
    folder, monkeypatch
):
    keys = laid("blade_and_bow", "marathon")
    chance = random.Random(1)
    for _ in range(5):
        ongoing = table().ongoing
        action = chance.choice(open_actions(ongoing.game, ongoing.state))
        ongoing.seen_from(ongoing.session.actor).choose(action)
        table().go_on_quickly()
    tables.keep(table())
    before, (path,) = table().document(), folder.iterdir()
    tables._open.clear()
    assert all(map(tables.is_key, keys))
    assert tables.find_table(keys[0]).document() == before
    content = path.read_bytes()
    for wrong in (
        content.replace(b"person", b"greedy", 1),
        content[:-9],
        b"[]",
        b"",
        b'["",""]',
        b"\xff",
    ):
        tables._open.clear()
        path.write_bytes(wrong)
        for look in (tables.find_table, tables.is_key):
            with pytest.raises(InvalidValueError, match="changed or is damaged"):
                look(keys[0])
    path.unlink()
    assert not tables.is_key(keys[0])
    with pytest.raises(InvalidValueError, match="no such table"):
        tables.find_table(keys[0])


def test_two_servers_do_not_undo_what_the_other_one_has_kept(folder):
    keys = laid()
    here = tables.find_table(keys[0])
    with patch.multiple(tables, _open={}, _kept={}):  # another server
        there = tables.find_table(keys[0])
        there.say(0, "from there")
        tables.keep(there)
    here.say(0, "from here")
    with pytest.raises(InvalidValueError, match="goes on at another server: load this page again"):
        tables.keep(here)
    again = tables.find_table(keys[0])
    assert [words for _, words in again.lines] == ["from there"]
    again.say(0, "from here")
    tables.keep(again)


@pytest.mark.parametrize("key", ["", ".", "/", "../x", "x" * 100_000, "\0", "\udcff.x"])
def test_a_key_is_never_a_path(key):
    laid()
    assert not tables.is_key(key)


@pytest.mark.parametrize(
    ("players", "clock", "told"),
    [
        ("person", "x", "clock: "),
        ("person,os:path", "", "was played by"),
    ],
)
def test_a_table_that_cannot_be_laid_is_refused(players, clock, told):
    with pytest.raises(InvalidValueError, match=told):
        laid(players=players, clock=clock)
    assert tables.open_tables() == []


def test_a_seat_whose_browser_is_gone_is_told_as_away_until_it_is_back(monkeypatch):
    monkeypatch.setattr("brickphys.view.app.battles.table_page._AWAY_S", 0.0)
    keys = laid()

    async def check(first, second):
        (page,) = (one for one in (await shared_table(keys[0])).pages if one.player == 0)
        name = table().player_name(0)
        assert second.sees(name)
        assert not second.sees(f"{name}, away")
        first.user.client.tab_id = None
        await page._note_absence()
        assert second.sees(f"{name}, away")
        page._set_away(is_away=False)
        assert not second.sees(f"{name}, away")

    at_table(keys[:2], check)
