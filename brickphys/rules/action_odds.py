"""Action odds: the rolls that follow an action, and the exact law of their results.

`rolled_branches` follows every outcome of pending rolls, with its probability. `with_odds` tells with each picture of a
game how likely it was what was rolled.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

from brickphys.odds.distribution import summed
from brickphys.odds.law import BinomialLaw, RollLaw
from brickphys.rules.events import Measurement, Outcome
from brickphys.rules.game import AnyGame, Game
from brickphys.rules.record import CHANCE, Action, Ending, Forecast, Record, State, View
from brickphys.rules.report.trajectories import Frame, Trajectories, steps_of
from brickphys.rules.turn_state import FollowUp, Pending, PendingRoll, Question, TurnState
from brickphys.text import percent

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

    The odds are the mean over states that look the same to the player who is to act. Actions after which nothing is
    rolled for the choice are left out, and first parts of choices unless `with_parts`.
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
        yield from _rolled(game, state, action, after, brick_law)
    elif with_parts:
        for part in game.actions(after):
            yield from _rolled(game, after, part, game.apply(after, part), brick_law)


def _rolled(
    game: Game[State, Action, View], state: State, action: Action, after: State, brick_law: RollLaw
) -> Iterator[Forecast]:
    """Yield the odds of an action that completes a choice: the game's own, or those of the roll that follows."""
    own = game.forecasts(state, action, brick_law)
    if own is not None:
        yield from own
        return
    while game.actor(after) == CHANCE and isinstance(first := game.chance(after), Measurement):
        if first.stand_in is None:
            return
        after = game.apply(after, first.stand_in)
    if game.actor(after) != CHANCE or game.settled(after):
        return
    ends = _ends(game, after, brick_law)
    losses = {
        name: sum((p for end, p in ends.items() if game.shrinking(end)[name] < count), Fraction(0))
        for name, count in game.shrinking(after).items()
    }
    strikes = summed(
        (name, chance * is_so)
        for end, chance in ends.items()
        for name, is_so in game.strikes(after, end).items()
    )
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
    return summed((game.apply(state, outcome), chance) for outcome, chance in law)


def _outcomes(
    game: Game[State, Action, View], state: State, brick_law: RollLaw
) -> Mapping[str, Fraction]:
    """Return the outcomes of a roll in words; of a chain of rolls, its losses."""
    chain, event = game.chain_law(state, brick_law), game.chance(state)
    if chain is not None and (before := game.shrinking(state)):
        ends = chain.items()
        return summed((_losses_in_words(before, game.shrinking(end)), p) for end, p in ends)
    if not event.exact:
        return {}
    law = [(event.entry(outcome), chance) for outcome, chance in event.law(brick_law).items()]
    law.sort(key=lambda entry: entry[0][0])
    return summed((words, chance) for (_, words), chance in law)


