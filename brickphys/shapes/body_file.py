"""Body file: a body of one's own, from a mesh or a built model, with its mass, edge radius and poses.

The body collides as the convex hull of the mesh or of the pieces. Its core is the inner parallel body of that hull: all
points at least the edge radius inside. Mass and inertia are those of the mesh or the pieces, with sharp edges.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy  # loads its hulls with the first body of an own file

from brickphys.errors import InvalidValueError, naming, unknown
from brickphys.notes import NOTES
from brickphys.reading import MOST_BYTES, MOST_MESH_BYTES, as_text, parse_toml, read_bytes
from brickphys.shapes.assembly import Assembly, assembly, build_assembly
from brickphys.shapes.body import Body, Face, check_edge_radius, check_size, shape_name
from brickphys.shapes.hull import Hull, convex_hull, extreme_points, fewer_corners, inner_corners
from brickphys.shapes.piece import piece_mesh
from brickphys.shapes.solids import MassProperties, join, triple
from brickphys.units import Array, Triple

if TYPE_CHECKING:
    from brickphys.shapes.schema import BodyDocument

ReadNamed = Callable[[str, int], bytes]
"""Returns the content of the file of a name, of at most so many bytes."""
MAX_CORNERS = 1000
"""Most corners of a hull that is thrown: every bounce looks at all of them."""
_SUFFIX = ".toml"
_LIGHTEST_G_CM3, _HEAVIEST_G_CM3 = 0.001, 25.0
"""Mass over the volume of the hull: from that of air to above that of the heaviest metal."""
_UNITS_MM = {"mm": 1.0, "cm": 10.0, "m": 1000.0, "in": 25.4}
_CONVEX = 0.999
"""A body is convex if it fills at least this share of its hull."""
_EXCESS = 1e-6
"""Share by which a volume may be above that of its hull, by rounding."""
_STRAIGHT = 1e-6
"""Axes are principal if the products of inertia are below this share of the moments."""
_LEAST_INERTIA = 1e-6
"""Least moment of inertia, as a share of mass times the square of the farthest corner's distance."""


@dataclass(frozen=True)
class BodyFile:
    """The body of a file, without edge radius; a value that can be compared, sent to processes and stored as JSON."""

    name: str
    source: str
    mass_g: float
    volume_mm3: float
    inertia_g_mm2: Triple
    corners_mm: tuple[Triple, ...]
    """Corners of the convex hull, about the centre of mass in principal axes."""
    faces: tuple[tuple[str, Triple], ...]
    """Pose and outward normal of each face with a pose."""
    scoring: tuple[str, ...]
    """Poses that count for the score of a roll."""
    edge_radius_mm: tuple[float, float]
    """Least and greatest plausible edge radius."""
    centre_of_mass_mm: float
    """Height of the centre of mass above the underside."""
    files: tuple[tuple[str, str], ...]
    """Names of the files that were read, each with its SHA-256."""

    @property
    def usual_radius_mm(self) -> float:
        """The middle of the range of edge radii."""
        return round(sum(self.edge_radius_mm) / 2, 6)

    def rounded(self, edge_radius_mm: float) -> "BodyFile":
        """Return the same body with a stated edge radius, which its name tells."""
        name = shape_name(self.name, edge_radius_mm, self.usual_radius_mm)
        return replace(self, name=name, edge_radius_mm=(edge_radius_mm, edge_radius_mm))

    def body(self) -> Body:
        """Return the body with its usual edge radius.

        Raises InvalidValueError if the radius is negative, not finite, or not below the distance of the centre of mass
        from the nearest face of the hull.
        """
        radius = self.usual_radius_mm
        hull = convex_hull(np.array(self.corners_mm))
        what = "the distance of the centre of mass from the nearest face"
        check_edge_radius(radius, float(hull.offsets_mm.min()), what)
        return Body(
            name=self.name,
            mass_g=self.mass_g,
            volume_mm3=self.volume_mm3,
            inertia_g_mm2=self.inertia_g_mm2,
            vertices_mm=inner_corners(hull.corners_mm, radius) if radius else hull.corners_mm,
            faces=tuple(Face(pose, normal) for pose, normal in self.faces),
            centre_of_mass_mm=self.centre_of_mass_mm,
            edge_radius_mm=radius,
            scoring=self.scoring,
        )

    def document(self) -> dict[str, Any]:
        """Return the value as a JSON object."""
        return asdict(self)


def of_document(document: Mapping[str, Any]) -> BodyFile:
    """Return the value of a JSON object that `BodyFile.document` returned."""

    def frozen(value: Any) -> Any:
        return tuple(map(frozen, value)) if isinstance(value, (list, tuple)) else value

    return BodyFile(**{key: frozen(value) for key, value in document.items()})


def is_body_file(shape: str) -> bool:
    """Return whether a shape is the name of a body file."""
    return shape.strip().lower().endswith(_SUFFIX)


