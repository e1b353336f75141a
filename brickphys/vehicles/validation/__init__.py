"""Validation: moves and courses checked by three independent methods.

- `random_scenes`: scenes of fourteen kinds, by address, some of them with courses.
- `corpus_scenes`: those and ten more kinds: shapes of any form, two that move in time.
- `random_things`: what is in them, and where.
- `bisection`: what a piece of a course meets, with shapely's geometry.
- `comparison`: a move against that, and against what is known.
- `pybullet_check`: PyBullet's contacts of a move, and where they contradict it.
- `validate`: many random scenes checked, and what was found.
"""
