"""Export: URDF and OBJ files of bricks, plates, a die and all assemblies, in metres and kilograms.

The model of a shape has its origin in the centre of mass and principal axes, like `Body`. Its visual mesh shows every
detail, its collision mesh is the convex hull, and its inertia is the closed form of the hollow piece. Edges are sharp,
as a comment in each model says. Models of assemblies are described in
`assembly_model`.

``python -m brickphys.shapes.export models`` writes all of them; the same shapes give the same bytes.
"""

import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

import brickphys
from brickphys.errors import unknown
from brickphys.shapes.assembly_file import assembly, assembly_names
from brickphys.shapes.assembly_model import assembly_files, urdf_file
from brickphys.shapes.body import Body, number
from brickphys.shapes.brick import LENGTHS, WIDTHS
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.dimensions import default_dimensions
from brickphys.shapes.hull import Hull, convex_hull
from brickphys.shapes.mesh import Mesh, brick_mesh
from brickphys.shapes.wavefront import G_PER_KG, MM_PER_M, wavefront
from brickphys.units import BRICK_MM, PLATE_MM

BRICKS_AND_PLATES = tuple(
    f"{kind}{nx}x{ny}" for kind in ("", "plate:") for nx in WIDTHS for ny in LENGTHS if ny >= nx
)
MODELLED = (*BRICKS_AND_PLATES, "d6:16")
"""Names of the shapes that have a model. All assemblies have one too."""

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


def models_folder() -> Path:
    """Return the models folder: inside an installed package, or beside the package in a checkout."""
    package = Path(brickphys.__file__).parent
    inside = package / "models"
    return inside if inside.is_dir() else package.parent / "models"


def model_path(name: str, suffix: str = ".urdf") -> Path:
    """Return the model file of a shape, or of a body of an assembly.

    Parameters
    ----------
    name
        A shape with a model (see `MODELLED`), as the command line writes it, or a body of an assembly, such as
        ``"jeep"`` (its hull) or ``"jeep/driver"``.
    suffix
        ``".urdf"``, and for shapes ``"_hull.obj"`` (collision) or, for bricks and plates, ``".obj"`` (every detail).

    Raises
    ------
    InvalidValueError
        If the name has no model, or its model no file of that suffix.
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
    return models_folder() / (f"{_stem(name)}{suffix}" if name in MODELLED else urdf_file(name))


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
        sys.stderr.write("usage: python -m brickphys.shapes.export FOLDER\n")
        return 2
    written = write_models(Path(arguments[0]))
    sys.stderr.write(f"{len(written)} files in {arguments[0]}\n")
    return 0


def _stem(name: str) -> str:
    return name.replace(":", "_")


def _files(name: str) -> dict[Path, str]:
    """Return the files of one model and their text."""
    body, stem = parse_shape(name, edge_radius_mm=0.0), _stem(name)
    hull = convex_hull(body.vertices_mm)
    files = {Path(f"{stem}_hull.obj"): wavefront(f"{stem}_hull", _fans(hull))}
    visual = Path(f"{stem}_hull.obj")
    detail = detail_mesh(body)
    if detail is not None:
        visual = Path(f"{stem}.obj")
        files[visual] = wavefront(stem, detail)
    files[Path(f"{stem}.urdf")] = _urdf(name, body, stem, visual.name)
    return files


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


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
