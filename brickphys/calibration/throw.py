"""Throw: one shape thrown under one condition by names and numbers, and what came of it; the poses of a shape."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar

from brickphys.calibration.throwers import (
    Tally,
    ThrowCell,
    Throwers,
    chunks,
    side_interval,
    thrown_body,
)
from brickphys.engines.engine import check_limits
from brickphys.engines.registry import default_engine, engine
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.interface import Drawn, Row, json_object, public, share_rows, share_table
from brickphys.notes import StageProgress, stages
from brickphys.odds.distribution import wilson
from brickphys.odds.provenance import ANY, FLIP
from brickphys.seeds import chosen_root
from brickphys.shapes.body import Body
from brickphys.shapes.body_file import BodyFile
from brickphys.shapes.catalogue import pose_legend
from brickphys.signals import StopRequest
from brickphys.text import counted, paragraphs, percent, percent_range, table
from brickphys.throws.conditions import Surface, preset, surface
from brickphys.throws.conditions import surface as surface_named
from brickphys.throws.faces import Rest, face_map
from brickphys.throws.release import floor
from brickphys.throws.release import floor as floor_named
from brickphys.workers import check_workers


@dataclass(frozen=True, repr=False)
class Poses(Drawn):
    """The poses in which a body can rest."""

    body: Body
    rests: tuple[Rest, ...]

    drawn_by = "throws:poses_figure"

    def line(self) -> str:
        names = ", ".join(rest.pose for rest in self.rests)
        meaning = f" ({self.legend.partition(': ')[2]})" if self.legend else ""
        return f"poses of {self.body.name}, {self.body.mass_g:.2f} g: {names}{meaning}"

    @property
    def legend(self) -> str:
        """What the names of the poses mean; empty where they speak for themselves."""
        return pose_legend(self.body.name)

    def document(self) -> dict[str, Any]:
        """Return the poses as the JSON object of the command ``poses``."""
        body = self.body
        known = {"edge_radius_mm": body.edge_radius_mm, "mass_g": body.mass_g}
        return json_object("poses", {"shape": body.name, **known, "poses": self.rows()})

    def text(self) -> str:
        body = self.body
        rows = [
            (
                rest.pose,
                str(rest.faces),
                f"{rest.rest_height_mm:.2f} mm",
                f"{rest.barrier_mm:.3f} mm",
                percent(rest.solid_angle_share),
            )
            for rest in self.rests
        ]
        return paragraphs(
            f"{body.name}: {body.mass_g:.2f} g, centre of mass {body.centre_of_mass_mm:.2f} mm "
            "above the underside",
            table(("pose", "faces", "rest height", "barrier", "solid-angle share"), rows),
            self.legend,
        )

    def rows(self) -> list[Row]:
        """Return one row for each pose, with the values of the JSON of the command ``poses``."""
        return [
            {
                "name": rest.pose,
                "faces": rest.faces,
                "rest_height_mm": rest.rest_height_mm,
                "barrier_mm": rest.barrier_mm if isfinite(rest.barrier_mm) else None,
                "solid_angle_share": rest.solid_angle_share,
            }
            for rest in self.rests
        ]


@public()
def poses(shape: str | Path | BodyFile = "2x2", *, edge_radius_mm: float | None = None) -> Poses:
    """Return the poses in which a shape can rest, without throwing it.

    Parameters
    ----------
    shape
        As of `brickphys.throw`.
    edge_radius_mm
        Radius of the body's edges; None for the nominal value.

    Raises
    ------
    InvalidValueError
        If there is no such shape, or its edges cannot have this radius.

    Examples
    --------
    >>> import brickphys
    >>> brickphys.poses("2x2")
    <poses of 2x2, 1.22 g: studs_up, studs_down, side>
    >>> brickphys.poses("cuboid:10x10x20").legend
    'x, y, z: the edge of 10, 10 or 20 mm ends vertical'
    """
    body, _ = thrown_body(str(shape) if isinstance(shape, Path) else shape, edge_radius_mm)
    return Poses(body, tuple(face_map(body).rests))


MAX_THROWS = 100_000_000
MAX_TABLE_MM = 1e6


def cell_of(
    shape: str | BodyFile,
    engine_name: str | None,
    preset_name: str,
    on: Surface | None = None,
    bricks: int = 1,
    floor_name: str = "plane",
    address: tuple[int, ...] | None = None,
    **changes: Any,
) -> ThrowCell:
    """Return the cell of a shape, engine, preset and floor by name on a surface, with single values changed.

    Raises InvalidValueError if a name is unknown, a value outside its range, or the engine not made for these
    conditions.

    Parameters
    ----------
    engine_name
        None for the default engine.
    on
        The surface; None for the default one of the floor.
    address
        Seed address; the number of bricks if None.
    **changes
        ``height_mm``, ``speed_m_s``, ``spin_rad_s``, ``start`` of `Conditions`, ``friction``, ``restitution`` of
        `ContactCoefficients`, ``edge_radius_mm`` of `Body`, ``table_mm`` of `ThrowCell`; None keeps the value.
    """
    wanted = {name: value for name, value in changes.items() if value is not None}
    pair = {name: wanted.pop(name) for name in ("friction", "restitution") if name in wanted}
    body, file = thrown_body(shape, wanted.pop("edge_radius_mm", None))
    ground = floor(floor_name)
    contact = replace((on or surface(ground.surface)).nominal, **pair)
    table_mm = wanted.pop("table_mm", None)
    for side in table_mm or ():
        if not 1 <= side <= MAX_TABLE_MM:
            raise InvalidValueError(f"table_mm {side:g} is outside 1 to {MAX_TABLE_MM:g}")
    if table_mm and (bricks > 1 or not ground.is_plane):
        raise InvalidValueError("table_mm: only single bodies on a plane may leave the table")
    conditions = replace(preset(preset_name), bricks=bricks, **wanted)
    if conditions.start not in (ANY, FLIP):
        face_map(body).normals_of(conditions.start)  # a pose that it has
    chosen = engine(engine_name or default_engine(bricks, ground))
    check_limits(chosen, contact, bricks, ground)
    return ThrowCell(
        body.name,
        conditions,
        contact,
        chosen.name,
        address or (bricks,),
        floor=ground,
        file=file,
        table_mm=table_mm,
    )


@dataclass(frozen=True, repr=False)
class Throws(Drawn):
    """The result of throws: how the bodies stopped."""

    cell: ThrowCell
    """The body, the throw conditions and the engine."""
    surface: str
    tally: Tally
    seed: int
    """Root seed; the same one repeats the throws."""
    asked: int
    """Requested number of hands; the tally has fewer after Ctrl-C."""
    seconds: float
    """Wall time of the throws in s, without the start of processes and the first world."""

    drawn_by = "throws:throws_figure"
    instead: ClassVar = {
        "p": "p_side is the share of sides",
        "share": "p_side is the share of sides",
        "mean": "p_side is the share of sides",
        "side": "p_side is the share of sides, counts['side'] their number",
        "hits": "counts['side'] is the number of bricks on a side, p_side their share",
        "throws": "tally.hands is the number of throws",
    }

    @property
    def counts(self) -> Mapping[str, int]:
        """Pose -> number of bodies."""
        return self.tally.counts

    @property
    def poses_ci95(self) -> dict[str, tuple[float, float]]:
        """Pose -> 95 % interval of its share."""
        return self.tally.poses_ci95

    @property
    def legend(self) -> str:
        """What the names of the poses mean; empty where they speak for themselves."""
        return pose_legend(self.cell.shape)

    @property
    def scoring(self) -> tuple[str, ...]:
        """Poses that score: the side for bricks; empty for bodies that are not rolled for a score."""
        return self.cell.body.scoring

    @property
    def p_side(self) -> float | None:
        """Share of bodies in a scoring pose, of those that stay on the table; None for bodies without one."""
        return self.tally.sides / self.tally.bricks if self.scoring and self.tally.bricks else None

    @property
    def ci95(self) -> tuple[float, float] | None:
        """95 % interval of `p_side`, cluster-robust over hands."""
        return side_interval(self.tally) if self.p_side is not None else None

    @property
    def off_table(self) -> Mapping[str, Any] | None:
        """Number, share and 95 % interval of the bodies that leave the table; None without a table."""
        off, hands = self.tally.off_table, self.tally.hands
        known = {"count": off, "share": off / hands, "ci95": wilson(off, hands)}
        return known if self.cell.table_mm else None

    @property
    def complete(self) -> bool:
        """Whether all were thrown; after Ctrl-C only the throws so far are counted."""
        return self.tally.hands == self.asked

    @property
    def place(self) -> str:
        """The surface and floor, in words."""
        return (
            self.surface if self.cell.floor.is_plane else f"a {self.surface} {self.cell.floor.name}"
        )

    def document(self) -> dict[str, Any]:
        """Return the throws as the JSON object of the command ``drop``."""
        cell, conditions, seconds = self.cell, self.cell.conditions, self.seconds
        hands = self.tally.hands
        return json_object(
            "drop",
            {
                "shape": cell.shape,
                "edge_radius_mm": cell.body.edge_radius_mm,
                "engine": cell.engine,
                "throws": hands,
                "complete": self.complete,
                "bricks": conditions.bricks,
                "counts": self.counts,
                "poses_ci95": self.poses_ci95,
                "scoring": self.scoring,
                "p_side": self.p_side,
                "ci95": self.ci95,
                "seconds": seconds,
                "throws_per_s": hands / seconds,
                "seed": self.seed,
                "preset": conditions.preset,
                "floor": cell.floor.name,
                "surface": self.surface,
                "height_mm": conditions.height_mm,
                "speed_m_s": conditions.speed_m_s,
                "spin_rad_s": conditions.spin_rad_s,
                "start": conditions.start,
                "friction": cell.contact.friction,
                "restitution": cell.contact.restitution,
                "table_mm": cell.table_mm,
                "off_table": self.off_table,
            },
        )

    def line(self) -> str:
        """Return one line: what was thrown, and the share of sides with its interval."""
        hands, bricks = self.tally.hands, self.cell.conditions.bricks
        thrown = (
            f"{counted(hands, 'throw')}{f' of {bricks}' if bricks > 1 else ''} (seed {self.seed})"
        )
        found = ""
        if self.p_side is not None and self.ci95 is not None:
            share = f"{percent(self.p_side)} (95 % interval {percent_range(*self.ci95)})"
            found = f"{' or '.join(self.scoring)} in {share} of "
        return f"{self.cell.shape} on {self.place}: {found}{thrown}"

    def text(self) -> str:
        cell, bricks, hands = self.cell, self.cell.conditions.bricks, self.tally.hands
        number = counted(hands, "body", "bodies") if bricks == 1 else counted(hands, "hand")
        how = f" of {bricks}" if bricks > 1 else " one at a time" if hands > 1 else ""
        start = cell.conditions.start
        picked_up = "" if start in (ANY, FLIP) else f", picked up as {start}"
        off = self.off_table
        gone = off and (
            f"off the table: {off['count']}, {percent(off['share'])} of all (95 % interval "
            f"{percent_range(*off['ci95'])}); the shares of poses are of those that stay"
        )
        known = self.ci95 and f"{' or '.join(self.scoring)}: {percent_range(*self.ci95)}"
        return paragraphs(
            f"{number}{how}: {cell.shape}, preset {cell.conditions.preset}{picked_up}, on {self.place} "
            f"(friction {cell.contact.friction:g}, restitution {cell.contact.restitution:g}), "
            f"engine {cell.engine}, seed {self.seed}",
            share_table(self.counts, self.poses_ci95),
            self.legend,
            f"{known} (95 % interval)" if known else "",
            gone or "",
        )

    def rows(self) -> list[Row]:
        return share_rows(self.counts, self.poses_ci95)


def drop(
    cell: ThrowCell,
    throws: int,
    seed: int,
    workers: int,
    progress: StageProgress = lambda *_: None,
    surface: str = "",
) -> Throws:
    """Throw `throws` hands of a cell; on Ctrl-C, count the chunks that are done or under way.

    Raises InvalidValueError if `throws` is outside 1 to 1e8, or another value is impossible; CancelledRunError on
    Ctrl-C before any throw was counted.
    """
    if not 1 <= throws <= MAX_THROWS:
        raise InvalidValueError(f"throws {throws} is outside 1..{MAX_THROWS}")
    check_workers(workers)
    work = list(chunks(cell, throws))
    total: Tally | None = None
    used = min(workers, len(work))
    with StopRequest() as stop, Throwers(seed, used, lambda: stop.asked) as throwers:
        throwers.warm_up(cell)
        start = time.perf_counter()
        for total in accumulate(throwers.tallies(work)):
            progress(cell.shape, total.hands, throws)
        seconds = time.perf_counter() - start
    if total is None:
        raise CancelledRunError(f"interrupted after 0 of {throws} throws")
    return Throws(cell, surface, total, seed, throws, seconds)


@public()
def throw(
    shape: str | Path | BodyFile = "2x2",
    throws: int = 2000,
    *,
    bricks: int = 1,
    preset: str = "hand",
    surface: str | Path | None = None,
    floor: str = "plane",
    engine: str | None = None,
    height_mm: float | tuple[float, float] | None = None,
    speed_m_s: float | None = None,
    spin_rad_s: float | None = None,
    start: str | None = None,
    friction: float | None = None,
    restitution: float | None = None,
    edge_radius_mm: float | None = None,
    table_mm: float | tuple[float, float] | None = None,
    seed: int | None = None,
    workers: int = 1,
    progress: StageProgress | bool = True,
) -> Throws:
    """Throw a shape and count the poses in which it stops.

    Parameters
    ----------
    shape
        ``"2x2"`` (``"1x1"`` to ``"2x8"``), ``"plate:2x2"``, ``"cuboid:AxBxC"``, ``"coin:DxT"``, ``"d6:A"`` (mm), or a
        body file.
    throws, bricks
        Number of hands, 1 to 1e8, and bodies in each hand, which are thrown together.
    preset
        Kind of throw: ``"hand"``, ``"gentle"``, ``"toss"``, ``"roll"``, ``"drop"``, ``"cup"`` or ``"flip"``.
    surface
        ``"wood"``, ``"glass"``, ``"cloth"``, ``"plastic"`` or a surface file; None for plastic on a baseplate, else
        wood.
    floor
        ``"plane"``, ``"baseplate"`` (with studs) or ``"tray"``.
    engine
        ``"compiled"``, ``"bullet"`` or ``"mujoco"``; None for compiled if it supports the throw, else
        Bullet.
    height_mm
        Centre of mass above the floor at release: one height, or the lowest and the highest; None for those of the
        preset.
    speed_m_s, spin_rad_s
        Root mean square of the speed on each horizontal axis, and of the angular speed about each axis; None for those
        of the preset.
    start
        Orientation at release: ``"any"``; ``"flip"``, turning over about a level axis; or a pose such as
        ``"studs_up"``, as picked up; None for that of the preset.
    friction, restitution, edge_radius_mm
        Friction and restitution between body and surface, and the radius of the body's edges; None for the nominal
        values.
    table_mm
        Lengths of the table, or of a square one; the body is released above its middle. One that stops beyond an edge
        is counted as off the table; all shares of poses are of those that stay. None for a table without edges.
    seed
        Root seed; None draws one.
    workers
        Number of processes; the result does not depend on it. A script that asks for more than one needs the guard
        ``if __name__ == "__main__":``.
    progress
        True shows a bar at a terminal or in a notebook, after two seconds; False shows nothing. A function is called
        after every chunk with the shape, the hands thrown, and `throws`.

    Raises
    ------
    InvalidValueError
        If a name is unknown, or a number outside its range.
    CancelledRunError
        On Ctrl-C before any throw was counted. Later, the throws so far are returned.

    Examples
    --------
    >>> import brickphys
    >>> brickphys.throw("2x2", 1000, surface="glass", seed=1)
    <2x2 on glass: side in 24.1 % (95 % interval 21.6 % to 26.8 %) of 1,000 throws (seed 1)>
    """
    on = surface_named(floor_named(floor).surface if surface is None else str(surface))
    cell = cell_of(
        str(shape) if isinstance(shape, Path) else shape,
        engine,
        preset,
        on,
        bricks,
        floor,
        table_mm=_span(table_mm),
        height_mm=_span(height_mm),
        speed_m_s=speed_m_s,
        spin_rad_s=spin_rad_s,
        start=start,
        friction=friction,
        restitution=restitution,
        edge_radius_mm=edge_radius_mm,
    )
    root = chosen_root(seed)
    with stages(progress) as advance:
        return drop(cell, throws, root, workers, advance, on.name)


def _span(ends: float | Sequence[float] | None) -> tuple[float, float] | None:
    """Return the ends of a range of heights, or the sides of a table; one number is both."""
    if ends is None:
        return None
    low, high = ends if isinstance(ends, Sequence) else (ends, ends)
    return low, high
