"""Throws: release, free flight and the stable rests of bodies.

- `conditions`: distributions of height, speed and spin at release, with named presets; friction
  and restitution of tables, as ranges with their source, in files of one form.
- `surface_schema`: keys and types of these files.
- `release`: plane, baseplate and tray; the initial states of hands, by seed and address.
- `flight`: states, rotations and energy of bodies; free fall and rotation in closed form, up to the first touch of the
  floor.
- `quasi_static`: on which face a body stops that topples without momentum.
- `faces`: stable faces, their barriers and basins, exactly from the convex hull; on which face a body has stopped, or
  that it leans; when a body that slides level can no longer turn over.
- `rings`: bodies of revolution as circles about an axis, and their rests.
"""
