"""brickphys: a physics laboratory for brick wargames.

- `errors`, `units`, `arrays`, `seeds`, `text`, `files`, `schema`, `jit`, `notes`, `workers`: the base of everything.
- `geometry`: convex polygons and prisms, time of impact, rays and bearings.
- `grid`: squares as bit sets, neighbours, directions and facings.
- `shapes`: the bodies that are thrown, and models built of pieces.
- `throws`: how bodies are thrown, fly, and can come to rest.
- `engines`: the physics engines that integrate a throw.
- `odds`: exact odds from a law.
- `calibration`: counts, estimates, laws; comparison with real tosses.
- `vehicles`: what a vehicle hits, where, from which side and how hard.
- `rules`: what every game shares: contract, turn games, scenarios, reports, replays, checks, bots.
- `bow`: the Bricks Only Wargame.
- `batch`: studies of many runs: on one machine or many, stored, resumed, reported.
- `plots`: pictures of all that.
- `cli`: the command line.
"""

from time import time_ns

__version__ = "0.1.0"
STARTED_NS = time_ns()
"""When this process began to import brickphys: sources that are newer are not those that it runs."""
