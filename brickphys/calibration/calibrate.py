"""Calibrate: throw bricks until the interval of the probability of a side is narrow enough, and make a law."""

import math
import shlex
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from importlib.metadata import version
from itertools import accumulate

from brickphys.calibration.agreement import engine_shift
from brickphys.calibration.law_stamp import law_stamp
from brickphys.calibration.response.surface import Response
from brickphys.calibration.systematic import MIN_THROWS, POINTS, systematic, throw_response
from brickphys.calibration.tally import Tally, half_width, side_interval
from brickphys.calibration.throwers import ThrowCell, Throwers, chunk_hands, chunks, thrown_body
from brickphys.engines.engine import check_limits
from brickphys.engines.registry import REFERENCE, default_engine, engine
from brickphys.errors import (
    BrickphysError,
    CancelledRunError,
    DivergenceError,
    InvalidValueError,
    WorkerDiedError,
)
from brickphys.files import fingerprint
from brickphys.notes import NOTES, StageProgress
from brickphys.odds.intervals import Z95
from brickphys.odds.law import Law, scored
from brickphys.odds.overdispersion import overdispersion
from brickphys.odds.provenance import LawConditions, LawSurface, Source
from brickphys.odds.roll import MAX_BRICKS
from brickphys.seeds import check_root, chosen_root, generator
from brickphys.shapes.body import Body
from brickphys.shapes.body_file import BodyFile
from brickphys.signals import StopRequest
from brickphys.stamp import Stamp, unless_edited
from brickphys.throws.conditions import preset
from brickphys.throws.floors import floor
from brickphys.throws.release import release
from brickphys.throws.surfaces import Surface, is_surface_file, surface

MIN_HALF_WIDTH = 0.0002
"""Six hours of throws on one core. The 90 % range of p on every shipped surface is much wider."""
MAX_HALF_WIDTH = 0.1
MAX_HANDS = 10_000_000
_BATCH = 4
"""Chunks between two checks of the interval. It is fixed, so the stop does not depend on the number of workers."""
_HANDS_SHARE = 200
_MIN_HANDS = 100
"""By default the number of hands of each size is the number of single bricks over 200, and at least 100."""
_DESIGN_SHARE = 2
"""The throws over other tables, moulds and hands are half as many as the single bricks."""
_CHECK_SHARE, _MAX_CHECK = 20, 20_000
"""The slow reference engine throws one brick for 20 single bricks of the law's engine, up to 20,000."""
_RANGE_ADDRESS = 4
_USUAL_P = 0.3
"""Approximate probability of a side of a 2x2 brick, for the first estimate of the work."""


@dataclass(frozen=True)
class Plan:
    """The shape, conditions and precision of a calibration.

    Attributes
    ----------
    shape, preset, floor
        Names, as on the command line.
    surface, engine
        Names; None for the default surface of the floor, and for the default engine of each number of bricks.
    half_width
        Target for the half-width of the 95 % interval of p.
    max_bricks
        Hands of 2, 3, ... up to this number of bricks are thrown.
    hands
        Number of hands of each size; None for one in 200 single throws, and at least 100.
    seed
        Root seed.
    workers
        Number of processes; the law does not depend on it.
    command
        The command line, stored in the law.

    Raises
    ------
    InvalidValueError
        If a name is unknown, a number outside its range, or the shape has no side.
    """

    shape: str = "2x2"
    preset: str = "hand"
    floor: str = "plane"
    surface: str | None = None
    engine: str | None = None
    half_width: float = 0.005
    max_bricks: int = 6
    hands: int | None = None
    seed: int = 0
    workers: int = 1
    command: str = ""

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
                for contact in self.material.extremes:
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


@dataclass
class _Record:
    """The measurements so far, and what computes them."""

    stamp: Stamp
    singles: Tally | None = None
    hands: dict[int, Tally] = field(default_factory=dict)
    response: Response | None = None
    engine: Source | None = None
    stage: str = "single bodies"
    complete: bool = False


