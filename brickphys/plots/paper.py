"""Paper: pictures in true size, to be printed.

Figures have a millimetre as their unit, sizes of paper, and a ruler that checks a print. Rectangles are packed side by
side into rows, and rows onto pages. The odds of one law fit on a card for the table.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from brickphys.odds.answer import MOST_ATTACK, MOST_DEFENCE, OddsCard
from brickphys.odds.law import Law
from brickphys.odds.law_choice import chance_words, stops
from brickphys.plots.charts import CHANCE_SHADES, label
from brickphys.plots.colors import INK, PALE_INK
from brickphys.text import percent, percent_range

INCH_MM = 25.4
PAPERS: Mapping[str, tuple[float, float]] = {
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "a6": (105.0, 148.0),
    "index": (127.0, 76.2),
}
"""Width and height in mm by name; an index card is 5 x 3 in."""
RULER_MM = 100.0
RULER_ID = "ruler"
"""The name of the ruler's line in SVG files."""
_DOTS = "..."


def page(paper: str) -> tuple[Figure, Axes]:
    """Return a figure of the size of a paper, and axes over all of it in mm from its lower left corner."""
    width, height = PAPERS[paper]
    figure = Figure(figsize=(width / INCH_MM, height / INCH_MM), dpi=150)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set(xlim=(0.0, width), ylim=(0.0, height))
    ax.set_axis_off()
    return figure, ax


def inner_axes(
    corner: tuple[float, float], size: tuple[float, float], figure: Figure, ax: Axes
) -> Axes:
    """Return axes without a frame over a part of a page: its lower left corner and its size in mm."""
    wide, high = ax.get_xlim()[1], ax.get_ylim()[1]
    box = corner[0] / wide, corner[1] / high, size[0] / wide, size[1] / high
    inner = figure.add_axes(box)
    inner.set_axis_off()
    return inner


def write(x: float, y: float, text: str, points: float, ax: Axes, **style: Any) -> Text:
    """Write a line at a place in mm; by default to the right of it, on its height, in `INK`."""
    style = {"ha": "left", "va": "center", "color": INK, **style}
    return ax.text(x, y, label(text), fontsize=points, **style)


def write_within(
    x: float, y: float, text: str, room_mm: float, points: float, ax: Axes, **style: Any
) -> Text:
    """Write as `write` does as much of a text as the room holds, and three dots for the rest."""
    written, length = write(x, y, text, points, ax, **style), len(text)
    while length > 1 and (wide := width_mm(written)) > room_mm:
        length = max(1, min(length - 1, int(length * room_mm / wide) - 1))
        written.set_text(label(f"{text[:length].rstrip()}{_DOTS}"))
    return written


def width_mm(text: Text) -> float:
    """Return the width of a text on a page."""
    figure = text.get_figure()
    assert figure is not None
    return float(text.get_window_extent().width / figure.dpi * INCH_MM)


def draw_ruler(x: float, y: float, ax: Axes) -> None:
    """Draw a ruler of 100 mm from a point to the right, with a tick each 10 mm, to check the scale of a print."""
    (line,) = ax.plot([x, x + RULER_MM], [y, y], color=INK, lw=0.8, solid_capstyle="butt")
    line.set_gid(RULER_ID)
    for tick in range(11):
        high = 2.6 if tick % 5 == 0 else 1.6
        ax.plot([x + 10 * tick] * 2, [y, y + high], color=INK, lw=0.5, solid_capstyle="butt")
    for tick in (0, 5, 10):
        write(x + 10 * tick, y - 1.6, f"{10 * tick}", 5.5, ax, ha="center")
    write(x + 3, y - 1.6, "mm; print at 100 % (actual size)", 5.5, ax, color=PALE_INK)
    write(x + 54, y - 1.6, "check: this line is 100 mm long", 5.5, ax, color=PALE_INK)


@dataclass(frozen=True)
class PagePlace:
    """Where a rectangle lies: its page, and its upper left corner from that of the page's room, y downwards."""

    page: int
    x: float
    y: float


@dataclass
class _Shelf:
    page: int
    y: float
    height: float
    used: float


