"""Agreement: the same shapes thrown by several engines under the same conditions, and compared.

Each engine uses different random numbers. So the counts are independent, as the chi-squared tests require. Starting
all engines from the same states would not reduce the noise, because bounces amplify the smallest difference.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np
from scipy.stats import chi2_contingency

from brickphys.calibration.throwers import Tally, ThrowCell, Throwers, thrown_body
from brickphys.engines.engine import check_limits
from brickphys.engines.registry import engine
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.notes import StageProgress
from brickphys.odds.distribution import Z95, wilson
from brickphys.seeds import check_root
from brickphys.shapes.body import Body
from brickphys.shapes.body_file import BodyFile
from brickphys.signals import StopRequest
from brickphys.text import paragraphs, percent, table
from brickphys.throws.conditions import preset, surface
from brickphys.throws.release import PLANE, Floor, floor, release
from brickphys.units import Counts

FALSE_ALARM = 0.05
"""Probability that a table without any difference has at least one failed test."""
MIN_EXPECTED = 5.0
"""Poses with a smaller expected count in a sample are pooled, since the chi-squared approximation fails for them."""
MAX_THROWS = 10_000_000
_SAME_FACE = 0.9998
"""Cosine of a degree: a body that rests on a face without a name is in no pose."""
_ADDRESS = 6
"""Seed address of these throws, within a root."""


@dataclass(frozen=True)
class GridCell:
    """One cell of the grid: shape, surface, heights and floor, with the speeds of the preset ``hand``.

    `file` is the body, if it is of a body file; `shape` is its name then.
    """

    shape: str
    surface: str
    height_mm: tuple[float, float]
    file: BodyFile | None = None
    floor: Floor = PLANE

    @property
    def name(self) -> str:
        """Such as ``2x2 wood 100:300``, and the floor if it is not a plane."""
        low, high = self.height_mm
        where = "" if self.floor.is_plane else f" {self.floor.name}"
        return f"{self.shape} {self.surface} {low:g}:{high:g}{where}"

    def cell(self, engine_name: str) -> ThrowCell:
        """Return the cell of an engine; its seed address depends on names only, not on the rest of the grid."""
        conditions = replace(preset("hand"), height_mm=self.height_mm, preset="custom")
        address = (_ADDRESS, crc32(self.name.encode()), crc32(engine_name.encode()))
        contact = surface(self.surface).nominal
        return ThrowCell(
            self.shape, conditions, contact, engine_name, address, floor=self.floor, file=self.file
        )

    @property
    def body(self) -> Body:
        """The thrown body."""
        return self.cell("").body

    @property
    def pose(self) -> str:
        """The pose that is compared: the first one that scores (the side of a brick), or else the first one."""
        return (*self.body.scoring, *self.body.poses)[0]


@dataclass(frozen=True)
class EngineDifference:
    """The difference between two engines in one cell of the grid."""

    engines: tuple[str, str]
    spot: GridCell
    shift: float
    """Share of the cell's pose by the second engine, minus that by the first."""
    error: float
    """Standard error of the shift."""
    chi2: float
    freedom: int
    p_value: float
    """Pearson's test of all poses, with rare ones pooled."""
    agrees: bool = True
    """Whether the test is passed; see `mark_disagreements`."""

    @property
    def ci95(self) -> tuple[float, float]:
        """95 % interval of the shift."""
        return self.shift - Z95 * self.error, self.shift + Z95 * self.error


