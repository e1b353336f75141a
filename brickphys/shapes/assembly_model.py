"""The model files of an assembly: a folder with one URDF for each of its bodies, and one OBJ for each colour.

All bodies of a thing share its frame (origin on the ground below the middle of the footprint, x forward), so loading
all its URDFs at one place and heading puts the thing together. The inertial origin is the body's centre of mass; the
axes stay those of the thing, and the inertia is the full tensor. What collides is the body's prism, an exact box.
"""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import numpy as np

from brickphys.shapes.assembly import Assembly, RigidBody
from brickphys.shapes.mesh import Mesh
from brickphys.shapes.palette import PALETTE
from brickphys.shapes.piece import Piece
from brickphys.shapes.piece_mesh import piece_mesh
from brickphys.shapes.wavefront import G_PER_KG, MM_PER_M, metres, wavefront

_URDF = """\
<?xml version="1.0"?>
<robot name="{name}">
{materials}
  <link name="{name}">
    <inertial>
      <origin xyz="{centre}" rpy="0 0 0"/>
      <mass value="{mass}"/>
      <inertia ixx="{ixx}" iyy="{iyy}" izz="{izz}" ixy="{ixy}" ixz="{ixz}" iyz="{iyz}"/>
    </inertial>
{visuals}
    <collision>
      <origin xyz="{middle}" rpy="0 0 0"/>
      <geometry><box size="{size}"/></geometry>
    </collision>
  </link>
</robot>
"""
_MATERIAL = '  <material name="{colour}"><color rgba="{rgba}"/></material>'
_VISUAL = """\
    <visual>
      <geometry><mesh filename="{file}"/></geometry>
      <material name="{colour}"/>
    </visual>"""


def urdf_file(body_name: str) -> Path:
    """Return the path of a body's URDF in the folder of models: ``jeep/jeep.urdf``, ``jeep/driver.urdf``."""
    thing, _, member = body_name.partition("/")
    return Path(thing) / f"{member or thing}.urdf"


def assembly_files(thing: Assembly) -> dict[Path, str]:
    """Return the files of an assembly, in the folder of models, and their text."""
    files = {}
    for body in thing.bodies:
        urdf = urdf_file(body.name)
        meshes = colour_meshes(body)
        for colour, mesh in meshes.items():
            files[urdf.with_name(f"{urdf.stem}_{colour}.obj")] = wavefront(colour, mesh)
        files[urdf] = _urdf(body, urdf.stem, meshes)
    return files


def colour_meshes(body: RigidBody) -> dict[str, Mesh]:
    """Return the surfaces of all pieces of a body, those of one colour together, in the frame of the thing."""

    def colour(piece: Piece) -> str:
        return piece.colour

    return {
        name: _together(piece_mesh(piece, body.pieces) for piece in pieces)
        for name, pieces in groupby(sorted(body.pieces, key=colour), key=colour)
    }


def _together(meshes: Iterable[Mesh]) -> Mesh:
    """Return meshes as one, each still closed for itself."""
    meshes = list(meshes)
    starts = np.cumsum([0, *(len(mesh.vertices_mm) for mesh in meshes[:-1])])
    triangles = [mesh.triangles + start for mesh, start in zip(meshes, starts, strict=True)]
    return Mesh(np.vstack([mesh.vertices_mm for mesh in meshes]), np.vstack(triangles))


def _urdf(body: RigidBody, stem: str, colours: Iterable[str]) -> str:
    inertia = body.mass.inertia_g_mm2 / G_PER_KG / MM_PER_M**2
    rgba = {name: " ".join(f"{level / 255:.3f}" for level in PALETTE[name]) for name in colours}
    materials = [_MATERIAL.format(colour=name, rgba=f"{rgb} 1") for name, rgb in rgba.items()]
    visuals = [_VISUAL.format(file=f"{stem}_{name}.obj", colour=name) for name in rgba]
    return _URDF.format(
        name=stem,
        materials="\n".join(materials),
        visuals="\n".join(visuals),
        centre=_place(body.mass.centre_mm),
        mass=f"{body.mass.mass_g / G_PER_KG:.6e}",
        middle=_place(body.prism.centre_mm),
        size=_place(body.prism.size_mm),
        **{
            f"i{'xyz'[i]}{'xyz'[j]}": _moment(float(inertia[i, j]), float(np.trace(inertia)))
            for i in range(3)
            for j in range(i, 3)
        },
    )


def _moment(value: float, scale: float) -> str:
    """Write a moment; what rounding leaves where symmetry says 0 is 0."""
    return f"{value:.6e}" if abs(value) > 1e-12 * scale else "0"


def _place(vector_mm: "np.typing.NDArray[np.float64]") -> str:
    return " ".join(metres(value) for value in vector_mm)
