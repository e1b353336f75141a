"""brickphys: a physics laboratory for brick wargames.

- `shapes`: what is thrown.
- `throws`: how it is thrown, flies, and can come to rest.
- `engines`: who integrates a throw.
- `calibration`: counts, estimates, laws; comparison with real tosses.
- `odds`: exact odds from a law.
- `rules`: what every game shares: contract, play, replay, checks, bots.
- `bow`: the Bricks Only Wargame: its description sheets.
- `vehicles`: whom a vehicle hits, where, from which side and how hard.
- `batch`: studies of many runs: on one machine or many, stored, resumed, reported.
- `plots`: pictures of all that.
- `cli`: the command line.
- `errors`, `units`, `seeds`, `files`, `schema`, `jit`, `workers`: what everything above rests on.
"""

__version__ = "0.1.0"
