"""Battles in the app as the server sees them, with a simulated browser: clicks, words, undo, two people, bad input."""

import asyncio
import json
import re
from dataclasses import replace
from hashlib import sha256
from time import perf_counter

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from brickphys.battles.lesson import lesson
from brickphys.battles.ongoing_game import OngoingGame, Rolls, Waits
from brickphys.battles.start import GameStart
from brickphys.minifig.sheets import INCH_MM
from brickphys.notes import COMPILING
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.players.bots import bot
from brickphys.rules.players.prompt import listed
from brickphys.rules.record import OVER, Ending
from brickphys.rules.registry import game
from brickphys.rules.replay import format_replay
from brickphys.seeds import generator
from brickphys.text import spoken
from brickphys.view.app import player
from brickphys.view.app.battles import saving
from brickphys.view.app.battles.page import GamePage
from brickphys.view.app.battles.picture import in_words, picked_place
from brickphys.view.app.battles.play_page import PlayPage, play_page
from tests.view import visits

LAW = find_law(DEFAULT)
GAME, SAVED = "brickphys-game", "brickphys-saved-game"
NAME = "the name of a game"


def new_table(players="person,greedy", name="bow", setup="duel", rolls=Rolls.LAW, seed=7):
    played = game(name)
    return OngoingGame(played, GameStart(played.setups[setup], seed), players, LAW, DEFAULT, rolls)


def type_in(visit, text):
    """Type an action, a place or a name."""
    field = visit.one(ui.input, "Or type: an action, a place, a name")
    field.value = text
    visit.tell(field, "keydown.enter")


def pick(visit, at_mm, thing=""):
    """Click in the picture."""
    visit.in_picture("picked", {"at": list(at_mm), "thing": thing})


def shown():
    """Return the recording that was offered last."""
    return json.loads(list(player._scenes.values())[-1])


async def stay():
    """Do nothing when the page calls this because its game is left."""


def visited(check, table=None, kept=None, leave=stay):
    """Open the page Play, or a table whose page calls `leave` once it is left, and let a visitor check it."""
    pages = []

    async def at_table():
        await ui.context.client.connected()
        play = PlayPage()
        play.leave = leave
        pages.append(GamePage(play, table))
        await pages[0].start()

    async def begun(visit):
        visit.pages, visit.table = pages, table
        await check(visit)

    visits.visited(play_page if table is None else at_table, begun, kept)


on_play = visits.as_test(visited)
"""Let a visitor of the page Play do a test."""


def on_table(*words, **options):
    """Let a visitor of a new table do a test."""
    return visits.as_test(lambda script: visited(script, new_table(*words, **options)))


@pytest.mark.slow
def test_a_duel_is_set_up_and_begun(caplog):
    async def check(visit):
        await visit.until("Who plays what?")
        visit.one(ui.number, "Seed (empty: any)").value = 7
        visit.click("Play")
        await visit.until("2 actions left")

    visited(check)
    assert "deleted" not in caplog.text  # the fields have gone with the first picture


def test_a_lesson_is_said_above_the_choices_and_lights_what_it_means():
    taught = lesson(game("bow"))

    async def check(visit):
        await visit.until("Lesson, step 1 of 11 (BOW 2.2)")
        lit, is_meant = visit.pages[0]._picture.placed, visit.pages[0]._lesson.is_meant
        assert [one.text for one, _ in lit if is_meant(one)] == ["unit red_driver"]
        type_in(visit, "red trooper")
        await visit.until("You chose unit red trooper, which is legal, too")

    visited(check, OngoingGame(taught.game, taught.start, taught.start.players, LAW, DEFAULT))


@on_table()
async def test_a_unit_and_a_place_are_clicked_in_the_picture(visit):
    table = visit.table
    await visit.until("2 actions left")
    assert visit.sees("There was no other choice, so this was done for you: unit red trooper.")
    pick(visit, (5.4 * 8, 6.3 * 8))
    await visit.until("which side does red trooper face")
    assert [step.text for step in table.session.steps[-2:]] == ["do walk", "walk 5,6"]
    pick(visit, (5.4 * 8, 6.3 * 8))
    await visit.until("No place and no piece is asked for here now, but this: which side")
    visit.click("Undo")
    await visit.until("2 actions left")
    assert table.session.steps[-1].text == "unit red_trooper"


