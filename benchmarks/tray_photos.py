"""Tray photos: rendered photos of thrown 2x2 bricks in known poses, and the error rates of reading them.

Run it with ``python -m benchmarks.tray_photos``: it prints the table of ``docs/measure.md``.

Each photo has its own paper, distance and tilt of the camera, light (three lamps that make soft shadows), exposure,
white balance, gradient, mottled paper, blur and noise, and is compressed as JPEG. Its bricks have random colours that
the paper has not, and random poses, headings and places: most lie apart, and some pairs touch or lean on each other.
The photos of seeds below `HELD_OUT` were looked at when the reader was written; the error rates are of others.
"""

import argparse
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter
from scipy.spatial.transform import Rotation

from benchmarks.renderer import NEAR
from brickphys.calibration.measure.photo import UNCLEAR, Photo, bricks_in, cv2
from brickphys.engines.client import Client, connection
from brickphys.odds.distribution import wilson
from brickphys.odds.roll import SIDE
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.export import detail_mesh
from brickphys.throws.faces import LEANING
from brickphys.units import Array

HELD_OUT = 1000
P_SIDE = 0.3
UNIT_MM = 20.0
"""Length of the renderer's unit; its shadows need things of a few units."""
APART_MM = 25.0
"""Least distance of the middles of two bricks that lie apart."""
PAPERS = {
    "green": (60, 140, 75),
    "blue": (55, 105, 175),
    "grey": (150, 150, 150),
    "white": (225, 225, 222),
    "brown": (150, 105, 70),
}
BRICKS = {
    "red": (200, 25, 20),
    "blue": (0, 85, 190),
    "yellow": (245, 205, 45),
    "green": (35, 125, 60),
    "white": (240, 240, 236),
    "black": (32, 33, 36),
    "orange": (250, 125, 25),
    "grey": (155, 160, 165),
}
ALIKE = {
    ("green", "green"),
    ("blue", "blue"),
    ("grey", "grey"),
    ("grey", "white"),
    ("grey", "black"),
    ("white", "white"),
    ("white", "grey"),
    ("white", "black"),
    ("brown", "orange"),
    ("brown", "red"),
}
"""Papers and the bricks that need another one."""
TURNS = {
    "studs_up": Rotation.identity(),
    "studs_down": Rotation.from_euler("x", 180, degrees=True),
    "side": Rotation.from_euler("x", 90, degrees=True),
}


@dataclass(frozen=True)
class Lying:
    """A brick on the tray: where its middle is, in mm from the middle of the photo, x to the right and y upwards."""

    x_mm: float
    y_mm: float
    pose: str
    turn: Rotation
    is_apart: bool
    """Whether no other brick is near."""


@dataclass(frozen=True)
class Tray:
    """A rendered photo and what it shows."""

    photo: Photo
    """Shape (rows, columns, 3): red, green, blue."""
    width_mm: float
    camera_mm: float
    bricks: tuple[Lying, ...]


