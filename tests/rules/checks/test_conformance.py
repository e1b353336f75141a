"""check_game finds nothing in good games, and in each broken one what is broken in it."""

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from brickphys.rules.checks.conformance import check_game
from brickphys.rules.events import Draw, Measurement
from brickphys.rules.record import OVER, Forecast
from brickphys.rules.rolls import OpposedRoll
from tests.rules.card_game import Cards
from tests.rules.contest_game import Contest
from tests.rules.duel_game import Duel, DuelState


@pytest.mark.parametrize("game", [Duel(), Cards(), Contest()], ids=lambda game: game.name)
def test_a_good_game_has_no_faults(game):
    assert check_game(game) == []


def test_the_law_of_a_chain_that_is_that_of_its_rolls_is_good():
    assert check_game(Chained(), games=5) == []


def test_a_game_with_measured_outcomes_can_be_good():
    class Crash(Duel):
        def chance(self, state):
            return Measurement((("x_studs", 0.0, 1.0),))

        def apply(self, state, move):
            return super().apply(state, move if isinstance(move, str) else (move[0] > 0.5, 0))

    assert check_game(Crash(), games=5) == []


class ChangesState(Duel):
    """Writes into the state that it was given."""

    def apply(self, state, move):
        object.__setattr__(state, "turns", state.turns - 1)
        return super().apply(state, move)


class Remembers(Duel):
    """Leads elsewhere the second time."""

    def __init__(self):
        self.calls = 0

    def apply(self, state, move):
        self.calls += 1
        after = super().apply(state, move)
        return replace(after, attack=(after.attack[0], 1 + self.calls % 2))


class ListsIllegal(Duel):
    """Lists what it forbids."""

    def problems(self, state, action):
        reasons = super().problems(state, action)
        return ["Duel 3: no lunge when exposed"] if any(state.exposed) else reasons


class HidesLegal(Duel):
    """Allows what it does not list."""

    def actions(self, state):
        actions = super().actions(state)
        return actions[:1] if any(state.exposed) else actions


class OffersTwice(Duel):
    def unlisted(self, state):
        return super().actions(state)[:1]


class ListsTwice(Duel):
    def actions(self, state):
        return (*super().actions(state), *super().actions(state)[:1])


class Stuck(Duel):
    def actions(self, state):
        return super().actions(state) if state.turns > 2 else ()


class ActsAfterTheEnd(Duel):
    def actions(self, state):
        return ("strike",)


class AllowsAfterTheEnd(Duel):
    def problems(self, state, action):
        return []


class Endless(Duel):
    def apply(self, state, move):
        after = super().apply(state, move)
        return replace(after, turns=4, health=(2, 2))


class GainsHealth(Duel):
    def apply(self, state, move):
        after = super().apply(state, move)
        return replace(after, health=(after.health[0] + 1, after.health[1]), turns=after.turns)


class LosesCards(Cards):
    def apply(self, state, move):
        after = super().apply(state, move)
        return replace(after, deck=after.deck[:-1]) if after.dealt == 4 else after


class LoadedDice(Duel):
    def chance(self, state):
        event = super().chance(state)
        return Loaded(event.attack, event.defence)


@dataclass(frozen=True)
class Loaded(OpposedRoll):
    """A roll whose best outcome got lost."""

    def law(self, brick_law):
        law = dict(super().law(brick_law))
        law.popitem()
        return law or {(0, 0): Fraction(1)}


class FloatDice(Duel):
    def chance(self, state):
        event = super().chance(state)
        return Floating(event.attack, event.defence)


@dataclass(frozen=True)
class Floating(OpposedRoll):
    def law(self, brick_law):
        return {outcome: float(p) for outcome, p in super().law(brick_law).items()}


class ForgetsInText(Duel):
    """Its text of a state says nothing of who is exposed."""

    def format_state(self, state):
        return super().format_state(replace(state, exposed=(False, False)))


class TwoLines(Duel):
    def format_action(self, action):
        return action + "\n"

    def parse_action(self, text):
        return super().parse_action(text.strip())


class AlikeActions(Contest):
    def format_action(self, action):
        return "1" if action < 4 else str(action)


class CrashingParser(Duel):
    def parse_state(self, text):
        parts = text.split(" ")
        return DuelState(
            (int(parts[0]), int(parts[1])),
            (int(parts[2]), int(parts[3])),
            (int(parts[4]), int(parts[5])),
            (parts[6] == "1", parts[7] == "1"),
            int(parts[8]),
            int(parts[9]),
            parts[10],
        )


class Leaks(Cards):
    """Shows everybody the other's hand."""

    def observe(self, state, player):
        view = super().observe(state, player)
        return replace(view, unseen=state.hands[1 - player])


class LeaksTheChoice(Cards):
    """Shows the second what the first has chosen."""

    def observe(self, state, player):
        return replace(super().observe(state, player), chosen=state.chosen)


class LeaksActions(Cards):
    """Offers only cards that lose against the other hand."""

    def actions(self, state):
        actor = self.actor(state)
        if actor < 0:
            return ()
        hand, other = state.hands[actor], state.hands[1 - actor]
        return tuple(card for card in hand if card < max(other, default=9)) or hand


