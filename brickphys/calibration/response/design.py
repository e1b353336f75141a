"""Response design: bricks thrown at many points of all uncertain causes, counted, and the file of these counts.

The points are a scrambled Sobol' sequence, which fills the ranges of all causes evenly. The compiled engine throws at
each point, with a seed address for each. A response surface is fitted to the counts (`response`).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import numpy as np
from scipy.stats import qmc

from brickphys.arrays import Array, Counts
from brickphys.calibration.causes import Cause, causes
from brickphys.calibration.tally import Tally
from brickphys.calibration.throwers import ThrowCell, Throwers, thrown_body
from brickphys.engines.registry import engine
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.notes import Progress
from brickphys.odds.roll import SIDE
from brickphys.reading import parse_json, shipped_text
from brickphys.signals import StopRequest
from brickphys.throws.conditions import preset
from brickphys.throws.surfaces import Surface

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
SHIPPED = files("brickphys") / "calibration" / "response" / "2x2_hand.json"
_ADDRESS = 3
_DIGITS = 6
_MAX_POINTS = 2**14


@dataclass(frozen=True, eq=False)
class ResponseDesign:
    """Bricks thrown at many points, counted.

    Attributes
    ----------
    shape, preset
        Names of the shape and of the throw conditions.
    ranges
        Cause -> least and greatest value, in the order of the columns of `points`.
    points : ndarray, shape (n, causes)
        Values of the causes.
    counts : ndarray of int, shape (n, poses)
        Number of bricks in each of `RESPONSE_POSES`; or off and on a side only (of a body of a file: in no pose that
        scores, and in any).
    left_out
        Number of bricks that leaned or did not settle.
    seed
        Root seed of points and throws.
    command
        Command that makes the design; empty if not given.
    """

    shape: str
    preset: str
    ranges: Mapping[str, tuple[float, float]]
    points: Array
    counts: Counts
    left_out: int
    seed: int
    command: str = ""

    @property
    def throws(self) -> int:
        """Number of counted bricks."""
        return int(self.counts.sum())


def design_cell(shape: str, preset_name: str, on: Surface) -> ThrowCell:
    """Return single bricks, or bodies of a body file, of the compiled engine in the middle of a surface's ranges.

    Raises
    ------
    InvalidValueError
        If a name is unknown, the body file has a fault, or no pose of the body scores.
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

    Parameters
    ----------
    cell
        Single bricks, from `design_cell`.
    on
        The surface, with its ranges of friction and restitution.
    points
        A power of two, which a balanced Sobol' sequence needs.
    throws_per_point
        Bricks thrown at each point.
    seed
        Root seed.
    workers
        Number of processes; the result does not depend on it.
    progress
        Called with the throws done and all throws.

    Raises
    ------
    InvalidValueError
        If a number is outside its range.
    CancelledRunError
        On Ctrl-C.
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
