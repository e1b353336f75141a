"""Physics film: a throw from the release until all is at rest; and a compulsory move as rigid bodies, slowed down.

A throw is seen from the side and from above.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import cycle, islice, product
from math import atan2, degrees
from os import PathLike
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from brickphys.engines.recording import ThrowRecording
from brickphys.errors import InvalidValueError
from brickphys.plots.camera import CameraView, Image
from brickphys.plots.colors import Color, rgb
from brickphys.plots.gif import captioned, save_gif, shrunk
from brickphys.plots.solid import (
    ColouredMesh,
    at_height,
    board,
    joined,
    model,
    prism,
    rectangle,
    thrown,
)
from brickphys.plots.studio import Studio
from brickphys.plots.throws import ahead
from brickphys.shapes.brick import regular_polygon
from brickphys.throws.flight import rotate
from brickphys.throws.release import STUD_HEIGHT_MM, STUD_RADIUS_MM, Floor
from brickphys.units import STUD_MM, Array, Mask
from brickphys.vehicles.crash import FIGURE, block, riders
from brickphys.vehicles.crash_outcome import Crash, aftermath_text, last_moving_frame
from brickphys.vehicles.scene import Bounds, Unit, Vehicle

THROW_FRAME_MS = 40
"""How long a frame is shown."""
_COLOURS = ("red", "blue", "yellow", "green", "white", "orange", "black", "sand_green")
_WIDTH, _LEAST_HEIGHT, _MOST_HEIGHT = 1080, 240, 660
"""Pixels of a view before it is shrunk."""
_FIELD_DEG = 8.0
"""A small field of view: lengths that are alike look alike."""
_SIDE_DEG, _TOP_DEG = 14.0, 89.0
_ROOM_MM = 8.0
"""Space around the bodies."""
_CLOSE_MM = np.array([150.0, 60.0, 90.0])
"""The least that the close-up shows: along the way, across it, and up."""
_THROW_AROUND_MM = 60.0
"""How far the floor goes on around what is thrown."""
_SQUARES = {False: "squares of 5 cm", True: "squares of 4 studs"}
_TILE_MM = 50.0
_TABLE: tuple[Color, Color] = ((0.87, 0.78, 0.64), (0.83, 0.73, 0.58))
_PLATE: tuple[Color, Color] = ((0.35, 0.62, 0.38), (0.33, 0.60, 0.36))
_THICK_MM, _WALL_MM, _WALL_HEIGHT_MM = 6.0, 6.0, 14.0
_STUD_CORNERS = 8


def every_s(slow: float) -> float:
    """Return the time of a throw between two frames of a film that is so many times slower than the throw."""
    return THROW_FRAME_MS / 1000.0 / slow


class ThrowFilm:
    """The frames of a throw until nothing moves: a close-up from the side that goes with it, and all of it from above.

    The time between the states of `recording` gives the speed of the film (see `every_s`).
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
        side = shrunk(self._side.picture(frame), SHRINK)
        top = shrunk(self._top.picture(frame), SHRINK)
        below = self._result if number == len(self) - 1 else "from the side"
        return np.vstack(
            [
                captioned(side, self._title, self._time(number), below),
                captioned(top, "", "", f"from above; {self._squares}"),
            ]
        )

    def _time(self, number: int) -> str:
        slow = THROW_FRAME_MS / 1000.0 / self._every_s
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


def _ground(floor: Floor, points: Array, axes: Array) -> ColouredMesh:
    """Return the part of a floor that is seen: of a plane along the way, else along the floor's own axes."""
    if floor.inside_mm is not None:
        half = floor.inside_mm / 2
        table = board(np.full(2, -half), np.full(2, half), 0.0, _THICK_MM, _TILE_MM, _TABLE, _EDGE)
        return joined([table, *_walls(half)])
    own = points if floor.studs else points @ axes.T
    tile = 4 * STUD_MM if floor.studs else _TILE_MM
    low, high = own.min(axis=0)[:2] - _THROW_AROUND_MM, own.max(axis=0)[:2] + _THROW_AROUND_MM
    low, high = tile * np.floor(low / tile), tile * np.ceil(high / tile)
    if floor.studs:
        plate = board(low, high, -STUD_HEIGHT_MM, _THICK_MM, tile, _PLATE, _PLATE[1])
        return joined([plate, _studs(low, high)])
    table = board(low, high, 0.0, _THICK_MM, tile, _TABLE, _EDGE)
    return ColouredMesh(table.corners_mm @ axes, table.colours)


