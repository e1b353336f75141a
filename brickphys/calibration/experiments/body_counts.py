"""Body counts: counted rolls of any bodies, from a table of faces and counts with a mesh for each body.

The table is a CSV file with the columns `COLUMNS`; each further column has the shares of another model. Beside it lies
the mesh of each body, ``BODY.obj`` or another of `MESH_FILES`. A face is where one of its normals points down: three
numbers each, semicolons between them. A body without a mesh is a shape by name: its faces are poses, such as
``heads+tails``, and it needs no normals.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from brickphys.calibration.home_counts import Row, header_problems, refuse_rows, table
from brickphys.calibration.throwers import body_of, filed_body
from brickphys.errors import CountsFileError, InvalidValueError, raised_as
from brickphys.reading import MOST_COUNTS_BYTES, read_bytes, read_rows
from brickphys.shapes.body import Body
from brickphys.shapes.body_file import BodyFile, body_file_of
from brickphys.shapes.mesh import MESH_FILES

NORMALS = "normals"
COLUMNS = ("body", "face", "rolls", NORMALS)
"""The last one may be missing where all bodies are shapes by name."""
OTHER = "other"
"""The pose of all faces that the table does not name."""
UNIT_MM, DENSITY_G_CM3 = 12.0, 1.1
"""Usual length of the unit of a mesh, for a print of some 20 mm, and its usual density."""
_MOST_ROLLS = 1_000_000_000

Shares = Mapping[str, float]
"""Face -> share of the rolls."""


@dataclass(frozen=True, eq=False)
class CountedBody:
    """A body, and how often each of its faces came to lie down."""

    name: str
    counts: Mapping[str, int]
    """Face -> rolls that ended on it."""
    beside: Mapping[str, Shares]
    """Other model of the file -> its shares."""
    poses: Mapping[str, tuple[str, ...]]
    """Face -> the poses of the body that it stands for."""
    file: BodyFile | None = None
    """The body, if it has a mesh; else it is the shape `name`."""
    edge_radius_mm: float | None = None

    @property
    def body(self) -> Body:
        """The body as it is thrown."""
        if self.file is not None:
            return filed_body(self.file)
        return body_of(self.name, None, self.edge_radius_mm)

    @property
    def rolls(self) -> int:
        """How many rolls were counted."""
        return sum(self.counts.values())

    @property
    def dof(self) -> int:
        """Degrees of freedom of chi squared: faces less one."""
        return len(self.counts) - 1

    def shares(self, by_pose: Shares) -> dict[str, float]:
        """Return face -> share from pose -> share."""
        return {
            face: sum(by_pose.get(pose, 0.0) for pose in poses)
            for face, poses in self.poses.items()
        }

    def chi2(self, shares: Shares) -> float:
        """Return Pearson's chi squared of the counts against shares; infinite where an impossible face came."""
        expected = np.array([self.rolls * shares[face] for face in self.counts])
        missed = np.array([*self.counts.values()]) - expected
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(missed == 0.0, 0.0, missed**2 / expected)
        return float(terms.sum())


def read_counted_bodies(
    path: Path | str,
    unit_mm: float = UNIT_MM,
    density_g_cm3: float = DENSITY_G_CM3,
    edge_radius_mm: float | None = None,
) -> tuple[CountedBody, ...]:
    """Return the bodies of a file of counts, in its order.

    Raises CountsFileError if the file or a mesh cannot be read, a row is impossible, or a body has not the faces of its
    rows; InvalidValueError if unit or density is not above 0. Without an edge radius bodies have their usual one: a
    mesh has none.
    """
    for what, value in (("unit_mm", unit_mm), ("density_g_cm3", density_g_cm3)):
        if not 0 < value < math.inf:  # also where no body is a mesh
            raise InvalidValueError(f"{what} {value:g} is not a number above 0")
    with raised_as(CountsFileError):
        header, rows = table(read_rows(path, MOST_COUNTS_BYTES))
        refuse_rows(path, header_problems(header, COLUMNS[:3], COLUMNS[3:]))
        found = [*rows]
        if NORMALS not in header:
            header += (NORMALS,)
            found = [replace(row, cells=(*row.cells, "")) for row in found]
        refuse_rows(path, _problems(header, found))
        by_body: dict[str, list[dict[str, str]]] = {}
        for row in found:
            cells = dict(zip(header, row.cells, strict=True))
            by_body.setdefault(cells["body"], []).append(cells)
        faults = _sum_problems(by_body) if by_body else ["it has no rows"]
        refuse_rows(path, faults)
        made = {"unit": unit_mm, "density_g_cm3": density_g_cm3}
        return tuple(
            _body(Path(path), name, cells, made, edge_radius_mm) for name, cells in by_body.items()
        )


