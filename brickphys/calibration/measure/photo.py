"""Photo: the poses of thrown 2x2 bricks in a photo of a tray, taken straight from above.

A brick is a region whose chromaticity differs from that of the paper; a shadow has that of the paper. The outline of a
brick that lies on studs or rim, and of one on a side, is predicted for the place and each heading, with the perspective
of the camera; the one that overlaps best is taken if it overlaps well and the other one worse. Studs and open underside
look alike in outline. They are told apart by the edges in the face that is seen: four circles of the studs, or
the two of the tube. Whatever does not fit is `UNCLEAR`: nothing is guessed.
"""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

from brickphys.errors import InvalidValueError, needing
from brickphys.odds.roll import SIDE
from brickphys.reading import read_bytes
from brickphys.shapes.brick import BRICK_DIMENSIONS, outline, stud_centres
from brickphys.shapes.catalogue import parse_shape
from brickphys.units import BRICK_MM, Array, Mask

Photo = npt.NDArray[np.uint8]

UP, DOWN, UNCLEAR = "studs_up", "studs_down", "unclear"
WIDTH_MM = (60.0, 2000.0)
CAMERA_MM = (150.0, 5000.0)
"""Widths of the tray in the photo, and distances of the camera; others are in another unit."""
LEAST_PX_PER_MM, MOST_PX_PER_MM = 2.5, 4.0
"""A photo with less cannot show studs; one with more is reduced."""
MOST_PIXELS = 200_000_000
_DUST_MM2 = 12.0
"""Smaller regions are not bricks."""
_MOST_REGIONS = 300
_LEAST_CHROMA, _ABOVE_NOISE = 0.05, 6.0
"""Least difference in chromaticity of a brick from the paper, and in terms of the paper's median one."""
_DARK = 10.0
"""Added to each colour, so that the noise of black bricks is no colour."""
_LEAST_HALF = 0.75
"""Least share of a region that is as far from the paper's colour as half of the region."""
_LEAST_OVERLAP, _MARGIN = 0.86, 0.03
"""Least intersection over union of outlines, and how much better than the other one."""
_LEAST_MATCH = 0.17
"""Least correlation of the edges in a face with those of studs or of the tube; a plain face with noise has less."""
_STUDS_MATCH, _MATCH_MARGIN = 0.14, 0.04
"""Studs match better than the tube by more than this, and the margin on both sides: a tube has edges like studs."""
_CUT_OFF = "cut off by the edge of the photo"
_COARSE_DEG = 6
_FACE_PX_PER_MM = 6.0
_EDGE_MM, _SMOOTH_MM, _RIM_MM = 0.5, 0.4, 1.0
"""Standard deviation of the edges of a template, and of the blur of a face; what is left out along the outline."""
_SHIFT_MM = 0.6
"""A face may be seen so far from where the outline says."""


def cv2() -> Any:
    """Return OpenCV; raise MissingExtraError if it is not installed."""
    with needing("photo", "OpenCV"):
        import cv2 as module
    return module


@dataclass(frozen=True)
class Seen:
    """A brick in a photo, or what may be one or more."""

    pose: str
    """A pose, or `UNCLEAR`."""
    outline_px: Array
    """Corners of the outline that was fitted, or of the region if it is unclear, shape (n, 2): column and row."""
    why: str = ""
    """Why it is unclear."""


def read_photo(path: Path) -> Photo:
    """Return a photo as red, green and blue, shape (rows, columns, 3), turned as its camera says.

    Raises InvalidValueError if the file cannot be read, is not a photo, or is too large.
    """
    content = BytesIO(read_bytes(path))
    try:
        with warnings.catch_warnings(action="ignore"):  # of strange metadata
            picture = Image.open(content)
            if picture.width * picture.height <= MOST_PIXELS:
                return np.asarray(ImageOps.exif_transpose(picture).convert("RGB"))
    except Exception:  # whatever its parsers meet in a damaged file
        hint = "save it as JPEG or PNG (of a film, single frames)"
        raise InvalidValueError(f"{path}: not a photo that can be read: {hint}") from None
    raise InvalidValueError(f"{path}: more than {MOST_PIXELS:,} pixels")


