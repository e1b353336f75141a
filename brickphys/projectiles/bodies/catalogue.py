"""Catalogue: targets by name. ``foot`` is a figure in the open, ``foot:wall2`` one behind a wall of two bricks."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from math import ceil
from typing import Any

from brickphys.errors import InvalidValueError, unknown
from brickphys.projectiles.bodies.target import Target, TargetPart
from brickphys.reading import shipped_toml
from brickphys.units import BRICK_MM

_FILE = files("brickphys.projectiles.bodies") / "targets.toml"


@lru_cache
def targets() -> Mapping[str, Target]:
    """Return the targets that ship, in the open, by name."""
    tables = shipped_toml(_FILE)
    return {name: _target(name, table) for name, table in tables.items()}


@lru_cache
def target(name: str) -> Target:
    """Return the target of a name; ``NAME:wallN`` stands behind a wall of N bricks.

    Raises
    ------
    InvalidValueError
        If the name is unknown, or the wall hides all of it.
    """
    body, _, wall = name.partition(":")
    if body not in targets():
        raise unknown("body", name, targets())
    if not wall:
        return targets()[body]
    bricks, most = (
        re.fullmatch(r"wall([1-9])", wall),
        ceil(targets()[body].height_mm / BRICK_MM) - 1,
    )
    if not bricks or int(bricks[1]) > most:
        raise InvalidValueError(
            f"body {name!r}: after the colon comes wall1 to wall{most}, for the bricks that it stands behind"
        )
    return behind_wall(targets()[body], int(bricks[1]) * BRICK_MM)


def behind_wall(target: Target, wall_mm: float) -> Target:
    """Return the target behind a wall of a height; the wall takes what flies lower.

    Raises
    ------
    InvalidValueError
        If the wall hides all of it.
    """
    return replace(target, wall_mm=wall_mm)


def _target(name: str, table: Mapping[str, Any]) -> Target:
    parts = tuple(
        TargetPart(
            part["kind"],
            part["about"],
            tuple(part["centre_mm"]),
            tuple(part["size_mm"]),
            part["mass_g"],
        )
        for part in table["part"]
    )
    return Target(name, table["about"], table["source"].strip(), parts)
