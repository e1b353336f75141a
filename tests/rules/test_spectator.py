"""A spectator goes forward and back through a game, and sees no more than a viewer may."""

from fractions import Fraction

import pytest
from card_game import Cards
from duel_game import Duel
from pirate_game import Pirates

from brickphys.bow.game import Bow
from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.rules.events.sources import LawSource
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.spectator import COMMANDS, Spectator

LAW = BinomialLaw(Fraction(1, 4))


def played(game, name=None, root=3):
    setup = game.setups[name or next(iter(game.setups))]
    bots = [RandomBot()] * game.players(game.initial(setup))
    return play(game, setup, bots, LawSource(LAW, root), root=root)


def spectator(game, viewer=None, **options):
    return Spectator(game, played(game, **options), viewer)


def test_every_told_event_is_passed_on_the_way_and_again_on_the_way_back():
    seen = spectator(Bow(), name="duel")
    record = seen.record
    told = [
        number
        for number, (before, step) in enumerate(zip(record.states, record.steps, strict=False), 1)
        if seen.game.tell(before, step)
    ]
    forward = []
    while not seen.is_at_end:
        page = seen.do("n")
        forward.append(seen.at)
        line = seen.game.tell(record.states[seen.at - 1], record.steps[seen.at - 1])
        assert " ".join(line.split()) in " ".join(page.split())
    assert forward == sorted({*told, len(record.steps)})
    back = []
    while seen.at:
        seen.do("p")
        back.append(seen.at)
    assert [0, *forward][-2::-1] == back


def test_the_page_shows_where_the_game_is_with_its_map():
    seen = spectator(Bow(), name="duel")
    assert seen.page().startswith(f"step 0 of {len(seen.record.steps)}, round 0 of ")
    seen.do("")
    assert f"step {seen.at} of" in seen.page()
    _, drawn, table, *_ = seen.game.describe(seen.states[seen.at]).split("\n\n")
    assert drawn.splitlines()[0].strip() in seen.page().replace(" ", "")
    assert "A→" in seen.page()
    assert table in seen.do("s")


def test_a_round_is_gone_to():
    seen = spectator(Bow(), name="duel")
    last = seen.game.rounds(seen.record.final)
    seen.do(f"r {last}")
    assert seen.game.rounds(seen.states[seen.at]) == last
    assert seen.game.rounds(seen.states[seen.at - 1]) == last - 1
    for text in ("", "x", "-1", str(last + 1), "9" * 40):
        with pytest.raises(InvalidValueError, match="is not a round from 0 to"):
            seen.do(f"r {text}")


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
    assert seen.do("q") is None


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