@dataclass(frozen=True)
class Agreement:
    """The throws of several engines in all cells of a grid, and their differences."""

    tallies: Mapping[GridCell, Mapping[str, Tally]]
    """Cell -> engine -> counts."""
    quasi_static: Mapping[GridCell, float]
    """Cell -> share of its pose for a body that topples without speed, by trimesh."""
    differences: tuple[EngineDifference, ...]
    """Every pair of engines in every cell, in their order."""

    @property
    def disagreements(self) -> dict[str, int]:
        """Pair of engines -> number of cells in which they differ significantly."""
        found = {"-".join(one.engines): 0 for one in self.differences}
        for one in self.differences:
            found["-".join(one.engines)] += not one.agrees
        return found

    def mean_shift(self, pair: tuple[str, str]) -> tuple[float, float]:
        """Return the mean shift of a pair over the cells, all with equal weight, and its standard error.

        Weights by the errors would be those of rare poses, whose shares hardly can differ by points.
        """
        found = [one for one in self.differences if one.engines == pair]
        shift = np.mean([one.shift for one in found])
        return float(shift), float(np.linalg.norm([one.error for one in found])) / len(found)

    def document(self, seed: int) -> dict[str, Any]:
        """Return the JSON object of the comparison, given the root seed of the throws."""
        return {
            "checked": len(self.differences),
            "disagreements": self.disagreements,
            "false_alarm": FALSE_ALARM,
            "smallest_p_value": min(one.p_value for one in self.differences),
            "versions": {name: engine(name).versions for name in self._engines},
            "seed": seed,
            "cells": [self._cell_document(spot) for spot in self.tallies],
        }

    @property
    def _engines(self) -> list[str]:
        return list(next(iter(self.tallies.values())))

    def _cell_document(self, spot: GridCell) -> dict[str, Any]:
        contact = surface(spot.surface).nominal
        return {
            "shape": spot.shape,
            "surface": spot.surface,
            "floor": spot.floor.name,
            "height_mm": spot.height_mm,
            "friction": contact.friction,
            "restitution": contact.restitution,
            "pose": spot.pose,
            "quasi_static": self.quasi_static[spot],
            "engines": {
                name: {
                    "throws": tally.bricks,
                    "counts": dict(tally.counts),
                    "share": tally.counts[spot.pose] / tally.bricks,
                    "ci95": wilson(tally.counts[spot.pose], tally.bricks),
                    "energy_gain": tally.energy_gain,
                }
                for name, tally in self.tallies[spot].items()
            },
            "tests": [
                {
                    "engines": one.engines,
                    "shift": one.shift,
                    "ci95": one.ci95,
                    "chi2": one.chi2,
                    "degrees_of_freedom": one.freedom,
                    "p_value": one.p_value,
                    "agrees": one.agrees,
                }
                for one in self.differences
                if one.spot == spot
            ],
        }

    def text(self, seed: int) -> str:
        """Return the comparison for people, given the root seed of the throws."""
        smallest = min(self.differences, key=lambda one: one.p_value)
        failed = sum(self.disagreements.values())
        verdict = "no engine differs beyond chance" if not failed else f"{failed} of them fail"
        tests = [
            (
                f"{one.spot.name}: {one.engines[1]} - {one.engines[0]}",
                f"{100 * one.shift:+.2f} ({100 * one.ci95[0]:+.2f} to {100 * one.ci95[1]:+.2f})",
                f"{one.chi2:.1f}",
                str(one.freedom),
                f"{one.p_value:.2g}",
                "" if one.agrees else "differ",
            )
            for one in self.differences
        ]
        columns = ("", "difference, points", "chi2", "degrees of freedom", "p-value", "")
        return paragraphs(
            "share of a pose in per cent, with the half-width of its 95 % interval",
            self._share_table(),
            "differences in points with 95 % intervals; chi2 of all poses",
            table(columns, tests),
            "\n".join(self._shifts()),
            f"{len(tests)} tests; smallest p {smallest.p_value:.2g} ({' against '.join(smallest.engines)}, "
            f"{smallest.spot.name})\n"
            f"{verdict} (Holm: a false alarm anywhere in the table has a chance of {FALSE_ALARM:.0%})\n"
            f"seed {seed}",
        )

    def _share_table(self) -> str:
        rows = []
        for spot, tallies in self.tallies.items():
            shares = []
            for tally in tallies.values():
                low, high = wilson(tally.counts[spot.pose], tally.bricks)
                share = 100 * tally.counts[spot.pose] / tally.bricks
                shares.append(f"{share:.2f} +- {50 * (high - low):.2f}")
            rows.append((spot.name, spot.pose, *shares, percent(self.quasi_static[spot])))
        return table(("cell", "pose", *self._engines, "toppling without speed"), rows)

    def _shifts(self) -> Iterator[str]:
        """Yield the mean shift of each pair of engines, in words."""
        for pair in dict.fromkeys(one.engines for one in self.differences):
            shift, error = self.mean_shift(pair)
            yield (
                f"{pair[1]} - {pair[0]}: {100 * shift:+.2f} +- {196 * error:.2f} points on average, "
                f"{self.disagreements['-'.join(pair)]} disagreements"
            )


def comparison_grid(
    shapes: Sequence[str],
    surfaces: Sequence[str],
    heights_mm: Sequence[tuple[float, float]],
    floor_name: str = PLANE.name,
) -> tuple[GridCell, ...]:
    """Return the cells of all combinations.

    Raises InvalidValueError if a name is unknown, a height impossible, or a combination is given twice.
    """
    bodies, form = [thrown_body(shape) for shape in shapes], floor(floor_name)
    spots = tuple(
        GridCell(body.name, name, height, file, form)
        for (body, file), name, height in itertools.product(bodies, surfaces, heights_mm)
    )
    if not spots:
        raise InvalidValueError("nothing to throw: the grid has no cell")
    twice = [name for name, count in Counter(spot.name for spot in spots).items() if count > 1]
    if twice:
        raise InvalidValueError(f"{twice[0]!r} is in the grid twice")
    for spot in spots:
        release(spot.body, spot.cell("").conditions, 0, (), 0, 1, form)
    return spots


def check_engines(throws: Mapping[str, int], spots: Sequence[GridCell]) -> None:
    """Check the number of engines and of throws by each (engine -> throws).

    Raises InvalidValueError if there are fewer than two engines, a number is outside its range, or an engine is
    unknown, not installed, or not made for one of the surfaces or for the floor.
    """
    if len(throws) < 2:
        raise InvalidValueError(f"{len(throws)} engine: agreement needs at least two")
    for name, count in throws.items():
        if not 100 <= count <= MAX_THROWS:
            raise InvalidValueError(f"throws {count} of {name} is outside 100..{MAX_THROWS}")
        _ = engine(name).versions  # raises if the engine is not installed
        for spot in spots:
            check_limits(engine(name), surface(spot.surface).nominal, floor=spot.floor)


