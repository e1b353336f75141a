"""LDraw: models of bricks (.ldr, .mpd): outline, heights, mass and centre of mass; the parts are in ``ldraw.toml``.

LDraw has x to the right, y down and z to the back, in units of 0.4 mm. Here a model looks to its -z: x is ahead, y to
the left, z up; the origin is on the ground below the middle of the outline. Studs count in the mass alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from brickphys.errors import InvalidValueError, naming, needing
from brickphys.geometry.rings import polygons_of
from brickphys.geometry.shape import outline_table
from brickphys.interface import Drawn, Row, public
from brickphys.reading import read_text, shipped_toml
from brickphys.shapes.mesh import Mesh
from brickphys.shapes.piece import ON_GRID, Piece, piece_mass, piece_mesh
from brickphys.shapes.solids import MassProperties, join
from brickphys.text import counted, shown
from brickphys.units import PLATE_MM, STUD_MM, Array

UNIT_MM = 0.4
MOST_LINES, MOST_DEPTH = 10_000, 50
"""Lines of all sub-files, each as often as it is used; sub-files within each other."""
_FRAME = np.array([(0, 0, -1), (1, 0, 0), (0, -1, 0)])
"""Turns LDraw's x, y and z into ahead, left and up."""
_OFF, _GRID_STUDS, _FARTHEST = 1e-3, 1e-6, 1e5
"""By so much may numbers of a rotation be rounded; to this are corners of outlines; in LDraw's units."""


class PlacedPart(NamedTuple):
    """A part of the library: its piece, turned by a rotation, shape (3, 3), and moved."""

    number: str
    piece: Piece
    turn: Array
    at_mm: Array

    def mass(self) -> MassProperties:
        """Return its mass properties in the frame of the model."""
        own, turn = piece_mass(self.piece), self.turn
        centre_mm, inertia = turn @ own.centre_mm + self.at_mm, turn @ own.inertia_g_mm2 @ turn.T
        return replace(own, centre_mm=centre_mm, inertia_g_mm2=inertia)

    def mesh(self, *, studs: bool = True) -> Mesh:
        """Return its surface in the frame of the model."""
        is_smooth = studs or self.piece.form not in ON_GRID
        found = piece_mesh(self.piece if is_smooth else replace(self.piece, form="block"))
        return Mesh(found.vertices_mm @ self.turn.T + self.at_mm, found.triangles)


@dataclass(frozen=True, repr=False, eq=False)
class Model(Drawn):
    """A model of LDraw."""

    name: str
    parts: tuple[PlacedPart, ...]
    left_out: tuple[str, ...]
    """Lines that are not taken, each with the reason."""

    drawn_by = "studio:model_figure"

    @cached_property
    def mass(self) -> MassProperties:
        """Its mass, centre of mass and inertia; parts that intersect have both their full mass."""
        return join(part.mass() for part in self.parts)

    @cached_property
    def corners_mm(self) -> list[Array]:
        """Corners of its parts without studs."""
        return [part.mesh(studs=False).vertices_mm for part in self.parts]

    @cached_property
    def outline_studs(self) -> Any:
        """Its outline from above, as a polygon of shapely or several; MissingExtraError without shapely."""
        with needing("validation", "shapely"):
            import shapely
        plans = [corners[:, :2].round(9) / STUD_MM for corners in self.corners_mm]
        hulls = [shapely.MultiPoint(plan).convex_hull for plan in plans]
        return shapely.union_all(hulls, grid_size=_GRID_STUDS).simplify(0.0)

    @cached_property
    def shape(self) -> dict[str, Any]:
        """What a table of a vehicle in a scene file says of its shape: studs and plates."""
        size = np.ptp(np.vstack(self.corners_mm), axis=0) / (STUD_MM, STUD_MM, PLATE_MM)
        length, width, height = size.round(9).tolist()
        found = {"length": length, "width": width, "bottom": 0.0, "top": height}
        if self.outline_studs.area < length * width - _GRID_STUDS:
            table = outline_table(polygons_of(self.outline_studs))
            found["part"] = table.get("part", [table])
        return found

    def document(self) -> dict[str, Any]:
        """Return it for JSON: studs, plates, grams and millimetres."""
        mass = {"mass_g": self.mass.mass_g, "centre_of_mass_mm": self.mass.centre_mm.tolist()}
        more = {"parts_used": len(self.parts), "outline_studs2": self.outline_studs.area, **mass}
        return {"model": self.name, **self.shape, **more, "left_out": list(self.left_out)}

    def line(self) -> str:
        """Return one line: its parts, its size and its mass."""
        size = "{length:g} x {width:g} studs, {top:g} plates high".format(**self.shape)
        return f"{self.name}: {counted(len(self.parts), 'part')}, {size}, {self.mass.mass_g:.2f} g"

    def rows(self) -> list[Row]:
        """Return its parts."""
        return [{"part": one.number, "mass_g": one.mass().mass_g} for one in self.parts]

    def text(self) -> str:
        ahead, left, up = self.mass.centre_mm.round(9) + 0.0
        centre = f"centre of mass {ahead:.2f} mm ahead, {left:.2f} left, {up:.2f} up"
        outline = f"outline {self.outline_studs.area:.3f} studs^2; {centre}"
        return "\n".join((self.line(), outline, *self.left_out))


