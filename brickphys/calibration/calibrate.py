"""Calibrate: throw bricks until the chance of a side is known to a stated error, and write it down as a law."""

import math
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from itertools import accumulate

from brickphys.calibration.agreement import engine_shift
from brickphys.calibration.systematic import RUNS, measure_systematic, with_engine
from brickphys.calibration.tally import Tally, half_width, side_interval
from brickphys.calibration.throwers import ThrowCell, Throwers, body_of, chunk_hands, chunks
from brickphys.engines.engine import check_limits
from brickphys.engines.registry import REFERENCE, engine, usual_engine
from brickphys.errors import (
    BrickphysError,
    CancelledRunError,
    DivergenceError,
    InvalidValueError,
    WorkerDiedError,
)
from brickphys.odds.intervals import Z95
from brickphys.odds.law import Law
from brickphys.odds.overdispersion import overdispersion
from brickphys.odds.provenance import LawConditions, LawSurface, Systematic
from brickphys.odds.roll import MAX_BRICKS, SIDE
from brickphys.seeds import check_root
from brickphys.throws.conditions import preset
from brickphys.throws.floors import floor
from brickphys.throws.release import release
from brickphys.throws.surfaces import Surface, surface
from brickphys.workers import StopRequest

MIN_HALF_WIDTH = 0.0002
"""Six hours of throws on one core; finer than any shipped surface is known."""
MAX_HALF_WIDTH = 0.1
MAX_HANDS = 10_000_000
_BATCH = 4
"""Chunks between two looks at the interval: fixed, so that no stop depends on the number of workers."""
_HANDS_SHARE = 200
_MIN_HANDS = 100
"""Unless the plan says, with each number of bricks as many hands are thrown as single bricks over 200, at least 100."""
_DESIGN_SHARE = 2
"""The systematic part takes half as many throws as the single bricks."""
_CHECK_SHARE, _MAX_CHECK = 20, 20_000
"""The reference engine throws one single brick for so many of the fast one, up to a limit: it is slow."""
_USUAL_P = 0.3
"""About the chance of a side of a 2x2 brick: for a first guess at the work only."""

Progress = Callable[[str, int, int], None]
"""Called with the stage, the throws done in it, and the throws it will take as far as known."""


@dataclass(frozen=True)
class Plan:
    """What to calibrate, and how well.

    Attributes
    ----------
    shape, preset, floor
        Names, as on the command line.
    surface, engine
        Likewise; what the floor is usually made of, and the usual engine for each number of bricks, if None.
    half_width
        The 95 % interval of p is narrowed to plus or minus this.
    max_bricks
        Hands of 2, 3, ... up to so many bricks are thrown together.
    hands
        How many hands of each; one for 200 single throws, and at least 100, if None.
    seed
        Root seed.
    workers
        Processes; the law does not depend on it.
    command
        The command line, to be kept in the law.

    Raises
    ------
    InvalidValueError
        If a name is unknown, a number absurd, or the shape has no side.
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
        if SIDE not in body_of(self.shape).poses:
            raise InvalidValueError(
                f"shape {self.shape!r} has no side: laws are for bricks and plates"
            )
        for bricks in range(1, self.max_bricks + 1):
            cell = self.cell(bricks)
            check_limits(engine(cell.engine), cell.contact, bricks, cell.floor)
            # what cannot be released must say so before an hour of throws
            release(body_of(self.shape), cell.conditions, 0, cell.address, 0, 1, cell.floor)

    @property
    def material(self) -> Surface:
        """What the floor is made of."""
        return surface(self.surface or floor(self.floor).surface)

    def cell(self, bricks: int) -> ThrowCell:
        """Return what is thrown in hands of so many bricks."""
        form = floor(self.floor)
        return ThrowCell(
            body_of(self.shape).name,
            replace(preset(self.preset), bricks=bricks),
            self.material.nominal,
            self.engine or usual_engine(bricks, form),
            (bricks,),
            floor=form,
        )


@dataclass
class _Record:
    """What has been measured so far."""

    singles: Tally | None = None
    hands: dict[int, Tally] = field(default_factory=dict)
    systematic: Systematic | None = None
    stage: str = "single bricks"
    complete: bool = False


def calibrate(
    plan: Plan,
    progress: Progress = lambda *_: None,
    cut_short: Callable[[BrickphysError], None] = lambda _: None,
) -> Law:
    """Throw until the plan is met and return the law.

    If Ctrl-C comes, or the engine fails after throws were counted, the law holds what was thrown until then and is
    marked as not complete.

    Parameters
    ----------
    plan
        What to calibrate.
    progress
        Is told of every chunk.
    cut_short
        Is told why, if the law is not complete.

    Raises
    ------
    CancelledRunError
        If Ctrl-C came before the first chunk of throws was in.
    DivergenceError, WorkerDiedError
        If the engine failed before that.
    """
    record = _Record()
    with StopRequest() as stop, Throwers(plan.seed, plan.workers, lambda: stop.asked) as throwers:
        try:
            for stage in (_throw_singles, _throw_hands, _throw_design, _throw_by_another):
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
        cut_short(CancelledRunError(f"interrupted among {record.stage}"))
    return _law(plan, record)


def _throw_singles(plan: Plan, throwers: Throwers, record: _Record, progress: Progress) -> None:
    """Throw single bricks; the interval is looked at after every `_BATCH` chunks only."""
    with closing(throwers.tallies(chunks(plan.cell(1)))) as tallies:
        for number, total in enumerate(accumulate(tallies), start=1):
            record.singles = total
            progress(record.stage, total.hands, max(total.hands, expected_throws(plan, total)))
            if number % _BATCH == 0 and half_width(total) <= plan.half_width:
                return


def expected_throws(plan: Plan, so_far: Tally) -> int:
    """Return after how many throws the plan's half-width will be met, judged by the throws so far."""
    return _throws_for(plan, (so_far.sides + 1) / (so_far.bricks + 2))


