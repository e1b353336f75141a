"""Poses: in what a shape can come to rest, by its form alone."""

from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from brickphys.arguments import public
from brickphys.calibration.throwers import thrown_body
from brickphys.display import Drawn, Row
from brickphys.shapes.body import Body
from brickphys.shapes.body_file import BodyFile
from brickphys.shapes.primitives import pose_legend
from brickphys.throws.faces import Rest, face_map


@dataclass(frozen=True, repr=False)
class Poses(Drawn):
    """The poses in which a body can rest.

    Attributes
    ----------
    body, rests
        The body, and its poses.
    """

    body: Body
    rests: tuple[Rest, ...]

    drawn_by = "calibration.poses:poses_figure"

    def line(self) -> str:
        """Return the body, its mass and the names of its poses."""
        names = ", ".join(rest.pose for rest in self.rests)
        meaning = f" ({self.legend.partition(': ')[2]})" if self.legend else ""
        return f"poses of {self.body.name}, {self.body.mass_g:.2f} g: {names}{meaning}"

    @property
    def legend(self) -> str:
        """What the names of the poses mean; empty where they speak for themselves."""
        return pose_legend(self.body.name)

    def rows(self) -> list[Row]:
        """Return one row for each pose, with the values of the JSON of the command ``poses``."""
        return [
            {
                "name": rest.pose,
                "faces": rest.faces,
                "rest_height_mm": rest.rest_height_mm,
                "barrier_mm": rest.barrier_mm if isfinite(rest.barrier_mm) else None,
                "solid_angle_share": rest.solid_angle_share,
            }
            for rest in self.rests
        ]


@public()
def poses(shape: str | Path | BodyFile = "2x2", *, edge_radius_mm: float | None = None) -> Poses:
    """Return the poses in which a shape can rest, without throwing it.

    Parameters
    ----------
    shape
        As of `brickphys.throw`.
    edge_radius_mm
        Radius of the body's edges; None for the nominal value.

    Raises
    ------
    InvalidValueError
        If there is no such shape, or its edges cannot have this radius.

    Examples
    --------
    >>> import brickphys
    >>> brickphys.poses("2x2")
    <poses of 2x2, 1.22 g: studs_up, studs_down, side>
    >>> brickphys.poses("cuboid:10x10x20").legend
    'x, y, z: the edge of 10, 10 or 20 mm ends vertical'
    """
    body, _ = thrown_body(str(shape) if isinstance(shape, Path) else shape, edge_radius_mm)
    return Poses(body, tuple(face_map(body).rests))
