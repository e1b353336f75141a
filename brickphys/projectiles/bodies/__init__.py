"""Bodies: what can be hit, in true measure, with mass properties and outlines.

- `target`: a target as boxes and upright cylinders, each with its mass.
- `obstacle`: boxes that stand fast: bricks of walls, wagons, catapults.
- `wall`: walls of bricks.
- `catalogue`: targets by name, from ``targets.toml``, and behind a wall.
- `silhouette`: what a shooter sees of a target, as rectangles.
"""
