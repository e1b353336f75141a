"""Field: the ground of a battle and what can be walked, seen and touched on it.

- `field`: the studs, the height of the ground, the decor.
- `terrain`: the field while certain doors are open; `board`: with the units and vehicles on it.
- `walk`: the studs that a figure can reach, and the path there.
- `facing`: what is in front of a figure.
- `line`: straight lines and what is in their way; `line_kernel`: the loop over studs.
- `sight`: how much of a target is seen, and the bricks that distance costs.
- `hand`: the heights that a hand or weapon reaches; `melee`: which targets a weapon touches.
- `throw_range`: where a thrown object can land.
"""
