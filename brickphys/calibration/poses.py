"""Poses: in what a shape can come to rest, by its form alone."""

from dataclasses import dataclass
from math import isfinite

from brickphys.calibration.throwers import thrown_body
from brickphys.display import Drawn, Row
from brickphys.shapes.body import Body
from brickphys.shapes.body_file import BodyFile
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
        return f"poses of {self.body.name} ({self.body.mass_g:.2f} g): {', '.join(r.pose for r in self.rests)}"

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


def poses(shape: str | BodyFile = "2x2", *, edge_radius_mm: float | None = None) -> Poses:
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
    <poses of 2x2 (1.22 g): studs_up, studs_down, side>
    """
    body, _ = thrown_body(shape, edge_radius_mm)
    return Poses(body, tuple(face_map(body).rests))
