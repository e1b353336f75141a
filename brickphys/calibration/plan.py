"""Plan: what a calibration throws, how precisely, and about how much work this is."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

from brickphys.calibration.systematic import MIN_THROWS, POINTS
from brickphys.calibration.throwers import Tally, ThrowCell, chunk_hands, thrown_body
from brickphys.engines.engine import check_limits
from brickphys.engines.registry import default_engine, engine, is_installed, reference_engine
from brickphys.errors import InvalidValueError, MissingLibraryError, how_to_install
from brickphys.files import fingerprint
from brickphys.odds.distribution import Z95
from brickphys.odds.roll import MAX_BRICKS
from brickphys.seeds import check_root
from brickphys.shapes.body import Body
from brickphys.shapes.body_file import BodyFile
from brickphys.throws.conditions import Surface, is_surface_file, preset, surface
from brickphys.throws.release import floor, release

MIN_HALF_WIDTH = 0.0002
"""Six hours of throws on one core. The 90 % range of p on every shipped surface is much wider."""
MAX_HALF_WIDTH = 0.1
MAX_HANDS = 10_000_000
BATCH = 4
"""Chunks between two checks of the interval. It is fixed, so the stop does not depend on the number of workers."""
_HANDS_SHARE = 200
_MIN_HANDS = 100
"""By default the number of hands of each size is the number of single bricks over 200, and at least 100."""
_DESIGN_SHARE = 2
"""The throws over other tables, moulds and hands are twice as many as the single bricks."""
_CHECK_SHARE, _MAX_CHECK = 10, 100_000
"""The slow reference engine throws one brick for 10 single bricks of the law's engine, up to 100,000."""
_USUAL_P = 0.3
"""Approximate probability of a side of a 2x2 brick, for the first estimate of the work."""


@dataclass(frozen=True)
class Plan:
    """The shape, conditions and precision of a calibration.

    Raises InvalidValueError if a name is unknown, a number outside its range, or the shape has no side.
    """

    shape: str = "2x2"
    preset: str = "hand"
    floor: str = "plane"
    surface: str | None = None
    engine: str | None = None
    """Names; None for the default surface of the floor, and for the default engine of each number of bricks."""
    half_width: float = 0.005
    """Target for the half-width of the 95 % interval of p."""
    max_bricks: int = 6
    """Hands of 2, 3, ... up to this number of bricks are thrown."""
    hands: int | None = None
    """Number of hands of each size; None for one in 200 single throws, and at least 100."""
    seed: int = 0
    workers: int = 1
    """Number of processes; the law does not depend on it."""
    command: str = ""
    """The command line, stored in the law."""

    def __post_init__(self) -> None:
        if not MIN_HALF_WIDTH <= self.half_width <= MAX_HALF_WIDTH:
            raise InvalidValueError(
                f"half-width {self.half_width:g} is outside {MIN_HALF_WIDTH:g} to {MAX_HALF_WIDTH:g}"
            )
        if not 1 <= self.max_bricks <= MAX_BRICKS:
            raise InvalidValueError(f"bricks {self.max_bricks} is outside 1..{MAX_BRICKS}")
        if self.hands is not None and not 2 <= self.hands <= MAX_HANDS:
            raise InvalidValueError(f"hands {self.hands} is outside 2..{MAX_HANDS}")
        check_root(self.seed)
        if not self.cell(1).body.scoring:
            raise InvalidValueError(
                f"shape {self.shape!r} has no side: laws are for bricks and plates, and for body files with scores"
            )
        for bricks in range(1, self.max_bricks + 1):
            cell = self.cell(bricks)
            check_limits(engine(cell.engine), cell.contact, bricks, cell.floor)
            if bricks == 1:  # thrown over the whole range of the surface
                for contact in self.material.of_impacts.extremes:
                    check_limits(engine(cell.engine), contact, 1, cell.floor)
            # impossible conditions must raise here, before an hour of throws
            release(cell.body, cell.conditions, 0, cell.address, 0, 1, cell.floor)

    @cached_property
    def material(self) -> Surface:
        """The surface of the floor; a file of it is read once."""
        return surface(floor(self.floor).surface if self.surface is None else self.surface)

    @cached_property
    def _thrown(self) -> tuple[Body, BodyFile | None]:
        """The body, and what its file says if it is of one; files are read once."""
        return thrown_body(self.shape)

    @property
    def files(self) -> dict[str, str]:
        """Name and SHA-256 of the files of the body and of the surface."""
        file = self._thrown[1]
        found = {} if file is None else dict(file.files)
        if self.surface and is_surface_file(self.surface):
            found[self.surface] = fingerprint(self.surface)
        return found

    def cell(self, bricks: int) -> ThrowCell:
        """Return the cell of hands of a number of bricks."""
        form = floor(self.floor)
        body, file = self._thrown
        return ThrowCell(
            body.name,
            replace(preset(self.preset), bricks=bricks),
            self.material.nominal,
            self.engine or default_engine(bricks, form),
            (bricks,),
            floor=form,
            file=file,
        )