def read_body_file(path: Path | str) -> BodyFile:
    """Read a body file and the files that it names, which are relative to its folder.

    Raises InvalidValueError if a file cannot be read, the body file has an unknown, missing or impossible value, the
    mesh does not enclose a volume, the body is too large, too small or too finely meshed, no such body has its mass and
    moments, the centre of mass is not inside the hull, or a pose has no face. The message is one line that starts with
    the path.
    """
    folder = Path(path).parent
    return parse_body_file(
        read_bytes(path, MOST_BYTES), str(path), lambda name, most: read_bytes(folder / name, most)
    )


def parse_body_file(content: bytes, name: str, read: ReadNamed) -> BodyFile:
    """Return the body of the bytes of a body file; InvalidValueError as `read_body_file`.

    `read` returns the content of a file that the body file names, of at most so many bytes.
    """
    return body_file_of(parse_toml(as_text(content, name), name), name, read, {name: content})


def body_file_of(
    tables: dict[str, Any], name: str, read: ReadNamed, files: Mapping[str, bytes] | None = None
) -> BodyFile:
    """Return the body of the tables of a body file, of which `files` were read; otherwise as `parse_body_file`."""
    from brickphys.shapes.schema import body_document

    document = body_document(tables, name)
    with naming(name):
        return _body_file(document, {**(files or {})}, read)


def _body_file(document: "BodyDocument", files: dict[str, bytes], read: ReadNamed) -> BodyFile:
    for pose in document.scores:
        if pose not in document.named:
            raise unknown("pose in scores", pose, document.named)
    corners, mass = _solid(document, files, read)
    corners = extreme_points(corners)
    mass = _stated(document, mass)
    hull_mm3 = float(scipy.spatial.ConvexHull(corners).volume)
    _check_mass(mass, corners, hull_mm3)
    corners = _few(corners, hull_mm3, document.name)
    middle = corners.mean(axis=0)
    hull = convex_hull(inner_corners(corners - middle) + middle)
    moments, turn = _principal(mass.inertia_g_mm2)
    least, greatest = _radii(document)
    poses = _poses(document, hull)
    made = BodyFile(
        name=document.name,
        source=document.source,
        mass_g=mass.mass_g,
        volume_mm3=mass.volume_mm3,
        inertia_g_mm2=moments,
        corners_mm=tuple(map(triple, (hull.corners_mm - mass.centre_mm) @ turn)),
        faces=tuple(
            (pose, triple(normal @ turn))
            for pose in document.named
            for found, normal in zip(poses, hull.normals, strict=True)
            if found == pose
        ),
        scoring=tuple(dict.fromkeys(document.scores)),
        edge_radius_mm=(least, greatest),
        centre_of_mass_mm=float(mass.centre_mm[2] - corners[:, 2].min()),
        files=tuple((name, sha256(content).hexdigest()) for name, content in files.items()),
    )
    if float((hull.offsets_mm - hull.normals @ mass.centre_mm).min()) <= 0:
        raise InvalidValueError(
            "the body has no stable face: its centre of mass is not inside the convex hull"
        )
    for radius in (least, greatest):
        made.rounded(radius).body()
    if mass.volume_mm3 < _CONVEX * hull_mm3:
        NOTES.info("%s is not convex: it collides as its convex hull", document.name)
    return made


def _solid(
    document: "BodyDocument", files: dict[str, bytes], read: ReadNamed
) -> tuple[Array, MassProperties]:
    """Return corners (n, 3) and mass properties of the mesh or model; adds what it reads to `files`."""
    if document.mesh is not None:
        from brickphys.shapes.mesh_file import mesh_solid, parse_mesh

        content = files[document.mesh] = read(document.mesh, MOST_MESH_BYTES)
        mesh = parse_mesh(content, document.mesh, _unit_mm(document.unit))
        _check_extents(mesh.vertices_mm, document.unit)
        solid = mesh_solid(mesh, document.mesh)
        if solid.done:
            NOTES.info("%s: %s", document.mesh, "; ".join(solid.done))
        return solid.corners_mm, _scaled(
            solid.mass, document.density_g_cm3 or (document.mass_g or 0.0) / solid.mass.mass_g
        )
    thing = _model(document.model or "", files, read)
    pieces = [piece for body in thing.bodies for piece in body.pieces]
    mass = join(body.mass for body in thing.bodies)
    corners = np.vstack([piece_mesh(piece, pieces).vertices_mm for piece in pieces])
    _check_extents(corners, document.unit)
    return corners, mass if document.mass_g is None else _scaled(
        mass, document.mass_g / mass.mass_g
    )


def _unit_mm(unit: str | float) -> float:
    return _UNITS_MM[unit] if isinstance(unit, str) else unit


def _check_extents(corners: Array, unit: str | float) -> None:
    for length, axis in zip(np.ptp(corners, axis=0), "xyz", strict=True):
        check_size(float(length), f"unit {unit!r}: the extent along {axis},")


