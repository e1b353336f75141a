"""Story: a played game as text: the turns of its units under headings of rounds, and how it ended."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from brickphys.rules.record import Action, Ending, Record, State, Step
from brickphys.text import agreed, counted, spoken


@dataclass(frozen=True)
class StepRun(Generic[State, Action]):
    """Steps of a game that belong together.

    Attributes
    ----------
    before
        The state in which they began.
    steps
        All of them, chance included.
    """

    before: State
    steps: tuple[Step[State, Action], ...]

    @property
    def after(self) -> State:
        """The state in which they ended."""
        return self.steps[-1].after

    @property
    def states(self) -> tuple[State, ...]:
        """Every state, from the first to the last."""
        return (self.before, *(step.after for step in self.steps))


@dataclass(frozen=True)
class Turn(StepRun[State, Action]):
    """The steps of a game from one choice of a unit to the next.

    Attributes
    ----------
    unit
        Index of the unit; None before the first turn, while players roll for the start.
    """

    unit: int | None


def split_steps(
    record: Record[State, Action], ends: Callable[[State, State], bool]
) -> Iterator[tuple[State, tuple[Step[State, Action], ...]]]:
    """Yield the runs of a game, each as the state in which it begins and its steps; together they hold every step.

    Parameters
    ----------
    record
        A played game.
    ends
        Tells from the states before and after a step whether a run ends with it.
    """
    begun, before, steps = record.initial, record.initial, list[Step[State, Action]]()
    for step in record.steps:
        steps.append(step)
        if ends(before, step.after):
            yield begun, tuple(steps)
            begun, steps = step.after, []
        before = step.after
    if steps:
        yield begun, tuple(steps)


def split_turns(
    record: Record[State, Action],
    unit_of: Callable[[Step[State, Action]], int | None],
    unit: int | None = None,
) -> Iterator[Turn[State, Action]]:
    """Yield the turns of a game in order; together they hold every step.

    Parameters
    ----------
    record
        A played game.
    unit_of
        Returns the unit whose turn begins with a step; None where the turn goes on.
    unit
        The unit whose turn it is already: the record may begin in the middle of a game.
    """
    before, steps = record.initial, list[Step[State, Action]]()
    for step in record.steps:
        begins = unit_of(step)
        if begins is not None:
            if steps:
                yield Turn(before, tuple(steps), unit)
                before, steps = steps[-1].after, []
            unit = begins
        steps.append(step)
    if steps:
        yield Turn(before, tuple(steps), unit)


def turn_text(name: str, clauses: Iterable[str]) -> str:
    """Return a turn as a sentence.

    Parameters
    ----------
    name
        Of the unit; empty before the first turn.
    clauses
        What happened, one thing after the other: ``walks to 5,4``, ``blue trooper dies``.
    """
    events = "; ".join(clauses)
    return f"{name}: {events or 'waits'}." if name else f"{events}."


def under_rounds(turns: Iterable[tuple[int, str]], word: str = "Round") -> Iterator[str]:
    """Yield the texts of turns as lines, each after the heading of its round.

    Parameters
    ----------
    turns
        The round in which each turn began, and its text.
    word
        What the game calls a round.
    """
    number = 0
    for begun, text in turns:
        if begun > number:
            number = begun
            yield ""
            yield f"{word} {number}"
        yield f"  {text}"


def names_of_teams(
    players: Sequence[str], teams: Sequence[int], chosen: Collection[int]
) -> list[str]:
    """Return the names of the players of some teams, as people say them; `teams` has that of each player."""
    return [spoken(name) for name, team in zip(players, teams, strict=True) if team in chosen]


def ending_text(
    record: Record[State, Action],
    rounds: int,
    winners: Sequence[str],
    reason: str,
    word: str = "round",
) -> str:
    """Return how a game has ended, as a sentence.

    Parameters
    ----------
    record
        The game.
    rounds
        How many have begun.
    winners
        Names of the players that have won; none for a draw.
    reason
        Why, after a comma or colon: ``": no enemy is left"``.
    word
        What the game calls a round.
    """
    if record.ending is not Ending.OVER:
        return f"The battle was broken off in {word} {rounds} ({record.ending.value})."
    if len(winners) == 1:
        result = agreed(winners[0], "win")
    else:
        result = f"{' and '.join(winners)} win" if winners else "nobody has won"
    return f"After {counted(rounds, word)} {result}{reason}."
