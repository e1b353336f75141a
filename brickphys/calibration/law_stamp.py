"""Law stamp: what a law is computed by, and fixed throws that tell whether another program gives the same numbers."""

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from hashlib import sha256

import numpy as np

from brickphys.calibration.throwers import body_of
from brickphys.engines.engine import Landing
from brickphys.engines.registry import engine, is_installed
from brickphys.stamp import Check, Stamp, kept, stamp_check, stamp_here
from brickphys.throws.conditions import PRESETS, SURFACES
from brickphys.throws.release import BASEPLATE, PLANE, release

LAW_SOURCES = ("base", "calibration", "engines", "geometry", "odds", "shapes", "throws")
"""Folders of the package from which throws are computed and laws made."""
_FIXED = (
    ("2x2", "hand", "wood", PLANE, 1),
    ("2x4", "cup", "glass", PLANE, 1),
    ("1x1", "drop", "cloth", PLANE, 1),
    ("2x2", "hand", "plastic", BASEPLATE, 1),
    ("2x2", "hand", "wood", PLANE, 3),
)
"""Shape, preset, surface, floor and number of bricks of the fixed throws."""
_HANDS = {"compiled": 128, "mujoco": 4}
"""Engine -> hands of each kind, by its speed."""
_FEW = 6
_THROWS = "throws by "


def law_stamp() -> Stamp:
    """Return the stamp of a law that this process computes."""
    return stamp_here().of(LAW_SOURCES)


def fixed_throws(engines: Collection[str]) -> dict[str, str]:
    """Return a hexadecimal digit of each fixed throw by those engines that are installed.

    A digit follows from all bits of where and when the hand stopped, and bounces amplify each other bit.
    """
    here = law_stamp().digest
    return {
        f"{_THROWS}{name}": kept(f"{_THROWS}{name} {here}", partial(_digits, name))
        for name in sorted(engines)
        if is_installed(name)
    }


def _digits(name: str) -> str:
    digits, one = "", engine(name)
    for shape, preset, surface, floor, bricks in _FIXED:
        body, conditions = body_of(shape), replace(PRESETS[preset], bricks=bricks)
        if floor.name in one.floors and bricks <= one.max_bricks:
            states = release(body, conditions, 1, (), 0, _HANDS.get(name, _FEW), floor)
            digits += _of_hands(one.land(body, SURFACES[surface].nominal, states, floor))
    return digits


def _of_hands(landing: Landing) -> str:
    arrays = [landing.pose, landing.time_s, *vars(landing.states).values()]
    hands = zip(*map(np.ascontiguousarray, arrays), strict=True)
    return "".join(sha256(b"".join(one.tobytes() for one in hand)).hexdigest()[0] for hand in hands)


def law_stamp_check(stamp: Stamp | None) -> Check:
    """Return what the stamp of a law says; the fixed throws are repeated if another program computed it."""
    names = [] if stamp is None else [name.removeprefix(_THROWS) for name in stamp.results or ()]
    return stamp_check(stamp, again=lambda: fixed_throws(names))
