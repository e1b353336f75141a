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
    """Return the places of rectangles on pages: each on the first shelf where it fits, the highest ones first.

    Parameters
    ----------
    sizes
        Width and height of each, none larger than the room.
    room
        Width and height of the room of a page.
    gap
        Least distance between two of them.
    """
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
