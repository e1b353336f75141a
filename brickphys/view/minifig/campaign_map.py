"""Campaign map: the known land of a campaign as squares of plates, and the party on it."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from brickphys.geometry.polygon import Point
from brickphys.minifig.campaign.chart import Direction, Ground, Square
from brickphys.minifig.campaign.ways import Scene
from brickphys.shapes.brick import regular_polygon
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.view.builder import Builder, Placed
from brickphys.view.colours import shown_players
from brickphys.view.recording import Ruler, Shape, Surface
from brickphys.view.shapes.figure import figure
from brickphys.view.shapes.solids import board, box, merged, moved, prism, stud
from brickphys.view.shapes.tree import tree

SQUARE_MM = 4 * STUD_MM
_LAND, _WATER = "#a9c27b", "#5b99cc"
_COLOURS = {
    Ground.OPEN: _LAND,
    Ground.WOODS: "#5d8a50",
    Ground.VILLAGE: "#d6bd85",
    Ground.POND: _LAND,
    Ground.SHORE: "#dbd8a8",
    Ground.LAKE: _WATER,
    Ground.RIVER: _LAND,
}
_UNKNOWN, _EDGE = "#e6dcc6", "#8c6b47"
_THICK_MM = 8.0
_STREAM_MM = 0.4
_EAST_NORTH = {
    side: np.subtract(side.from_place((0, 0)), (0, 0)).astype(float) for side in Direction
}


class CampaignBuilder(Builder[Scene]):
    """Builds what the party knows of the land; the rest is blank."""

    unit_mm = SQUARE_MM
    mark_mm = 2.0

    def size(self, state: Scene) -> Point:
        """Return the columns and rows of the known grids."""
        return state.size

    def ruler(self, state: Scene) -> Ruler:
        """Return the squares, counted from the start of the party."""
        (west, south), (east, north) = state.low, state.high
        return Ruler.of_squares(SQUARE_MM, range(west, east + 1), range(south, north + 1))

    def players(self, state: Scene) -> tuple[str, ...]:
        """Return the name of the only player."""
        return state.state.setting.players

    def ground(self, state: Scene) -> Iterator[Placed]:
        """Yield the blank land, and the squares that are known."""
        width, length = (side * SQUARE_MM for side in state.size)
        yield Placed(
            "land",
            Shape("land", merged(board((0.0, 0.0), (width, length), _UNKNOWN, _EDGE, _THICK_MM))),
        )
        for place, square in state.state.chart.squares.items():
            x, y = state.point(place)
            yield Placed(
                f"square {place[0]},{place[1]}",
                _square(square),
                (x * SQUARE_MM, y * SQUARE_MM, 0.0),
            )

    def pieces(self, state: Scene) -> Iterator[Placed]:
        """Yield the party as one figure, who looks where it goes."""
        party, (name,) = state.state, self.players(state)
        east, north = _EAST_NORTH[party.heading or Direction.NORTH]
        x, y = state.point(party.place)
        at = (x * SQUARE_MM, y * SQUARE_MM, PLATE_MM)
        facing = float(np.degrees(np.arctan2(north, east)))
        (colour,) = shown_players(party.setting.colours)
        yield from figure("party", at, facing, colour, ("sword", "shield"), name)

    def spot(self, state: Scene, place: Point) -> Point | None:
        """Return the middle of a square; a battle of the campaign is not shown."""
        if state.state.battle is not None:
            return None
        return state.point((int(place[0]), int(place[1])))

    def height_mm(self, state: Scene, place: Point) -> float:
        """Return the height of a plate."""
        return PLATE_MM

    def place_text(self, state: Scene, place: Point) -> str:
        """Return the square of a place, counted from the start of the party."""
        (west, south), (x, y) = state.low, place
        return f"{west + int(x)},{south + int(y)}"


def _square(square: Square) -> Shape:
    name = square.ground.value
    if square.river is None:
        return _plate(square.ground, name)
    river = square.river
    flows = (river.along, river.flow)
    ways = tuple((float(_EAST_NORTH[one][0]), float(_EAST_NORTH[one][1])) for one in flows)
    return _river(ways)


@lru_cache
def _plate(ground: Ground, name: str) -> Shape:
    return Shape(f"square {name}", merged([*_base(_COLOURS[ground]), *_grown(ground)]))


def _base(colour: str) -> Iterator[Surface]:
    """Yield a plate of four by four studs, with a stud in each corner."""
    half, corner = SQUARE_MM / 2 - 0.1, 1.5 * STUD_MM
    yield box((-half, -half, 0.0), (half, half, PLATE_MM), colour)
    for x in (-corner, corner):
        for y in (-corner, corner):
            yield moved(stud(colour).surfaces[0], (x, y, PLATE_MM))


def _grown(ground: Ground) -> Iterator[Surface]:
    """Yield trees, houses or a pond."""
    if ground is Ground.WOODS:
        for x, y in ((-8.0, 6.0), (8.0, 8.0), (9.0, -8.0), (-7.0, -9.0)):
            yield from tree(regular_polygon(4.5, 8) + np.array([x, y]), PLATE_MM, PLATE_MM + 24.0)
    elif ground is Ground.VILLAGE:
        for x, y in ((-8.0, 7.0), (7.0, -7.0)):
            yield moved(box((-5.0, -4.0, 0.0), (5.0, 4.0, 8.0), "white"), (x, y, PLATE_MM))
            roof = np.array([(-6.0, -5.0), (6.0, -5.0), (6.0, 5.0), (-6.0, 5.0)])
            yield moved(prism(roof, 8.0, 14.0, "dark_red", 0.15), (x, y, PLATE_MM))
    elif ground is Ground.POND:
        yield prism(regular_polygon(9.0, 16), PLATE_MM, PLATE_MM + _STREAM_MM, _WATER)


@lru_cache
def _river(ways: tuple[tuple[float, float], ...]) -> Shape:
    """Return a square with a river from where it comes, through the middle, to where it flows."""
    (east, north), (out_east, out_north) = ways
    half, wide = SQUARE_MM / 2, 3.5
    parts = [*_base(_LAND)]
    for x, y in ((-east * half, -north * half), (out_east * half, out_north * half)):
        low = (min(0.0, x) - wide * (x == 0), min(0.0, y) - wide * (y == 0))
        high = (max(0.0, x) + wide * (x == 0), max(0.0, y) + wide * (y == 0))
        parts.append(box((*low, PLATE_MM), (*high, PLATE_MM + _STREAM_MM), _WATER))
    parts.append(box((-wide, -wide, PLATE_MM), (wide, wide, PLATE_MM + _STREAM_MM), _WATER))
    return Shape(f"river {ways}", merged(parts))
