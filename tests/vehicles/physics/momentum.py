"""The momentum of all bodies of a crash, as its recording shows it."""

import numpy as np

from brickphys.throws.flight import rotate
from brickphys.vehicles.crash import block, riders
from brickphys.vehicles.crash_outcome import Crash


def momenta_g_m_s(result: Crash) -> np.ndarray:
    """Return what each vehicle, unit and rider has between the last two frames, shape (bodies, 3)."""
    bodies = [block(thing) for thing in result.recording.things]
    bodies += [rider for thing in result.recording.things for _, rider in riders(thing)]
    poses = result.recording.poses[-2:]
    centres = poses[..., :3] + rotate(poses[..., 3:], np.array([b.centre_mm for b in bodies]))
    masses = np.array([body.mass.mass_g if body.mass else 0.0 for body in bodies])
    return masses[:, None] * np.diff(centres, axis=0)[0] / 1000.0 / result.recording.frame_s
