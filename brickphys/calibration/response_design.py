"""Response design: bricks thrown at many points of all uncertain causes, counted, and the file of these counts.

Each cause is a uniform distribution: of the table, the mould, the edges or the throw. The points are a scrambled Sobol'
sequence, which fills the ranges of all causes evenly. The compiled engine throws at each point, with a seed address for
each. A response surface is fitted to the counts (`response`).
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.resources import files
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import qmc

from brickphys.calibration.throwers import Tally, ThrowCell, Throwers, thrown_body
from brickphys.engines.registry import engine
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.notes import Progress
from brickphys.odds.roll import SIDE
from brickphys.reading import parse_json, shipped_text
from brickphys.shapes.brick import EDGE_RADIUS_MM, default_dimensions
from brickphys.shapes.catalogue import rounded_name
from brickphys.signals import StopRequest
from brickphys.throws.conditions import (
    HAND_SPEED_M_S,
    HAND_SPIN_RAD_S,
    PRESETS,
    Surface,
    preset,
)
from brickphys.throws.rings import rings_of
from brickphys.units import Array, Counts

THROW_FACTOR = 1.5
"""Players throw with up to this factor more or less height than the preset, and, where no reports give a range, speed
and spin: an assumption."""
EDGE_RADIUS_RANGE_MM = (0.1, 0.3)
"""Edge radius of real bricks: a supposition, since no measurement was found (``docs/models.md``)."""
LEAST_HEIGHT = 1.02
"""Least height of release over the largest radius of the body: no brick may start inside the floor."""


@dataclass(frozen=True)
class Cause:
    """An uncertain cause; any value of its range is equally likely."""

    low: float
    high: float
    move: Callable[[ThrowCell, float], ThrowCell]
    """Function that returns a cell with the cause set to a value."""


def causes(cell: ThrowCell, surface: Surface) -> Mapping[str, Cause]:
    """Return the uncertain causes of a thrown brick or plate by name: table, mould, edges and throw.

    The friction is that which may act in impacts. A shape whose name states an edge radius other than the usual one has
    exactly that. A body of a body file has no mould; its edge radius has the range that its file states. For the preset
    ``hand``, height and speed begin at those of ``gentle``, and any share of throws starts as picked up.
    """
    conditions, gentle = cell.conditions, PRESETS["gentle"]
    low_mm, high_mm = conditions.height_mm
    middle_mm = (low_mm + high_mm) / 2
    lowest_mm = 1 / THROW_FACTOR * middle_mm
    speed, spin = (
        (value / THROW_FACTOR, value * THROW_FACTOR)
        for value in (conditions.speed_m_s, conditions.spin_rad_s)
    )
    start = {}
    if conditions.preset == "hand":
        lowest_mm = sum(gentle.height_mm) / 2
        speed = gentle.speed_m_s, HAND_SPEED_M_S[1] / sqrt(2)
        spin = HAND_SPIN_RAD_S[0] / sqrt(3), HAND_SPIN_RAD_S[1] / sqrt(3)
        start = {"picked_up": Cause(0.0, 1.0, _part("conditions", "picked_up"))}
    # the whole range is scaled, but never below the least height
    lowest_mm = max(lowest_mm, LEAST_HEIGHT * cell.body.radius_mm / low_mm * middle_mm)
    found = {
        "friction": Cause(*surface.of_impacts.friction, _part("contact", "friction")),
        "restitution": Cause(*surface.restitution, _part("contact", "restitution")),
        **{
            name: Cause(low, high, _part("contact", name))
            for name, (low, high) in surface.losses.items()
            if rings_of(cell.body)
        },
        **(_mould(cell) if cell.file is None else {}),
        "edge_radius_mm": Cause(*_edges_of(cell), _edge_radius),
        "height_mm": Cause(lowest_mm, THROW_FACTOR * middle_mm, _height),
        "speed_m_s": Cause(*speed, _part("conditions", "speed_m_s")),
        "spin_rad_s": Cause(*spin, _part("conditions", "spin_rad_s")),
        **start,
    }
    return {name: cause for name, cause in found.items() if cause.low < cause.high}


def _edges_of(cell: ThrowCell) -> tuple[float, float]:
    """Return the range of the edge radius; one that the name of the shape states has no range."""
    if cell.file is not None:
        return cell.file.edge_radius_mm
    stated = cell.body.edge_radius_mm
    return EDGE_RADIUS_RANGE_MM if stated == EDGE_RADIUS_MM else (stated, stated)


def _mould(cell: ThrowCell) -> dict[str, Cause]:
    """Return the lengths of a brick, around the fitted ones, over the range that calipers find.

    Walls have 1.2 to 1.5 mm, tops from 1.0, studs 1.6 to 1.8 (see `BrickDimensions`).
    """
    mould = cell.dimensions or default_dimensions(cell.shape)
    return {
        "wall_mm": Cause(mould.wall_mm - 0.2, mould.wall_mm + 0.1, _part("dimensions", "wall_mm")),
        "top_mm": Cause(mould.top_mm - 0.1, mould.top_mm + 0.4, _part("dimensions", "top_mm")),
        "stud_height_mm": Cause(1.6, 1.8, _part("dimensions", "stud_height_mm")),
    }


def _part(part: str, name: str) -> Callable[[ThrowCell, float], ThrowCell]:
    """Return what sets a value of the contact, the conditions or the dimensions of a cell."""

    def move(cell: ThrowCell, value: float) -> ThrowCell:
        before: Any = getattr(cell, part) or default_dimensions(cell.shape)
        changed: dict[str, Any] = {part: replace(before, **{name: value})}
        return replace(cell, **changed)

    return move


def _edge_radius(cell: ThrowCell, value: float) -> ThrowCell:
    if cell.file is not None:
        return replace(cell, file=cell.file.rounded(value))
    return replace(cell, shape=rounded_name(cell.shape, value))


def _height(cell: ThrowCell, middle_mm: float) -> ThrowCell:
    low, high = cell.conditions.height_mm
    scale = 2 * middle_mm / (low + high)
    return replace(cell, conditions=replace(cell.conditions, height_mm=(low * scale, high * scale)))


SCHEMA = "brickphys.response/1"
ENGINE = "compiled"
RESPONSE_POSES = ("studs_up", "studs_down", SIDE)
"""The poses of a single brick on a plane; a few bricks in a million lean or do not settle, and are left out."""
ANY_SURFACE = Surface(
    "any",
    friction=(0.1, 0.8),
    restitution=(0.05, 0.7),
    source="a little wider than all named surfaces together, up to where the compiled engine is trusted",
)
SHIPPED = files("brickphys") / "calibration" / "2x2_hand.json"
_ADDRESS = 3
_DIGITS = 6
_MAX_POINTS = 2**14


@dataclass(frozen=True, eq=False)
class ResponseDesign:
    """Bricks thrown at many points, counted."""

    shape: str
    preset: str
    ranges: Mapping[str, tuple[float, float]]
    """Cause -> least and greatest value, in the order of the columns of `points`."""
    points: Array
    """Values of the causes, shape (n, causes)."""
    counts: Counts
    """Number of bricks in each of `RESPONSE_POSES`, shape (n, poses); or off and on a side only (of a body of a file:
    in no pose that scores, and in any)."""
    left_out: int
    """Number of bricks that leaned or did not settle."""
    seed: int
    command: str = ""
    """Command that makes the design; empty if not given."""

    @property
    def throws(self) -> int:
        """Number of counted bricks."""
        return int(self.counts.sum())


def design_cell(shape: str, preset_name: str, on: Surface) -> ThrowCell:
    """Return single bricks, or bodies of a body file, of the compiled engine in the middle of a surface's ranges.

    Raises InvalidValueError if a name is unknown, the body file has a fault, or no pose of the body scores.
    """
    body, file = thrown_body(shape)
    if not body.scoring:
        raise InvalidValueError(
            f"shape {shape!r} has no side: only bricks and plates have, and body files with scores"
        )
    return ThrowCell(body.name, preset(preset_name), on.nominal, ENGINE, (1,), file=file)


def throw_design(
    cell: ThrowCell,
    on: Surface,
    points: int,
    throws_per_point: int,
    seed: int,
    workers: int = 1,
    progress: Progress = lambda *_: None,
) -> ResponseDesign:
    """Throw a design over all uncertain causes of a cell.

    Raises InvalidValueError if a number is outside its range; CancelledRunError on Ctrl-C. The points are a power of
    two, which a balanced Sobol' sequence needs. The result does not depend on the number of workers.
    """
    if not 1 <= points <= _MAX_POINTS or points & (points - 1):
        raise InvalidValueError(f"{points} points are not a power of two up to {_MAX_POINTS}")
    if throws_per_point < 1:
        raise InvalidValueError(f"{throws_per_point} throws a point: at least 1 is needed")
    found = causes(cell, on)
    values = sobol_points(found, points, seed)
    with StopRequest() as stop, Throwers(seed, workers, lambda: stop.asked) as throwers:
        tallies = throw_points(throwers, cell, found, values, throws_per_point, progress)
    if tallies is None:
        raise CancelledRunError(f"interrupted before {points * throws_per_point} throws")
    counts = np.array([_outcomes(tally, cell) for tally in tallies])
    left_out = points * throws_per_point - int(counts.sum())
    return ResponseDesign(
        cell.shape, cell.conditions.preset, ranges_of(found), values, counts, left_out, seed
    )


def _outcomes(tally: Tally, cell: ThrowCell) -> list[int]:
    """Return the numbers of bricks by pose, or of a body of a file in no pose that scores, and in any."""
    if cell.file is None:
        return [tally.counts[pose] for pose in RESPONSE_POSES]
    return [tally.bricks - tally.sides, tally.sides]


def throw_points(
    throwers: Throwers,
    cell: ThrowCell,
    uncertain: Mapping[str, Cause],
    values: Array,
    throws_per_point: int,
    progress: Progress = lambda *_: None,
) -> list[Tally] | None:
    """Throw bricks at each point (n, causes) and return the tally of each; None if the throwers were stopped."""
    cells = {number: moved(cell, uncertain, point, number) for number, point in enumerate(values)}
    tallies = list(throwers.totals(cells, throws_per_point, progress).values())
    complete = sum(tally.hands for tally in tallies) == len(values) * throws_per_point
    return tallies if complete else None


def ranges_of(uncertain: Mapping[str, Cause]) -> dict[str, tuple[float, float]]:
    """Return the range of each cause."""
    return {name: (cause.low, cause.high) for name, cause in uncertain.items()}


def sobol_points(uncertain: Mapping[str, Cause], points: int, seed: int) -> Array:
    """Return points that fill the ranges evenly, shape (points, causes), rounded as in the file."""
    low, high = np.array(list(ranges_of(uncertain).values())).T
    shares = qmc.Sobol(len(uncertain), rng=np.random.default_rng(seed)).random(points)
    return np.asarray(np.round(low + shares * (high - low), _DIGITS))


def moved(cell: ThrowCell, uncertain: Mapping[str, Cause], point: Array, number: int) -> ThrowCell:
    """Return the cell of a point: every cause set to its value there, with the point's seed address."""
    at = replace(cell, address=(*cell.address, _ADDRESS, number))
    for cause, value in zip(uncertain.values(), point, strict=True):
        at = cause.move(at, float(value))
    return at


