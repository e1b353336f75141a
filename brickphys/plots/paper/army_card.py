"""Army card: units of an army that are alike: their sheet in true size, their numbers and their odds."""

from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from brickphys.odds.law import RollLaw
from brickphys.plots.colors import INK, PALE_INK
from brickphys.plots.painter import Painter
from brickphys.plots.paper.footprints import SMALL_MM, place_patch
from brickphys.plots.paper.page import inner_axes, width_mm, write, write_within
from brickphys.rules.report.army import ArmyUnit, OddsColumns
from brickphys.text import percent

_WIDTH_MM = 94.4
"""Of the room inside a card, if its sheet is not wider."""
_TITLE_MM, _ROW_MM, _PAD_MM = 7.2, 2.5, 1.2
_VALUE_MM = 26.0
"""Where the values of numbers begin."""
_DISTANCE_MM, _ROLLED_MM = 31.0, 54.0
"""Where the distances of attacks begin, and their numbers of bricks or dice end."""
_COST_MM = 38.0
"""Room for the cost beside a title; else it stands below."""
_SMALL_PRINT = 5.5


@dataclass(frozen=True)
class ArmyCard:
    """The card of some units.

    Attributes
    ----------
    unit
        Who they are.
    columns
        What the chances of their attacks are about.
    sheet_mm
        Width and height of the picture of their sheet; zero if they have none.
    """

    unit: ArmyUnit
    columns: OddsColumns
    sheet_mm: tuple[float, float]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the card."""
        rows = len(self.unit.numbers) + (len(self.unit.attacks) + 1 if self.unit.attacks else 0)
        wide = max(self.sheet_mm[0], _WIDTH_MM) + 2 * _PAD_MM
        return wide, _TITLE_MM + self.sheet_mm[1] + rows * _ROW_MM + self.gap_mm + _PAD_MM

    @property
    def gap_mm(self) -> float:
        """Between the numbers and the odds."""
        return _PAD_MM if self.unit.numbers and self.unit.attacks else 0.0

    @property
    def shows_footprint(self) -> bool:
        """Whether there is a footprint that is small enough for the corner."""
        place = self.unit.footprint
        return place is not None and not place.is_on_sheet and max(place.size_mm) <= SMALL_MM


def army_card(unit: ArmyUnit, columns: OddsColumns, painter: Painter[Any]) -> ArmyCard:
    """Return the card of units; InvalidValueError if their sheet has no picture in true size."""
    size = (0.0, 0.0) if unit.sheet is None else painter.true_size_mm(unit.sheet)
    return ArmyCard(unit, columns, size)


def draw_card(
    card: ArmyCard,
    law: RollLaw,
    corner: tuple[float, float],
    painter: Painter[Any],
    figure: Figure,
    ax: Axes,
) -> None:
    """Draw a card from its upper left corner: title, sheet, numbers, odds."""
    (x, top), (wide, high) = corner, card.size
    frame = FancyBboxPatch((x, top - high), wide, high, boxstyle="round,pad=0,rounding_size=1.5")
    frame.set(fc="none", ec="#b5bcc2", lw=0.6)
    ax.add_patch(frame)
    room = wide - 2 * _PAD_MM
    _write_title(card.unit, (x + _PAD_MM, top), room - SMALL_MM * card.shows_footprint, ax)
    if card.shows_footprint:
        _draw_place(card.unit, (x + wide - _PAD_MM, top - _PAD_MM), ax)
    sheet_wide, sheet_high = card.sheet_mm
    low = top - _TITLE_MM - sheet_high
    if card.unit.sheet is not None:
        left = x + (wide - sheet_wide) / 2
        inner = inner_axes((left, low), card.sheet_mm, figure, ax)
        painter.draw_true_size(card.unit.sheet, inner)
    for name, value in card.unit.numbers:
        write_within(x + _PAD_MM, low - 0.5 * _ROW_MM, name, _VALUE_MM - 1.0, _SMALL_PRINT, ax)
        after = x + _PAD_MM + _VALUE_MM
        write_within(after, low - 0.5 * _ROW_MM, value, room - _VALUE_MM, _SMALL_PRINT, ax)
        low -= _ROW_MM
    if card.unit.attacks:
        _draw_odds(card, law, (x + _PAD_MM, low - card.gap_mm), room, ax)


def _write_title(unit: ArmyUnit, corner: tuple[float, float], room: float, ax: Axes) -> None:
    """Write the number and name of units, their cost, and their gear below."""
    left, top = corner
    name = write_within(
        left, top - 2.4, f"{unit.count:,} x {unit.words}", room, 9, ax, weight="bold"
    )
    after, below = width_mm(name) + 2.0, unit.gear
    if room - after > _COST_MM:
        write_within(left + after, top - 2.5, _cost(unit), room - after, 6, ax, color=PALE_INK)
    else:
        below = "; ".join(filter(None, (_cost(unit), below)))
    write_within(left, top - 5.6, below, room, _SMALL_PRINT, ax)


def _cost(unit: ArmyUnit) -> str:
    each, total = unit.each_points, unit.cost_points
    if each is None:
        return ""
    return f"{each:,} cost points" + (f" each, {total:,} in all" if unit.count > 1 else "")


def _draw_place(unit: ArmyUnit, corner: tuple[float, float], ax: Axes) -> None:
    """Draw a small footprint with its size, from its upper right corner."""
    assert unit.footprint is not None
    long, broad = unit.footprint.size_mm
    middle = corner[0] - long / 2, corner[1] - broad / 2
    ax.add_patch(place_patch(unit, middle, 1.0))
    write(*middle, f"{long:g} x {broad:g}", 4.5, ax, ha="center", color=PALE_INK)


def _draw_odds(
    card: ArmyCard, law: RollLaw, corner: tuple[float, float], wide: float, ax: Axes
) -> None:
    """Write a row for each attack: its distance, its bricks or dice, and its chances."""
    columns, (x, top) = card.columns, corner
    step = (wide - _ROLLED_MM) / len(columns.names)
    y = top - 0.5 * _ROW_MM
    _write_row((x, y), [columns.rolled, *columns.names], step, PALE_INK, ax)
    write_within(x, y, columns.label, _DISTANCE_MM - 1.0, _SMALL_PRINT, ax, color=PALE_INK)
    write(x + _DISTANCE_MM, y, columns.unit, _SMALL_PRINT, ax, color=PALE_INK)
    above = ""
    for attack in card.unit.attacks:
        y -= _ROW_MM
        if attack.words != above:
            write_within(x, y, attack.words, _DISTANCE_MM - 1.0, _SMALL_PRINT, ax)
        above = attack.words
        write(x + _DISTANCE_MM, y, attack.distance, _SMALL_PRINT, ax)
        chances = [percent(chance, 0).removesuffix(" %") for chance in attack.successes(law)]
        _write_row((x, y), [str(attack.rolled), *chances], step, INK, ax)


def _write_row(
    left: tuple[float, float], cells: list[str], step: float, color: str, ax: Axes
) -> None:
    for column, cell in enumerate(cells):
        right = left[0] + _ROLLED_MM + column * step
        write(right, left[1], cell, _SMALL_PRINT, ax, ha="right", color=color)