def _problems(header: tuple[str, ...], rows: list[Row]) -> Iterator[str]:
    seen = set[tuple[str, str]]()
    for row in rows:
        if len(row.cells) != len(header):
            yield f"{row.place}: {len(row.cells)} cells, where the header has {len(header)}"
            continue
        cells = dict(zip(header, row.cells, strict=True))
        body, face, rolls, normals = (cells[name] for name in COLUMNS)
        for name in COLUMNS[:2]:
            if not cells[name]:
                yield f"{row.place}: {name} is empty"
        if (body, face) in seen:
            yield f"{row.place}: face {face!r} of {body!r} again"
        seen.add((body, face))
        if not rolls.isdecimal() or int(rolls[:10]) > _MOST_ROLLS:
            yield f"{row.place}: rolls {rolls!r} is not a number from 0 to {_MOST_ROLLS:,}"
        try:
            _normals(normals)
        except ValueError:
            yield f"{row.place}: normals {normals!r}: not three numbers each, with semicolons between them"
        for name in header:
            if name not in COLUMNS and not _is_share(cells[name]):
                yield f"{row.place}: {name} {cells[name]!r} is not a share from 0 to 1"


def _is_share(text: str) -> bool:
    try:
        return 0.0 <= float(text) <= 1.0
    except ValueError:
        return False


def _sum_problems(by_body: Mapping[str, list[dict[str, str]]]) -> Iterator[str]:
    for name, rows in by_body.items():
        if len(rows) < 2:
            yield f"body {name!r}: only one face"
        elif not any(int(row["rolls"]) for row in rows):
            yield f"body {name!r}: no rolls"
        if len({bool(row["normals"]) for row in rows}) == 2:
            yield f"body {name!r}: some faces have normals, and others none"


def _normals(text: str) -> list[list[float]]:
    """Return normals from ``x y z;x y z``; ValueError if they are none."""
    found = [[float(word) for word in one.split()] for one in text.split(";") if text]
    if not all(len(one) == 3 and all(map(math.isfinite, one)) and any(one) for one in found):
        raise ValueError
    return found


def _body(
    path: Path, name: str, rows: list[dict[str, str]], made: dict[str, Any], radius: float | None
) -> CountedBody:
    """Return the body of some rows, from its mesh or by its name."""
    counts = {row["face"]: int(row["rolls"]) for row in rows}
    beside = {
        model: {row["face"]: float(row[model]) for row in rows}
        for model in rows[0]
        if model not in COLUMNS
    }
    if not rows[0]["normals"]:
        return _named(path, CountedBody(name, counts, beside, _joined(counts), None, radius))
    poses = {face: f"face_{number}" for number, face in enumerate(counts)}  # faces have any names
    return CountedBody(
        name,
        counts,
        beside,
        {face: (pose,) for face, pose in poses.items()},
        _meshed(path, name, rows, poses, {**made, "edge_radius_mm": radius or 0.0}),
    )


def _meshed(
    path: Path,
    name: str,
    rows: list[dict[str, str]],
    poses: Mapping[str, str],
    made: dict[str, Any],
) -> BodyFile:
    """Return the body of the mesh beside a file of counts, with a pose for each face."""
    ends = [f".{end}" for end in MESH_FILES]
    mesh = next((name + end for end in ends if (path.parent / (name + end)).is_file()), None)
    if mesh is None:
        raise InvalidValueError(
            f"{path}: body {name!r}: no mesh {name}.obj beside it (or {', '.join(ends[1:])})"
        )
    normals = {poses[row["face"]]: _normals(row["normals"]) for row in rows}
    tables = {
        "name": "body",
        "source": str(path),
        "mesh": mesh,
        "poses": normals,
        "other_pose": OTHER,
        **made,
    }
    place = f"{path}: body {name!r}"
    try:
        found = body_file_of(tables, place, lambda one, most: read_bytes(path.parent / one, most))
    except InvalidValueError as error:
        told = str(error)
        for face, pose in poses.items():
            told = told.replace(f"poses.{pose}:", f"face {face!r}:")
        raise InvalidValueError(told) from None
    named = {pose for pose, _ in found.faces}
    if missing := [face for face, pose in poses.items() if pose not in named]:
        raise InvalidValueError(f"{place}: face {missing[0]!r} has the normals of another face")
    return found


def _joined(faces: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
    return {face: tuple(face.split("+")) for face in faces}


def _named(path: Path, body: CountedBody) -> CountedBody:
    """Return a body by name if it is a shape with these poses."""
    try:
        known = body.body.poses
    except InvalidValueError as error:
        raise InvalidValueError(
            f"{path}: body {body.name!r} has no normals, so it must be a shape: {error}"
        ) from None
    poses = [pose for poses in body.poses.values() for pose in poses]
    if twice := [pose for pose in poses if poses.count(pose) > 1]:
        raise InvalidValueError(f"{path}: body {body.name!r}: pose {twice[0]!r} is in two faces")
    for pose in poses:
        if pose not in known:
            raise InvalidValueError(
                f"{path}: body {body.name!r} has no pose {pose!r}: {', '.join(known)}"
            )
    return body
