"""Crash film: a compulsory move with bodies, slowed down, with captions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from brickphys.arrays import Array, Mask
from brickphys.engines.view import CameraView, Image
from brickphys.errors import InvalidValueError
from brickphys.plots.colors import Color
from brickphys.plots.gif import save_gif
from brickphys.plots.render.captions import captioned, shrunk
from brickphys.plots.render.solid import Solid, board, model, prism
from brickphys.plots.render.studio import Studio
from brickphys.throws.rotations import rotate
from brickphys.units import STUD_MM
from brickphys.vehicles.physics.aftermath import aftermath_text, last_moving_frame
from brickphys.vehicles.physics.blocks import block, riders
from brickphys.vehicles.physics.masses import FIGURE
from brickphys.vehicles.physics.outcome import Crash
from brickphys.vehicles.scene import Bounds, Unit, Vehicle

VIEW = CameraView(
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
FRAME_MS = 60
"""How long a frame is shown."""
_STILL_MM = 0.5
"""A film ends once nothing is farther than this from its last place."""
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


def view_of(crash: Crash, view: CameraView = VIEW) -> CameraView:
    """Return a view of a crash that looks over the shoulder of the mover."""
    goes_right = crash.recording.mover.heading[0] >= 0
    aside = -_ASIDE_DEG if goes_right else _ASIDE_DEG
    return replace(view, azimuth_deg=view.azimuth_deg + aside)


def pictures(
    crash: Crash,
    frames: Sequence[int],
    view: CameraView,
    advance: Callable[[int], None] | None = None,
) -> Iterator[Image]:
    """Yield some frames of a crash with captions.

    Parameters
    ----------
    frames
        Numbers of the recording's frames.
    view
        The camera (see `view_of`).
    advance
        Is called with the number of pictures that are done.

    Yields
    ------
    ndarray, shape (height / `SHRINK`, width / `SHRINK`, 3)
        Red, green and blue, 0 to 255.
    """
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

    Parameters
    ----------
    advance
        Is called with the numbers of pictures that are done and of all pictures.

    Raises
    ------
    InvalidValueError
        If the name of the file does not end in .gif.
    """
    file = Path(path)
    if file.suffix.lower() != ".gif":
        raise InvalidValueError(f"{file}: the name must end in .gif")
    frames = frames_of(crash)
    tell = (lambda done: advance(done, len(frames))) if advance else None
    save_gif(list(pictures(crash, frames, view_of(crash), tell)), file, FRAME_MS)


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


def _things(crash: Crash) -> list[tuple[Solid, Array]]:
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


def _field(bounds: Bounds) -> Solid:
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
