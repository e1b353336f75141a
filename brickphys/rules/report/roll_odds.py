"""Roll odds: how likely it was what was rolled in a game, told with each picture of it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from brickphys.odds.law import RollLaw
from brickphys.rules.action_odds import action_odds
from brickphys.rules.game import AnyGame
from brickphys.rules.record import CHANCE, Ending, Record
from brickphys.rules.report.trajectories import Frame, Trajectories
from brickphys.text import percent

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

    Odds may tell what is hidden. So while something is, a player is told none, and before the end nobody is.

    Parameters
    ----------
    game, record, trajectories
        The game, how it was played, and its pictures; those that show another state than the true one stay as they are.
    law
        The law of a roll of bricks.
    viewer
        The player as whom the game is seen; None for who may know everything once it is over.
    """
    is_open = viewer is None and record.ending is Ending.OVER
    numbers = {id(step.after): number for number, step in enumerate(record.steps, start=1)}
    frames, first = list[Frame[Any]](), 0
    for frame in trajectories.frames:
        last = numbers.get(id(frame.state), first)
        steps = [
            number
            for number in range(first, last)
            if is_open or not _is_hidden(game, record, number)
        ]
        told = "; ".join(_told(game, record, law, steps))
        frames.append(replace(frame, text=f"{frame.text} ({told})") if told else frame)
        first = max(first, last)
    return replace(trajectories, frames=tuple(frames))


def _is_hidden(game: AnyGame, record: Record[Any, Any], number: int) -> bool:
    """Whether something was hidden from some player before a step or after it."""
    return game.hidden(_before(record, number)) or game.hidden(record.steps[number].after)


def _before(record: Record[Any, Any], number: int) -> Any:
    return record.steps[number - 1].after if number else record.initial


def _told(
    game: AnyGame, record: Record[Any, Any], law: RollLaw, steps: Iterable[int]
) -> Iterator[str]:
    """Yield the odds of the attacks of some steps, and the chances of what was rolled, if those are few."""
    chances = list[float]()
    for number in steps:
        step = record.steps[number]
        before = _before(record, number)
        if step.actor != CHANCE:
            odds = action_odds(game, [before], [step.move], law, with_parts=False)
            strikes = {name: p for one in odds for name, p in one.strikes.items()}
            if strikes:
                words = (f"{name} {percent(float(p))}" for name, p in strikes.items())
                yield f"odds: {', '.join(words)}"
        elif (event := game.chance(before)).exact:
            chances.append(float(event.law(law).get(step.move, 1)))
    found = [percent(chance) for chance in chances if chance < 1]
    if 0 < len(found) <= _MOST_ROLLS:
        what = "chance of this roll" if len(found) == 1 else "chances of these rolls"
        yield f"{what}: {', '.join(found)}"
