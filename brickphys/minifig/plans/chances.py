"""Chances: how likely blows and shots of figures eliminate others, by a law of bricks, for players who think.

Hand-to-hand chances are exact (MF Resolving Combat). Those of missiles here are of targets that stand alone and show
their front, between rows of a table; `brickphys.minifig.missiles` has the exact law of a shot.
"""

from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.minifig import sheets
from brickphys.minifig.missiles import TOTAL, alone, bricks_of
from brickphys.minifig.setting import Setting
from brickphys.minifig.state import State
from brickphys.odds.law import RollLaw
from brickphys.odds.opposed import opposed
from brickphys.projectiles.shot import COARSE
from brickphys.projectiles.standing import Side
from brickphys.units import Array

_ROW_IN = 1.5
"""Distance between the rows of a table of missiles."""


class Gear(NamedTuple):
    """A figure with what it holds, and whether it rides: what its bricks rest on besides its place."""

    setting: Setting
    figure: int
    held: tuple[int, ...]
    rides: bool

    @classmethod
    def of(cls, state: State, figure: int) -> "Gear":
        """Return the gear of a figure."""
        held = state.held.get(figure, ())
        return cls(state.setting, figure, held, state.figures[figure].horse is not None)


@lru_cache(maxsize=1 << 14)
def attack_total(
    gear: Gear, *, wall: bool = False, downward: bool = False, rear: bool = False
) -> int:
    """Return the bricks of an attack of a figure as it stands; see `brickphys.minifig.melee.attack_bricks`."""
    spec, options = gear.setting.figures[gear.figure], gear.setting.options
    rows = sheets.attack_rows(spec.kind, _arms(gear))
    counts_wall = wall and options.wall_attack != "against"
    flags = {
        sheets.MOUNTED: gear.rides,
        sheets.WALL: counts_wall,
        sheets.DOWNWARD: downward,
        sheets.REAR: rear,
    }
    rows.update(name for name, is_so in flags.items() if is_so)
    return sum(sheets.attack_chart(rows).values()) + spec.experience * options.experience_bricks


@lru_cache(maxsize=1 << 14)
def defence_total(gear: Gear, *, wall: bool = False, higher: bool = False) -> int:
    """Return the bricks of a defence of a figure as it stands."""
    spec, options = gear.setting.figures[gear.figure], gear.setting.options
    rows = sheets.defence_rows(_arms(gear))
    flags = {sheets.MOUNTED: gear.rides, sheets.WALL: wall, sheets.HIGHER: higher}
    rows.update(name for name, is_so in flags.items() if is_so)
    return sum(sheets.defence_chart(rows).values()) + spec.experience * options.experience_bricks


def _arms(gear: Gear) -> tuple[sheets.Arm, ...]:
    items = gear.setting.items
    return (*gear.setting.figures[gear.figure].worn, *(items[item].arm for item in gear.held))


class Chances:
    """Chances by a law of bricks."""

    def __init__(self, law: RollLaw) -> None:
        self._law = law
        self._fights: dict[tuple[int, int, int], float] = {}
        self._tables: dict[tuple[str, str], tuple[Array, Array]] = {}

    def fight(self, attack: int, defence: int, lead: int) -> float:
        """Return the chance that an attack of so many bricks eliminates its defender."""
        key = attack, defence, lead
        if key not in self._fights:
            self._fights[key] = float(opposed(attack, defence, self._law, lead).success)
        return self._fights[key]

    @lru_cache(maxsize=64)  # noqa: B019
    def falls(self, bricks: float) -> float:
        """Return the chance that so many unopposed bricks eliminate a figure; infinite: it is knocked over."""
        return 1.0 if bricks == inf else 1.0 - float(self._law.roll(int(bricks)).probability(0))

    def kills(self, missile: str, body: str, away_in: Array) -> Array:
        """Return the chances that shots from some distances eliminate a body that stands alone; any shape."""
        if (missile, body) not in self._tables:
            self._tables[missile, body] = self._table(missile, body)
        rows_in, chances = self._tables[missile, body]
        found: Array = np.interp(away_in, rows_in, chances, right=0.0)
        return found

    def _table(self, missile: str, body: str) -> tuple[Array, Array]:
        range_in = sheets.charts().missiles[missile].weapon.range_in
        rows_in = np.append(np.arange(_ROW_IN, range_in, _ROW_IN), range_in)
        chances = [self._alone(missile, body, float(away)) for away in rows_in]
        return rows_in, np.array(chances)

    def _alone(self, missile: str, body: str, away_in: float) -> float:
        try:
            weights = alone(missile, body, Side.FRONT, away_in * sheets.INCH_MM, COARSE)
        except InvalidValueError:
            return 0.0
        shares = (w * self.falls(bricks_of(missile, hit.partition(" ")[2])) for hit, w in weights)
        return sum(shares) / TOTAL


def lead(one: Gear, other: Gear) -> int:
    """Return by how much experience puts the score of a figure ahead of another's (MF Experience)."""
    figures = one.setting.figures
    if one.setting.options.experience_bricks:
        return 0
    return figures[one.figure].experience - figures[other.figure].experience