def expected_work(plan: Plan) -> dict[str, int]:
    """Return about how many hands each stage of a plan takes, judged before any throw."""
    singles = _throws_for(plan, _USUAL_P)
    work = {"single bricks": singles}
    for bricks in range(2, plan.max_bricks + 1):
        work[f"{bricks} bricks together"] = _hands(plan, singles)
    work["what is not known"] = max(1, singles // _DESIGN_SHARE // RUNS) * RUNS
    if plan.cell(1).engine != REFERENCE:
        work["another engine"] = _check(singles)
    return work


def _throws_for(plan: Plan, p: float) -> int:
    batch = _BATCH * chunk_hands(plan.cell(1))
    return math.ceil(Z95**2 * p * (1 - p) / plan.half_width**2 / batch) * batch


def _hands(plan: Plan, singles: int) -> int:
    return plan.hands or max(_MIN_HANDS, singles // _HANDS_SHARE)


def _check(singles: int) -> int:
    return min(max(_MIN_HANDS, singles // _CHECK_SHARE), _MAX_CHECK)


def _throw_hands(plan: Plan, throwers: Throwers, record: _Record, progress: Progress) -> None:
    assert record.singles is not None
    hands = _hands(plan, record.singles.hands)
    for bricks in range(2, plan.max_bricks + 1):
        record.stage = f"{bricks} bricks together"
        for total in accumulate(throwers.tallies(chunks(plan.cell(bricks), hands))):
            record.hands[bricks] = total
            progress(record.stage, total.hands, hands)


def _throw_design(plan: Plan, throwers: Throwers, record: _Record, progress: Progress) -> None:
    assert record.singles is not None
    record.stage = "what is not known"
    per_run = max(1, record.singles.hands // _DESIGN_SHARE // RUNS)
    record.systematic = measure_systematic(
        throwers, plan.cell(1), plan.material, per_run, partial(progress, record.stage)
    )


def _throw_by_another(plan: Plan, throwers: Throwers, record: _Record, progress: Progress) -> None:
    """Let the reference engine throw as well: what the engines leave open belongs to the systematic part."""
    assert record.singles is not None
    cell = plan.cell(1)
    if cell.engine == REFERENCE or record.systematic is None:
        return
    record.stage = "another engine"
    throws = _check(record.singles.hands)
    tell = partial(progress, record.stage)
    shift = engine_shift(throwers, cell, record.singles, REFERENCE, throws, tell)
    if shift is not None:
        record.systematic = with_engine(record.systematic, shift)


def _law(plan: Plan, record: _Record) -> Law:
    assert record.singles is not None
    cell = plan.cell(1)
    scores: Mapping[int, tuple[int, ...]] = {
        1: record.singles.scores,
        **{bricks: tally.scores for bricks, tally in record.hands.items()},
    }
    conditions = cell.conditions
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
        systematic=record.systematic,
        complete=record.complete,
        command=plan.command,
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
