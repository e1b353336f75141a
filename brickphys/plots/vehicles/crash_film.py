"""Crash film: a compulsory move with bodies, slowed down, with captions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from matplotlib.font_manager import findfont
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont
from PIL.Image import Image as Picture

from brickphys.engines.film import Colour, Prop, film
from brickphys.engines.view import CameraView, Image
from brickphys.plots.glyphs import drawable
from brickphys.units import STUD_MM
from brickphys.vehicles.physics.crash import block, riders
from brickphys.vehicles.physics.masses import FIGURE
from brickphys.vehicles.physics.outcome import Crash
from brickphys.vehicles.scene import Scene, Thing, ThingType, Unit, Vehicle

VIEW = CameraView(
    azimuth_deg=-90.0, elevation_deg=40.0, field_deg=25.0, width=720, height=540, samples=1
)
"""The camera in front of the lower border of the field, as `scene` draws it (see `view_of`)."""
_ASIDE_DEG = 25.0
"""Angle by which the camera is moved to the side that the mover comes from, to see what it hits."""
SHRINK = 1.5
"""Rendered pixels along each edge of a pixel of the picture; two would take twice the time."""
MOST_FRAMES = 40
FRAME_MS = 60
"""How long a frame is shown."""
_STILL_MM = 0.5
"""A film ends once nothing is farther than this from its last place."""
_MOVER: Colour = (0.0, 0.33, 0.75)
_VEHICLE: Colour = (0.79, 0.1, 0.04)
_DECOR: Colour = (0.6, 0.6, 0.58)


def frames_of(crash: Crash) -> list[int]:
    """Return the numbers of the frames that are shown: up to `MOST_FRAMES`, evenly, until nothing moves any more."""
    poses = crash.recording.poses
    away = np.abs(poses[..., :3] - poses[-1, :, :3]).max(axis=(1, 2))
    turned = np.abs(poses[..., 3:] - poses[-1, :, 3:]).max(axis=(1, 2)) * STUD_MM
    moving = np.flatnonzero(np.maximum(away, turned) > _STILL_MM)
    last = min(len(poses) - 1, int(moving[-1]) + 1) if len(moving) else 0
    count = min(MOST_FRAMES, last + 1)
    return np.unique(np.linspace(0, last, count).round().astype(int)).tolist()  # type: ignore[no-any-return]


def view_of(scene: Scene, view: CameraView = VIEW) -> CameraView:
    """Return a view of a scene that looks over the shoulder of the mover."""
    goes_right = scene.mover.heading[0] >= 0
    aside = -_ASIDE_DEG if goes_right else _ASIDE_DEG
    return replace(view, azimuth_deg=view.azimuth_deg + aside)


def pictures(
    crash: Crash,
    scene: Scene,
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
    field = scene.bounds
    size_mm = (field.width_studs * STUD_MM, field.height_studs * STUD_MM)
    props = [_prop(thing, thing.id == crash.mover_id) for thing in recording.things]
    props += [rider for thing in recording.things for rider in _riders(thing)]
    taken = film(props, recording.poses[list(frames)], size_mm, view, advance)
    for frame, image in zip(frames, taken, strict=True):
        is_last = frame == frames[-1] and len(frames) > 1
        time_s = frame * recording.frame_s
        below = aftermath_text(crash) if is_last else _so_far(crash, time_s)
        title = f"{crash.mover_id} set out at {crash.speed_m_s:.2g} m/s"
        yield _captioned(image, title, f"{time_s:.2f} s", below)


def aftermath_text(crash: Crash) -> str:
    """Return in a line what fell off the table, was thrown off or knocked over, and which hit figures still stand."""
    gone = [one.id for one in (*crash.outcomes, *crash.riders) if one.fell_off]
    thrown = [one.id for one in crash.riders if one.thrown_off and not one.fell_off]
    hit = [outcome for outcome in crash.outcomes if outcome.was_hit and not outcome.fell_off]
    fallen = [outcome.id for outcome in hit if outcome.knocked_over]
    standing = [o.id for o in hit if o.type is ThingType.UNIT and not o.knocked_over]
    notes = [f"off the table: {', '.join(gone)}"] * bool(gone)
    notes += [f"thrown off: {', '.join(thrown)}"] * bool(thrown)
    notes += [f"knocked over: {', '.join(fallen)}"] * bool(fallen)
    notes += [f"still upright: {', '.join(standing)}"] * bool(standing)
    return "; ".join(notes)


def _prop(thing: Thing, is_mover: bool) -> Prop:
    model = thing.model or (FIGURE if isinstance(thing, Unit) else None)
    colour = _MOVER if is_mover else _VEHICLE if isinstance(thing, Vehicle) else _DECOR
    return Prop(model, block(thing).corners_mm, colour)


def _riders(thing: Thing) -> list[Prop]:
    return [Prop(name, body.corners_mm) for name, body in riders(thing)]


def _so_far(crash: Crash, time_s: float) -> str:
    """Return the last impact before a time as a sentence; empty if there was none."""
    past = [impact for impact in crash.impacts if impact.time_s <= time_s]
    if not past:
        return ""
    last = past[-1]
    return f"{last.first} hits {last.second} at {max(last.closing_speed_m_s, 0.0):.2f} m/s"


def _captioned(image: Image, title: str, corner: str, below: str) -> Image:
    height, width = (round(pixels / SHRINK) for pixels in image.shape[:2])
    picture = Pillow.fromarray(image).resize((width, height), Pillow.Resampling.LANCZOS)
    _write(picture, (8, 4), title, "la")
    _write(picture, (width - 8, 4), corner, "ra")
    if below:
        _write(picture, (8, height - 4), below, "ld")
    return np.asarray(picture)


def _write(picture: Picture, at: tuple[int, int], text: str, anchor: str) -> None:
    """Write a line on a bar, smaller where it would be too long."""
    text, draw = drawable(text), ImageDraw.Draw(picture, "RGBA")
    size = picture.height // 24
    font = ImageFont.truetype(findfont("DejaVu Sans"), size)
    room = (picture.width - 16) / max(draw.textlength(text, font=font), 1.0)
    if room < 1:
        font = ImageFont.truetype(findfont("DejaVu Sans"), max(8, int(size * room)))
    left, top, right, bottom = draw.textbbox(at, text, font=font, anchor=anchor)
    draw.rectangle((left - 4, top - 3, right + 4, bottom + 3), fill=(255, 255, 255, 215))
    draw.text(at, text, font=font, anchor=anchor, fill=(20, 20, 20))
