"""Mesh file: the corners and mass properties of a solid from a closed mesh in an OBJ or STL file.

It loads trimesh, so `body_file` imports it only to read a mesh.
"""

import io
from typing import Any

import numpy as np
import trimesh

from brickphys.arrays import Array
from brickphys.errors import InvalidValueError, in_words
from brickphys.shapes.solids import MassProperties
from brickphys.text import counted

MAX_TRIANGLES = 200_000
KINDS = ("obj", "stl")
"""Kinds of files, as their names end."""


@np.errstate(all="ignore")  # a flat mesh has no centre; absurd lengths are refused later
def parse_mesh(data: bytes, place: str, unit_mm: float) -> tuple[Array, MassProperties]:
    """Return the corners (n, 3) of a mesh and the mass properties of its inside at 1 g/cm3, in mm.

    Parameters
    ----------
    data
        Content of the file.
    place
        Name of the file; it ends in ``.obj`` or ``.stl``. Messages start with it.
    unit_mm
        Length of the file's unit.

    Raises
    ------
    InvalidValueError
        If the file is of another kind, damaged or has too many triangles, or its triangles do not enclose a volume.
    """
    mesh = _load(data, place)
    mesh.apply_scale(unit_mm)
    if not mesh.is_watertight:
        _, uses = np.unique(mesh.edges_sorted, axis=0, return_counts=True)
        wrong = counted(int((uses != 2).sum()), "edge")
        raise InvalidValueError(
            f"{place}: the mesh is not closed: {wrong} not shared by two triangles"
        )
    if not mesh.is_winding_consistent:
        raise InvalidValueError(
            f"{place}: some triangles of the mesh face inwards, others outwards"
        )
    if mesh.volume < 0:
        mesh.invert()
    found = mesh.mass_properties
    if found.volume <= 1e-9 * float(np.prod(mesh.extents)):
        raise InvalidValueError(f"{place}: the mesh has no volume")
    density_g_mm3 = 1e-3
    return np.array(mesh.vertices, dtype=np.float64), MassProperties(
        density_g_mm3 * float(found.volume),
        float(found.volume),
        np.array(found.center_mass, dtype=np.float64),
        density_g_mm3 * np.array(found.inertia, dtype=np.float64),
    )


def _load(data: bytes, place: str) -> Any:
    kind = place.rpartition(".")[2].lower()
    if kind not in KINDS:
        raise InvalidValueError(f"{place}: a mesh is a file .obj or .stl")
    if kind == "obj":
        _check_count(_triangles(data), place)  # before the parser needs memory for them
    # comments and names of an OBJ file may have any encoding; its numbers are ASCII
    file = io.StringIO(data.decode("latin-1")) if kind == "obj" else io.BytesIO(data)
    try:
        mesh = trimesh.load_mesh(file, file_type=kind, skip_materials=True)
    except ImportError:  # trimesh guesses the encoding of what is not UTF-8
        raise InvalidValueError(f"{place}: is neither a binary STL file nor UTF-8 text") from None
    except Exception as error:  # whatever its parsers meet in a damaged file
        raise InvalidValueError(f"{place}: cannot be read as {kind}: {in_words(error)}") from None
    if not isinstance(mesh, trimesh.Trimesh) or not len(mesh.faces):
        raise InvalidValueError(f"{place}: there is no mesh of triangles in it")
    _check_count(len(mesh.faces), place)
    if not np.isfinite(mesh.vertices).all():
        raise InvalidValueError(f"{place}: some corners of the mesh are not finite")
    return mesh


def _triangles(obj: bytes) -> int:
    """Return how many triangles the faces of an OBJ file have: one of n corners has n - 2."""
    lines = io.BytesIO(obj.replace(b"\\\n", b" "))
    return sum(max(len(line.split()) - 3, 0) for line in lines if line.lstrip().startswith(b"f"))


def _check_count(triangles: int, place: str) -> None:
    if triangles > MAX_TRIANGLES:
        raise InvalidValueError(
            f"{place}: {triangles:,} triangles, more than {MAX_TRIANGLES:,}; simplify the mesh"
        )