def _walls(half: float) -> Iterator[ColouredMesh]:
    """Yield the four walls of a tray, low ones, so that one sees over them."""
    far = half + _WALL_MM
    for low, high in (
        ((-far, -far), (far, -half)),
        ((-far, half), (far, far)),
        ((-far, -half), (-half, half)),
        ((half, -half), (far, half)),
    ):
        plan = rectangle(low, high)
        yield prism(np.vstack([at_height(plan, 0.0), at_height(plan, _WALL_HEIGHT_MM)]), _EDGE)


def _studs(low: Array, high: Array) -> ColouredMesh:
    """Return the studs of a plate between two corners of tiles; they end at height 0."""
    outline = regular_polygon(STUD_RADIUS_MM, _STUD_CORNERS)
    ends = at_height(outline, -STUD_HEIGHT_MM), at_height(outline, 0.0)
    stud = prism(np.vstack(ends), _PLATE[0])
    seen = stud.corners_mm[..., 2].max(axis=1) == 0.0  # all faces but the lower one
    columns, rows = np.rint((high - low) / STUD_MM).astype(int)
    places = np.array(list(product(range(columns), range(rows))))
    middles = at_height(low + (places + 0.5) * STUD_MM, 0.0)
    corners = (stud.corners_mm[seen][None] + middles[:, None, None]).reshape(-1, 3, 3)
    return ColouredMesh(corners, np.tile(_PLATE[0], (len(corners), 1)))


CRASH_VIEW = CameraView(
    azimuth_deg=-90.0, elevation_deg=40.0, field_deg=25.0, width=720, height=540, samples=1
)
"""The camera in front of the lower border of the field, as `scene` draws it (see `view_of`)."""
_ASIDE_DEG = 25.0
"""Angle by which the camera is moved to the side that the mover comes from, to see what it hits."""
_LARGE = {"width": 1350, "height": 1000, "samples": 2}
"""Size of the picture of what lies where in the end, before it is made smaller by `SHRINK`."""
_DPI = 100
SHRINK = 1.5
"""Rendered pixels along each edge of a pixel of the picture; two would take twice the time."""
MOST_FRAMES = 40
CRASH_FRAME_MS = 60
"""How long a frame is shown."""
_MOVER: Color = (0.0, 0.33, 0.75)
_VEHICLE: Color = (0.79, 0.1, 0.04)
_DECOR: Color = (0.6, 0.6, 0.58)
_GREENS: tuple[Color, Color] = ((0.55, 0.72, 0.45), (0.51, 0.68, 0.41))
_EDGE: Color = (0.55, 0.42, 0.28)
_BOARD_MM = 12.0
"""How thick the board of the field is."""
_TILE_STUDS, _MAX_TILES = 4.0, 4000
"""Edge of the squares on the ground, and the most of them; beyond, they are larger."""
_AROUND_MM = 12 * STUD_MM
"""How far around what moves things are shown."""


def frames_of(crash: Crash) -> list[int]:
    """Return the numbers of the frames that are shown: up to `MOST_FRAMES`, evenly, until nothing moves any more."""
    last = last_moving_frame(crash)
    count = min(MOST_FRAMES, last + 1)
    return np.unique(np.linspace(0, last, count).round().astype(int)).tolist()  # type: ignore[no-any-return]


def view_of(crash: Crash) -> CameraView:
    """Return a view of a crash that looks over the shoulder of the mover."""
    goes_right = crash.recording.mover.heading[0] >= 0
    aside = -_ASIDE_DEG if goes_right else _ASIDE_DEG
    return replace(CRASH_VIEW, azimuth_deg=CRASH_VIEW.azimuth_deg + aside)


def pictures(
    crash: Crash,
    frames: Sequence[int],
    view: CameraView,
    advance: Callable[[int], None] | None = None,
) -> Iterator[Image]:
    """Yield some frames of a crash with captions, shape (height / `SHRINK`, width / `SHRINK`, 3), 0 to 255."""
    recording = crash.recording
    poses = recording.poses[list(frames)]
    solids, bodies = zip(*_things(crash), strict=True)
    moves = np.abs(poses - poses[0]).max(axis=(0, 2)) > 0
    standing = [solid.placed(poses[0, n]) for n, solid in enumerate(solids) if not moves[n]]
    moving = [solid for solid, is_moving in zip(solids, moves, strict=True) if is_moving]
    points = _action_mm(bodies, poses, moves)
    studio = Studio(view, points, [_field(recording.bounds), *standing], moving)
    title = f"{crash.mover_id} set out at {crash.speed_m_s:.2g} m/s"
    for done, frame in enumerate(frames, start=1):
        is_last = frame == frames[-1] and len(frames) > 1
        time_s = frame * recording.frame_s
        below = aftermath_text(crash) if is_last else _so_far(crash, time_s)
        image = shrunk(studio.picture(poses[done - 1, moves]), SHRINK)
        yield captioned(image, title, f"{time_s:.2f} s", below)
        if advance:
            advance(done)


