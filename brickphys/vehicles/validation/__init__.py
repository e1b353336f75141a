"""Validation: compulsory moves checked by three independent methods.

- `random_scenes`: scenes of eleven kinds, by address; `random_things`, `lane`: what is in them, and where.
- `bisection`: the same moves with shapely's geometry; `comparison`: a move against it, and against what is known.
- `pybullet_check`: PyBullet's contacts of a move; `contact_disagreements`: where they contradict it.
- `validate`: many random scenes checked, and what was found.
- `approach`: the sectors of a vehicle that is hit from every side, by each scheme.
"""
