"""The model files of an assembly: a folder with a URDF for each body, and an OBJ for each colour of a body.

All bodies of a thing share its frame (origin on the ground below the middle of the footprint, x forward). Loading all
its URDFs at one place and heading therefore puts the thing together. The inertial origin is the body's centre of mass;
the axes stay those of the thing, and the inertia is the full tensor. The collision shape is the body's box.
"""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import numpy as np

from brickphys.arrays import Array
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
    """Return the path of a body's URDF in the models folder: ``jeep/jeep.urdf``, ``jeep/driver.urdf``."""
    thing, _, member = body_name.partition("/")
    return Path(thing) / f"{member or thing}.urdf"


def assembly_files(thing: Assembly) -> dict[Path, str]:
    """Return the text of each model file of an assembly, by its path in the models folder."""
    files = {}
    for body in thing.bodies:
        urdf = urdf_file(body.name)
        meshes = colour_meshes(body)
        for colour, mesh in meshes.items():
            files[urdf.with_name(f"{urdf.stem}_{colour}.obj")] = wavefront(colour, mesh)
        files[urdf] = _urdf(body, urdf.stem, meshes)
    return files


def colour_meshes(body: RigidBody) -> dict[str, Mesh]:
    """Return the surface of a body's pieces of each colour, in the frame of the thing."""

    def colour(piece: Piece) -> str:
        return piece.colour

    return {
        name: _merge(piece_mesh(piece, body.pieces) for piece in pieces)
        for name, pieces in groupby(sorted(body.pieces, key=colour), key=colour)
    }


def _merge(meshes: Iterable[Mesh]) -> Mesh:
    """Return one mesh of several, without joining their vertices."""
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
    """Write a moment; a rounding error relative to `scale` is written as 0."""
    return f"{value:.6e}" if abs(value) > 1e-12 * scale else "0"


def _place(vector_mm: Array) -> str:
    return " ".join(metres(value) for value in vector_mm)