def throw_law(
    plan: Plan,
    progress: StageProgress = lambda *_: None,
    cut_short: Callable[[BrickphysError], None] = lambda _: None,
) -> Law:
    """Throw until the plan is met and return the law.

    On Ctrl-C, or if the engine fails after throws were counted, the law has the throws until then and is marked as
    not complete.

    Parameters
    ----------
    plan
        Shape, conditions and precision.
    progress
        Called after every chunk with the stage, the number of its throws so far, and their expected total.
    cut_short
        Called with the reason if the law is not complete.

    Raises
    ------
    CancelledRunError
        On Ctrl-C before the first chunk of throws was counted.
    DivergenceError, WorkerDiedError
        If the engine failed before that.
    """
    record = _Record(law_stamp())
    with StopRequest() as stop, Throwers(plan.seed, plan.workers, lambda: stop.asked) as throwers:
        try:
            for stage in (_throw_singles, _throw_hands, _throw_design, _throw_by_reference):
                if not stop.asked:
                    stage(plan, throwers, record, progress)
        except (DivergenceError, WorkerDiedError) as error:
            if record.singles is None:
                raise
            cut_short(error)
            return _law(plan, record)
    if record.singles is None:
        raise CancelledRunError("interrupted before any throw was counted")
    record.complete = not stop.asked
    if stop.asked:
        cut_short(CancelledRunError(f"interrupted in stage {record.stage!r}"))
    return _law(plan, record)


def calibrate(
    shape: str = "2x2",
    *,
    preset: str = "hand",
    surface: str | None = None,
    floor: str = "plane",
    engine: str | None = None,
    half_width: float = 0.005,
    bricks: int = 6,
    hands: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    progress: StageProgress = lambda *_: None,
) -> Law:
    """Throw until the chance of a side is known, and return the law; `brickphys.odds.write_law` writes it to a file.

    Parameters
    ----------
    shape, preset, floor
        Names or files, as of `brickphys.throw`.
    surface, engine
        Likewise; None for the usual ones, as of `brickphys.throw`.
    half_width
        Target for the half-width of the 95 % interval of the chance, 0.0002 to 0.1.
    bricks
        Largest number of bricks in a hand.
    hands
        Number of hands of each size; None for one per 200 single throws.
    seed
        Root seed; None draws one.
    workers
        Number of processes; the law does not depend on it.
    progress
        Called after every chunk with the stage, the number of its throws so far, and their expected total.

    Raises
    ------
    InvalidValueError
        If a name is unknown, a number outside its range, or the shape has no side.
    CancelledRunError
        On Ctrl-C before any throw was counted. Later, the law has the throws so far and is marked as incomplete.
    """
    plan = Plan(
        shape=shape,
        preset=preset,
        floor=floor,
        surface=surface,
        engine=engine,
        half_width=half_width,
        max_bricks=bricks,
        hands=hands,
        seed=chosen_root(seed),
        workers=workers,
    )
    return throw_law(replace(plan, command=_command(plan)), progress)


def _command(plan: Plan) -> str:
    """Return the command line that repeats a calibration."""
    usual, words = Plan(), ["brickphys", "calibrate", "--seed", str(plan.seed)]
    for entry in fields(plan):
        value = getattr(plan, entry.name)
        if value != getattr(usual, entry.name) and entry.name not in ("seed", "workers", "command"):
            option = "bricks" if entry.name == "max_bricks" else entry.name.replace("_", "-")
            words += [f"--{option}", str(value)]
    return shlex.join(words)


def _throw_singles(
    plan: Plan, throwers: Throwers, record: _Record, progress: StageProgress
) -> None:
    """Throw single bricks; the interval is checked after every `_BATCH` chunks, and noted after 1, 2, 4, ... chunks."""
    with closing(throwers.tallies(chunks(plan.cell(1)))) as tallies:
        for number, total in enumerate(accumulate(tallies), start=1):
            record.singles = total
            progress(record.stage, total.hands, max(total.hands, expected_throws(plan, total)))
            if number.bit_count() == 1:
                low, high = (100 * limit for limit in side_interval(total))
                note = "%s single bodies: %s in %.1f to %.1f %% (95 %% interval)"
                NOTES.info(note, f"{total.hands:,}", scored(plan.cell(1).body.scoring), low, high)
            if number % _BATCH == 0 and half_width(total) <= plan.half_width:
                return


def expected_throws(plan: Plan, so_far: Tally) -> int:
    """Return the number of throws that will meet the plan's half-width, estimated from the throws so far."""
    return _throws_for(plan, (so_far.sides + 1) / (so_far.bricks + 2))


