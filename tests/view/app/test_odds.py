"""The odds desk: it tells what the public functions do, follows each change, and says what is wrong."""

import asyncio
import json
from inspect import getdoc

import pytest

import brickphys

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from brickphys.odds.law_file import parse_law, shipped_law
from brickphys.rules.registry import units
from brickphys.text import percent
from brickphys.view.app.brick_odds import LawField, shipped
from brickphys.view.app.game_odds import _named, roll_words
from brickphys.view.app.odds_page import RealRolls, as_counts
from tests.view.visits import Sent, hides, in_app, on_page, tells, visited

ROLLS = "Rolls (bricks,score)"


async def desk(user, tab=None):
    """Open the desk, perhaps at another tab, and wait until it is there."""
    await user.open("/odds")
    await tells(user, "Law of bricks")
    if tab:
        user.find(tab).click()


def is_picture(element):
    return "player-place" in element.classes


def number(user, label):
    return next(
        one for one in user.find(kind=ui.number).elements if one.props.get("label") == label
    )


@pytest.mark.slow
@in_app
async def test_the_odds_of_bricks_follow_each_change(user):
    await desk(user)
    await tells(user, brickphys.odds(3, 2).line())
    number(user, "Attack").value = 4
    number(user, "Health of the target (0: any)").value = 2
    number(user, "Attacks in the turn").value = 2
    now = brickphys.odds(4, 2, health=2, attacks=2)
    await tells(user, now.line(), "A target of 2 health is dead", percent(now.kill))
    found = now.compare(brickphys.odds(5, 2, health=2, attacks=2))
    more = found.difference(found.first, 1, 0)
    await tells(user, f"{100 * float(more.exact):+.1f} (", "percentage points")


@pytest.mark.slow
@in_app
async def test_what_is_wrong_is_one_line_and_goes_once_it_is_mended(user):
    await desk(user)
    for wrong in (13, -1, 2.5, None):
        number(user, "Attack").value = wrong
        await tells(user, "Attack: ")
        number(user, "Attack").value = 2
        await tells(user, brickphys.odds(2, 2).line())
        await hides(user, "Attack: ")


@pytest.mark.slow
@in_app
async def test_a_law_is_chosen_stated_or_opened(user):
    await desk(user)
    (select,) = user.find(kind=ui.select, content="Law of bricks").elements
    select.value = "glass"
    await tells(user, brickphys.odds(3, 2, "glass").line())
    select.value = "a stated chance"
    number(user, "Chance of a side").value = 0.25
    await tells(user, brickphys.odds(3, 2, 0.25).line())
    number(user, "Chance of a side").value = 2
    await tells(user, "outside 0..1")
    button = next(one for one in user.find(kind=ui.upload).elements if ".json" in str(one.props))

    async def send(name, text):
        with user:
            await button.handle_uploads([Sent(name, text.encode())])

    await send("mine.json", json.dumps(shipped_law("cloth").document()))
    await tells(user, "by mine.json (2x2, hand, cloth)")
    bad = ("{}", "", "\0", '{"schema": "brickphys.law/1"}', "bricks,score\n1,0\n")
    for count, text in enumerate(bad):
        await send(f"bad{count}.json", text)
        await tells(user, f"This is not a saved law: bad{count}.json: ")
    await send("big.json", "x" * 600_000)
    await tells(user, "only files of .json, together at most 0.5 MB, are opened here")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["blade_and_bow", "bow", "minifig", "pirate_wars"])
@in_app
async def test_every_roll_of_every_game_has_fields_and_answers(user, name):
    await desk(user, "By units of a game")
    (game,) = user.find(kind=ui.select, content="Game").elements
    (roll,) = user.find(kind=ui.select, content="Roll").elements
    game.value = name
    assert set(roll.options) == set(brickphys.game(name).odds_tables())
    await tells(user, "Chances")


