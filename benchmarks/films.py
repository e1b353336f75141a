"""Films: processor time to draw and to write them, against a redraw of everything in every frame, in one run.

Run by ``make bench``. A battle of each game by random bots (the campaign has days instead of turns), and a crash. The
plain way draws the whole figure for every turn, or has PyBullet render the whole scene, and converts every picture into
the colours of the GIF as a whole. Compiling is left out: the machine code is on the disk after the first film.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image as Pillow

import brickphys
from benchmarks.crashes import scene as crash_scene
from benchmarks.renderer import render
from brickphys.engines.client import Client, connection
from brickphys.plots.camera import CameraView, Image, smooth
from brickphys.plots.film import FRAME_MS, Film
from brickphys.plots.gif import captioned, save_gif, shrunk
from brickphys.plots.painter import FieldPicture, Painter
from brickphys.plots.physics_film import SHRINK, frames_of, pictures, view_of
from brickphys.rules.registry import painter
from brickphys.rules.report.trajectories import Trajectories
from brickphys.shapes.export import model_path
from brickphys.vehicles.crash import FIGURE, crash
from brickphys.vehicles.crash_outcome import Crash

BATTLES = (
    ("bow", "skirmish"),
    ("minifig", "siege"),
    ("pirate_wars", "convoy"),
    ("blade_and_bow", "plataea"),
    ("campaign", "thirty_days"),
    ("campaign", "ten_days"),
)
SEED = 1
TURNS = 60
"""The most of a battle, from its beginning."""
AIM = 5.0
_UNIT_MM, _LIGHT = 50.0, {"lightDirection": [-0.8, -0.35, 1.3], "shadow": 1}


def redrawn(trajectories: Trajectories[Any], drawn_by: Painter[Any]) -> Iterator[Image]:
    """Yield every frame, the whole figure drawn anew: field, pieces, names and caption."""
    stage = FieldPicture(drawn_by, trajectories.frames[0].state, trajectories.areas)
    stage.make_room(4)
    agg: Any = FigureCanvasAgg(stage.canvas)
    stage.canvas.set_dpi(72)
    for frame in trajectories.frames:
        stage.draw_field(frame.state)
        drawn_by.draw_pieces(frame.state, stage.labels, stage.written, stage.ax)
        caption = stage.write(stage.wrapped(frame.heading, frame.text)[:4])
        agg.draw()
        yield np.asarray(agg.buffer_rgba())[..., :3].copy()
        caption.remove()


def rendered(found: Crash, frames: Sequence[int], view: CameraView) -> Iterator[Image]:
    """Yield frames of a crash, the whole scene rendered anew by PyBullet: models, boxes and a plain ground."""
    poses = found.recording.poses[list(frames)].copy()
    poses[..., :3] -= [*poses[..., :2].mean(axis=(0, 1)), 0.0]
    poses[..., :3] /= _UNIT_MM
    points = poses[..., :3].reshape(-1, 3)
    with connection() as client:
        ground = client.createVisualShape(client.GEOM_BOX, halfExtents=[40, 40, 0.01])
        client.createMultiBody(0, -1, ground)
        bodies = [_added(client, name) for name in _models(found)]
        for number, frame in enumerate(poses):
            for body, pose in zip(bodies, frame, strict=True):
                centre, turn = client.getDynamicsInfo(body, -1)[3:5]
                place = client.multiplyTransforms(
                    pose[:3].tolist(), pose[3:].tolist(), centre, turn
                )
                client.resetBasePositionAndOrientation(body, *place)
            image, _ = render(client, points, view, 400.0, 40.0, _LIGHT)
            picture = shrunk(smooth(image, view.samples), SHRINK)
            yield captioned(picture, found.mover_id, f"{number}", "")


def _models(found: Crash) -> list[str | None]:
    """Return the models of the things and riders of a crash; None for a plain box."""
    things = found.recording.things
    return [
        *((one.model or (FIGURE if one.type.value == "unit" else None)) for one in things),
        *found.recording.riders,
    ]


def _added(client: Client, name: str | None) -> int:
    if name is None:
        box = client.createVisualShape(client.GEOM_BOX, halfExtents=[0.1, 1.6, 0.5])
        return int(client.createMultiBody(0, -1, box))
    path = str(model_path(name))
    return int(client.loadURDF(path, useFixedBase=True, globalScaling=1000.0 / _UNIT_MM))


def write_whole_pictures(images: Sequence[Image], path: Path) -> None:
    """Write a GIF, each picture converted as a whole."""
    stacked = np.vstack([images[0], images[len(images) // 2], images[-1]])
    palette = Pillow.fromarray(stacked).quantize(256, Pillow.Quantize.MAXCOVERAGE)
    flat = [
        Pillow.fromarray(image).quantize(palette=palette, dither=Pillow.Dither.NONE)
        for image in images
    ]
    content = BytesIO()
    flat[0].save(content, "GIF", save_all=True, append_images=flat[1:], duration=FRAME_MS, loop=0)
    path.write_bytes(content.getvalue())


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def battle_row(game: str, setup: str, path: Path) -> tuple[str, int, int, float, float]:
    """Return name, turns and pictures of a film, and its processor time in the plain way and as it is."""
    battle = brickphys.play(game, setup, "random", seed=SEED)
    whole, drawn_by = battle.game.trajectories(battle.record), painter(battle.game)
    course = replace(whole, frames=whole.frames[:TURNS])
    next(redrawn(course, drawn_by))  # loads fonts and modules
    plain_s = seconds(lambda: write_whole_pictures(list(redrawn(course, drawn_by)), path))
    films = list[Film]()

    def film() -> None:
        films.append(Film(course, drawn_by))
        save_gif(films[0], path, FRAME_MS, sampled=(0,))

    own_s = seconds(film)
    return f"{game} {setup}", len(course.frames), len(films[0]), plain_s, own_s


def crash_row(path: Path) -> tuple[str, int, int, float, float]:
    """Return the same of a crash of ten things."""
    found = crash(crash_scene(10))
    view = view_of(found)
    frames = frames_of(found)
    list(pictures(found, frames[:1], view))  # compiles
    plain_s = seconds(lambda: write_whole_pictures(list(rendered(found, frames, view)), path))
    own_s = seconds(lambda: found.animate(path))
    return "crash of ten things", len(frames), len(frames), plain_s, own_s


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", help="games, or crash")
    only = parser.parse_args().only
    print(
        f"{'film':<26}{'turns':>7}{'pictures':>10}{'plain s':>9}{'film s':>8}{'times faster':>14}"
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "film.gif"
        rows = [
            partial(battle_row, *battle, path)
            for battle in BATTLES
            if not only or battle[0] in only
        ]
        rows += [partial(crash_row, path)] * (not only or "crash" in only)
        for row in rows:
            name, turns, shown, plain_s, own_s = row()
            told = f"{name:<26}{turns:>7}{shown:>10}{plain_s:>9.1f}{own_s:>8.2f}{plain_s / own_s:>14.1f}"
            print(f"{told}  (aim: {AIM:g})", flush=True)


if __name__ == "__main__":
    main()
