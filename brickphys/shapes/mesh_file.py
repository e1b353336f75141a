"""Mesh file: the triangles in a file of any common format.

It loads trimesh, so `body_file` imports it only to read a mesh.
"""

import codecs
import io
import zipfile
from typing import Any

import numpy as np
import trimesh

from brickphys.errors import InvalidValueError, in_words
from brickphys.reading import MOST_MESH_BYTES
from brickphys.shapes.mesh import MESH_FILES, Mesh

MAX_TRIANGLES = 6_000_000


def parse_mesh(data: bytes, place: str, unit_mm: float) -> Mesh:
    """Return the triangles in a mesh file, in mm; equal corners are one, but the mesh need not be closed.

    Parameters
    ----------
    data
        Content of the file.
    place
        Name of the file, which ends in one of `MESH_FILES`. Messages start with it.
    unit_mm
        Length of the file's unit.

    Raises
    ------
    InvalidValueError
        If the file is of another kind, damaged or has too many triangles.
    """
    kind = place.rpartition(".")[2].lower()
    if kind not in MESH_FILES:
        raise InvalidValueError(f"{place}: a mesh is a file .{', .'.join(MESH_FILES)}")
    try:
        with np.errstate(all="ignore"):  # absurd lengths are refused later
            mesh = _load(data, kind, place)
    except InvalidValueError:
        raise
    except ImportError:  # trimesh guesses the encoding of what is not UTF-8
        raise InvalidValueError(
            f"{place}: is neither a binary {kind.upper()} file nor UTF-8 text"
        ) from None
    except Exception as error:  # whatever its parsers meet in a damaged file
        raise InvalidValueError(f"{place}: cannot be read as {kind}: {in_words(error)}") from None
    if not np.isfinite(mesh.vertices).all():
        raise InvalidValueError(f"{place}: some corners of the mesh are not finite")
    return Mesh(
        unit_mm * np.array(mesh.vertices, dtype=np.float64), np.array(mesh.faces, dtype=np.intp)
    )


def _load(data: bytes, kind: str, place: str) -> Any:
    """Return the mesh of trimesh, or raise what its parsers raise."""
    scene = trimesh.load_scene(_file(data, kind, place), file_type=kind, skip_materials=True)
    _check_count(_triangles(scene), place)  # before the parts are copied to their places
    mesh = scene.to_mesh()
    if not isinstance(mesh, trimesh.Trimesh) or not len(mesh.faces):
        raise InvalidValueError(f"{place}: there is no mesh of triangles in it")
    corners, faces = np.asarray(mesh.vertices), np.asarray(mesh.faces)
    if corners.shape[1:] != (3,) or not 0 <= faces.min() <= faces.max() < len(corners):
        raise InvalidValueError(f"{place}: triangles need corners with three coordinates")
    # formats that shade each facet for itself repeat its corners
    return trimesh.Trimesh(corners, faces, process=True)


def _file(data: bytes, kind: str, place: str) -> io.StringIO | io.BytesIO:
    """Return what the parser of a kind reads, without a byte order mark."""
    if kind == "3mf":
        _check_archive(data, place)
    is_text = kind in ("obj", "ply", "off") or data[3:8].lower() == b"solid"
    data = data.removeprefix(codecs.BOM_UTF8) if is_text else data
    if kind != "obj":
        return io.BytesIO(data)
    _check_count(_obj_triangles(data), place)  # before the parser needs memory for them
    # comments and names of an OBJ file may have any encoding; its numbers are ASCII
    return io.StringIO(data.decode("latin-1"))


def _obj_triangles(obj: bytes) -> int:
    """Return how many triangles the faces of an OBJ file have: one of n corners has n - 2."""
    lines = io.BytesIO(obj.replace(b"\\\n", b" "))
    return sum(max(len(line.split()) - 3, 0) for line in lines if line.lstrip().startswith(b"f"))


def _triangles(scene: Any) -> int:
    """Return how many triangles the things of a scene have, each as often as it stands there."""
    names = (scene.graph[node][1] for node in scene.graph.nodes_geometry)
    return sum(len(getattr(scene.geometry[name], "faces", ())) for name in names)


def _check_archive(data: bytes, place: str) -> None:
    size = sum(entry.file_size for entry in zipfile.ZipFile(io.BytesIO(data)).infolist())
    if size > MOST_MESH_BYTES:
        raise InvalidValueError(
            f"{place}: larger than {MOST_MESH_BYTES / 1e6:g} MB when it is unpacked"
        )


def _check_count(triangles: int, place: str) -> None:
    if triangles > MAX_TRIANGLES:
        raise InvalidValueError(
            f"{place}: {triangles:,} triangles, more than {MAX_TRIANGLES:,}; simplify the mesh"
        )