def bricks_in(photo: Photo, width_mm: float, camera_mm: float) -> list[Seen]:
    """Return the bricks in a photo, by rows from the top.

    `width_mm` is the length on the tray from the left to the right edge of the photo, `camera_mm` the distance of the
    camera from the tray. Raises InvalidValueError if one is outside its range, or the photo is too small, has no bricks
    or contradicts the lengths.
    """
    limits = {"width": (width_mm, *WIDTH_MM), "camera": (camera_mm, *CAMERA_MM)}
    for name, (value, low, high) in limits.items():
        if not low <= value <= high:
            place = f"{name}_mm (--{name}-mm) {value:g}"
            raise InvalidValueError(f"{place} is outside {low:g} to {high:g}: is it in mm?")
    library, scale = cv2(), photo.shape[1] / width_mm
    if scale < LEAST_PX_PER_MM:
        raise InvalidValueError(
            f"{photo.shape[1]} pixels for {width_mm:g} mm are {scale:.2g} a mm; studs need {LEAST_PX_PER_MM:g}"
        )
    factor = min(1.0, MOST_PX_PER_MM / scale)
    photo = library.resize(photo, None, fx=factor, fy=factor, interpolation=library.INTER_AREA)
    view = _View(photo, photo.shape[1] / width_mm, camera_mm)
    seen = [view.seen(region) for region in _regions(photo, view.px_per_mm)]
    _check_seen(seen, view)
    full = [replace(one, outline_px=one.outline_px / factor) for one in seen]
    return sorted(full, key=lambda one: tuple(one.outline_px.mean(axis=0)[::-1]))


def _check_seen(seen: Sequence[Seen], view: "_View") -> None:
    told = ""
    if not seen:
        told = "nothing differs in colour from the paper (a grey photo, or bricks of its colour?)"
    elif all(one.why == _CUT_OFF for one in seen):
        told = "all that is seen is cut off by the edge of the photo"
    elif len(seen) > 2 and all(one.pose == UNCLEAR for one in seen):
        areas = [cv2().contourArea(one.outline_px.astype(np.float32)) for one in seen]
        size_mm = float(np.sqrt(np.median(areas))) / view.px_per_mm
        told = f"what differs from the paper is about {size_mm:.3g} mm large, a brick {2 * _HALF_MM:.3g} mm: "
        told += "are width_mm (--width-mm) and camera_mm (--camera-mm) right?"
    if told:
        raise InvalidValueError(f"no clear brick: {told}")


def _regions(photo: Photo, px_per_mm: float) -> Iterator[Array]:
    """Yield the contour of each region that is not paper, shape (n, 2), in pixels."""
    library = cv2()
    smooth = library.GaussianBlur(photo, (0, 0), 0.25 * px_per_mm).astype(np.float32) + _DARK
    chroma = smooth / smooth.sum(axis=2, keepdims=True)
    paper = np.median(chroma.reshape(-1, 3), axis=0)
    differs = np.linalg.norm(chroma - paper, axis=2)
    least = max(_LEAST_CHROMA, _ABOVE_NOISE * float(np.median(differs)))
    _, labels, found, _ = library.connectedComponentsWithStats((differs > least).astype(np.uint8))
    parts = [part for part in range(1, len(found)) if found[part, 4] > _DUST_MM2 * px_per_mm**2]
    if len(parts) > _MOST_REGIONS:
        raise InvalidValueError(
            f"{len(parts)} regions differ in colour from the paper, more than {_MOST_REGIONS}: lay paper of one colour"
        )
    for part in parts:
        left, top, width, height = found[part, :4].tolist()
        box = slice(top, top + height), slice(left, left + width)
        own, away = labels[box] == part, differs[box]
        # the outline is where half of the brick and half of the paper are seen
        half = own & (away > max(least, float(np.median(away[own])) / 2))
        whole, sharp = (_contour(mask) for mask in (own, half))
        # of two bricks that touch, the paler one must not vanish
        is_one = library.contourArea(sharp) > _LEAST_HALF * library.contourArea(whole)
        yield (sharp if is_one else whole)[:, 0] + np.array([left, top], dtype=np.float64)