def tray(rng: np.random.Generator, bricks: int = 20, pairs: int = 2, pixels: int = 1200) -> Tray:
    """Return a photo with so many bricks apart, and so many pairs of bricks that touch or lean."""
    width = rng.uniform(260, 340)
    camera = rng.uniform(450, 800)
    paper = str(rng.choice(list(PAPERS)))
    lying = tuple(_lying(rng, bricks, pairs, width))
    names = [name for name in BRICKS if (paper, name) not in ALIKE]
    colours = [BRICKS[str(name)] for name in rng.choice(names, len(lying))]
    size = (pixels, pixels * 3 // 4)
    with connection() as client:
        _put(client, lying, colours, PAPERS[paper])
        lamps = rng.normal(0, 0.5, (3, 2))
        gloss = rng.uniform(0, 0.3)
        tilt = rng.normal(0, np.radians(1.0), 2)
        shots = [
            [_shot(client, size, width, camera, tilt, lamp, gloss, shadow) for shadow in (0, 1)]
            for lamp in lamps
        ]
    depth = rng.uniform(1, 5)  # the renderer's own shadows keep 90 % of the light
    shown = np.mean([lit * (dark / np.maximum(lit, 1e-3)) ** depth for lit, dark in shots], axis=0)
    with io.BytesIO() as file:
        Image.fromarray(_developed(shown, rng)).save(file, "jpeg", quality=85)
        photo = np.asarray(Image.open(file))
    return Tray(photo, width, camera, lying)


def _lying(rng: np.random.Generator, bricks: int, pairs: int, width: float) -> Iterator[Lying]:
    reach = np.array([width / 2 - 18, width * 3 / 8 - 18])
    places: list[tuple[float, float]] = []
    for number in range(pairs + bricks):
        is_pair = number < pairs
        least = 2 * APART_MM if is_pair else APART_MM
        for _ in range(10_000):
            x, y = rng.uniform(-reach, reach).tolist()
            if all(np.hypot(x - a, y - b) > least for a, b in places):
                break
        else:
            raise ValueError(f"{bricks} bricks have no room on {width:.0f} mm")
        places.append((x, y))
        heading = rng.uniform(0, 360)
        pose = str(rng.choice(list(TURNS), p=(0.3, 0.3, 0.4)))
        yield Lying(x, y, pose, _turned(pose, heading), not is_pair)
        if is_pair:
            angle = rng.uniform(0, 2 * np.pi)
            gap = rng.uniform(13.0, 17.5)
            away = (x + gap * np.cos(angle), y + gap * np.sin(angle))
            places.append(away)
            if rng.random() < 0.4:
                yield Lying(*away, LEANING, Rotation.random(rng=rng), False)
            else:
                turn = _turned(pose, heading + rng.choice([0, 90]))
                yield Lying(*away, pose, turn, False)


def _turned(pose: str, heading: float) -> Rotation:
    return Rotation.from_euler("z", heading, degrees=True) * TURNS[pose]


def _put(
    client: Client,
    lying: tuple[Lying, ...],
    colours: list[tuple[int, int, int]],
    paper: tuple[int, int, int],
) -> None:
    mesh = detail_mesh(parse_shape("2x2"))
    assert mesh is not None
    corners = mesh.vertices_mm[mesh.triangles].reshape(-1, 3)
    faces = mesh.vertices_mm[mesh.triangles]
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    half = 25.0
    ground = [[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]]
    client.createMultiBody(
        0,
        -1,
        client.createVisualShape(
            client.GEOM_MESH,
            vertices=ground,
            indices=[0, 1, 2, 0, 2, 3],
            normals=[[0, 0, 1]] * 4,
            rgbaColor=[*(np.array(paper) / 255), 1],
        ),
    )
    for one, colour in zip(lying, colours, strict=True):
        shape = client.createVisualShape(
            client.GEOM_MESH,
            vertices=(corners / UNIT_MM).tolist(),
            indices=list(range(len(corners))),
            normals=np.repeat(normals, 3, axis=0).tolist(),
            rgbaColor=[*(np.array(colour) / 255), 1],
            specularColor=[1, 1, 1],
        )
        low = one.turn.apply(mesh.vertices_mm)[:, 2].min()
        place = np.array([one.x_mm, one.y_mm, -low]) / UNIT_MM
        client.createMultiBody(0, -1, shape, place.tolist(), one.turn.as_quat().tolist())


def _shot(
    client: Client,
    size: tuple[int, int],
    width_mm: float,
    camera_mm: float,
    tilt: Array,
    lamp: Array,
    gloss: float,
    shadow: int,
) -> Array:
    """Return colours from 0 to 1 in the light of one lamp, shape (rows, columns, 3)."""
    height = camera_mm / UNIT_MM
    eye = [*(np.tan(tilt) * height), height]
    field = 2 * np.degrees(np.arctan(width_mm * size[1] / size[0] / 2 / camera_mm))
    _, _, colours, _, _ = client.getCameraImage(
        *size,
        viewMatrix=client.computeViewMatrix(eye, [0, 0, 0], [0, 1, 0]),
        projectionMatrix=client.computeProjectionMatrixFOV(field, size[0] / size[1], NEAR, 100.0),
        lightDirection=[*lamp, 1.0],
        lightDistance=40.0,
        lightColor=[1, 1, 1],
        lightAmbientCoeff=0.45,
        lightDiffuseCoeff=0.6,
        lightSpecularCoeff=gloss,
        shadow=shadow,
        renderer=client.ER_TINY_RENDERER,
    )
    return np.reshape(colours, (size[1], size[0], -1))[..., :3] / 255.0


def _developed(shown: Array, rng: np.random.Generator) -> Photo:
    """Return a photo with uneven light, mottled paper, white balance, exposure, blur and noise."""
    rows, columns, _ = shown.shape
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    slope = rng.normal(0, 0.1, 2)
    mottle = gaussian_filter(rng.normal(0, 1, (rows // 4, columns // 4)), 3)
    mottle = np.kron(mottle / mottle.std(), np.ones((4, 4)))[:rows, :columns]
    mottle = np.pad(mottle, ((0, rows - mottle.shape[0]), (0, columns - mottle.shape[1])))
    light = (1 + slope[0] * x + slope[1] * y + 0.01 * mottle)[..., None]
    shown = shown * light * rng.uniform(0.75, 1.1) * rng.normal(1, 0.04, 3)
    blur = rng.uniform(0.5, 2.0)
    shown = gaussian_filter(shown, (blur, blur, 0))
    noise = rng.normal(0, rng.uniform(0.005, 0.03), shown.shape)
    return np.asarray(np.clip(255 * (shown + noise), 0, 255).round(), dtype=np.uint8)


def read(shown: Tray) -> Iterator[tuple[Lying, str]]:
    """Yield each brick of a photo with the pose that was read: `UNCLEAR`, too, and ``missing``."""
    rows, columns, _ = shown.photo.shape
    seen = bricks_in(shown.photo, shown.width_mm, shown.camera_mm)
    outlines = [one.outline_px.astype(np.float32).reshape(-1, 1, 2) for one in seen]
    away = shown.camera_mm / (shown.camera_mm - 5.5)  # the middle of a brick is above the paper
    for brick in shown.bricks:
        place_mm = np.array([brick.x_mm, -brick.y_mm]) * away
        at = (place_mm * columns / shown.width_mm + [columns / 2, rows / 2]).tolist()
        found = [cv2().pointPolygonTest(outline, at, False) >= 0 for outline in outlines]
        yield brick, seen[found.index(True)].pose if any(found) else "missing"


READ = (*TURNS, UNCLEAR, "missing")


def rows(found: Counter[tuple[bool, str, str]]) -> Iterator[str]:
    """Yield a row for each pose of bricks apart, and one for all others, with the shares wrong and unclear."""
    for is_apart, pose in (*((True, pose) for pose in TURNS), (False, "touching or leaning")):
        own = {
            key[1:]: number
            for key, number in found.items()
            if key[0] == is_apart and (not is_apart or key[1] == pose)
        }
        total = sum(own.values())
        unclear = sum(number for (_, seen), number in own.items() if seen in READ[3:])
        wrong = (
            total - unclear - sum(number for (true, seen), number in own.items() if true == seen)
        )
        by_reading = [sum(n for (_, seen), n in own.items() if seen == one) for one in READ]
        shares = [
            f"{number / total:.2%} ({low:.2%} to {high:.2%})".replace("%", " %")
            for number in (wrong, unclear)
            for low, high in [wilson(number, total)]
        ]
        yield f"| {' | '.join([pose, str(total), *map(str, by_reading), *shares])} |"


def shift(found: Counter[tuple[bool, str, str]], worst: bool) -> float:
    """Return how far wrong readings move a chance of a side of 30 %, or at most by the ends of their intervals."""
    apart = {key[1:]: number for key, number in found.items() if key[0] and key[2] in TURNS}
    moved = []
    for sides in (True, False):
        own = {key: number for key, number in apart.items() if (key[0] == SIDE) == sides}
        wrong = sum(number for (_, seen), number in own.items() if (seen == SIDE) != sides)
        total = sum(own.values())
        moved.append(wilson(wrong, total)[1] if worst else wrong / total)
    lost, gained = P_SIDE * moved[0], (1 - P_SIDE) * moved[1]
    return max(lost, gained) if worst else gained - lost


def main() -> None:
    """Read rendered photos, and print how bricks were read and how far the errors move p."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--photos", type=int, default=120)
    parser.add_argument("--seed", type=int, default=HELD_OUT)
    parser.add_argument("--save", type=Path, help="Only save the first photo.")
    options = parser.parse_args()
    if options.save:
        first = tray(np.random.default_rng(options.seed), pairs=1)
        Image.fromarray(first.photo).save(options.save, quality=80)
        print(f"{options.save}: --width-mm {first.width_mm:.0f} --camera-mm {first.camera_mm:.0f}")
        return
    found = Counter[tuple[bool, str, str]]()
    for seed in range(options.seed, options.seed + options.photos):
        for brick, pose in read(tray(np.random.default_rng(seed))):
            found[brick.is_apart, brick.pose, pose] += 1
    print(
        "| lies | bricks | read as studs_up | studs_down | side | unclear | missing | wrong | not read |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    print("\n".join(rows(found)))
    print(
        f"p of {P_SIDE:.0%} moves by {shift(found, False):+.2%}, at most by {shift(found, True):.2%}"
    )


if __name__ == "__main__":
    main()
