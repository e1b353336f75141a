"""Aftermath: when a crash has come to rest, and what it has done, in words."""

import numpy as np

from brickphys.units import STUD_MM
from brickphys.vehicles.physics.outcome import Crash
from brickphys.vehicles.scene import ThingType

_STILL_MM = 0.5
"""Nothing moves any more once all is within this of its last place."""


def last_moving_frame(crash: Crash) -> int:
    """Return the number of the frame after which nothing moves any more."""
    poses = crash.recording.poses
    away = np.abs(poses[..., :3] - poses[-1, :, :3]).max(axis=(1, 2))
    turned = np.abs(poses[..., 3:] - poses[-1, :, 3:]).max(axis=(1, 2)) * STUD_MM
    moving = np.flatnonzero(np.maximum(away, turned) > _STILL_MM)
    return min(len(poses) - 1, int(moving[-1]) + 1) if len(moving) else 0


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
