from dataclasses import replace
from fractions import Fraction

import pytest

from brickphys.bow.game import Bow
from brickphys.calibration.live import LiveChance
from brickphys.errors import IllegalActionError, InterruptedRunError, InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.record import CHANCE, Ending
from brickphys.rules.rolls import OpposedRoll
from brickphys.rules.sources import LawSource, MixedSource, RollSource, ScriptSource
from tests.rules.card_game import Cards
from tests.rules.contest_game import Always
from tests.rules.duel_game import Duel
from tests.rules.token_game import TokenGame

LAW = BinomialLaw(Fraction(1, 4))
DUEL = Duel()
EVEN = DUEL.setups["even"]
STRIKERS = [Always("strike"), Always("strike")]
BLIND = [RandomBot(), RandomBot()]


def test_a_duel_is_won_as_often_as_its_markov_chain_says():
    # 400 games, 3.29 standard deviations: false alarms 1 in 1000, for the fixed seed once and for all.
    setup = {"health": [1, 1], "attack": [2, 1], "dodge": [1, 2], "turns": 40}
    first, second = opposed(2, 2, LAW).success, opposed(1, 1, LAW).success
    both_miss = (1 - first) * (1 - second)
    chance = first * (1 - both_miss**20) / (1 - both_miss)
    source = LawSource(LAW, 5)
    won = [
        play(DUEL, setup, STRIKERS, source, root=5, address=(i,)).winner == 0 for i in range(400)
    ]
    error = float(chance * (1 - chance) / 400) ** 0.5
    assert abs(sum(won) / 400 - float(chance)) < 3.29 * error


def test_the_same_root_and_address_give_the_same_game():
    for game in (DUEL, Cards()):
        setup = next(iter(game.setups.values()))
        games = [
            play(game, setup, BLIND, LawSource(LAW, 9), root=9, address=(i,)) for i in (0, 1, 2, 0)
        ]
        assert games[0] == games[3]
        assert len({tuple(step.text for step in one.steps) for one in games}) == 3


@pytest.mark.parametrize("game", [DUEL, Cards(), TokenGame()], ids=["open", "hidden", "split"])
def test_a_game_that_was_stopped_goes_on_as_if_it_had_never_been(game):
    """After every number of steps, even none and all."""
    setup, source, how = next(iter(game.setups.values())), LawSource(LAW, 9), {"root": 9}
    how["address"] = (2,)
    whole = play(game, setup, BLIND, source, **how)
    for count in range(len(whole.steps) + 1):
        part = play(game, setup, BLIND, source, max_steps=count, **how)
        assert part.ending is (Ending.LIMIT if count < len(whole.steps) else Ending.OVER)
        assert play(game, setup, BLIND, source, steps=part.steps, **how) == whole


def test_a_choice_does_not_depend_on_what_was_chosen_before():
    class Recorder(RandomBot):
        def choose(self, view, actions, rng):
            numbers.append(float(rng.random()))
            return actions[0]

    numbers = []
    play(DUEL, EVEN, [Recorder(), Recorder()], ScriptSource(["0 0"] * 9), root=1)
    whole, numbers[:] = list(numbers), []
    play(DUEL, EVEN, [Recorder(), Always("lunge")], ScriptSource(["0 0"] * 9), root=1)
    assert numbers == whole[::2]


def test_a_scripted_duel_goes_as_written():
    record = play(DUEL, EVEN, STRIKERS, ScriptSource(["0 0", "2 1", "1 1", "1 0"]), root=1)
    assert [step.text for step in record.steps[1::2]] == ["0 0", "2 1", "1 1", "1 0"]
    assert [step.actor for step in record.steps[:4]] == [0, CHANCE, 1, CHANCE]
    assert record.final.health == (0, 2)
    assert (record.returns, record.winner, record.actions) == ((-1, 1), 1, 4)
    assert record.ending is Ending.OVER


def test_a_game_that_lasts_too_long_is_stopped_and_says_so():
    record = play(DUEL, EVEN, STRIKERS, ScriptSource(["0 0"] * 9), root=1, max_steps=5)
    assert (len(record.steps), record.ending) == (5, Ending.LIMIT)
    assert record.returns is None
    assert record.winner is None


@pytest.mark.parametrize(
    ("returns", "winner"),
    [
        ((1,), 0),
        ((Fraction(1, 3),), 0),
        ((0,), None),
        ((-1,), None),
        ((0, -1), 0),
        ((0, 0), None),
        ((-1, -1), None),
        (None, None),
    ],
)
def test_who_plays_alone_wins_by_a_return_above_zero(returns, winner):
    record = play(DUEL, EVEN, STRIKERS, ScriptSource(["0 0"] * 9), root=1)
    assert replace(record, returns=returns).winner == winner


