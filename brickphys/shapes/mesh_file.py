"""Mesh file: the triangles in a file of any common format, and the solid that the shells of a mesh enclose.

Shells may overlap, nest or not quite close. This module loads trimesh and manifold3d, so `body_file` imports it only to
read a mesh.
"""

import codecs
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import trimesh
from manifold3d import Manifold, Mesh64, OpType
from scipy.spatial import cKDTree

from brickphys.errors import InvalidValueError, in_words
from brickphys.reading import MOST_MESH_BYTES
from brickphys.shapes.hull import groups
from brickphys.shapes.mesh import MESH_FILES, Mesh
from brickphys.shapes.solids import MassProperties
from brickphys.text import counted
from brickphys.units import Array, Indices

MAX_TRIANGLES = 6_000_000


def parse_mesh(data: bytes, place: str, unit_mm: float) -> Mesh:
    """Return the triangles in a mesh file, in mm; equal corners are one, but the mesh need not be closed.

    InvalidValueError if the file is of another kind, damaged or has too many triangles.

    Parameters
    ----------
    place
        Name of the file, which ends in one of `MESH_FILES`. Messages start with it.
    unit_mm
        Length of the file's unit.
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
        size = sum(entry.file_size for entry in zipfile.ZipFile(io.BytesIO(data)).infolist())
        if size > MOST_MESH_BYTES:
            raise InvalidValueError(
                f"{place}: larger than {MOST_MESH_BYTES / 1e6:g} MB when it is unpacked"
            )
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


def _check_count(triangles: int, place: str) -> None:
    if triangles > MAX_TRIANGLES:
        raise InvalidValueError(
            f"{place}: {triangles:,} triangles, more than {MAX_TRIANGLES:,}; simplify the mesh"
        )


MAX_SHELLS = 5000
WELD = 1e-4
"""Corners of an open mesh are one if they are nearer than this share of its size."""
_NEIGHBOURS = 8
"""Near corners that are looked at for each one: more of them are near to each other."""
_FLAT = 1e-9
"""A shell has no volume below this share of the box around it, a facet no area below this share of a square."""
_SAME = 1e-6
"""Volumes are equal up to this share."""
_SLICES = 31
"""Sections in which a mesh is looked at for shells that cut through themselves."""
_TWICE = 1e-3
"""Most area that such a shell may enclose twice or inside out, as a share of that of all sections."""


@dataclass(frozen=True, eq=False)
class MeshSolid:
    """The solid in a mesh."""

    corners_mm: Array
    """Corners of its surface, shape (n, 3)."""
    mass: MassProperties
    """At 1 g/cm3."""
    done: tuple[str, ...]
    """What was done to the mesh, in words."""


def mesh_solid(mesh: Mesh, place: str) -> MeshSolid:
    """Return the solid in a mesh.

    A shell is a connected closed surface. Shells that face outwards are united. One that faces inwards is a cavity of
    the smallest shell around it. InvalidValueError if the mesh does not close, some triangles face inwards and others
    outwards, it encloses no volume, or a shell cuts through itself. The mesh need not be closed; messages start with
    its place.
    """
    corners, triangles, done = _closed(mesh, place)
    whole = _manifold(corners, triangles)
    if whole.volume() < 0:
        triangles = triangles[:, ::-1]
        whole = _manifold(corners, triangles)
    shells = [shell for shell in _shells(corners, triangles, place) if not _is_flat(shell)]
    if not shells:
        raise InvalidValueError(f"{place}: the mesh has no volume")
    if flat := len(triangles) - sum(map(Manifold.num_tri, shells)):
        done.append(f"{counted(flat, 'facet')} that enclose nothing dropped")
    union, more = _united(shells) if len(shells) > 1 else (shells[0], [])
    done += more
    if len(shells) > 1 or flat:
        made = union.to_mesh64()
        corners, triangles = np.array(made.vert_properties), np.array(made.tri_verts, dtype=np.intp)
    _check_once(union, corners, triangles, place)
    found = trimesh.Trimesh(corners, triangles, process=False).mass_properties
    density_g_mm3 = 1e-3
    mass = MassProperties(
        density_g_mm3 * float(found.volume),
        float(found.volume),
        np.array(found.center_mass, dtype=np.float64),
        density_g_mm3 * np.array(found.inertia, dtype=np.float64),
    )
    return MeshSolid(corners[np.unique(triangles)], mass, tuple(done))


def _closed(mesh: Mesh, place: str) -> tuple[Array, Indices, list[str]]:
    """Return corners and triangles that close, and what was done; the first attempt that closes changes the least."""
    size = float(np.ptp(mesh.vertices_mm, axis=0).max())
    once = _once(mesh.triangles)
    for weld_mm in (0.0, WELD * size):
        triangles = once
        if weld_mm:
            triangles = _welded(mesh.vertices_mm, weld_mm)[triangles]
        kept = triangles[(triangles != np.roll(triangles, 1, axis=1)).all(axis=1)]
        for attempt in (kept, kept[_areas(mesh.vertices_mm[kept]) > _FLAT * size**2]):
            if _is_closed(attempt, len(mesh.vertices_mm)):
                dropped = len(mesh.triangles) - len(attempt)
                what = f"{counted(dropped, 'facet')} without area, or there twice, dropped"
                done = [what] if dropped else []
                if weld_mm:
                    done.append(f"corners nearer than {weld_mm:.2g} mm welded")
                return mesh.vertices_mm, attempt, done
    raise InvalidValueError(f"{place}: {_why_open(mesh.triangles)}")


def _welded(corners: Array, distance: float) -> Indices:
    """Return for each corner the first one of its group, in which each is near to another."""
    found = cKDTree(corners).query(corners, _NEIGHBOURS, distance_upper_bound=distance)
    near: Indices = np.asarray(found[1])
    first, slot = np.nonzero(near < len(corners))
    group = groups(len(corners), first, near[first, slot])[1]
    firsts: Indices = np.unique(group, return_index=True)[1]
    return firsts[group]


def _once(triangles: Indices) -> Indices:
    """Return triangles without those that are there again, from the same side."""
    first = triangles.argmin(axis=1)[:, None]
    turned = np.take_along_axis(triangles, (first + np.arange(3)) % 3, axis=1)
    order = np.lexsort(turned.T)
    again = (turned[order[1:]] == turned[order[:-1]]).all(axis=1)
    kept: Indices = triangles[np.sort(np.concatenate([order[:1], order[1:][~again]]))]
    return kept


def _areas(triangles: Array) -> Array:
    a, b, c = np.moveaxis(triangles, 1, 0)
    areas: Array = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    return areas


def _is_closed(triangles: Indices, corners: int) -> bool:
    """Return whether each edge is passed as often in one direction as in the other."""
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    ways = np.sort(start * corners + end), np.sort(end * corners + start)
    return len(triangles) > 0 and np.array_equal(*ways)


def _why_open(triangles: Indices) -> str:
    edges = np.column_stack([triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()])
    _, uses = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)
    if wrong := int((uses % 2).sum()):
        return f"the mesh is not closed: {counted(wrong, 'edge')} not shared by two triangles"
    return "some triangles of the mesh face inwards, others outwards"


def _manifold(corners: Array, triangles: Indices) -> Manifold:
    return Manifold(Mesh64(np.ascontiguousarray(corners), triangles.astype(np.uint64, order="C")))


def _shells(corners: Array, triangles: Indices, place: str) -> list[Manifold]:
    """Return the shells of a mesh.

    They are told apart here: `Manifold.decompose` alone takes minutes for 10,000, and no signal ends it.
    """
    pairs = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    group = groups(len(corners), *pairs)[1][triangles[:, 0]]
    order = np.argsort(group, kind="stable")
    parts = np.split(triangles[order], np.flatnonzero(np.diff(group[order])) + 1)
    if len(parts) > MAX_SHELLS:
        raise InvalidValueError(f"{place}: {len(parts):,} shells, more than {MAX_SHELLS:,}")
    found: list[Manifold] = []
    for part in parts:
        used, index = np.unique(part, return_inverse=True)
        found += _manifold(corners[used], index.reshape(-1, 3)).decompose()
    return found


def _is_flat(shell: Manifold) -> bool:
    low, high = np.array(shell.bounding_box()).reshape(2, 3)
    return bool(shell.is_empty() or abs(shell.volume()) <= _FLAT * np.prod(high - low))


def _united(shells: Sequence[Manifold]) -> tuple[Manifold, list[str]]:
    """Return the solid that shells enclose together, and what was done."""
    outward = sorted((one for one in shells if one.volume() > 0), key=Manifold.volume)
    inward = [_inverted(one) for one in shells if one.volume() < 0]
    around = [
        next((n for n, one in enumerate(outward) if _contains(one, cavity)), None)
        for cavity in inward
    ]
    turned = [cavity for cavity, n in zip(inward, around, strict=True) if n is None]
    solids = [
        Manifold.batch_boolean(
            [one, *(cavity for cavity, n in zip(inward, around, strict=True) if n == number)],
            OpType.Subtract,
        )
        for number, one in enumerate(outward)
    ] + turned
    union = Manifold.batch_boolean(solids, OpType.Add)
    parts = sum(part.volume() > 0 for part in union.decompose())
    done = []
    if union.volume() < (1 - _SAME) * sum(map(Manifold.volume, solids)):
        done.append(f"{len(solids)} shells, of which some overlap, united")
    if len(turned) < len(inward):
        done.append(f"{counted(len(inward) - len(turned), 'inner shell')} kept hollow")
    if turned:
        done.append(f"{counted(len(turned), 'shell')} turned outwards")
    if parts > 1:
        done.append(f"{parts} parts that do not touch taken as one body")
    return union, done


def _inverted(shell: Manifold) -> Manifold:
    mesh = shell.to_mesh64()
    return _manifold(np.array(mesh.vert_properties), np.array(mesh.tri_verts)[:, ::-1])


def _contains(outer: Manifold, inner: Manifold) -> bool:
    (low, high), (around_low, around_high) = (
        np.array(one.bounding_box()).reshape(2, 3) for one in (inner, outer)
    )
    if (low < around_low).any() or (high > around_high).any():
        return False
    return bool((inner - outer).volume() <= _SAME * inner.volume())


def _check_once(solid: Manifold, corners: Array, triangles: Indices, place: str) -> None:
    """Raise InvalidValueError if a shell cuts through itself, so that its volume counts some of it twice.

    In a section, the outlines of such a shell enclose more or less, with their signs, than the region within them.
    """
    heights = corners[triangles, 2]
    low, high = heights.min(axis=1), heights.max(axis=1)
    # no corner lies in such a section, as it would in the middle of a symmetric body
    shares = (np.arange(_SLICES) + 1 / np.pi) / _SLICES
    levels = low.min() + shares * (high.max() - low.min())
    enclosed = covered = 0.0
    for level in levels:
        enclosed += _section_area(corners[triangles[(low < level) & (level <= high)]], level)
        covered += solid.slice(level).area()
    if abs(enclosed - covered) > _TWICE * covered:
        raise InvalidValueError(
            f"{place}: the mesh cuts through itself: {100 * abs(enclosed / covered - 1):.2g} % of its inside is "
            "enclosed twice or inside out; remesh it"
        )


def _section_area(triangles: Array, level: float) -> float:
    """Return the area within the outlines of a section, with their signs; each of the triangles crosses it."""
    above = triangles[..., 2] >= level
    alone = np.where(above.sum(axis=1) == 1, above.argmax(axis=1), above.argmin(axis=1))
    rows = np.arange(len(triangles))
    apex, one, other = (triangles[rows, (alone + turn) % 3] for turn in range(3))
    ends = [
        apex[:, :2]
        + ((level - apex[:, 2]) / (far[:, 2] - apex[:, 2]))[:, None] * (far - apex)[:, :2]
        for far in (one, other)
    ]
    (x, y), (u, v) = ends[0].T, ends[1].T
    signs = np.where(above[rows, alone], 1.0, -1.0)
    return float((signs * (x * v - u * y)).sum() / 2)