def shelved(
    sizes: Sequence[tuple[float, float]], room: tuple[float, float], gap: float
) -> list[PagePlace]:
    """Return the places of rectangles on pages: in their order, unless the highest first need fewer pages.

    `sizes` are width and height of each, none larger than the room.
    """
    in_order, packed = _in_order(sizes, room, gap), _packed(sizes, room, gap)
    return in_order if _pages(in_order) <= _pages(packed) else packed


def _pages(places: Sequence[PagePlace]) -> int:
    return max((place.page + 1 for place in places), default=0)


def _in_order(
    sizes: Sequence[tuple[float, float]], room: tuple[float, float], gap: float
) -> list[PagePlace]:
    """Return the places row by row, as one reads."""
    places: list[PagePlace] = []
    page, y = 0, 0.0
    for row in _rows([width for width, _ in sizes], room[0], gap):
        height = max(sizes[len(places) + number][1] for number in range(len(row)))
        if y + height > room[1]:
            page, y = page + 1, 0.0
        places += [PagePlace(page, x, y) for x in row]
        y += height + gap
    return places


def _rows(widths: Sequence[float], room: float, gap: float) -> list[list[float]]:
    """Return the left edges of rectangles in rows that are as long as the room allows."""
    rows: list[list[float]] = []
    used = room
    for width in widths:
        if used + width > room:
            rows.append([])
            used = 0.0
        rows[-1].append(used)
        used += width + gap
    return rows


def _packed(
    sizes: Sequence[tuple[float, float]], room: tuple[float, float], gap: float
) -> list[PagePlace]:
    """Return the places: each on the first shelf where it fits, the highest ones first."""
    shelves: list[_Shelf] = []
    places: dict[int, PagePlace] = {}
    for index in sorted(range(len(sizes)), key=lambda index: -sizes[index][1]):
        width, height = sizes[index]
        shelf = next((one for one in shelves if one.used + width <= room[0]), None)
        if shelf is None:
            shelf = _new_shelf(shelves, height, room[1], gap)
            shelves.append(shelf)
        places[index] = PagePlace(shelf.page, shelf.used, shelf.y)
        shelf.used += width + gap
    return [places[index] for index in range(len(sizes))]


def _new_shelf(shelves: Sequence[_Shelf], height: float, room: float, gap: float) -> _Shelf:
    """Return a new shelf below the others of the first page that has room for it, or on a new page."""
    pages = max((one.page + 1 for one in shelves), default=0)
    for page in range(pages):
        end = max(one.y + one.height for one in shelves if one.page == page) + gap
        if end + height <= room:
            return _Shelf(page, end, height, 0.0)
    return _Shelf(pages, 0.0, height, 0.0)


@dataclass(frozen=True)
class _Layout:
    """Where things are on a card: lengths in mm from its upper left corner, fonts in points."""

    left: float
    top: float
    """The upper left corner of the cells."""
    cell: tuple[float, float]
    title: float
    subtitle: float
    fonts: tuple[float, float, float]
    """Sizes of title, chances and small print."""
    letters: int
    """Letters in a line of small print."""


_LAYOUTS = {
    "a6": _Layout(12.5, 25.5, (12.5, 12.2), 6.0, 12.0, (12.0, 10.0, 6.5), 76),
    "index": _Layout(14.0, 15.5, (15.4, 6.0), 4.2, 8.0, (9.5, 8.5, 5.5), 108),
}
_MOST_LINES = 6
_ROOM_FOR_MEAN_MM = 9.0
"""Height of a cell from which its second number fits in, too."""
_SIDE_MM = 5.0
"""Left of all texts."""
_NAME_MM = 6.0
"""What names beside the rows need more than numbers."""
_POINT_MM = 0.42
"""Distance of two lines over the size of their font."""


