"""Rolls: published shares of poses of thrown solids, the same throws simulated, and what simpler rules say of them.

Prisms and coins were rolled by unknown hands on unknown surfaces. A comparison therefore asks whether *one* surface
explains all rows of a set, and how far the answer depends on the throw.
"""

import math
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import product

import numpy as np
from scipy.optimize import minimize_scalar

from brickphys.arrays import Array
from brickphys.calibration.throwers import ThrowCell, ThrowChunk, Throwers, chunks
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import Conditions
from brickphys.throws.surfaces import ContactCoefficients

Progress = Callable[[int, int], None]

SIDE_MM = 15.0
"""Side of the prisms' squares, diameter of coin and cylinder: the sources give ratios only. Speed squared over gravity
times size is all that matters of the size, so that other sizes are other speeds."""
MAX_THROWS = 1_000_000


@dataclass(frozen=True)
class RolledSolid:
    """A thrown solid, and the poses that are counted.

    Attributes
    ----------
    shape
        As on the command line.
    poses
        Poses of the body that count, such as ``("heads", "tails")``.
    """

    shape: str
    poses: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """One published share.

    Attributes
    ----------
    ratio
        Thickness (height) over side (diameter).
    share
        Of the rolls that ended in the pose.
    rolls
        How many; 0 where the source does not say.
    """

    ratio: float
    share: float
    rolls: int


@dataclass(frozen=True)
class RollSet:
    """Published rows with their source."""

    source: str
    rows: tuple[Row, ...]

    @property
    def ratios(self) -> Array:
        """Ratios, shape (rows,)."""
        return np.array([row.ratio for row in self.rows])

    @property
    def shares(self) -> Array:
        """Shares, shape (rows,)."""
        return np.array([row.share for row in self.rows])

    @property
    def rolls(self) -> Array:
        """Numbers of rolls, shape (rows,)."""
        return np.array([float(row.rolls) for row in self.rows])

    def chi2(self, expected: Array) -> Array:
        """Return Pearson's chi squared of expected shares (..., rows) against the measured ones, shape (...)."""
        squared = (self.shares - expected) ** 2 / (expected * (1.0 - expected))
        return np.asarray((self.rolls * squared).sum(axis=-1))


@lru_cache(maxsize=1)
def published() -> dict[str, RollSet]:
    """Return the published sets: ``prisms``, ``coin`` and ``cylinder`` (``rolls.toml``)."""
    text = files("brickphys.calibration").joinpath("rolls.toml").read_text(encoding="utf-8")
    return {
        name: RollSet(table["source"], tuple(Row(**row) for row in table["rows"]))
        for name, table in tomllib.loads(text).items()
    }


def prism(ratio: float) -> RolledSolid:
    """Return a square prism of that thickness over `SIDE_MM`; its square faces are counted."""
    return RolledSolid(f"cuboid:{SIDE_MM:g}x{SIDE_MM:g}x{SIDE_MM * ratio:g}", ("z",))


def thick_coin(ratio: float) -> RolledSolid:
    """Return a coin of that thickness over diameter; its edge is counted."""
    return RolledSolid(f"coin:{SIDE_MM:g}x{SIDE_MM * ratio:g}", ("edge",))


def upright_cylinder(ratio: float) -> RolledSolid:
    """Return a cylinder of that height over diameter; its ends are counted."""
    return RolledSolid(f"coin:{SIDE_MM:g}x{SIDE_MM * ratio:g}", ("heads", "tails"))


def check_throws(throws: int, limit: int = MAX_THROWS) -> int:
    """Return a number of throws that can be simulated, else raise InvalidValueError."""
    if not 1 <= throws <= limit:
        raise InvalidValueError(f"throws {throws} is outside 1..{limit}")
    return throws


def throw_solids(
    solids: Sequence[RolledSolid],
    contacts: Sequence[ContactCoefficients],
    conditions: Conditions,
    throws: int,
    root: int,
    *,
    address: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> Array:
    """Throw every solid on every surface; return how often it ended in its poses, shape (contacts, solids).

    All surfaces get the same throws of a solid, so that their difference is that of the surfaces.

    Parameters
    ----------
    solids, contacts, conditions
        What is thrown, on what, how.
    throws
        How often each solid is thrown on each surface.
    root, address
        Root seed, and what tells these random numbers from others of the same root.
    workers, progress
        Processes that throw, and who is told of finished jobs.
    """
    check_throws(throws)
    pairs = list(product(contacts, enumerate(solids)))
    work: list[tuple[int, ThrowChunk]] = [
        (i, chunk)
        for i, (contact, (k, solid)) in enumerate(pairs)
        for chunk in chunks(
            ThrowCell(solid.shape, conditions, contact, "compiled", (address, k)), throws
        )
    ]
    counts = np.zeros(len(pairs))
    tell = progress or (lambda _done, _total: None)
    with Throwers(root, workers) as throwers:
        fallen = throwers.tallies(chunk for _, chunk in work)
        for done, ((i, _), tally) in enumerate(zip(work, fallen, strict=True), start=1):
            _, (_, solid) = pairs[i]
            counts[i] += sum(tally.counts[pose] for pose in solid.poses)
            tell(done, len(work))
    return counts.reshape(len(contacts), len(solids))


def prism_solid_angle(ratios: Array) -> Array:
    """Return the share of directions under which a prism's centre sees its square faces, shape like `ratios`.

    Of a square of side 1 at the distance ratio / 2: what a prism would do that never bounced nor rolled on.
    """
    h = np.asarray(ratios) / 2
    return np.asarray(2 * np.arctan(0.25 / (h * np.sqrt(h**2 + 0.5))) * 4 / (4 * math.pi))


def gibbs(ratios: Array, b: float) -> Array:
    """Return the shares of square faces of the one-parameter Gibbs model, shape like `ratios`.

    The chance of each face is proportional to exp(-b h / V^(1/3)), h the height of the centre above it, V the volume.
    """
    x = np.asarray(ratios)
    squares = 2 * np.exp(-b * (x / 2) / x ** (1 / 3))
    sides = 4 * np.exp(-b * 0.5 / x ** (1 / 3))
    return np.asarray(squares / (squares + sides))


def fit_gibbs(rolls: RollSet) -> float:
    """Return the b with the lowest chi squared."""
    found = minimize_scalar(
        lambda b: float(rolls.chi2(gibbs(rolls.ratios, b))), bounds=(1.0, 30.0), method="bounded"
    )
    return float(found.x)


def coin_solid_angle(ratio: float) -> float:
    """Return the share of directions under which a coin's centre sees its rim."""
    return ratio / math.sqrt(1.0 + ratio**2)


def coin_area(ratio: float) -> float:
    """Return the rim's share of a coin's surface."""
    return ratio / (ratio + 0.5)
