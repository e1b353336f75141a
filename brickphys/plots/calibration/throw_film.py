"""Throw film: bricks from the release until they are at rest, from the side and from above."""

from collections.abc import Iterator
from itertools import cycle, islice, product
from math import atan2, degrees

import numpy as np

from brickphys.arrays import Array
from brickphys.engines.recording import ThrowRecording
from brickphys.engines.view import CameraView, Image
from brickphys.plots.calibration.throws import ahead
from brickphys.plots.colors import Color, rgb
from brickphys.plots.render.captions import captioned, shrunk
from brickphys.plots.render.solid import Solid, board, joined, prism, thrown
from brickphys.plots.render.studio import Studio
from brickphys.shapes.brick import regular_polygon
from brickphys.throws.floors import STUD_HEIGHT_MM, STUD_RADIUS_MM, Floor
from brickphys.units import STUD_MM

FRAME_MS = 40
"""How long a frame is shown."""
_COLOURS = ("red", "blue", "yellow", "green", "white", "orange", "black", "sand_green")
_WIDTH, _LEAST_HEIGHT, _MOST_HEIGHT = 1080, 240, 660
"""Pixels of a view before it is shrunk."""
_SHRINK = 1.5
"""Rendered pixels along each edge of a pixel of the film."""
_FIELD_DEG = 8.0
"""A small field of view: lengths that are alike look alike."""
_SIDE_DEG, _TOP_DEG = 14.0, 89.0
_ROOM_MM = 8.0
"""Space around the bodies."""
_CLOSE_MM = np.array([150.0, 60.0, 90.0])
"""The least that the close-up shows: along the way, across it, and up."""
_AROUND_MM = 60.0
"""How far the floor goes on around what is thrown."""
_SQUARES = {False: "squares of 5 cm", True: "squares of 4 studs"}
_TILE_MM = 50.0
_TABLE: tuple[Color, Color] = ((0.87, 0.78, 0.64), (0.83, 0.73, 0.58))
_PLATE: tuple[Color, Color] = ((0.35, 0.62, 0.38), (0.33, 0.60, 0.36))
_EDGE: Color = (0.55, 0.42, 0.28)
_THICK_MM, _WALL_MM, _WALL_HEIGHT_MM = 6.0, 6.0, 14.0
_STUD_CORNERS = 8


def every_s(slow: float) -> float:
    """Return the time of a throw between two frames of a film that is so many times slower than the throw."""
    return FRAME_MS / 1000.0 / slow


class ThrowFilm:
    """The frames of a throw until nothing moves: a close-up from the side that goes with it, and all of it from above.

    Parameters
    ----------
    recording
        The throw; the time between its states gives the speed of the film (see `every_s`).
    floor
        What it falls on.
    title
        What is thrown and how.
    """

    def __init__(self, recording: ThrowRecording, floor: Floor, title: str) -> None:
        self._every_s, self._title = recording.every_s, title
        self._squares, self._result = _SQUARES[floor.studs], recording.result
        self.poses = recording.moving
        """Places and quaternions in the frames, shape (frames, k, 7)."""
        way = ahead(recording.states)
        axes = np.array([way, (-way[1], way[0], 0.0), (0.0, 0.0, 1.0)])
        reach = recording.body.radius_mm + _ROOM_MM
        self._low, self._high = _boxes(self.poses[..., :3] @ axes.T, reach)
        whole = _corners(self._low.min(axis=0), self._high.max(axis=0)) @ axes
        self._close = _close_ups(self._low, self._high) @ axes
        bricks = [
            thrown(recording.body, rgb(colour))
            for colour in islice(cycle(_COLOURS), self.poses.shape[1])
        ]
        ground = [_ground(floor, whole, axes)]
        light = np.array([-0.5, -0.9, 1.4]) @ axes
        azimuth = degrees(atan2(way[1], way[0])) - 90.0
        views = (
            _view(azimuth, _SIDE_DEG, *np.ptp(self._close[0] @ axes.T, axis=0)[[0, 2]]),
            _view(azimuth, _TOP_DEG, *np.ptp(whole @ axes.T, axis=0)[:2]),
        )
        self._side, self._top = (Studio(view, whole, ground, bricks, light) for view in views)

    def __len__(self) -> int:
        return len(self.poses)

    def __getitem__(self, number: int, /) -> Image:
        """Return a frame, shape (height, width, 3): red, green and blue, 0 to 255; the last one tells the result."""
        number %= len(self)
        frame = self.poses[number]
        self._side.look_at(self._close[number])
        side = shrunk(self._side.picture(frame), _SHRINK)
        top = shrunk(self._top.picture(frame), _SHRINK)
        below = self._result if number == len(self) - 1 else "from the side"
        return np.vstack(
            [
                captioned(side, self._title, self._time(number), below),
                captioned(top, "", "", f"from above; {self._squares}"),
            ]
        )

    def _time(self, number: int) -> str:
        slow = FRAME_MS / 1000.0 / self._every_s
        speed = "" if abs(slow - 1.0) < 1e-9 else f", {slow:g} times slower"
        return f"{number * self._every_s:.2f} s{speed}"


