"""Army page: the cards of an army and the footprints of what is large, in true size on paper."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.law_choice import LawLike, named_law
from brickphys.odds.law_file import DEFAULT
from brickphys.odds.law_words import chance_words, shortcomings, stops
from brickphys.plots.colors import PALE_INK
from brickphys.plots.painter import Painter
from brickphys.plots.paper.army_card import ArmyCard, army_card, draw_card
from brickphys.plots.paper.footprints import FootprintPart, draw_footprint, footprint_parts
from brickphys.plots.paper.page import PAPERS, RULER_MM, draw_ruler, page, write_within
from brickphys.plots.paper.shelves import Place, shelved
from brickphys.rules.registry import game, painter
from brickphys.rules.report.army import ArmyList
from brickphys.text import counted, percent_range, spoken

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
        If a card is larger than the paper, or the game draws no sheets in true size.
    """
    width, height = PAPERS[paper]
    room = width - 2 * _MARGIN_MM, height - 2 * _MARGIN_MM - _head_mm(army)
    pieces = tuple(_pieces(army, painter, room, paper))
    places = shelved([piece.size for piece in pieces], room, _GAP_MM)
    return ArmyLayout(army, painter, paper, pieces, tuple(places))


def army_figure(army: ArmyList, law: LawLike = DEFAULT, paper: str = "a4", page: int = 1) -> Figure:
    """Return a page of an army in true size, by the painter of its game.

    Parameters
    ----------
    army
        What is on it.
    law
        The law of its odds: a name, file, number or law.
    paper
        ``a4`` or ``letter``.
    page
        Which of its pages, from 1.

    Raises
    ------
    InvalidValueError
        If there is no such page, law or paper, or the game draws no sheets in true size.
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