def write_design(design: ResponseDesign, path: Path) -> None:
    """Write a design as JSON, with one line for each point."""
    head = {
        "schema": SCHEMA,
        "command": design.command,
        "shape": design.shape,
        "preset": design.preset,
        "engine": ENGINE,
        "versions": {"brickphys": version("brickphys"), **engine(ENGINE).versions},
        "seed": design.seed,
        "left_out": design.left_out,
        "ranges": {name: list(ends) for name, ends in design.ranges.items()},
        "columns": [*design.ranges, *RESPONSE_POSES],
    }
    rows = [
        json.dumps([*point, *counts])
        for point, counts in zip(design.points.tolist(), design.counts.tolist(), strict=True)
    ]
    text = json.dumps(head, indent=1).removesuffix("\n}")
    path.write_text(f'{text},\n "rows": [\n' + ",\n".join(rows) + "\n]}\n", encoding="utf-8")


def shipped_design() -> ResponseDesign:
    """Return the shipped design: 2x2 bricks thrown by hand, for any surface."""
    document = parse_json(shipped_text(SHIPPED), SHIPPED.name)
    rows = np.array(document["rows"])
    causes = len(document["ranges"])
    return ResponseDesign(
        document["shape"],
        document["preset"],
        {name: (low, high) for name, (low, high) in document["ranges"].items()},
        rows[:, :causes],
        rows[:, causes:].astype(np.int64),
        document["left_out"],
        document["seed"],
        document["command"],
    )


def main() -> None:
    """Throw the shipped design and write its file (``make response``)."""
    cell = design_cell("2x2", "hand", ANY_SURFACE)
    made = throw_design(cell, ANY_SURFACE, 1024, 2048, 2026)
    write_design(replace(made, command="make response"), Path(str(SHIPPED)))


if __name__ == "__main__":
    main()
