"""Army: an army on pages to be printed in true size: a card for each unit, and the footprints of what is large."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Polygon

from brickphys.errors import InvalidValueError, unknown
from brickphys.geometry.polygon import Point
from brickphys.geometry.pose import Pose
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.law_choice import LawLike, chance_words, named_law, shortcomings, stops
from brickphys.odds.law_file import DEFAULT
from brickphys.plots.colors import INK, PALE_INK
from brickphys.plots.painter import Painter
from brickphys.plots.paper import (
    PAPERS,
    RULER_MM,
    PagePlace,
    draw_ruler,
    inner_axes,
    page,
    shelved,
    width_mm,
    write,
    write_within,
)
from brickphys.rules.registry import game, painter
from brickphys.rules.report.sheets import ArmyList, ArmyUnit, OddsColumns
from brickphys.text import counted, percent, percent_range, spoken

SMALL_MM = 10.0
"""A footprint up to this size is drawn on the card of its unit, a larger one by itself."""
MOST_PARTS = 24
_PLACE = "#f3f5f6"
_LETTER_MM, _SMALL_LETTER_MM = 1.5, 1.1
"""Widths of letters of names inside and below footprints, rather too large."""
_NAME_MM, _MOST_NAME_MM = 3.6, 90.0
_EDGE_MM = 4.0
"""From an edge of a large footprint to the middle of its name, which covers little there."""
_ENDS_MM = 10.0
"""What the name leaves free of the longer side: the arrow is there."""
_UP_DEG = 90.0
_TOLERANCE_MM = 1e-6
_CUT: dict[str, Any] = {"color": PALE_INK, "lw": 0.6, "ls": (0, (6, 3))}


@dataclass(frozen=True)
class FootprintPart:
    """A footprint, or one of the parts in which it is printed."""

    unit: ArmyUnit
    is_turned: bool = False
    """Whether its front is at the top, and not at the right."""
    number: tuple[int, int] = (0, 0)
    parts: tuple[int, int] = (1, 1)
    """Which part it is, from the left and the top, and the number of parts along both sides."""

    @property
    def count(self) -> int:
        """How many parts there are."""
        return self.parts[0] * self.parts[1]

    @property
    def ordinal(self) -> int:
        """Which of them it is, from 1."""
        return self.number[1] * self.parts[0] + self.number[0] + 1

    @property
    def whole_mm(self) -> tuple[float, float]:
        """Width and height of the whole footprint on the paper."""
        assert self.unit.footprint is not None
        long, broad = self.unit.footprint.size_mm
        return (broad, long) if self.is_turned else (long, broad)

    @property
    def part_mm(self) -> tuple[float, float]:
        """Width and height of the part."""
        (wide, high), (columns, rows) = self.whole_mm, self.parts
        return wide / columns, high / rows

    @property
    def words(self) -> str:
        """Whose it is, its size, and which part of it this is."""
        assert self.unit.footprint is not None
        long, broad = self.unit.footprint.size_mm
        size = f"{round(long, 1):g} x {round(broad, 1):g} mm"
        of = f"; part {self.ordinal} of {self.count}, join the dashed lines" * (self.count > 1)
        return f"{self.unit.count:,} x {self.unit.words}: {size}{of}"

    @property
    def is_named_below(self) -> bool:
        """Whether its name is too long for it."""
        return len(self.words) * _LETTER_MM > max(self.part_mm) - _ENDS_MM

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the room that it needs on the paper."""
        wide, high = self.part_mm
        if self.is_named_below:
            name = min(len(self.words) * _SMALL_LETTER_MM, _MOST_NAME_MM)
            return max(wide, name), high + _NAME_MM
        return wide, high


def footprint_parts(unit: ArmyUnit, room: tuple[float, float]) -> Iterator[FootprintPart]:
    """Yield the footprint of a unit, in as few parts as fit into a room; nothing if a card shows it, or it has none.

    InvalidValueError tells if there are more than `MOST_PARTS`.
    """
    place = unit.footprint
    if place is None or place.is_on_sheet or max(place.size_mm) <= SMALL_MM:
        return
    ways = [
        FootprintPart(unit, is_turned, parts=_parts(place.size_mm, room, is_turned=is_turned))
        for is_turned in (False, True)
    ]
    best = min(ways, key=lambda way: way.count)
    if best.count > MOST_PARTS:
        raise InvalidValueError(
            f"{unit.name}: its footprint in true size has {best.count:,} parts, more than {MOST_PARTS}"
        )
    columns, rows = best.parts
    for row in range(rows):
        for column in range(columns):
            yield replace(best, number=(column, row))


def _parts(
    size_mm: tuple[float, float], room: tuple[float, float], *, is_turned: bool
) -> tuple[int, int]:
    """Return in how many parts a footprint is cut along the width and the height of the paper."""
    (long, broad), (wide, high) = size_mm, room
    across, along = (broad, long) if is_turned else (long, broad)
    columns, rows = (across - _TOLERANCE_MM) / wide, (along - _TOLERANCE_MM) / high
    return max(ceil(columns), 1), max(ceil(rows), 1)


