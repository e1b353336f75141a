"""Throwers: cells cut into chunks, thrown by worker processes and counted in order."""

import itertools
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Self, TypeVar

from brickphys.calibration.tally import Tally, tally
from brickphys.engines.engine import Landing
from brickphys.engines.registry import engine
from brickphys.errors import InvalidValueError
from brickphys.notes import Progress
from brickphys.shapes.body import Body
from brickphys.shapes.body_file import BodyFile, is_body_file, read_body_file
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.dimensions import BrickDimensions
from brickphys.throws.conditions import Conditions
from brickphys.throws.faces import face_map
from brickphys.throws.floors import PLANE, Floor
from brickphys.throws.release import release
from brickphys.throws.states import States
from brickphys.throws.surfaces import ContactCoefficients
from brickphys.workers import LocalExecutor

K = TypeVar("K")


@dataclass(frozen=True)
class ThrowCell:
    """Everything that the throws of a cell have in common.

    Attributes
    ----------
    shape
        Name of the body.
    conditions, contact
        Throw conditions; friction and restitution of the pair brick and surface.
    engine
        Name of the engine.
    address
        Seed address of the cell within the root.
    dimensions
        Lengths of bricks and plates; None for the fitted ones.
    floor
        The floor.
    file
        The body, if it is of a body file; None for a shape by name.
    """

    shape: str
    conditions: Conditions
    contact: ContactCoefficients
    engine: str
    address: tuple[int, ...]
    dimensions: BrickDimensions | None = None
    floor: Floor = PLANE
    file: BodyFile | None = None

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
def body_of(shape: str, dimensions: BrickDimensions | None = None) -> Body:
    """Return the body of a shape; it is cached, so its face map is computed once in a process."""
    return parse_shape(shape, dimensions)


@lru_cache(maxsize=64)
def filed_body(file: BodyFile) -> Body:
    """Return the body of a body file, cached likewise.

    Raises
    ------
    InvalidValueError
        If it cannot rest in any pose with a name, or not in one that scores.
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


@lru_cache(maxsize=64)
def _named_body(shape: str, edge_radius_mm: float | None) -> Body:
    """Return the body of a shape's name, cached: the cells of a study mostly throw the same."""
    return parse_shape(shape, edge_radius_mm=edge_radius_mm)


def thrown_body(
    shape: str | BodyFile, edge_radius_mm: float | None = None
) -> tuple[Body, BodyFile | None]:
    """Return the body of a shape's name or of a body file (or its name), and what that file says.

    Raises
    ------
    InvalidValueError
        As `parse_shape`, `read_body_file` and `filed_body`.
    """
    if isinstance(shape, str) and not is_body_file(shape):
        return _named_body(shape, edge_radius_mm), None
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
    landing = engine(cell.engine).land(cell.body, cell.contact, states, cell.floor)
    return states[wanted], landing[wanted]


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

    Parameters
    ----------
    root
        Root seed.
    workers
        Number of processes.
    stopped
        Once it returns True, no further chunk is started; chunks under way are still counted.

    Raises
    ------
    InvalidValueError
        If `workers` is not 1 to 256.
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
