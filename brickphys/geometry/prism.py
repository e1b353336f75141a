"""Prism: a convex footprint between two heights."""

from dataclasses import dataclass
from functools import cached_property

from brickphys.geometry.polygon import Polygon


@dataclass(frozen=True, eq=False)
class Prism:
    """A footprint between two heights.

    Attributes
    ----------
    footprint
        In plan.
    bottom_plates, top_plates
        The open interval of heights that it fills.
    """

    footprint: Polygon
    bottom_plates: float
    top_plates: float

    def on(self, footprint: Polygon) -> "Prism":
        """Return a prism of the same heights over another footprint."""
        return Prism(footprint, self.bottom_plates, self.top_plates)

    @cached_property
    def circle_studs(self) -> tuple[float, float, float]:
        """Centre (x, y) and radius of a circle around it."""
        from brickphys.geometry.sweep_kernel import circle_around

        return circle_around(self.footprint.vertices_studs)
