"""Campaign map: the known land of a campaign, square by square, and the party on it."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Ellipse, Patch, PathPatch, Polygon
from matplotlib.path import Path

from brickphys.geometry.polygon import Point
from brickphys.minifig.campaign.chart import GRID, Direction, Ground, River, Square
from brickphys.minifig.campaign.tables import Bend
from brickphys.minifig.campaign.ways import Scene
from brickphys.plots.marks import Mark
from brickphys.plots.painter import Painter
from brickphys.plots.pieces import Figure, Pieces, draw_way, pieces_of

_UNKNOWN = (0.93, 0.89, 0.80)
_WATER = (0.36, 0.60, 0.80)
_LAND = (0.70, 0.80, 0.52)
_COLORS = {
    Ground.OPEN: _LAND,
    Ground.WOODS: (0.33, 0.52, 0.30),
    Ground.VILLAGE: (0.84, 0.74, 0.52),
    Ground.POND: _LAND,
    Ground.SHORE: (0.86, 0.85, 0.66),
    Ground.LAKE: _WATER,
    Ground.RIVER: _LAND,
}
_LEGEND = {
    "open land": _LAND,
    "woods": _COLORS[Ground.WOODS],
    "village": _COLORS[Ground.VILLAGE],
    "shore": _COLORS[Ground.SHORE],
    "water": _WATER,
}
_FEW_SQUARES = 4 * GRID
"""Along a side with a tick at every third square; a longer one has a tick in each grid."""
_TREES = ((0.25, 0.3), (0.65, 0.25), (0.45, 0.6), (0.8, 0.7), (0.2, 0.75))
_HOUSES = ((0.2, 0.25), (0.55, 0.5))
_RIVER_ASIDE = 0.28
"""How far a river runs beside the middle of a square."""
_STEPS = {side: np.subtract(side.from_place((0, 0)), (0, 0)).astype(float) for side in Direction}


class CampaignPainter(Painter[Scene]):
    """Draws what the party knows; what nobody knows is blank. Heavy lines part the grids of 9 x 9 squares."""

    unit = "squares"

    def size(self, state: Scene) -> tuple[float, float]:
        """Return the columns and rows of the grids."""
        return state.size

    def players(self, state: Scene) -> Sequence[str]:
        """Return the name of the only player."""
        return state.state.setting.players

    def colours(self, state: Scene) -> Sequence[str]:
        """Return the colour of the only player."""
        return state.state.setting.colours

    def legend(self, state: Scene) -> Sequence[Patch]:
        """Return a colour for each kind of ground, and the lines between grids if there are any."""
        entries = [
            Patch(facecolor=color, edgecolor="black", lw=0.6, label=name)
            for name, color in _LEGEND.items()
        ]
        edges = Patch(facecolor="black", alpha=0.5, label="line: edge of a grid")
        return [*entries, *[edges] * (max(state.size) > GRID)]

    def draw_ground(self, state: Scene, ax: Axes) -> None:
        """Draw blank land, and the lines between grids above all squares."""
        ax.set_facecolor(_UNKNOWN)
        for ticks, lines, low, count in (
            (ax.set_xticks, ax.axvline, state.low[0], state.size[0]),
            (ax.set_yticks, ax.axhline, state.low[1], state.size[1]),
        ):
            apart = 3 if count <= _FEW_SQUARES else GRID
            middles = range(GRID // 2 % apart, count, apart)
            ticks([middle + 0.5 for middle in middles], [str(low + middle) for middle in middles])
            for edge in range(GRID, count, GRID):
                lines(edge, color="black", lw=1.2, alpha=0.5, zorder=4.5)

    def pieces(self, state: Scene) -> Pieces:
        """Return the known squares, so that a film draws only new ones, and the party, which looks where it goes."""
        party, names = state.state, self.players(state)
        east, north = _STEPS[party.heading or Direction.NORTH]
        facing = float(np.degrees(np.arctan2(north, east)))
        (color,) = self.colours(state)
        squares = (
            Mark(_draw_square, (state.point(place), square))
            for place, square in party.chart.squares.items()
        )
        figure = Figure(*state.point(party.place), facing, color, names[0], 0.6)
        return Pieces(tuple(squares)) + pieces_of([figure])


def _draw_square(middle: Point, square: Square, ax: Axes) -> None:
    """Draw the ground of a square, with trees, houses, water or a river."""
    x, y = (one - 0.5 for one in middle)
    color = _COLORS[square.ground]
    corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
    ax.add_artist(Polygon(corners, fc=color, ec=(0, 0, 0, 0.15), lw=0.5, zorder=4))
    if square.ground is Ground.WOODS:
        trees = (Path.circle((x + east, y + north), 0.12) for east, north in _TREES)
        wood = Path.make_compound_path(*trees)
        ax.add_artist(PathPatch(wood, fc=(0.16, 0.36, 0.18), lw=0, zorder=4.2))
    elif square.ground is Ground.VILLAGE:
        for east, north in _HOUSES:
            wall = ((0, 0), (0.28, 0), (0.28, 0.16), (0.14, 0.32), (0, 0.16))
            outline = [(x + east + a, y + north + b) for a, b in wall]
            ax.add_artist(Polygon(outline, fc=(0.62, 0.24, 0.18), ec="black", lw=0.5, zorder=4.2))
    elif square.ground is Ground.POND:
        ax.add_artist(Ellipse((x + 0.5, y + 0.45), 0.55, 0.35, fc=_WATER, lw=0, zorder=4.2))
    if square.river is not None:
        _draw_river(square.river, middle, ax)


def _draw_river(river: River, middle: Point, ax: Axes) -> None:
    """Draw a river beside the middle of a square, from where the party came in to where it flows out."""
    aside = _RIVER_ASIDE * _STEPS[river.along.turned(river.side)]
    if river.bend is Bend.STRAIGHT:
        points = [aside - 0.5 * _STEPS[river.along], aside + 0.5 * _STEPS[river.along]]
    else:
        out = _RIVER_ASIDE * _STEPS[river.flow.turned(river.side)]
        corner = aside + out
        points = [aside - 0.5 * _STEPS[river.along], corner, out + 0.5 * _STEPS[river.flow]]
    course = np.array(points) + middle
    draw_way(course, ax, color=_WATER, lw=4, solid_capstyle="round", zorder=4.3)
