"""Story: a played game as text: the turns of its units under headings of rounds, and how it ended.

`Status` is a game at one moment: a headline, a map with letters for units, and tables of units in play.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Generic, Self

from brickphys.rules.record import Action, Ending, Record, State, Step
from brickphys.rules.report.char_map import CharMap
from brickphys.text import agreed, columns, counted, sentence, spoken


@dataclass(frozen=True)
class StepRun(Generic[State, Action]):
    """Steps of a game that belong together."""

    before: State
    """The state in which they began."""
    steps: tuple[Step[State, Action], ...]
    """All of them, chance included."""

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
    """The steps of a game from one choice of a unit to the next."""

    unit: int | None
    """Index of the unit; None before the first turn, while players roll for the start."""


def split_steps(
    record: Record[State, Action], ends: Callable[[State, State], bool]
) -> Iterator[tuple[State, tuple[Step[State, Action], ...]]]:
    """Yield the runs of a game, each as the state in which it begins and its steps; together they hold every step.

    `ends` tells from the states before and after a step whether a run ends with it.
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

    `unit_of` returns the unit whose turn begins with a step; None where the turn goes on. `unit` is the one whose
    turn it is already: the record may begin in the middle of a game.
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

    The name is that of the unit, empty before the first turn; the clauses are one thing after the other, such as
    ``walks to 5,4``.
    """
    events = "; ".join(clauses)
    return f"{name}: {events or 'waits'}." if name else f"{events}."


def under_rounds(turns: Iterable[tuple[int, str]], word: str = "Round") -> Iterator[str]:
    """Yield the texts of turns as lines, each after the heading of its round.

    `turns` has the round in which each turn began, and its text.
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

    There are no `winners` in a draw. The reason comes after a comma or colon: ``": no enemy is left"``.
    """
    if record.verdict:
        return f"{sentence(record.verdict)}."
    if record.ending is not Ending.OVER:
        return f"The battle was broken off in {word} {rounds} ({record.ending.value})."
    result = agreed(" and ".join(winners), "win") if winners else "nobody has won"
    return f"After {counted(rounds, word)} {result}{reason}."


_LEAVES = "q"
"""Letter that a person types to leave the game."""


Table = tuple[tuple[str, ...], ...]
"""Rows of cells."""


class Status(str):
    """A game at one moment as text, which knows its parts."""

    headline: str
    """The round, and whose turn it is."""
    chart: CharMap | None
    """The map; None if it has none that can be marked."""
    tables: tuple[Table, ...]
    """Rows of cells, the first of each table the names of its columns."""
    notes: tuple[str, ...]
    """Lines below the tables."""

    def __new__(
        cls,
        text: str,
        headline: str,
        chart: CharMap | None,
        tables: tuple[Table, ...],
        notes: tuple[str, ...],
    ) -> Self:
        """Return the text with its parts."""
        self = super().__new__(cls, text)
        self.headline, self.chart, self.tables, self.notes = headline, chart, tables, notes
        return self


def status_text(
    headline: str,
    field: str,
    tables: Iterable[Iterable[Sequence[str]]],
    notes: Iterable[str] = (),
) -> Status:
    """Return a game at one moment for people, part by part with a blank line between them.

    The headline is the round, and whose turn it is; the field is the map, or a `Status` with one, whose tables come
    first. The first row of each table has the names of its columns.
    """
    cells = tuple(tuple(map(tuple, rows)) for rows in tables)
    aligned = ("\n".join(columns(rows, "  ")) for rows in cells)
    last = tuple(notes)
    text = "\n\n".join([headline, field, *aligned, *last])
    if isinstance(field, Status):
        cells, last = (*field.tables, *cells), (*field.notes, *last)
    return Status(text, headline, map_in(field), cells, last)


def map_in(text: str) -> CharMap | None:
    """Return the map in a description of a game, or the map that it is; None if there is none that can be marked."""
    if isinstance(text, Status):
        return text.chart
    return text if isinstance(text, CharMap) else None


def letters(owners: Iterable[int], reserved: str, spare: str) -> tuple[str, ...]:
    """Return the letter of each unit on a map: capitals for the first player's, small letters for all others.

    Reserved letters mean something else on the map; `spare` is the sign of units for which no letter is left.
    """
    capitals = _free(ascii_uppercase, reserved)
    small = _free(ascii_lowercase, f"{reserved}{_LEAVES}")
    return tuple(next(small if owner else capitals, spare) for owner in owners)


def _free(alphabet: str, reserved: str) -> Iterator[str]:
    return (letter for letter in alphabet if letter not in reserved)
