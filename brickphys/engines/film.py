"""Film: frames of models and plain prisms that move over a field, by PyBullet's software renderer."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from brickphys.arrays import Array
from brickphys.engines.client import connection
from brickphys.engines.view import CameraView, Image, RenderSettings, darken_shadows, render, smooth
from brickphys.shapes.export import model_path
from brickphys.units import STUD_MM

Colour = tuple[float, float, float]

_UNIT_MM = 50.0
"""Millimetres in a unit of the renderer. Its shadows are accurate to 0.05 units, enough for a picture of a field."""
_GREENS: tuple[Colour, Colour] = ((0.55, 0.72, 0.45), (0.51, 0.68, 0.41))
_EDGE: Colour = (0.55, 0.42, 0.28)
_BACKGROUND: Colour = (0.93, 0.91, 0.87)
_BOARD_MM = 12.0
"""How thick the board of the field is."""
_TILE_STUDS = 4.0
"""Edge of the squares on the ground."""
_LIGHT = {
    "lightDirection": [-0.8, -0.35, 1.3],
    "lightColor": [1.0, 1.0, 1.0],
    "lightAmbientCoeff": 0.55,
    "lightDiffuseCoeff": 0.45,
    "lightSpecularCoeff": 0.0,
    "shadow": 1,
}
_SINK_MM = 0.3
"""Depth of the ground below things, so that their surfaces do not coincide."""
_MAX_TILES = 4000


@dataclass(frozen=True, eq=False)
class Prop:
    """The look of a body.

    Attributes
    ----------
    model
        Name of the body of an assembly, such as ``jeep`` or ``jeep/driver``; None for a plain prism.
    corners_mm : ndarray, shape (2 n, 3)
        Corners of the thing's prism in its own frame: the lower ones counter-clockwise, then the upper ones.
    colour
        Red, green and blue of a plain prism, from 0 to 1.
    """

    model: str | None
    corners_mm: Array
    colour: Colour = (0.6, 0.6, 0.6)


def film(
    props: Sequence[Prop],
    poses: Array,
    field_mm: tuple[float, float],
    view: CameraView,
    advance: Callable[[int], None] | None = None,
) -> Iterator[Image]:
    """Yield a picture of every frame, with a fixed camera that sees the whole motion.

    Parameters
    ----------
    props
        The n bodies.
    poses : ndarray, shape (frames, n, 7)
        Poses of their frames: the origin in mm, then the quaternion, scalar last.
    field_mm
        Size of the field, which has a corner at the origin.
    view
        Camera; its azimuth is counter-clockwise from +x.
    advance
        Called with the number of frames done.
    """
    action = action_mm(props, poses)
    middle = action[:, :2].mean(axis=0)
    poses = poses - [*middle, *[0.0] * 5]
    points = (action - [*middle, 0.0]) / _UNIT_MM
    with connection() as (module, client):
        stage = _Stage(module, client, props)
        grounds = _add_ground(module, client, field_mm, middle)
        for done, frame in enumerate(poses, start=1):
            stage.place(frame)
            yield _render(module, client, points, grounds, view)
            if advance:
                advance(done)


def action_mm(props: Sequence[Prop], poses: Array) -> Array:
    """Return the points, shape (m, 3), that a film must show.

    They are the corners of moving things at four times, and the corners of things at rest within 12 studs of these.
    """
    samples = poses[[0, len(poses) // 4, len(poses) // 2, -1]]
    moves = np.abs(poses - poses[0]).max(axis=(0, 2)) > 1.0
    seen = [_corners(prop, samples[:, n]) for n, prop in enumerate(props) if moves[n]]
    if not seen:
        return np.vstack([_corners(prop, samples[:1, n]) for n, prop in enumerate(props)])
    moving = np.vstack(seen)
    low, high = moving.min(axis=0) - 12 * STUD_MM, moving.max(axis=0) + 12 * STUD_MM
    for n, prop in enumerate(props):
        corners = _corners(prop, samples[:1, n])
        if not moves[n]:
            seen.append(corners[((corners >= low) & (corners <= high)).all(axis=1)])
    points: Array = np.vstack(seen)
    return points


def _corners(prop: Prop, poses: Array) -> Array:
    """Return the corners of a prop in some poses, without tilt, which hardly changes the bounds of a picture."""
    corners = []
    for pose in poses:
        z, w = pose[5], pose[6]
        size = np.hypot(z, w) or 1.0
        c, s = (w * w - z * z) / size**2, 2 * w * z / size**2
        turned = prop.corners_mm @ np.array([(c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0)])
        corners.append(turned + pose[:3])
    return np.vstack(corners)


class _Stage:
    """The things in a PyBullet world that is only rendered."""

    def __init__(self, module: ModuleType, client: int, props: Sequence[Prop]) -> None:
        self._bullet, self._client = module, client
        self._bodies = [self._build(prop) for prop in props]

    def _build(self, prop: Prop) -> tuple[int, tuple[list[float], list[float]]]:
        """Return the body of a prop, with position and orientation of its inertial frame."""
        if prop.model is None:
            count = len(prop.corners_mm) // 2
            body = _add_mesh(
                self._bullet, self._client, _prism_faces(prop.corners_mm, count), prop.colour
            )
            return body, ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])
        body = self._bullet.loadURDF(
            str(model_path(prop.model)),
            useFixedBase=True,
            globalScaling=1000.0 / _UNIT_MM,
            physicsClientId=self._client,
        )
        info = self._bullet.getDynamicsInfo(body, -1, physicsClientId=self._client)
        return body, (info[3], info[4])

    def place(self, frame: Array) -> None:
        """Set the poses of all bodies; `frame` has shape (n, 7)."""
        for (body, inertial), pose in zip(self._bodies, frame, strict=True):
            place, turn = (pose[:3] / _UNIT_MM).tolist(), pose[3:].tolist()
            self._bullet.resetBasePositionAndOrientation(
                body,
                *self._bullet.multiplyTransforms(place, turn, *inertial),
                physicsClientId=self._client,
            )


def _prism_faces(corners: Array, count: int) -> list[Array]:
    """Return all faces of a prism as polygons, counter-clockwise from outside."""
    low, high = corners[:count], corners[count:]
    sides = [
        np.array([low[i], low[(i + 1) % count], high[(i + 1) % count], high[i]])
        for i in range(count)
    ]
    return [*sides, high, low[::-1]]


def _add_ground(
    module: ModuleType, client: int, field_mm: tuple[float, float], middle_mm: Array
) -> list[int]:
    """Add the field, in squares of two greens, and the edge of its board, with the middle of the action at the origin.

    Nothing is around or below it, where things fall. The renderer's light shines at the origin: what is far from there
    lies in the dark, or is not drawn at all.
    """
    width, height = field_mm
    tile = _TILE_STUDS * STUD_MM
    while width * height / tile**2 > _MAX_TILES:
        tile *= 2
    squares: tuple[list[Array], list[Array]] = ([], [])
    for i, x in enumerate(np.arange(0.0, width, tile)):
        for j, y in enumerate(np.arange(0.0, height, tile)):
            ends = (min(x + tile, width), min(y + tile, height))
            squares[(i + j) % 2].append(_square((x, y), ends, -_SINK_MM))
    board = np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])
    corners = [np.column_stack([board, np.full(4, z)]) for z in (-_BOARD_MM, -_SINK_MM)]
    sides = _prism_faces(np.vstack(corners), 4)[:4]
    parts = [(faces, colour) for faces, colour in zip(squares, _GREENS, strict=True) if faces]
    return [
        _add_mesh(module, client, [face - [*middle_mm, 0.0] for face in faces], colour)
        for faces, colour in [*parts, (sides, _EDGE)]
    ]


def _square(low: tuple[float, float], high: tuple[float, float], z: float) -> Array:
    (a, b), (c, d) = low, high
    return np.array([(a, b, z), (c, b, z), (c, d, z), (a, d, z)])


def _add_mesh(module: ModuleType, client: int, faces: Sequence[Array], colour: Colour) -> int:
    """Add flat faces, each a convex polygon in mm, counter-clockwise from outside."""
    starts = np.cumsum([0, *(len(face) for face in faces)])
    normals = [np.cross(face[1] - face[0], face[2] - face[1]) for face in faces]
    shape = module.createVisualShape(
        module.GEOM_MESH,
        vertices=(np.vstack(list(faces)) / _UNIT_MM).tolist(),
        indices=[
            int(start + corner)
            for start, face in zip(starts, faces, strict=False)
            for second in range(1, len(face) - 1)
            for corner in (0, second, second + 1)
        ],
        normals=[
            (normal / np.linalg.norm(normal)).tolist()
            for normal, face in zip(normals, faces, strict=True)
            for _ in face
        ],
        rgbaColor=[*colour, 1.0],
        physicsClientId=client,
    )
    body: int = module.createMultiBody(0, -1, shape, physicsClientId=client)
    return body


def _render(
    module: ModuleType, client: int, points: Array, grounds: Sequence[int], view: CameraView
) -> Image:
    eye, target = view.aim(points)
    away = float(np.linalg.norm(eye - target)) + float(np.linalg.norm(eye))
    image, mask = render(
        module, client, points, view, RenderSettings(20.0 * away, 2.0 * away, _LIGHT)
    )
    for ground in grounds:
        here = mask == ground
        darken_shadows(image, here, image[here].max(axis=0, initial=1e-9))
    image[mask < 0] = _BACKGROUND
    return smooth(image, view.samples)
