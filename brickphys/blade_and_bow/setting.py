"""Setting: what never changes during a battle: the map, the units, the leaders, the camps and the rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase
from typing import Annotated

from brickphys.blade_and_bow.deck import DECK_CARDS
from brickphys.blade_and_bow.sheets import Counter, FormationSize, TerrainEffects
from brickphys.geometry.polygon import Point
from brickphys.grid.grid import Grid, Square, Squares, squares_of
from brickphys.rules.record import GameSetting, numbered

UnitNumber = Annotated[int, "units"]
LeaderNumber = Annotated[int, "leaders"]
SquareNumber = Annotated[int, "squares"]
CardNumber = Annotated[int, "cards"]
"""Indices in a `Setting`; the notation of states refuses others."""


@dataclass(frozen=True)
class Options:
    """Choices between readings of the rules."""

    free_setup: bool = True
    """Ranks, places of leaders, camps and shield walls are chosen before the battle; else they are as printed."""


def square_names(grid: Grid) -> tuple[str, ...]:
    """Return the name of each square: a column from A on, and a row from 1 at the top (BB 2.1)."""
    at = map(grid.xy, range(grid.width * grid.length))
    return tuple(f"{ascii_uppercase[x]}{grid.length - y}" for x, y in at)


@dataclass(frozen=True)
class UnitSpec:
    """A combat unit: its name, its player, its kind, where it begins, and its ranks besides itself."""

    name: str
    """Its name."""
    player: int
    """Its player."""
    counter: Counter
    """Its kind, with the values of both sides of its counter."""
    square: Square | None
    """The square on which it begins; None for a reinforcement."""
    facing: int
    """Where it looks at the start, 0 to 7 from east, counter-clockwise."""
    ranks: int = 0
    """Its ranks besides itself, as printed."""
    most_ranks: int = 0
    """The most ranks that it may be given before the battle (BB 14.2)."""


@dataclass(frozen=True)
class LeaderSpec:
    """A leader (BB 2.3.1)."""

    name: str
    """The name."""
    player: int
    """The player."""
    rank: int
    """The place in the chain of command: the lower, the higher."""
    range_points: int
    """How far orders reach, in points."""
    value: int
    """The command value: morale, and the size of a hand."""
    colour: str
    """The colour of the command numbers that count."""
    square: Square | None
    """The square at the start, as printed; None for one that comes later."""


@dataclass(frozen=True)
class Entry:
    """Squares through which reinforcements come, for some results of the die."""

    rolls: tuple[int, ...]
    """The results of the die for which they come here."""
    squares: tuple[Square, ...]
    """The squares through which they come."""
    facing: int
    """Where they look."""


@dataclass(frozen=True)
class Special:
    """The special rules of a scenario."""

    hidden_path: bool = False
    """Thermopylae: a path that the second player has to discover; see `path`."""
    path: Squares = 0
    """The squares of that path: only the second player enters them, and nobody moves diagonally on it."""
    limit: Squares = 0
    """Squares that the second player's units do not enter until the path is discovered; those of the path too."""
    gates: Squares = 0
    """Squares at the end of the wall: while a unit is in any, nobody goes diagonally between them and the wall."""
    mortal: str = ""
    """The leader whose death gives the enemy a major victory at the end of the turn."""
    camp_decides: tuple[str, str] = ("", "")
    """When the loss of each player's camp decides: ``end_of_turn`` (Thermopylae), ``at_once`` (Mycale), or empty."""
    minor_to: int | None = None
    """The player who has a minor victory if nobody else has won by the end."""
    shield_walls: tuple[bool, bool] = (False, False)
    """Whose units may form shield walls (BB 13)."""
    entries: tuple[Entry, ...] = ()
    """Mycale: where the first player's reinforcements come."""


def _squares_that(effect: str) -> "cached_property[Squares]":
    """Return a property of a setting: the squares whose terrain has an effect."""

    def squares(setting: "Setting") -> Squares:
        """Return the squares whose terrain has the effect."""
        return squares_of(n for n, one in enumerate(setting.terrain) if getattr(one, effect))

    return cached_property(squares)


@dataclass(frozen=True, eq=False)
class Setting(GameSetting):
    """The constants of a battle; states number units, leaders, squares and cards in this order."""

    grid: Grid
    """The size of the map."""
    terrain: tuple[TerrainEffects, ...]
    """The ground of each square."""
    walls: frozenset[tuple[Square, Square]]
    """Pairs of squares with a wall between them, the lower first."""
    units: tuple[UnitSpec, ...]
    """All units; states number them in this order."""
    leaders: tuple[LeaderSpec, ...]
    """All leaders; states number them in this order."""
    camp_places: tuple[tuple[Square, ...], ...]
    """The squares where each player may place the camp, the printed one first."""
    impulses: tuple[int, ...]
    """The impulses of each player in a turn."""
    rout_levels: tuple[int, ...]
    """The losses at which each army routs."""
    tie_breaker: int
    """The player who holds the initiative first (BB 5.3)."""
    special: Special = Special()
    """The special rules of the battle."""
    options: Options = Options()
    """Choices between readings of the rules."""

    @cached_property
    def squares(self) -> tuple[str, ...]:
        """The name of each square."""
        return square_names(self.grid)

    def middle(self, square: Square) -> Point:
        """Return the middle of a square, in squares."""
        x, y = self.grid.xy(square)
        return x + 0.5, y + 0.5

    @cached_property
    def square_numbers(self) -> Mapping[str, Square]:
        """The number of each square by name."""
        return {name: number for number, name in enumerate(self.squares)}

    unit_numbers = numbered("units")
    leader_numbers = numbered("leaders")

    @cached_property
    def cards(self) -> range:
        """The numbers of the cards."""
        return range(DECK_CARDS)

    closed = _squares_that("closed")
    """The squares that nobody enters."""
    high = _squares_that("is_high")
    """The squares on hills: their edge is a slope."""

    @cached_property
    def chosen_ranks(self) -> tuple[int, ...]:
        """The units whose ranks are chosen before the battle: those of armies that have a choice (BB 14.2)."""
        if not self.options.free_setup:
            return ()
        able = {unit.player for unit in self.units if unit.most_ranks > unit.ranks}
        return tuple(
            number
            for number, unit in enumerate(self.units)
            if unit.player in able and unit.counter.has_ranks and unit.square is not None
        )

    blocks = _squares_that("blocks")
    """The squares through which nobody sees (BB 3.3)."""
    stops = _squares_that("stops")
    """The squares in which units halt (BB 7.5)."""

    @cached_property
    def disrupts(self) -> Mapping[FormationSize, Squares]:
        """The squares that disrupt units of each size that enter (BB 7.5)."""
        return {
            size: squares_of(n for n, g in enumerate(self.terrain) if size.value in g.disrupts)
            for size in FormationSize
        }

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The sum of the printed ranks of each player's units; everybody knows it (BB 14.2)."""
        count = [0] * len(self.players)
        for unit in self.units:
            count[unit.player] += unit.ranks
        return tuple(count)
