"""Lanes: the engine that throws many single bodies at once, in the lanes of vector registers.

The physics is that of `brickphys.engines.compiled`, with which it shares bodies, tables and settings; see
``docs/engines.md``. It takes bodies with an axis of symmetry on a plane.

Numba is imported at the first throw.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from brickphys.engines.compiled import (
    CompiledEngine,
    CompiledSettings,
    in_threads,
    kernel_basins,
    kernel_body,
    kernel_settings,
)
from brickphys.engines.engine import Landing
from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Body
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.faces import face_map
from brickphys.throws.flight import States, symmetry_axis
from brickphys.throws.release import PLANE, Floor
from brickphys.units import Array, Indices

if TYPE_CHECKING:
    from brickphys.engines.lanes_flight_kernel import Sector

TOUCH_SHARE = 1e-6
"""Share of the radius within which corners touch at once: corners on the floor one after the other need no more."""


@dataclass(frozen=True)
class LanesEngine(CompiledEngine):
    """Single convex bodies with two equal moments of inertia on a plane."""

    settings: CompiledSettings = field(
        default_factory=lambda: CompiledSettings(touch_share=TOUCH_SHARE)
    )
    name: str = field(default="lanes", kw_only=True)

    def refusal(self, body: Body) -> str | None:
        """Return why the engine does not throw a body: it has no axis of symmetry."""
        if symmetry_axis(body) is not None:
            return None
        moments = ", ".join(f"{moment:.4g}" for moment in body.inertia_g_mm2)
        return (
            f"{body.name}: the {self.name} engine throws bodies with two equal moments of inertia, such as 2x2 or d6; "
            f"its moments are {moments} g mm2: use the compiled engine"
        )

    def land(
        self, body: Body, contact: ContactCoefficients, states: States, floor: Floor = PLANE
    ) -> Landing:
        """Integrate `states`, shape (n, 1), until every body has stopped; see `CompiledEngine.land`.

        Raises
        ------
        InvalidValueError
            If the body has three different moments of inertia, too.
        """
        if why := self.refusal(body):
            raise InvalidValueError(why)
        return super().land(body, contact, states, floor)

    def _throw(
        self,
        body: Body,
        contact: ContactCoefficients,
        motions: Array,
        ends: Indices,
        measures: Array,
    ) -> None:
        from brickphys.engines.lanes_kernel import throw_all, workspace
        from brickphys.engines.lanes_rows import GAIN, KEPT, TIME
        from brickphys.jit import compile_once

        solid = kernel_body(body, self.settings.touch_share)
        basins = tuple(kernel_basins(body))
        settings = tuple(kernel_settings(contact, self.settings))
        sector = tuple(kernel_sector(body))
        numbers = np.zeros((len(motions), KEPT))
        numbers[:, : motions.shape[1]] = motions

        def throw(part: slice) -> None:
            rows, lanes, lists, state = workspace(len(solid.x))
            count = len(ends[part])
            lists_of_throws = np.arange(count), np.empty(count, dtype=np.intp)
            throws = (numbers[part], ends[part], *lists_of_throws)
            work = (rows, lanes, tuple(lists), state)
            throw_all(tuple(solid), sector, basins, settings, work, throws)

        compile_once(throw_all, "the engine of lanes, some 10 s", lambda: throw(slice(0)))
        in_threads(throw, len(motions), self.settings.threads)
        motions[:] = numbers[:, : motions.shape[1]]
        measures[:, 0], measures[:, 1] = numbers[:, TIME], numbers[:, GAIN]


@lru_cache(maxsize=64)
def kernel_sector(body: Body) -> "Sector":
    """Return the corners of a body without their mirror images, for the kernels."""
    from brickphys.engines.lanes_flight_kernel import Sector

    corners = face_map(body).hull.corners_mm + 0.0  # no -0.0
    number = {tuple(one): k for k, one in enumerate(corners.tolist())}
    x, y, z = (
        all(tuple(one) in number for one in (corners * sign + 0.0).tolist())
        for sign in 1 - 2 * np.eye(3)
    )
    signs = [np.array([1, -1 if mirrored else 1]) for mirrored in (x, y, z)]
    octants = np.stack(np.meshgrid(*signs, indexing="ij"), axis=-1)
    kept = corners[(corners >= 0).all(axis=1, where=[x, y, z])]
    images = kept[:, None, None, None] * octants + 0.0
    place = [number[tuple(one)] for one in images.reshape(-1, 3).tolist()]
    along = np.ascontiguousarray(kept.T)
    corner = np.array(place).reshape(len(kept), 2, 2, 2)
    return Sector(along[0], along[1], along[2], (x, y, z), corner)