def test_a_table_is_laid_with_a_link_for_each_person_and_one_to_watch(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def check(visit):
        await visit.until("Who plays what?")
        visit.choose("blue", "person")
        visit.click("Lay a table")
        await visit.until("The table is laid")
        assert [one.text for one in visit.elements(ui.link)] == ["red", "blue", "to watch"]

    visited(check)


@on_table()
async def test_a_click_at_who_acts_spends_nothing(visit):
    """The walk to the own stud, after which one may turn, is offered as a button; the stud is not lit."""
    await visit.until("2 actions left")
    before, stands = len(visit.table.session.steps), visit.table.game.here(visit.table.state)
    lit = [choice.place for choice, _ in visit.pages[0]._picture.placed]
    assert lit
    assert stands not in lit
    pick(visit, [8 * part for part in stands])
    await visit.until("Here, where it stands already")
    assert len(visit.table.session.steps) == before


@on_table()
async def test_what_is_pointed_at_belongs_to_the_question_that_was_shown(visit, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "brickphys.view.app.battles.picture.preview", lambda *given: asked.append(given)
    )
    await visit.until("2 actions left")
    visit.table.choose(visit.table.asked.actions[0])
    visit.in_picture("pointed", 0)  # the page has not shown that yet
    await asyncio.sleep(0.2)
    assert asked == []


@pytest.mark.slow
@on_table()
async def test_why_not_is_told_of_what_is_clicked_or_typed(visit):
    await visit.until("2 actions left")
    pick(visit, (11.5 * 8, 0.5 * 8))
    await visit.until("cannot reach 11,0")
    type_in(visit, "attack blue_trooper spear")
    await visit.until("BOW 2.4")
    type_in(visit, "nonsense")
    await visit.until("unknown action 'nonsense'")
    type_in(visit, "walk 5,6")
    await visit.until("which side does red trooper face")
    assert not visit.sees("unknown action")


@pytest.mark.slow
@on_table()
async def test_several_choices_on_a_line_are_done_one_after_the_other_until_one_cannot_be(visit):
    await visit.until("2 actions left")
    type_in(visit, "walk 5,6; nonsense; end")
    await visit.until("unknown action 'nonsense'")
    assert visit.sees("which side does red trooper face")


@pytest.mark.slow
@on_table("person,greedy", "blade_and_bow", "marathon")
async def test_numbers_without_blanks_between_them_answer_several_questions(visit):
    await visit.until("left stand behind")
    type_in(visit, "1;1;2")
    await visit.until(lambda: len(visit.table.session.steps) >= 3)
    assert [step.text for step in visit.table.session.steps[:3]] == [
        "ranks 1",
        "ranks 1",
        "ranks 2",
    ]


async def click_choice(visit, choice):
    """Click the button of a choice, once the lists are open."""
    with visit.user:
        for fold in visit.elements(ui.expansion):
            fold.open()
    label = in_words(spoken(choice.text))
    told = (label, f"{label}: {choice.remark}")
    for button in [one for name in told for one in visit.elements(ui.element, name, "click")][:1]:
        visit.tell(button, "click")  # else the page is not there yet


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "setup", "seed"),
    [
        ("bow", "duel", 7),
        ("minifig", "duel", 3),
        ("pirate_wars", "duel", 3),
        ("blade_and_bow", "mycale", 3),
        ("campaign", "ten_days", 4),
    ],
)
def test_a_game_is_played_to_its_end_by_buttons_and_has_a_replay(name, setup, seed):
    """A person clicks what the greedy bot would do."""
    players = "person" if name == "campaign" else "person,random"
    table = new_table(players, name, setup, seed=seed)
    rng, greedy = generator(1), bot("greedy", table.game, LAW)

    async def check(visit):
        done, seen = 0.0, -1
        while table.waits is not Waits.END:
            await asyncio.sleep(0.005)
            if seen != (seen := len(table.session.steps)):
                done = perf_counter()
            assert perf_counter() - done < 300, "no click does anything"
            if not visit.pages or visit.pages[0].is_busy or table.waits is not Waits.CHOICE:
                continue  # threads of the page change the table
            asked, choices = table.asked, listed(table.asked)
            wanted = greedy.choose(asked.view, asked.actions, rng)
            found = [one for one in choices if one.actions[0] == wanted]
            await click_choice(visit, (found or choices)[0])
        await visit.until(f"Seed {seed}")
        payoff = table.session.record(Ending.OVER).returns[0] if table.session.actor == OVER else 0
        assert visit.sees("You have won: ") is (payoff > 0)
        assert visit.sees("You have lost: ") is (payoff < 0)
        link = visit.one(ui.link, "Watch it again, with the odds of each roll")
        assert re.fullmatch(r"/replay/[\w-]{20,}", link.props["href"])

    visited(check, table)


