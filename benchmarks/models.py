"""Models: URDF and OBJ files of bricks, plates, a die and all assemblies, in metres and kilograms.

The model of a shape has its origin in the centre of mass and principal axes, like `Body`. Its visual mesh shows every
detail, its collision mesh is the convex hull, and its inertia is the closed form of the hollow piece. Edges are sharp,
as a comment in each model says.

The model of an assembly is a folder with a URDF for each body, and an OBJ for each colour of a body. All bodies of a
thing share its frame (origin on the ground below the middle of the footprint, x forward). Loading all its URDFs at one
place and heading therefore puts the thing together. The inertial origin is the body's centre of mass; the axes stay
those of the thing, and the inertia is the full tensor. The collision shape is the body's box.

``python -m benchmarks.models models`` writes all of them; the same shapes give the same bytes.
"""

import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from brickphys.shapes.assembly import Assembly, RigidBody, assembly, assembly_names
from brickphys.shapes.body import Body, number
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.export import MODELLED, colour_meshes, detail_mesh, stem_of, urdf_file
from brickphys.shapes.hull import Hull, convex_hull
from brickphys.shapes.mesh import Mesh
from brickphys.shapes.piece import PALETTE
from brickphys.units import Array

MM_PER_M = 1000.0
G_PER_KG = 1000.0


def write_models(folder: Path) -> list[Path]:
    """Write every model into a folder and return the files."""
    written = []
    for files in (
        *(_files(name) for name in MODELLED),
        *(assembly_files(assembly(name)) for name in assembly_names()),
    ):
        for path, text in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="ascii", newline="\n")
            written.append(target)
    return written


def main(arguments: Sequence[str]) -> int:
    """Write the models into the folder that is the only argument."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m benchmarks.models FOLDER\n")
        return 2
    written = write_models(Path(arguments[0]))
    sys.stderr.write(f"{len(written)} files in {arguments[0]}\n")
    return 0


def assembly_files(thing: Assembly) -> dict[Path, str]:
    """Return the text of each model file of an assembly, by its path in the models folder."""
    files = {}
    for body in thing.bodies:
        urdf = urdf_file(body.name)
        meshes = colour_meshes(body)
        for colour, mesh in meshes.items():
            files[urdf.with_name(f"{urdf.stem}_{colour}.obj")] = wavefront(colour, mesh)
        files[urdf] = _body_urdf(body, urdf.stem, meshes)
    return files


def _body_urdf(body: RigidBody, stem: str, colours: Iterable[str]) -> str:
    inertia = body.mass.inertia_g_mm2 / G_PER_KG / MM_PER_M**2
    rgba = {name: " ".join(f"{level / 255:.3f}" for level in PALETTE[name]) for name in colours}
    materials = [_MATERIAL.format(colour=name, rgba=f"{rgb} 1") for name, rgb in rgba.items()]
    visuals = [_VISUAL.format(file=f"{stem}_{name}.obj", colour=name) for name in rgba]
    return _BODY_URDF.format(
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


_BODY_URDF = """\
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


def _files(name: str) -> dict[Path, str]:
    """Return the files of one model and their text."""
    body, stem = parse_shape(name, edge_radius_mm=0.0), stem_of(name)
    hull = convex_hull(body.vertices_mm)
    files = {Path(f"{stem}_hull.obj"): wavefront(f"{stem}_hull", _fans(hull))}
    visual = Path(f"{stem}_hull.obj")
    detail = detail_mesh(body)
    if detail is not None:
        visual = Path(f"{stem}.obj")
        files[visual] = wavefront(stem, detail)
    files[Path(f"{stem}.urdf")] = _urdf(name, body, stem, visual.name)
    return files


def _fans(hull: Hull) -> Mesh:
    """Return the hull with each facet cut into a fan of triangles."""
    triangles = [
        (ring[0], second, third) for ring in hull.rings for second, third in pairwise(ring[1:])
    ]
    return Mesh(hull.corners_mm, np.array(triangles))


def _urdf(name: str, body: Body, stem: str, visual: str) -> str:
    ixx, iyy, izz = (f"{moment / G_PER_KG / MM_PER_M**2:.6e}" for moment in body.inertia_g_mm2)
    mass = f"{body.mass_g / G_PER_KG:.6e}"
    names = {"name": stem, "visual": visual, "collision": f"{stem}_hull.obj"}
    origin = {"shape": name, "edge_radius": number(body.edge_radius_mm)}
    return _URDF.format(**names, **origin, mass=mass, ixx=ixx, iyy=iyy, izz=izz)


_URDF = """\
<?xml version="1.0"?>
<!-- {shape}, edge radius {edge_radius} mm -->
<robot name="{name}">
  <link name="{name}">
    <inertial>
      <origin xyz="0 0 0" rpy="0 0 0"/>
      <mass value="{mass}"/>
      <inertia ixx="{ixx}" iyy="{iyy}" izz="{izz}" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <visual>
      <geometry><mesh filename="{visual}"/></geometry>
    </visual>
    <collision>
      <geometry><mesh filename="{collision}"/></geometry>
    </collision>
  </link>
</robot>
"""


def wavefront(name: str, mesh: Mesh) -> str:
    """Return the text of an OBJ file with one object."""
    vertices = [
        "v " + " ".join(metres(coordinate) for coordinate in vertex) for vertex in mesh.vertices_mm
    ]
    faces = [f"f {a} {b} {c}" for a, b, c in mesh.triangles + 1]
    return "\n".join([f"o {name}", *vertices, *faces, ""])


def metres(value_mm: float) -> str:
    """Return a length in metres, rounded to 1 nm so that the text is the same on every platform."""
    return f"{round(value_mm / MM_PER_M, 9) + 0.0:.9f}".rstrip("0").rstrip(".")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
