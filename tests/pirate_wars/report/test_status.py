"""The status of a battle: map, tables and notes."""

import re

import pytest

from brickphys.geometry.pose import bearing_deg
from brickphys.pirate_wars.game import PirateWars
from brickphys.pirate_wars.morale import MoraleEffect, suffer
from brickphys.pirate_wars.sailing import begin_move, set_adrift
from brickphys.pirate_wars.scene import sea_map, ship_letters
from brickphys.pirate_wars.setting import Options
from brickphys.pirate_wars.state import Fate, Phase
from brickphys.pirate_wars.status import battle_status, remarks
from brickphys.pirate_wars.story import Beat, kills
from brickphys.pirate_wars.tasks import ORDERS
from brickphys.rules.names import compass
from brickphys.rules.players.keyboard import Keyboard, Teller, player_tones
from brickphys.rules.record import Step
from brickphys.rules.report.char_map import spans_of
from tests.cases import few
from tests.pirate_wars.battle import GAME, setup
from tests.pirate_wars.close_quarters import battle
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import tasks, told


def rows_of(state):
    """The squares of a map, the lowest row first, each with the studs of its middle."""
    lines = [line[5:] for line in sea_map(state).splitlines()]
    rows = [line for line in lines if len(line) == len(lines[0])]
    size = state.setting.sea.width_studs / len(rows[0])
    return {
        ((x + 0.5) * size, (y + 0.5) * 2 * size): sign
        for y, row in enumerate(reversed(rows))
        for x, sign in enumerate(row)
    }


@pytest.mark.parametrize("heading", [0, 45, 100, 250])
def test_the_map_shows_a_hull_where_it_is(heading):
    state = fleet(boat(x=150, y=80, heading=heading), boat(x=40, y=250, player=1), sea=(400, 300))
    for middle, sign in rows_of(state).items():
        for ship, letter in zip(range(2), ship_letters(state.setting), strict=True):
            spec, pose = state.setting.ships[ship], state.ships[ship].pose
            if sign != "*":
                assert (sign == letter) == spec.sheet.covers(*pose.in_frame(middle))
    bow = next(middle for middle, sign in rows_of(state).items() if sign == "*" and middle[0] > 90)
    assert state.ships[0].pose.in_frame(bow)[0] == pytest.approx(20, abs=5)


def test_letters_tell_the_first_player_from_the_others():
    state = fleet(boat(x=50, y=50), boat(x=150, y=50, player=1), boat(x=250, y=50, player=1))
    assert ship_letters(state.setting) == ("A", "a", "b")


@pytest.mark.parametrize("wind", [0.0, 90.0, 225.0])
def test_the_arrow_on_the_map_points_with_the_wind(wind):
    squares = rows_of(fleet(boat(x=200, y=50), boat(x=300, y=50, player=1), wind=wind))
    start, end = (next(at for at, sign in squares.items() if sign == word) for word in "o#")
    assert compass(bearing_deg(start, 0.0, end)) == compass(wind)


def test_the_headline_says_how_far_a_ship_still_goes():
    """PW Movement: leap by leap."""
    state = begin_move(fleet(boat(x=60, y=60), boat(x=300, y=250, player=1), wind=30.0), 0)
    assert battle_status(state).splitlines()[0] == (
        "Round 1, movement of red, a with 8 of 56 studs left; "
        "the wind blows to the north-east (30 degrees)"
    )


def test_only_a_ship_that_began_the_turn_in_irons_is_adrift():
    """PW Movement: within 45 degrees of the wind."""
    state = fleet(boat(x=60, y=60, heading=170), boat(x=300, y=250, player=1))
    row = r"  A  a +red +60.0,60.0 +170 +in irons +{} +\d of "
    assert re.search(row.format("adrift next turn"), battle_status(state))
    assert re.search(row.format("adrift"), battle_status(set_adrift(state)))


@pytest.mark.parametrize("seed", few([15, 13, 26]))
def test_everybody_alive_is_named_once_in_every_status(seed):
    for state in battle(seed).states:
        text = re.sub(r" \(to reload: [^)]*\)", "", battle_status(state))
        tables = text.split("who is there")[1].split("out of the battle")[0]
        named = []
        for part in tables.replace("in the water at", "\n").replace(":", "\n").splitlines():
            named += [name.strip() for name in part.split("  ")[-1].split(", ") if "_" in name]
        alive = sorted(
            spec.name
            for spec, now in zip(state.setting.minifigs, state.minifigs, strict=True)
            if now.is_alive
        )
        assert sorted(_expanded(named)) == alive