@pytest.mark.slow
@on_table(rolls=Rolls.TABLE)
async def test_rolls_are_typed_or_chosen_and_wrong_ones_refused(visit):
    await visit.until("Type a number")
    type_in(visit, "7")
    await visit.until("'7' is not an answer")
    for word in ("odds", "why walk"):
        type_in(visit, word)
        await visit.until("The roll comes first")
    visit.click("3")
    await visit.until("blue rolls for the start")
    assert not visit.sees("The roll comes first")
    type_in(visit, "save")
    await visit.until(".jsonl is saved.")
    type_in(visit, "undo")
    await visit.until("red rolls for the start")


@pytest.mark.slow
@on_table("person,person", "blade_and_bow", "marathon")
async def test_secrets_are_hidden_until_the_next_person_is_there(visit):
    table = visit.table
    await visit.until("Pass the screen to")
    assert not visit.sees("Undo")
    assert not any(").offer(" in code for code in visit.sent)
    visit.click("I am here")
    await visit.until("Undo")
    first = table.session.actor
    for _ in range(100):
        if table.waits is not Waits.CHOICE:
            break
        type_in(visit, listed(table.asked)[0].text)
        await asyncio.sleep(0.02)
    await visit.until("Pass the screen to")
    assert table.session.actor != first
    assert not visit.sees("Undo")
    assert any(").clear()" in code for code in visit.sent[-6:])


@pytest.fixture
def keeps(monkeypatch):
    """Return what lets the server have a game for the tab, as a text of who rolls and a replay."""

    def keep(rolls, replay):
        monkeypatch.setattr(saving, "stored_game", {NAME: (rolls, replay)}.get)

    return keep


@pytest.mark.slow
def test_a_page_that_is_loaded_again_goes_on_and_asks_before_the_game_is_left(keeps):
    table = new_table()
    while table.waits is Waits.PROGRAM:
        table.go_on()
    table.take_only()
    keeps(Rolls.LAW, table.replay())

    async def check(visit):
        await visit.until("2 actions left")
        dialog = await asked(visit)
        visit.click("Stay")
        await visit.until(lambda: not dialog.value)

    visited(check, kept={GAME: NAME})


@pytest.mark.slow
def test_a_game_that_was_saved_is_left_without_a_question_also_after_it_was_loaded_again(keeps):
    table = new_table()
    while table.waits is Waits.PROGRAM:
        table.go_on()
    keeps(Rolls.LAW, table.replay())

    async def check(visit):
        await visit.until("2 actions left")
        visit.click("New game")
        await visit.until("Who plays what?")

    digest = sha256(table.replay().encode()).hexdigest()
    visited(check, kept={GAME: NAME, SAVED: digest})


@pytest.mark.slow
def test_a_page_that_is_loaded_again_at_the_end_of_a_game_offers_to_play_again(keeps):
    table = new_table("random,random")
    while table.waits is not Waits.END:
        table.go_on()
    keeps(Rolls.LAW, table.replay())

    async def check(visit):
        await visit.until("Odds of each roll")
        visit.click("Play again")
        await visit.until(lambda: not visit.sees("Odds of each roll"))
        await visit.until("Seed ")

    visited(check, kept={GAME: NAME})


@pytest.mark.slow
@on_play
async def test_a_duel_that_is_over_is_played_again_with_other_rolls(visit):
    await visit.until("Who plays what?")
    for seat in visit.elements(ui.select, "red") + visit.elements(ui.select, "blue"):
        seat.value = "random"
    visit.one(ui.number, "Seed (empty: any)").value = 7
    visit.click("Play")
    await visit.until("Seed 7")
    first = next(text for text in visit.texts() if "Seed 7" in text)
    visit.click("Play again")
    await visit.until(lambda: not visit.sees(first))
    await visit.until("Seed ")


