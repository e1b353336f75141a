"""Throwers: cells cut into chunks, thrown by worker processes and counted in order.

A tally counts poses and scores of hands, with 95 % intervals of shares. While somebody watches, throws are counted in
chunks that grow with their number.
"""

import itertools
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from math import hypot
from time import perf_counter
from typing import Any, Self, TypeVar

import numpy as np
import scipy  # loads its special functions with the first hand of several bricks

from brickphys.engines.engine import Landing
from brickphys.engines.registry import engine
from brickphys.errors import InvalidValueError
from brickphys.notes import Progress
from brickphys.odds.distribution import wilson, wilson_of_share
from brickphys.odds.roll import SIDE
from brickphys.shapes.body import Body
from brickphys.shapes.body_file import BodyFile, is_body_file, read_body_file
from brickphys.shapes.brick import BrickDimensions
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import Conditions, ContactCoefficients
from brickphys.throws.faces import face_map
from brickphys.throws.flight import States
from brickphys.throws.release import PLANE, Floor, release
from brickphys.workers import LocalExecutor


@dataclass(frozen=True)
class Tally:
    """Counts of hands of `k` bricks; tallies of the same cell can be added."""

    counts: Mapping[str, int]
    """Pose -> number of bricks; every brick has one pose."""
    scores: tuple[int, ...]
    """Numbers of hands with 0, 1, ..., k bricks in a pose that scores: on a side, for bricks."""
    energy_gain: float
    """Largest energy gain of a hand, as a share of its energy at the start: an error of the engine."""
    squares: Mapping[str, int] = field(default_factory=dict)
    """Pose -> sum over hands of the squared number of bricks in it; empty for single bricks, where it is the count."""
    off_table: int = 0
    """Number of single bricks that left the table; they are in no other count."""

    @property
    def hands(self) -> int:
        """Number of hands."""
        return sum(self.scores) + self.off_table

    @property
    def bricks(self) -> int:
        """Number of bricks."""
        return sum(self.counts.values())

    @property
    def sides(self) -> int:
        """Number of bricks in a pose that scores: on a side, for bricks."""
        return sum(score * hands for score, hands in enumerate(self.scores))

    @property
    def poses_ci95(self) -> dict[str, tuple[float, float]]:
        """The 95 % interval of the share of each pose; see `share_interval`."""
        bricks, squares = len(self.scores) - 1, self.squares or self.counts
        return {
            pose: _interval(count, squares[pose], sum(self.scores), bricks)
            for pose, count in self.counts.items()
        }

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            {pose: count + other.counts[pose] for pose, count in self.counts.items()},
            tuple(a + b for a, b in zip(self.scores, other.scores, strict=True)),
            max(self.energy_gain, other.energy_gain),
            {pose: square + other.squares[pose] for pose, square in self.squares.items()},
            self.off_table + other.off_table,
        )


def tally(landing: Landing, scoring: Sequence[str] = (SIDE,)) -> Tally:
    """Return the counts of a landing; `scoring` are the poses that score."""
    k, off = landing.pose.shape[1], 0
    if landing.poses[-1] == OFF_TABLE:
        on = landing.pose[:, 0] < len(landing.poses) - 1
        landing, off = replace(landing[on], poses=landing.poses[:-1]), int((~on).sum())
    scored = np.isin(np.array(landing.poses)[landing.pose], list(scoring))
    scores = np.bincount(scored.sum(axis=1), minlength=k + 1)
    squares = {
        pose: int(((landing.pose == index).sum(axis=1) ** 2).sum())
        for index, pose in enumerate(landing.poses)
        if k > 1
    }
    return Tally(
        landing.counts(),
        tuple(scores.tolist()),
        float(landing.energy_gain.max(initial=0.0)),
        squares,
        off,
    )


def half_width(tally: Tally) -> float:
    """Return the half-width of the 95 % interval of the share of sides."""
    low, high = side_interval(tally)
    return (high - low) / 2


def sides_difference(one: Tally, other: Tally) -> tuple[float, tuple[float, float]]:
    """Return the share of sides of a tally minus that of another one, and its 95 % interval.

    The interval is the hybrid one of R. Newcombe (Statistics in Medicine 17, 1998, method 10), from both intervals; it
    holds for hands of several bricks, too, since theirs are cluster-robust. The tallies should be independent.
    """
    p, q = one.sides / one.bricks, other.sides / other.bricks
    (low, high), (least, most) = side_interval(one), side_interval(other)
    more = p - q
    return more, (more - hypot(p - low, most - q), more + hypot(high - p, q - least))


def side_interval(tally: Tally) -> tuple[float, float]:
    """Return the 95 % interval of the share of sides; see `share_interval`."""
    return share_interval(tally.scores)


