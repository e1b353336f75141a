"""Toss radius: the edge radius of a tracked cube, from heights alone.

The centre of a sharp cube of half edge a is at the height a s over the floor, with s the sum of the absolute components
of the downward direction in the body frame: 1 on a face, 1.414 on an edge, 1.732 on a corner. With rounded edges it is
(a - r) s + r. So over its height on a face the centre of a tilted cube is lower than that of a sharp one by r (s - 1).

Errors of the tracked tilt have no mean effect on s while the cube stands on a corner. Along an edge they make s too
large, as they do on a face, where the effect is measured: the cubes at rest should have s = 1.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.ndimage import maximum_filter1d, minimum_filter1d

from brickphys.calibration.experiments.toss_tracks import Tracks, flight_scale
from brickphys.errors import TossFileError
from brickphys.odds.distribution import Z95
from brickphys.shapes.body import Body
from brickphys.text import paragraphs, table
from brickphys.throws.flight import down
from brickphys.units import Array, Indices, Mask

HALF_WINDOW = 3
"""Frames before and after a frame that must be in contact too. A flight of 7 frames at 148 Hz deviates from a contact
by some 3 mm."""
CONTACT_MM = 0.4
"""Over such frames the gap between cube and floor varies by less than this."""
LEAST_LIFT = 0.15
"""Least s - 1 of a frame; closer to a face the radius has hardly any effect."""
EDGE_SIGMAS = 4.0
"""A cube is along an edge if its least component of the downward direction is below this number of tilt errors."""
_LEAST_TILT = 1e-3
_REST_LIFT = 0.1
_LEAST_TOSSES = 3
_PASSES = 4


class ContactRadius(NamedTuple):
    """The radius from one kind of contact."""

    radius_mm: float
    error_mm: float
    """Edge radius, and its standard error with tosses as independent units."""
    frames: int
    tosses: int
    uncorrected_mm: float
    """The radius without correction of the mean effect of tilt errors."""


@dataclass(frozen=True)
class EdgeRadius:
    """The edge radius of a tracked cube."""

    edge: ContactRadius
    corner: ContactRadius
    scale: float
    scale_error: float
    """True lengths over tracked ones, by the acceleration of flights, and its standard error."""
    tilt_deg: float
    """Root mean square error of the tracked tilt, on each axis, from cubes at rest."""
    rest_mm: float
    """Mean height of the centre at rest."""

    @property
    def radius_mm(self) -> float:
        """Mean of both radii, weighted by their inverse variances."""
        return float(np.average([one.radius_mm for one in self._both], weights=self._weights))

    @property
    def error_mm(self) -> float:
        """Standard error of that mean, enlarged if the two radii differ by more than their errors, with the scale's."""
        difference = self.edge.radius_mm - self.corner.radius_mm
        excess = abs(difference) / np.hypot(self.edge.error_mm, self.corner.error_mm)
        own = max(1.0, excess) / np.sqrt(self._weights.sum())
        # a - r is a height over s - 1, and every height has the relative error of the scale
        return float(np.hypot(own, self.rest_mm * self.scale_error / self.scale))

    @property
    def ci95_mm(self) -> tuple[float, float]:
        """95 % interval, at least 0."""
        half = Z95 * self.error_mm
        return max(0.0, self.radius_mm - half), max(0.0, self.radius_mm + half)

    @property
    def _both(self) -> tuple[ContactRadius, ContactRadius]:
        return self.edge, self.corner

    @property
    def _weights(self) -> Array:
        return np.array([one.error_mm**-2 for one in self._both])

    def text(self) -> str:
        """Return the radius for people."""
        rows = [
            (
                name,
                f"{one.tosses}",
                f"{one.frames}",
                f"{lift * one.radius_mm:.2f} mm",
                f"{one.radius_mm:.2f} +- {one.error_mm:.2f} mm",
                f"{one.uncorrected_mm:.2f} mm",
            )
            for name, lift, one in (
                ("along an edge", 2**0.5 - 1, self.edge),
                ("on a corner", 3**0.5 - 1, self.corner),
            )
        ]
        stands = ("cube stands", "tosses", "frames")
        low, high = self.ci95_mm
        return paragraphs(
            table((*stands, "lower than sharp", "radius", "tilt uncorrected"), rows),
            f"edge radius {self.radius_mm:.2f} mm, 95 % {low:.2f} to {high:.2f} mm\n"
            f"tilt of cubes at rest wrong by {self.tilt_deg:.2f} degrees on each axis; "
            f"lengths x {self.scale:.4f} +- {self.scale_error:.4f}",
        )

    def document(self) -> dict[str, Any]:
        """Return the JSON object of the radius."""
        return {
            "radius_mm": self.radius_mm,
            "ci95": list(self.ci95_mm),
            "edge": self.edge._asdict(),
            "corner": self.corner._asdict(),
            "length_scale": self.scale,
            "length_scale_error": self.scale_error,
            "tilt_deg": self.tilt_deg,
            "rest_mm": self.rest_mm,
        }