@pytest.mark.slow
@on_table("person,person", "blade_and_bow", "marathon")
async def test_what_is_hidden_comes_into_no_browser(visit):
    """The server keeps the game; what the tab is sent has no line of its replay."""
    table = visit.table
    await visit.until("Pass the screen to")
    visit.click("I am here")
    await visit.until("Undo")
    replay = table.replay()
    lines = [line.strip("{}") for line in replay.splitlines() if line]
    assert len(lines) > 1
    assert not any(line in code.replace("\\", "") for line in lines for code in visit.sent)
    games = [saving.stored_game(name) for name in saving._pages]
    assert (Rolls.LAW, replay) in games


@pytest.mark.slow
@pytest.mark.parametrize(
    "replay", ["not a replay\n", "{}", "", new_table("random").replay().replace("red", "green")]
)
def test_a_kept_game_that_is_none_or_was_edited_is_told_or_forgotten(keeps, replay):
    keeps(Rolls.LAW, replay)

    async def check(visit):
        await visit.until("Who plays what?")

    visited(check, kept={GAME: NAME})


@pytest.mark.slow
@pytest.mark.parametrize("kept", [None, 3, "", "a name of nothing", "../../etc/passwd"])
def test_a_name_that_the_server_does_not_know_is_no_game(kept):
    async def check(visit):
        await visit.until("Who plays what?")

    visited(check, kept={GAME: kept})