def _few(corners: Array, hull_mm3: float, name: str) -> Array:
    """Return corners of a hull, not more than an engine wants, and tell how much smaller their own hull is."""
    if len(corners) <= MAX_CORNERS:
        return corners
    kept, inside_mm = fewer_corners(corners, MAX_CORNERS)
    NOTES.info(
        "%s collides with %s of the %s corners of its hull: it is smaller by at most %.2g mm, its volume by %.2g %%",
        name,
        f"{len(kept):,}",
        f"{len(corners):,}",
        inside_mm,
        100 * (1 - float(scipy.spatial.ConvexHull(kept).volume) / hull_mm3),
    )
    return kept


def _model(name: str, files: dict[str, bytes], read: ReadNamed) -> Assembly:
    """Return the built model of a name, or of a file of pieces."""
    if not name.endswith(_SUFFIX):
        return assembly(name)
    files[name] = read(name, MOST_BYTES)
    return build_assembly(name.removesuffix(_SUFFIX), as_text(files[name], name))


def _scaled(mass: MassProperties, factor: float) -> MassProperties:
    return MassProperties(
        mass.mass_g * factor, mass.volume_mm3, mass.centre_mm, mass.inertia_g_mm2 * factor
    )


def _stated(document: "BodyDocument", mass: MassProperties) -> MassProperties:
    """Return mass properties with the centre of mass and the moments of inertia that the file states."""
    centre, inertia = mass.centre_mm, mass.inertia_g_mm2
    if document.centre_of_mass_mm is not None:
        centre = np.array(document.centre_of_mass_mm)
    if document.inertia_g_mm2 is not None:
        moments = np.array(document.inertia_g_mm2)
        if 2 * moments.max() > moments.sum():
            raise InvalidValueError(
                f"inertia_g_mm2: {document.inertia_g_mm2} are of no body: one is more than the sum of the others"
            )
        inertia = np.diag(moments)
    return MassProperties(mass.mass_g, mass.volume_mm3, centre, inertia)


def _check_mass(mass: MassProperties, corners: Array, hull_mm3: float) -> None:
    """Raise InvalidValueError if no body inside a hull has this volume, this mass and these moments of inertia."""
    if mass.volume_mm3 > (1 + _EXCESS) * hull_mm3:
        raise InvalidValueError(
            f"the volume, {mass.volume_mm3:g} mm3, is above that of the convex hull, {hull_mm3:g} mm3: parts overlap"
        )
    density = 1000 * mass.mass_g / hull_mm3
    if not _LIGHTEST_G_CM3 <= density <= _HEAVIEST_G_CM3:
        raise InvalidValueError(
            f"mass {mass.mass_g:g} g is {density:g} g/cm3 of the hull, outside {_LIGHTEST_G_CM3:g} to "
            f"{_HEAVIEST_G_CM3:g}"
        )
    farthest = float(np.linalg.norm(corners - mass.centre_mm, axis=1).max())
    most = mass.mass_g * farthest**2
    for moment in np.diag(mass.inertia_g_mm2):
        if not _LEAST_INERTIA * most <= moment <= most:
            raise InvalidValueError(
                f"inertia_g_mm2 {moment:g} is outside {_LEAST_INERTIA * most:.3g} to {most:.3g}: mass times the "
                "square of the distance of the farthest corner, and a millionth of it"
            )


def _principal(inertia: Array) -> tuple[Triple, Array]:
    """Return the principal moments and the rotation whose columns are their axes."""
    products = np.abs(inertia - np.diag(np.diag(inertia))).max()
    if products <= _STRAIGHT * np.trace(inertia):
        return triple(np.diag(inertia)), np.eye(3)
    moments, axes = np.linalg.eigh(inertia)
    axes[:, 2] *= np.sign(np.linalg.det(axes))
    return triple(moments), axes


def _radii(document: "BodyDocument") -> tuple[float, float]:
    given = document.edge_radius_mm
    least, greatest = given if isinstance(given, list) else (given, given)
    if least > greatest:
        raise InvalidValueError(f"edge_radius_mm [{least:g}, {greatest:g}] is reversed")
    return least, greatest


def _poses(document: "BodyDocument", hull: Hull) -> list[str]:
    """Return the pose of each facet of the hull, empty without one."""
    found = [document.other_pose or ""] * len(hull.normals)
    best = np.full(len(hull.normals), np.cos(np.radians(document.within_deg)))
    for pose, normals in document.poses.items():
        for normal in normals:
            largest = max(map(abs, normal))
            if largest == 0:
                raise InvalidValueError(f"poses.{pose}: {normal} is not a direction")
            direction = np.array(normal) / largest  # its square is finite
            cosines = hull.normals @ direction / np.linalg.norm(direction)
            if cosines.max() < np.cos(np.radians(document.within_deg)):
                off = np.degrees(np.arccos(cosines.max()))
                raise InvalidValueError(
                    f"poses.{pose}: no face of the hull has the normal {normal}; the nearest is {off:.1f} deg off"
                )
            for facet in np.flatnonzero(cosines >= best):
                found[facet], best[facet] = pose, cosines[facet]
    return found