def compare_engines(
    spots: Sequence[GridCell],
    throws: Mapping[str, int],
    seed: int,
    workers: int,
    progress: StageProgress = lambda *_: None,
) -> Agreement:
    """Throw all cells by every engine and test each pair in each cell.

    Raises CancelledRunError on Ctrl-C. The result does not depend on the number of workers. `progress` is called after
    every chunk with the engine, its throws done and all its throws.
    """
    check_root(seed)
    check_engines(throws, spots)
    fallen: dict[str, dict[GridCell, Tally]] = {}
    with StopRequest() as stop, Throwers(seed, workers, lambda: stop.asked) as throwers:
        for name, count in throws.items():
            cells = {spot: spot.cell(name) for spot in spots}
            fallen[name] = throwers.totals(cells, count, partial(progress, name))
            done, wanted = sum(one.hands for one in fallen[name].values()), count * len(spots)
            if done < wanted:
                raise CancelledRunError(f"interrupted after {done} of {wanted} throws by {name}")
    tallies = {spot: {name: fallen[name][spot] for name in throws} for spot in spots}
    differences = [
        _difference(spot, pair, tallies[spot])
        for spot in spots
        for pair in itertools.combinations(throws, 2)
    ]
    return Agreement(tallies, _quasi_static(spots), mark_disagreements(differences))


def _difference(
    spot: GridCell, pair: tuple[str, str], tallies: Mapping[str, Tally]
) -> EngineDifference:
    first, second = (tallies[name] for name in pair)
    shift, error = share_shift(first, second, spot.pose)
    table = np.array([list(first.counts.values()), list(second.counts.values())])
    return EngineDifference(pair, spot, shift, error, *homogeneity(table))


def share_shift(first: Tally, second: Tally, *poses: str) -> tuple[float, float]:
    """Return the share of some poses in the second tally minus that in the first, and its standard error."""
    found = [sum(tally.counts[pose] for pose in poses) for tally in (first, second)]
    bricks = [first.bricks, second.bricks]
    # one success and one failure are added, so that the error of a share of 0 or 1 is not 0
    share = [(k + 1) / (n + 2) for k, n in zip(found, bricks, strict=True)]
    variance = sum(q * (1 - q) / n for q, n in zip(share, bricks, strict=True))
    return found[1] / bricks[1] - found[0] / bricks[0], math.sqrt(variance)


def homogeneity(table: Counts) -> tuple[float, int, float]:
    """Return chi-squared, degrees of freedom and p-value of the hypothesis that all rows have the same shares.

    Columns with an expected count below `MIN_EXPECTED` in a row are pooled, rarest first. This depends on the sums over
    all rows only, so it does not bias the test. The table has the shape (rows, poses).
    """
    columns = sorted(table.T.tolist(), key=sum)
    columns = [column for column in columns if sum(column)]
    rows = table.sum(axis=1)
    least = MIN_EXPECTED * table.sum() / rows.min()
    while len(columns) > 1 and sum(columns[0]) < least:
        pooled = [a + b for a, b in zip(columns[0], columns[1], strict=True)]
        columns = sorted([pooled, *columns[2:]], key=sum)
    if len(columns) == 1:
        return 0.0, 0, 1.0
    found = chi2_contingency(np.array(columns).T, correction=False)
    return float(found.statistic), int(found.dof), float(found.pvalue)


def mark_disagreements(differences: Sequence[EngineDifference]) -> tuple[EngineDifference, ...]:
    """Return the differences with failed tests marked, at a family-wise error rate of `FALSE_ALARM`.

    Source: the step-down procedure of S. Holm, Scandinavian Journal of Statistics 6, 1979. It is valid for dependent
    tests, such as tests that share a sample.
    """
    order = sorted(range(len(differences)), key=lambda i: differences[i].p_value)
    failed: set[int] = set()
    for rank, i in enumerate(order):
        if differences[i].p_value > FALSE_ALARM / (len(order) - rank):
            break
        failed.add(i)
    return tuple(replace(one, agrees=i not in failed) for i, one in enumerate(differences))


def _quasi_static(spots: Sequence[GridCell]) -> dict[GridCell, float]:
    """Return trimesh's quasi-static share of each cell's pose."""
    import trimesh

    shares: dict[str, dict[str, float]] = {}
    for body in {spot.shape: spot.body for spot in spots}.values():
        mesh = trimesh.convex.convex_hull(body.vertices_mm)
        frames, chances = trimesh.poses.compute_stable_poses(mesh, center_mass=np.zeros(3))
        normals = np.array([face.normal for face in body.faces])
        found = dict.fromkeys(body.poses, 0.0)
        for frame, chance in zip(frames, chances, strict=True):
            cosines = normals @ -frame[2, :3]
            if cosines.max() > _SAME_FACE:
                found[body.faces[int(cosines.argmax())].pose] += float(chance)
        shares[body.name] = found
    return {spot: shares[spot.shape][spot.pose] for spot in spots}