@pytest.mark.parametrize("seed", few([3, 12, 26]))
def test_orders_are_told_in_the_words_in_which_they_are_written(seed):
    told = 0
    for state in battle(seed).states:
        if state.phase is Phase.TASKS and not state.pending and state.turn < len(state.order):
            for each in ORDERS.values():
                for action in each.legal(state):
                    assert each.of(state, action.order(state)) == action
                    told += 1
            (rows,) = _orders(state) or ([],)
            words = [ORDERS[one.task].of(state, one).text() for one in state.orders]
            assert [row[0] for row in rows] == words
    assert told


def test_only_who_has_written_secret_orders_sees_them():
    """PW Firing, with option `simultaneous`: orders are hidden until all are written."""
    options = Options(simultaneous=True)
    state = fleet(boat(x=100, y=100), boat(x=300, y=250, player=1), options=options)
    state = told(tasks(state), "move a_pirate1 cabin", "done")
    game = PirateWars()
    own, other = (game.describe(game.observe(state, player)) for player in range(2))
    assert "move a_pirate1 cabin" in own
    assert "a_pirate1 cabin" not in other
    assert "orders written" not in other


def _orders(state):
    """The rows of tables of orders."""
    tables = battle_status(state).tables
    return [table[1:] for table in tables if table[0] == ("orders written",)]


def _expanded(names):
    for name in names:
        first, dots, last = name.rpartition("_")[2].partition("..")
        stem = name.rpartition("_")[0]
        yield from (
            [f"{stem}_{number}" for number in range(int(first), int(last) + 1)] if dots else [name]
        )


@pytest.mark.parametrize(
    ("phase", "headline"),
    [
        (Phase.TASKS, "Round 1, tasks of red; "),
        (Phase.FALLING_OFF, "Round 1, falling off of red; "),
        (Phase.MORALE, "Round 1, morale; "),
        (Phase.SHARKS, "Round 1, sharks; "),
        (Phase.INITIATIVE, "Before the first round; the wind blows to the east"),
    ],
)
def test_the_headline_names_a_player_only_where_they_have_turns(phase, headline):
    """PW Turn Sequence: tests of morale and sharks are for all."""
    began = phase is not Phase.INITIATIVE
    state = fleet(boat(x=60, y=60), boat(x=300, y=250, player=1), phase=phase, round=int(began))
    assert battle_status(state).startswith(headline)


def test_a_ship_that_was_taken_has_the_tone_of_its_taker_on_the_map_and_in_words(monkeypatch):
    """Its letter stays, so that people find it again."""
    state = fleet(boat(x=50, y=50), boat(x=150, y=50, player=1))
    taken = state.change_ship(1, owner=0)
    game, letter = PirateWars(), ship_letters(state.setting)[1]
    assert (sea_map(state).layout.inks[letter], sea_map(taken).layout.inks[letter]) == (1, 0)
    assert (player_tones(game, state)["b"], player_tones(game, taken)["b"]) == (1, 0)
    shown = []
    keyboard = Keyboard(input, shown.append)
    teller = Teller(game, None, keyboard)
    keyboard.watch(state, Step(0, "take", "take", taken))
    monkeypatch.setattr(game, "tell", lambda *_: "b is taken by somebody")
    teller.tell_news()
    assert spans_of(shown[-1])[0] == (0, 1, 0)


def test_a_taken_ship_that_sinks_is_lost_to_who_sailed_it():
    state = fleet(boat(x=50, y=50), boat(x=150, y=50, player=1)).change_ship(1, owner=0)
    beat = Beat(state, (Step(0, "x", "x", state.change_ship(1, fate=Fate.SUNK)),))
    assert [(kill.name, kill.player) for kill in kills(beat)] == [("b", 0)]


def test_a_ship_that_is_abandoned_or_sinks_is_marked():
    """PW, Morale Chart, PW Damage Chart; who is in the water is named."""
    state = fleet(boat(x=100, y=100), boat(x=100, y=200, player=1, hull=0))
    state = suffer(state, 0, MoraleEffect.ABANDON)
    assert list(remarks(state, 0)) == ["abandoned"]
    assert list(remarks(state, 1)) == ["sinks at the end of the phase"]
    assert "in the water at 100.0,106.0: a_captain" in battle_status(state)


def test_a_light_gun_is_told():
    """PW, Weapons Chart."""
    given = setup()
    given["ship"][0]["guns"] = [{"ahead": 0, "left": 0, "bearing_deg": 0, "light": True}]
    given["ship"][1]["guns"] = [{"ahead": 0, "left": 2, "bearing_deg": 90}]
    text = battle_status(GAME.initial(given))
    assert "gun0, light, bow, loaded" in text
    assert "gun0, port, loaded" in text
