"""Crash: a compulsory move as rigid bodies, on the trajectories that the engine recorded."""

from collections.abc import Iterator

import numpy as np

from brickphys.text import spoken
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.vehicles.physics.aftermath import aftermath_text, last_moving_frame
from brickphys.vehicles.physics.outcome import Crash, Impact
from brickphys.vehicles.scene import Scene
from brickphys.view.field import bodies, ground, ruler, views
from brickphys.view.recording import Event, Mark, SceneRecording, Sign, Thing, Track

SPEED = 0.25
_AFTER_MS = 400
_STAR_MS = 300
"""Time for which the star of an impact is shown."""


def crash_recording(scene: Scene, crash: Crash) -> SceneRecording:
    """Return the crash of a scene as a recording, until nothing moves any more."""
    recording = crash.recording
    frames = last_moving_frame(crash) + 1
    times = round(1000 * recording.frame_s) * np.arange(frames)
    poses = recording.poses[:frames]
    end_ms = int(times[-1])
    things = [
        Thing(
            body.id, body.shape, Track(times, poses[:, number]), label=spoken(body.id), tag=body.tag
        )
        for number, body in enumerate(bodies(scene))
    ]
    moves = np.abs(poses - poses[0]).max(axis=(0, 2)) > 0
    places = poses[:, moves, :3].reshape(-1, 3) if moves.any() else poses[0, :, :3]
    return SceneRecording(
        title=f"{crash.mover_id} starts at {crash.speed_m_s:.2g} m/s",
        about=(
            f"Rigid bodies: {crash.mover_id} is driven for {crash.travelled_studs:.1f} studs; first impacts take "
            f"{crash.energy_lost_mj:.1f} of the {crash.energy_mj:.1f} mJ put in."
        ),
        duration_ms=end_ms + _AFTER_MS,
        speed=SPEED,
        is_physical=True,
        things=(ground(scene.bounds), *things),
        events=tuple(_events(crash, end_ms)),
        views=tuple(views(scene, places)),
        marks=tuple(_mark(impact) for impact in crash.impacts if _ms(impact) <= end_ms),
        ruler=ruler(scene.bounds),
    )


def _ms(impact: Impact) -> int:
    return round(1000 * impact.time_s)


def _events(crash: Crash, end_ms: int) -> Iterator[Event]:
    yield Event(0, "Start", f"{crash.mover_id} starts at {crash.speed_m_s:.2g} m/s.")
    for impact in crash.impacts:
        speed = max(impact.closing_speed_m_s, 0.0)
        text = (
            f"{impact.first} hits {impact.second} at {speed:.2f} m/s, after {impact.time_s:.2f} s."
        )
        yield Event(min(_ms(impact), end_ms), "Impacts", text)
    after = aftermath_text(crash)
    yield Event(end_ms, "In the end", f"{after[:1].upper()}{after[1:] or 'Nothing was hit'}.")


def _mark(impact: Impact) -> Mark:
    x, y = (STUD_MM * value for value in impact.point_studs)
    at = (x, y, impact.height_plates * PLATE_MM)
    return Mark(Sign.HIT, _ms(impact), _ms(impact) + _STAR_MS, (at,), "orange", 5.0)