def share_interval(scores: Sequence[int]) -> tuple[float, float]:
    """Return the 95 % interval of the share of bricks in a pose.

    For single bricks it is Wilson's interval. For larger hands it is cluster-robust, because the bricks of a hand are
    not independent: the number of trials in Wilson's formula is the one that gives the observed variance between hands,
    and at most the number of bricks. Student's quantile replaces the normal one, since the variance is estimated. The
    scores are the numbers of hands with 0, 1, ..., k bricks in the pose.
    """
    score = np.arange(len(scores))
    found, squares = int(np.dot(scores, score)), int(np.dot(scores, score**2))
    return _interval(found, squares, sum(scores), len(scores) - 1)


def _interval(found: int, squares: int, hands: int, bricks: int) -> tuple[float, float]:
    """Return the interval of `found` bricks in hands of `bricks`; `squares` is the sum of their squares by hand."""
    if bricks == 1:
        return wilson(found, hands) if hands else (0.0, 1.0)
    p = found / (hands * bricks)
    spread = (hands * squares - found**2) / hands / max(hands - 1, 1)
    variance = spread / (hands * bricks**2)
    trials = p * (1 - p) / variance if variance > 0 else float(hands)
    quantile = scipy.special.stdtrit(hands - 1, 0.975) if hands > 1 else np.inf
    return wilson_of_share(p, min(trials, float(hands * bricks)), float(quantile))


K = TypeVar("K")


@dataclass(frozen=True)
class ThrowCell:
    """Everything that the throws of a cell have in common."""

    shape: str
    conditions: Conditions
    contact: ContactCoefficients
    engine: str
    address: tuple[int, ...]
    """Seed address of the cell within the root."""
    dimensions: BrickDimensions | None = None
    """Lengths of bricks and plates; None for the fitted ones."""
    floor: Floor = PLANE
    file: BodyFile | None = None
    """The body, if it is of a body file; None for a shape by name."""
    table_mm: tuple[float, float] | None = None
    """Lengths of the table along x and y, for single bodies on a plane; None if it has no edges."""

    @property
    def body(self) -> Body:
        """The thrown body."""
        return body_of(self.shape, self.dimensions) if self.file is None else filed_body(self.file)


@dataclass(frozen=True)
class ThrowChunk:
    """Hands ``first .. first + count - 1`` of a cell."""

    cell: ThrowCell
    first: int
    count: int


@lru_cache(maxsize=64)
def body_of(
    shape: str, dimensions: BrickDimensions | None = None, edge_radius_mm: float | None = None
) -> Body:
    """Return the body of a shape; it is cached, so its face map is computed once in a process."""
    return parse_shape(shape, dimensions, edge_radius_mm)


@lru_cache(maxsize=64)
def filed_body(file: BodyFile) -> Body:
    """Return the body of a body file, cached likewise.

    Raises InvalidValueError if it cannot rest in any pose with a name, or not in one that scores.
    """
    body = file.body()
    rests = {rest.pose for rest in face_map(body).rests}
    if not rests & set(body.poses):
        raise InvalidValueError(f"{file.name}: no stable face has a pose")
    if unstable := [pose for pose in body.scoring if pose not in rests]:
        raise InvalidValueError(
            f"{file.name}: scores: {unstable[0]!r} is not a pose in which the body can rest"
        )
    return body


def thrown_body(
    shape: str | BodyFile, edge_radius_mm: float | None = None
) -> tuple[Body, BodyFile | None]:
    """Return the body of a shape's name or of a body file (or its name), and what that file says.

    Raises InvalidValueError as `parse_shape`, `read_body_file` and `filed_body`.
    """
    if isinstance(shape, str) and not is_body_file(shape):
        return body_of(shape, None, edge_radius_mm), None
    file = read_body_file(shape) if isinstance(shape, str) else shape
    if edge_radius_mm is not None:
        file = file.rounded(edge_radius_mm)
    return filed_body(file), file


def throw(root: int, chunk: ThrowChunk) -> Tally:
    """Throw a chunk in this process and return its counts."""
    return tally(land(root, chunk), chunk.cell.body.scoring)


def land(root: int, chunk: ThrowChunk) -> Landing:
    """Throw a chunk in this process and return the final states of its hands.

    Hands whose results depend on each other are thrown in whole groups (see `Engine.group_hands`).
    """
    return flown(root, chunk)[1]


def flown(root: int, chunk: ThrowChunk) -> tuple[States, Landing]:
    """Throw a chunk in this process and return the states of its hands at their release, and the final ones."""
    cell = chunk.cell
    states, wanted = released(root, chunk)
    return states[wanted], landed(cell, states)[wanted]


