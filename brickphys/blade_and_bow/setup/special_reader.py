"""Special reader: the special rules of a scenario, and their faults of meaning."""

from collections.abc import Callable, Collection, Mapping
from itertools import pairwise
from string import ascii_uppercase
from typing import TYPE_CHECKING

from brickphys.blade_and_bow.sheets.charts import FACES
from brickphys.blade_and_bow.state.setting import Entry, LeaderSpec, Special
from brickphys.grid.bitset import Square, Squares, squares_of
from brickphys.grid.directions import FACING_NAMES
from brickphys.grid.grid import Grid
from brickphys.rules.catalogue import TableReader

if TYPE_CHECKING:
    from brickphys.blade_and_bow.setup.setup_schema import SetupDocument


class SpecialReader(TableReader):
    """Reads the special rules of a setup whose form is sound.

    Parameters
    ----------
    document, grid
        The setup, and its squares.
    open_squares
        Returns the open squares of the map with some names, after their place in the setup; it notes faults itself.
    players, leaders
        The players' numbers, and the leaders, by name.
    """

    def __init__(
        self,
        document: "SetupDocument",
        grid: Grid,
        open_squares: Callable[[str, Collection[str]], list[Square]],
        players: Mapping[str, int],
        leaders: Mapping[str, LeaderSpec],
    ) -> None:
        super().__init__()
        self._document, self._grid, self._open_squares = document, grid, open_squares
        self._players, self._leaders = players, leaders

    def read(self) -> Special:
        """Return the special rules; what has a fault, which is noted, may be left out."""
        given, armies = self._document.special, self._document.players
        self.find("special.mortal", "leader", given.mortal, self._leaders)
        walls = [army.shield_walls for army in armies]
        return Special(
            hidden_path=bool(given.path),
            path=(path := self._path()),
            limit=path | self._limit(),
            gates=squares_of(self._open_squares("special.gates", given.gates)),
            mortal=given.mortal or "",
            camp_decides=(armies[0].camp_decides, armies[1].camp_decides),
            minor_to=self.find("special.minor_to", "player", given.minor_to, self._players),
            shield_walls=(walls[0], walls[1]),
            entries=self._entries(),
        )

    def _path(self) -> Squares:
        """Return the squares of the path, each of which is beside the one before: nobody moves diagonally on it."""
        found = self._open_squares("special.path", names := self._document.special.path)
        if len(found) < len(names):
            return 0
        places = [self._grid.xy(square) for square in found]
        for number, ((x, y), (x2, y2)) in enumerate(pairwise(places), 1):
            if abs(x - x2) + abs(y - y2) != 1:
                self.faults.append(
                    f"special.path[{number}]: {names[number]} has no side in common with "
                    f"{names[number - 1]} (BB 14.2)"
                )
        return squares_of(found)

    def _limit(self) -> Squares:
        """Return the squares of the columns that the second player does not enter before the path is found."""
        given = self._document.special
        if given.limit_columns is None:
            return 0
        first, last = map(ascii_uppercase.index, given.limit_columns)
        width = self._grid.width
        if not first <= last < width:
            self.faults.append(
                f"special.limit_columns: {' to '.join(given.limit_columns)} on a map of A to "
                f"{ascii_uppercase[width - 1]}"
            )
        if not given.path:
            self.faults.append(
                "special.limit_columns: needs special.path, whose discovery lifts the limit"
            )
        return self._grid.block(first, 0, last + 1 - first, self._grid.length)

    def _entries(self) -> tuple[Entry, ...]:
        """Return where reinforcements come: every result of the die has one place."""
        document = self._document
        given = document.special.entries
        waiting = [
            (f"{kind}[{number}]", one.player)
            for kind in ("units", "leaders")
            for number, one in enumerate(getattr(document, kind))
            if one.square is None
        ]
        first = document.players[0].name
        for place, player in waiting:
            if not given:
                self.faults.append(f"{place}.square: missing, but required without special.entries")
            elif player != first:
                self.faults.append(
                    f"{place}.square: missing, but only {first} can have reinforcements"
                )
        if given and not waiting:
            self.faults.append("special.entries: needs units that come later")
        rolls = [roll for entry in given for roll in entry.rolls]
        if given and sorted(rolls) != list(range(1, FACES + 1)):
            self.faults.append(
                f"special.entries: rolls {rolls} must have each number from 1 to 6 once"
            )
        return tuple(
            Entry(
                tuple(sorted(entry.rolls)),
                tuple(self._open_squares(f"special.entries[{number}].squares", entry.squares)),
                FACING_NAMES.index(entry.facing),
            )
            for number, entry in enumerate(given)
        )
