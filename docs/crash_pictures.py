"""Makes the two pictures of crash.md, in a checkout: python -m docs.crash_pictures."""

from dataclasses import replace
from pathlib import Path

from PIL import Image

from brickphys.plots.gif import save_gif
from brickphys.plots.vehicles.crash_film import FRAME_MS, frames_of, pictures, view_of
from brickphys.vehicles.physics.crash import crash
from brickphys.vehicles.scene_file import read_scene

docs = Path(__file__).parent
scene = read_scene(docs / "crash.toml")
result = crash(scene)
frames = frames_of(result)
save_gif(
    list(pictures(result, scene, frames, view_of(scene))), docs / "img" / "crash.gif", FRAME_MS
)
large = replace(view_of(scene), width=1350, height=1000, samples=2)
*_, last = pictures(result, scene, [0, frames[-1]], large)
Image.fromarray(last).quantize(200).save(docs / "img" / "aftermath.png")
