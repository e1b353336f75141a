"""Shelves: packs rectangles side by side into rows, and the rows onto pages."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
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
) -> list[Place]:
    """Return the places of rectangles on pages: in their order, unless the highest first need fewer pages.

    Parameters
    ----------
    sizes
        Width and height of each, none larger than the room.
    room
        Width and height of the room of a page.
    gap
        Least distance between two of them.
    """
    in_order, packed = _in_order(sizes, room, gap), _packed(sizes, room, gap)
    return in_order if _pages(in_order) <= _pages(packed) else packed


def _pages(places: Sequence[Place]) -> int:
    return max((place.page + 1 for place in places), default=0)


def _in_order(
    sizes: Sequence[tuple[float, float]], room: tuple[float, float], gap: float
) -> list[Place]:
    """Return the places row by row, as one reads."""
    places: list[Place] = []
    page, y = 0, 0.0
    for row in _rows([width for width, _ in sizes], room[0], gap):
        height = max(sizes[len(places) + number][1] for number in range(len(row)))
        if y + height > room[1]:
            page, y = page + 1, 0.0
        places += [Place(page, x, y) for x in row]
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
) -> list[Place]:
    """Return the places: each on the first shelf where it fits, the highest ones first."""
    shelves: list[_Shelf] = []
    places: dict[int, Place] = {}
    for index in sorted(range(len(sizes)), key=lambda index: -sizes[index][1]):
        width, height = sizes[index]
        shelf = next((one for one in shelves if one.used + width <= room[0]), None)
        if shelf is None:
            shelf = _new_shelf(shelves, height, room[1], gap)
            shelves.append(shelf)
        places[index] = Place(shelf.page, shelf.used, shelf.y)
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