def save_film(
    crash: Crash, path: str | PathLike[str], advance: Callable[[int, int], None] | None = None
) -> None:
    """Film a crash into a .gif file.

    Raises InvalidValueError if the name of the file does not end in .gif.
    """
    file = Path(path)
    if file.suffix.lower() != ".gif":
        raise InvalidValueError(f"{file}: the name must end in .gif")
    frames = frames_of(crash)
    tell = (lambda done: advance(done, len(frames))) if advance else None
    save_gif(list(pictures(crash, frames, view_of(crash), tell)), file, CRASH_FRAME_MS)


def aftermath(crash: Crash) -> Image:
    """Return a large picture of a crash when all is at rest, shape (rows, columns, 3)."""
    *_, last = pictures(crash, [0, frames_of(crash)[-1]], replace(view_of(crash), **_LARGE))
    return last


def aftermath_figure(crash: Crash) -> Figure:
    """Return `aftermath` as a figure."""
    image = aftermath(crash)
    rows, columns, _ = image.shape
    figure = Figure(figsize=(columns / _DPI, rows / _DPI), dpi=_DPI)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.imshow(image)
    ax.set_axis_off()
    return figure


def _things(crash: Crash) -> list[tuple[ColouredMesh, Array]]:
    """Return the surfaces of the things and of the riders, each with the corners of its body, shape (n, 3)."""
    found = []
    for thing in crash.recording.things:
        corners = block(thing).corners_mm
        name = thing.model or (FIGURE if isinstance(thing, Unit) else None)
        is_mover, is_vehicle = thing.id == crash.mover_id, isinstance(thing, Vehicle)
        colour = _MOVER if is_mover else _VEHICLE if is_vehicle else _DECOR
        found.append((model(name) if name else prism(corners, colour), corners))
    for thing in crash.recording.things:
        found += [(model(name), body.corners_mm) for name, body in riders(thing)]
    return found


def _action_mm(bodies: Sequence[Array], poses: Array, moves: Mask) -> Array:
    """Return the points, shape (m, 3), that a film must show.

    They are the corners of moving things at four times, and the corners of things at rest within 12 studs of these.
    """
    samples = poses[[0, len(poses) // 4, len(poses) // 2, -1]]
    corners = [rotate(samples[:, n, None, 3:], body) for n, body in enumerate(bodies)]
    corners = [
        (turned + samples[:, n, None, :3]).reshape(-1, 3) for n, turned in enumerate(corners)
    ]
    moving = [one for one, is_moving in zip(corners, moves, strict=True) if is_moving]
    if not moving:
        return np.vstack(corners)
    low = np.min([one.min(axis=0) for one in moving], axis=0) - _AROUND_MM
    high = np.max([one.max(axis=0) for one in moving], axis=0) + _AROUND_MM
    seen = [one[((one >= low) & (one <= high)).all(axis=1)] for one in corners]
    points: Array = np.vstack(seen)
    return points


def _field(bounds: Bounds) -> ColouredMesh:
    """Return the field, in squares of two greens, and the edge of its board; nothing is around or below it."""
    size = np.array([bounds.width_studs, bounds.height_studs]) * STUD_MM
    tile = _TILE_STUDS * STUD_MM
    while size.prod() / tile**2 > _MAX_TILES:
        tile *= 2
    return board(np.zeros(2), size, 0.0, _BOARD_MM, tile, _GREENS, _EDGE)


def _so_far(crash: Crash, time_s: float) -> str:
    """Return the last impact before a time as a sentence; empty if there was none."""
    past = [impact for impact in crash.impacts if impact.time_s <= time_s]
    if not past:
        return ""
    last = past[-1]
    return f"{last.first} hits {last.second} at {max(last.closing_speed_m_s, 0.0):.2f} m/s"
