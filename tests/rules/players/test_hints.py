"""What hints say, in the games that ship: the words that they give can be typed as they are."""

import pytest

from brickphys.battles.start import law_rolls
from brickphys.odds.law_file import default_law
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.players.person import Person
from brickphys.rules.registry import game

LAW = default_law()


def typed_in(hint):
    """What the best of some hints says to type."""
    _, best, *more = hint.splitlines()
    if more and more[0].strip().startswith("type "):
        return more[0].strip().removeprefix("type ")
    return best.strip().removeprefix("best  ").split(" - ")[0]


@pytest.mark.parametrize(
    ("name", "setup"),
    [
        ("bow", "duel"),
        ("minifig", "duel"),
        ("pirate_wars", "duel"),
        ("blade_and_bow", "marathon"),
        pytest.param("bow", "chase", marks=pytest.mark.slow),
        pytest.param("minifig", "siege", marks=pytest.mark.slow),
        pytest.param("pirate_wars", "convoy", marks=pytest.mark.slow),
        pytest.param("campaign", "ten_days", marks=pytest.mark.slow),
    ],
)
def test_what_a_hint_says_can_be_typed_as_it_is(name, setup):
    """Somebody asks for a hint and types what it says, three times."""
    played, shown, asked = game(name), [""], []

    def read():
        if len(asked) == 6:
            raise EOFError
        is_told = shown[-1].startswith("as the bot hard sees it")
        asked.append(typed_in(shown[-1]) if is_told else "hint")
        return asked[-1]

    keyboard = Keyboard(read, lambda text: shown.append(str(text)))
    others = [RandomBot()] * (played.players(played.initial(played.setups[setup])) - 1)
    players = [Person(played, 0, LAW, keyboard), *others]
    rolls = law_rolls(LAW, 3)
    play(played, played.setups[setup], players, rolls, root=3, watchers=[keyboard.watch])
    assert asked[::2] == ["hint"] * len(asked[::2])
    assert "hint" not in asked[1::2]
    faults = ("illegal", "unknown", "ambiguous", "not done", "not between")
    assert [text for text in shown if any(fault in text for fault in faults)] == []