def checked_reference(plan: Plan) -> str:
    """Return the name of the engine that a law is compared with, once all that the plan needs are found to be there.

    Raises MissingLibraryError if one of them is missing.
    """
    try:
        for bricks in range(1, plan.max_bricks + 1):
            _ = engine(plan.cell(bricks).engine).versions
    except MissingLibraryError as error:
        if bricks == 1:
            raise
        raise MissingLibraryError(
            f"{error}; so do hands with MuJoCo: {how_to_install('mujoco')}; so do single bodies: --bricks 1"
        ) from error
    return reference_engine()


def usual_bricks(floor_name: str) -> int:
    """Return how many bodies are thrown together at most: 1 where all engines that throw several are missing."""
    together = default_engine(2, floor(floor_name))
    return Plan.max_bricks if is_installed(together) else 1


def expected_throws(plan: Plan, so_far: Tally) -> int:
    """Return the number of throws that will meet the plan's half-width, estimated from the throws so far."""
    return _throws_for(plan, (so_far.sides + 1) / (so_far.bricks + 2))


def expected_work(plan: Plan) -> dict[str, int]:
    """Return an estimate of the number of hands of each stage of a plan, before any throw."""
    singles = _throws_for(plan, _USUAL_P)
    work = {"single bodies": singles}
    for bricks in range(2, plan.max_bricks + 1):
        work[f"{bricks} bodies together"] = hands_of_each_size(plan, singles)
    work["other tables and hands"] = math.prod(design_size(singles))
    if plan.cell(1).engine != reference_engine():
        work["reference engine"] = reference_throws(singles)
        points, _ = design_size(singles)
        each = max(1, reference_throws(singles) // points)
        work["reference engine, other tables and hands"] = points * each
    return work


def _throws_for(plan: Plan, p: float) -> int:
    batch = BATCH * chunk_hands(plan.cell(1))
    return math.ceil(Z95**2 * p * (1 - p) / plan.half_width**2 / batch) * batch


def hands_of_each_size(plan: Plan, singles: int) -> int:
    """Return the number of hands of 2, 3, ... bricks after a number of single throws."""
    return plan.hands or max(_MIN_HANDS, singles // _HANDS_SHARE)


def design_size(singles: int) -> tuple[int, int]:
    """Return the points of the design over tables, moulds and hands, a power of two, and the throws at each.

    More points with fewer throws fill the ranges better, and cost a little more time.
    """
    throws, (least, most) = singles * _DESIGN_SHARE, POINTS
    points = min(max(1 << max(throws // MIN_THROWS, 1).bit_length() - 1, least), most)
    return points, max(MIN_THROWS, throws // points)


def reference_throws(singles: int) -> int:
    """Return the number of throws by the reference engine."""
    return min(max(_MIN_HANDS, singles // _CHECK_SHARE), _MAX_CHECK)