class NothingHidden(Cards):
    def alternative(self, state, player, rng):
        return state


class WildFancy(Cards):
    def imagine(self, view, rng):
        return replace(super().imagine(view, rng), table=())


class OpenSecrets(Contest):
    def alternative(self, state, player, rng):
        return (*state[:1], 8) if len(state) == 2 else state


class MutableState(Duel):
    def initial(self, setup):
        state = super().initial(setup)
        return replace(state, health=list(state.health))


class Unpaid(Duel):
    def returns(self, state):
        return (1.0,)


class WrongActor(Duel):
    def actor(self, state):
        actor = super().actor(state)
        return 2 if actor == OVER else actor


class CarelessSetup(Contest):
    def initial(self, setup):
        return ()


class CrashingSetup(Contest):
    def initial(self, setup):
        return () if not setup else setup["weights"]


class Nameless(Contest):
    version = ""


class DealsElsewhere(Cards):
    """Draws a card that is not in the deck."""

    def chance(self, state):
        return Wrong.of(dict.fromkeys(map(str, state.deck), 1))


class Wrong(Draw):
    def problems(self, outcome):
        return ["no such card"] if outcome == "1" else super().problems(outcome)


class Unimaginable(Cards):
    def imagine(self, view, rng):
        raise KeyError("view")


class Undescribed(Duel):
    def describe(self, view):
        return None


class ToldInLines(Duel):
    def tell(self, before, step, viewer=None):
        return super().tell(before, step, viewer) + "\n"


class StoryOfSteps(Duel):
    def story(self, record, viewer=None):
        yield from record.steps


class HintOfNumbers(Duel):
    def hints(self):
        return (7,)


class LongQuestion(Duel):
    def question(self, state, viewer=None):
        return "a roll\nof bricks"


class TooManyActions(Duel):
    def most_actions(self, initial):
        return 1


class TooLongTexts(Duel):
    def most_text(self, initial):
        return len(self.format_state(initial)) - 1


class HalfSettled(Duel):
    def settled(self, state):
        return "yes"


class OpenDeck(Cards):
    """Asks for a card by the names of those in the deck, so that the hands can be read off."""

    def chance(self, state):
        return replace(super().chance(state), secret=False)


class TellsAll(Cards):
    """Tells the second player what the first has chosen."""

    def tell(self, before, step, viewer=None):
        return super().tell(before, step)


class TellsOfTheOther(Cards):
    """Tells a player of the own card, and of the other hand."""

    def tell(self, before, step, viewer=None):
        line = super().tell(before, step, viewer)
        return f"{line} {before.hands[1 - viewer]}" if step.actor == viewer else line


class StoryOfAll(Cards):
    """Tells everybody every card that was dealt."""

    def story(self, record, viewer=None):
        for step in record.steps:
            yield step.text


class StoryOfTheEnd(Cards):
    """Tells everybody which cards are left."""

    def story(self, record, viewer=None):
        yield str(record.final.deck)


class NamedByHand(Cards):
    def player_name(self, state, player):
        return f"player with {sum(state.hands[player])}"


class ProblemOfTheOther(Cards):
    """Forbids a card with the names of the other player's cards."""

    def problems(self, state, action):
        held = state.hands[1 - self.actor(state)]
        return [f"{why}, the other has {held}" for why in super().problems(state, action)]


class CountsRoundsByHand(Cards):
    def rounds(self, state):
        return sum(state.hands[0])


class SettledByHand(Cards):
    def settled(self, state):
        return super().settled(state) and sum(state.hands[0]) % 2 == 0


class SecretFirst(Cards):
    """Hides something only while the first player has the lowest card."""

    def hidden(self, state):
        return 1 in state.hands[0]


class WanderingFancy(Contest):
    def imagine(self, view, rng):
        return (view[0], 8) if len(view) == 2 else view


class Chained(Duel):
    """Gives the law of the states after a blow."""

    def chain_law(self, state, brick_law):
        law = {}
        for outcome, chance in self.chance(state).law(brick_law).items():
            after = self.apply(state, outcome)
            law[after] = law.get(after, 0) + chance
        return law


class SecretBricks(Duel):
    rolls_bricks = False


class LossyChain(Chained):
    def chain_law(self, state, brick_law):
        law = super().chain_law(state, brick_law)
        return {after: chance / 2 for after, chance in law.items()}


class WrongChain(Chained):
    def chain_law(self, state, brick_law):
        law = super().chain_law(state, brick_law)
        return dict(zip(law, reversed(law.values()), strict=True))


class Certain(Duel):
    def forecasts(self, state, action, brick_law):
        return [Forecast(action, "a blow", {"hit": Fraction(1), "miss": Fraction(1)}, {})]


class TellsNoOnlyAction(Duel):
    def only_action(self, state):
        return next(iter(self.actions(state)), None)


