"""Solids: prisms, boards, studs, grids and trees; and the colours of players and poses.

These colours differ in lightness, too, for people who see few colours, and for a grey print.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product

import numpy as np

from brickphys.rules.scene import Piece, Scene
from brickphys.shapes.brick import regular_polygon
from brickphys.shapes.mesh import Mesh
from brickphys.throws.release import STUD_HEIGHT_MM, STUD_RADIUS_MM
from brickphys.units import BRICK_MM, STUD_MM, Array, Mask
from brickphys.view.recording import SceneShape, SceneSurface

_SHOWN = {
    "red": "#d8382a",
    "blue": "#0a3f86",
    "yellow": "#fac80a",
    "orange": "#fb8b2b",
    "white": "#f2f3f2",
    "black": "#1b1b1b",
}
"""The palette's red and blue are equally dark; these are not."""
POSES = ("#f5a623", "#0a4f8f", "#efebe2", "#4d7a52", "#1b1b1b", "#b08a5a")
"""Of bodies in their poses, in the order of the poses, those that score first."""


def shown_players(colours: Sequence[str]) -> tuple[str, ...]:
    """Return the colour of each player as it is shown, ``#rrggbb``; see `brickphys.rules.record.player_colours`."""
    return tuple(map(_SHOWN.__getitem__, colours))


def shown_colour(scene: Scene, piece: Piece) -> str:
    """Return the colour of the player of a piece as it is shown, ``#rrggbb``; empty for nobody's."""
    colour = scene.colour(piece)
    return "" if colour is None else _SHOWN[colour]


STUD_CORNERS = 8
"""Of the studs of grounds, of which there are thousands; those of models have more."""


def of_mesh(colour: str, mesh: Mesh) -> SceneSurface:
    """Return a mesh in one colour."""
    return SceneSurface(colour, mesh.vertices_mm, mesh.triangles)


def merged(surfaces: Iterable[SceneSurface]) -> tuple[SceneSurface, ...]:
    """Return surfaces with those of one colour and kind as one."""
    groups: dict[tuple[str, int], list[SceneSurface]] = {}
    for surface in surfaces:
        groups.setdefault((surface.colour, surface.corners.shape[1]), []).append(surface)
    return tuple(_joined(colour, group) for (colour, _), group in groups.items())


def _joined(colour: str, surfaces: Sequence[SceneSurface]) -> SceneSurface:
    starts = np.cumsum([0, *(len(one.points_mm) for one in surfaces[:-1])])
    corners = [one.corners + start for one, start in zip(surfaces, starts, strict=True)]
    points = np.concatenate([one.points_mm for one in surfaces])
    return SceneSurface(colour, points, np.concatenate(corners))


def moved(surface: SceneSurface, by_mm: Sequence[float]) -> SceneSurface:
    """Return a surface elsewhere."""
    return SceneSurface(surface.colour, surface.points_mm + np.asarray(by_mm), surface.corners)


def walls(
    outline_mm: Array, low_mm: float, high_mm: float, colour: str, scale: float = 1.0
) -> SceneSurface:
    """Return the sides of an upright prism over a counter-clockwise outline, shape (n, 2).

    Its upper end is `scale` times as large, about the middle of the outline.
    """
    count, middle = len(outline_mm), outline_mm.mean(axis=0)
    above = middle + scale * (outline_mm - middle)
    points = np.concatenate([_at(outline_mm, low_mm), _at(above, high_mm)])
    i = np.arange(count)
    k = (i + 1) % count
    sides = [np.stack([i, k, k + count], axis=1), np.stack([i, k + count, i + count], axis=1)]
    return SceneSurface(colour, points, np.concatenate(sides))


def prism(
    outline_mm: Array, low_mm: float, high_mm: float, colour: str, scale: float = 1.0
) -> SceneSurface:
    """Return an upright prism over a convex counter-clockwise outline; see `walls`."""
    sides, count = walls(outline_mm, low_mm, high_mm, colour, scale), len(outline_mm)
    fan = np.array([(0, second, third) for second, third in pairwise(range(1, count))])
    ends = [fan[:, ::-1], fan + count]
    return SceneSurface(colour, sides.points_mm, np.concatenate([sides.corners, *ends]))


def box(low_mm: Sequence[float], high_mm: Sequence[float], colour: str) -> SceneSurface:
    """Return a box between two corners."""
    (x, y, z), (right, far, top) = low_mm, high_mm
    return prism(np.array([(x, y), (right, y), (right, far), (x, far)]), z, top, colour)


def disc(
    radius_mm: float, low_mm: float, high_mm: float, colour: str, corners: int = 24
) -> SceneSurface:
    """Return an upright round plate about the origin."""
    return prism(regular_polygon(radius_mm, corners), low_mm, high_mm, colour)


def sheet(outline_mm: Array, at_mm: float, colour: str) -> SceneSurface:
    """Return a flat convex face that is seen from above."""
    fan = [(0, second, third) for second, third in pairwise(range(1, len(outline_mm)))]
    return SceneSurface(colour, _at(outline_mm, at_mm), np.array(fan))