@public()
def ldraw(path: Path | str) -> Model:
    """Return the model in a file of LDraw (.ldr, .mpd); what is not known of it is told in `Model.left_out`.

    Raises
    ------
    InvalidValueError
        If it cannot be read, has a line with a fault, uses itself, or no part of it is known.
    """
    if Path(path).suffix.lower() not in (".ldr", ".mpd"):
        raise InvalidValueError(f"{path}: does not end in .ldr or .mpd")
    reader = _Reader(_sub_files(read_text(path)))
    with naming(str(path)):
        name, place = next(iter(reader.lines), ""), (np.eye(3), np.zeros(3))
        parts = list(reader.parts(name, place, "grey", ()))
        if not parts:
            raise InvalidValueError("; ".join(["no part of it is known", *reader.left_out[:5]]))
    corners = np.vstack([part.mesh(studs=False).vertices_mm for part in parts])
    low, high = corners.min(axis=0), corners.max(axis=0)
    base = np.array([*(low + high)[:2] / 2, low[2]])
    moved = tuple(part._replace(at_mm=part.at_mm - base) for part in parts)
    return Model(Path(path).name, moved, tuple(dict.fromkeys(reader.left_out)))


def _sub_files(text: str) -> dict[str, list[tuple[int, str]]]:
    """Return the numbered lines of each sub-file; the first one is the model."""
    found: dict[str, list[tuple[int, str]]] = {"": []}
    here = found[""]
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split(None, 2)
        if words[:2] in (["0", "FILE"], ["0", "NOFILE"]):
            found.pop("", None)
            here = found.setdefault(words[2].strip().lower(), []) if len(words) == 3 else []
        here.append((number, line))
    return found


@lru_cache
def _library() -> tuple[dict[str, Piece], dict[str, str]]:
    """Return the pieces by their numbers, and the colours by their codes."""
    tables = shipped_toml(files("brickphys.shapes") / "ldraw.toml")
    found = {name: Piece(**table, colour="grey") for name, table in tables["part"].items()}
    return found, tables["colour"]


@dataclass
class _Reader:
    """Reads the lines of a model, and those of the sub-files that it uses."""

    lines: dict[str, list[tuple[int, str]]]
    left_out: list[str] = field(default_factory=list)
    count: int = 0

    def parts(
        self, name: str, place: tuple[Array, Array], colour: str, within: tuple[str, ...]
    ) -> Iterator[PlacedPart]:
        """Yield the parts of a sub-file at a place: a rotation, and a shift in mm."""
        pieces, colours = _library()
        for number, line in self.lines.get(name, ()):
            self.count += 1
            if self.count > MOST_LINES:
                raise InvalidValueError(f"line {number}: more than {MOST_LINES:,} lines are used")
            words = line.split(None, 14)
            if words[:1] in (["3"], ["4"]):
                self.left_out.append(f"left out: line {number}: a surface that is not a part")
            if words[:1] != ["1"]:
                continue
            (turn, at_mm), used = _place(words, number), words[-1].strip().lower()
            there = place[0] @ turn, place[0] @ at_mm + place[1]
            ours = colour if words[1] == "16" else colours.get(words[1], "grey")  # 16: inherited
            if used in (*within, name) or len(within) > MOST_DEPTH:
                raise InvalidValueError(
                    f"line {number}: {shown(used)} uses itself, or lies too deep"
                )
            if used in self.lines:
                yield from self.parts(used, there, ours, (*within, name))
            elif piece := pieces.get(used.removesuffix(".dat")):
                yield PlacedPart(used.removesuffix(".dat"), replace(piece, colour=ours), *there)
            else:
                self.left_out.append(f"left out: line {number}: {shown(used)} is not a known part")


def _place(words: list[str], number: int) -> tuple[Array, Array]:
    """Return the rotation and the shift in a line, in the frame of the model."""
    try:
        values = np.array([float(word) for word in words[2:14]])
    except ValueError:
        values = np.full(12, nan)
    if len(words) < 15 or not (np.abs(values) < _FARTHEST).all():
        raise InvalidValueError(f"line {number}: not a colour, 12 numbers and a file")
    matrix = values[3:].reshape(3, 3)
    if np.linalg.det(matrix) < 0 or not np.allclose(matrix @ matrix.T, np.eye(3), atol=_OFF):
        fault = f"its matrix mirrors, stretches or shears {shown(words[14])}"
        raise InvalidValueError(f"line {number}: {fault}")
    left, _, right = np.linalg.svd(matrix)
    is_quarter = np.allclose(matrix, matrix.round(), atol=1e-6)
    turn = matrix.round() if is_quarter else left @ right
    return _FRAME @ turn @ _FRAME.T, _FRAME @ values[:3] * UNIT_MM
