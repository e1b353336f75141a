"""Law of throws: the law that bodies thrown one by one make, without hands of several and without other tables."""

import shlex
from collections.abc import Collection, Mapping
from dataclasses import replace
from importlib.metadata import version

from brickphys.calibration.law_stamp import fixed_throws, law_stamp
from brickphys.calibration.tally import Tally, side_interval
from brickphys.calibration.throw import Throws
from brickphys.calibration.throwers import ThrowCell
from brickphys.engines.registry import engine
from brickphys.errors import InvalidValueError
from brickphys.odds.law import Law
from brickphys.odds.provenance import LawConditions, LawSurface
from brickphys.stamp import Stamp, unless_edited
from brickphys.throws.surfaces import Surface


def law_of_throws(throws: Throws, on: Surface, files: Mapping[str, str] | None = None) -> Law:
    """Return the law of some throws; its 90 % range is not known.

    Parameters
    ----------
    throws
        Of bodies one by one.
    on
        The surface on which they were thrown.
    files
        Name and SHA-256 of the file of the surface, if it is of one.

    Raises
    ------
    InvalidValueError
        If several bodies were thrown together, no pose of the body scores, or friction and restitution are not those
        of the surface.
    """
    cell = throws.cell
    if cell.conditions.bricks > 1:
        raise InvalidValueError(
            f"a law rests on bodies that are thrown one by one, not {cell.conditions.bricks} together"
        )
    if not cell.body.scoring:
        raise InvalidValueError(f"a law needs a pose that scores, and {cell.shape} has none")
    if cell.contact != on.nominal:
        raise InvalidValueError(
            f"a law is of a surface: friction {cell.contact.friction:g} and restitution "
            f"{cell.contact.restitution:g} are not those of {on.name}"
        )
    own = {} if cell.file is None else dict(cell.file.files)
    return singles_law(
        cell,
        on.name,
        throws.result.tally,
        throws.seed,
        law_stamp(),
        engines=(cell.engine,),
        complete=throws.complete,
        command=_command(throws, on.name),
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

    Parameters
    ----------
    cell, surface_name
        How they were thrown, and on what.
    singles, seed
        Their counts, and the root seed.
    stamp
        What computed them.
    engines
        Names of all engines whose versions the law tells.
    complete, command, files
        As in `Law`.
    """
    conditions = cell.conditions
    versions = {name: version(name) for name in ("brickphys", "numpy", "scipy")}
    for name in engines:
        versions |= engine(name).versions
    return Law(
        counts=singles.counts,
        ci95=side_interval(singles),
        scores={1: singles.scores},
        shape=cell.shape,
        surface=LawSurface(
            surface_name, cell.contact.friction, cell.contact.restitution, cell.floor.name
        ),
        conditions=LawConditions(
            conditions.preset,
            conditions.height_mm,
            conditions.speed_m_s,
            conditions.spin_rad_s,
            conditions.scatter,
        ),
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


def _command(throws: Throws, surface_name: str) -> str:
    """Return the command line that repeats the throws of shapes, surfaces and throws by name."""
    cell = throws.cell
    words = ["brickphys", "drop", cell.shape, "--throws", str(throws.result.tally.hands)]
    words += ["--preset", cell.conditions.preset, "--surface", surface_name]
    words += ["--floor", cell.floor.name, "--engine", cell.engine, "--seed", str(throws.seed)]
    return shlex.join(words)
