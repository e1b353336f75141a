"""Calibrate: throw bricks until the interval of the probability of a side is narrow enough, and make a law.

A law can also be made of bodies thrown one by one, without hands of several and without other tables.
"""

import shlex
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from functools import partial
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path
from zlib import crc32

from brickphys import errors
from brickphys.calibration.law_stamp import fixed_throws, law_stamp
from brickphys.calibration.plan import (
    BATCH,
    Plan,
    checked_reference,
    design_size,
    expected_throws,
    hands_of_each_size,
    reference_throws,
    usual_bricks,
)
from brickphys.calibration.response import Response
from brickphys.calibration.systematic import (
    EngineOffset,
    systematic,
    throw_offset,
    throw_response,
    to_limit,
)
from brickphys.calibration.throw import Throws
from brickphys.calibration.throwers import (
    Tally,
    ThrowCell,
    Throwers,
    chunks,
    half_width,
    side_interval,
)
from brickphys.engines.registry import engine
from brickphys.interface import public
from brickphys.notes import NOTES, StageProgress, stages
from brickphys.odds.law import Law
from brickphys.odds.provenance import LawSurface
from brickphys.odds.roll import overdispersion, scored
from brickphys.seeds import chosen_root, generator
from brickphys.signals import StopRequest
from brickphys.stamp import Stamp, unless_edited
from brickphys.text import percent_range
from brickphys.throws.conditions import Surface


def law_of_throws(throws: Throws, on: Surface, files: Mapping[str, str] | None = None) -> Law:
    """Return the law of some throws; its 90 % range is not known.

    Raises InvalidValueError if several bodies were thrown together, no pose of the body scores, or friction and
    restitution are not those of the surface. `files` has name and SHA-256 of the file of the surface, if it is of one.
    """
    cell = throws.cell
    if cell.conditions.bricks > 1:
        raise errors.InvalidValueError(
            f"a law rests on bodies that are thrown one by one, not {cell.conditions.bricks} together"
        )
    if not cell.body.scoring:
        raise errors.InvalidValueError(f"a law needs a pose that scores, and {cell.shape} has none")
    if cell.contact != on.nominal:
        raise errors.InvalidValueError(
            f"a law is of a surface: friction {cell.contact.friction:g} and restitution "
            f"{cell.contact.restitution:g} are not those of {on.name}"
        )
    own = {} if cell.file is None else dict(cell.file.files)
    return singles_law(
        cell,
        on.name,
        throws.tally,
        throws.seed,
        law_stamp(),
        engines=(cell.engine,),
        complete=throws.complete,
        command=_drop_command(throws, on.name),
        files={**own, **(files or {})},
    )


def singles_law(
    cell: ThrowCell,
    surface_name: str,
    singles: Tally,
    seed: int,
    stamp: Stamp,
    *,
    engines: Collection[str],
    complete: bool,
    command: str,
    files: Mapping[str, str],
) -> Law:
    """Return the law of the counts of single bodies.

    The law tells the versions of all `engines`.
    """
    versions = {name: version(name) for name in ("brickphys", "numpy", "scipy")}
    for name in engines:
        versions |= engine(name).versions
    return Law(
        counts=singles.counts,
        share_ci95=side_interval(singles),
        scores={1: singles.scores},
        shape=cell.shape,
        surface=LawSurface(
            surface_name, cell.contact.friction, cell.contact.restitution, cell.floor.name
        ),
        conditions=cell.conditions.of_one,
        engine=cell.engine,
        versions=versions,
        seed=seed,
        complete=complete,
        command=command,
        scoring=cell.body.scoring,
        files=files,
        stamp=unless_edited(replace(stamp, results=fixed_throws(engines))),
        validation={"largest energy gain of a hand": singles.energy_gain},
    )


def _drop_command(throws: Throws, surface_name: str) -> str:
    """Return the command line that repeats the throws of shapes, surfaces and throws by name."""
    cell = throws.cell
    words = ["brickphys", "drop", cell.shape, "--throws", str(throws.tally.hands)]
    words += ["--preset", cell.conditions.preset, "--surface", surface_name]
    words += ["--floor", cell.floor.name, "--engine", cell.engine, "--seed", str(throws.seed)]
    return shlex.join(words)


_RANGE_ADDRESS, _REFERENCE_ADDRESS = 4, 6