OFF_TABLE = "off_table"


def landed(cell: ThrowCell, states: States) -> Landing:
    """Return the landing of a cell's hands; bodies whose centres of mass stop beyond the edges of its table are off.

    The plane goes on beyond the edges, so a body that comes back, as a coin on a curve may, is not off.
    """
    chosen: Any = engine(cell.engine)
    if cell.table_mm is not None:  # what is decided by its energy may still slide off
        chosen = replace(chosen, settings=replace(chosen.settings, by_energy=False))
    landing: Landing = chosen.land(cell.body, cell.contact, states, cell.floor)
    if cell.table_mm is None:
        return landing
    half = np.array(cell.table_mm) / 2
    off = (np.abs(landing.states.position_mm[..., :2]) > half).any(axis=-1)
    poses = (*landing.poses, OFF_TABLE)
    return replace(landing, poses=poses, pose=np.where(off, len(landing.poses), landing.pose))


def released(root: int, chunk: ThrowChunk) -> tuple[States, slice]:
    """Return the hands of the groups of a chunk at their release, shape (n, k), and which of them are the chunk's."""
    cell = chunk.cell
    group = engine(cell.engine).group_hands(cell.conditions.bricks, cell.floor)
    skipped = chunk.first % group
    count = -(-(skipped + chunk.count) // group) * group
    first = chunk.first - skipped
    states = release(cell.body, cell.conditions, root, cell.address, first, count, cell.floor)
    return states, slice(skipped, skipped + chunk.count)


def chunks(cell: ThrowCell, count: int | None = None) -> Iterator[ThrowChunk]:
    """Yield the chunks of `count` hands of a cell; without end if `count` is None."""
    size = engine(cell.engine).chunk_hands(cell.conditions.bricks, cell.floor)
    for first in itertools.count(0, size):
        if count is not None and first >= count:
            return
        yield ThrowChunk(cell, first, size if count is None else min(size, count - first))


def chunk_hands(cell: ThrowCell) -> int:
    """Return the number of hands of a full chunk of this cell."""
    return next(chunks(cell)).count


class Throwers:
    """Worker processes that throw chunks of one root seed.

    Raises InvalidValueError if `workers` is not 1 to 256. Once `stopped` returns True, no further chunk is started;
    chunks under way are still counted.
    """

    def __init__(
        self, root: int, workers: int, stopped: Callable[[], bool] = lambda: False
    ) -> None:
        self._executor = LocalExecutor(partial(throw, root), workers)
        self._stopped = stopped

    def __enter__(self) -> Self:
        self._executor.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._executor.__exit__(*error)

    def warm_up(self, cell: ThrowCell) -> None:
        """Start every worker, import its engine and build a first world, so that these are not timed."""
        for _ in self.tallies([ThrowChunk(cell, 0, 1)] * self._executor.workers):
            pass

    def tallies(self, work: Iterable[ThrowChunk]) -> Generator[Tally, None, None]:
        """Yield the tally of each chunk, in the order of the chunks; see `LocalExecutor.map`."""
        return self._executor.map(work, self._stopped)

    def totals(
        self,
        cells: Mapping[K, ThrowCell],
        count: int,
        progress: Progress = lambda *_: None,
    ) -> dict[K, Tally]:
        """Throw `count` hands of each cell and return the tally of each; fewer if stopped.

        `progress` is called after every chunk with the hands done and all hands.
        """
        work = [(key, chunk) for key, cell in cells.items() for chunk in chunks(cell, count)]
        totals: dict[K, Tally] = {}
        done = 0
        for (key, chunk), more in zip(work, self.tallies(c for _, c in work), strict=False):
            totals[key] = totals[key] + more if key in totals else more
            done += chunk.count
            progress(done, count * len(cells))
        return totals


_FEW, _GROWTH = 10, 0.2
"""Most hands of the second chunk; share of the hands so far in later ones."""
_LONG_S = 0.25
"""No chunk is planned to take longer, so that a count stops soon."""


def live_count(cell: ThrowCell, root: int, hands: int) -> Iterator[Tally]:
    """Yield the tally of all throws so far after each chunk; the last one is as of `throw.drop`."""
    group = engine(cell.engine).group_hands(cell.conditions.bricks, cell.floor)
    total: Tally | None = None
    done, size = 0, 1
    while done < hands:
        count = min(-(-size // group) * group, hands - done)
        start = perf_counter()
        more = throw(root, ThrowChunk(cell, done, count))
        total = more if total is None else total + more
        done += count
        in_time = int(_LONG_S * count / (perf_counter() - start))
        size = max(min(in_time, max(_FEW, int(_GROWTH * done))), 1)
        yield total
