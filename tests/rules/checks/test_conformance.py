"""check_game finds nothing in good games, and in each broken one what is broken in it."""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count

import pytest

from brickphys.rules.checks.conformance import check_game
from brickphys.rules.events import Draw, Measurement
from brickphys.rules.record import OVER, Forecast
from brickphys.rules.rolls import OpposedRoll
from tests.rules.card_game import Cards
from tests.rules.contest_game import Contest
from tests.rules.duel_game import Duel, DuelState
from tests.rules.token_game import TokenGame


@pytest.mark.parametrize(
    "game", [Duel(), Cards(), Contest(), TokenGame()], ids=lambda game: game.name
)
def test_a_good_game_has_no_faults(game):
    assert check_game(game, games=6) == []


def test_the_law_of_a_chain_that_is_that_of_its_rolls_is_good():
    assert check_game(broken(Duel, chain_law=chained), games=5) == []


def test_a_game_with_measured_outcomes_can_be_good():
    class Crash(Duel):
        def chance(self, state):
            return Measurement((("x_studs", 0.0, 1.0),))

        def apply(self, state, move):
            return super().apply(state, move if isinstance(move, str) else (move[0] > 0.5, 0))

    assert check_game(Crash(), games=5) == []


def broken(base, **parts):
    """A game with other parts than those of a good one; functions take the game first."""
    return type("Broken", (base,), parts)()


def changing(game, state, move):
    """Write into the state that was given."""
    object.__setattr__(state, "turns", state.turns - 1)
    return Duel.apply(game, state, move)


CALLS = count()


def gaining(game, state, move):
    after = Duel.apply(game, state, move)
    return replace(after, health=(after.health[0] + 1, after.health[1]), turns=after.turns)


def losing(game, state, move):
    after = Cards.apply(game, state, move)
    return replace(after, deck=after.deck[:-1]) if after.dealt == 4 else after


@dataclass(frozen=True)
class Loaded(OpposedRoll):
    """A roll whose best outcome got lost."""

    def law(self, brick_law):
        law = dict(super().law(brick_law))
        law.popitem()
        return law or {(0, 0): Fraction(1)}


@dataclass(frozen=True)
class Floating(OpposedRoll):
    def law(self, brick_law):
        return {outcome: float(p) for outcome, p in super().law(brick_law).items()}


def rolled(kind):
    """Roll as in the duel, by another kind of roll."""

    def chance(game, state):
        event = Duel.chance(game, state)
        return kind(event.attack, event.defence)

    return chance


def crashing_parser(_, text):
    parts = text.split(" ")
    (*pairs, exposed), rest = [tuple(map(int, parts[n : n + 2])) for n in (0, 2, 4, 6)], parts[8:]
    return DuelState(*pairs, tuple(map(bool, exposed)), int(rest[0]), int(rest[1]), rest[2])


def only_cards_that_lose(game, state):
    """Offer only cards that lose against the other hand."""
    actor = game.actor(state)
    if actor < 0:
        return ()
    hand, other = state.hands[actor], state.hands[1 - actor]
    return tuple(card for card in hand if card < max(other, default=9)) or hand


class Wrong(Draw):
    def problems(self, outcome):
        return ["no such card"] if outcome == "1" else super().problems(outcome)


def raises(error):
    """A method that raises an error."""

    def method(*_):
        raise error

    return method


def chained(game, state, brick_law):
    """Give the law of the states after a blow."""
    law = {}
    for outcome, chance in game.chance(state).law(brick_law).items():
        after = game.apply(state, outcome)
        law[after] = law.get(after, 0) + chance
    return law


def lossy(*asked):
    return {after: chance / 2 for after, chance in chained(*asked).items()}


def swapped(*asked):
    law = chained(*asked)
    return dict(zip(law, reversed(law.values()), strict=True))


def telling_of_the_other(game, before, step, viewer=None):
    """Tell a player of the own card, and of the other hand."""
    line = Cards.tell(game, before, step, viewer)
    return f"{line} {before.hands[1 - viewer]}" if step.actor == viewer else line


def problems_of_the_other(game, state, action):
    """Forbid a card with the names of the other player's cards."""
    held = state.hands[1 - game.actor(state)]
    return [f"{why}, the other has {held}" for why in Cards.problems(game, state, action)]


def forecast(outcomes, losses):
    return lambda _, state, action, law: [Forecast(action, "a blow", outcomes, losses)]


