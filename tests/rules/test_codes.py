"""A code of an action says what its text says, in every game: in random games, and drawn at random; seeds are fixed."""

import random
from fractions import Fraction

import pytest

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.registry import game, games
from brickphys.rules.sources import LawSource
from brickphys.rules.words import ChooseType
from tests.rules.raid_game import Choose, Raid, RaidGame

SETUPS = [
    pytest.param(name, setup, marks=[pytest.mark.slow] if number else [])
    for name in games()
    for number, setup in enumerate(game(name).setups)
]
"""Of each game the first setup is quick."""
LAW = BinomialLaw(Fraction(1, 4))
STEPS, TRIED, DRAWN = 80, 20, 100


def agree(played, state, action):
    """Whether the action is what its text and its code say."""
    code = played.code(state, action)
    word, sizes, further = played.space(state)[code[0]]
    limits = [*sizes, *[further] * (len(code) - 1 - len(sizes))]
    assert all(0 <= number < size for number, size in zip(code[1:], limits, strict=True))
    text = played.format_action(action)
    assert text.split(" ")[0] == word
    assert played.decoded(state, code) == action == played.parse_action(text)


@pytest.mark.parametrize(("name", "setup"), SETUPS)
def test_text_and_code_say_the_same(name, setup):
    played, rng = game(name), random.Random(5)
    initial = played.initial(played.setups[setup])
    bots = [bot("random", played, LAW)] * played.players(initial)
    record = play(played, played.setups[setup], bots, LawSource(LAW, 3), root=3, max_steps=STEPS)
    for state in rng.sample(record.states, 10):
        actions = played.actions(state)
        for action in rng.sample(actions, min(TRIED, len(actions))):
            agree(played, state, action)


@pytest.mark.parametrize(("name", "setup"), SETUPS)
def test_any_code_in_the_space_is_that_of_an_action_with_a_text(name, setup):
    played, rng = game(name), random.Random(6)
    state = played.initial(played.setups[setup])
    space = played.space(state)
    for _ in range(DRAWN):
        number = rng.randrange(len(space))
        _, sizes, further = space[number]
        if 0 in sizes:
            continue
        more = [further] * rng.randrange(4) if further else []
        code = (number, *(rng.randrange(size) for size in (*sizes, *more)))
        action = played.decoded(state, code)
        assert played.code(state, action) == code
        if not isinstance(action, ChooseType):  # not every menu has every word
            agree(played, state, action)


@pytest.mark.parametrize("weapon", ["hands", "spear", "gun+gun", "knife+sword"])
def test_an_attack_has_a_code_with_whatever_may_come_into_the_hands(weapon):
    played = game("bow")
    state = played.initial(played.setups["duel"])
    agree(played, state, played.parse_action(f"attack red_trooper {weapon}"))


@pytest.fixture
def raid():
    played = RaidGame()
    return played, played.initial(next(iter(played.setups.values())))


@pytest.mark.parametrize("code", [(), (-1,), (99,), (1,), (1, 10), (1, -1), (1, 1, 1)])
def test_other_codes_are_refused(raid, code):
    played, state = raid
    assert played.space(state)[1] == ("raid", (10,), 0)
    with pytest.raises(InvalidValueError, match="code"):
        played.decoded(state, code)


def test_an_action_that_names_nothing_of_the_setup_has_no_code(raid):
    played, state = raid
    assert played.decoded(state, played.code(state, Raid(3))) == Raid(3)
    with pytest.raises(InvalidValueError, match=r"the setup has nothing .* 'raze'"):
        played.code(state, Choose("raze"))
