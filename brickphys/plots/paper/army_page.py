"""Army page: the sheets of an army in true size with their odds, and the footprints of what is large, on paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import floor
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, Polygon, Rectangle

from brickphys.errors import InvalidValueError
from brickphys.odds.law import Law, RollLaw
from brickphys.plots.colors import INK, PALE_INK
from brickphys.plots.painter import Painter
from brickphys.plots.paper.page import (
    PAPERS,
    RULER_MM,
    draw_ruler,
    page,
    width_mm,
    write,
    write_within,
)
from brickphys.plots.paper.shelves import Place, shelved
from brickphys.rules.report.army import DEFENCES, ArmyList, ArmyUnit
from brickphys.text import counted, percent, percent_range, spoken
from brickphys.units import STUD_MM

_MARGIN_MM = 7.0
"""What few printers leave white is less."""
_HEAD_MM = 13.0
_GAP_MM = 1.4
_TITLE_MM, _ROW_MM, _PAD_MM = 7.2, 2.5, 1.2
_DISTANCE_MM, _BRICKS_MM = 31.0, 54.0
"""Where the distances of attacks begin on a card, and their numbers of bricks end."""
_COST_MM = 38.0
"""Room for the cost beside a title; else it stands below."""
_SMALL_MM = 10.0
"""A footprint up to this size is drawn on the card, a larger one by itself."""
_SMALL_PRINT = 5.5
_STUD_RADIUS_MM = 2.4
_TOLERANCE_MM = 1e-6


@dataclass(frozen=True)
class _Piece:
    """Something on a page: the card of units, or their footprint, maybe turned by a quarter."""

    unit: ArmyUnit
    size: tuple[float, float]
    is_card: bool


@dataclass(frozen=True)
class ArmyLayout:
    """Where the cards and footprints of an army lie on paper, in true size; see `army_layout`."""

    army: ArmyList
    painter: Painter[Any]
    paper: str
    pieces: tuple[_Piece, ...]
    places: tuple[Place, ...]

    @property
    def pages(self) -> int:
        """The number of pages."""
        return 1 + max(place.page for place in self.places)

    def draw(self, law: RollLaw, law_name: str) -> list[Figure]:
        """Return the pages, with odds by a law that has this name for people."""
        pages = [page(self.paper) for _ in range(self.pages)]
        for number, (_, ax) in enumerate(pages, start=1):
            of = f", page {number} of {self.pages}" if self.pages > 1 else ""
            _draw_head(self.army, of, _law_words(law, law_name), ax)
        for piece, place in zip(self.pieces, self.places, strict=True):
            figure, ax = pages[place.page]
            top = ax.get_ylim()[1] - _MARGIN_MM - _HEAD_MM - place.y
            corner = _MARGIN_MM + place.x, top
            if piece.is_card:
                _draw_card(piece, law, corner, self.painter, figure, ax)
            else:
                _draw_footprint(piece, corner, ax)
        return [figure for figure, _ in pages]


def army_layout(army: ArmyList, painter: Painter[Any], paper: str = "a4") -> ArmyLayout:
    """Return the layout of an army on as few pages as a simple packing finds.

    Parameters
    ----------
    army
        What is on them.
    painter
        Draws the sheets of the army's game.
    paper
        ``a4`` or ``letter``.

    Raises
    ------
    InvalidValueError
        If a card or footprint is larger than the paper, or the game draws no sheets in true size.
    """
    width, height = PAPERS[paper]
    room = width - 2 * _MARGIN_MM, height - 2 * _MARGIN_MM - _HEAD_MM
    pieces = tuple(_pieces(army, painter, room, paper))
    places = shelved([piece.size for piece in pieces], room, _GAP_MM)
    return ArmyLayout(army, painter, paper, pieces, tuple(places))


def _pieces(
    army: ArmyList, painter: Painter[Any], room: tuple[float, float], paper: str
) -> Iterator[_Piece]:
    """Yield the card of each sheet, and the footprints that do not fit on cards."""
    for unit in army.units:
        wide, high = painter.true_size_mm(unit.sheet)
        rows = len(unit.attacks) + 1 if unit.attacks else 0
        size = wide + 2 * _PAD_MM, _TITLE_MM + high + rows * _ROW_MM + _PAD_MM
        yield _checked(_Piece(unit, size, is_card=True), room, paper)
    for unit in army.units:
        long, wide = unit.footprint_mm
        if max(long, wide) > _SMALL_MM:
            size = (wide, long) if long > room[0] else (long, wide)
            yield _checked(_Piece(unit, size, is_card=False), room, paper)


def _checked(piece: _Piece, room: tuple[float, float], paper: str) -> _Piece:
    if piece.size[0] <= room[0] and piece.size[1] <= room[1]:
        return piece
    what = "sheet" if piece.is_card else "footprint"
    sizes = " and ".join(f"{wide:.0f} x {high:.0f} mm" for wide, high in (piece.size, room))
    raise InvalidValueError(
        f"{piece.unit.sheet.name}: its {what} in true size and the room on {paper} paper are {sizes}"
    )


def _law_words(law: RollLaw, law_name: str) -> str:
    stops = law.stops if isinstance(law, Law) else "on a side"
    words = f"a brick stops {stops} in {percent(float(law.p))}"
    if isinstance(law, Law) and law.p_range90 is not None:
        words += f" (90 % range {percent_range(*law.p_range90)})"
    return f"{words}, by {law_name}"


def _draw_head(army: ArmyList, of: str, law: str, ax: Axes) -> None:
    """Write the name of the army, which page it is and the law, and draw the ruler."""
    right, top = ax.get_xlim()[1] - _MARGIN_MM, ax.get_ylim()[1] - _MARGIN_MM
    ruler = right - RULER_MM - 2.0
    beside = ruler - 4.0 - _MARGIN_MM
    left, name = _MARGIN_MM, f"{spoken(army.name)}{of}"
    write_within(left, top - 2.0, name, beside, 12, ax, weight="bold")
    cost = "" if army.cost_points is None else f", {army.cost_points:,} cost points"
    sizes = f"{counted(army.count, 'piece')}{cost}; all in true size"
    write_within(left, top - 6.4, sizes, beside, 7, ax)
    write_within(left, top - 9.9, f"odds: {law}", right - left, 6, ax, color=PALE_INK)
    draw_ruler(ruler, top - 4.6, ax)


def _draw_card(
    piece: _Piece,
    law: RollLaw,
    corner: tuple[float, float],
    painter: Painter[Any],
    figure: Figure,
    ax: Axes,
) -> None:
    """Draw the card of a sheet from its upper left corner: title, the sheet in true size, its odds."""
    unit, (x, top), (wide, high) = piece.unit, corner, piece.size
    frame = FancyBboxPatch((x, top - high), wide, high, boxstyle="round,pad=0,rounding_size=1.5")
    frame.set(fc="none", ec="#b5bcc2", lw=0.6)
    ax.add_patch(frame)
    has_footprint = max(unit.footprint_mm) <= _SMALL_MM
    room = wide - 2 * _PAD_MM - (_SMALL_MM if has_footprint else 0.0)
    left, title = x + _PAD_MM, f"{unit.count:,} x {spoken(unit.sheet.name)}"
    name = write_within(left, top - 2.4, title, room, 9, ax, weight="bold")
    after, below = width_mm(name) + 2.0, unit.gear
    if room - after > _COST_MM:
        write_within(left + after, top - 2.5, _cost(unit), room - after, 6, ax, color=PALE_INK)
    else:
        below = f"{_cost(unit)}; {below}"
    write_within(left, top - 5.6, below, room, _SMALL_PRINT, ax)
    if has_footprint:
        long, broad = unit.footprint_mm
        at = x + wide - _PAD_MM - long, top - _PAD_MM - broad
        ax.add_patch(_outline(unit, at, (long, broad)))
        middle = at[0] + long / 2, at[1] + broad / 2
        write(*middle, f"{long:g} x {broad:g}", 4.5, ax, ha="center", color=PALE_INK)
    sheet_wide, sheet_high = painter.true_size_mm(unit.sheet)
    low = top - _TITLE_MM - sheet_high
    paper = ax.get_xlim()[1], ax.get_ylim()[1]
    box = (x + (wide - sheet_wide) / 2) / paper[0], low / paper[1]
    inner = figure.add_axes((*box, sheet_wide / paper[0], sheet_high / paper[1]))
    painter.draw_true_size(unit.sheet, inner)
    _draw_odds(unit, law, x + _PAD_MM, low, wide - 2 * _PAD_MM, ax)


def _cost(unit: ArmyUnit) -> str:
    each, total = unit.sheet.cost_points, unit.cost_points
    if each is None:
        return ""
    return f"{each:,} cost points" + (f" each, {total:,} in all" if unit.count > 1 else "")


def _draw_odds(unit: ArmyUnit, law: RollLaw, x: float, top: float, wide: float, ax: Axes) -> None:
    """Write a row for each attack: its distance and bricks, and its success against each number of bricks."""
    if not unit.attacks:
        return
    step = (wide - _BRICKS_MM) / len(DEFENCES)
    y = top - 0.5 * _ROW_MM
    _write_row(x, y, ["bricks", *map(str, DEFENCES)], step, PALE_INK, ax)
    write(x, y, "success in % by defence", _SMALL_PRINT, ax, color=PALE_INK)
    write(x + _DISTANCE_MM, y, "studs (cm)", _SMALL_PRINT, ax, color=PALE_INK)
    above = ""
    for attack in unit.attacks:
        y -= _ROW_MM
        if attack.words != above:
            room = _DISTANCE_MM - 1.0
            write_within(x, y, attack.words, room, _SMALL_PRINT, ax)
        above = attack.words
        write(x + _DISTANCE_MM, y, attack.distance, _SMALL_PRINT, ax)
        chances = [percent(chance, 0).removesuffix(" %") for chance in attack.successes(law)]
        _write_row(x, y, [str(attack.bricks), *chances], step, INK, ax)


def _write_row(x: float, y: float, cells: list[str], step: float, color: str, ax: Axes) -> None:
    for column, cell in enumerate(cells):
        right = x + _BRICKS_MM + column * step
        write(right, y, cell, _SMALL_PRINT, ax, ha="right", color=color)


def _outline(unit: ArmyUnit, corner: tuple[float, float], size: tuple[float, float]) -> Rectangle:
    """Return a footprint by its lower left corner, with a name in SVG files."""
    outline = Rectangle(corner, *size, fc="#f3f5f6", ec=INK, lw=0.6)
    outline.set_gid(f"footprint-{unit.sheet.name}")
    return outline


def _draw_footprint(piece: _Piece, corner: tuple[float, float], ax: Axes) -> None:
    """Draw a footprint with its studs, its name and an arrow ahead, from its upper left corner."""
    (x, top), (wide, high) = corner, piece.size
    ax.add_patch(_outline(piece.unit, (x, top - high), (wide, high)))
    for column, row in product(range(_studs(wide)), range(_studs(high))):
        at = x + (column + 0.5) * STUD_MM, top - (row + 0.5) * STUD_MM
        ax.add_patch(Circle(at, _STUD_RADIUS_MM, fc="none", ec="#c3c9ce", lw=0.4))
    long, broad = piece.unit.footprint_mm
    is_turned = (wide, high) != (long, broad)
    ahead = _arrow((x + wide / 2, top) if is_turned else (x + wide, top - high / 2), is_turned)
    ax.add_patch(Polygon(ahead, fc=INK, lw=0))
    unit = piece.unit
    words = f"{unit.count:,} x {spoken(unit.sheet.name)}: {long:g} x {broad:g} mm"
    box = {"fc": "#f3f5f6", "ec": "none", "pad": 1.0}
    room, at = max(wide, high) - 8.0, (x + wide / 2, top - high / 2)
    style: dict[str, Any] = {"ha": "center", "rotation": 90 * is_turned, "bbox": box}
    write_within(*at, words, room, 7, ax, **style)


def _studs(length_mm: float) -> int:
    """Return how many whole studs fit into a length."""
    return floor((length_mm + _TOLERANCE_MM) / STUD_MM)


def _arrow(tip: tuple[float, float], is_up: bool) -> Sequence[tuple[float, float]]:
    """Return the corners of an arrowhead at the middle of the front: to the right, or up."""
    x, y = tip
    if is_up:
        return [(x, y), (x - 2.5, y - 4.0), (x + 2.5, y - 4.0)]
    return [(x, y), (x - 4.0, y + 2.5), (x - 4.0, y - 2.5)]