def odds_card_figure(card: OddsCard, paper: str = "a6") -> Figure:
    """Return a card in true size; `paper` is ``a6`` or ``index``."""
    layout = _fitted(_LAYOUTS[paper], card)
    figure, ax = page(paper)
    width, height = ax.get_xlim()[1], ax.get_ylim()[1]
    title, _, small = layout.fonts
    centred = {"ha": "center"}
    write(width / 2, height - layout.title, card.words.heading, title, ax, weight="bold", **centred)
    unit = "chance (%)"
    if _has_means(card, layout):
        unit += f"; below it, the {card.words.mean}"
    write(width / 2, height - layout.subtitle, unit, small, ax, color=PALE_INK, **centred)
    _draw_heads(card, layout, height, ax)
    means = (
        card.means
        if _has_means(card, layout)
        else [[None] * len(card.defences)] * len(card.attacks)
    )
    for row, chances in enumerate(card.chances):
        for column, chance in enumerate(chances):
            _draw_cell((column, row), (chance, means[row][column]), layout, height, ax)
    bottom = height - layout.top - len(card.attacks) * layout.cell[1] - 0.6
    for number, line in enumerate(_small_print(card, layout.letters)):
        y = bottom - (number + 0.8) * _POINT_MM * small
        write(_SIDE_MM, y, line, small, ax, color=PALE_INK)
    return figure


def _fitted(layout: _Layout, card: OddsCard) -> _Layout:
    """Return a layout whose cells share the room of the usual ones, with room for names beside the rows."""
    (wide, high), usual = layout.cell, (MOST_DEFENCE + 1, MOST_ATTACK)
    more = _NAME_MM * any(isinstance(name, str) for name in card.attacks)
    cell = (usual[0] * wide - more) / len(card.defences), usual[1] * high / len(card.attacks)
    return replace(layout, left=layout.left + more, cell=cell)


def _has_means(card: OddsCard, layout: _Layout) -> bool:
    return bool(card.means) and layout.cell[1] >= _ROOM_FOR_MEAN_MM


def _draw_heads(card: OddsCard, layout: _Layout, height: float, ax: Axes) -> None:
    """Write the names of the columns over them, and of the rows beside them."""
    (wide, high), (_, font, small) = layout.cell, layout.fonts
    top, line = height - layout.top, _POINT_MM * font
    across, down = len(card.defences) * wide, len(card.attacks) * high
    for column, name in enumerate(card.defences):
        x = layout.left + (column + 0.5) * wide
        write(x, top + 0.5 * line, str(name), font, ax, ha="center", weight="bold")
    middle = layout.left + across / 2
    write(middle, top + 1.25 * line, card.words.defences, small, ax, ha="center")
    for row, name in enumerate(card.attacks):
        points = small if isinstance(name, str) else font
        y = top - (row + 0.5) * high
        write(layout.left - 1.5, y, str(name), points, ax, ha="right", weight="bold")
    beside = _SIDE_MM + 1.3
    write(beside, top - down / 2, card.words.attacks, small, ax, ha="center", rotation=90)


def _draw_cell(
    place: tuple[int, int],
    numbers: tuple[Fraction, Fraction | None],
    layout: _Layout,
    height: float,
    ax: Axes,
) -> None:
    """Draw a cell, given its column and row, its chance and its second number."""
    (wide, high), (_, font, small) = layout.cell, layout.fonts
    chance, mean = float(numbers[0]), numbers[1]
    x, y = layout.left + place[0] * wide, height - layout.top - (place[1] + 1) * high
    ax.add_patch(Rectangle((x, y), wide, high, fc=CHANCE_SHADES(chance), ec="white", lw=0.8))
    style: dict[str, Any] = {"ha": "center", "color": "black"}
    middle = y + (0.48 if mean is None else 0.62) * high
    write(x + wide / 2, middle, percent(chance).removesuffix(" %"), font, ax, **style)
    if mean is not None:
        write(x + wide / 2, y + 0.22 * high, f"{float(mean):.2f}", small, ax, **style)


def _small_print(card: OddsCard, letters: int) -> list[str]:
    """Return the lines about the law, what its range does to the card, and the remarks."""
    text = " ".join([*_law_sentences(card), *card.words.remarks])
    return textwrap.wrap(text, letters, max_lines=_MOST_LINES, placeholder=" ...")


def _law_sentences(card: OddsCard) -> Iterator[str]:
    law = card.law
    if law is None:
        return
    known = []
    if isinstance(law, Law):
        known = ["90 % range not measured"]
        if law.p_range90 is not None:
            known = [f"90 % range {percent_range(*law.p_range90)}: {law.range_meaning}"]
    yield f"A brick stops {stops(law)} in {chance_words(law, *known)}, by {card.law_name}."
    if card.widest_range90 is not None:
        points = 100 * card.widest_range90
        yield f"Over that range, no chance on this card changes by more than {points:.1f} percentage points."
    yield from card.notes
