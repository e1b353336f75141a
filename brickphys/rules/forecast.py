"""Forecast: what an action would roll, and what may come of it, exactly."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from brickphys.odds.law import RollLaw
from brickphys.rules.events.events import BrickRoll, ChanceEvent, OpposedRoll, Outcome
from brickphys.rules.game import Game
from brickphys.rules.record import CHANCE, Action, State, View


@dataclass(frozen=True)
class Forecast:
    """What follows an action, or one of the choices that it leads to, if that is rolled at once.

    Attributes
    ----------
    text
        The action's notation.
    question
        What is rolled.
    outcomes
        Outcome in words -> chance; outcomes of a like meaning are one. Empty if there is no law.
    losses
        What the game says can only shrink, such as the units in play -> chance that it does.
    """

    text: str
    question: str
    outcomes: Mapping[str, Fraction]
    losses: Mapping[str, Fraction]


def forecasts(
    game: Game[State, Action, View], state: State, actions: Iterable[Action], brick_law: RollLaw
) -> Iterator[Forecast]:
    """Yield what each of these actions would roll; of one that is the first part of a choice, what its parts would.

    Actions after which nothing is rolled at once are left out.

    Parameters
    ----------
    game, state
        Where a player is to act; the state must be what he knows, so the game an open one.
    actions
        Legal ones.
    brick_law
        What a roll of bricks scores.
    """
    player = game.actor(state)
    for action in actions:
        after = game.apply(state, action)
        if game.actor(after) == CHANCE:
            yield _forecast(game, game.format_action(action), after, brick_law)
        elif game.actor(after) == player and game.midway(after):
            for detail in game.actions(after):
                rolled = game.apply(after, detail)
                if game.actor(rolled) == CHANCE:
                    yield _forecast(game, game.format_action(detail), rolled, brick_law)


def _forecast(
    game: Game[State, Action, View], text: str, state: State, brick_law: RollLaw
) -> Forecast:
    event = game.chance(state)
    outcomes: dict[str, Fraction] = {}
    losses: dict[str, Fraction] = {}
    if event.exact:
        before = game.shrinking(state)
        for outcome, chance in sorted(event.law(brick_law).items(), key=_lead):
            words = _in_words(event, outcome)
            outcomes[words] = outcomes.get(words, Fraction(0)) + chance
            left = game.shrinking(game.apply(state, outcome))
            for name, count in before.items():
                if left[name] < count:
                    losses[name] = losses.get(name, Fraction(0)) + chance
    return Forecast(text, event.question, outcomes, losses)


def _lead(chance: tuple[Outcome, Fraction]) -> float:
    """Return by how much an opposed roll is won; 0 of anything else, so that it stays in its order."""
    outcome = chance[0]
    return outcome[0] - outcome[1] if isinstance(outcome, tuple) and len(outcome) == 2 else 0.0


def _in_words(event: ChanceEvent, outcome: Outcome) -> str:
    """Return an outcome in words: of an opposed roll, only by how much it is won."""
    if isinstance(event, OpposedRoll) and isinstance(outcome, tuple):
        ahead = int(outcome[0] - outcome[1])
        return f"higher by {ahead}" if ahead > 0 else "equal" if ahead == 0 else "lower"
    if isinstance(event, BrickRoll):
        return f"{outcome} on a side"
    return event.format(outcome)