def test_watchers_see_every_step_with_the_state_before_it():
    seen = []
    record = play(
        DUEL,
        EVEN,
        BLIND,
        LawSource(LAW, 1),
        root=1,
        watchers=[lambda state, step: seen.append((state, step))],
    )
    assert [step for _, step in seen] == list(record.steps)
    assert [state for state, _ in seen] == [record.initial, *(s.after for s in record.steps[:-1])]


@pytest.mark.parametrize("error", [InterruptedRunError("the input ended"), KeyboardInterrupt()])
def test_a_player_who_leaves_ends_the_game_with_what_was_played(error):
    class Leaver(RandomBot):
        def choose(self, view, actions, rng):
            raise error

    record = play(DUEL, EVEN, [RandomBot(), Leaver()], LawSource(LAW, 4), root=4)
    assert (len(record.steps), record.ending, record.returns) == (2, Ending.INTERRUPTED, None)


@pytest.mark.parametrize("nonsense", [None, 7, ("end",), float("nan")])
@pytest.mark.parametrize("game", [Bow(), Cards(), TokenGame(), DUEL], ids=lambda game: game.name)
def test_a_bot_that_chooses_nonsense_is_named_with_what_it_chose(game, nonsense):
    setup = next(iter(game.setups.values()))
    with pytest.raises(InvalidValueError) as caught:
        play(game, setup, [Always(nonsense)] * 2, LawSource(LAW, 4), root=4)
    message = str(caught.value)
    assert message.startswith("always (player "), message
    assert repr(nonsense) in message or repr(str(nonsense)) in message
    assert "\n" not in message


def test_a_check_that_finds_no_memory_is_no_fault_of_the_bot(monkeypatch):
    def short(*_):
        raise MemoryError

    monkeypatch.setattr(DUEL, "problems", short)
    with pytest.raises(MemoryError):
        play(DUEL, EVEN, [Always("fly"), RandomBot()], LawSource(LAW, 4), root=4)


def test_an_illegal_action_is_refused_with_its_section():
    said = r"always \(player 1\): 'fly' is illegal: Duel 2: 'fly'"
    with pytest.raises(IllegalActionError, match=said) as caught:
        play(DUEL, EVEN, [Always("fly"), RandomBot()], LawSource(LAW, 4), root=4)
    assert str(caught.value).endswith("(in 2 2 2 2 1 1 0 0 0 4 -)")
    assert caught.value.problems == ("Duel 2: 'fly' is neither strike nor lunge",)


def test_an_action_that_is_legal_but_not_the_listed_object_is_taken():
    word = "".join(["str", "ike"])
    record = play(DUEL, EVEN, [Always(word), Always(word)], LawSource(LAW, 4), root=4)
    assert record.steps[0].text == "strike"


def test_an_impossible_outcome_of_a_source_is_refused():
    class Cheat:
        def answer(self, event, address):
            return (9, 0)

    with pytest.raises(IllegalActionError, match="attack: 9 is not a score of 2 bricks"):
        play(DUEL, EVEN, STRIKERS, Cheat(), root=4)


def test_the_number_of_players_must_fit():
    with pytest.raises(InvalidValueError, match="3 players, but duel needs 2"):
        play(DUEL, EVEN, [RandomBot()] * 3, LawSource(LAW, 4), root=4)


def test_bots_see_views_only():
    class Spy(RandomBot):
        def choose(self, view, actions, rng):
            views.append(view)
            return actions[0]

    views = []
    play(Cards(), {"cards": 6}, [Spy(), Spy()], LawSource(LAW, 3), root=3)
    assert [view.player for view in views] == [0, 1, 0, 1]
    assert all(len(view.unseen) == 4 - len(view.table) // 2 for view in views[::2])
    assert views[1].chosen == 0
    assert views[1].waits


@pytest.mark.slow
def test_bricks_thrown_live_play_a_game_that_can_be_repeated():
    chance = MixedSource(LawSource(LAW, 2), {OpposedRoll: RollSource(LiveChance(2).roll)})
    games = [play(DUEL, EVEN, STRIKERS, chance, root=2, address=(i,)) for i in (0, 1, 0)]
    assert games[0] == games[2]
    assert all(game.ending is Ending.OVER for game in games)
