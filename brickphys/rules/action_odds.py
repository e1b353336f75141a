"""Action odds: the rolls that follow an action, and the exact law of their results."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from brickphys.odds.law import RollLaw
from brickphys.rules.forecast import Forecast
from brickphys.rules.game import Game
from brickphys.rules.record import CHANCE, Action, State, View

Result = TypeVar("Result")

_MOST_STATES = 2_000
"""Largest number of states that a chain of rolls is followed through; later states are not counted."""


def action_odds(
    game: Game[State, Action, View],
    states: Sequence[State],
    actions: Iterable[Action],
    brick_law: RollLaw,
    *,
    with_parts: bool = True,
) -> list[Forecast]:
    """Return the odds of each of these actions; of the first part of a choice, those of the parts that complete it.

    Actions after which nothing is rolled for the choice are left out.

    Parameters
    ----------
    game
        The game.
    states
        States that look the same to the player who is to act; the odds are the mean over them.
    actions
        Legal ones.
    brick_law
        The law of a roll of bricks.
    with_parts
        Whether the first parts of choices are followed; else they are left out, too.
    """
    found: dict[tuple[Action, str, str], list[Forecast]] = {}
    for action in actions:
        for state in states:
            for forecast in _forecasts(game, state, action, brick_law, with_parts=with_parts):
                key = (action, forecast.text, forecast.question)
                found.setdefault(key, []).append(forecast)
    return [_mean(alike) for alike in found.values()]


def _forecasts(
    game: Game[State, Action, View],
    state: State,
    action: Action,
    brick_law: RollLaw,
    *,
    with_parts: bool,
) -> Iterator[Forecast]:
    """Yield the odds of an action or of the parts that complete it."""
    player, after = game.actor(state), game.apply(state, action)
    if game.actor(after) != player or game.settled(after):
        yield from _rolled(game, state, action, brick_law)
    elif with_parts:
        for part in game.actions(after):
            yield from _rolled(game, after, part, brick_law)


def _rolled(
    game: Game[State, Action, View], state: State, action: Action, brick_law: RollLaw
) -> Iterator[Forecast]:
    """Yield the odds of an action that completes a choice: the game's own, or those of the roll that follows."""
    own = game.forecasts(state, action, brick_law)
    if own is not None:
        yield from own
        return
    after = game.apply(state, action)
    if game.actor(after) != CHANCE or game.settled(after):
        return
    ends = _ends(game, after, brick_law)
    losses = {
        name: sum((p for end, p in ends.items() if game.shrinking(end)[name] < count), Fraction(0))
        for name, count in game.shrinking(after).items()
    }
    strikes = dict[str, Fraction]()
    for end, chance in ends.items():
        for name, is_so in game.strikes(after, end).items():
            strikes[name] = strikes.get(name, Fraction(0)) + chance * is_so
    yield Forecast(
        game.format_action(action),
        game.question(after, game.actor(state)),
        _outcomes(game, after, brick_law),
        {name: p for name, p in losses.items() if p},
        strikes,
    )


def _ends(
    game: Game[State, Action, View], state: State, brick_law: RollLaw
) -> Mapping[State, Fraction]:
    """Return the states in which all that is rolled for a choice has been rolled -> probability."""
    ends: dict[State, Fraction] = {}
    rolling = {state: Fraction(1)}
    for _ in range(_MOST_STATES):
        if not rolling:
            break
        before = next(iter(rolling))
        mass = rolling.pop(before)
        law = _law(game, before, brick_law)
        for after, chance in law.items():
            into = rolling if law.keys() != {before} else ends
            into[after] = into.get(after, Fraction(0)) + mass * chance
    return ends


def _law(
    game: Game[State, Action, View], state: State, brick_law: RollLaw
) -> Mapping[State, Fraction]:
    """Return the states after a roll -> probability; the state itself if no roll of the choice is left."""
    if game.actor(state) != CHANCE or game.settled(state):
        return {state: Fraction(1)}
    chain = game.chain_law(state, brick_law)
    if chain is not None:
        return chain
    event = game.chance(state)
    if not event.exact:
        return {state: Fraction(1)}
    law = event.law(brick_law).items()
    return _summed((game.apply(state, outcome), chance) for outcome, chance in law)


def _outcomes(
    game: Game[State, Action, View], state: State, brick_law: RollLaw
) -> Mapping[str, Fraction]:
    """Return the outcomes of a roll in words; of a chain of rolls, its losses."""
    chain, event = game.chain_law(state, brick_law), game.chance(state)
    if chain is not None and (before := game.shrinking(state)):
        ends = chain.items()
        return _summed((_losses_in_words(before, game.shrinking(end)), p) for end, p in ends)
    if not event.exact:
        return {}
    law = [(event.entry(outcome), chance) for outcome, chance in event.law(brick_law).items()]
    law.sort(key=lambda entry: entry[0][0])
    return _summed((words, chance) for (_, words), chance in law)


def _summed(pairs: Iterable[tuple[Result, Fraction]]) -> dict[Result, Fraction]:
    """Return results with their probabilities; those of equal results are added up."""
    law: dict[Result, Fraction] = {}
    for result, chance in pairs:
        law[result] = law.get(result, Fraction(0)) + chance
    return law


def _mean(alike: Sequence[Forecast]) -> Forecast:
    """Return the mean of forecasts of the same action."""
    first = alike[0]
    return Forecast(
        first.text,
        first.question,
        _mean_law([forecast.outcomes for forecast in alike]),
        _mean_law([forecast.losses for forecast in alike]),
        _mean_law([forecast.strikes for forecast in alike]),
    )


def _mean_law(laws: Sequence[Mapping[str, Fraction]]) -> Mapping[str, Fraction]:
    words = dict.fromkeys(name for law in laws for name in law)
    return {
        name: sum((law.get(name, Fraction(0)) for law in laws), Fraction(0)) / len(laws)
        for name in words
    }


def _losses_in_words(before: Mapping[str, int], after: Mapping[str, int]) -> str:
    lost = {name: count - after[name] for name, count in before.items()}
    return ", ".join(f"{name} -{count}" for name, count in lost.items() if count) or "nothing lost"
