"""A spectator goes forward and back through a game, and sees no more than a viewer may."""

from fractions import Fraction

import pytest

from brickphys.bow.game import Bow
from brickphys.errors import InvalidValueError
from brickphys.minifig.game import Minifig
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.spectator import COMMANDS, Spectator
from brickphys.rules.sources import LawSource
from tests.rules.card_game import Cards
from tests.rules.duel_game import Duel
from tests.rules.pirate_game import Pirates
from tests.rules.token_game import TokenGame

LAW = BinomialLaw(Fraction(1, 4))


def played(game, name=None, root=3):
    setup = game.setups[name or next(iter(game.setups))]
    bots = [RandomBot()] * game.players(game.initial(setup))
    return play(game, setup, bots, LawSource(LAW, root), root=root)


def spectator(game, viewer=None, **options):
    return Spectator(game, played(game, **options), viewer)


def test_the_rolls_for_the_start_are_one_event():
    """BOW 2.2: players who tie roll again; the last line says who begins."""
    seen = spectator(Bow(), name="duel")
    seen.do("n")
    before = [state for state in seen.states if not seen.game.rounds(state)]
    assert seen.at == len(before) > 0
    lines = seen.page().rstrip().splitlines()[-len(before) :]
    assert all(" of 6 for the start" in line for line in lines)
    assert "begins with the highest score (BOW 2.2)" in lines[-1]


@pytest.mark.parametrize(
    "game",
    [Bow(), TokenGame(), pytest.param(Minifig(), marks=pytest.mark.slow)],
    ids=["bow", "tokens", "minifig"],
)
def test_every_told_event_has_one_page_forward_and_back(game):
    seen = spectator(game, name="duel" if "duel" in game.setups else None)
    record = seen.record
    told, is_roll_off = list[str](), False
    for before, step in zip(record.states, record.steps, strict=False):
        goes_on, is_roll_off = is_roll_off, seen.game.is_roll_off(before)
        if (line := seen.game.tell(before, step)) and goes_on and is_roll_off:
            told[-1] += f"\n{line}"
        elif line:
            told.append(line)
    assert len(told) > 4
    pages = [seen.page()]
    while not seen.is_at_end:
        pages.append(seen.do("n"))
    assert len(pages) == len(told) + 2
    for number, line in enumerate(told, start=1):
        assert pages[number].startswith(f"event {number} of {len(told)}")
        assert " ".join(pages[number].split()).endswith(" ".join(line.split()))
    assert seen.at == len(record.steps)
    assert pages[-1].startswith("the end")
    back = [pages[-1]]
    while seen.number:
        back.append(seen.do("p"))
    assert back[::-1] == pages


def test_the_first_page_says_who_plays_and_shows_the_map_and_the_last_the_result():
    seen = spectator(Bow(), name="duel")
    seen.result = "red (random) wins"
    assert seen.page().startswith("the beginning, round 0 of ")
    assert seen.page().endswith("bow: red (random), blue (random)")
    assert "A→" in seen.page()
    seen.number = len(seen.events) + 1
    assert seen.page().endswith("red (random) wins")
    _, drawn, table, *_ = seen.game.describe(seen.record.final).split("\n\n")
    assert drawn.splitlines()[2].strip() in seen.page().replace(" ", "")  # a row without arrows
    assert table in seen.do("s")


def test_a_round_is_gone_to():
    """To its first event."""
    seen = spectator(Bow(), name="duel")
    last = seen.game.rounds(seen.record.final)
    seen.do(f"r {last}")
    assert f"round {last} of {last}" in seen.page()
    seen.do("p")
    assert f"round {last - 1} of {last}" in seen.page()
    seen.do("r 0")
    assert seen.number == 0
    for text in ("", "x", "-1", str(last + 1), "9" * 40):
        with pytest.raises(InvalidValueError, match="is not a round from 0 to"):
            seen.do(f"r {text}")


def test_a_round_that_is_not_there_is_told_in_the_word_of_the_game():
    class Days(Duel):
        round_word = "Day"

        def rounds(self, state):
            return 1

    with pytest.raises(InvalidValueError, match="'9' is not a day from 1 to 1"):
        spectator(Days()).do("r 9")


def test_the_ends_and_unknown_words_are_told():
    seen = spectator(Duel())
    with pytest.raises(InvalidValueError, match="this is the beginning"):
        seen.do("b")
    while not seen.is_at_end:
        seen.do("n")
    with pytest.raises(InvalidValueError, match="this is the end"):
        seen.do("n")
    with pytest.raises(InvalidValueError, match="'hop' is not a command"):
        seen.do("hop")
    assert all(f"  {word}  " in seen.do("?") for word in COMMANDS)
    assert all(seen.do(word) is None for word in ("q", "quit", "exit"))


def test_a_game_without_rounds_says_so():
    with pytest.raises(InvalidValueError, match="has no rounds"):
        spectator(Cards()).do("r 1")


@pytest.mark.parametrize("viewer", [0, 1])
@pytest.mark.parametrize("game", [Cards(), Pirates()])
def test_a_viewer_reads_what_that_player_may_know(game, viewer):
    """The pages of two games that look the same to the viewer so far are the same."""
    record = played(game)
    seen = Spectator(game, record, viewer)
    pages = []
    while not seen.is_at_end:
        pages.append(seen.do("n"))
    whole = "\n".join(pages)
    for before, step in zip(record.states, record.steps, strict=False):
        known, all_of_it = game.tell(before, step, viewer), game.tell(before, step)
        if known != all_of_it and all_of_it not in {
            game.tell(other, one, viewer)
            for other, one in zip(record.states, record.steps, strict=False)
        }:
            assert all_of_it not in whole.splitlines()


def test_who_may_know_everything_sees_it_as_each_player_does():
    game = Cards()
    seen = spectator(game)
    seen.do("n")
    text = seen.do("s")
    assert "as player 0 sees it:" in text
    assert "as player 1 sees it:" in text