def draw_footprint(
    part: FootprintPart,
    corner: tuple[float, float],
    painter: Painter[Any],
    figure: Figure,
    ax: Axes,
) -> None:
    """Draw a footprint or its part from the upper left corner of its room: outline, content, arrow ahead, name."""
    (wide, high), (whole_wide, whole_high) = part.part_mm, part.whole_mm
    x, top = corner[0] + (part.size[0] - wide) / 2, corner[1]
    column, row = part.number
    left, upper = column * wide - whole_wide / 2, whole_high / 2 - row * high
    inner, unit_mm = inner_axes((x, top - high), (wide, high), figure, ax), painter.unit_mm
    inner.set(xlim=(left / unit_mm, (left + wide) / unit_mm))
    inner.set(ylim=((upper - high) / unit_mm, upper / unit_mm))
    inner.set_zorder(-1)  # below the name
    heading_deg = _UP_DEG if part.is_turned else 0.0
    outline = place_patch(part.unit, (0.0, 0.0), 1 / unit_mm, heading_deg)
    outline.set_clip_on(part.count > 1)  # so that the line of a whole one is not cut at its edge
    inner.add_patch(outline)
    painter.draw_footprint(part.unit, heading_deg, inner)
    inner.add_patch(Polygon(_arrow(part.unit, 1 / unit_mm, heading_deg), fc=INK, lw=0, zorder=9))
    if part.count > 1:
        outline.set_gid(f"{outline.get_gid()}-{part.ordinal}")
        _draw_cuts(part, (x, top), ax)
    _write_name(part, (x, top), ax)


def _draw_cuts(part: FootprintPart, corner: tuple[float, float], ax: Axes) -> None:
    """Draw the edges at which a part is joined to others, given its upper left corner."""
    (x, top), (wide, high), (column, row) = corner, part.part_mm, part.number
    left, right, low = x, x + wide, top - high
    edges = {
        ((left, left), (low, top)): column > 0,
        ((right, right), (low, top)): column < part.parts[0] - 1,
        ((left, right), (top, top)): row > 0,
        ((left, right), (low, low)): row < part.parts[1] - 1,
    }
    for edge, is_cut in edges.items():
        if is_cut:
            ax.plot(*edge, **_CUT)


def place_patch(
    unit: ArmyUnit, at: tuple[float, float], scale: float, heading_deg: float = 0.0
) -> Polygon:
    """Return a footprint about a point, with a name in SVG files."""
    assert unit.footprint is not None
    corners = _placed(unit.footprint.corners_mm, at, scale, heading_deg)
    outline = Polygon(corners, fc=_PLACE, ec=INK, lw=0.6, zorder=0)
    outline.set_gid(f"footprint-{unit.name}")
    return outline


def _placed(
    points_mm: Iterable[Point], at: tuple[float, float], scale: float, heading_deg: float
) -> list[Point]:
    """Return points that are given ahead and to the left in mm, about a point, in another scale."""
    pose = Pose(*at, heading_deg)
    return [pose.on_field((scale * x, scale * y)) for x, y in points_mm]


def _arrow(unit: ArmyUnit, scale: float, heading_deg: float) -> list[Point]:
    """Return the corners of an arrowhead at the middle of the front."""
    assert unit.footprint is not None
    front = unit.footprint.size_mm[0] / 2
    length = min(4.0, front / 2)
    corners = ((front, 0.0), (front - length, 0.6 * length), (front - length, -0.6 * length))
    return _placed(corners, (0.0, 0.0), scale, heading_deg)


def _write_name(part: FootprintPart, corner: tuple[float, float], ax: Axes) -> None:
    """Write the words of a part: inside along its longer side, or below it."""
    (x, top), (wide, high) = corner, part.part_mm
    if part.is_named_below:
        middle, below = x + wide / 2, top - high - _NAME_MM / 2
        write_within(middle, below, part.words, part.size[0], 5.5, ax, ha="center")
        return
    is_upright = high > wide
    aside = min(min(wide, high) / 2, _EDGE_MM)
    at = (x + aside, top - high / 2) if is_upright else (x + wide / 2, top - high + aside)
    box = {"fc": _PLACE, "ec": "none", "pad": 1.0}
    style: dict[str, Any] = {"ha": "center", "rotation": 90 * is_upright, "bbox": box}
    write_within(*at, part.words, max(wide, high) - _ENDS_MM, 7, ax, **style)


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
    """The card of some units."""

    unit: ArmyUnit
    columns: OddsColumns
    """What the chances of their attacks are about."""
    sheet_mm: tuple[float, float]
    """Width and height of the picture of their sheet; zero if they have none."""

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


_MARGIN_MM = 7.0
"""What few printers leave white is less."""
_HEAD_MM = 13.0
_NOTE_MM = 2.9
_GAP_MM = 1.4

_Piece = ArmyCard | FootprintPart


