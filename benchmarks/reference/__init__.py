"""Reference: single convex bodies on a plane, one after the other, with steps on the floor of first order.

The second way to what the engine `compiled` finds: flight by conservative advancement, all corners that touch solved
together, other steps. Benchmarks and tests compare the two.
"""

from dataclasses import dataclass, field

from brickphys.engines.compiled import (
    CompiledEngine,
    CompiledSettings,
    Results,
    kernel_basins,
    kernel_body,
    kernel_settings,
)
from brickphys.shapes.body import Body
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.faces import face_map
from brickphys.throws.release import PLANE, Floor

SETTINGS = CompiledSettings(step_s=1 / 2000, bounce_steps=2.0, touch_share=1e-4)


@dataclass(frozen=True)
class ReferenceEngine(CompiledEngine):
    """Bodies with corners, one after the other."""

    settings: CompiledSettings = SETTINGS
    floors: tuple[str, ...] = field(default=(PLANE.name,), kw_only=True)
    name: str = field(default="reference", kw_only=True)

    def _throw(
        self, body: Body, contact: ContactCoefficients, floor: Floor, results: Results
    ) -> None:
        from benchmarks.reference.throw_kernel import throw_all, workspace

        corners = len(face_map(body).hull.corners_mm)
        space = tuple(map(tuple, workspace(corners)))
        solid, basins = kernel_body(body, self.settings.touch_share), kernel_basins(body)
        tables = tuple(solid), tuple(basins), tuple(kernel_settings(contact, self.settings))
        throw_all(*tables, space, *results)
