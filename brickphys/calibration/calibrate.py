"""Calibrate: throw bricks until the interval of the probability of a side is narrow enough, and make a law."""

import shlex
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import accumulate
from pathlib import Path

from brickphys.arguments import public
from brickphys.calibration.agreement import engine_shift
from brickphys.calibration.law_of_throws import singles_law
from brickphys.calibration.law_stamp import law_stamp
from brickphys.calibration.plan import (
    BATCH,
    Plan,
    checked_reference,
    expected_throws,
    hands_of_each_size,
    reference_throws,
    throws_per_point,
    usual_bricks,
)
from brickphys.calibration.response.surface import Response
from brickphys.calibration.systematic import systematic, throw_response
from brickphys.calibration.tally import Tally, half_width, side_interval
from brickphys.calibration.throwers import Throwers, chunks
from brickphys.errors import (
    BrickphysError,
    CancelledRunError,
    DivergenceError,
    WorkerDiedError,
)
from brickphys.notes import NOTES, StageProgress
from brickphys.odds.law import Law
from brickphys.odds.overdispersion import overdispersion
from brickphys.odds.provenance import Source
from brickphys.odds.roll import scored
from brickphys.progress import stages
from brickphys.seeds import chosen_root, generator
from brickphys.signals import StopRequest
from brickphys.stamp import Stamp
from brickphys.text import percent_range

_RANGE_ADDRESS = 4


@dataclass
class _Record:
    """The measurements so far, and what computes them."""

    stamp: Stamp
    reference: str
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
    MissingLibraryError
        If an engine that will be needed is missing; nothing was thrown.
    """
    record = _Record(law_stamp(), checked_reference(plan))
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


@public()
def calibrate(
    shape: str | Path = "2x2",
    *,
    preset: str = "hand",
    surface: str | Path | None = None,
    floor: str = "plane",
    engine: str | None = None,
    half_width: float = 0.005,
    bricks: int | None = None,
    hands: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    progress: StageProgress | bool = True,
) -> Law:
    """Throw until the chance of a side is known, and return the law; its `save` writes it to a file.

    Parameters
    ----------
    shape
        A brick, a plate or a body file, as of `brickphys.throw`.
    preset, floor
        Names, as of `brickphys.throw`.
    surface
        A name or a file, as of `brickphys.throw`; None for the usual one.
    engine
        A name, as of `brickphys.throw`; None for the usual one.
    half_width
        Target for the half-width of the 95 % interval of the chance, 0.0002 to 0.1.
    bricks
        Largest number of bricks in a hand; None for 6, and for 1 where PyBullet, which throws several, is missing.
    hands
        Number of hands of each size; None for one per 200 single throws.
    seed
        Root seed; None draws one.
    workers
        Number of processes; the law does not depend on it. A script that asks for more than one needs the guard
        ``if __name__ == "__main__":``.
    progress
        True shows a bar at a terminal or in a notebook, after two seconds; False shows nothing. A function is called
        after every chunk with the stage, the number of its throws so far, and their expected total.

    Raises
    ------
    InvalidValueError
        If a name is unknown, a number outside its range, or the shape has no side.
    MissingLibraryError
        If an engine that will be needed is missing: nothing is thrown.
    CancelledRunError
        On Ctrl-C before any throw was counted. Later, the law has the throws so far and is marked as incomplete.
    """
    plan = Plan(
        shape=str(shape),
        preset=preset,
        floor=floor,
        surface=None if surface is None else str(surface),
        engine=engine,
        half_width=half_width,
        max_bricks=usual_bricks(floor) if bricks is None else bricks,
        hands=hands,
        seed=chosen_root(seed),
        workers=workers,
    )
    with stages(progress) as advance:
        return throw_law(replace(plan, command=_command(plan)), advance)


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
    """Throw single bricks; the interval is checked after every `BATCH` chunks, and noted after 1, 2, 4, ... chunks."""
    with closing(throwers.tallies(chunks(plan.cell(1)))) as tallies:
        for number, total in enumerate(accumulate(tallies), start=1):
            record.singles = total
            progress(record.stage, total.hands, max(total.hands, expected_throws(plan, total)))
            if number.bit_count() == 1:
                where = percent_range(*side_interval(total))
                note = "%s single bodies: %s in %s (95 %% interval)"
                NOTES.info(note, f"{total.hands:,}", scored(plan.cell(1).body.scoring), where)
            if number % BATCH == 0 and half_width(total) <= plan.half_width:
                return


def _throw_hands(plan: Plan, throwers: Throwers, record: _Record, progress: StageProgress) -> None:
    assert record.singles is not None
    hands = hands_of_each_size(plan, record.singles.hands)
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
        throws_per_point(record.singles.hands),
        plan.seed,
        partial(progress, record.stage),
    )


def _throw_by_reference(
    plan: Plan, throwers: Throwers, record: _Record, progress: StageProgress
) -> None:
    """Throw by the reference engine; the difference between the engines is part of the range of p."""
    assert record.singles is not None
    cell = plan.cell(1)
    if cell.engine == record.reference or record.response is None:
        return
    record.stage = "reference engine"
    throws = reference_throws(record.singles.hands)
    report = partial(progress, record.stage)
    record.engine = engine_shift(throwers, cell, record.singles, record.reference, throws, report)


def _law(plan: Plan, record: _Record) -> Law:
    assert record.singles is not None
    cell = plan.cell(1)
    scores: Mapping[int, tuple[int, ...]] = {
        1: record.singles.scores,
        **{bricks: tally.scores for bricks, tally in record.hands.items()},
    }
    range90, sources = None, None
    if record.response is not None:
        rng = generator(plan.seed, *cell.address, _RANGE_ADDRESS)
        range90, sources = systematic(record.response, record.engine, rng)
        sources = replace(sources, reference=record.reference)
    law = singles_law(
        cell,
        plan.material.name,
        record.singles,
        plan.seed,
        record.stamp,
        engines=_engines(plan, record),
        complete=record.complete,
        command=plan.command,
        files=plan.files,
    )
    return replace(
        law,
        scores=scores,
        hands_engine=plan.cell(2).engine if record.hands else None,
        overdispersion=overdispersion(scores),
        p_range90=range90,
        systematic=sources,
        validation={"largest energy gain of a hand": _energy_gain(record)},
    )


def _engines(plan: Plan, record: _Record) -> set[str]:
    """Return the names of the engines that threw."""
    own = {plan.cell(bricks).engine for bricks in range(1, min(plan.max_bricks, 2) + 1)}
    return own if record.engine is None else own | {record.reference}


def _energy_gain(record: _Record) -> float:
    tallies = [record.singles, *record.hands.values()]
    return max(tally.energy_gain for tally in tallies if tally is not None)