class _Frames(NamedTuple):
    """Frames of contact: s - 1, deficits of the height, whether along an edge, the number of the toss."""

    lift: Array
    deficit_mm: Array
    on_edge: Mask
    toss: Array

    def at(self, chosen: Mask) -> "_Frames":
        return _Frames(
            self.lift[chosen], self.deficit_mm[chosen], self.on_edge[chosen], self.toss[chosen]
        )


def edge_radius(tracks: Tracks, body: Body) -> EdgeRadius:
    """Return the edge radius of a tracked cube from the heights of its centre.

    Raises TossFileError if fewer than three tosses end at rest on a face, stand along an edge or stand on a corner. The
    last frame of each toss shows the cube at rest.
    """
    half_mm = float(body.vertices_mm.max())
    scale, scale_error = flight_scale(tracks, body)
    downward = np.abs(down(tracks.states.quaternion))
    height_mm = scale * tracks.states.position_mm[:, 2]
    bounds = np.flatnonzero(np.diff(tracks.toss)) + 1
    last = np.append(bounds - 1, len(height_mm) - 1)
    resting = last[downward[last].sum(axis=1) - 1 < _REST_LIFT]
    _check_tosses(len(resting), "end at rest on a face")
    tilt = float(np.sqrt((np.sort(downward[resting], axis=1)[:, :2] ** 2).mean()))
    rest_mm = float(height_mm[resting].mean())
    # on a face two components of the downward direction have a mean error, along an edge one
    excess_mm = half_mm * float(downward[resting].sum(axis=1).mean() - 1) / 2
    threshold = max(EDGE_SIGMAS * tilt, _LEAST_TILT)
    radius = 0.0
    for _ in range(_PASSES):
        lift = downward.sum(axis=1) - 1
        inside = _in_contact(height_mm - (half_mm - radius) * lift, bounds) & (lift > LEAST_LIFT)
        frames = _Frames(
            lift, half_mm * lift - (height_mm - rest_mm), downward.min(axis=1) < threshold, tracks.toss
        )  # fmt: skip
        edge = _contact_radius(frames.at(inside & frames.on_edge), excess_mm, "along an edge")
        corner = _contact_radius(frames.at(inside & ~frames.on_edge), 0.0, "on a corner")
        found = EdgeRadius(edge, corner, scale, scale_error, float(np.degrees(tilt)), rest_mm)
        radius = found.radius_mm
    return found


def _in_contact(gap_mm: Array, bounds: Indices) -> Mask:
    """Return whether the gap hardly varies over the window of frames around each frame of a toss."""
    size = 2 * HALF_WINDOW + 1
    still = np.zeros(len(gap_mm), dtype=bool)
    for part in np.split(np.arange(len(gap_mm)), bounds):
        gap = gap_mm[part]
        varies = maximum_filter1d(gap, size) - minimum_filter1d(gap, size)
        still[part[HALF_WINDOW:-HALF_WINDOW]] = varies[HALF_WINDOW:-HALF_WINDOW] < CONTACT_MM
    return still


def _contact_radius(frames: _Frames, excess_mm: float, what: str) -> ContactRadius:
    """Return the slope of the deficits over the lifts, through the origin, with a toss as the unit of its error."""
    _, unit = np.unique(frames.toss, return_inverse=True)
    tosses = int(unit.max(initial=-1)) + 1
    _check_tosses(tosses, f"stand {what} for {2 * HALF_WINDOW + 1} frames")
    squares = float((frames.lift**2).sum())
    raw = float((frames.lift * frames.deficit_mm).sum()) / squares
    slope = float((frames.lift * (frames.deficit_mm - excess_mm)).sum()) / squares
    rests = frames.lift * (frames.deficit_mm - excess_mm - slope * frames.lift)
    sums = np.bincount(unit, weights=rests)
    error = float(np.sqrt((sums**2).sum() * tosses / (tosses - 1))) / squares
    return ContactRadius(slope, error, len(frames.lift), tosses, raw)


def _check_tosses(count: int, what: str) -> None:
    if count < _LEAST_TOSSES:
        raise TossFileError(
            f"only {count} of the tracked tosses {what}; {_LEAST_TOSSES} are needed"
        )