def _boxes(places: Array, reach: float) -> tuple[Array, Array]:
    """Return the least and the largest coordinates of the bodies in each frame, shape (frames, 3) each."""
    low, high = places.min(axis=1) - reach, places.max(axis=1) + reach
    low[:, 2] = np.maximum(low[:, 2], -_ROOM_MM)
    return low, high


def _corners(low: Array, high: Array) -> Array:
    """Return the corners of a box, shape (8, 3), or of several, shape (n, 8, 3)."""
    ends = np.stack([low, high])
    corners = [
        [ends[end][..., axis] for axis, end in enumerate(way)] for way in product((0, 1), repeat=3)
    ]
    return np.moveaxis(np.array(corners), -1, 0) if low.ndim > 1 else np.array(corners)


def _close_ups(low: Array, high: Array) -> Array:
    """Return the corners of what a camera shows that goes with the bodies, shape (frames, 8, 3): boxes of one size."""
    size = np.maximum((high - low).max(axis=0), _CLOSE_MM)
    middle = (low + high) / 2
    middle[:, 2] = np.maximum(middle[:, 2], size[2] / 2 - _ROOM_MM)  # not far below the floor
    return _corners(middle - size / 2, middle + size / 2)


def _view(azimuth: float, elevation: float, length: float, height: float) -> CameraView:
    """Return a camera whose picture is as high as something of a length and a height needs."""
    rows = int(np.clip(_WIDTH * height / length, _LEAST_HEIGHT, _MOST_HEIGHT))
    return CameraView(azimuth, elevation, _FIELD_DEG, _WIDTH, rows - rows % 3, samples=1)


def _ground(floor: Floor, points: Array, axes: Array) -> Solid:
    """Return the part of a floor that is seen: of a plane along the way, else along the floor's own axes."""
    if floor.inside_mm is not None:
        half = floor.inside_mm / 2
        table = board(np.full(2, -half), np.full(2, half), 0.0, _THICK_MM, _TILE_MM, _TABLE, _EDGE)
        return joined([table, *_walls(half)])
    own = points if floor.studs else points @ axes.T
    tile = 4 * STUD_MM if floor.studs else _TILE_MM
    low, high = own.min(axis=0)[:2] - _AROUND_MM, own.max(axis=0)[:2] + _AROUND_MM
    low, high = tile * np.floor(low / tile), tile * np.ceil(high / tile)
    if floor.studs:
        plate = board(low, high, -STUD_HEIGHT_MM, _THICK_MM, tile, _PLATE, _PLATE[1])
        return joined([plate, _studs(low, high)])
    table = board(low, high, 0.0, _THICK_MM, tile, _TABLE, _EDGE)
    return Solid(table.corners_mm @ axes, table.colours)


def _walls(half: float) -> Iterator[Solid]:
    """Yield the four walls of a tray, low ones, so that one sees over them."""
    far = half + _WALL_MM
    for low, high in (
        ((-far, -far), (far, -half)),
        ((-far, half), (far, far)),
        ((-far, -half), (-half, half)),
        ((half, -half), (far, half)),
    ):
        plan = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
        below, above = (np.column_stack([plan, np.full(4, z)]) for z in (0.0, _WALL_HEIGHT_MM))
        yield prism(np.vstack([below, above]), _EDGE)


def _studs(low: Array, high: Array) -> Solid:
    """Return the studs of a plate between two corners of tiles; they end at height 0."""
    outline = regular_polygon(STUD_RADIUS_MM, _STUD_CORNERS)
    below, above = (
        np.column_stack([outline, np.full(len(outline), z)]) for z in (-STUD_HEIGHT_MM, 0.0)
    )
    stud = prism(np.vstack([below, above]), _PLATE[0])
    seen = stud.corners_mm[..., 2].max(axis=1) == 0.0  # all faces but the lower one
    columns, rows = np.rint((high - low) / STUD_MM).astype(int)
    places = np.array(list(product(range(columns), range(rows))))
    middles = np.column_stack([low + (places + 0.5) * STUD_MM, np.zeros(len(places))])
    corners = (stud.corners_mm[seen][None] + middles[:, None, None]).reshape(-1, 3, 3)
    return Solid(corners, np.tile(_PLATE[0], (len(corners), 1)))