def _contour(mask: Mask) -> Any:
    how = cv2().RETR_EXTERNAL, cv2().CHAIN_APPROX_NONE
    return max(cv2().findContours(mask.astype(np.uint8), *how)[0], key=cv2().contourArea)


class _Fit(NamedTuple):
    """A predicted outline, its overlap with a region, and where the middle of the brick is then on the tray."""

    overlap: float
    heading_deg: float
    place_mm: Array
    outline_mm: Array


@dataclass(frozen=True)
class _View:
    """A photo with its scale and the distance of its camera, which is above its middle."""

    photo: Photo
    px_per_mm: float
    camera_mm: float

    def seen(self, region: Array) -> Seen:
        """Return what a region shows."""
        rows, columns = self.photo.shape[:2]
        if region.min() <= 1 or (region.max(axis=0) >= (columns - 2, rows - 2)).any():
            return Seen(UNCLEAR, region, _CUT_OFF)
        flat, side = (self._fit(region, lies) for lies in (UP, SIDE))
        best = max(flat, side, key=lambda fit: fit.overlap)
        if best.overlap < _LEAST_OVERLAP:
            return Seen(UNCLEAR, region, "not the outline of one brick")
        up, down = self._match(flat, UP), self._match(flat, DOWN)
        if abs(flat.overlap - side.overlap) < _MARGIN:
            return Seen(UNCLEAR, region, "outline between two poses")
        if best is side:
            return Seen(SIDE, self.to_px(side.outline_mm))
        by_studs = up - down - _STUDS_MATCH
        if max(up, down) < _LEAST_MATCH or abs(by_studs) < _MATCH_MARGIN:
            return Seen(UNCLEAR, region, "neither studs nor underside")
        return Seen(UP if by_studs > 0 else DOWN, self.to_px(flat.outline_mm))

    def to_px(self, points_mm: Array) -> Array:
        """Return the columns and rows of points on the tray, shape (n, 2)."""
        rows, columns = self.photo.shape[:2]
        return np.asarray(points_mm * [1, -1] * self.px_per_mm + [columns / 2, rows / 2])

    def to_mm(self, points_px: Array) -> Array:
        """Return points on the tray of columns and rows, shape (n, 2)."""
        rows, columns = self.photo.shape[:2]
        return np.asarray((points_px - [columns / 2, rows / 2]) * [1, -1] / self.px_per_mm)

    def projected(self, points_mm: Array, heading_deg: float, place_mm: Array) -> Array:
        """Return where points of a brick, shape (n, 3), are seen on the tray, shape (n, 2)."""
        c, s = np.cos(np.radians(heading_deg)), np.sin(np.radians(heading_deg))
        turned = points_mm[:, :2] @ np.array([[c, s], [-s, c]]) + place_mm
        away = self.camera_mm / (self.camera_mm - points_mm[:, 2:])
        return np.asarray(turned * away)

    def _fit(self, region: Array, pose: str) -> _Fit:
        hull = _hull(self.to_mm(region))

        def best(headings_deg: Iterable[float]) -> _Fit:
            fits = (self._overlap(hull, pose, heading) for heading in headings_deg)
            return max(fits, key=lambda fit: fit.overlap)

        coarse = best(range(0, 360 if pose == SIDE else 90, _COARSE_DEG)).heading_deg
        return best(coarse + step for step in range(1 - _COARSE_DEG, _COARSE_DEG))

    def _overlap(self, hull: Array, pose: str, heading_deg: float) -> _Fit:
        library, points, middle = cv2(), _points(pose), _centroid(hull)
        place = middle * (1 - points[:, 2].max() / 2 / self.camera_mm)
        for _ in range(2):
            shown = _hull(self.projected(points, heading_deg, place))
            place = place + middle - _centroid(shown)
        common, _ = library.intersectConvexConvex(hull, shown)
        both = library.contourArea(hull) + library.contourArea(shown)
        return _Fit(common / (both - common), heading_deg, place, shown)

    def _match(self, fit: _Fit, pose: str) -> float:
        """Return the greatest correlation of the edges in the upper face with those of studs or of the underside."""
        library, half = cv2(), _HALF_MM
        corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        ends = np.column_stack([corners, np.full(4, _FACE_MM[pose])])
        seen_px = self.to_px(self.projected(ends, fit.heading_deg, fit.place_mm))
        square = ((corners + half) * _FACE_PX_PER_MM).astype(np.float32)
        warp = library.getPerspectiveTransform(seen_px.astype(np.float32), square)
        size = round(2 * half * _FACE_PX_PER_MM)
        face = library.warpPerspective(self.photo, warp, (size, size)).astype(np.float32)
        face = library.GaussianBlur(face, (0, 0), _SMOOTH_MM * _FACE_PX_PER_MM)
        x, y = (library.Sobel(face, library.CV_32F, *axis) for axis in ((1, 0), (0, 1)))
        turned = ((x + 1j * y) ** 2).sum(axis=2)
        rim = round((_RIM_MM - _SHIFT_MM) * _FACE_PX_PER_MM)
        edges = _directed(turned / (np.sqrt(np.abs(turned)) + 1e-9))[rim:-rim, rim:-rim]
        return float(library.matchTemplate(edges, _template(pose), library.TM_CCORR_NORMED).max())


