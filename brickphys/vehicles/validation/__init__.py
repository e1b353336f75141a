"""Validation: moves and courses checked by three independent methods.

- `random_scenes`: scenes of fourteen kinds (`scene_kinds`), by address; `random_courses`: those with courses.
- `random_things`, `lane`: what is in them, and where.
- `leg`: a piece of a course in complex numbers; `bisection`: what it meets with shapely's geometry.
- `comparison`: a move against that, and against what is known; `impact`: its angles of impact.
- `pybullet_check`: PyBullet's contacts of a move; `contact_disagreements`: where they contradict it.
- `validate`: many random scenes checked, and what was found.
- `approach`: the sectors of a vehicle that is hit from every side, by each scheme.
"""