def lines(ends_mm: Array, colour: str) -> SceneSurface:
    """Return lines, given their ends, shape (n, 2, 3)."""
    return SceneSurface(colour, ends_mm.reshape(-1, 3), np.arange(2 * len(ends_mm)).reshape(-1, 2))


def grid(
    low_mm: Sequence[float], high_mm: Sequence[float], cell_mm: float, at_mm: float, colour: str
) -> SceneSurface:
    """Return the lines of a grid between two corners, counted from the first."""
    (x, y), (right, far) = low_mm, high_mm
    columns, rows = np.arange(x, right + 1e-6, cell_mm), np.arange(y, far + 1e-6, cell_mm)
    across = [[(a, y, at_mm), (a, far, at_mm)] for a in columns.tolist()]
    along = [[(x, b, at_mm), (right, b, at_mm)] for b in rows.tolist()]
    return lines(np.array([*across, *along]), colour)


def board(
    low_mm: Sequence[float], high_mm: Sequence[float], colour: str, edge: str, thick_mm: float
) -> tuple[SceneSurface, ...]:
    """Return a board whose top is at height 0: its sides, and its top."""
    (x, y), (right, far) = low_mm, high_mm
    outline = np.array([(x, y), (right, y), (right, far), (x, far)])
    return walls(outline, -thick_mm, 0.0, edge), sheet(outline, 0.0, colour)


def stud(colour: str) -> SceneShape:
    """Return a stud that stands on height 0; it has no lower face."""
    rim = regular_polygon(STUD_RADIUS_MM, STUD_CORNERS)
    sides, top = walls(rim, 0.0, STUD_HEIGHT_MM, colour), sheet(rim, STUD_HEIGHT_MM, colour)
    return SceneShape(f"stud {colour}", merged([sides, top]))


def courses(outline_mm: Array, low_mm: float, high_mm: float, colour: str) -> SceneSurface | None:
    """Return the joints between the courses of bricks in the walls of a prism, four studs long, in running bond."""
    ends = list[list[tuple[float, float, float]]]()
    heights = np.arange(low_mm, high_mm - 1e-6, BRICK_MM)
    for first, second in zip(outline_mm, np.roll(outline_mm, -1, axis=0), strict=True):
        length = float(np.hypot(*(second - first)))
        way = (second - first) / length
        for number, z in enumerate(heights.tolist()):
            if number:
                ends.append([(*first.tolist(), z), (*second.tolist(), z)])
            top = min(z + BRICK_MM, high_mm)
            joint = (4 if number % 2 else 2) * STUD_MM
            for at in np.arange(joint, length - 1e-6, 4 * STUD_MM).tolist():
                x, y = (first + at * way).tolist()
                ends.append([(x, y, z), (x, y, top)])
    return lines(np.array(ends), colour) if ends else None


def _at(points: Array, height: float) -> Array:
    return np.column_stack([points, np.full(len(points), height)])


def base(radius_mm: float, height_mm: float, colour: str) -> SceneShape:
    """Return a round base of a figure."""
    return SceneShape(f"base {radius_mm:g} {colour}", (disc(radius_mm, 0.0, height_mm, colour),))


def rectangles(cells: Mask) -> Iterator[tuple[int, int, int, int]]:
    """Yield rectangles that cover all True cells and no other: first column and row, and those after the last."""
    left = cells.copy()
    for y, x in product(range(left.shape[0]), range(left.shape[1])):
        if not left[y, x]:
            continue
        right = x
        while right < left.shape[1] and left[y, right]:
            right += 1
        far = y
        while far < left.shape[0] and left[far, x:right].all():
            far += 1
        left[y:far, x:right] = False
        yield x, y, right, far


def hex_of_rgb(color: Sequence[float]) -> str:
    """Return red, green and blue, 0 to 1, as ``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*(round(255 * level) for level in color))


_LEAVES = ((0.3, 1.15), (0.5, 0.95), (0.68, 0.7), (0.84, 0.45))
"""Rings of branches: where each begins, over the height of the tree, and its size over that of the outline."""


def tree(outline_mm: Array, low_mm: float, high_mm: float) -> Iterator[SceneSurface]:
    """Yield a tree that fills an outline, shape (n, 2), from one height to another."""
    middle, height = outline_mm.mean(axis=0), high_mm - low_mm
    half = max(float(np.ptp(outline_mm, axis=0).mean()) / 2, 0.6 * STUD_MM)
    yield prism(middle + 0.45 * (outline_mm - middle), low_mm, low_mm + 0.45 * height, "brown")
    ends = [*(share for share, _ in _LEAVES[1:]), 1.0]
    for (share, size), end in zip(_LEAVES, ends, strict=True):
        ring = middle + size * half * regular_polygon(1.0, 12)
        yield prism(ring, low_mm + share * height, low_mm + end * height, "green", 0.72)
