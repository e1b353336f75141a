"""Army draws: the armies of battles with drawn setups, as counts of units by name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from brickphys.arrays import Array, Mask
from brickphys.batch.store.column import values
from brickphys.errors import InvalidValueError, unknown

_UNIT = re.compile(r"([a-z][a-z0-9_]*)(?:\*([1-9][0-9]*))?")
VERSUS, _AND = " | ", "+"
"""Between two armies, and between the units of one, in the label of a setup."""
SETUP, WINNER = "setup", "winner"


@dataclass(frozen=True)
class DrawnBattles:
    """Battles of two armies.

    Attributes
    ----------
    units
        Names of the units.
    first, second
        Number of each unit in the first and second army, shape (battles, units).
    score
        Result of the first army: 1 won, 0 lost, 0.5 undecided; shape (battles,).
    """

    units: tuple[str, ...]
    first: Array
    second: Array
    score: Array

    @property
    def drawn(self) -> Array:
        """Number of each unit in all armies, shape (units,)."""
        return np.asarray((self.first + self.second).sum(axis=0))

    def those(self, chosen: Mask) -> "DrawnBattles":
        """Return some of the battles."""
        return DrawnBattles(self.units, self.first[chosen], self.second[chosen], self.score[chosen])


def drawn_battles(rows: pa.Table, known: Sequence[str]) -> DrawnBattles:
    """Return the battles in the rows of a study, with the units that fought in them.

    Parameters
    ----------
    rows
        Rows with the columns `setup`, such as ``knight+trooper*2 | archer``, and `winner`, a player's number or -1.
    known
        Names of units; the result keeps their order.

    Raises
    ------
    InvalidValueError
        If a setup does not name two armies of known units.
    """
    columns = {name: index for index, name in enumerate(known)}
    counts = np.zeros((rows.num_rows, 2, len(known)))
    for row, label in enumerate(rows[SETUP].to_pylist()):
        armies = (label or "").split(VERSUS)
        if len(armies) != 2:
            raise InvalidValueError(
                f"{SETUP} {label!r} does not name two armies: a study with `draw` has them"
            )
        for side, army in enumerate(armies):
            for unit in army.split(_AND):
                name, count = _counted(unit)
                if name not in columns:
                    raise unknown("unit", name, known)
                counts[row, side, columns[name]] += count
    fought = np.flatnonzero(counts.sum(axis=(0, 1)))
    winner = values(rows[WINNER])
    return DrawnBattles(
        units=tuple(known[index] for index in fought.tolist()),
        first=counts[:, 0, fought],
        second=counts[:, 1, fought],
        score=np.where(winner < 0, 0.5, winner == 0).astype(np.float64),
    )


def _counted(text: str) -> tuple[str, int]:
    match = _UNIT.fullmatch(text)
    if match is None:
        raise InvalidValueError(f"{SETUP}: {text!r} is not a unit")
    return match[1], int(match[2] or 1)
