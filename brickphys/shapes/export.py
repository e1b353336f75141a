"""Export: the model files of shapes and of bodies of assemblies, and the meshes in them.

The model of a shape has its origin in the centre of mass and principal axes, like `Body`. All bodies of a thing share
its frame (origin on the ground below the middle of the footprint, x forward). ``python -m benchmarks.models models``
writes the files.
"""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import numpy as np

import brickphys
from brickphys.errors import unknown
from brickphys.shapes.assembly import RigidBody, assembly, assembly_names
from brickphys.shapes.body import Body
from brickphys.shapes.brick import LENGTHS, WIDTHS, default_dimensions
from brickphys.shapes.mesh import Mesh, brick_mesh
from brickphys.shapes.piece import Piece, piece_mesh
from brickphys.units import BRICK_MM, PLATE_MM

BRICKS_AND_PLATES = tuple(
    f"{kind}{nx}x{ny}" for kind in ("", "plate:") for nx in WIDTHS for ny in LENGTHS if ny >= nx
)
MODELLED = (*BRICKS_AND_PLATES, "d6:16")
"""Names of the shapes that have a model. All assemblies have one too."""


def models_folder() -> Path:
    """Return the models folder: inside an installed package, or beside the package in a checkout."""
    package = Path(brickphys.__file__).parent
    inside = package / "models"
    return inside if inside.is_dir() else package.parent / "models"


def model_path(name: str, suffix: str = ".urdf") -> Path:
    """Return the model file of a shape, or of a body of an assembly.

    InvalidValueError if the name has no model, or its model no file of that suffix.

    Parameters
    ----------
    name
        A shape with a model (see `MODELLED`), as the command line writes it, or a body of an assembly, such as
        ``"jeep"`` (its hull) or ``"jeep/driver"``.
    suffix
        ``".urdf"``, and for shapes ``"_hull.obj"`` (collision) or, for bricks and plates, ``".obj"`` (every detail).
    """
    suffixes: tuple[str, ...] = (".urdf",)
    if name in MODELLED:
        suffixes = (
            (".urdf", ".obj", "_hull.obj") if name in BRICKS_AND_PLATES else (".urdf", "_hull.obj")
        )
    elif name.partition("/")[0] not in assembly_names():
        raise unknown("model", name, (*MODELLED, *assembly_names()))
    else:
        bodies = [body.name for body in assembly(name.partition("/")[0]).bodies]
        if name not in bodies:
            raise unknown("body", name, bodies)
    if suffix not in suffixes:
        raise unknown(f"file of model {name}", suffix, suffixes)
    return models_folder() / (f"{stem_of(name)}{suffix}" if name in MODELLED else urdf_file(name))


def urdf_file(body_name: str) -> Path:
    """Return the path of a body's URDF in the models folder: ``jeep/jeep.urdf``, ``jeep/driver.urdf``."""
    thing, _, member = body_name.partition("/")
    return Path(thing) / f"{member or thing}.urdf"


def stem_of(name: str) -> str:
    """Return how the files of the model of a shape are called."""
    return name.replace(":", "_")


def colour_meshes(body: RigidBody) -> dict[str, Mesh]:
    """Return the surface of a body's pieces of each colour, in the frame of the thing."""

    def colour(piece: Piece) -> str:
        return piece.colour

    return {
        name: _merge(piece_mesh(piece, body.pieces) for piece in pieces)
        for name, pieces in groupby(sorted(body.pieces, key=colour), key=colour)
    }


def _merge(meshes: Iterable[Mesh]) -> Mesh:
    meshes = list(meshes)
    starts = np.cumsum([0, *(len(mesh.vertices_mm) for mesh in meshes[:-1])])
    triangles = [mesh.triangles + start for mesh, start in zip(meshes, starts, strict=True)]
    return Mesh(np.vstack([mesh.vertices_mm for mesh in meshes]), np.vstack(triangles))


def detail_mesh(body: Body) -> Mesh | None:
    """Return a brick or plate with its studs and its hollow, about its centre of mass; None for any other body."""
    name = body.name.partition(":r")[0]
    if name not in BRICKS_AND_PLATES:
        return None
    kind, _, size = name.rpartition(":")
    nx, ny = (int(count) for count in size.split("x"))
    dimensions = default_dimensions(name)
    mesh = brick_mesh(nx, ny, PLATE_MM if kind else BRICK_MM, dimensions)
    return Mesh(mesh.vertices_mm - [0.0, 0.0, body.centre_of_mass_mm], mesh.triangles)
