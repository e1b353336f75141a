"""Crashes made up by hand, for what is read from them."""

from collections.abc import Sequence
from math import nan

import numpy as np

from brickphys.units import STUD_MM
from brickphys.vehicles.crash_outcome import Crash, Impact, Recording, ThingOutcome
from brickphys.vehicles.scene import Bounds, Thing


def ended(thing: Thing, end_studs=(0.0, 0.0), **more) -> ThingOutcome:
    """Return what became of a thing that nothing happened to, but for what is given."""
    usual = {
        "heading_deg": 0.0,
        "tilt_deg": 0.0,
        "moved_studs": 0.0,
        "was_hit": False,
        "knocked_over": False,
        "left_field": False,
        "fell_off": False,
        "settled": True,
        "thrown_off": False,
    }
    return ThingOutcome(thing.type, thing.id, end_studs, **(usual | more))


def impact(first: str, second: str, impulse_mn_s: float = 1.0) -> Impact:
    """Return an impact of two things, of which nothing else is known than its impulse."""
    unknown = (nan, None, (nan, nan), nan, (nan,) * 3, nan, (nan, nan))
    return Impact(first, second, *unknown, impulse_mn_s, nan)


def made_crash(
    outcomes: Sequence[ThingOutcome], impacts=(), things: Sequence[Thing] = (), frames_studs=()
) -> Crash:
    """Return a crash whose mover is the first of its outcomes; `frames_studs` are places of frames, (frames, n, 2)."""
    poses = np.full((len(frames_studs), len(things), 7), nan)
    if things:
        poses[..., :2] = np.array(frames_studs) * STUD_MM
    recording = Recording(tuple(things), (), poses, 0.008, Bounds(60.0, 60.0))
    return Crash(outcomes[0].id, 1.0, 1.0, tuple(impacts), tuple(outcomes), (), 0.0, 0.0, recording)
