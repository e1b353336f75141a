"""Shots: missiles against standing bodies in PyBullet.

- `missile`: a sphere or a short cylinder that flies.
- `standing`: a body of boxes and cylinders on a table, and the energy that tips it over.
- `world`: pairs of a missile and a standing body in a PyBullet world, each pair by itself.
- `shoot`: shots from the first contact until each body has fallen or will stand.
"""