class Doomed(Duel):
    def forecasts(self, state, action, brick_law):
        return [Forecast(action, "a blow", {}, {"health": Fraction(3, 2)})]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (ChangesState, "apply changes the state before it: by "),
        (Remembers, "apply is not pure"),
        (ListsIllegal, "a listed action is illegal: strike: ['Duel 3: no lunge when exposed']"),
        (HidesLegal, "a legal action is not listed: lunge"),
        (OffersTwice, "an unlisted action is listed or illegal: strike"),
        (ListsTwice, "an action is listed twice: 'strike'"),
        (Stuck, "nothing to do: player 0 has no legal action"),
        (Stuck, "a game breaks off: BrokenGameError: duel: player 0 has no legal action in 2 2"),
        (ActsAfterTheEnd, "actions without an actor: 'strike' is listed"),
        (AllowsAfterTheEnd, "an action is legal though nobody is to act"),
        (Endless, "a game does not end: the game is not over after 300 steps"),
        (GainsHealth, "health grows: from "),
        (LosesCards, "cards is not conserved: from (1, 2, 3, 4, 5, 6) to "),
        (LoadedDice, "a law does not sum to 1: Loaded(attack="),
        (FloatDice, "a probability of a law is not a positive Fraction"),
        (ForgetsInText, "parse_state does not read back"),
        (TwoLines, "the text of actions is not one line"),
        (AlikeActions, "two actions have the same text: ['1', '1', '4', '8']"),
        (CrashingParser, "parse_state fails otherwise than by InvalidValueError"),
        (Leaks, "something hidden leaks: player 1 sees that it is not"),
        (LeaksTheChoice, "something hidden leaks: player 1 sees that it is not"),
        (LeaksActions, "the list of actions leaks: player "),
        (NothingHidden, "no secrets: alternative never differs from the state"),
        (WildFancy, "imagine makes a state of another view: for player 0"),
        (OpenSecrets, "a state without secrets has alternatives"),
        (MutableState, "a state is not a frozen value: unhashable type: 'list'"),
        (Unpaid, "returns: (1.0,) are not 2 whole numbers or Fractions"),
        (WrongActor, "a game breaks off: IndexError"),
        (CarelessSetup, "an unknown key of a setup is ignored"),
        (CrashingSetup, "initial ends in an error: KeyError: 'weights'"),
        (Nameless, "no version: '' is not one word"),
        (DealsElsewhere, "an outcome of the law is impossible: '1': ['no such card']"),
        (Unimaginable, "a greedy bot breaks off: KeyError: 'view'"),
        (Undescribed, "describe does not return text: for player 0: None"),
        (ToldInLines, "tell does not return lines of text: for None: 'player 0: "),
        (StoryOfSteps, "a story is not lines of text: for None: Step("),
        (HintOfNumbers, "a hint is not a line of text: 7"),
        (LongQuestion, "a question is not a line of text: 'a roll\\nof bricks'"),
        (TooManyActions, "more actions than their bound: 2 actions, most_actions is 1"),
        (TooLongTexts, "the text of a view is longer than its bound: 21 bytes for player 0"),
        (HalfSettled, "settled: 'yes' should be True or False"),
        (OpenDeck, "the question of a chance event leaks: player "),
        (TellsAll, "tell leaks: player "),
        (TellsOfTheOther, "tell leaks: player "),
        (StoryOfAll, "the story leaks: player "),
        (StoryOfTheEnd, "the story leaks: player "),
        (NamedByHand, "the name of a player leaks: player "),
        (ProblemOfTheOther, "the problems of an action leak: player "),
        (CountsRoundsByHand, "the number of rounds leaks: player "),
        (SettledByHand, "whether a choice is settled leaks: player "),
        (SecretFirst, "whether something is hidden leaks: player "),
        (WanderingFancy, "imagine changes a state without secrets: "),
        (SecretBricks, "bricks are rolled, though rolls_bricks is False: OpposedRoll(attack="),
        (LossyChain, "a chain law does not sum to 1: OpposedRoll(attack="),
        (WrongChain, "the law of a chain is not that of its rolls: "),
        (Certain, "a forecast does not sum to 1: strike sums to 2"),
        (TellsNoOnlyAction, "the only action is not the list: 'strike'"),
        (Doomed, "a forecast has an impossible loss: {'health': Fraction(3, 2)}"),
    ],
)
def test_what_is_broken_is_found_and_named(game, words):
    faults = check_game(game(), games=2, max_steps=300)
    assert any(fault.startswith(words) for fault in faults), faults


def test_a_fault_says_where_and_how_often_and_comes_once():
    faults = check_game(ListsTwice(), {"even": Duel().setups["even"]}, games=2)
    (fault,) = [fault for fault in faults if fault.startswith("an action is listed twice")]
    assert "(setup 'even', game 0, after step 0: 2 2 2 2 1 1 0 0 0 4 -)" in fault
    assert fault.split(", and ")[1].removesuffix(" more").isdigit()


def test_a_game_without_setups_has_nothing_to_be_checked():
    assert check_game(Contest(), {}) == ["no setup: there is nothing to play (the game)"]


def test_the_same_seed_finds_the_same():
    assert check_game(CrashingParser(), seed=4) == check_game(CrashingParser(), seed=4)