@dataclass
class _Record:
    """The measurements so far, and what computes them."""

    stamp: Stamp
    reference: str
    singles: Tally | None = None
    hands: dict[int, Tally] = field(default_factory=dict)
    response: Response | None = None
    offset: EngineOffset | None = None
    alone: Tally | None = None
    stage: str = "single bodies"
    complete: bool = False


def throw_law(
    plan: Plan,
    progress: StageProgress = lambda *_: None,
    cut_short: Callable[[errors.BrickphysError], None] = lambda _: None,
) -> Law:
    """Throw until the plan is met and return the law.

    On Ctrl-C, or if the engine fails after throws were counted, the law has the throws until then and is marked as not
    complete. Raises CancelledRunError on Ctrl-C before the first chunk of throws was counted; DivergenceError or
    WorkerDiedError if the engine failed before that; MissingLibraryError if an engine that will be needed is missing;
    nothing was thrown. `progress` is called after every chunk with the stage, the number of its throws so far, and
    their expected total; `cut_short` with the reason if the law is not complete.
    """
    record = _Record(law_stamp(), checked_reference(plan))
    with StopRequest() as stop, Throwers(plan.seed, plan.workers, lambda: stop.asked) as throwers:
        try:
            for stage in (_throw_singles, _throw_hands, _throw_design, _throw_by_reference):
                if not stop.asked:
                    stage(plan, throwers, record, progress)
        except (errors.DivergenceError, errors.WorkerDiedError) as error:
            if record.singles is None:
                raise
            cut_short(error)
            return _law(plan, record)
    if record.singles is None:
        raise errors.CancelledRunError("interrupted before any throw was counted")
    record.complete = not stop.asked
    if stop.asked:
        cut_short(errors.CancelledRunError(f"interrupted in stage {record.stage!r}"))
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
        Largest number of bricks in a hand; None for 6, and for 1 where all engines that throw several are missing.
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
        *design_size(record.singles.hands),
        plan.seed,
        partial(progress, record.stage),
    )


def _throw_by_reference(
    plan: Plan, throwers: Throwers, record: _Record, progress: StageProgress
) -> None:
    """Throw by the reference engine: at the plan's own throw, for hands, and over other tables and hands, for p."""
    assert record.singles is not None
    cell = plan.cell(1)
    if cell.engine == record.reference or record.response is None:
        return
    record.stage = "reference engine"
    throws = reference_throws(record.singles.hands)
    address = (*cell.address, _REFERENCE_ADDRESS, crc32(record.reference.encode()))
    other = replace(cell, engine=record.reference, address=address)
    alone = throwers.totals({0: other}, throws, partial(progress, record.stage)).get(0)
    if alone is None or alone.hands < throws:
        return
    record.stage = "reference engine, other tables and hands"
    report = partial(progress, record.stage)
    seed, material = plan.seed, plan.material
    record.offset = throw_offset(throwers, other, material, record.response, throws, seed, report)
    record.alone = alone


def _law(plan: Plan, record: _Record) -> Law:
    assert record.singles is not None
    cell = plan.cell(1)
    scores: Mapping[int, tuple[int, ...]] = {
        1: record.singles.scores,
        **{bricks: tally.scores for bricks, tally in record.hands.items()},
    }
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
    if record.response is not None:
        rng = generator(plan.seed, *cell.address, _RANGE_ADDRESS)
        has_reference = record.offset is not None or cell.engine == record.reference
        limit = to_limit(record.reference, law.scoring) if has_reference else None
        found = systematic(record.response, limit, record.offset, rng)
        alone = record.alone
        counts = None if alone is None else (alone.sides, alone.bricks)
        told = replace(found.systematic, reference=record.reference, reference_counts=counts)
        law = replace(law, **found._replace(systematic=told)._asdict())
    return replace(
        law,
        scores=scores,
        hands_engine=plan.cell(2).engine if record.hands else None,
        overdispersion=overdispersion(scores),
        validation={
            "largest energy gain of a hand": max(
                one.energy_gain for one in (record.singles, *record.hands.values())
            )
        },
    )


def _engines(plan: Plan, record: _Record) -> set[str]:
    own = {plan.cell(bricks).engine for bricks in range(1, min(plan.max_bricks, 2) + 1)}
    return own if record.offset is None else own | {record.reference}
