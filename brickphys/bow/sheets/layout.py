"""Layout: the blocks of studs on a sheet; the studs of a block are the capacity of its ability (BOW 1.4.1, 1.4.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from brickphys.files import shipped_tables

COLUMNS = 6
ROWS = 8


@dataclass(frozen=True)
class Block:
    """A rectangle of studs.

    Attributes
    ----------
    name
        Its ability.
    label
        Its name for players.
    column, row
        Its first stud, counted from the upper left corner of the sheet.
    columns, rows
        Its size in studs.
    """

    name: str
    label: str
    column: int
    row: int
    columns: int
    rows: int

    @property
    def capacity(self) -> int:
        """The points that it holds, one a stud."""
        return self.columns * self.rows

    def cells(self) -> list[tuple[int, int]]:
        """Return column and row of its studs, row by row from the upper left (BOW 3.2)."""
        return [
            (column, row)
            for row in range(self.row, self.row + self.rows)
            for column in range(self.column, self.column + self.columns)
        ]


@lru_cache
def blocks(kind: str) -> Mapping[str, Block]:
    """Return the blocks of a kind of sheet by name: ``minifig``, ``vehicle``, or ``custom``, a line of abilities."""
    return {
        name: Block(name, table.get("label", name), *table["at"], *table["size"])
        for name, table in shipped_tables("brickphys.bow", "layout")[kind].items()
    }


def capacity(kind: str, name: str) -> int:
    """Return the points that a block of a kind of sheet holds."""
    return blocks(kind)[name].capacity


def over_capacity(kind: str, name: str, points: int, made_of: str = "") -> list[str]:
    """Return the fault of an ability that has more points than its block has studs, if any."""
    block = blocks(kind)[name]
    if points <= block.capacity:
        return []
    return [
        f"{name}: {points}{made_of} is more than the {block.capacity} studs of {block.label} (BOW 1.4)"
    ]