async def attack_of_bow(user):
    """Open the desk with an attack of BOW; return the fields of attacker and defender."""
    await desk(user, "By units of a game")
    (game,) = user.find(kind=ui.select, content="Game").elements
    game.value = "bow"
    (one,) = user.find(kind=ui.input, content="Attacker").elements
    (other,) = user.find(kind=ui.input, content="Defender").elements
    return one, other


@pytest.mark.slow
@in_app
async def test_a_roll_of_a_game_is_told_as_by_its_function(user):
    one, other = await attack_of_bow(user)
    one.value, other.value = "knight", "archer"
    report = brickphys.game("bow").odds_tables()["attack"]("knight", "archer", brickphys.law())
    await tells(user, report.title, *map(percent, map(float, report.chances.values())))
    name, chance = next(iter(report.chances.items()))
    await tells(user, f"; {name}: {percent(float(chance))}")  # in the line that is read aloud
    one.value = "elephant"
    await tells(user, "elephant")
    for path in ("/etc/passwd.toml", "mine.toml,knight", "MINE.TOML"):
        one.value = path
        await tells(user, "no file of this machine is opened from here")
        one.value = "knight"
        await tells(user, report.title)


@pytest.mark.parametrize("name", ["blade_and_bow", "bow", "minifig", "pirate_wars"])
def test_the_texts_of_rolls_name_no_option_command_or_file(name):
    rolls = brickphys.game(name).odds_tables()
    for roll in rolls.values():
        told = roll_words(getdoc(roll), rolls)
        assert told
        assert not any(word in told for word in ("--", "brickphys", ".toml", "`", "Example"))


def test_options_and_rolls_are_told_as_the_page_calls_them():
    text = "A volley with --max-range.\n\nUnits as for ``hand_fight``.\n\nExample: brickphys odds"
    told = roll_words(text, ["hand_fight"])
    assert told == "A volley with 'Max range'. Units as for the roll 'hand fight'."


@in_app
async def test_units_are_offered_and_taken_whatever_their_capitals(user):
    one, other = await attack_of_bow(user)
    offered = [item for item in one.descendants() if isinstance(item, ui.menu_item)]
    assert len(offered) == len(units("bow"))
    one.value, other.value = "Knight", "ARCHER"
    report = brickphys.game("bow").odds_tables()["attack"]("knight", "archer", brickphys.law())
    await tells(user, report.title)


@pytest.mark.parametrize("typed", ["basic trooper", "Basic Trooper", "basic_trooper"])
@in_app
async def test_a_unit_is_told_as_it_is_read_and_taken_in_both_spellings(user, typed):
    one, other = await attack_of_bow(user)
    one.value, other.value = "knight", typed
    await tells(user, "against basic trooper", "Chance of each number")
    items = [item for item in other.descendants() if isinstance(item, ui.menu_item)]
    assert not any("_" in repr(item.props) + str(item) for item in items)


def test_several_units_are_taken_in_both_spellings():
    names = ["archer", "imperial_flagship", "imperial_flagship_large"]
    typed = "Imperial flagship large ARCHER imperial_flagship"
    assert _named(typed, names) == "imperial_flagship_large archer imperial_flagship"


@in_app
async def test_a_fault_hides_what_is_told_of_others_and_so_does_another_unit_its_picture(user):
    one, other = await attack_of_bow(user)
    await tells(user, "Chances")
    user.find("Show these units").click()
    (player,) = filter(is_picture, user.client.elements.values())
    while not player.visible:
        await asyncio.sleep(0.01)
    known, other.value = other.value, "banana"
    await tells(user, "banana")
    await hides(user, "Chances")
    await hides(user, "Show these units")
    other.value = known
    await tells(user, "Chances", "Show these units")
    assert player.visible
    one.value = "wizard"
    assert not player.visible