ONE = Fraction(1)
BROKEN = [
    (Duel, {"apply": changing}, "apply changes the state before it: by "),
    (Duel, {"apply": lambda *asked: replace(Duel.apply(*asked), attack=(2, 1 + next(CALLS) % 2))},
     "apply is not pure"),
    (Duel, {"problems": lambda g, s, a: ["Duel 3: no lunge when exposed"] if any(s.exposed) else []},
     "a listed action is illegal: strike: ['Duel 3: no lunge when exposed']"),
    (Duel, {"actions": lambda g, s: Duel.actions(g, s)[: 1 if any(s.exposed) else 2]},
     "a legal action is not listed: lunge"),
    (Duel, {"unlisted": lambda g, s: Duel.actions(g, s)[:1]}, "an unlisted action is listed or illegal: strike"),
    (Duel, {"actions": lambda g, s: (*Duel.actions(g, s), *Duel.actions(g, s)[:1])},
     "an action is listed twice: 'strike'"),
    (Duel, {"actions": lambda g, s: Duel.actions(g, s) if s.turns > 2 else ()},
     "nothing to do: player 0 has no legal action"),
    (Duel, {"actions": lambda g, s: Duel.actions(g, s) if s.turns > 2 else ()},
     "a game breaks off: BrokenGameError: duel: player 0 has no legal action in 2 2"),
    (Duel, {"actions": lambda *_: ("strike",)}, "actions without an actor: 'strike' is listed"),
    (Duel, {"problems": lambda *_: []}, "an action is legal though nobody is to act"),
    (Duel, {"apply": lambda *asked: replace(Duel.apply(*asked), turns=4, health=(2, 2))},
     "a game does not end: the game is not over after 80 steps"),
    (Duel, {"apply": gaining}, "health grows: from "),
    (Duel, {"players": lambda g, s: 2 + (s.turns < 3)}, "the number of players changes: in step "),
    (Cards, {"apply": losing}, "cards is not conserved: from (1, 2, 3, 4, 5, 6) to "),
    (Duel, {"chance": rolled(Loaded)}, "a law does not sum to 1: Loaded(attack="),
    (Duel, {"chance": rolled(Floating)}, "a probability of a law is not a positive Fraction"),
    (Duel, {"format_state": lambda g, s: Duel.format_state(g, replace(s, exposed=(False, False)))},
     "parse_state does not read back"),
    (Duel, {"format_action": lambda _, a: a + "\n", "parse_action": lambda g, t: Duel.parse_action(g, t.strip())},
     "the text of actions is not one line"),
    (Contest, {"format_action": lambda _, a: "1" if a < 4 else str(a)},
     "two actions have the same text: ['1', '1', '4', '8']"),
    (Duel, {"parse_state": crashing_parser}, "parse_state fails otherwise than by InvalidValueError"),
    (Cards, {"observe": lambda g, s, p: replace(Cards.observe(g, s, p), unseen=s.hands[1 - p])},
     "something hidden leaks: player 1 sees that it is not"),
    (Cards, {"observe": lambda g, s, p: replace(Cards.observe(g, s, p), chosen=s.chosen)},
     "something hidden leaks: player 1 sees that it is not"),
    (Cards, {"actions": only_cards_that_lose}, "the list of actions leaks: player "),
    (Cards, {"alternative": lambda _, state, *__: state}, "no secrets: alternative never differs from the state"),
    (Cards, {"imagine": lambda *asked: replace(Cards.imagine(*asked), table=())},
     "imagine makes a state of another view: for player 0"),
    (Contest, {"alternative": lambda _, s, *__: (*s[:1], 8) if len(s) == 2 else s},
     "a state without secrets has alternatives"),
    (Duel, {"initial": lambda g, setup: replace(Duel.initial(g, setup), health=[2, 2])},
     "a state is not a frozen value: unhashable type: 'list'"),
    (Duel, {"returns": lambda *_: (1.0,)}, "returns: (1.0,) are not 2 whole numbers or Fractions"),
    (Duel, {"actor": lambda g, s: 2 if Duel.actor(g, s) == OVER else Duel.actor(g, s)},
     "a game breaks off: IndexError"),
    (Contest, {"initial": lambda *_: ()}, "an unknown key of a setup is ignored"),
    (Contest, {"initial": lambda _, setup: setup["weights"] if setup else ()},
     "initial ends in an error: KeyError: 'weights'"),
    (Contest, {"version": ""}, "no version: '' is not one word"),
    (Cards, {"chance": lambda _, s: Wrong.of(dict.fromkeys(map(str, s.deck), 1))},
     "an outcome of the law is impossible: '1': ['no such card']"),
    (Cards, {"imagine": raises(KeyError("view"))}, "a greedy bot breaks off: KeyError: 'view'"),
    (Duel, {"describe": lambda *_: None}, "describe does not return text: for player 0: None"),
    (Duel, {"tell": lambda *asked: Duel.tell(*asked) + "\n"},
     "tell does not return lines of text: for None: 'player 0: "),
    (Duel, {"story": lambda _, record, *__: iter(record.steps)}, "a story is not lines of text: for None: Step("),
    (Duel, {"hints": lambda _: (7,)}, "a hint is not a line of text: 7"),
    (Duel, {"question": lambda *_: "a roll\nof bricks"}, "a question is not a line of text: 'a roll\\nof bricks'"),
    (Duel, {"most_actions": lambda *_: 1}, "more actions than their bound: 2 actions, most_actions is 1"),
    (Duel, {"most_text": lambda g, initial: len(g.format_state(initial)) - 1},
     "the text of a view is longer than its bound: 21 bytes for player 0"),
    (Duel, {"settled": lambda *_: "yes"}, "settled: 'yes' should be True or False"),
    (Cards, {"chance": lambda g, s: replace(Cards.chance(g, s), secret=False)},
     "the question of a chance event leaks: player "),
    (Cards, {"tell": lambda g, before, step, *__: Cards.tell(g, before, step)}, "tell leaks: player "),
    (Cards, {"tell": telling_of_the_other}, "tell leaks: player "),
    (Cards, {"story": lambda _, record, *__: (step.text for step in record.steps)},
     "the story leaks: player "),
    (Cards, {"story": lambda _, record, *__: iter([str(record.final.deck)])}, "the story leaks: player "),
    (Cards, {"player_name": lambda _, s, p: f"player with {sum(s.hands[p])}"}, "the name of a player leaks: player "),
    (Cards, {"problems": problems_of_the_other}, "the problems of an action leak: player "),
    (Cards, {"rounds": lambda _, s: sum(s.hands[0])}, "the number of rounds leaks: player "),
    (Cards, {"settled": lambda g, s: Cards.settled(g, s) and sum(s.hands[0]) % 2 == 0},
     "whether a choice is settled leaks: player "),
    (Cards, {"hidden": lambda _, s: 1 in s.hands[0]}, "whether something is hidden leaks: player "),
    (Contest, {"imagine": lambda _, view, rng: (view[0], 8) if len(view) == 2 else view},
     "imagine changes a state without secrets: "),
    (Duel, {"rolls_bricks": False}, "bricks are rolled, though rolls_bricks is False: OpposedRoll(attack="),
    (Duel, {"chain_law": lossy}, "a chain law does not sum to 1: OpposedRoll(attack="),
    (Duel, {"chain_law": swapped}, "the law of a chain is not that of its rolls: "),
    (Duel, {"forecasts": forecast({"hit": ONE, "miss": ONE}, {})}, "a forecast does not sum to 1: strike sums to 2"),
    (Duel, {"only_action": lambda g, s: next(iter(g.actions(s)), None)}, "the only action is not the list: 'strike'"),
    (Duel, {"forecasts": forecast({}, {"health": Fraction(3, 2)})},
     "a forecast has an impossible loss: {'health': Fraction(3, 2)}"),
]  # fmt: skip
"""A good game, what is broken in it, and the beginning of what is found."""


@pytest.mark.parametrize(("game", "parts", "words"), BROKEN, ids=[row[2] for row in BROKEN])
def test_what_is_broken_is_found_and_named(game, parts, words):
    faults = check_game(broken(game, **parts), games=2, max_steps=80)
    assert any(fault.startswith(words) for fault in faults), faults


def test_a_fault_says_where_and_how_often_and_comes_once():
    game = broken(Duel, actions=lambda g, s: (*Duel.actions(g, s), *Duel.actions(g, s)[:1]))
    faults = check_game(game, {"even": Duel().setups["even"]}, games=2)
    (fault,) = [fault for fault in faults if fault.startswith("an action is listed twice")]
    assert "(setup 'even', game 0, after step 0: 2 2 2 2 1 1 0 0 0 4 -)" in fault
    assert fault.split(", and ")[1].removesuffix(" more").isdigit()


def test_a_game_without_setups_has_nothing_to_be_checked():
    assert check_game(Contest(), {}) == ["no setup: there is nothing to play (the game)"]


def test_the_same_seed_finds_the_same():
    game = broken(Duel, parse_state=crashing_parser)
    assert check_game(game, seed=4, games=2) == check_game(game, seed=4, games=2) != []