def expected_work(plan: Plan) -> dict[str, int]:
    """Return an estimate of the number of hands of each stage of a plan, before any throw."""
    singles = _throws_for(plan, _USUAL_P)
    work = {"single bodies": singles}
    for bricks in range(2, plan.max_bricks + 1):
        work[f"{bricks} bodies together"] = _hands(plan, singles)
    work["other tables and hands"] = _per_point(singles) * POINTS
    if plan.cell(1).engine != REFERENCE:
        work["reference engine"] = _check(singles)
    return work


def _throws_for(plan: Plan, p: float) -> int:
    batch = _BATCH * chunk_hands(plan.cell(1))
    return math.ceil(Z95**2 * p * (1 - p) / plan.half_width**2 / batch) * batch


def _hands(plan: Plan, singles: int) -> int:
    return plan.hands or max(_MIN_HANDS, singles // _HANDS_SHARE)


def _per_point(singles: int) -> int:
    return max(MIN_THROWS, singles // _DESIGN_SHARE // POINTS)


def _check(singles: int) -> int:
    return min(max(_MIN_HANDS, singles // _CHECK_SHARE), _MAX_CHECK)


def _throw_hands(plan: Plan, throwers: Throwers, record: _Record, progress: StageProgress) -> None:
    assert record.singles is not None
    hands = _hands(plan, record.singles.hands)
    for bricks in range(2, plan.max_bricks + 1):
        record.stage = f"{bricks} bodies together"
        for total in accumulate(throwers.tallies(chunks(plan.cell(bricks), hands))):
            record.hands[bricks] = total
            progress(record.stage, total.hands, hands)


def _throw_design(plan: Plan, throwers: Throwers, record: _Record, progress: StageProgress) -> None:
    assert record.singles is not None
    record.stage = "other tables and hands"
    record.response = throw_response(
        throwers,
        plan.cell(1),
        plan.material,
        _per_point(record.singles.hands),
        plan.seed,
        partial(progress, record.stage),
    )


def _throw_by_reference(
    plan: Plan, throwers: Throwers, record: _Record, progress: StageProgress
) -> None:
    """Throw by the reference engine; the difference between the engines is part of the range of p."""
    assert record.singles is not None
    cell = plan.cell(1)
    if cell.engine == REFERENCE or record.response is None:
        return
    record.stage = "reference engine"
    throws = _check(record.singles.hands)
    report = partial(progress, record.stage)
    record.engine = engine_shift(throwers, cell, record.singles, REFERENCE, throws, report)


def _law(plan: Plan, record: _Record) -> Law:
    assert record.singles is not None
    cell = plan.cell(1)
    scores: Mapping[int, tuple[int, ...]] = {
        1: record.singles.scores,
        **{bricks: tally.scores for bricks, tally in record.hands.items()},
    }
    conditions = cell.conditions
    range90, sources = None, None
    if record.response is not None:
        rng = generator(plan.seed, *cell.address, _RANGE_ADDRESS)
        range90, sources = systematic(record.response, record.engine, rng)
    return Law(
        counts=record.singles.counts,
        ci95=side_interval(record.singles),
        scores=scores,
        shape=cell.shape,
        surface=LawSurface(
            plan.material.name, cell.contact.friction, cell.contact.restitution, plan.floor
        ),
        conditions=LawConditions(
            conditions.preset,
            conditions.height_mm,
            conditions.speed_m_s,
            conditions.spin_rad_s,
            conditions.scatter,
        ),
        engine=cell.engine,
        hands_engine=plan.cell(2).engine if record.hands else None,
        versions=_versions(plan),
        seed=plan.seed,
        overdispersion=overdispersion(scores),
        p_range90=range90,
        systematic=sources,
        complete=record.complete,
        command=plan.command,
        scoring=cell.body.scoring,
        files=plan.files,
        stamp=unless_edited(record.stamp),
        validation={"largest energy gain of a hand": _energy_gain(record)},
    )


def _energy_gain(record: _Record) -> float:
    tallies = [record.singles, *record.hands.values()]
    return max(tally.energy_gain for tally in tallies if tally is not None)


def _versions(plan: Plan) -> dict[str, str]:
    versions = {name: version(name) for name in ("brickphys", "numpy", "scipy")}
    for bricks in range(1, min(plan.max_bricks, 2) + 1):
        versions |= engine(plan.cell(bricks).engine).versions
    return versions
