"""Encounter: vehicles of a scene that have trajectories, two by two: first contact in time, and how near they come."""

from dataclasses import dataclass
from itertools import combinations
from math import isfinite, isnan, nan
from typing import Any

import numpy as np

from brickphys.geometry.many.encounters import encounter
from brickphys.geometry.many.outlines import outlines
from brickphys.geometry.motion import Rotation
from brickphys.geometry.pose import Pose
from brickphys.text import table
from brickphys.units import Array
from brickphys.vehicles.crash import mass_of
from brickphys.vehicles.scene import Scene, Vehicle


@dataclass(frozen=True)
class SceneEncounters:
    """The encounters of a scene."""

    found: tuple[dict[str, Any], ...]
    """One for each pair, as in the JSON of the command ``collide``.

    None stands for what never happens or does not apply; ``undecided`` names what was not found within the search.
    """

    def document(self) -> list[dict[str, Any]]:
        """Return them for JSON."""
        return list(self.found)

    def text(self) -> str:
        """Return them as a table."""
        columns = ("first", "second", "contact", "at", "closing,\nstuds/s", "delta-v,\nstuds/s",
                   "smallest gap", "PET", "TTC at\nthe start")  # fmt: skip
        return table(columns, [_cells(one) for one in self.found])


def encounters_of(scene: Scene) -> SceneEncounters | None:
    """Return the encounters of all pairs of vehicles that have trajectories; None if none has.

    Masses are those of `brickphys.vehicles.crash.mass_of`, and the impact has no restitution.
    """
    pairs = list(combinations(scene.in_time, 2))
    return SceneEncounters(tuple(_encounter(*pair) for pair in pairs)) if pairs else None


def _encounter(one: Vehicle, other: Vehicle) -> dict[str, Any]:
    sides: list[Any] = []
    for vehicle in (one, other):
        rows = _way(vehicle)
        prism = vehicle.prism
        body = outlines(
            prism.footprint.vertices_studs,
            bottom_plates=prism.bottom_plates,
            top_plates=prism.top_plates,
        )
        sides += [body, (rows, [0, len(rows)])]
    weights = [mass.mass_g for mass in map(mass_of, (one, other)) if mass]
    met = encounter(*sides, masses=weights, moments_s=[0.0])
    exact: dict[str, Any] = {**met.rows()[0]}
    row = {name: _finite(value) for name, value in exact.items()}
    is_hit = row["time_s"] is not None
    undecided = [name for name in ("gap_studs", "pet_s") if not is_hit and isnan(exact[name])]
    return {
        "first": one.id,
        "second": other.id,
        "time_s": row["time_s"],
        "point": [row["x_studs"], row["y_studs"]] if is_hit else None,
        "normal": [row["normal_x"], row["normal_y"]] if is_hit else None,
        "closing_studs_s": row["closing_studs_s"],
        "delta_v_studs_s": [row["delta_v_first_studs_s"], row["delta_v_second_studs_s"]] if is_hit else None,
        "gap_studs": row["gap_studs"],
        "gap_at_s": row["gap_at_s"],
        "pet_s": row["pet_s"],
        "passes_first": (one.id if row["first_passes_first"] else other.id) if row["pet_s"] else None,
        "undecided": undecided,
        "ttc_s": _finite(met.ttc_s[0, 0].item()),
        "drac_studs_s2": _finite(met.drac_studs_s2[0, 0].item()),
    }  # fmt: skip


def _way(vehicle: Vehicle) -> Array:
    """Return the pieces of a trajectory on the field, as `encounter` takes them."""
    pose = Pose(vehicle.x_studs, vehicle.y_studs, vehicle.heading_deg)
    rows = []
    for timed in vehicle.trajectory:
        pace = (timed.speed, timed.acceleration, timed.wait_s)
        if timed.piece is None:
            rows.append((0.0, 0.0, nan, *pace))
            continue
        motion = timed.piece.motion(pose)
        if isinstance(motion, Rotation):
            rows.append((*motion.pivot_studs, motion.turned_deg(motion.extent), *pace))
        else:
            rows.append((*motion.transform(motion.extent)[2:], nan, *pace))
        pose = motion.pose(pose, motion.extent)
    return np.array(rows)


def _finite(value: Any) -> Any:
    return value if not isinstance(value, float) or isfinite(value) else None


def _cells(one: dict[str, Any]) -> tuple[str, ...]:
    def seconds(key: str) -> str:
        if one[key] is None:
            return "undecided" if key in one["undecided"] else "never"
        return f"{one[key]:.3f} s"

    is_hit = one["time_s"] is not None
    gap = "" if one["gap_studs"] is None else f"{one['gap_studs']:.3f} studs"
    gap += f" at {one['gap_at_s']:.3f} s" if gap and not is_hit else ""
    return (
        one["first"],
        one["second"],
        seconds("time_s"),
        "({:.2f}, {:.2f})".format(*one["point"]) if is_hit else "",
        f"{one['closing_studs_s']:.2f}" if is_hit else "",
        "{:.2f}, {:.2f}".format(*one["delta_v_studs_s"]) if is_hit else "",
        gap,
        seconds("pet_s"),
        seconds("ttc_s"),
    )
