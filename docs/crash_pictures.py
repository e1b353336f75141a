"""Makes the two pictures of crash.md, in a checkout: python -m docs.crash_pictures."""

from pathlib import Path

from PIL import Image

from brickphys.plots.physics_film import aftermath
from brickphys.vehicles.crash import crash

docs = Path(__file__).parent
result = crash(docs / "crash.toml")
result.animate(docs / "img" / "crash.gif")
Image.fromarray(aftermath(result)).quantize(200).save(docs / "img" / "aftermath.png")
