"""Encounter: vehicles of a scene that have trajectories, two by two: first contact in time, and how near they come."""

from dataclasses import dataclass
from itertools import combinations
from math import isfinite, isnan, nan
from typing import Any, NamedTuple

import numpy as np

from brickphys.geometry.many.encounters import encounter
from brickphys.geometry.many.moves import Courses
from brickphys.geometry.many.outlines import Outlines, outlines
from brickphys.geometry.motion import Rotation
from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.pose import Pose
from brickphys.geometry.shape import solid_of
from brickphys.text import paragraphs, table
from brickphys.units import Array
from brickphys.vehicles.chances import outline_of
from brickphys.vehicles.crash import mass_of
from brickphys.vehicles.scene import Scene, Vehicle

_SIDES = ("first", "second")


@dataclass(frozen=True)
class SceneEncounters:
    """The encounters of a scene."""

    found: tuple[dict[str, Any], ...]
    """One for each pair, as in the JSON of the command ``collide``.

    None stands for what never happens or does not apply; ``undecided`` names what was not found within the search.
    """
    unit: str = "studs"
    """What the length is called that the keys call studs."""

    def document(self) -> list[dict[str, Any]]:
        """Return them for JSON."""
        return list(self.found)

    def text(self) -> str:
        """Return them as a table."""
        columns = ("first", "second", "contact", "at", f"closing,\n{self.unit}/s",
                   f"delta-v,\n{self.unit}/s", "smallest gap", "PET", "TTC at\nthe start")  # fmt: skip
        masses = {
            one[side]: mass
            for one in self.found
            for side, mass in zip(_SIDES, one.get("masses_g", ()), strict=False)
        }
        told = ", ".join(f"{name} {mass:.0f} g" for name, mass in masses.items())
        cells = [_cells(one, self.unit) for one in self.found]
        return paragraphs(table(columns, cells), f"delta-v of {told}" if told else "")


class TimedBody(NamedTuple):
    """A body that moves in time."""

    id: str
    outline: Outlines
    """One, where it is at the beginning."""
    way: Array
    """Its pieces, as `encounter` takes them."""
    mass_g: float
    part_names: tuple[str, ...] = ()


def encounters_of(scene: Scene, tolerance: float = TOLERANCE) -> SceneEncounters | None:
    """Return the encounters of all pairs of vehicles that have trajectories; None if none has.

    Overlaps up to the tolerance, in studs, are no contact. Masses are those of `brickphys.vehicles.crash.mass_of`, and
    the impact has no restitution.
    """
    pairs = list(combinations(map(_timed, scene.in_time), 2))
    found = tuple(encounter_of(*pair, tolerance=tolerance) for pair in pairs)
    return SceneEncounters(found) if pairs else None


def _timed(vehicle: Vehicle) -> TimedBody:
    plan = [outline_of(vehicle, lambda point: point)]
    heights = {"bottom_plates": vehicle.bottom_plates, "top_plates": vehicle.top_plates}
    names = tuple(vehicle.shape.names) if vehicle.shape else ()
    there = outlines(plan, **heights)
    return TimedBody(vehicle.id, there, _way(vehicle), _mass_g(vehicle), names)


def encounter_of(
    one: TimedBody, other: TimedBody, *, since_s: float = 0.0, tolerance: float = TOLERANCE
) -> dict[str, Any]:
    """Return the encounter of two bodies (see `SceneEncounters.found`), whose ways begin at a time."""
    sides: list[Any] = []
    for body in (one, other):
        sides += [body.outline, Courses(body.way, np.array([0, len(body.way)]))]
    weights = [one.mass_g, other.mass_g]
    met = encounter(*sides, masses=weights, moments_s=[0.0], tolerance_studs=tolerance)
    exact: dict[str, Any] = {**met.rows()[0]}
    exact["time_s"] += since_s
    exact["gap_at_s"] += since_s
    row = {name: _finite(value) for name, value in exact.items()}
    is_open = row["time_s"] is None
    is_hit = not is_open and row["x_studs"] is not None
    undecided = [name for name in ("gap_studs", "pet_s") if is_open and isnan(exact[name])]
    return {
        "first": one.id,
        "second": other.id,
        "time_s": row["time_s"],
        "point": [row["x_studs"], row["y_studs"]] if is_hit else None,
        "normal": [row["normal_x"], row["normal_y"]] if is_hit else None,
        "parts": [_part(one, row["first_part"]), _part(other, row["second_part"])],
        "closing_studs_s": row["closing_studs_s"],
        "delta_v_studs_s": [row["delta_v_first_studs_s"], row["delta_v_second_studs_s"]] if is_hit else None,
        "masses_g": weights,
        "gap_studs": row["gap_studs"],
        "gap_at_s": row["gap_at_s"],
        "pet_s": row["pet_s"],
        "passes_first": (one.id if row["first_passes_first"] else other.id) if row["pet_s"] else None,
        "undecided": undecided,
        "ttc_s": _finite(met.ttc_s[0, 0].item()),
        "drac_studs_s2": _finite(met.drac_studs_s2[0, 0].item()),
    }  # fmt: skip


def _mass_g(vehicle: Vehicle) -> float:
    """Return the mass of a vehicle in grams; without a model it has one density over any outline."""
    mass = mass_of(vehicle)
    share = 1.0
    if vehicle.shape and vehicle.model is None:
        share = solid_of(vehicle.border).area / (vehicle.length_studs * vehicle.width_studs)
    return share * mass.mass_g if mass else 0.0


def _part(body: TimedBody, number: int) -> str | None:
    return body.part_names[number] or None if body.part_names and number >= 0 else None


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


def _cells(one: dict[str, Any], unit: str) -> tuple[str, ...]:
    is_hit = one["point"] is not None
    overlaps = one["time_s"] is not None and not is_hit

    def seconds(key: str) -> str:
        if one[key] is None and overlaps:
            return ""
        if one[key] is None:
            return "undecided" if key in one["undecided"] else "never"
        return f"{one[key]:.3f} s"

    gap = "" if one["gap_studs"] is None else f"{one['gap_studs']:.3f} {unit}"
    gap += f" at {one['gap_at_s']:.3f} s" if gap and not is_hit else ""
    parts = [
        f"{one[side]} ({part})" if part else one[side]
        for side, part in zip(_SIDES, one["parts"], strict=True)
    ]
    return (
        *parts,
        seconds("time_s"),
        "({:.2f}, {:.2f})".format(*one["point"]) if is_hit else "overlap" if overlaps else "",
        f"{one['closing_studs_s']:.2f}" if is_hit else "",
        "{:.2f}, {:.2f}".format(*one["delta_v_studs_s"]) if is_hit else "",
        gap,
        seconds("pet_s"),
        seconds("ttc_s"),
    )