def _mean(alike: Sequence[Forecast]) -> Forecast:
    """Return the mean of forecasts of the same action."""
    first = alike[0]
    return Forecast(
        first.text,
        first.question,
        _mean_law([forecast.outcomes for forecast in alike]),
        _mean_law([forecast.losses for forecast in alike]),
        _mean_law([forecast.strikes for forecast in alike]),
        _mean_law([forecast.own for forecast in alike]),
        first.is_defence,
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


S = TypeVar("S", bound=TurnState)
_NO_BRICKS = BinomialLaw(Fraction(0))
RollCount = Callable[[PendingRoll[Any], Outcome], int]
"""Number that a roll adds to the count of a way."""


class Branch(NamedTuple, Generic[S]):
    """A state that can be reached."""

    state: S
    """The state, in which nothing is pending."""
    counted: int
    """The sum of what the rolls on the way there have added."""
    chance: Fraction


def rolled_branches(
    ways: Iterable[Branch[S]],
    pending: Pending[S],
    alike: Callable[[S], Hashable],
    count: RollCount = lambda _roll, _outcome: 0,
    brick_law: RollLaw = _NO_BRICKS,
) -> list[Branch[S]]:
    """Return the ways after something more is rolled, with all that follows from it.

    Who is asked takes the last answer of the first type that is listed. `count` returns what the roll, and those that
    follow, add to the count. The law is for games that roll bricks.
    """
    starts = (way._replace(state=way.state.push_pending(pending)) for way in ways)
    return merged_branches(
        (end for start in starts for end in _settled_branches(start, count, brick_law)), alike
    )


def merged_branches(ways: Iterable[Branch[S]], alike: Callable[[S], Hashable]) -> list[Branch[S]]:
    """Return ways of which no two are the same for the odds.

    They are the same if they have counted as much, and `alike` gives equal values for their states; one of these
    goes on with the probability of all.
    """
    found: dict[Hashable, Branch[S]] = {}
    for way in ways:
        key = alike(way.state), way.counted
        before = found.get(key)
        found[key] = way._replace(chance=before.chance + way.chance) if before else way
    return list(found.values())


def _settled_branches(way: Branch[S], count: RollCount, brick_law: RollLaw) -> Iterator[Branch[S]]:
    """Yield the ways on which nothing is pending any more."""
    state = way.state
    match state.first_pending:
        case None:
            yield way
        case first if first.lapses(state):
            yield from _settled_branches(way._replace(state=state.pop_pending()), count, brick_law)
        case FollowUp() as first:
            yield from _settled_branches(
                way._replace(state=first.happen(state.pop_pending())), count, brick_law
            )
        case Question() as first:
            *_, last = first.answers[0].legal(state)
            yield from _settled_branches(way._replace(state=last.apply(state)), count, brick_law)
        case PendingRoll() as first:
            before = state.pop_pending()
            for outcome, chance in first.event(state).expected(brick_law).items():
                after = first.settle(before, outcome)
                counted = way.counted + count(first, outcome)
                yield from _settled_branches(
                    Branch(after, counted, way.chance * chance), count, brick_law
                )


_MOST_ROLLS = 3
"""Largest number of rolls in one picture for which the chances are written."""


def with_odds(
    game: AnyGame,
    record: Record[Any, Any],
    trajectories: Trajectories[Any],
    law: RollLaw,
    viewer: int | None = None,
) -> Trajectories[Any]:
    """Return the pictures of a game, each with the odds of its attacks and the chance of what was rolled.

    Odds may tell what is hidden. So while something is, a player is told none, and before the end nobody is. Pictures
    that show another state than the true one stay as they are. The viewer is the player as whom the game is seen;
    None for who may know everything once it is over.
    """
    is_open = viewer is None and record.ending is Ending.OVER
    frames, first = list[Frame[Any]](), 0
    for frame, last in zip(trajectories.frames, steps_of(record, trajectories.frames), strict=True):
        steps = [
            number
            for number in range(first, last)
            if is_open
            or not (game.hidden(_before(record, number)) or game.hidden(record.steps[number].after))
        ]
        told = "; ".join(_told(game, record, law, steps))
        frames.append(replace(frame, text=f"{frame.text} ({told})") if told else frame)
        first = last
    return replace(trajectories, frames=tuple(frames))


def _before(record: Record[Any, Any], number: int) -> Any:
    return record.steps[number - 1].after if number else record.initial


def _told(
    game: AnyGame, record: Record[Any, Any], law: RollLaw, steps: Iterable[int]
) -> Iterator[str]:
    """Yield the odds of the attacks of some steps, and the chances of what was rolled, if those are few.

    Choices that a player makes in a row are one attack: the odds of the last one count.
    """
    chances, told, last = list[float](), list[str](), CHANCE
    for number in steps:
        step = record.steps[number]
        before = _before(record, number)
        if step.actor != CHANCE:
            odds = action_odds(game, [before], [step.move], law, with_parts=False)
            strikes = {name: p for one in odds for name, p in one.strikes.items()}
            words = ", ".join(f"{name} {percent(float(p))}" for name, p in strikes.items())
            if words and last == step.actor:
                told.pop()
            told += [f"odds: {words}"] if words else []
            last = step.actor if words or last == step.actor else CHANCE
            continue
        last = CHANCE
        if (event := game.chance(before)).exact:
            chances.append(float(event.law(law).get(step.move, 1)))
    yield from told
    found = [percent(chance) for chance in chances if chance < 1]
    if 0 < len(found) <= _MOST_ROLLS:
        what = "chance of this roll" if len(found) == 1 else "chances of these rolls"
        yield f"{what}: {', '.join(found)}"