@pytest.mark.slow
@in_app
async def test_real_rolls_are_compared_with_the_law(user):
    await desk(user, "Real rolls")
    await tells(user, "No roll yet.")
    number(user, "Bricks thrown together").value = 3
    number(user, "Of them on a side").value = 1
    user.find("Add this roll").click()
    await tells(
        user,
        "1 roll of 3 bricks in all: 1 on a side.",
        "your rolls, as counted",
        "33.3 %",
        "both together, as &#x27;Save as a law&#x27; saves it",
        "No contradiction so far",
    )
    number(user, "Of them on a side").value = 4
    user.find("Add this roll").click()
    await tells(user, "Of them on a side: 4 is outside 0 to 3")
    (rolls,) = user.find(kind=ui.textarea).elements
    rolls.value = "bricks,score\n" + "4,4\n" * 50
    await tells(user, "The law does not fit")
    for wrong in ("4,5", "a,b", "1", "1,-1", "9" * 12 + ",0"):
        rolls.value = f"bricks,score\n{wrong}\n"
        await tells(user, "the list: ")


@on_page(lambda: RealRolls(LawField(shipped(), lambda: None)))
async def test_rolls_that_were_replaced_are_got_back(visitor):
    rolls = "bricks,score\n3,1\n2,0\n"

    field = visitor.one(ui.textarea, ROLLS)
    undo = visitor.one(ui.button, "Undo")
    field.value = rolls
    assert not undo.visible
    for _ in range(2):
        visitor.click("Begin again")
        await visitor.until(lambda: field.value == "bricks,score")
    assert undo.visible
    visitor.click("Undo")
    await visitor.until(lambda: field.value == rolls)


@in_app
async def test_the_units_of_a_game_are_those_of_the_game_for_newcomers_at_first(user):
    await desk(user, "By units of a game")
    (game,) = user.find(kind=ui.select, content="Game").elements
    assert game.value == "bow"


def test_rolls_that_were_typed_are_there_again_where_the_page_is_loaded_again():
    kept, rolls = {}, "bricks,score\n3,1\n2,0\n"

    async def type_them(visitor):
        await visitor.until(lambda: visitor.elements(ui.textarea, ROLLS))
        visitor.one(ui.textarea, ROLLS).value = rolls
        await visitor.until(lambda: kept)

    async def come_again(visitor):
        await visitor.until(lambda: visitor.one(ui.textarea, ROLLS).value == rolls)

    for check in (type_them, come_again):
        visited(lambda: RealRolls(LawField(shipped(), lambda: None)), check, kept)


@pytest.mark.slow
@in_app
async def test_two_visitors_have_desks_of_their_own(user):
    await desk(user)
    first = number(user, "Attack")
    first.value = 5
    await desk(user)
    assert number(user, "Attack").value == 3
    assert first.value == 5


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("60;14", "bricks,score\n60,14"),
        ("60,14\n5 2\n\n4\t1", "bricks,score\n60,14\n5,2\n\n4,1"),
        ("bricks,score\n60;14", "bricks,score\n60,14"),
        ("bricks;score\n60;14", "bricks,score\n60,14"),
        ("bricks,score,surface\n5,2,wood", "bricks,score,surface\n5,2,wood"),
    ],
)
def test_a_list_is_read_with_or_without_its_heading_and_with_other_separators(written, read):
    assert as_counts(written) == read


def test_the_law_of_real_rolls_is_saved_and_used_by_the_other_tabs():
    fields = []

    def fill():
        fields.append(LawField(shipped(), lambda: None))
        rolls.append(RealRolls(fields[0]))

    rolls = []

    async def check(visitor):
        visitor.one(ui.textarea, ROLLS).value = "60;30\n60;29"
        visitor.click("Save as a law")
        await visitor.until(lambda: visitor.user.download.http_responses)
        saved = parse_law(visitor.user.download.http_responses[-1].text)
        assert fields[0].law == saved
        assert float(saved.p) > float(brickphys.law().p)
        assert visitor.one(ui.select, "Law of bricks").value == "my rolls"
        rolls[0].refresh()
        await visitor.until(
            lambda: visitor.elements(
                ui.label, "This law contains these rolls: compare them with another one."
            )
        )

    visited(fill, check)
