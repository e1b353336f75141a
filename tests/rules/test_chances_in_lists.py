"""The chances that a list of attacks tells: they agree with the exact odds of what is rolled."""

from fractions import Fraction

import pytest

from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.bow.game import Bow
from brickphys.minifig.game import Minifig
from brickphys.odds.law import BinomialLaw
from brickphys.pirate_wars.game import PirateWars
from brickphys.rules.action_odds import action_odds
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.typed import menu
from brickphys.rules.record import CHANCE
from brickphys.rules.report.char_map import Ink
from brickphys.rules.sources import LawSource

CLOSE = {
    "players": [{"name": "crown"}, {"name": "pirates"}],
    "sea": {"width": 300, "length": 200},
    "wind_deg": 180.0,
    "ship": [
        {"id": "gallant", "sheet": "imperial_flagship", "player": "crown", "x": 150, "y": 100},
        {"id": "scorpion", "sheet": "black_pearl", "player": "pirates", "x": 150, "y": 116},
    ],
}
"""Two ships beside each other."""
LAW = BinomialLaw(Fraction(1, 4))
GAMES = {
    Bow(): ("duel", 250),
    Minifig(): ("duel", 200),
    PirateWars(): (CLOSE, 40),
    BladeAndBow(): ("marathon", 900),
}


def found_in(game, name, steps):
    """The forecasts with strikes of the attacks that are listed in a random game."""
    setup = name if isinstance(name, dict) else game.setups[name]
    bots = [RandomBot()] * game.players(game.initial(setup))
    record = play(game, setup, bots, LawSource(LAW, 7), root=7, max_steps=steps)
    for state in record.states:
        if game.actor(state) >= 0:
            actions = game.actions(state)
            for one in action_odds(game, [state], actions, LAW, with_parts=False):
                if one.strikes:
                    yield one, {game.format_action(action) for action in actions}


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.name, marks=[pytest.mark.slow] * (game.name == "blade_and_bow"))
        for game in GAMES
    ],
)
def test_the_chances_of_an_attack_are_those_of_its_outcomes(game):
    seen = 0
    for one, texts in found_in(game, *GAMES[game]):
        seen += one.text in texts
        assert all(0 <= chance <= 1 for chance in one.strikes.values())
        if "hit" not in one.strikes:
            continue
        if game.name == "bow":
            assert one.strikes["hit"] == 1 - one.outcomes["no damage"]
            assert one.strikes["kill"] == one.outcomes.get("dead", 0)
            lost = one.losses.get("units in play", 0) + one.losses.get("vehicles in play", 0)
            assert one.strikes["kill"] == lost
        else:
            if game.name == "minifig":  # who eliminates kills
                assert one.strikes["kill"] <= sum(one.losses.values())
                assert one.strikes["kill"] == 0 or max(one.losses.values(), default=0) > 0
            missed = sum(p for words, p in one.outcomes.items() if words.startswith("0 hits"))
            dared = 1 - one.outcomes.get("nobody dares to attack", 0)
            assert one.strikes["hit"] == dared - missed
    assert seen


def test_a_shot_tells_the_chances_of_its_target_of_other_enemies_and_of_own_men_apart():
    """The outcomes name who is eliminated; what is below half a percent is told of the target alone."""
    game, seen = Minifig(), set()
    setup = game.setups["skirmish"]
    record = play(game, setup, [RandomBot()] * 2, LawSource(LAW, 1), root=1, max_steps=400)
    for state in record.states:
        if game.actor(state) < 0 or state.menu != "shoot":
            continue
        mine = state.setting.teams[state.player]
        teams = zip(state.setting.figures, state.setting.figure_teams, strict=True)
        sides = {one.name: team == mine for one, team in teams}
        for one in action_odds(game, [state], game.actions(state), LAW, with_parts=False):
            target = one.text.split(" ")[1]
            expected = dict.fromkeys(
                (*one.strikes, "kill", "other enemies", "own men"), Fraction(0)
            )
            for words, chance in one.outcomes.items():
                dead = {
                    name for name in sides if f"{name.replace('_', ' ')} is eliminated" in words
                }
                told = {
                    "own men" if sides[name] else "kill" if name == target else "other enemies"
                    for name in dead
                }
                for name in told:
                    expected[name] += chance
            least = Fraction(1, 200)
            assert one.strikes == {
                name: p for name, p in expected.items() if name == "kill" or p >= least
            }
            seen.add(one.harms_own)
    assert seen == {True, False}


def test_a_list_warns_of_shots_that_are_likelier_to_kill_own_men():
    texts, told = ["shoot one", "shoot two"], ["kill 40 %", "kill 3 %, own men 50 %"]
    _, one, two = menu(texts, told, 30, warnings={told[1]})
    assert all(tone is not Ink.FAULT for *_, tone in one.spans)
    assert [two[start:end] for start, end, tone in two.spans if tone is Ink.FAULT] == [told[1]]


def test_odds_of_the_first_part_of_a_choice_are_left_out_of_a_list():
    game = Bow()
    state = game.initial(game.setups["duel"])
    while game.actor(state) == CHANCE:
        state = game.apply(state, 6 if "red" in game.chance(state).question else 0)
    actions = game.actions(state)
    assert action_odds(game, [state], actions, LAW, with_parts=False) == []