@dataclass(frozen=True)
class ArmyLayout:
    """Where the cards and footprints of an army lie on paper, in true size; see `army_layout`."""

    army: ArmyList
    painter: Painter[Any]
    paper: str
    pieces: tuple[_Piece, ...]
    places: tuple[PagePlace, ...]

    @property
    def pages(self) -> int:
        """The number of pages."""
        return 1 + max(place.page for place in self.places)

    def draw(self, law: RollLaw, law_name: str) -> list[Figure]:
        """Return the pages, with odds by a law that has this name for people."""
        pages = [page(self.paper) for _ in range(self.pages)]
        for number, (_, ax) in enumerate(pages, start=1):
            of = f", page {number} of {self.pages}" if self.pages > 1 else ""
            _draw_head(self.army, of, _law_words(self.army, law, law_name), ax)
        for piece, place in zip(self.pieces, self.places, strict=True):
            figure, ax = pages[place.page]
            top = ax.get_ylim()[1] - _MARGIN_MM - _head_mm(self.army) - place.y
            corner = _MARGIN_MM + place.x, top
            if isinstance(piece, ArmyCard):
                draw_card(piece, law, corner, self.painter, figure, ax)
            else:
                draw_footprint(piece, corner, self.painter, figure, ax)
        return [figure for figure, _ in pages]


def army_layout(army: ArmyList, painter: Painter[Any], paper: str = "a4") -> ArmyLayout:
    """Return the layout of an army on as few pages as a simple packing finds.

    Raises InvalidValueError if a card is larger than the paper, or the game draws no sheets in true size.
    """
    width, height = PAPERS[paper]
    room = width - 2 * _MARGIN_MM, height - 2 * _MARGIN_MM - _head_mm(army)
    pieces = tuple(_pieces(army, painter, room, paper))
    places = shelved([piece.size for piece in pieces], room, _GAP_MM)
    return ArmyLayout(army, painter, paper, pieces, tuple(places))


def army_figure(army: ArmyList, law: LawLike = DEFAULT, paper: str = "a4", page: int = 1) -> Figure:
    """Return a page of an army in true size, by the painter of its game.

    InvalidValueError if there is no such page, law or paper, or the game draws no sheets in true size.

    Parameters
    ----------
    paper
        ``a4`` or ``letter``.
    page
        Which of its pages, from 1.
    """
    if paper not in PAPERS:
        raise unknown("paper", paper, PAPERS)
    layout = army_layout(army, painter(game(army.game)), paper)
    if not 1 <= page <= layout.pages:
        raise InvalidValueError(f"page: {page} is outside 1..{layout.pages}")
    return layout.draw(*named_law(law))[page - 1]


def _head_mm(army: ArmyList) -> float:
    return _HEAD_MM + _NOTE_MM * len(army.notes)


def _pieces(
    army: ArmyList, painter: Painter[Any], room: tuple[float, float], paper: str
) -> Iterator[_Piece]:
    """Yield the card of each kind of unit, and the footprints that do not fit on cards."""
    for unit in army.units:
        card = army_card(unit, army.columns, painter)
        if card.size[0] > room[0] or card.size[1] > room[1]:
            sizes = " and ".join(f"{wide:.0f} x {high:.0f} mm" for wide, high in (card.size, room))
            raise InvalidValueError(
                f"{unit.name}: its sheet in true size and the printable area of {paper} paper are {sizes}"
            )
        yield card
    for unit in army.units:
        yield from footprint_parts(unit, room)


def _law_words(army: ArmyList, law: RollLaw, law_name: str) -> str:
    if not army.by_bricks:
        return "by six-sided dice"
    known = []
    if isinstance(law, Law) and law.p_range90 is not None:
        known = [f"90 % range {percent_range(*law.p_range90)}"]
    told = f"a brick stops {stops(law)} in {chance_words(law, *known)}, by {law_name}"
    return "; ".join([told, *shortcomings(law, army.bricks)]).rstrip(".")


def _draw_head(army: ArmyList, of: str, law: str, ax: Axes) -> None:
    """Write the name of the army, which page it is, the law and the notes, and draw the ruler."""
    right, top = ax.get_xlim()[1] - _MARGIN_MM, ax.get_ylim()[1] - _MARGIN_MM
    ruler = right - RULER_MM - 2.0
    beside = ruler - 4.0 - _MARGIN_MM
    left, name = _MARGIN_MM, f"{spoken(army.name)}{of}"
    write_within(left, top - 2.0, name, beside, 12, ax, weight="bold")
    cost = "" if army.cost_points is None else f", {army.cost_points:,} cost points"
    has_sizes = any(unit.footprint for unit in army.units)
    sizes = f"{counted(army.count, 'piece')}{cost}{'; in true size' * has_sizes}"
    write_within(left, top - 6.4, sizes, beside, 7, ax)
    lines = [f"odds: {law}", *army.notes]
    for number, line in enumerate(lines):
        y = top - 9.9 - number * _NOTE_MM
        write_within(left, y, line, right - left, 6, ax, color=PALE_INK)
    if has_sizes:
        draw_ruler(ruler, top - 4.6, ax)