def test_a_kept_game_names_no_code_that_is_run(keeps, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("raise SystemExit('it ran')\n")
    table = new_table()
    table.go_on()
    forged = replace(table.record, players=("evil:Bot", "person"))
    keeps(Rolls.LAW, format_replay(table.game, forged, "the default law"))

    async def check(visit):
        await visit.until("was played by evil:Bot")

    visited(check, kept={GAME: NAME})


@pytest.mark.slow
def test_a_game_of_players_who_are_not_installed_is_not_offered_again(keeps):
    table = new_table("random,random")
    while table.waits is not Waits.END:
        table.go_on()
    forged = replace(table.record, players=("evil:Bot", "random"))
    keeps(Rolls.LAW, format_replay(table.game, forged, "the default law"))

    async def check(visit):
        await visit.until("Odds of each roll")
        assert not visit.sees("Play again")

    visited(check, kept={GAME: NAME})


@on_table()
async def test_the_picture_is_said_to_do_what_was_chosen(visit):
    await visit.until("Yellow: walk there")
    type_in(visit, "throw spear")
    await visit.until("Yellow: throw there")


@on_table()
async def test_it_is_told_while_the_game_waits_for_the_compiler(visit, monkeypatch):
    await visit.until("2 actions left")
    compiled, going_on = asyncio.Event(), visit.pages[0]._go_on

    async def late():
        await compiled.wait()
        return await going_on()

    monkeypatch.setattr(visit.pages[0], "_go_on", late)
    COMPILING.set()
    try:
        type_in(visit, "do walk")
        await visit.until("The engine for this game is being compiled")
    finally:
        COMPILING.clear()
    compiled.set()
    await visit.until("walk: ")
    assert not visit.sees("The engine for this game is being compiled")


@on_table("person", "campaign", "ten_days", seed=1)
async def test_a_battle_of_a_campaign_is_seen_and_clicked_while_it_goes_on(visit):
    table = visit.table
    await visit.until("five of swords")
    type_in(visit, "choose fight")
    await visit.until("5 figures left to act")
    assert shown()["title"] == "Day 1, 15 April: the battle with the champion"
    assert {"berta", "champion 1"} <= {thing.get("label") for thing in shown()["things"]}
    berta, champion = (table.state.battle.figures[n].place_in for n in (1, -1))
    pick(visit, [side * INCH_MM for side in berta])
    await visit.until("berta has done nothing")
    pick(visit, [side * INCH_MM for side in champion], "champion_1")
    await visit.until("March or camp")
    assert table.session.steps[-1].text == "champion_1 knocked over"
    assert shown()["title"] == "Campaign"


@on_table()
async def test_places_are_a_closed_list_whose_buttons_are_made_once_it_is_opened(visit):
    table = visit.table
    await visit.until("2 actions left")
    type_in(visit, "do walk")
    await visit.until("walk: ")
    fold = visit.one(ui.expansion, f"walk: {len(table.asked.actions)} places")
    assert not [*fold.descendants()]
    with visit.user:
        fold.open()
    buttons = [one for one in fold.descendants() if one.tag == "button"]
    assert [one.props["aria-label"] for one in buttons] == [
        spoken(one.text) for one in listed(table.asked)
    ]
    visit.click("walk 5,6", ui.element)
    await visit.until("which side does red trooper face")
    assert table.session.steps[-1].text == "walk 5,6"


@on_table()
async def test_lists_are_open_where_the_browser_has_no_picture(visit):
    await visit.until("2 actions left")
    type_in(visit, "do walk")
    await visit.until("walk: ")
    assert not visit.elements(ui.element, "walk 5,6", "click")
    visit.in_picture("blind", None)
    assert visit.elements(ui.element, "walk 5,6", "click")
    visit.click("Undo")
    await visit.until("2 actions left")
    type_in(visit, "do walk")
    await visit.until("walk: ")
    assert visit.elements(ui.element, "walk 5,6", "click")


@pytest.mark.parametrize(
    "args",
    [None, 3, {}, {"at": [1, 2]}, {"at": [1], "thing": ""}, {"at": ["1", 2], "thing": ""},
     {"at": [1e300, 2], "thing": ""}, {"at": [float("nan"), 2], "thing": ""}, {"at": [1, 2], "thing": 5}],
)  # fmt: skip
def test_what_a_browser_sends_is_checked(args):
    assert picked_place(args if args is None else {"detail": args}) is None


class Clumsy:
    """A bot of another package, which fails."""

    name = "greedy"

    def choose(self, view, actions, rng):
        raise ZeroDivisionError("division by zero")


def test_a_bot_that_fails_ends_no_game():
    table = new_table("greedy,person")
    able, table.session.players[0] = table.session.players[0], Clumsy()

    async def check(visit):
        await visit.until("red has failed: ZeroDivisionError: division by zero")
        assert visit.sees("The game stands still.")
        assert not visit.sees("Watch it again")
        assert visit.one(ui.button, "Save").enabled
        table.session.players[0] = able
        visit.click("Try again")
        await visit.until("red (greedy) wins")
        assert not visit.sees("has failed")

    visited(check, table)


@on_table(rolls=Rolls.TABLE, players="person")
async def test_a_click_beyond_the_table_or_while_bricks_are_rolled_is_answered(visit):
    await visit.until("Type a number")
    pick(visit, (30.0, 30.0))
    await visit.until("The roll comes first")
    type_in(visit, "1")
    await visit.until("blue rolls for the start")
    type_in(visit, "0")
    await visit.until("2 actions left")
    pick(visit, (-5.0, 30.0))
    await visit.until("beyond the edge of the table")


class Left:
    """Counts how often a game is left."""

    def __init__(self):
        self.times = 0

    async def __call__(self):
        self.times += 1


async def begin_to_walk(visit):
    """Choose something in the duel."""
    await visit.until("2 actions left")
    type_in(visit, "walk 5,6")
    await visit.until("which side does red trooper face")


async def asked(visit):
    """Click *New game*, and wait until it is asked whether the game is to be left."""
    dialog = visit.one(ui.dialog)
    visit.click("New game")
    await visit.until(lambda: dialog.value)
    return dialog


def test_a_game_in_which_something_was_chosen_is_left_only_after_a_question():
    left = Left()

    async def check(visit):
        await begin_to_walk(visit)
        dialog = await asked(visit)
        visit.click("Stay")
        await visit.until(lambda: not dialog.value)
        await asked(visit)
        assert left.times == 0
        visit.click("Leave")
        await visit.until(lambda: left.times == 1)

    visited(check, new_table(), leave=left)


def test_a_game_that_was_saved_from_the_question_is_left():
    left = Left()

    async def check(visit):
        await begin_to_walk(visit)
        await asked(visit)
        visit.click("Save and leave")
        await visit.until(lambda: left.times == 1)
        await visit.until(lambda: visit.user.download.http_responses)
        assert "walk 5,6" in visit.user.download.http_responses[0].text

    visited(check, new_table(), leave=left)


def test_nothing_is_asked_where_nothing_was_chosen_since_the_start_or_the_last_save():
    left = Left()

    async def check(visit):
        await visit.until("2 actions left")
        visit.click("New game")
        await visit.until(lambda: left.times == 1)

    async def check_saved(visit):
        await begin_to_walk(visit)
        visit.click("Save")
        await visit.until(lambda: visit.user.download.http_responses)
        visit.click("New game")
        await visit.until(lambda: left.times == 2)

    visited(check, new_table(), leave=left)
    visited(check_saved, new_table(), leave=left)


@on_table()
async def test_a_click_on_a_tree_says_what_it_is_and_moves_nobody(visit):
    table = visit.table
    await visit.until("2 actions left")
    before = len(table.session.steps)
    (tree, *_) = (one["id"] for one in shown()["things"] if one.get("label") == "tree")
    pick(visit, (5.5 * 8, 6.5 * 8), tree)
    await visit.until("a part of the field: tree")
    assert len(table.session.steps) == before


@pytest.mark.slow
def test_a_click_on_a_door_opens_it_and_tells_why_not():
    table = new_table(setup="princess", seed=3)
    while table.waits is Waits.PROGRAM:
        table.go_on()
    door = (29 * 8, 17 * 8), "door door_1"

    def texts():
        steps = (step.text for step in table.session.steps)
        return [text for text in steps if text.endswith(" door_1")]

    async def check(visit):
        await visit.until("your next unit")
        type_in(visit, "unit princess")
        await visit.until("princess, 3 actions left")
        pick(visit, *door)
        await visit.until("door 1 is not close to princess")
        type_in(visit, "walk 30,17")
        await visit.until("which side does princess face")
        type_in(visit, "w")
        await visit.until("princess, 2 actions left")
        pick(visit, *door)
        await visit.until("princess, 1 action left")
        pick(visit, *door)
        await visit.until(lambda: len(texts()) > 1)
        assert texts() == ["open door_1", "close door_1"]

    visited(check, table)


@on_table()
async def test_the_tables_of_the_keyboard_and_what_to_click_are_told(visit):
    await visit.until("Yellow: walk there")
    assert visit.sees("White ring: who acts.")
    pages = visit.html()
    for words in ("0 of 1", "spear 2", "blue trooper", "dodge (bricks)"):
        assert any(words in one for one in pages)
    assert visit.sees("cost points destroyed: red 0, blue 0")


def test_two_clicks_leave_a_game_once():
    left = Left()

    async def check(visit):
        await visit.until("Play again")
        assert not visit.sees("before you could choose")
        for _ in range(2):
            visit.click("New game")
        await visit.until(lambda: left.times)
        await asyncio.sleep(0.1)
        assert left.times == 1

    visited(check, new_table("random,random"), leave=left)


@on_table()
async def test_a_hint_is_shown_and_done_as_a_whole(visit):
    await visit.until("2 actions left")
    before = len(visit.table.session.steps)
    visit.click("Hint")
    await visit.until("Hints of the bot hard")
    best = visit.table.asked.hints[0]
    label = f"{in_words(spoken(best.text))}: best"
    (button,) = visit.elements(ui.element, label, "click")
    visit.tell(button, "click")
    await visit.until(lambda: len(visit.table.session.steps) > before)
    taken = [step.move for step in visit.table.session.steps[before:]]
    assert tuple(taken[: len(best.plan.actions)]) == best.plan.actions


@on_table()
async def test_commands_of_the_keyboard_are_done_or_named(visit):
    await begin_to_walk(visit)
    type_in(visit, "undo")
    await visit.until("2 actions left")
    type_in(visit, "why walk 11,0")
    await visit.until("cannot reach 11,0")
    type_in(visit, "odds attack blue_trooper spear")
    await visit.until("BOW 2.4")
    type_in(visit, "hint")
    await visit.until("Hints of the bot hard")
    type_in(visit, "help")
    await visit.until("Nothing to type is called help here")
    type_in(visit, "save")
    await visit.until(".jsonl is saved.")
