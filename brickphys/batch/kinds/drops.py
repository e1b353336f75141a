"""Drops: studies of throws; a run is one hand of bricks."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
from pydantic import Field, FiniteFloat

from brickphys.batch.kinds.study_type import (
    DRAWN,
    Attached,
    CellWork,
    Estimate,
    Fields,
    Limits,
    Settings,
    StudyType,
    Summary,
    known_to,
    values,
)
from brickphys.calibration import throwers
from brickphys.calibration.throw import cell_of
from brickphys.engines.engine import outcomes
from brickphys.engines.registry import engine as engine_named
from brickphys.errors import InvalidValueError
from brickphys.odds.roll import SIDE
from brickphys.reading import read_text
from brickphys.schema import Strict
from brickphys.shapes.body import Body
from brickphys.shapes.body_file import BodyFile, is_body_file, of_document, read_body_file
from brickphys.throws.conditions import Surface, is_surface_file, parse_surface
from brickphys.throws.conditions import preset as preset_named
from brickphys.throws.conditions import surface as surface_named
from brickphys.throws.flight import States
from brickphys.throws.release import floor as floor_named
from brickphys.units import Array

_TOGETHER = 32
"""Hands that are cheapest together: an engine builds one world for all of them."""
Range = Annotated[list[FiniteFloat], Field(min_length=2, max_length=2)]


def _check_shape(name: str) -> None:
    if not is_body_file(name):
        throwers.body_of(name)


def _check_surface(name: str) -> None:
    if not is_surface_file(name):  # a file is read as an attachment
        surface_named(name)


class DropDocument(Strict):
    """The factors of a throw: the options of the command `drop`, with its defaults."""

    shape: Annotated[str, known_to(_check_shape)] = "2x2"
    """A shape by name, or a body file."""
    engine: Annotated[str, known_to(engine_named)] | None = None
    """`compiled`, `bullet` or `mujoco`; chosen by the shape and the floor if left out."""
    bricks: int = 1
    """Bricks in a hand."""
    preset: Annotated[str, known_to(preset_named)] = "hand"
    """The throw by name."""
    floor: Annotated[str, known_to(floor_named)] = "plane"
    """`plane`, `baseplate` or `tray`."""
    surface: Annotated[str, known_to(_check_surface)] | None = None
    """A surface by name, or a surface file; that of the floor if left out."""
    height_mm: FiniteFloat | Range | None = Field(None, description="a number, or [low, high]")
    """Height of the centre of mass above the floor, in mm."""
    speed_m_s: FiniteFloat | None = None
    """Root mean square speed on each horizontal axis, in m/s."""
    spin_rad_s: FiniteFloat | None = None
    """Root mean square spin on each axis, in rad/s."""
    start: str | None = None
    """Orientation at release: `any`, `flip`, or a pose as which the body is picked up."""
    friction: FiniteFloat | None = None
    """Value in place of that of the surface."""
    restitution: FiniteFloat | None = None
    """Value in place of that of the surface."""
    edge_radius_mm: FiniteFloat | None = None
    """Radius of the edges, in mm."""


_RELEASE = tuple(f"{DRAWN}{name}" for name in ("height_mm", "speed_m_s", "spin_rad_s"))
_VALUES = ("speed_m_s", "spin_rad_s", "start", "friction", "restitution", "edge_radius_mm")


class Drops(StudyType):
    """Studies of throws: in which poses bricks stop."""

    name = "drop"
    unit = "throws"
    document = DropDocument
    row_factors = ("shape",)
    interval_note = "robust against bricks of one hand that influence each other"

    def attachments(self, settings: Settings, folder: Path) -> Attached:
        """Return the text of the surface file, and what the body file says."""
        wanted, what = DropDocument.model_validate(settings), "surface"
        found: dict[str, Any] = {}
        try:
            if wanted.surface is not None and is_surface_file(wanted.surface):
                found[wanted.surface] = read_text(folder / wanted.surface)
            what = "shape"
            if is_body_file(wanted.shape):
                found[wanted.shape] = read_body_file(folder / wanted.shape).document()
        except InvalidValueError as error:
            raise InvalidValueError(f"{what} {error}") from None
        return found

    def work(
        self, settings: Settings, attached: Attached, root: int, cell: int, limits: Limits
    ) -> "DropWork":
        return DropWork(_thrown(settings, attached, cell), root)

    def fields(self, settings: Settings, attached: Attached) -> Fields:
        columns = {pose: pa.uint8() for pose in outcomes(_body(settings, attached))}
        columns |= dict.fromkeys(_RELEASE, pa.float32())
        return frozenset(pa.field(name, of, nullable=False) for name, of in columns.items())

    def columns(self, settings: Settings, attached: Attached) -> dict[str, str]:
        shares = _shares(outcomes(_body(settings, attached)))
        return {name: f"share of bricks that stop as {pose}" for name, pose in shares}

    def summary(self, settings: Settings, attached: Attached, rows: pa.Table) -> Summary:
        """Return the number of bricks in each pose, and the shares with cluster-robust intervals."""
        bricks = DropDocument.model_validate(settings).bricks
        poses = outcomes(_body(settings, attached))
        if not rows.num_rows:  # nor columns
            counts, none = dict.fromkeys(poses, 0), dict.fromkeys(self.columns(settings, attached))
            return {"throws": 0, "bricks": bricks, "counts": counts, "poses_ci95": None, **none}
        hands = {
            pose: np.bincount(values(rows[pose]), minlength=bricks + 1).tolist() for pose in poses
        }
        counts = {
            pose: sum(score * count for score, count in enumerate(scores))
            for pose, scores in hands.items()
        }
        ends = {pose: throwers.share_interval(scores) for pose, scores in hands.items()}
        shares = {
            name: Estimate(counts[pose] / (rows.num_rows * bricks), *ends[pose])
            for name, pose in _shares(poses)
        }
        intervals = {pose: list(interval) for pose, interval in ends.items()}
        return {
            "throws": rows.num_rows,
            "bricks": bricks,
            "counts": counts,
            "poses_ci95": intervals,
            **shares,
        }


class DropWork(CellWork):
    """One cell of throws.

    Attributes
    ----------
    cell, root
        What is thrown, and the seed.
    """

    def __init__(self, cell: throwers.ThrowCell, root: int) -> None:
        self.cell, self.root = cell, root
        group = engine_named(cell.engine).group_hands(cell.conditions.bricks, cell.floor)
        self.grain = group if group > 1 else _TOGETHER

    def warm_up(self) -> None:
        _load(self.cell.engine)

    def rows(self, first: int, count: int) -> pa.Table:
        """Throw hands; a row has the number of bricks in each pose, and how they were released."""
        released, landing = throwers.flown(self.root, throwers.ThrowChunk(self.cell, first, count))
        poses = {
            pose: (landing.pose == index).sum(axis=1).astype(np.uint8)
            for index, pose in enumerate(landing.poses)
        }
        return pa.table(poses | _release_columns(released))


def _release_columns(states: States) -> dict[str, Array]:
    """Return the height of each hand, and its horizontal speed and spin; of several bricks the root mean squares."""
    height = states.position_mm[..., 2].mean(axis=1)
    rates = (
        np.sqrt((vectors**2).sum(axis=-1).mean(axis=-1))
        for vectors in (states.velocity_m_s[..., :2], states.spin_rad_s)
    )
    return {
        name: values.astype(np.float32)
        for name, values in zip(_RELEASE, (height, *rates), strict=True)
    }


@lru_cache
def _load(name: str) -> None:
    """Throw one plain brick, once in a process; an error of the throws of a cell must be in their rows instead."""
    throwers.land(0, throwers.ThrowChunk(cell_of("2x2", name, "hand"), 0, 1))


def _thrown(settings: Settings, attached: Attached, address: int) -> throwers.ThrowCell:
    wanted: dict[str, Any] = DropDocument.model_validate(settings).model_dump()
    height = wanted["height_mm"]
    ends = height if isinstance(height, list) else (height, height)
    return cell_of(
        _shape(wanted["shape"], attached),
        wanted["engine"],
        wanted["preset"],
        _surface(wanted["surface"] or floor_named(wanted["floor"]).surface, attached),
        wanted["bricks"],
        wanted["floor"],
        address=(address,),
        height_mm=None if height is None else tuple(ends),
        **{name: wanted[name] for name in _VALUES},
    )


def _shape(name: str, attached: Attached) -> str | BodyFile:
    return of_document(attached[name]) if is_body_file(name) else name


def _body(settings: Settings, attached: Attached) -> Body:
    shape = _shape(DropDocument.model_validate(settings).shape, attached)
    return throwers.body_of(shape) if isinstance(shape, str) else throwers.filed_body(shape)


def _surface(name: str, attached: Attached) -> Surface:
    known = is_surface_file(name)
    return parse_surface(attached[name], f"surface {name}") if known else surface_named(name)


def _shares(poses: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the names of the shares, each with its pose."""
    if SIDE in poses:
        yield "p_side", SIDE
    else:
        yield from ((f"p_{pose}", pose) for pose in poses)
