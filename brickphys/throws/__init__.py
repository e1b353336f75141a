"""Throws: how bodies leave the hand, fly, and can come to rest.

- `conditions`: how a hand of bricks is released, with the presets `hand`, `drop` and `cup`.
- `surfaces`: friction and restitution of tables, as ranges with their source.
- `states`: where bodies are and how they move.
- `release`: the states in which hand number i lets go, by seed and address.
- `rotations`: unit quaternions.
- `flight`: free fall and rotation in closed form, up to the first touch of the floor.
- `energy`: kinetic plus potential, as a height.
- `faces`: stable faces, their barriers and basins, exactly from the convex hull.
"""
