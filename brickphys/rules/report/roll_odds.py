"""Roll odds: how likely it was what was rolled in a game, told with each picture of it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from brickphys.odds.law import RollLaw
from brickphys.rules.action_odds import action_odds
from brickphys.rules.game import AnyGame
from brickphys.rules.record import CHANCE, Record
from brickphys.rules.report.trajectories import Frame, Trajectories
from brickphys.text import percent

_MOST_ROLLS = 3
"""Of more rolls in one picture no chances are told."""


def with_odds(
    game: AnyGame, record: Record[Any, Any], trajectories: Trajectories[Any], law: RollLaw
) -> Trajectories[Any]:
    """Return the pictures of a game, each with the odds of its attacks and the chance of what was rolled.

    Parameters
    ----------
    game, record, trajectories
        The game, how it was played, and its pictures; those that show another state than the true one stay as they are.
    law
        The law of a roll of bricks.
    """
    numbers = {id(step.after): number for number, step in enumerate(record.steps, start=1)}
    frames, first = list[Frame[Any]](), 0
    for frame in trajectories.frames:
        last = numbers.get(id(frame.state), first)
        told = "; ".join(_told(game, record, law, range(first, last)))
        frames.append(replace(frame, text=f"{frame.text} ({told})") if told else frame)
        first = max(first, last)
    return replace(trajectories, frames=tuple(frames))


def _told(game: AnyGame, record: Record[Any, Any], law: RollLaw, steps: range) -> Iterator[str]:
    """Yield the odds of the attacks of some steps, and the chances of what was rolled, if those are few."""
    chances = list[float]()
    for number in steps:
        step = record.steps[number]
        before = record.steps[number - 1].after if number else record.initial
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
        yield f"this roll: {found[0]}" if len(found) == 1 else f"these rolls: {', '.join(found)}"