_HALF_MM = outline(2, 2, BRICK_DIMENSIONS)[0] / 2
_STUD_MM = BRICK_DIMENSIONS.stud_height_mm
_FACE_MM = {UP: BRICK_MM + _STUD_MM / 2, DOWN: BRICK_MM + _STUD_MM}
"""Height at which the edges of a face are: the middle of the studs, and the rim."""


@cache
def _points(pose: str) -> Array:
    """Return corners of a brick in a pose, shape (n, 3); the floor is at z = 0."""
    body = parse_shape("2x2")
    points = body.vertices_mm * (1 + body.edge_radius_mm / np.abs(body.vertices_mm).max())
    if pose == SIDE:
        points = points[:, [0, 2, 1]] * [1, -1, 1]
    return np.asarray(points - [0, 0, points[:, 2].min()])


def _directed(edges: npt.NDArray[np.complex128]) -> npt.NDArray[np.float32]:
    """Return edges, strengths with twice their angles, as a picture of two channels."""
    return np.dstack([edges.real, edges.imag]).astype(np.float32)


@cache
def _template(pose: str) -> npt.NDArray[np.float32]:
    """Return the edges of a face of a brick, without those near its outline; see `_directed`."""
    half = _HALF_MM - _RIM_MM
    at = (np.arange(round(2 * half * _FACE_PX_PER_MM)) + 0.5) / _FACE_PX_PER_MM - half
    x, y = np.meshgrid(at, at)
    d = BRICK_DIMENSIONS
    if pose == UP:
        circles = [(a, b, d.stud_diameter_mm / 2) for a, b in stud_centres(2, 2)]
    else:
        circles = [(0.0, 0.0, tube / 2) for tube in (d.tube_outer_mm, d.tube_inner_mm)]
    away = [(np.hypot(x - a, y - b) - r, np.arctan2(y - b, x - a)) for a, b, r in circles]
    return _directed(
        np.sum([np.exp(-0.5 * (r / _EDGE_MM) ** 2 + 2j * angle) for r, angle in away], axis=0)
    )


def _hull(points: Array) -> Any:
    return cv2().convexHull(points.astype(np.float32))[:, 0]


def _centroid(hull: Array) -> Array:
    moments = cv2().moments(hull)
    return np.array([moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]])
