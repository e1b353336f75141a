"""Throws: release, free flight and the stable rests of bodies.

- `conditions`: distributions of height, speed and spin at release, with the presets `hand`, `drop` and `cup`.
- `surfaces`: friction and restitution of tables, as ranges with their source, in files of one form.
- `surface_schema`: keys and types of these files.
- `floors`: plane, baseplate and tray.
- `states`: positions, orientations and velocities of bodies.
- `release`: the initial states of hands, by seed and address.
- `rotations`: unit quaternions.
- `flight`: free fall and rotation in closed form, up to the first touch of the floor.
- `energy`: kinetic plus potential energy, as a height.
- `faces`: stable faces, their barriers and basins, exactly from the convex hull.
- `sliding`: when a body that slides level can no longer turn over.
"""
